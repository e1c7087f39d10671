/* Recording that begins and ends while the program runs. `fathom attach` has loaded us by dlopen
 * and calls fth_program_attach in a thread that it has stopped where that is safe; `fathom detach`
 * calls fth_program_detach. In between we are bound everywhere instead of being preloaded: see
 * bind_libc.c. Afterwards all references lead past us again. We stay loaded, as calls may be open,
 * and as the program may have taken addresses of wrappers. */
#include "base/settings.h"
#include "capture/follow/handle_slots.h"
#include "capture/life/life.h"
#include "capture/process/environment.h"
#include "capture/process/process.h"
#include "capture/record/watch_phases.h"
#include "capture/record/recorders.h"
#include "capture/wrap/stdio.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/sandbox.h"
#include "interpose/reach/bind.h"
#include "interpose/reach/libraries.h"
#include "interpose/reach/loaded_objects.h"
#include "interpose/reach/reals.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LONGEST_SETTINGS = 64 << 10 };

uint64_t fth_recordings;
static bool
    /* there was a recording; what it left in memory stays as long as a call may be open that knows
     * it */
    detached;

/* A copy that stays, as the settings of the last recording may still be read; the rest of its page
 * is zero. */
static const char *copy_settings(const char *settings, size_t length)
{
    char *copy = length <= LONGEST_SETTINGS ? fth_map_memory(length + 2) : NULL;
    return copy ? memcpy(copy, settings, length) : NULL;
}

static bool is_in_our_work(void)
{
    return fth_vforked || (fth_self && fth_self->busy && !fth_self->retired);
}

static bool begin(const char *settings)
{
    static struct fth_spill_process *before_last;
    if (before_last)
        fth_unmap(before_last, FTH_SPILL_TEXTS);
    before_last = fth_process;
    fth_process = NULL;
    fth_environment_given(settings);
    fth_recordings++;
    fth_handles_forget();
    fth_find_reals();
    fth_is_attached = true;
    detached = fth_aside = false;
    fth_process_start(0);
    fth_objects_look_again();
    fth_process_started();
    if (fth_process)
        return true;
    fth_is_attached = false;
    fth_environment_given(NULL);
    return false;
}

/* Somebody else may have borrowed another thread for the same. The process that is at it: a child
 * that is forked meanwhile is another one. */
static int changing;

static bool begin_change(void)
{
    int us = getpid(), who = __atomic_load_n(&changing, __ATOMIC_RELAXED);
    return who != us && __atomic_compare_exchange_n(&changing, &who, us, false, __ATOMIC_ACQUIRE,
                                                    __ATOMIC_RELAXED);
}

static int end_change(int result)
{
    __atomic_store_n(&changing, 0, __ATOMIC_RELEASE);
    return result;
}

static int attach(const char *settings, size_t length)
{
    int before = errno;
    if (fth_process && !detached)
        return EBUSY;
    if (is_in_our_work())
        return EAGAIN;
    const char *copy = copy_settings(settings, length);
    if (!copy || !begin(copy)) {
        errno = before;
        return copy ? EIO : ENOMEM;
    }
    fth_bind_libraries();
    if (!fth_bind_all(false))
        fth_process_note("unseen=", "the process: there was no memory to bind its functions");
    errno = before;
    return 0;
}

/* `settings`: "NAME=VALUE" and a zero for each, `length` bytes in all. Returns 0, or an errno:
 * EBUSY when it is being recorded, EAGAIN when this thread is in the middle of our work, or another
 * one is asked to begin or to end. */
FTH_PUBLIC int fth_program_attach(const char *settings, size_t length);
int fth_program_attach(const char *settings, size_t length)
{
    return begin_change() ? end_change(attach(settings, length)) : EAGAIN;
}

/* Calls that are being written down are waited for, a moment. */
static bool retire_recorders(void)
{
    enum { TRIES = 10000 };
    for (int i = 0; i < TRIES; i++) {
        if (fth_recorders_retire())
            return true;
        syscall(SYS_sched_yield);
    }
    return false;
}

static int detach(void)
{
    int before = errno;
    if (!fth_process || detached || *fth_alive != 1)
        return ESRCH;
    if (!fth_setting(FTH_SETTING_NAME(ATTACHED)))
        return EPERM;
    if (is_in_our_work())
        return EAGAIN;
    fth_phases_end();
    memset(fth_wanted, FTH_NOT_WANTED, sizeof fth_wanted);
    if (fth_is_attached) {
        fth_bind_all(true);
        fth_stdio_unsee();
    }
    bool retired = retire_recorders();
    if (retired) {
        fth_process_ended(FTH_END_DETACHED, 0);
        detached = fth_aside = true;
        fth_is_attached = false;
        fth_environment_given(NULL);
    }
    errno = before;
    return retired ? 0 : EAGAIN;
}

/* Returns 0, or an errno: ESRCH when it is not being recorded, EAGAIN when threads are in the
 * middle of our work, EPERM when it was not `fathom attach` that began. */
FTH_PUBLIC int fth_program_detach(void);
int fth_program_detach(void)
{
    return begin_change() ? end_change(detach()) : EAGAIN;
}
