/* Each process has mounted a file system of its own at the same place. What they write there are
 * two files, which no call shows.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: seen */
#include "litmus.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

enum { SKIPPED = 77 };

static void write_apart(void)
{
    if (unshare(CLONE_NEWNS) && unshare(CLONE_NEWUSER | CLONE_NEWNS))
        exit(SKIPPED);
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("own", "folder", "tmpfs", 0, NULL))
        exit(SKIPPED);
    put(open_file("folder/file", O_CREAT), 0, 8);
}

int main(void)
{
    must(!mkdir("folder", 0700), "mkdir");
    pid_t children[] = {start(write_apart), start(write_apart)};
    for (int i = 0; i < 2; i++) {
        int status;
        must(waitpid(children[i], &status, 0) == children[i], "waitpid");
        if (status)
            return WEXITSTATUS(status);
    }
    return 0;
}
