/* This process: start (also after a fork), identity, what it says about itself, and the system calls of the tracer. */
#include "capture/process.h"

#include "capture/bind.h"
#include "capture/hand.h"
#include "capture/node.h"
#include "capture/stream.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct fth_spill_process *fth_process;
static uint32_t not_started;
volatile uint32_t *fth_alive = &not_started;
bool fth_ticks_are_ns;

static char directory[256]; /* of spill files */
static uint64_t image;
static pthread_key_t thread_end;
enum { STARTING = 2 }; /* in *fth_alive: neither wiped nor ready */

/* ---- system calls ---- */

int fth_open_file(const char *path, int flags, int *error)
{
    int before = errno;
    long file = syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        *error = errno;
    errno = before;
    return (int)file;
}

void fth_close_file(int file)
{
    int before = errno;
    syscall(SYS_close, file);
    errno = before;
}

/* A write beyond RLIMIT_FSIZE would raise SIGXFSZ in the program: it is refused here. */
static bool size_is_allowed(uint64_t end)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           end <= limit.rlim_cur;
}

bool fth_write_file(int file, const void *bytes, size_t size, uint64_t at, int *error)
{
    int before = errno;
    if (!size_is_allowed(at + size)) {
        *error = EFBIG;
        return false;
    }
    while (size) {
        ssize_t written = syscall(SYS_pwrite64, file, bytes, size, at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            *error = errno;
            errno = before;
            return false;
        }
        bytes = (const char *)bytes + written;
        size -= (size_t)written;
        at += (size_t)written;
    }
    errno = before;
    return true;
}

void *fth_map_file(int file, uint64_t at, size_t bytes, int *error)
{
    int before = errno;
    void *memory = MAP_FAILED;
    if (!size_is_allowed(at + bytes))
        errno = EFBIG;
    else if (syscall(SYS_fallocate, file, 0, at, bytes) == 0 ||
             (errno == EOPNOTSUPP && posix_fallocate(file, (off_t)at, (off_t)bytes) == 0))
        memory = (void *)syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, at);
    if (memory == MAP_FAILED)
        *error = errno;
    errno = before;
    return memory == MAP_FAILED ? NULL : memory;
}

void *fth_map_memory(size_t bytes)
{
    void *memory = (void *)syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void fth_unmap(void *memory, size_t bytes)
{
    int before = errno;
    syscall(SYS_munmap, memory, bytes);
    errno = before;
}

static __thread char myself __attribute__((tls_model("initial-exec")));

void fth_lock(struct fth_lock *lock)
{
    const char *nobody = NULL;
    while (!__atomic_compare_exchange_n(&lock->owner, &nobody, &myself, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED) &&
           nobody != &myself) {
        nobody = NULL;
        syscall(SYS_sched_yield);
    }
}

void fth_unlock(struct fth_lock *lock)
{
    __atomic_store_n(&lock->owner, NULL, __ATOMIC_RELEASE);
}

/* ---- time ---- */

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

static struct fth_spill_anchor anchor(void)
{
    struct fth_spill_anchor now = {.monotonic = clock_ns(CLOCK_MONOTONIC)};
    now.ticks = fth_ticks();
    now.realtime = clock_ns(CLOCK_REALTIME);
    return now;
}

/* ---- the process file ---- */

static void note(const char *key, const char *value)
{
    struct fth_spill_process *process = fth_process;
    size_t key_length = strlen(key), length = strlen(value);
    if (process->text_bytes + key_length + length + 2 > FTH_SPILL_TEXTS - sizeof *process)
        return;
    char *to = process->text + process->text_bytes;
    memcpy(to, key, key_length);
    to[key_length] = '=';
    memcpy(to + key_length + 1, value, length + 1);
    process->text_bytes += (uint32_t)(key_length + length + 2);
}

static struct fth_lock note_lock;

void fth_process_note(const char *key, const char *value)
{
    if (!fth_process)
        return;
    fth_lock(&note_lock);
    note(key, value);
    fth_unlock(&note_lock);
}

static void note_link(const char *key, const char *path)
{
    char target[4096];
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    note(key, target);
}

static void note_arguments(void)
{
    static char text[FTH_SPILL_TEXTS / 2];
    int error;
    int file = fth_open_file("/proc/self/cmdline", O_RDONLY, &error);
    if (file < 0)
        return;
    ssize_t length = syscall(SYS_read, file, text, sizeof text - 1);
    fth_close_file(file);
    for (char *at = text; length > 0 && at < text + length; at += strlen(at) + 1)
        note("arg", at);
}

static void note_facts(void)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    note("host", host);
    note_link("exe", "/proc/self/exe");
    note_link("cwd", "/proc/self/cwd");
    note_arguments();
}

