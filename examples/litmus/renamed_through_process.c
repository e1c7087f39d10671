/* A file is renamed by a path through the current folder of another process, which is not followed.
 * The new name is that of a file which both write to.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"

#include <sys/stat.h>

static int opened, ready[2], done[2];

static void stay(void)
{
    char byte = 0;
    must(!chdir("folder") && write(ready[1], &byte, 1) == 1, "ready");
    must(read(done[0], &byte, 1) == 1, "done");
}

static void first(void)
{
    put(opened, 0, 8);
}

static void second(void)
{
    put(open_file("folder/new", 0), 0, 8);
}

int main(void)
{
    char byte, from[64], to[64];
    must(!mkdir("folder", 0700) && !rename("shared", "folder/shared"), "folder");
    must(!pipe(ready) && !pipe(done), "pipe");
    opened = open_file("folder/shared", 0);
    pid_t there = start(stay);
    must(read(ready[0], &byte, 1) == 1, "ready");
    snprintf(from, sizeof from, "/proc/%d/cwd/shared", there);
    snprintf(to, sizeof to, "/proc/%d/cwd/new", there);
    must(!rename(from, to), "rename");
    must(write(done[1], &byte, 1) == 1, "done");
    wait_for(there);
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
