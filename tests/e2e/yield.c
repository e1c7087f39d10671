/* For test programs with MPICH. Its ranks wait by asking again and again. Where there are more
 * ranks than processors, they keep those busy that the ranks need for which they wait. This
 * function takes the place of the one of UCX by which MPICH asks, calls it, and yields if nothing
 * has come. With another transport nobody calls it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*progress)(void *worker);
    if (!progress)
        progress = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned count = progress(worker);
    if (!count)
        sched_yield();
    return count;
}
