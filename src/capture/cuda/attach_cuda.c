/* Brings up CUPTI when a program that is recorded with `--cuda` has loaded CUDA, gives it memory
 * for its records, and takes them from it. CUPTI brings full buffers from a thread of its own, from
 * threads of the program, and when it is asked to at the end of the program.
 *
 * Whatever it does for that is not the program's: a thread that is in here has a recorder that
 * records nothing. */
#include "base/settings.h"
#include "capture/cuda/cuda.h"
#include "capture/cuda/activity_rows.h"
#include "capture/process/environment.h"
#include "capture/process/process.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/held_signals.h"
#include "interpose/reach/libraries.h"
#include "interpose/reach/load.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    BUFFER = 512 << 10,
    MOST_BUFFERS = 16,
    MOST_SECONDS = 5, /* that the end of the program waits for the last records */
};

static int recorded_pid; /* a forked child has no CUDA */

/* ---- a thread whose calls are ours ---- */

static struct fth_spill_live nowhere;
static struct fth_recorder silent = {.live = &nowhere, .busy = FTH_BUSY_ELSEWHERE};

static struct fth_recorder *be_silent(void)
{
    struct fth_recorder *before = fth_self;
    fth_self = &silent;
    return before;
}

/* ---- buffers ---- */

static struct fth_lock lock;
static struct {
    uint8_t *memory;
    bool is_out; /* CUPTI has it */
} buffers[MOST_BUFFERS];

static void give_buffer(uint8_t **buffer, size_t *size, size_t *most_records)
{
    *buffer = NULL;
    *size = *most_records = 0;
    fth_lock(&lock);
    for (unsigned i = 0; i < MOST_BUFFERS && !*buffer; i++) {
        if (buffers[i].is_out)
            continue;
        if (!buffers[i].memory)
            buffers[i].memory = fth_map_memory(BUFFER);
        if (!buffers[i].memory)
            break;
        buffers[i].is_out = true;
        *buffer = buffers[i].memory;
        *size = BUFFER;
    }
    fth_unlock(&lock);
}

/* Records are lost where a buffer was asked for and there was none. */
static void count_dropped(void *context, uint32_t stream)
{
    size_t dropped = 0;
    if (fth_cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == 0)
        fth_cuda_lost(dropped);
}

static void take_buffer(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used)
{
    int before = errno;
    struct fth_recorder *recorder = be_silent();
    uint64_t signals = fth_signals_wait();
    fth_lock(&lock);
    bool ours = false;
    for (unsigned i = 0; i < MOST_BUFFERS; i++) {
        if (!buffers[i].memory || buffers[i].memory != buffer || !buffers[i].is_out)
            continue;
        ours = true;
        if (getpid() == recorded_pid && *fth_alive == 1 && fth_cuda_clock_note()) {
            fth_cuda_take(buffer, size < BUFFER ? size : BUFFER, used);
            count_dropped(context, stream);
        }
        buffers[i].is_out = false;
    }
    fth_unlock(&lock);
    if (!ours)
        fth_cuda_lost(1);
    fth_signals_go(signals);
    fth_self = recorder;
    errno = before;
}

/* ---- the end ---- */

static uint32_t flushed;

