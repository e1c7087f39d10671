/* openat2 takes a folder for the root: an absolute link leads to a file in that folder. It is
 * emptied, and the descriptor not used: which file that was is not recorded.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"

#include <linux/openat2.h>
#include <sys/syscall.h>

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(!symlink("/shared", "link"), "symlink");
    pid_t writer = start(first);
    int folder = open(".", O_PATH);
    struct open_how how = {.flags = O_RDWR | O_TRUNC, .resolve = RESOLVE_IN_ROOT};
    must(syscall(SYS_openat2, folder, "link", &how, sizeof how) >= 0, "openat2");
    wait_for(writer);
    return 0;
}
