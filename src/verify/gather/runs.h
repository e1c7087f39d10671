/* The runs that are verified together: one trace, or the traces of a workflow. Processes and
 * threads are numbered over all of them. */
#ifndef FTH_VERIFY_GATHER_RUNS_H
#define FTH_VERIFY_GATHER_RUNS_H

#include "base/sink.h"
#include "order/order.h"

#include <fathom/trace.h>

enum { FTH_MOST_RUNS = 1024 };

struct fth_run {
    struct fth_trace *trace;
    const char *path; /* as the user named it */
    struct fth_order *order;
    uint32_t first_proc, first_timeline;
    int64_t offset; /* ns: from the start of the run that began first to this one's */
};

struct fth_runs {
    size_t count;
    struct fth_run *runs; /* as they were given */
    size_t process_count, timeline_count;
    uint32_t *run_of_proc, *run_of_timeline;
    bool *before; /* [a * count + b]: run a was over before run b began, as the user says */
};

/* Makes an order for each run. *error is set, and -1 returned, where there are too many. The traces
 * must outlive it. */
int fth_runs_open(struct fth_runs *runs, struct fth_trace *const *traces, const char *const *paths,
                  size_t count, struct fth_error **error);
void fth_runs_close(struct fth_runs *runs);

/* Says that run a was over before run b began; what follows from that is found by
 * fth_runs_close_order, after the last one: it fails where a run would be before itself. */
void fth_runs_put_before(struct fth_runs *runs, size_t a, size_t b);
int fth_runs_close_order(struct fth_runs *runs, struct fth_error **error);

static inline const struct fth_run *fth_runs_of(const struct fth_runs *runs, uint32_t proc)
{
    return &runs->runs[runs->run_of_proc[proc]];
}

const struct fth_process *fth_runs_process(const struct fth_runs *runs, uint32_t proc);
#define FTH_NO_PREDECESSOR UINT32_MAX
/* Who was there before a process: the same one as it was before exec, or its parent;
 * FTH_NO_PREDECESSOR: nobody in the trace. */
uint32_t fth_runs_predecessor(const struct fth_runs *runs, uint32_t proc);
/* Is it the former? */
bool fth_runs_is_exec(const struct fth_runs *runs, uint32_t proc);
/* "rank 3", "process 5 (cp)", and "of other.fathom" where there are several runs. The name is the
 * program's own: anything may be in it. */
void fth_runs_put_process(struct fth_sink *sink, const struct fth_runs *runs, uint32_t proc);
/* Why the trace of a process does not show how threads wait for each other, for parentheses; NULL:
 * it does. */
const char *fth_runs_lack_threads(const struct fth_runs *runs, uint32_t proc);
/* Of moments by numbers over all runs. */
bool fth_runs_before(const struct fth_runs *runs, struct fth_moment a, struct fth_moment b);
/* fth_runs_before for who asks about b again and again, with a of another timeline: with what is
 * known at b. */
const struct fth_vector_clock *fth_runs_known(const struct fth_runs *runs, struct fth_moment b);
static inline bool fth_runs_know(const struct fth_runs *runs, const struct fth_vector_clock *known,
                                 struct fth_moment a, struct fth_moment b)
{
    return runs->count == 1 ? fth_order_knows(known, a) : fth_runs_before(runs, a, b);
}

#endif
