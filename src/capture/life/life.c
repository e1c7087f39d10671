/* When recording begins and ends in this process: at its start, in forked children, in threads, at
 * its end, and when the recorder has to step aside. */
#include "capture/follow/handle_slots.h"
#include "capture/life/life.h"

#include "base/settings.h"
#include "capture/life/begin.h"
#include "capture/process/system_counts.h"
#include "capture/process/environment.h"
#include "capture/process/placement.h"
#include "capture/process/process_file.h"
#include "capture/process/spill_folder.h"
#include "capture/process/strangers.h"
#include "capture/process/unkept_calls.h"
#include "capture/record/modules.h"
#include "capture/record/plugin.h"
#include "capture/record/recorders.h"
#include "capture/record/reference.h"
#include "capture/record/signal_stack.h"
#include "capture/record/stream.h"
#include "capture/record/watch_phases.h"
#include "interpose/own/below.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/sandbox.h"
#include "interpose/own/stack.h"
#include "interpose/reach/libraries.h"
#include "interpose/reach/load.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_key_t thread_end;
enum { STARTING = 2 }; /* in *fth_alive: neither wiped nor ready */

/* On the page of fth_alive, which is wiped in the child of any kind of fork: when fork returned in
 * this process, before its first recorded call; ticks 0: not known. */
static struct fth_spill_anchor *forked_at;

/* ---- what the system counts ---- */

/* Nothing is asked for that will not be compared. */
static void count_last(enum fth_spill_end how)
{
    struct fth_spill_process *process = fth_process;
    uint64_t took;
    process->counted &= ~(uint32_t)FTH_COUNTED_LAST;
    if (how == FTH_END_UNKNOWN || process->partial || !(process->counted & FTH_COUNTED_FIRST))
        return;
    if (fth_counted_read(&process->counted_last, &took)) {
        process->counted |= FTH_COUNTED_LAST;
        fth_own_read(took);
    }
    if (fth_has_unseen_ring())
        fth_queue_seen(FTH_QUEUE_IO_URING);
}

/* The files of this process and this thread are elsewhere now. */
static bool remap(void)
{
    return fth_process_remap() && fth_phases_remap() &&
           (!fth_self || (fth_stream_remap(fth_self) && fth_watched_remap(fth_self)));
}

void fth_process_ended(enum fth_spill_end how, int status)
{
    if (!fth_process)
        return;
    if (!fth_aside)
        count_last(how);
    if (!fth_aside && how == FTH_END_EXIT)
        fth_note_unused_cuts();
    if (!fth_aside)
        fth_process_touch();
    if (how == FTH_END_EXIT || how == FTH_END_DETACHED)
        fth_phases_end();
    fth_process->status = status;
    fth_process->ended = how;
    if (how == FTH_END_EXIT && !fth_aside && !fth_process_is_unkept())
        fth_node_leave(remap);
}

void fth_process_step_aside(const char *since)
{
    if (fth_vforked || fth_aside)
        return;
    if (fth_process && *fth_alive != 1)
        fth_begin_rarely(0); /* a forked child that has made no call */
    fth_aside = true;
    fth_phases_end();
    memset(fth_wanted, FTH_NOT_WANTED, sizeof fth_wanted);
    if (*fth_alive == 1) {
        fth_process_note("aside=", since);
        fth_process_touch();
    }
}

/* ---- threads and forks ---- */

static void thread_ends(void *recorder)
{
    if (fth_self != recorder || !*fth_alive)
        return;
    if (fth_self->retired) {
        fth_recorder_drop(recorder);
    } else if (!fth_self->busy || fth_recorder_mend(recorder)) {
        fth_wrapper_events.thread_ends(recorder);
        fth_recorder_release(recorder);
    }
    fth_self = NULL;
}

/* What the thread that forked had for a recorder, in the child; another thread may be the first one
 * there to make a call. */
static struct fth_recorder *inherited;

static void leave_recorder(void)
{
    if (fth_self)
        inherited = fth_self;
    fth_self = NULL;
}

void fth_process_forked(void)
{
    leave_recorder();
    if (!fth_aside && fth_is_prepared() && *fth_alive == 0)
        *forked_at = fth_clock_anchor();
}

/* The child of any kind of fork comes here with its first call: the page of fth_alive has been
 * wiped. */
