/* The parent waits for the child by the number of the system call, and reads what it wrote.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <sys/syscall.h>

static void child(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    int status;
    pid_t writer = start(child);
    must(syscall(SYS_wait4, writer, &status, 0, NULL) == writer && status == 0, "wait4");
    get(open_file("shared", 0), 0, 8);
    return 0;
}