static void *flush(void *unused)
{
    (void)unused;
    be_silent();
    fth_cupti.cuptiActivityFlushAll(FTH_CUPTI_FLUSH_FORCED);
    __atomic_store_n(&flushed, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &flushed, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return NULL;
}

/* CUPTI hands over what it still has. It may hang, when a device does: the program ends all the
 * same. */
static void program_ends(void)
{
    pthread_t thread;
    sigset_t all, before;
    if (getpid() != recorded_pid || !fth_process || *fth_alive != 1)
        return;
    int error = errno;
    struct fth_recorder *recorder = be_silent();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool begun = pthread_create(&thread, NULL, flush, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += MOST_SECONDS;
    while (begun && !__atomic_load_n(&flushed, __ATOMIC_ACQUIRE))
        if (syscall(SYS_futex, &flushed, FUTEX_WAIT_BITSET_PRIVATE, 0, &until, NULL,
                    FUTEX_BITSET_MATCH_ANY) != 0 &&
            errno == ETIMEDOUT)
            break;
    if (!__atomic_load_n(&flushed, __ATOMIC_ACQUIRE))
        fth_process_note("unseen=", "the last activities of CUDA: CUPTI did not hand them over");
    else
        pthread_join(thread, NULL);
    fth_self = recorder;
    errno = error;
}

/* ---- the beginning ---- */

/* The program may have it already; else by name, where the linker finds it, or where CUDA has
 * it. */
static void *load_cupti(void)
{
    static const char *const files[] = {
        "libcupti.so.13",
        "libcupti.so.12",
        "libcupti.so.11.8",
        "libcupti.so",
        "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so",
        "/usr/local/cuda/lib64/libcupti.so",
    };
    const char *given = fth_setting(FTH_SETTING_NAME(CUPTI));
    void *cupti = NULL;
    if (given && *given)
        return fth_real_dlopen(given, RTLD_NOW | RTLD_LOCAL);
    for (int load = 0; load < 2; load++)
        for (unsigned i = 0; !cupti && i < sizeof files / sizeof *files; i++)
            cupti = fth_real_dlopen(files[i], RTLD_NOW | RTLD_LOCAL | (load ? 0 : RTLD_NOLOAD));
    return cupti;
}

static bool find_functions(void *library)
{
    bool complete = true;
#define FIND(name, arguments)                                                                      \
    fth_cupti.name = (__typeof__(fth_cupti.name))fth_real_dlsym(library, #name);                   \
    complete = complete && fth_cupti.name;
    FTH_CUPTI_FUNCTIONS(FIND)
    return complete;
}

static bool is_known(uint32_t version)
{
    return (version >= FTH_CUPTI_OLDEST && version <= FTH_CUPTI_LAST_OF_12) ||
           (version >= FTH_CUPTI_13 && version < FTH_CUPTI_14);
}

static bool enable(void)
{
    static const uint32_t kinds[] = {FTH_CUPTI_RUNTIME,        FTH_CUPTI_DRIVER,
                                     FTH_CUPTI_MEMCPY,         FTH_CUPTI_MEMCPY_PEER,
                                     FTH_CUPTI_MEMSET,         FTH_CUPTI_CONCURRENT_KERNEL,
                                     FTH_CUPTI_SYNCHRONIZATION};
    if (fth_cupti.cuptiActivityRegisterCallbacks(give_buffer, take_buffer) != 0)
        return false;
    bool any = false;
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        any |= fth_cupti.cuptiActivityEnable(kinds[i]) == 0;
    return any;
}

/* What keeps activities from being recorded; NULL: nothing. */
static const char *bring_up(char *room, size_t size)
{
    uint32_t version = 0;
    void *library = load_cupti();
    if (!library)
        return "libcupti was not found; it comes with CUDA, and FATHOM_CUPTI can name its path";
    if (!find_functions(library) || fth_cupti.cuptiGetVersion(&version) != 0)
        return "the libcupti that was found is incomplete";
    if (!is_known(version)) {
        snprintf(room, size, "libcupti has the unknown version %u", version);
        return room;
    }
    int (*thread_ids)(int) = (int (*)(int))fth_real_dlsym(library, "cuptiSetThreadIdType");
    if (thread_ids)
        thread_ids(FTH_CUPTI_SYSTEM_THREAD_IDS);
    return fth_cuda_clock_note() && enable() ? NULL : "libcupti refused access";
}

/* Nothing is bound: CUPTI sees more than wrappers could. */
FTH_PUBLIC fth_attach_function fth_attach;
bool fth_attach(void *library, const char *path)
{
    char room[128], text[256];
    (void)library, (void)path;
    if (!fth_setting(FTH_SETTING_NAME(CUDA)) || !fth_process)
        return false;
    struct fth_recorder *recorder = be_silent();
    recorded_pid = getpid();
    const char *why = bring_up(room, sizeof room);
    if (why) {
        snprintf(text, sizeof text, "kernels and copies of CUDA: %s", why);
        fth_process_note("unseen=", text);
    } else {
        atexit(program_ends);
    }
    fth_self = recorder;
    return false;
}
