/* A folder is mounted once more under another name: a file has two names then, which no call has
 * given it.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

static void first(void)
{
    put(open_file("folder/file", O_CREAT), 0, 8);
}

static void second(void)
{
    put(open_file("again/file", O_CREAT), 0, 8);
}

int main(void)
{
    enum { SKIPPED = 77 };
    must(!mkdir("folder", 0700) && !mkdir("again", 0700), "mkdir");
    if (unshare(CLONE_NEWNS) && unshare(CLONE_NEWUSER | CLONE_NEWNS))
        return SKIPPED;
    if (mount("folder", "again", NULL, MS_BIND, NULL))
        return SKIPPED;
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
