/* The file had two names before the run (nobody sees the second one made here).
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/syscall.h>

static void first(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    close(file);
}

static void second(void)
{
    int file = open_file("second", 0);
    put(file, 4, 12);
    close(file);
}

int main(void)
{
    must(syscall(SYS_linkat, AT_FDCWD, "shared", AT_FDCWD, "second", 0) == 0, "link");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
