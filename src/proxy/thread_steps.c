/* Steps of threads among calls: see the header. */
#include "proxy/thread_steps.h"

#include <string.h>

/* In MPI all ranks do the same until they know who they are: threads begin behind that. */
static bool may_begin(const struct fth_proxy_calls *kept)
{
    return !fth_trace_process(kept->context.trace, kept->standard.proc)->mpi || kept->thread ||
           (kept->started && (kept->knows_rank || kept->given >= FTH_LAST_START));
}

static void read_step(struct fth_proxy_calls *kept, const struct fth_thread_step *step)
{
    const struct fth_run_thread *other = &kept->threads->list[step->thread];
    bool starts = step->what == FTH_THREADS_START;
    const struct fth_form_step form = {
        step->what,
        false,
        {[FTH_STEP_SLOT] = other->slot,
         [FTH_STEP_NUMBER] = starts ? other->number : (int64_t)step->passed,
         [FTH_STEP_PROGRAM] = starts ? other->program : 0},
    };
    fth_form_read_step(&kept->context, kept->standard.proc, &form, &kept->reading);
}

bool fth_thread_step_next(struct fth_proxy_calls *kept, bool is_over)
{
    const struct fth_call *call = &kept->access.call;
    if (!kept->threads || kept->thread == FTH_ALL_THREADS || kept->thread >= kept->threads->count)
        return false;
    const struct fth_run_thread *own = &kept->threads->list[kept->thread];
    if (kept->thread_steps == own->step_count)
        return false;
    const struct fth_thread_step *next = &own->steps[kept->thread_steps];
    bool is_due = is_over ||
                  (call->thread == kept->thread && call->number >= next->before && may_begin(kept));
    if (!is_due)
        return false;
    kept->thread_steps++;
    read_step(kept, next);
    return true;
}
