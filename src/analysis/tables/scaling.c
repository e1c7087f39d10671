/* Of a program that has the same work to do with more ranks (strong scaling) each rank has less of
 * it, and its requests get smaller and more: they cost more than those of the smaller run did for
 * the same bytes. How the mean request goes with the ranks is the slope of a line through the
 * logarithms: -1 where it is halved when the ranks are doubled. */
#include "analysis/tables/scaling.h"

#include "analysis/passes/passes.h"
#include "analysis/passes/finding_texts.h"
#include "analysis/survey/working.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum column { TRACE, RANKS, DURATION, READS, READ, MEAN_READ, WRITES, WRITTEN, MEAN_WRITE };
static const struct fth_column columns[] = {
    {"trace", "trace", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"ranks", "ranks", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"duration", "run time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"reads", "reads", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"mean_read", "each", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_NULL},
    {"writes", "writes", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"mean_write", "each", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_NULL},
};
static const struct fth_shape shape = {"runs", "The runs and their requests to the system", columns,
                                       sizeof columns / sizeof *columns, 0};

/* As much work is as much as this, in the largest run against the smallest. */
static const double same_work = 1.5;

/* ---- one run ---- */

int fth_scaling_measure(struct fth_trace *trace, const struct fth_selection *selection,
                        const struct fth_thresholds *thresholds, unsigned threads,
                        struct fth_progress *progress, struct fth_scaling_run *run,
                        struct fth_error **error)
{
    static const struct fth_pass *const passes[] = {&fth_pass_requests};
    struct fth_results results = {0};
    size_t processes = 0;
    run->duration = fth_trace_info(trace)->end;
    run->ranks = 0;
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++) {
        if (!fth_analysis_selects_process(selection, trace, proc))
            continue;
        const struct fth_process *process = fth_trace_process(trace, proc);
        processes++;
        run->ranks += process->rank != FTH_NO_RANK;
    }
    struct fth_working working = fth_analysis_working(trace, selection);
    run->working = working.whole - working.mpi;
    run->ranks = run->ranks ? run->ranks : processes;
    bool done = fth_analysis_survey(trace, selection, thresholds, passes, 1, NULL, threads,
                                    progress, &results, error);
    for (int writes = 0; done && writes < 2; writes++) {
        const struct fth_cell *first = fth_table_row(results.tables[0], 0) +
                                       (writes ? FTH_REQUESTS_WRITES : FTH_REQUESTS_READS);
        run->moved[writes] = (struct fth_moved){.calls = (uint64_t)first[0].integer,
                                                .bytes = (uint64_t)first[1].integer,
                                                .time = first[2].integer};
    }
    fth_results_free(&results);
    return done ? 0 : -1;
}

/* ---- side by side ---- */

static int by_ranks(const void *one, const void *other)
{
    const struct fth_scaling_run *a = one, *b = other;
    return (a->ranks > b->ranks) - (a->ranks < b->ranks);
}

static double mean_of(const struct fth_moved *moved)
{
    return moved->calls ? (double)moved->bytes / (double)moved->calls : 0;
}

/* Of the line through (log ranks, log mean request); 0: the runs have the same number of ranks. */
static double slope_of(const struct fth_scaling_run *runs, size_t count, int writes)
{
    double n = (double)count, x = 0, y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        double ranks = log((double)(runs[i].ranks ? runs[i].ranks : 1)),
               size = log(mean_of(&runs[i].moved[writes]));
        x += ranks;
        y += size;
        xx += ranks * ranks;
        xy += ranks * size;
    }
    double spread = n * xx - x * x;
    return spread > 1e-9 ? (n * xy - x * y) / spread : 0;
}

static bool is_same_work(const struct fth_scaling_run *runs, size_t count, int writes)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t bytes = runs[i].moved[writes].bytes;
        least = bytes < least ? bytes : least;
        most = bytes > most ? bytes : most;
    }
    return least && (double)most <= same_work * (double)least;
}

static void find_shrinkage(const struct fth_scaling_run *runs, size_t count, int writes,
                           const struct fth_thresholds *thresholds, struct fth_results *results)
{
    const struct fth_scaling_run *small = &runs[0], *large = &runs[count - 1];
    const struct fth_moved *before = &small->moved[writes], *now = &large->moved[writes];
    if (!is_same_work(runs, count, writes) ||
        (double)now->calls < thresholds->values[FTH_THRESHOLD_MANY])
        return;
    double slope = slope_of(runs, count, writes),
           fair = (double)now->bytes * (double)before->time / (double)before->bytes;
    if (slope > -thresholds->values[FTH_THRESHOLD_SHRINKS])
        return;
    int64_t severity = (double)now->time > fair ? now->time - (int64_t)fair : 0;
    if ((double)severity < thresholds->values[FTH_THRESHOLD_WORTH] * (double)large->working)
        return;
    struct fth_finding *finding =
        fth_finding_add(&results->findings, "request_shrinkage",
                        "With more ranks, requests become smaller and more numerous");
    finding->severity = severity;
    if (large->working > 0)
        finding->share = 100.0 * (double)severity / (double)large->working;
    fth_finding_list_add(&finding->files, large->name);
    fth_finding_say(
        finding,
        "%s: %s of %s on %s, %s of %s on %s (request size scales with the number of ranks to the "
        "power of %.2f). The time shown is the extra time compared with the same bytes on %s.",
        writes ? "Writes" : "Reads", FTH_COUNT(before->calls), FTH_BYTES(mean_of(before)),
        FTH_SEVERAL(small->ranks, "rank", "ranks"), FTH_COUNT(now->calls), FTH_BYTES(mean_of(now)),
        FTH_SEVERAL(large->ranks, "rank", "ranks"), slope,
        FTH_SEVERAL(small->ranks, "rank", "ranks"));
    fth_finding_advise(finding,
                       "Let fewer ranks access the file for the others: use collective I/O with "
                       "one aggregator per node (cb_nodes), or gather before writing.");
}

static void add_row(struct fth_table *table, const struct fth_scaling_run *run)
{
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, TRACE, fth_cell_text(run->name));
    fth_table_set(table, row, RANKS, fth_cell_integer((int64_t)run->ranks));
    fth_table_set(table, row, DURATION, fth_cell_integer(run->duration));
    for (size_t writes = 0; writes < 2; writes++) {
        const struct fth_moved *moved = &run->moved[writes];
        size_t first = writes ? WRITES : READS;
        fth_table_increase(table, row, first, moved->calls);
        fth_table_increase(table, row, first + 1, moved->bytes);
        if (moved->calls)
            fth_table_increase(table, row, first + 2, moved->bytes / moved->calls);
    }
}

void fth_scaling_results(struct fth_scaling_run *runs, size_t count,
                         const struct fth_thresholds *thresholds, struct fth_results *results)
{
    struct fth_table *table = fth_table_new(&shape);
    qsort(runs, count, sizeof *runs, by_ranks);
    for (size_t i = 0; i < count; i++)
        add_row(table, &runs[i]);
    fth_results_add(results, table);
    for (int writes = 0; count > 1 && writes < 2; writes++)
        find_shrinkage(runs, count, writes, thresholds, results);
    fth_findings_fold(&results->findings);
}
