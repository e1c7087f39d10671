/* The number of the system call adds to a semaphore of System V before the write, and semop does so
 * behind it: the reader takes one.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "semaphores_of_system_v.h"

#include <sys/syscall.h>

static void first(void)
{
    struct sembuf one = {0, 1, 0};
    must(syscall(SYS_semop, semaphores, &one, 1) == 0, "semop");
    put(open_file("shared", 0), 0, 8);
    operate(0, 1);
}

static void second(void)
{
    usleep(300000);
    operate(0, -1);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    make_semaphores();
    start_both(first, second);
    remove_semaphores();
    return 0;
}
