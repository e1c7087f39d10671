/* The clock of this process. Ticks become time only when traces are merged: see
 * src/trace/spill/node_clocks.c. */
#include "capture/process/process_clock.h"

#include "base/settings.h"
#include "base/ticks.h"
#include "capture/process/environment.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

bool fth_ticks_are_ns;

static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

uint64_t fth_clock_ns(void)
{
    return (uint64_t)clock_ns(CLOCK_MONOTONIC);
}

/* ---- which one ---- */

static void read_source(void *source)
{
    enum { MOST = 32 };
    int file = fth_file_open(FTH_CLOCKSOURCE);
    if (file < 0)
        return;
    long length = syscall(SYS_read, file, source, MOST - 1);
    ((char *)source)[length > 0 ? length : 0] = 0;
    fth_file_close(file);
}

/* A program may have been started so that reading the counter is an error. */
static bool may_read_ticks(void)
{
#if defined __x86_64__
    int mode = PR_TSC_ENABLE;
    return syscall(SYS_prctl, PR_GET_TSC, &mode, 0, 0, 0) != 0 || mode == PR_TSC_ENABLE;
#else
    return true;
#endif
}

void fth_clock_choose(bool elsewhere)
{
    const char *chosen = fth_setting(FTH_SETTING_NAME(CLOCK));
    char source[32] = "";
    fth_ticks_are_ns = (chosen && strcmp(chosen, "monotonic") == 0) || !may_read_ticks();
    if (fth_ticks_are_ns || (chosen && !elsewhere))
        return;
    fth_apart_or_alone(read_source, source);
    fth_ticks_are_ns = !fth_ticks_are_a_clock(source);
}

/* ---- anchors ---- */

/* Not into the stack, which may be one of ours: ThreadSanitizer intercepts the call, and would take
 * two threads that have a stack after one another for a race of the program. */
static int64_t anchored_ns(clockid_t clock)
{
    static __thread struct timespec now __attribute__((tls_model("initial-exec")));
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The instant of a clock is that of the ticks in the middle of reading it; when something came
 * between, it is read again. */
struct fth_spill_anchor fth_clock_anchor(void)
{
    enum { TRIES = 4 };
    struct fth_spill_anchor best = {0};
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t start = fth_ticks();
        struct fth_spill_anchor now = {.monotonic = anchored_ns(CLOCK_MONOTONIC)};
        uint64_t middle = fth_ticks();
        now.realtime = anchored_ns(CLOCK_REALTIME);
        uint64_t took = fth_ticks() - start;
        if (took >= shortest)
            continue;
        shortest = took;
        now.ticks = fth_ticks_are_ns ? (uint64_t)now.monotonic : start + (middle - start) / 2;
        best = now;
    }
    return best;
}
