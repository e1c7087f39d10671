/* Calls on pipes that wait in the system, as to open a FIFO: a signal ends those that wait too
 * long, so that a replay whose processes come in another order than in the run goes on. */
#include "player/player.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id /* older headers have no name for it */
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum {
    BILLION = 1000000000,
    AGAIN = BILLION / 10, /* ns: a signal may come before the call waits */
    LATER = 100,          /* after one that gave up, others wait for this part of the time */
};

static _Thread_local volatile sig_atomic_t is_over;
static _Thread_local timer_t timer;
static _Thread_local pid_t owner; /* a child has none of its parent's */

static int alarm_signal(void)
{
    return SIGRTMAX - 1;
}

static void interrupt(int number)
{
    (void)number;
    is_over = 1;
}

static int64_t patience(void)
{
    return fth_player.plan->patience / (fth_player.gave_up ? LATER : 1);
}

int64_t fth_player_wait_limit(void)
{
    return fth_player_now() + patience();
}

static void make_timer(void)
{
    struct sigaction action = {.sa_handler = interrupt}; /* no SA_RESTART */
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = alarm_signal()};
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    if (sigaction(alarm_signal(), &action, NULL) || timer_create(CLOCK_MONOTONIC, &event, &timer))
        fth_player_fail("cannot make a timer");
    owner = getpid();
}

static void set_timer(int64_t time)
{
    const struct itimerspec after = {.it_value = {time / BILLION, time % BILLION},
                                     .it_interval = {0, time ? AGAIN : 0}};
    timer_settime(timer, 0, &after, NULL);
}

void fth_player_begin_wait(void)
{
    if (owner != getpid())
        make_timer();
    is_over = 0;
    set_timer(patience());
}

bool fth_player_end_wait(void)
{
    set_timer(0);
    fth_player.gave_up |= is_over != 0;
    return is_over;
}
