/* How much was read and written when: the time of the run in equal parts, in each of them the bytes
 * of calls of the system. Bytes of a call go evenly over its time. */
#include "analysis/passes/passes.h"

#include "base/memory.h"
#include "base/time_parts.h"

enum { PARTS = 48 };

enum column { START, DURATION, READ, WRITTEN, READ_RATE, WRITE_RATE };
static const struct fth_column columns[] = {
    {"start", "from", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"duration", "duration", FTH_UNIT_TIME, FTH_SHOW_UNLESS_SAME},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"read_rate", "read/s", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"write_rate", "written/s", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"over_time",
                                       "Bytes of system calls over time, per second of the run",
                                       columns, sizeof columns / sizeof *columns, 0};

/* [0] reads, [1] writes. */
struct parts {
    uint64_t bytes[PARTS][2];
};

struct process {
    const struct run *run;
    struct parts parts;
};

struct run {
    int64_t begin, end, width; /* ns */
    struct parts parts;
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    struct fth_selected_span span = fth_analysis_selected_span(survey->selection, survey->trace);
    run->begin = span.begin;
    run->end = span.end;
    run->width = (int64_t)(((uint64_t)span.end - (uint64_t)span.begin) / PARTS) + 1;
    return run;
}

static void *open_process(void *state, size_t proc)
{
    struct process *process = fth_new(1, sizeof *process);
    (void)proc;
    process->run = state;
    return process;
}

static size_t part_at(const struct run *run, int64_t time)
{
    return fth_part_at(run->begin, run->width, PARTS, time);
}

/* Evenly from `start` to `end`; what is left by rounding goes to the last part. */
static void spread(struct process *process, int64_t start, int64_t end, uint64_t bytes, bool writes)
{
    const struct run *run = process->run;
    size_t first = part_at(run, start), last = part_at(run, end);
    uint64_t left = bytes;
    for (size_t part = first; part < last; part++) {
        int64_t from = run->begin + (int64_t)part * run->width;
        int64_t time = from + run->width - (start > from ? start : from);
        uint64_t share =
            (uint64_t)((unsigned __int128)bytes * (uint64_t)time / (uint64_t)(end - start));
        process->parts.bytes[part][writes] += share;
        left -= share;
    }
    process->parts.bytes[last][writes] += left;
}

static const struct fth_again_time *behind(const struct fth_frame *frame, uint64_t i)
{
    return &frame->times.behind[i * frame->times.apart];
}

static void each(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (!frame->class->system || !frame->class->data || !frame->data.bytes)
        return;
    uint64_t bytes = frame->data.bytes, more = frame->calls - 1;
    int64_t start = frame->times.began;
    int64_t end = more ? start + frame->times.first : frame->times.end;
    int64_t last = more ? behind(frame, more - 1)->end : end;
    if (part_at(process->run, start) == part_at(process->run, last)) {
        spread(process, start, last, bytes * frame->calls, frame->writes);
        return;
    }
    spread(process, start, end, bytes, frame->writes);
    for (uint64_t i = 0; i < more; i++)
        spread(process, behind(frame, i)->start, behind(frame, i)->end, bytes, frame->writes);
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    (void)files;
    for (size_t part = 0; part < PARTS; part++)
        for (int i = 0; i < 2; i++)
            run->parts.bytes[part][i] += process->parts.bytes[part][i];
    free(process);
}

/* Nothing for a part behind the end, which has no time. */
static struct fth_cell per_second(uint64_t bytes, int64_t width)
{
    if (!width)
        return fth_cell_null();
    double rate = (double)bytes * 1e9 / (double)width;
    return fth_cell_integer(rate < 9e18 ? (int64_t)rate : INT64_MAX);
}

/* No rows if nothing was moved. */
static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    struct fth_table *table = fth_table_new(&shape);
    uint64_t all = 0;
    for (size_t part = 0; part < PARTS; part++)
        all |= run->parts.bytes[part][0] | run->parts.bytes[part][1];
    for (size_t part = 0; all && part < PARTS; part++) {
        size_t row = fth_table_add_row(table);
        const uint64_t *bytes = run->parts.bytes[part];
        int64_t within = fth_part_within(run->begin, run->width, (uint32_t)part, run->end);
        fth_table_set(table, row, START, fth_cell_integer(run->begin + (int64_t)part * run->width));
        fth_table_set(table, row, DURATION, fth_cell_integer(within));
        fth_table_increase(table, row, READ, bytes[0]);
        fth_table_increase(table, row, WRITTEN, bytes[1]);
        fth_table_set(table, row, READ_RATE, per_second(bytes[0], within));
        fth_table_set(table, row, WRITE_RATE, per_second(bytes[1], within));
    }
    fth_results_add(results, table);
    free(run);
}

const struct fth_pass fth_pass_over_time = {
    "over time", begin, open_process,         NULL, merge, finish, each, NULL,
    NULL,        NULL,  fth_pass_takes_rounds};
