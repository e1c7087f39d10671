/* The tracer's own files, memory and locks. Its descriptors are none of the program's: another
 * thread may close any number at any time, counts on the lowest free one, and may use up all there
 * are. So files are opened, written and mapped by a task that lives for that long only, in the same
 * memory, with a table of descriptors of its own. */
#include "capture/files.h"

#include "capture/process.h"
#include "capture/put.h"
#include "capture/stack.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/falloc.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    SIGNAL_SET = 8, /* bytes, as the kernel has it */
};

static char folder[FTH_LONGEST_SPILL];
static int held =
    /* a descriptor of the program's table: the folder, when its path leads there no more */
    AT_FDCWD;

/* ---- signals ---- */

uint64_t fth_signals_wait(void)
{
    uint64_t all = ~(uint64_t)0, before = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before, SIGNAL_SET);
    return before;
}

void fth_signals_go(uint64_t before)
{
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, SIGNAL_SET);
}

/* ---- a task of our own ---- */

struct task {
    void (*work)(void *);
    void *argument;
};

static int run(void *argument)
{
    struct task *task = argument;
    unsigned first_closed = held == AT_FDCWD ? 0 : (unsigned)held + 1;
    if (syscall(SYS_close_range, first_closed, ~0u, CLOSE_RANGE_UNSHARE) != 0)
        syscall(SYS_unshare, CLONE_FILES); /* before Linux 5.9 */
    task->work(task->argument);
    return 0;
}

extern int __clone(int (*)(void *), void *, int, void *, ...); /* of glibc */

/* A debugger says nothing of an untraced task, and does not wait for it. But a filter may ask the
 * tracer about a system call (strace --seccomp-bpf): without one the call fails with ENOSYS. Not
 * clone: thread sanitizers take that for a fork. */
static bool run_apart(struct task *task, char *top)
{
    const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                      CLONE_SYSVSEM | CLONE_VFORK | (fth_begins_filtered() ? 0 : CLONE_UNTRACED);
    return __clone(run, top, flags, task) >= 0;
}

void fth_apart(void (*work)(void *), void *argument)
{
    struct task task = {work, argument};
    if (fth_is_filtered || fth_finds_filter())
        return;
    uint64_t signals = fth_signals_wait();
    int saved_errno = errno;
    char *top = fth_stack_take();
    if (!top || !run_apart(&task, top))
        work(argument); /* no task can be had: the program lends us a descriptor */
    if (top)
        fth_stack_give(top);
    errno = saved_errno;
    fth_signals_go(signals);
}

/* ---- the folder ---- */

bool fth_spill_here(const char *path)
{
    if (strlen(path) >= sizeof folder)
        return false;
    strcpy(folder, path);
    return true;
}

const char *fth_spill_folder(void)
{
    return folder;
}

/* Programs count on the lowest number: the folder's is out of their way. */
static long high_number(void)
{
    struct rlimit limit;
    const long high = 1000, below = 24;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && (long)limit.rlim_cur < high + below)
        return (long)limit.rlim_cur > below ? (long)limit.rlim_cur - below : 0;
    return high;
}

void fth_spill_hold_folder(void)
{
    int before = errno;
    if (held == AT_FDCWD && *folder) {
        long file = syscall(SYS_openat, AT_FDCWD, folder, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
        long high = file < 0 ? -1 : syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, high_number());
        if (high >= 0)
            syscall(SYS_close, file);
        held = high >= 0 ? (int)high : file >= 0 ? (int)file : AT_FDCWD;
    }
    errno = before;
}

void fth_spill_let_folder_go(void)
{
    if (held != AT_FDCWD)
        fth_file_close(held);
    held = AT_FDCWD;
}

/* ---- files ---- */

