/* A part is a run of processes that have many calls together, or one process. Parts of a folder go
 * to whichever rank has the fewest calls so far. Those of a file are joined in their order, so a
 * rank has parts that follow one another. */
#include "export/division.h"

#include "base/memory.h"

#include <stdlib.h>

enum { PART_CALLS = 1 << 18 }; /* a part with so many calls takes no further process */

/* ---- processes ---- */

/* Worlds and ranks, and behind them processes without one; numbers of processes among equals. */
static int by_rank(const void *one, const void *other, void *trace)
{
    size_t a = *(const size_t *)one, b = *(const size_t *)other;
    const struct fth_process *p = fth_trace_process(trace, a), *q = fth_trace_process(trace, b);
    uint64_t left[] = {(uint64_t)p->world, (uint64_t)p->rank, a};
    uint64_t right[] = {(uint64_t)q->world, (uint64_t)q->rank, b};
    for (int i = 0; i < 3; i++) /* -1, none, is the largest */
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

static void select_processes(struct fth_export_division *division,
                             const struct fth_exporter *exporter, struct fth_trace *trace,
                             const struct fth_selection *selection)
{
    size_t count = fth_trace_process_count(trace);
    division->processes = fth_new(count + 1, sizeof *division->processes);
    for (size_t proc = 0; proc < count; proc++)
        if (fth_analysis_selects_process(selection, trace, proc))
            division->processes[division->process_count++] = proc;
    if (exporter->by_rank)
        qsort_r(division->processes, division->process_count, sizeof *division->processes, by_rank,
                trace);
}

/* ---- parts ---- */

static bool starts_part(const struct fth_export_division *division,
                        const struct fth_exporter *exporter, struct fth_trace *trace, size_t i)
{
    if (!division->count || division->parts[division->count - 1].calls >= PART_CALLS)
        return true;
    return exporter->by_rank && fth_trace_process(trace, division->processes[i])->world !=
                                    fth_trace_process(trace, division->processes[i - 1])->world;
}

static void add_process(struct fth_export_division *division, const struct fth_exporter *exporter,
                        struct fth_trace *trace, size_t i)
{
    uint64_t calls = fth_trace_process(trace, division->processes[i])->calls;
    if (starts_part(division, exporter, trace, i)) {
        FTH_GROW(division->parts, division->count);
        division->parts[division->count] =
            (struct fth_export_slice){.number = division->count, .first = i};
        division->count++;
    }
    division->parts[division->count - 1].count++;
    division->parts[division->count - 1].calls += calls;
    division->calls += calls;
}

/* ---- shares ---- */

static uint32_t least(const uint64_t *calls, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t rank = 1; rank < count; rank++)
        if (calls[rank] < calls[found])
            found = rank;
    return found;
}

/* By where the middle of the part is among all calls. */
static uint32_t owner_in_order(uint64_t before, uint64_t calls, uint64_t all, uint32_t count)
{
    double middle = ((double)before + (double)calls / 2) / (double)(all ? all : 1);
    uint32_t owner = (uint32_t)(middle * count);
    return owner < count ? owner : count - 1;
}

static void keep_own(struct fth_export_division *division, bool in_order,
                     const struct fth_export_share *share)
{
    uint64_t *of_rank = fth_new(share->count, sizeof *of_rank);
    uint64_t before = 0, all = division->calls;
    size_t kept = 0;
    division->calls = 0;
    for (size_t i = 0; i < division->count; i++) {
        struct fth_export_slice part = division->parts[i];
        uint32_t owner = in_order ? owner_in_order(before, part.calls, all, share->count)
                                  : least(of_rank, share->count);
        before += part.calls;
        of_rank[owner] += part.calls;
        if (owner != share->rank)
            continue;
        division->parts[kept++] = part;
        division->calls += part.calls;
    }
    division->count = kept;
    free(of_rank);
}

void fth_export_divide(struct fth_export_division *division, const struct fth_exporter *exporter,
                       struct fth_trace *trace, const struct fth_selection *selection,
                       const struct fth_export_share *share)
{
    *division = (struct fth_export_division){0};
    select_processes(division, exporter, trace, selection);
    for (size_t i = 0; i < division->process_count; i++)
        add_process(division, exporter, trace, i);
    if (share->count > 1)
        keep_own(division, !exporter->is_folder, share);
}

void fth_export_division_free(struct fth_export_division *division)
{
    free(division->processes);
    free(division->parts);
}
