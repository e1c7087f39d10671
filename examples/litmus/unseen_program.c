/* A program that is not recorded, as a system call of its own starts it, may access the files, too:
 * what is safe is so as far as was seen.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"
#include <sys/syscall.h>

static void child(void)
{
    static char *const arguments[] = {"cat", "shared", NULL}, *const environment[] = {NULL};
    syscall(SYS_execve, "/bin/cat", arguments, environment);
}

int main(void)
{
    pid_t reader = start(child);
    int file = open_file("shared", 0);
    put(file, 0, 8);
    close(file);
    wait_for(reader);
    return 0;
}