static uint64_t make_image(const struct fth_spill_anchor *now)
{
    uint64_t mixed = ((uint64_t)now->realtime ^ now->ticks << 20) * 0x9E3779B97F4A7C15u;
    return (mixed ^ mixed >> 31) << 22 | ((uint64_t)getpid() & 0x3fffff);
}

static bool make_process_file(uint64_t forked_from)
{
    struct fth_spill_anchor now = anchor();
    char path[512];
    int error = 0;
    image = make_image(&now);
    snprintf(path, sizeof path, "%s/%016llx.process", directory, (unsigned long long)image);
    int file = fth_open_file(path, O_RDWR | O_CREAT | O_EXCL, &error);
    if (file < 0)
        return false;
    struct fth_spill_process *process = fth_map_file(file, 0, FTH_SPILL_TEXTS, &error);
    fth_close_file(file);
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
        fth_process->last = anchor();
}

void fth_process_ended(enum fth_spill_end how, int status)
{
    if (!fth_process)
        return;
    fth_process_touch();
    fth_process->status = status;
    fth_process->ended = how;
    if (how == FTH_END_EXIT)
        fth_node_leave();
}

void fth_process_stop(int error)
{
    memset(fth_wanted, 0, sizeof fth_wanted);
    if (fth_process && !fth_process->stopped)
        fth_process->stopped = (uint32_t)(error ? error : EIO);
}

const char *fth_spill_folder(void)
{
    return directory;
}

void fth_stream_path(char *path, size_t size, unsigned number)
{
    snprintf(path, size, "%s/%016llx.%u.stream", directory, (unsigned long long)image, number);
}

/* ---- threads and forks ---- */

static void thread_ends(void *recorder)
{
    if (fth_self != recorder || !*fth_alive)
        return;
    fth_recorder_release(recorder);
    fth_self = NULL;
}

/* The child of any kind of fork comes here with its first call: the page of fth_alive has been wiped. */
static void start_in_child(void)
{
    uint64_t parent = image;
    note_lock.owner = NULL;
    fth_recorder_drop_inherited(fth_self);
    fth_self = NULL;
    fth_handles_in_child();
    if (fth_process)
        fth_unmap(fth_process, FTH_SPILL_TEXTS);
    fth_process = NULL;
    fth_node_come_again();
    if (!make_process_file(parent))
        memset(fth_wanted, 0, sizeof fth_wanted);
    fth_node_has_come();
}

struct fth_recorder *fth_begin_rarely(uintptr_t stack)
{
    int before = errno;
    if (fth_vforked)
        return NULL;
    if (fth_alive != &not_started && *fth_alive != 1) {
        uint32_t wiped = 0;
        if (!__atomic_compare_exchange_n(fth_alive, &wiped, STARTING, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE))
            return NULL; /* another thread is at it, or this is a call of its own */
        start_in_child();
        *fth_alive = 1;
    }
    struct fth_recorder *recorder = fth_self;
    if (recorder && recorder->busy)
        fth_drop_stale_work(recorder, stack);
    if (recorder && recorder->busy) {
        recorder->live->lost++;
        recorder = NULL;
    } else if (!recorder && fth_process && !fth_process->stopped) {
        recorder = fth_recorder_take();
        fth_self = recorder;
        pthread_setspecific(thread_end, recorder);
    }
    errno = before;
    return recorder;
}

/* ---- begin and end of the program ---- */

void fth_process_start(uint64_t forked_from)
{
    const char *spill = getenv("FATHOM_SPILL");
    if (!spill || *spill != '/' || strlen(spill) >= sizeof directory)
        return;
    fth_node_choose_folder(spill, directory, sizeof directory);
    uint32_t *page = fth_map_memory(FTH_SPILL_PAGE);
    if (!page || madvise(page, FTH_SPILL_PAGE, MADV_WIPEONFORK) != 0 ||
        pthread_key_create(&thread_end, thread_ends) != 0)
        return;
    fth_alive = page;
    *fth_alive = 1;
    if (make_process_file(forked_from))
        fth_filters_read();
    fth_node_has_come();
}

static void program_exits(int status, void *unused)
{
    (void)unused;
    /* Otherwise this is a forked child that has made no call, or a vforked one: the page is its parent's. */
    if (*fth_alive == 1 && !fth_vforked)
        fth_process_ended(FTH_END_EXIT, status);
}

__attribute__((constructor)) static void start(void)
{
    int before = errno;
    const char *previous = getenv("FATHOM_IMAGE");
    fth_process_start(previous ? strtoull(previous, NULL, 16) : 0);
    if (fth_process)
        on_exit(program_exits, NULL);
    if (fth_alive != &not_started)
        fth_bind_libraries(); /* also when only this process cannot record: ranks act together */
    errno = before;
}
