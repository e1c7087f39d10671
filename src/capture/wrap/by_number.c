/* System calls that a program makes by their number, with syscall(2), and that are more than they
 * look like. A number that does what a function of the catalogue does (`system` in its row) is
 * recorded as that function. A queue of reads and writes between the program and the system
 * (io_uring, io_submit) is noted, once: what goes through it is not seen. */
#include "capture/wrap/by_number.h"

#include "capture/process/system_counts.h"
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

/* Who stands before a function of libc, maybe written over the beginning of our wrapper (UCX does
 * so with mmap), may go on by number: that call is not to come to it again. */
static __thread bool is_inside __attribute__((tls_model("initial-exec")));

typedef long system_function(long, long, long, long, long, long);

/* By number: there once a first call has looked for it. */
static system_function *function_of(long number)
{
    static system_function *functions[NUMBERS];
    static bool known;
    if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
        for (unsigned i = 0; i < fth_system_function_count; i++)
            if (fth_system_functions[i].number >= 0 && fth_system_functions[i].number < NUMBERS)
                functions[fth_system_functions[i].number] =
                    (system_function *)fth_system_functions[i].function;
        __atomic_store_n(&known, true, __ATOMIC_RELEASE);
    }
    return number >= 0 && number < NUMBERS ? functions[number] : NULL;
}

bool fth_call_by_number(long number, const long *with, long *result)
{
    system_function *function = is_inside ? NULL : function_of(number);
    int before, now;
    if (!function)
        return false;
    /* syscall is no point at which a thread may be cancelled, and some of the functions are */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    is_inside = true;
    *result = function(with[0], with[1], with[2], with[3], with[4], with[5]);
    is_inside = false;
    pthread_setcancelstate(before, &now);
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
