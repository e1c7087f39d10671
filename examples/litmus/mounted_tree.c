/* A folder is opened as a tree and mounted under another name, by the numbers of these calls: a
 * file has two names then, which no call has given it.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

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
    enum { SKIPPED = 77, CLONE_THE_TREE = 1, FROM_DESCRIPTOR = 4 };
    must(!mkdir("folder", 0700) && !mkdir("again", 0700), "mkdir");
    if (unshare(CLONE_NEWNS) && unshare(CLONE_NEWUSER | CLONE_NEWNS))
        return SKIPPED;
    long tree = syscall(SYS_open_tree, AT_FDCWD, "folder", CLONE_THE_TREE);
    if (tree < 0 || syscall(SYS_move_mount, tree, "", AT_FDCWD, "again", FROM_DESCRIPTOR))
        return SKIPPED;
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
