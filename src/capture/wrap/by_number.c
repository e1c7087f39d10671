/* System calls that a program makes by their number, with syscall(2), and that are more than they
 * look like. A number that does what a function of the catalogue does (`system` in its row) is
 * recorded as that function. A queue of reads and writes between the program and the system
 * (io_uring, io_submit) is noted, once: what goes through it is not seen. */
#include "capture/wrap/by_number.h"

#include "capture/process/process.h"
#include "capture/process/system_counts.h"
#include "capture/wrap/real.h"
#include "interpose/interpose.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>

enum { NUMBERS = 512 };

static const struct {
    long number;
    const char *name;
} queues[] = {
#ifdef SYS_io_uring_setup
    {SYS_io_uring_setup, FTH_QUEUE_IO_URING},
#endif
    {SYS_io_submit, FTH_QUEUE_IO_SUBMIT},
};

/* ---- functions ---- */

long fth_make_by_number(const long *with)
{
    static void *real;
    return ((long (*)(long, ...))fth_find_real(&real, "syscall"))(
        with[0], with[1], with[2], with[3], with[4], with[5], with[6]);
}

/* By number: there once a first call has looked for it. */
static const struct fth_system_function *function_of(long number)
{
    static const struct fth_system_function *functions[NUMBERS];
    static bool known;
    if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
        for (unsigned i = 0; i < fth_system_function_count; i++)
            if (fth_system_functions[i].number >= 0 && fth_system_functions[i].number < NUMBERS)
                functions[fth_system_functions[i].number] = &fth_system_functions[i];
        __atomic_store_n(&known, true, __ATOMIC_RELEASE);
    }
    return number >= 0 && number < NUMBERS ? functions[number] : NULL;
}

/* Functions that are written by hand may go on by number, and so may who has written over their
 * beginning: that call is not to come to them again. */
static __thread bool is_inside __attribute__((tls_model("initial-exec")));

static long call_by_hand(const struct fth_system_function *function, const long *with)
{
    long (*by_hand)(long, long, long, long, long, long) = (__typeof__(by_hand))function->by_hand;
    int before, now;
    bool leaves_traces = !fth_vforked; /* not in the memory of a parent: exec may not come back */
    /* syscall is no point at which a thread may be cancelled, and some of the functions are */
    if (leaves_traces)
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    is_inside = leaves_traces;
    long result = by_hand(with[1], with[2], with[3], with[4], with[5], with[6]);
    is_inside = false;
    if (leaves_traces)
        pthread_setcancelstate(before, &now);
    return function->is_narrow ? (int)result : result;
}

bool fth_call_by_number(const long *with, long *result)
{
    const struct fth_system_function *function = function_of(with[0]);
    if (!function || (function->by_hand && is_inside))
        return false;
    *result = function->by_hand ? call_by_hand(function, with) : function->by_number(with);
    return true;
}

/* A library that is a layer makes it. */
static __thread bool is_of_library __attribute__((tls_model("initial-exec")));

void fth_queue_of_library(bool now)
{
    is_of_library = now;
}

void fth_called_by_number(long number, long result)
{
    if (is_of_library)
        return;
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
        if (FTH_UNLIKELY(queues[i].number == number) && result >= 0)
            fth_queue_seen(queues[i].name);
}