static void start_in_child(void *unused)
{
    (void)unused;
    uint64_t parent = fth_process_image();
    int error;
    fth_process_note_in_child();
    leave_recorder();
    fth_recorder_drop_inherited(inherited);
    inherited = NULL;
    fth_handles_in_child();
    fth_wrapper_events.in_child();
    struct fth_spill_process *parents = fth_process;
    fth_process = NULL;
    uint32_t partial = parents ? parents->partial : 0;
    if (fth_process_file_make(parent, forked_at, parents, &error))
        fth_process->partial = partial;
    else
        memset(fth_wanted, 0, sizeof fth_wanted);
    fth_phases_in_child();
    if (parents && !fth_process_is_unkept())
        fth_unmap(parents, FTH_SPILL_TEXTS);
    else if (parents && (error == EACCES || error == EPERM)) /* it has become another user */
        __atomic_fetch_add(&parents->locked_out, 1, __ATOMIC_RELAXED);
}

static void give_recorder(void *taken)
{
    struct fth_recorder *recorder = fth_process->stopped ? NULL : fth_recorder_take();
    if (!recorder && (fth_process->stopped || fth_process->unkept.error == FTH_NO_BUDGET))
        recorder = fth_recorder_take_nowhere();
    if (recorder) {
        fth_self = recorder;
        fth_wrapper_events.thread_begins(recorder);
        pthread_setspecific(thread_end, recorder);
    } else {
        fth_unkept_calls(1);
    }
    *(struct fth_recorder **)taken = recorder;
}

static struct fth_recorder *take_recorder(void)
{
    struct fth_recorder *recorder = NULL;
    if (fth_process && !fth_is_borrowed())
        fth_on_own_stack(give_recorder, &recorder);
    return recorder;
}

/* What this thread recorded into before the program was detached is no more; a call that is still
 * open may come back to it. */
static struct fth_recorder *replace_retired(struct fth_recorder *recorder)
{
    if (!fth_process || fth_process->stopped || fth_is_borrowed())
        return NULL;
    if (!recorder->depth && fth_recorder_renew(recorder))
        return recorder;
    fth_self = NULL;
    return take_recorder();
}

/* ---- calls that come while the recorder is at work ---- */

enum {
    ONE_STACK = 1 << 20, /* a handler on a stack of its own is not likely to be this near */
    MOST_REPLACED = 256, /* recorders that a process leaves behind */
};

/* Is the frame that the recorder works for gone, because a signal handler jumped out of it? */
static bool work_is_gone(const struct fth_recorder *recorder, uintptr_t stack)
{
    stack_t alternate;
    return stack >= recorder->busy && stack - recorder->busy < ONE_STACK &&
           syscall(SYS_sigaltstack, NULL, &alternate) == 0 && !(alternate.ss_flags & SS_ONSTACK);
}

/* A signal handler makes a call while it interrupts the recorder: the call is lost. Or it has
 * jumped away from there, into its own middle or to a place from which calls go on; where that
 * cannot be known, the interrupted recorder is left to whoever may return to it, and the thread
 * goes on with another one. */
static struct fth_recorder *interrupt(struct fth_recorder *recorder, uintptr_t stack)
{
    static unsigned replaced;
    struct fth_recorder *other = NULL;
    if (work_is_gone(recorder, stack))
        return fth_recorder_mend(recorder) ? recorder : NULL;
    if (recorder->jumped && __atomic_fetch_add(&replaced, 1, __ATOMIC_RELAXED) < MOST_REPLACED)
        other = take_recorder();
    if (!other)
        recorder->live->lost++;
    return other;
}

void fth_longjmp_seen(uintptr_t stack)
{
    struct fth_recorder *recorder = fth_self;
    if (!recorder || *fth_alive != 1)
        return;
    if (recorder->busy)
        recorder->jumped = true;
    else if (recorder->depth && stack != UINTPTR_MAX) {
        fth_wrapper_events.frames_left(recorder, stack);
        fth_drop_stale_frames(recorder, stack);
    }
}

static void start(void);

static __attribute__((noinline)) struct fth_recorder *begin_rarely(uintptr_t stack)
{
    int before = errno;
    if (!fth_is_prepared())
        start();
    else if (*fth_alive != 1) {
        uint32_t wiped = 0;
        if (!__atomic_compare_exchange_n(fth_alive, &wiped, STARTING, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE))
            return NULL; /* another thread is at it, or this is a call of its own */
        fth_on_own_stack(start_in_child, NULL);
        *fth_alive = 1;
    }
    struct fth_recorder *recorder = fth_self;
    if (!recorder)
        recorder = take_recorder();
    else if (FTH_UNLIKELY(recorder->retired))
        recorder = replace_retired(recorder);
    else if (recorder->busy)
        recorder = interrupt(recorder, stack);
    errno = before;
    return recorder;
}

