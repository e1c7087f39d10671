/* `fathom record --sample` on another node: the first process that is recorded there starts the
 * sampler. It is nobody's child: a child that no wait() of the program sees starts it and ends, so
 * that the system takes it over; a session, an environment and descriptors of its own, none of the
 * program's. On the node of `fathom record` there is one already. */
#include "base/settings.h"
#include "capture/process/environment.h"
#include "capture/process/placement.h"
#include "capture/process/spill_folder.h"
#include "interpose/own/own_files.h"
#include "interpose/own/put.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK = 4096, LONGEST_INTERVAL = 24 };

/* Set before the children are made, which share our memory and have no time to lose. */
static struct {
    char interval[LONGEST_INTERVAL];
    char program[FTH_LONGEST_SPILL], marker[FTH_LONGEST_SPILL + 300];
    const char *folder;
    char *environment[3];
    _Alignas(16) char stacks[2][STACK];
} start;

extern int __clone(int (*)(void *), void *, int, void *, ...); /* of glibc */

static int become_sampler(void *unused)
{
    (void)unused;
    char *arguments[] = {start.program,
                         (char[]){"sample-node"},
                         (char *)(uintptr_t)fth_spill_folder(),
                         (char *)(uintptr_t)start.folder,
                         start.interval,
                         NULL};
    syscall(SYS_execve, start.program, arguments, start.environment);
    syscall(SYS_unlinkat, AT_FDCWD, start.marker, 0); /* nobody is to wait for it */
    syscall(SYS_exit_group, 127);
    return 0;
}

static int leave_it_alone(void *unused)
{
    (void)unused;
    syscall(SYS_setsid);
    __clone(become_sampler, start.stacks[1] + STACK, CLONE_VM | CLONE_VFORK, NULL);
    syscall(SYS_exit_group, 0);
    return 0;
}

/* Without a signal at their end, children are waited for only by who asks for such. */
static void start_sampler(void)
{
    int child = __clone(leave_it_alone, start.stacks[0] + STACK, CLONE_VM | CLONE_VFORK, NULL);
    if (child > 0)
        syscall(SYS_wait4, child, NULL, __WALL, NULL);
    else
        syscall(SYS_unlinkat, AT_FDCWD, start.marker, 0);
}

/* "INTERVAL:PROGRAM". */
static bool read_setting(const char *setting)
{
    const char *colon = setting ? strchr(setting, ':') : NULL;
    if (!colon || (size_t)(colon - setting) >= sizeof start.interval ||
        strlen(colon + 1) >= sizeof start.program)
        return false;
    memcpy(start.interval, setting, (size_t)(colon - setting));
    fth_put_text(start.program, colon + 1);
    return true;
}

/* Where its libraries are, and nothing that would have it recorded. */
static void choose_environment(void)
{
    static const char *const kept[] = {"LD_LIBRARY_PATH=", "TMPDIR="};
    size_t count = 0;
    for (char **entry = environ; entry && *entry; entry++)
        for (size_t i = 0; i < 2 && count < 2; i++)
            if (strncmp(*entry, kept[i], strlen(kept[i])) == 0)
                start.environment[count++] = *entry;
}

/* It is ours to start if there is no marker yet. */
static bool make_marker(const char *host)
{
    if (strlen(start.folder) + strlen(host) + sizeof "/.sampling" > sizeof start.marker)
        return false;
    char *at = fth_put_text(fth_put_text(start.marker, start.folder), "/");
    fth_put_text(fth_put_text(at, host), ".sampling");
    long file = syscall(SYS_openat, AT_FDCWD, start.marker,
                        O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return false;
    fth_file_close((int)file);
    return true;
}

void fth_node_sample(const char *folder, const char *host)
{
    int before = errno;
    if (read_setting(fth_setting(FTH_SETTING_NAME(SAMPLE)))) {
        start.folder = folder;
        choose_environment();
        if (make_marker(host))
            start_sampler();
    }
    errno = before;
}
