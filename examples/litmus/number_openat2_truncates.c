/* A file is opened and emptied by the number of openat2: the other one's write may be lost.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <linux/openat2.h>
#include <sys/syscall.h>

static void first(void)
{
    struct open_how how = {.flags = O_RDWR | O_TRUNC};
    must(syscall(SYS_openat2, AT_FDCWD, "shared", &how, sizeof how) >= 0, "openat2");
}

static void second(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