static int open_file(int directory, const char *path, int flags, int *error)
{
    int before = errno;
    long file = syscall(SYS_openat, directory, path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        *error = errno;
    errno = before;
    return (int)file;
}

int fth_spill_open(const char *name, int flags, int *error)
{
    char path[FTH_LONGEST_SPILL + 64];
    if (held != AT_FDCWD)
        return open_file(held, name, flags, error);
    fth_put_text(fth_put_text(fth_put_text(path, folder), "/"), name);
    return open_file(AT_FDCWD, path, flags, error);
}

int fth_file_open(const char *path)
{
    int error;
    return open_file(AT_FDCWD, path, O_RDONLY, &error);
}

int fth_file_make(const char *path, int *error)
{
    return open_file(AT_FDCWD, path, O_RDWR | O_CREAT, error);
}

void fth_file_close(int file)
{
    int before = errno;
    syscall(SYS_close, file);
    errno = before;
}

bool fth_error_is_passing(int error)
{
    return error == EMFILE || error == ENFILE || error == EBADF || error == EINTR ||
           error == ENOMEM || error == EAGAIN;
}

/* A write beyond RLIMIT_FSIZE would raise SIGXFSZ in the program: it is refused here. */
static bool size_is_allowed(uint64_t end)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           end <= limit.rlim_cur;
}

bool fth_file_write(int file, const void *bytes, size_t size, uint64_t at, int *error)
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
            *error = written ? errno : ENOSPC;
            errno = before;
            return false;
        }
        fth_own_written((uint64_t)written);
        bytes = (const char *)bytes + written;
        size -= (size_t)written;
        at += (size_t)written;
    }
    errno = before;
    return true;
}

void *fth_file_map(int file, uint64_t at, size_t bytes, int *error)
{
    int before = errno;
    void *memory = MAP_FAILED;
    if (!size_is_allowed(at + bytes))
        errno = EFBIG;
    else if (syscall(SYS_fallocate, file, 0, at, bytes) == 0 ||
             (errno == EOPNOTSUPP && posix_fallocate(file, (off_t)at, (off_t)bytes) == 0))
        memory =
            (void *)syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, at);
    if (memory == MAP_FAILED)
        *error = errno;
    errno = before;
    return memory == MAP_FAILED ? NULL : memory;
}

bool fth_file_map_over(int file, uint64_t at, size_t bytes, void *memory)
{
    int before = errno;
    long mapped =
        syscall(SYS_mmap, memory, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, at);
    errno = before;
    return (void *)mapped == memory;
}

/* ---- memory and locks ---- */

static void *map_memory(size_t bytes, int protection)
{
    int before = errno;
    if (!fth_is_filtered &&
        /* behind one that is known, this is for an exec, which maps memory, too */
        fth_finds_filter())
        return NULL;
    void *memory = (void *)syscall(SYS_mmap, NULL, bytes, protection,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    errno = before;
    return memory == MAP_FAILED ? NULL : memory;
}

void *fth_map_memory(size_t bytes)
{
    return map_memory(bytes, PROT_READ | PROT_WRITE);
}

/* True: it is there, whoever mapped it. */
static bool map_once(void **at, size_t bytes, int protection)
{
    void *none = NULL;
    if (__atomic_load_n(at, __ATOMIC_ACQUIRE))
        return true;
    void *mapped = map_memory(bytes, protection);
    if (mapped &&
        !__atomic_compare_exchange_n(at, &none, mapped, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        fth_unmap(mapped, bytes);
    return none || mapped;
}

bool fth_map_once(void **table, size_t bytes)
{
    return map_once(table, bytes, PROT_READ | PROT_WRITE);
}

/* The system does not count what nobody can write to. Two threads may do this at once. */
bool fth_table_reach(struct fth_memory_table *table, size_t index)
{
    enum { PAGE = 64 << 10 }; /* the largest that systems have */
    size_t all = table->most * table->size, bytes = (index + 1) * table->size;
    int before = errno;
    if (index < __atomic_load_n(&table->count, __ATOMIC_ACQUIRE))
        return true;
    if (index >= table->most || !map_once(&table->start, all, PROT_NONE) ||
        (!fth_is_filtered && fth_finds_filter()))
        return false;
    bytes = bytes + PAGE < all ? (bytes + PAGE - 1) / PAGE * PAGE : all;
    bool reached = syscall(SYS_mprotect, table->start, bytes, PROT_READ | PROT_WRITE) == 0;
    if (reached)
        __atomic_store_n(&table->count, bytes / table->size, __ATOMIC_RELEASE);
    errno = before;
    return reached;
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
