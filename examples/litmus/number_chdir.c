/* The folder is changed by the number of chdir: the name stands for the file of the other one then.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>
#include <sys/syscall.h>

static void first(void)
{
    must(!syscall(SYS_chdir, "folder"), "chdir");
    must(!truncate("shared", 0), "truncate");
}

static void second(void)
{
    put(open_file("folder/shared", 0), 0, 8);
}

int main(void)
{
    must(!mkdir("folder", 0700), "folder");
    close(open_file("folder/shared", O_CREAT));
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
