/* A process enters the name space of mounts of another one, where other files may be mounted: what
 * its names stand for then is not known.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"

#include <sched.h>

enum { SKIPPED = 77 };

static void first(void)
{
    char *folder = get_current_dir_name();
    int space = open("/proc/self/ns/mnt", O_RDONLY);
    if (space < 0 || setns(space, CLONE_NEWNS))
        exit(SKIPPED);
    must(!chdir(folder), folder);
    free(folder);
    put(open_file("shared", 0), 0, 8);
}

static void second(void)
{
    get(open_file("shared", 0), 8, 16);
}

int main(void)
{
    int status;
    pid_t one = start(first), other = start(second);
    must(waitpid(one, &status, 0) == one, "waitpid");
    wait_for(other);
    return WEXITSTATUS(status);
}