struct fth_recorder *fth_begin_rarely(uintptr_t stack)
{
    bool is_known = fth_self && *fth_alive == 1; /* what stack there is for signal handlers */
    if (fth_vforked || fth_aside || (!is_known && fth_is_tight(stack)))
        return NULL;
    return begin_rarely(stack);
}

/* ---- begin and end of the program ---- */

/* Once, however often the recording of this process begins. */
static bool prepare(void)
{
    uint32_t *page = !fth_is_prepared() ? fth_map_memory(FTH_SPILL_PAGE) : NULL;
    if (fth_is_prepared())
        return true;
    if (!page || syscall(SYS_madvise, page, FTH_SPILL_PAGE, MADV_WIPEONFORK) != 0 ||
        pthread_key_create(&thread_end, thread_ends) != 0)
        return false;
    forked_at = (struct fth_spill_anchor *)(page + 2);
    fth_alive = page;
    return true;
}

void fth_process_start(uint64_t forked_from)
{
    const char *spill = fth_setting(FTH_SETTING_NAME(SPILL));
    if (!spill || *spill != '/' || fth_is_in_stranger() || !fth_node_choose_folder(spill))
        return;
    fth_process_file_settings();
    int error;
    fth_clock_choose(fth_node_is_another());
    if (!prepare())
        return;
    *fth_alive = 1;
    if (fth_process_file_make(forked_from, NULL, NULL, &error)) {
        fth_plugins_load();
        /* with these two the recorder reads and writes files beside its own */
        fth_process->partial = !fth_filters_read() || fth_setting(FTH_SETTING_NAME(REGIONS)) ||
                               fth_setting(FTH_SETTING_NAME(REFERENCE));
        fth_lines_are_kept = fth_setting(FTH_SETTING_NAME(LINES)) != NULL;
        fth_wrapper_events.recording_begins();
        fth_modules_are_known = fth_lines_are_kept || fth_setting(FTH_SETTING_NAME(REGIONS));
        if (fth_setting(FTH_SETTING_NAME(REGIONS)))
            fth_process_note("regions=", FTH_REGIONS_WANTED);
        if (!fth_process->stopped)
            fth_reference_start();
    }
}

/* ---- another root ---- */

void fth_before_chroot(void)
{
    fth_directory_known();
    if (*fth_alive == 1 && !fth_vforked)
        fth_spill_hold_folder();
}

void fth_after_chroot(int result)
{
    if (result != 0) {
        fth_spill_let_folder_go();
        return;
    }
    fth_directory_changed();
    fth_environment_moved();
}

/* ---- the end ---- */

static struct {
    bool has_come;
    int status;
} the_exit;

/* exit() empties the buffers of streams at last. */
void fth_process_goes_on(void)
{
    if (FTH_UNLIKELY(the_exit.has_come))
        fth_process_ended(FTH_END_EXIT, the_exit.status);
}

void fth_process_exits(int status)
{
    if (fth_vforked)
        return;
    the_exit.has_come = true;
    the_exit.status = status;
    /* Otherwise this is a forked child that has made no call. */
    if (*fth_alive != 1)
        return;
    fth_wrapper_events.thread_ends(fth_self);
    fth_process_ended(FTH_END_EXIT, status);
}

static void program_exits(int status, void *unused)
{
    (void)unused;
    fth_process_exits(status);
}

void fth_process_started(void)
{
    static bool knows_of_the_end;
    if (!fth_process)
        memset(fth_wanted, FTH_NOT_WANTED, sizeof fth_wanted);
    if (!fth_process && &fth_below != NULL)
        fth_wrapper_events.nothing_is_recorded();
    if (!fth_process)
        return;
    if (!knows_of_the_end)
        fth_real_on_exit(program_exits, NULL);
    knows_of_the_end = true;
    fth_wrapper_events.recording_has_begun();
}

static void start(void)
{
    static bool started;
    int before = errno;
    if (!environ || __atomic_exchange_n(&started, true, __ATOMIC_ACQ_REL))
        return;
    const char *previous = getenv(FTH_SETTING_NAME(IMAGE));
    if (!fth_is_loaded_later())
        fth_process_start(previous ? strtoull(previous, NULL, 16) : 0);
    fth_process_started();
    if (fth_is_prepared())
        fth_bind_libraries(); /* also when only this process cannot record: ranks act together */
    errno = before;
}

/* Constructors of libraries run before this one when these know nothing of each other: the first
 * call starts. Before libc's own, there is no environment. Who loads us into a program that runs
 * calls us later to say what to do. */
__attribute__((constructor)) static void start_program(int count, char **arguments)
{
    if (!fth_is_loaded_later())
        fth_process_started_with(count, arguments);
    start();
}
