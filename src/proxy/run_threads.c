/* Threads with their steps: see the header. */
#include "proxy/run_threads.h"

#include "base/memory.h"

void fth_run_threads_add(struct fth_run_threads *threads, uint32_t thread,
                         const struct fth_thread_step *step)
{
    struct fth_run_thread *of = &threads->list[thread];
    FTH_GROW(of->steps, of->step_count);
    of->steps[of->step_count++] = *step;
}

void fth_run_threads_free(struct fth_run_threads *threads)
{
    for (uint32_t i = 0; i < threads->count; i++)
        free(threads->list[i].steps);
    free(threads->list);
    fth_keyed_free(&threads->shared);
    *threads = (struct fth_run_threads){0};
}
