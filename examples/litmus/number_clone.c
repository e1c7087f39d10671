/* A child is made by the number of clone, after the file was closed: it begins behind that.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <sys/syscall.h>

int main(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    close(file);
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    must(child >= 0, "clone");
    if (!child) {
        get(open_file("shared", 0), 0, 8);
        _exit(0);
    }
    wait_for(child);
    return 0;
}
