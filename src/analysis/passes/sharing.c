/* How processes share the work: which of them ask for I/O, of how many files, and whether one does
 * it for all.
 *
 * It is about what programs ask for: what a library then makes of it, through aggregators or
 * proxies, is its own matter (levels.c). */
#include "analysis/passes/passes.h"

#include "analysis/passes/finding_texts.h"
#include "base/indexed.h"
#include "base/memory.h"
#include "base/saturating.h"

#include <stdlib.h>

enum column { DIRECTION, PROCESSES, OF, FILES, CLASS, BYTES };
static const struct fth_column columns[] = {
    {"direction", "", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"processes", "processes", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"of", "of", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"files", "files", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"class", "class", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"bytes", "bytes", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"sharing", "How processes share files", columns, 6, 0};

struct asked {
    uint64_t bytes[2]; /* reads, writes */
    int64_t time[2];
    struct fth_example example[2];
};

struct process {
    size_t proc;
    struct fth_indexed files; /* of struct asked */
};

struct rank {
    size_t proc;
    struct asked asked;
};

struct run {
    const struct fth_survey *survey;
    struct fth_indexed files[2];     /* that are read, written: of uint8_t */
    uint64_t bytes[2], processes[2]; /* of all */
    uint64_t most[2];                /* by one process */
    struct asked busiest[2];
    size_t rank_count;
    struct rank *ranks; /* all that are selected */
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->files[0].size = run->files[1].size = 1;
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    struct process *process = fth_new(1, sizeof *process);
    process->proc = proc;
    process->files.size = sizeof(struct asked);
    return process;
}

static void ask(struct process *process, const struct fth_frame *frame, uint32_t file, bool writes,
                int64_t time)
{
    if (file == FTH_NO_FILE)
        return;
    struct asked *asked = fth_indexed_get(&process->files, file, 0);
    asked->bytes[writes] += frame->data.bytes;
    FTH_ADD_SATURATING(asked->time[writes], time);
    fth_example_see(&asked->example[writes], frame);
}

static void call(void *state, const struct fth_frame *frame)
{
    if (!frame->class->data || frame->failed || frame->of_library || !frame->data.bytes ||
        fth_frame_asked(frame) != frame)
        return;
    ask(state, frame, frame->file.number, frame->writes, frame->times.all);
    ask(state, frame, frame->file.other, !frame->writes, 0); /* of a copy: its time counts once */
}

static struct fth_indexed *by_file(void *state)
{
    return &((struct process *)state)->files;
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    struct asked all = {0};
    for (uint32_t i = 0; i < process->files.count; i++) {
        uint32_t file = files[fth_indexed_at(&process->files, i)->number];
        const struct asked *asked = fth_indexed_item(&process->files, i);
        for (int writes = 0; writes < 2 && !run->survey->files[file].noise; writes++) {
            all.bytes[writes] += asked->bytes[writes];
            FTH_ADD_SATURATING(all.time[writes], asked->time[writes]);
            fth_example_merge(&all.example[writes], &asked->example[writes]);
            if (asked->bytes[writes])
                fth_indexed_get(&run->files[writes], file, 0);
        }
    }
    for (int writes = 0; writes < 2; writes++) {
        run->bytes[writes] += all.bytes[writes];
        run->processes[writes] += all.bytes[writes] > 0;
        if (all.bytes[writes] > run->most[writes]) {
            run->most[writes] = all.bytes[writes];
            run->busiest[writes] = all;
        }
    }
    if (fth_trace_process(run->survey->trace, process->proc)->rank != FTH_NO_RANK) {
        FTH_GROW(run->ranks, run->rank_count);
        run->ranks[run->rank_count++] = (struct rank){process->proc, all};
    }
    fth_indexed_free(&process->files);
    free(process);
}

/* One process writes what a parallel program has to write. That one reads is good advice as often
 * as not: it may send what it reads to the others. */
static void find_serial(const struct run *run, struct fth_results *results)
{
    const struct asked *writer = &run->busiest[1];
    if (run->survey->rank_count < 2 || run->processes[1] != 1 ||
        !fth_finding_is_worth(run->survey, writer->time[1]))
        return;
    int64_t ranks = (int64_t)run->survey->rank_count,
            severity = writer->time[1] / ranks * (ranks - 1); /* if each wrote its part */
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, FTH_NO_FILE, &writer->example[1], "serial_io",
                          "One process writes for all", severity);
    finding->explains = writer->time[1] * (ranks - 1);
    finding->classes = FTH_CALLS_BIT(FTH_CALLS_WRITE);
    finding->any_file = true;
    fth_finding_say(finding, "One of %zu ranks writes all %s; the others may wait for it for %s.",
                    run->survey->rank_count, FTH_BYTES(run->bytes[1]), FTH_TIME(writer->time[1]));
    fth_finding_advise(
        finding,
        "Use parallel I/O: MPI-IO, parallel HDF5 or NetCDF, or one file per group of ranks.");
}

