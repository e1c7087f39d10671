/* Phases of processes that were recorded by turns (`fathom record --select`). */
#include "base/memory.h"
#include "model/reading/model.h"

static const char *word_of(enum fth_watched_how how)
{
    switch (how) {
    case FTH_WATCHED_CHOSEN:
        return "chosen";
    case FTH_WATCHED_FIRST:
        return "first";
    case FTH_WATCHED_OVERTOOK:
        return "overtook";
    case FTH_WATCHED_NO_PLACE:
        return "no place";
    default:
        return "watched";
    }
}

static struct fth_phase phase_of(const struct fth_trace *trace, const struct fth_watched_span *span)
{
    int64_t start = trace->info.start_realtime;
    bool recorded = span->how != FTH_WATCHED_ONLY && span->how != FTH_WATCHED_OVERTOOK;
    return (struct fth_phase){.number = span->number,
                              .begin = fth_model_ns_between(start, span->begin),
                              .end = fth_model_ns_between(start, span->end),
                              .recorded = recorded,
                              .how = word_of(span->how),
                              .is_open = span->is_open,
                              .time = span->time,
                              .recorded_time = span->recorded,
                              .calls = span->calls};
}

static struct fth_counted_calls *
counted_of(const struct fth_trace *trace, const struct fth_watched_process *process, size_t *count)
{
    struct fth_counted_calls *made = fth_new(process->counted_count + 1, sizeof *made);
    *count = 0;
    for (size_t i = 0; i < process->counted_count; i++)
        made[(*count)++] = (struct fth_counted_calls){
            &trace->functions[process->counted[i].function], process->counted[i].calls};
    if (process->others)
        made[(*count)++] = (struct fth_counted_calls){NULL, process->others};
    return made;
}

static void note_counted(struct fth_trace *trace, struct fth_process *process, uint64_t image)
{
    const struct fth_watched_process *watched = fth_watched_of(&trace->watched, image);
    uint64_t calls = watched ? watched->others : 0;
    for (size_t i = 0; watched && i < watched->counted_count; i++)
        calls += watched->counted[i].calls;
    process->only_counted = calls < process->lost ? calls : process->lost;
}

void fth_model_make_phases(struct fth_trace *trace)
{
    for (size_t i = 0; i < trace->process_count; i++)
        note_counted(trace, &trace->processes[i].facts, trace->processes[i].image);
    trace->phases = fth_new(trace->watched.count + 1, sizeof *trace->phases);
    trace->counted = fth_new(trace->watched.count + 1, sizeof *trace->counted);
    for (size_t i = 0; i < trace->watched.count; i++)
        trace->counted[i].items =
            counted_of(trace, &trace->watched.items[i], &trace->counted[i].count);
    for (size_t i = 0; i < trace->watched.count; i++) {
        const struct fth_watched_process *process = &trace->watched.items[i];
        trace->phases[i] = fth_new(process->span_count + 1, sizeof **trace->phases);
        for (size_t k = 0; k < process->span_count; k++)
            trace->phases[i][k] = phase_of(trace, &process->spans[k]);
    }
}

void fth_model_free_phases(struct fth_trace *trace)
{
    for (size_t i = 0; trace->phases && i < trace->watched.count; i++)
        free(trace->phases[i]);
    for (size_t i = 0; trace->counted && i < trace->watched.count; i++)
        free(trace->counted[i].items);
    free(trace->phases);
    free(trace->counted);
}

const struct fth_phase *fth_trace_phases(const struct fth_trace *trace, size_t proc, size_t *count)
{
    const struct fth_watched_process *process =
        fth_watched_of(&trace->watched, trace->processes[proc].image);
    *count = process ? process->span_count : 0;
    return *count ? trace->phases[process - trace->watched.items] : NULL;
}

const struct fth_counted_calls *fth_trace_counted_only(const struct fth_trace *trace, size_t proc,
                                                       size_t *count)
{
    const struct fth_watched_process *process =
        fth_watched_of(&trace->watched, trace->processes[proc].image);
    size_t i = process ? (size_t)(process - trace->watched.items) : 0;
    *count = process ? trace->counted[i].count : 0;
    return *count ? trace->counted[i].items : NULL;
}
