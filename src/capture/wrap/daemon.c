/* Functions of libc that fork inside: daemon, forkpty; and login_tty, of which the latter consists.
 * libc forks there where no wrapper sees it, so that the child would go on in the middle of a call
 * of its parent. So they are put together here of the calls that libc makes, in the same order;
 * these are recorded as calls inside. */
#include "calls.h"
#include "capture/life/begin.h"
#include "capture/wrap/fork.h"
#include "capture/wrap/real.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

/* ---- the parent waits until its child is recorded ---- */

/* A recording may end with the parent, and a child that is not there yet would be missed. */
static uint32_t *share_word(void)
{
    int before = errno;
    void *word = (void *)syscall(SYS_mmap, NULL, sizeof(uint32_t), PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0L);
    errno = before;
    return word == MAP_FAILED ? NULL : word;
}

static void unshare_word(uint32_t *word)
{
    int before = errno;
    if (word)
        syscall(SYS_munmap, word, sizeof *word);
    errno = before;
}

static void begin_child(uint32_t *word)
{
    int before = errno;
    if (!word)
        return;
    fth_process_is_recorded();
    __atomic_store_n(word, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
    unshare_word(word);
    errno = before;
}

static void await_child(uint32_t *word)
{
    const struct timespec patience = {.tv_sec = 1};
    if (word && !__atomic_load_n(word, __ATOMIC_ACQUIRE))
        syscall(SYS_futex, word, FUTEX_WAIT, 0, &patience, NULL, 0);
}

/* ---- daemon ---- */

/* Standard input, output and error become this file. */
static void take_streams(int fd)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        while (dup2(fd, stream) == -1 && errno == EBUSY)
            continue;
    if (fd > STDERR_FILENO)
        close(fd);
}

/* As libc has it: without /dev/null, the close fails, too, and says why in errno. */
static int take_null(void)
{
    struct stat status;
    int null = open("/dev/null", O_RDWR);
    bool is_there = null >= 0 && fstat(null, &status) == 0;
    if (is_there && S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3)) {
        take_streams(null);
        return 0;
    }
    close(null);
    if (is_there)
        errno = ENODEV;
    return -1;
}

static int become_daemon(int keep_directory, int keep_streams)
{
    int cancels, result = 0;
    if (setsid() == -1)
        return -1;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
    if (!keep_directory && chdir("/") != 0)
        result = 0; /* as libc has it */
    if (!keep_streams)
        result = take_null();
    pthread_setcancelstate(cancels, NULL);
    return result;
}

FTH_PUBLIC int daemon(int keep_directory, int keep_streams)
{
    struct fth_draft call;
    bool is_kept = fth_begin(&call, FTH_CALL_daemon, FTH_CONTEXT_daemon);
    uint32_t *word = is_kept ? share_word() : NULL;
    if (is_kept)
        fth_start(&call);
    pid_t child = fork();
    if (child == 0) {
        begin_child(word);
        return become_daemon(keep_directory, keep_streams);
    }
    if (child > 0)
        await_child(word);
    unshare_word(word);
    if (is_kept) {
        fth_end(&call);
        fth_keep(&call, keep_directory);
        fth_keep(&call, keep_streams);
        fth_keep_status(&call, child < 0 ? -1 : 0);
    }
    if (child > 0)
        _exit(0);
    return -1;
}

/* ---- terminals ---- */

FTH_PUBLIC int login_tty(int fd)
{
    struct fth_draft call;
    bool is_kept = fth_begin(&call, FTH_CALL_login_tty, FTH_CONTEXT_login_tty);
    if (is_kept)
        fth_start(&call);
    setsid();
    int result = ioctl(fd, TIOCSCTTY, NULL) == -1 ? -1 : 0;
    if (result == 0)
        take_streams(fd);
    if (is_kept) {
        fth_end(&call);
        fth_keep(&call, fd);
        fth_keep_status(&call, result);
    }
    return result;
}

/* What libc's does. In the child it returns 0. */
static pid_t fork_on_terminal(int *master, char *name, const struct termios *attributes,
                              const struct winsize *size)
{
    int mine, its;
    if (openpty(&mine, &its, name, attributes, size) == -1)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        close(mine);
        if (login_tty(its) != 0)
            _exit(1);
        return 0;
    }
    if (child < 0)
        close(mine);
    else
        *master = mine;
    close(its);
    return child;
}

FTH_PUBLIC pid_t forkpty(int *master, char *name, const struct termios *attributes,
                         const struct winsize *size)
{
    struct fth_draft call;
    if (!fth_begin(&call, FTH_CALL_forkpty, FTH_CONTEXT_forkpty))
        return fork_on_terminal(master, name, attributes, size);
    fth_start(&call);
    pid_t child = fork_on_terminal(master, name, attributes, size);
    if (child == 0)
        return 0;
    fth_end(&call);
    call.worked = child > 0;
    fth_keep(&call, child > 0 ? *master : FTH_ABSENT);
    fth_keep_status(&call, child);
    return child;
}
