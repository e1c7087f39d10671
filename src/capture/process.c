/* This process: start (also after a fork), identity, what it says about itself, who records in
 * it. */
#include "capture/process.h"

#include "base/mask.h"
#include "base/settings.h"
#include "capture/by_number.h"
#include "capture/clock.h"
#include "capture/contents.h"
#include "capture/counted.h"
#include "capture/hand.h"
#include "capture/modules.h"
#include "capture/node.h"
#include "capture/plugin.h"
#include "capture/queues.h"
#include "capture/reference.h"
#include "capture/regions.h"
#include "capture/signal_stack.h"
#include "capture/spill_folder.h"
#include "capture/stdio.h"
#include "capture/strangers.h"
#include "capture/stream.h"
#include "capture/threads.h"
#include "capture/unkept.h"
#include "interpose/own/apart.h"
#include "interpose/own/files.h"
#include "interpose/own/memory.h"
#include "interpose/own/put.h"
#include "interpose/own/sandbox.h"
#include "interpose/own/stack.h"
#include "interpose/reach/bind.h"
#include "interpose/reach/libraries.h"
#include "interpose/reach/load.h"
#include "trace/record/time_mode.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

struct fth_spill_process *fth_process;
static uint32_t not_started;
volatile uint32_t *fth_alive = &not_started;

static uint64_t image;
static pthread_key_t thread_end;
enum { STARTING = 2 }; /* in *fth_alive: neither wiped nor ready */

/* ---- the process file ---- */

/* `start` and `rest` are one text, "key=value". */
static void note(const char *start, const char *rest)
{
    struct fth_spill_process *process = fth_process;
    size_t bytes = strlen(start) + strlen(rest) + 1;
    if (process->text_bytes + bytes > FTH_SPILL_TEXTS - sizeof *process)
        return;
    fth_put_text(fth_put_text(process->text + process->text_bytes, start), rest);
    process->text_bytes += (uint32_t)bytes;
}

static struct fth_lock note_lock;

void fth_process_note(const char *start, const char *rest)
{
    if (!fth_process)
        return;
    fth_lock(&note_lock);
    note(start, rest);
    fth_unlock(&note_lock);
}

/* One thread starts a process; what it needs for that need not be on its stack. */
static char text[FTH_SPILL_TEXTS / 2], masked[sizeof text];

static char names_of_secrets[FTH_LONGEST_TEXT]; /* the program may change its environment */
const char *fth_masked_names;

static void choose_mask(void)
{
    const char *names = fth_setting(FTH_SETTING_NAME(MASK));
    fth_masked_names = names ? names_of_secrets : NULL;
    if (names && strlen(names) < sizeof names_of_secrets)
        fth_put_text(names_of_secrets, names);
}

static void note_link(const char *start, const char *path)
{
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, path, text, FTH_LONGEST_PATH - 1);
    text[length > 0 ? length : 0] = 0;
    note(start, text);
}

static void note_arguments(void *unused)
{
    (void)unused;
    int file = fth_file_open("/proc/self/cmdline");
    if (file < 0)
        return;
    ssize_t length = syscall(SYS_read, file, text, sizeof text - 1);
    text[length > 0 ? length : 0] = 0;
    fth_own_read(length > 0 ? (uint64_t)length : 0);
    fth_file_close(file);
    struct fth_mask mask = {.names = fth_masked_names};
    for (char *at = text; length > 0 && at < text + length; at += strlen(at) + 1) {
        if (fth_masked_names)
            fth_mask(&mask, at, masked, sizeof masked);
        note("arg=", fth_masked_names ? masked : at);
    }
}

/* How times are to be kept: --time. The program may change its environment. */
static char times[FTH_LONGEST_TIME_MODE];

static void note_facts(void)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    note("host=", host);
    note_link("exe=", "/proc/self/exe");
    note_link("cwd=", "/proc/self/cwd");
    note("time=", times);
    fth_apart(note_arguments, NULL);
}

