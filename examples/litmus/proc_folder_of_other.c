/* A file is opened by a path through the descriptor of a folder that another process has open.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static int folder, ready[2], done[2];
static pid_t there;

static void stay(void)
{
    char byte = 0;
    folder = open("folder", O_RDONLY | O_DIRECTORY);
    must(dup2(folder, 60) == 60 && write(ready[1], &byte, 1) == 1, "ready");
    must(read(done[0], &byte, 1) == 1, "done");
}

static void first(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/60/shared", there);
    put(open_file(path, 0), 0, 8);
}

static void second(void)
{
    put(open_file("folder/shared", 0), 0, 8);
}

int main(void)
{
    char byte;
    must(!mkdir("folder", 0700) && !rename("shared", "folder/shared"), "folder");
    must(!pipe(ready) && !pipe(done), "pipe");
    there = start(stay);
    must(read(ready[0], &byte, 1) == 1, "ready");
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    must(write(done[1], &byte, 1) == 1, "done");
    wait_for(there);
    return 0;
}
