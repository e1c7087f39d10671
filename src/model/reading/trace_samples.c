/* <fathom/samples.h>: sections SAMP as readers see them. They are checked when the trace is opened;
 * their columns are unpacked value by value. */
#include "model/reading/trace_samples.h"

#include "base/intern.h"
#include "base/memory.h"
#include "model/reading/model.h"

#include <stdlib.h>

int fth_model_read_samples(struct fth_model_samples *samples, uint8_t *bytes, size_t length,
                           struct fth_error **error)
{
    FTH_GROW(samples->samplings, samples->sampling_count);
    struct fth_model_sampling *sampling = &samples->samplings[samples->sampling_count++];
    *sampling = (struct fth_model_sampling){.bytes = bytes};
    return fth_samples_read(&sampling->read, bytes, length, error);
}

static void fill_info(const struct fth_trace *trace, struct fth_model_sampling *sampling)
{
    const struct fth_read_samples *read = &sampling->read;
    int64_t since = trace->info.start_realtime;
    int64_t end = read->rows ? read->times[read->rows - 1] : read->start;
    sampling->info = (struct fth_sampling_info){
        .host = read->host,
        .interval = read->interval,
        .start = fth_model_ns_between(since, read->start),
        .end = fth_model_ns_between(since, end),
        .samples_per_value = UINT64_C(1) << read->halvings,
        .sample_count = read->rows,
        .note_count = read->note_count,
        .notes = (const char *const *)read->texts + 1,
    };
}

static enum fth_counter_unit unit_of(const struct fth_read_series *series)
{
    return series->unit == FTH_SERIES_BYTES         ? FTH_COUNTER_BYTES
           : series->unit == FTH_SERIES_NANOSECONDS ? FTH_COUNTER_SECONDS
           : series->unit == FTH_SERIES_MICROJOULES ? FTH_COUNTER_JOULES
                                                    : FTH_COUNTER_COUNT;
}

static double size_of_unit(const struct fth_read_series *series)
{
    return series->unit == FTH_SERIES_NANOSECONDS   ? 1e-9
           : series->unit == FTH_SERIES_MICROJOULES ? 1e-6
           : series->unit == FTH_SERIES_THOUSANDTHS ? 1e-3
                                                    : 1;
}

/* Images have their processes; one that left nothing but its samples has none, and they are left
 * out. */
static void add_counters(struct fth_trace *trace, size_t number, const struct fth_intern *images)
{
    struct fth_model_samples *samples = &trace->samples;
    const struct fth_read_samples *read = &samples->samplings[number].read;
    for (size_t i = 0; i < read->series_count; i++) {
        const struct fth_read_series *series = &read->series[i];
        int64_t proc = FTH_NO_PROCESS;
        if (series->image && !fth_interned_before(images, &series->image, sizeof series->image))
            continue;
        if (series->image)
            proc = fth_intern((struct fth_intern *)(uintptr_t)images, &series->image,
                              sizeof series->image);
        FTH_GROW(samples->counters, samples->counter_count);
        samples->counters[samples->counter_count++] = (struct fth_model_counter){
            .facts = {.name = series->name,
                      .instance = series->instance,
                      .kind = series->kind == FTH_SERIES_RATE ? FTH_RATE : FTH_GAUGE,
                      .unit = unit_of(series),
                      .sampling = number,
                      .proc = proc,
                      .sample_count = series->count},
            .series = series};
    }
}

void fth_model_make_counters(struct fth_trace *trace)
{
    struct fth_intern images = {0};
    for (size_t i = 0; i < trace->process_count && trace->samples.sampling_count; i++)
        fth_intern(&images, &trace->processes[i].image, sizeof trace->processes[i].image);
    for (size_t i = 0; i < trace->samples.sampling_count; i++) {
        fill_info(trace, &trace->samples.samplings[i]);
        add_counters(trace, i, &images);
    }
    fth_intern_free(&images);
}

void fth_model_free_samples(struct fth_model_samples *samples)
{
    for (size_t i = 0; i < samples->sampling_count; i++) {
        fth_read_samples_free(&samples->samplings[i].read);
        free(samples->samplings[i].bytes);
    }
    free(samples->samplings);
    free(samples->counters);
}

/* ---- doors ---- */

size_t fth_trace_sampling_count(const struct fth_trace *trace)
{
    return trace->samples.sampling_count;
}

const struct fth_sampling_info *fth_trace_sampling(const struct fth_trace *trace, size_t sampling)
{
    return &trace->samples.samplings[sampling].info;
}

size_t fth_trace_counter_count(const struct fth_trace *trace)
{
    return trace->samples.counter_count;
}

const struct fth_counter *fth_trace_counter(const struct fth_trace *trace, size_t counter)
{
    return &trace->samples.counters[counter].facts;
}

struct fth_samples_reader {
    int64_t since; /* ns since 1970 */
    const struct fth_read_samples *read;
    struct fth_read_series series; /* its columns move on */
    uint32_t next;
};

struct fth_samples_reader *fth_samples_open(const struct fth_trace *trace, size_t counter)
{
    const struct fth_model_counter *of = &trace->samples.counters[counter];
    struct fth_samples_reader *reader = fth_new(1, sizeof *reader);
    *reader =
        (struct fth_samples_reader){.since = trace->info.start_realtime,
                                    .read = &trace->samples.samplings[of->facts.sampling].read,
                                    .series = *of->series};
    return reader;
}

bool fth_samples_next(struct fth_samples_reader *reader, struct fth_sample *sample)
{
    const struct fth_read_samples *read = reader->read;
    struct fth_read_series *series = &reader->series;
    if (reader->next == series->count)
        return false;
    uint32_t row = series->first + reader->next++;
    int64_t start = row ? read->times[row - 1] : read->start, end = read->times[row];
    double unit = size_of_unit(series), seconds = 1e-9 * (double)(end - start);
    double value = unit * (double)fth_series_next(&series->columns[0]);
    bool rate = series->kind == FTH_SERIES_RATE;
    *sample = (struct fth_sample){.start = fth_model_ns_between(reader->since, start),
                                  .end = fth_model_ns_between(reader->since, end),
                                  .amount = rate ? value : 0,
                                  .mean = rate ? value / seconds : value};
    sample->least = sample->most = sample->mean;
    if (read->halvings) {
        double scale = rate ? unit / (1e-9 * (double)read->interval) : unit;
        sample->least = scale * (double)fth_series_next(&series->columns[1]);
        sample->most = scale * (double)fth_series_next(&series->columns[2]);
    }
    return true;
}

void fth_samples_close(struct fth_samples_reader *reader)
{
    free(reader);
}