static uint64_t make_image(const struct fth_spill_anchor *now)
{
    uint64_t mixed = ((uint64_t)now->realtime ^ now->ticks << 20) * 0x9E3779B97F4A7C15u;
    return (mixed ^ mixed >> 31) << 22 | ((uint64_t)getpid() & FTH_IMAGE_PID);
}

static int open_process_file(int flags, int *error)
{
    char name[64];
    fth_put_text(fth_put_image(name, image), ".process");
    return fth_spill_open(name, flags, error);
}

static uint64_t written_before; /* there was a process file: to make it */

struct process_file {
    struct fth_spill_process *process; /* NULL: there is none, because of */
    int error;
    bool forked; /* the system counts from there */
    bool is_counted;
    struct fth_spill_counted counted; /* until now */
};

static void map_process_file(void *argument)
{
    struct process_file *made = argument;
    uint64_t took = 0;
    made->is_counted = made->forked || fth_counted_read_here(&made->counted, &took);
    made->counted.read += took;
    made->counted.reads += took != 0;
    int entered = fth_node_enter();
    int file = open_process_file(O_RDWR | O_CREAT | O_EXCL, &made->error);
    if (file >= 0) {
        made->process = fth_file_map(file, 0, FTH_SPILL_TEXTS, &made->error);
        fth_file_close(file);
        fth_node_entered();
    }
    if (entered >= 0)
        fth_file_close(entered);
}

static void map_process_file_over(void *done)
{
    int error, file = open_process_file(O_RDWR, &error);
    if (file < 0)
        return;
    *(bool *)done = fth_file_map_over(file, 0, FTH_SPILL_TEXTS, fth_process);
    fth_file_close(file);
}

bool fth_process_remap(void)
{
    bool done = false;
    if (fth_process && !fth_process_is_unkept())
        fth_apart(map_process_file_over, &done);
    return done;
}

/* The program has a limit of memory that it may need all of: what a recorder takes of it, some MiB
 * and more for each thread, would be missing there. */
static bool memory_is_scarce(void)
{
    const rlim_t least = 16 << 20;
    struct rlimit limit;
    return getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur < least;
}

/* `parent`: who forked it, if that is known. */
static bool make_process_file(uint64_t forked_from, bool forked, struct fth_spill_process *parent,
                              int *error)
{
    struct fth_spill_anchor now = fth_clock_anchor();
    struct process_file made = {.forked = forked};
    if (!fth_is_attached && memory_is_scarce()) {
        fth_unkept_process_uncounted(parent, *error = ENOMEM);
        return false;
    }
    image = make_image(&now);
    fth_apart(map_process_file, &made);
    struct fth_spill_process *process = made.process;
    *error = made.error;
    if (process)
        fth_unkept_process_over();
    else if (!fth_is_attached)
        process = fth_unkept_process(parent, made.error);
    if (!process)
        return false;
    process->catalog = fth_catalog_hash;
    process->image = image;
    process->previous = forked_from;
    process->pid = getpid();
    process->parent_pid = getppid();
    process->start = process->last = now;
    process->ticks_are_ns = fth_ticks_are_ns;
    process->rank = process->size = -1;
    process->counted = made.is_counted ? FTH_COUNTED_FIRST : 0;
    process->counted_first = made.counted;
    process->counted_own.written = __atomic_exchange_n(&written_before, 0, __ATOMIC_RELAXED);
    fth_node_take_rank(process);
    fth_process = process;
    fth_environment_name_image();
    note_facts();
    atomic_signal_fence(memory_order_seq_cst);
    process->magic = FTH_SPILL_PROCESS_MAGIC;
    return true;
}

void fth_process_touch(void)
{
    if (fth_process)
        fth_process->last = fth_clock_anchor();
}

/* ---- what the system counts ---- */

void fth_own_read(uint64_t bytes)
{
    if (!fth_process)
        return;
    __atomic_fetch_add(&fth_process->counted_own.read, bytes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&fth_process->counted_own.reads, 1, __ATOMIC_RELAXED);
}

