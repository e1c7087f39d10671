/* This process and its instance. */
#include "prefix/prefix.h"

#include "base/settings.h"
#include "fs/protocol/held_files.h"
#include "prefix/chaos.h"
#include "prefix/kept_flags.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct fth_prefix fth_prefix;
__thread bool fth_prefix_mpi_opens __attribute__((tls_model("initial-exec")));
__thread bool fth_prefix_mpi_own __attribute__((tls_model("initial-exec")));

enum { SIGNAL_SET = 8 };

/* Zero in the child of any fork, as the page is wiped there. */
static uint64_t *alive;
static pid_t process;

static bool has_started;

static void begin_process(void)
{
    *alive = 1;
    process = (pid_t)syscall(SYS_getpid);
}

/* A program that would work on the folder below in place of the file system does not run. */
static void stop(const char *why)
{
    static const char text[] = "fathom fs: this process cannot use its instance: ";
    write(STDERR_FILENO, text, sizeof text - 1);
    write(STDERR_FILENO, why, strlen(why));
    write(STDERR_FILENO, "\n", 1);
    syscall(SYS_exit_group, 127);
}

/* What any of the models wants. */
static unsigned publishes_any, fetches_any;

static void add_models(const struct fth_model_rules *rules)
{
    for (size_t i = 0; i < rules->model_count; i++) {
        publishes_any |= rules->models[i].moments.publishes;
        fetches_any |= rules->models[i].moments.fetches;
    }
}

/* An instance that is gone has left everything in the folder below. */
static bool find(void)
{
    struct fth_fs_instance *instance = &fth_client.instance;
    struct stat facts;
    const char *path = getenv(FTH_SETTING_NAME(FS));
    if (!path || (lstat(path, &facts) && errno == ENOENT))
        return false;
    if (!fth_client_enter())
        stop("its folder cannot be read");
    fth_client_leave();
    if (!instance->rules.model_count)
        return false;
    alive = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (alive == MAP_FAILED || syscall(SYS_madvise, alive, 4096, MADV_WIPEONFORK))
        stop("there is no memory");
    if (fstat(instance->under, &facts))
        stop("the folder below cannot be read");
    begin_process();
    fth_prefix.device = facts.st_dev;
    fth_prefix.under = instance->under_path;
    fth_prefix.at = *instance->prefix ? instance->prefix : instance->under_path;
    fth_prefix.under_length = strlen(fth_prefix.under);
    fth_prefix.at_length = strlen(fth_prefix.at);
    fth_prefix.translates = strcmp(fth_prefix.under, fth_prefix.at) != 0;
    fth_prefix.known = fth_known_files_map(instance->folder, false);
    if (!fth_prefix.known)
        stop("its list of files cannot be read");
    fth_prefix_begin_flags(instance->folder);
    add_models(&instance->rules);
    return true;
}

void fth_prefix_start(void)
{
    if (has_started || !environ)
        return;
    int before = errno;
    has_started = true;
    fth_prefix.is_on = find();
    errno = before;
}

static void become_child(void)
{
    fth_client_forked();
    begin_process();
}

/* The thread that forks, while it does: handlers of the program may come here (pthread_atfork). */
static volatile long forking;

static bool is_forking(void)
{
    return FTH_UNLIKELY(forking) && syscall(SYS_gettid) == forking;
}

/* What is read without the lock is right if nobody has had it meanwhile. */
static void begin_turn(void)
{
    __atomic_store_n(&fth_prefix.turn, fth_prefix.turn + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

static void end_turn(void)
{
    __atomic_store_n(&fth_prefix.turn, fth_prefix.turn + 1, __ATOMIC_RELEASE);
}

bool fth_prefix_is_new_child(void)
{
    return !*alive;
}

uint64_t fth_prefix_enter(void)
{
    uint64_t all = ~UINT64_C(0), before = 0;
    fth_prefix_wait_at_random();
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before, SIGNAL_SET);
    if (FTH_LIKELY(*alive) && is_forking())
        return before;
    if (FTH_UNLIKELY(!*alive)) {
        forking = 0;
        fth_client.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_lock(&fth_client.lock);
        fth_prefix.turn = (fth_prefix.turn | 1) + 2; /* somebody may have had it in the parent */
        become_child();
    } else {
        pthread_mutex_lock(&fth_client.lock);
        begin_turn();
    }
    return before;
}

void fth_prefix_leave(uint64_t signals)
{
    int before = errno;
    if (!is_forking()) {
        end_turn();
        pthread_mutex_unlock(&fth_client.lock);
    }
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &signals, NULL, SIGNAL_SET);
    errno = before;
}

bool fth_prefix_is_borrowed(void)
{
    return *alive && syscall(SYS_getpid) != process;
}

uint64_t fth_prefix_forks(void)
{
    uint64_t signals = fth_prefix_enter();
    forking = syscall(SYS_gettid);
    return signals;
}

void fth_prefix_forked(uint64_t signals)
{
    if (!*alive)
        become_child();
    forking = 0;
    fth_prefix_leave(signals);
}

/* ---- models ---- */

/* Of files that are opened with MPI, calls of MPI do what each access does of others, but where a
 * rank may move bytes of another one (prefix_mpi_data.c). */
static unsigned moments_of(const struct fth_client_file *file, unsigned moments)
{
    bool is_left_to_mpi =
        fth_prefix_mpi_own && file && file->is_of_mpi && moments & FTH_OF_RANKS;
    return is_left_to_mpi ? moments & ~(unsigned)FTH_AT_ACCESS : moments;
}

bool fth_prefix_publishes(const struct fth_client_file *file, enum fth_model_moment moment)
{
    return (moments_of(file, file ? file->model->moments.publishes : publishes_any) & moment) ||
           ((fth_prefix.ends || fth_prefix.is_strict) && moment == FTH_AT_ACCESS);
}

bool fth_prefix_fetches(const struct fth_client_file *file, enum fth_model_moment moment)
{
    return (moments_of(file, file ? file->model->moments.fetches : fetches_any) & moment) ||
           (fth_prefix.is_strict && moment == FTH_AT_ACCESS);
}
