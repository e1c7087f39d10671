/* The reader waits until nothing is left in a semaphore of System V: that is not followed.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "semaphores_of_system_v.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    operate(0, -1);
}

static void second(void)
{
    int file = open_file("shared", 0);
    operate(0, 0);
    get(file, 0, 8);
}

int main(void)
{
    make_semaphores();
    must(semctl(semaphores, 0, SETVAL, 1) == 0, "semctl");
    start_both(first, second);
    remove_semaphores();
    return 0;
}