void fth_own_written(uint64_t bytes)
{
    if (!fth_process) {
        __atomic_fetch_add(&written_before, bytes, __ATOMIC_RELAXED);
        return;
    }
    __atomic_fetch_add(&fth_process->counted_own.written, bytes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&fth_process->counted_own.writes, 1, __ATOMIC_RELAXED);
}

/* Nothing is asked for that will not be compared. */
static void count_last(enum fth_spill_end how)
{
    struct fth_spill_process *process = fth_process;
    bool has_ring = false;
    process->counted &= ~(uint32_t)FTH_COUNTED_LAST;
    if (how == FTH_END_UNKNOWN || process->partial || !(process->counted & FTH_COUNTED_FIRST))
        return;
    if (fth_counted_last(&process->counted_last, &has_ring))
        process->counted |= FTH_COUNTED_LAST;
    if (has_ring)
        fth_queue_seen(FTH_QUEUE_IO_URING);
}

void fth_process_ended(enum fth_spill_end how, int status)
{
    if (!fth_process)
        return;
    if (!fth_aside)
        count_last(how);
    if (!fth_aside)
        fth_process_touch();
    fth_process->status = status;
    fth_process->ended = how;
    if (how == FTH_END_EXIT && !fth_aside && !fth_process_is_unkept())
        fth_node_leave();
}

void fth_process_step_aside(const char *since)
{
    if (fth_vforked || fth_aside)
        return;
    if (fth_process && *fth_alive != 1)
        fth_begin_rarely(0); /* a forked child that has made no call */
    fth_aside = true;
    memset(fth_wanted, FTH_NOT_WANTED, sizeof fth_wanted);
    if (*fth_alive == 1) {
        fth_process_note("aside=", since);
        fth_process_touch();
    }
}

void fth_process_stop(int error)
{
    if (!fth_process || fth_process->stopped)
        return;
    fth_unkept_since(error);
    fth_process->stopped = (uint32_t)(error ? error : EIO);
    fth_recorders_stop();
}

int fth_open_stream_file(unsigned number, int *error)
{
    char name[64];
    fth_put_text(fth_put_decimal(fth_put_text(fth_put_image(name, image), "."), number), ".stream");
    return fth_spill_open(name, O_RDWR | O_CREAT, error);
}

/* ---- threads and forks ---- */

static void thread_ends(void *recorder)
{
    if (fth_self != recorder || !*fth_alive)
        return;
    if (fth_self->retired)
        fth_recorder_drop(recorder);
    else
        fth_recorder_release(recorder);
    fth_self = NULL;
}

/* The child of a vfork that we did not see, because we came later, runs as a thread of its parent:
 * a process of its own in the same memory. */
bool fth_is_borrowed(void)
{
    return fth_is_attached && fth_process && syscall(SYS_getpid) != fth_process->pid;
}

/* What the thread that forked had for a recorder, in the child; another thread may be the first one
 * there to make a call. */
static struct fth_recorder *inherited;

void fth_process_forked(void)
{
    if (fth_self)
        inherited = fth_self;
    fth_self = NULL;
}

/* The child of any kind of fork comes here with its first call: the page of fth_alive has been
 * wiped. */
static void start_in_child(void *unused)
{
    (void)unused;
    uint64_t parent = image;
    int error;
    note_lock.owner = NULL;
    fth_process_forked();
    fth_recorder_drop_inherited(inherited);
    inherited = NULL;
    fth_handles_in_child();
    fth_threads_in_child();
    fth_uring_in_child();
    struct fth_spill_process *parents = fth_process;
    fth_process = NULL;
    uint32_t partial = parents ? parents->partial : 0;
    if (make_process_file(parent, true, parents, &error))
        fth_process->partial = partial;
    else
        memset(fth_wanted, 0, sizeof fth_wanted);
    if (parents && !fth_process_is_unkept())
        fth_unmap(parents, FTH_SPILL_TEXTS);
    else if (parents && (error == EACCES || error == EPERM)) /* it has become another user */
        __atomic_fetch_add(&parents->locked_out, 1, __ATOMIC_RELAXED);
}