static int compare(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

static uint64_t median_of(uint64_t *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare);
    return numbers[count / 2];
}

/* Most ranks do I/O, and one of them much more than the one in the middle: of the same bytes each,
 * all would be done earlier. */
static void find_uneven(const struct run *run, struct fth_results *results, int writes)
{
    size_t count = run->rank_count;
    const struct rank *most = NULL;
    int64_t sum = 0;
    if (count < 2 || run->processes[writes] < 2)
        return;
    uint64_t *bytes = fth_new(count, sizeof *bytes), *times = fth_new(count, sizeof *times);
    for (size_t i = 0; i < count; i++) {
        const struct rank *rank = &run->ranks[i];
        bytes[i] = rank->asked.bytes[writes];
        times[i] = (uint64_t)rank->asked.time[writes];
        FTH_ADD_SATURATING(sum, rank->asked.time[writes]);
        most = most && most->asked.time[writes] >= rank->asked.time[writes] ? most : rank;
    }
    uint64_t middle = median_of(bytes, count), median = median_of(times, count);
    free(bytes);
    free(times);
    int64_t time = most->asked.time[writes], severity = time - sum / (int64_t)count;
    double uneven = fth_threshold_of(run->survey, FTH_THRESHOLD_UNEVEN);
    if (!middle || (double)most->asked.bytes[writes] < uneven * (double)middle ||
        (double)time < uneven * (double)median || !fth_finding_is_worth(run->survey, severity))
        return;
    const char *verb = writes ? "writes" : "reads";
    struct fth_finding *finding = fth_finding_write(
        run->survey, results, FTH_NO_FILE, &most->asked.example[writes], "uneven_io",
        writes ? "One rank writes much more than the others"
               : "One rank reads much more than the others",
        severity);
    finding->explains = (time - (int64_t)median) * (int64_t)(count - 1);
    finding->classes = FTH_CALLS_BIT(writes ? FTH_CALLS_WRITE : FTH_CALLS_READ);
    finding->any_file = true;
    fth_finding_say(finding,
                    "It %s %s in %s. The median rank %s %s in %s. The others wait for it at the "
                    "next synchronization.",
                    verb, FTH_BYTES(most->asked.bytes[writes]), FTH_TIME(time), verb,
                    FTH_BYTES(middle), FTH_TIME((int64_t)median));
    fth_finding_advise(finding, "Give the ranks equal parts, or use one collective call of all "
                                "ranks, which distributes the data.");
}

/* N: all processes, M: some (Chen Wang 2022, 4.7). */
static const char *class_of(uint64_t processes, uint64_t of, uint64_t files)
{
    if (processes == 1)
        return files == 1 ? "1-1" : "1-M";
    if (processes == of)
        return files == 1 ? "N-1" : files >= of ? "N-N" : "N-M";
    return files == 1 ? "M-1" : "M-M";
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    struct fth_table *table = fth_table_new(&shape);
    uint64_t of = run->survey->rank_count ? run->survey->rank_count : run->survey->process_count;
    for (int writes = 0; writes < 2; writes++) {
        uint64_t files = run->files[writes].count;
        if (run->processes[writes]) {
            size_t row = fth_table_add_row(table);
            fth_table_set(table, row, DIRECTION, fth_cell_text(writes ? "write" : "read"));
            fth_table_increase(table, row, PROCESSES, run->processes[writes]);
            fth_table_increase(table, row, OF, of);
            fth_table_increase(table, row, FILES, files);
            fth_table_set(table, row, CLASS,
                          fth_cell_text(class_of(run->processes[writes], of, files)));
            fth_table_increase(table, row, BYTES, run->bytes[writes]);
        }
        fth_indexed_free(&run->files[writes]);
    }
    find_serial(run, results);
    for (int writes = 0; writes < 2; writes++)
        find_uneven(run, results, writes);
    free(run->ranks);
    fth_results_add(results, table);
    free(run);
}

const struct fth_pass fth_pass_sharing = {
    "sharing", begin, open_process,         call, merge, finish, NULL, by_file,
    NULL,      NULL,  fth_pass_takes_rounds};
