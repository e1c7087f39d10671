/* Numbers processes and threads over all runs, and asks each run for its own order; between runs
 * it is that of the workflow. */
#include "verify/gather/runs.h"

#include "base/memory.h"
#include "order/imported.h"
#include "trace/names/process_name.h"

#include <string.h>

int fth_runs_open(struct fth_runs *runs, struct fth_trace *const *traces, const char *const *paths,
                  size_t count, struct fth_error **error)
{
    *runs = (struct fth_runs){.count = count};
    if (count > FTH_MOST_RUNS)
        return fth_fail(error, "no more than %d traces can be verified together", FTH_MOST_RUNS);
    runs->runs = fth_new(count + 1, sizeof *runs->runs);
    runs->before = fth_new(count * count + 1, sizeof *runs->before);
    int64_t first_start = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        struct fth_run *run = &runs->runs[i];
        run->trace = traces[i];
        run->path = paths[i];
        run->order = fth_order_new(traces[i]);
        run->first_proc = (uint32_t)runs->process_count;
        run->first_timeline = (uint32_t)runs->timeline_count;
        run->offset = fth_trace_info(traces[i])->start_realtime;
        first_start = run->offset < first_start ? run->offset : first_start;
        runs->process_count += fth_trace_process_count(traces[i]);
        runs->timeline_count += fth_order_timelines(run->order);
        if (runs->process_count >= UINT32_MAX || runs->timeline_count >= UINT32_MAX)
            return fth_fail(error, "the traces have too many threads to be verified together");
    }
    runs->run_of_proc = fth_new(runs->process_count + 1, sizeof *runs->run_of_proc);
    runs->run_of_timeline = fth_new(runs->timeline_count + 1, sizeof *runs->run_of_timeline);
    for (size_t i = 0; i < count; i++) {
        struct fth_run *run = &runs->runs[i];
        run->offset -= first_start;
        for (size_t j = 0; j < fth_trace_process_count(run->trace); j++)
            runs->run_of_proc[run->first_proc + j] = (uint32_t)i;
        for (size_t j = 0; j < fth_order_timelines(run->order); j++)
            runs->run_of_timeline[run->first_timeline + j] = (uint32_t)i;
    }
    return 0;
}

void fth_runs_close(struct fth_runs *runs)
{
    for (size_t i = 0; i < runs->count && runs->runs; i++)
        fth_order_free(runs->runs[i].order);
    free(runs->runs);
    free(runs->run_of_proc);
    free(runs->run_of_timeline);
    free(runs->before);
}

void fth_runs_put_before(struct fth_runs *runs, size_t a, size_t b)
{
    runs->before[a * runs->count + b] = true;
}

int fth_runs_close_order(struct fth_runs *runs, struct fth_error **error)
{
    size_t n = runs->count;
    for (size_t through = 0; through < n; through++)
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n && runs->before[a * n + through]; b++)
                runs->before[a * n + b] |= runs->before[through * n + b];
    for (size_t a = 0; a < n; a++)
        if (runs->before[a * n + a])
            return fth_fail(
                error, "the order of the runs is cyclic: '%s' would have to end before it begins",
                runs->runs[a].path);
    return 0;
}

const struct fth_process *fth_runs_process(const struct fth_runs *runs, uint32_t proc)
{
    const struct fth_run *run = fth_runs_of(runs, proc);
    return fth_trace_process(run->trace, proc - run->first_proc);
}

uint32_t fth_runs_predecessor(const struct fth_runs *runs, uint32_t proc)
{
    uint32_t first = fth_runs_of(runs, proc)->first_proc;
    int64_t parent = fth_runs_process(runs, proc)->parent_proc;
    return parent >= 0 && parent < proc - first ? first + (uint32_t)parent : FTH_NO_PREDECESSOR;
}

bool fth_runs_is_exec(const struct fth_runs *runs, uint32_t proc)
{
    uint32_t before = fth_runs_predecessor(runs, proc);
    return before != FTH_NO_PREDECESSOR &&
           fth_runs_process(runs, before)->pid == fth_runs_process(runs, proc)->pid;
}

void fth_runs_put_process(struct fth_sink *sink, const struct fth_runs *runs, uint32_t proc)
{
    const struct fth_run *run = fth_runs_of(runs, proc);
    fth_process_put_name(sink, fth_runs_process(runs, proc), proc - run->first_proc);
    if (runs->count > 1) {
        fth_sink_text(sink, " of ");
        fth_sink_text(sink, run->path);
    }
}

const char *fth_runs_lack_threads(const struct fth_runs *runs, uint32_t proc)
{
    return fth_order_lacks_threads(fth_runs_of(runs, proc)->trace);
}

bool fth_runs_before(const struct fth_runs *runs, struct fth_moment a, struct fth_moment b)
{
    uint32_t one = runs->run_of_timeline[a.timeline], other = runs->run_of_timeline[b.timeline];
    if (one != other)
        return runs->before[one * runs->count + other];
    const struct fth_run *run = &runs->runs[one];
    a.timeline -= run->first_timeline;
    b.timeline -= run->first_timeline;
    return fth_order_before(run->order, a, b);
}

const struct fth_vector_clock *fth_runs_known(const struct fth_runs *runs, struct fth_moment b)
{
    const struct fth_run *run = &runs->runs[runs->run_of_timeline[b.timeline]];
    b.timeline -= run->first_timeline;
    return fth_order_known(run->order, b);
}