static void give_recorder(void *taken)
{
    struct fth_recorder *recorder = fth_process->stopped ? NULL : fth_recorder_take();
    if (!recorder && fth_process->stopped)
        recorder = fth_recorder_take_nowhere();
    if (recorder) {
        fth_self = recorder;
        if (fth_start_of_thread())
            fth_record_start(recorder, false, fth_start_of_thread());
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
 * cannot be told, the interrupted recorder is left to whoever may return to it, and the thread goes
 * on with another one. */
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
        fth_regions_left(recorder, stack);
        fth_drop_stale_frames(recorder, stack);
    }
}

static void start(void);

static __attribute__((noinline)) struct fth_recorder *begin_rarely(uintptr_t stack)
{
    int before = errno;
    if (fth_alive == &not_started)
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
    uint32_t *page = fth_alive == &not_started ? fth_map_memory(FTH_SPILL_PAGE) : NULL;
    if (fth_alive != &not_started)
        return true;
    if (!page || madvise(page, FTH_SPILL_PAGE, MADV_WIPEONFORK) != 0 ||
        pthread_key_create(&thread_end, thread_ends) != 0)
        return false;
    fth_alive = page;
    return true;
}

void fth_process_start(uint64_t forked_from)
{
    const char *spill = fth_setting(FTH_SETTING_NAME(SPILL));
    if (!spill || *spill != '/' || fth_is_in_stranger() || !fth_node_choose_folder(spill))
        return;
    const char *wanted = fth_setting(FTH_SETTING_NAME(TIME));
    if (wanted && strlen(wanted) < sizeof times)
        fth_put_text(times, wanted);
    choose_mask();
    int error;
    fth_clock_choose(fth_node_is_another());
    if (!prepare())
        return;
    *fth_alive = 1;
    if (make_process_file(forked_from, false, NULL, &error)) {
        fth_plugins_load();
        /* with these two the recorder reads and writes files beside its own */
        fth_process->partial = !fth_filters_read() || fth_setting(FTH_SETTING_NAME(REGIONS)) ||
                               fth_setting(FTH_SETTING_NAME(REFERENCE));
        fth_lines_are_kept = fth_setting(FTH_SETTING_NAME(LINES)) != NULL;
        fth_contents_start();
        fth_modules_are_known = fth_lines_are_kept || fth_setting(FTH_SETTING_NAME(REGIONS));
        if (fth_setting(FTH_SETTING_NAME(REGIONS)))
            note("regions=", FTH_REGIONS_WANTED);
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

static void program_exits(int status, void *unused)
{
    (void)unused;
    if (fth_vforked)
        return;
    the_exit.has_come = true;
    the_exit.status = status;
    /* Otherwise this is a forked child that has made no call. */
    if (*fth_alive != 1)
        return;
    fth_regions_end_all(fth_self);
    fth_process_ended(FTH_END_EXIT, status);
}

void fth_process_started(void)
{
    static bool is_told_of_the_end;
    if (!fth_process)
        memset(fth_wanted, FTH_NOT_WANTED, sizeof fth_wanted);
    if (!fth_process)
        return;
    if (!is_told_of_the_end)
        fth_real_on_exit(program_exits, NULL);
    is_told_of_the_end = true;
    if (!fth_stdio_see())
        fth_process_note("unseen=", "what stdio reads and writes underneath its streams: this "
                                    "C library is laid out in another way");
}

/* Constructors of libraries run before this one when these know nothing of each other: the first
 * call starts. Before libc's own, there is no environment. Who loads us into a program that runs
 * tells us later what to do. */
__attribute__((constructor)) static void start(void)
{
    static bool started;
    int before = errno;
    if (!environ || __atomic_exchange_n(&started, true, __ATOMIC_ACQ_REL))
        return;
    const char *previous = getenv(FTH_SETTING_NAME(IMAGE));
    if (!fth_is_loaded_later())
        fth_process_start(previous ? strtoull(previous, NULL, 16) : 0);
    fth_process_started();
    if (fth_alive != &not_started)
        fth_bind_libraries(); /* also when only this process cannot record: ranks act together */
    errno = before;
}
