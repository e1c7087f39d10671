/* The thread that merges ahead. It is idle in the words of the scheduler (SCHED_IDLE): a recorded
 * program that needs all processors gets them, and then nothing is done ahead. Who is idle may not
 * become anything else without privileges, so it is the thread of the merge at the end that goes on
 * with what is there. */
#include "cmd/run/run_ahead.h"

#include "base/memory.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
    FIRST_PAUSE = 50, /* ms between looks when nothing was found, at first */
    LAST_PAUSE = 200,
    PATIENCE = 100, /* ms for what it is at when the run ends: one record, a few ms of work */
    STACK = 1 << 20,
    LEAST_FILES = 128, /* descriptors: one for each process, and those that the merge needs */
};

struct fth_run_ahead {
    pthread_t thread;
    pid_t number; /* of the thread, for the scheduler; 0: not known yet */
    pthread_mutex_t lock;
    pthread_cond_t wakes;
    bool is_over, gave_up;
    struct fth_ahead ahead;
};

static __thread struct fth_run_ahead *mine; /* of the thread itself */

static struct timespec in_ms(clockid_t clock, long ms)
{
    struct timespec moment;
    clock_gettime(clock, &moment);
    moment.tv_nsec += ms * 1000000;
    moment.tv_sec += moment.tv_nsec / 1000000000;
    moment.tv_nsec %= 1000000000;
    return moment;
}

static void wait_a_while(struct fth_run_ahead *run, long ms)
{
    const struct timespec until = in_ms(CLOCK_REALTIME, ms);
    pthread_mutex_lock(&run->lock);
    if (!run->is_over)
        pthread_cond_timedwait(&run->wakes, &run->lock, &until);
    pthread_mutex_unlock(&run->lock);
}

static void *work(void *context)
{
    struct fth_run_ahead *run = context;
    const struct sched_param none = {0};
    mine = run;
    if (sched_setscheduler(0, SCHED_IDLE, &none) != 0)
        return NULL;
    __atomic_store_n(&run->number, gettid(), __ATOMIC_RELAXED);
    for (long pause = FIRST_PAUSE; !__atomic_load_n(&run->is_over, __ATOMIC_RELAXED);) {
        wait_a_while(run, pause);
        bool moved = fth_ahead_go_on(&run->ahead, &run->is_over);
        pause = moved ? FIRST_PAUSE : pause < LAST_PAUSE ? 2 * pause : LAST_PAUSE;
    }
    return NULL;
}

static bool is_below(int resource, rlim_t least)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) != 0 || limit.rlim_cur < least;
}

/* Who limits memory or processor time limits it for what has to be done, too: who goes beyond it
 * while the command runs cannot wait for it any more. */
static bool is_limited(void)
{
    return is_below(RLIMIT_AS, RLIM_INFINITY) || is_below(RLIMIT_DATA, RLIM_INFINITY) ||
           is_below(RLIMIT_CPU, RLIM_INFINITY) || is_below(RLIMIT_NOFILE, LEAST_FILES);
}

/* Signals are for the thread that waits for the command, but that a file was cut off: such a signal
 * ends a process that blocks it. */
static int start_thread(struct fth_run_ahead *run)
{
    sigset_t all, before;
    pthread_attr_t small;
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int error = pthread_create(&run->thread, &small, work, run);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&small);
    return error;
}

struct fth_run_ahead *fth_run_ahead_start(const struct fth_cmd_run *run)
{
    struct fth_time_mode times;
    if (is_limited())
        return NULL;
    struct fth_run_ahead *made = fth_new(1, sizeof *made);
    fth_time_mode_parse(json_string_value(json_object_get(run->meta, "time")), &times);
    fth_ahead_open(&made->ahead, run->spill, &times);
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->wakes, NULL);
    if (start_thread(made) == 0)
        return made;
    fth_ahead_close(&made->ahead);
    free(made);
    return NULL;
}

struct fth_ahead *fth_run_ahead_end(struct fth_run_ahead *run)
{
    const struct sched_param none = {0};
    pid_t number = __atomic_load_n(&run->number, __ATOMIC_RELAXED);
    if (number)                                                /* first, as it may hold the lock */
        (void)!sched_setscheduler(number, SCHED_OTHER, &none); /* where that is allowed */
    pthread_mutex_lock(&run->lock);
    __atomic_store_n(&run->is_over, true, __ATOMIC_RELAXED);
    pthread_cond_signal(&run->wakes);
    pthread_mutex_unlock(&run->lock);
    const struct timespec until = in_ms(CLOCK_REALTIME, PATIENCE);
    run->gave_up = pthread_timedjoin_np(run->thread, NULL, &until) != 0;
    return run->gave_up ? NULL : &run->ahead;
}

void fth_run_ahead_forget(struct fth_run_ahead *run)
{
    if (!run || run->gave_up) /* then it is still at it, until this process ends */
        return;
    fth_ahead_close(&run->ahead);
    free(run);
}

void fth_run_ahead_give_up(void)
{
    while (mine)
        pause();
}
