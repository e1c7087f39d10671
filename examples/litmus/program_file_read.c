/* A file of a program is read, which is not recorded, before somebody writes to it.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"

#include <sys/stat.h>

static void first(void)
{
    get(open("site-packages/shared", O_RDONLY), 0, 8);
    make_name("ready");
}

static void second(void)
{
    wait_for_name("ready");
    put(open_file("site-packages/shared", 0), 0, 8);
}

int main(void)
{
    must(!mkdir("folder", 0700) && !rename("shared", "folder/shared"), "folder");
    must(!rename("folder", "site-packages"), "site-packages");
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
