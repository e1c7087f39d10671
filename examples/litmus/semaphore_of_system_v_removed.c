/* The reader waits for a semaphore of System V until the writer removes it, behind the write: that
 * tells, but is not followed.
 * posix: unknown  commit: depends  session: depends  mpi-io: none */
#include "semaphores_of_system_v.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    wait_for_name("waiting");
    operate(1, 1);
    remove_semaphores();
}

static void second(void)
{
    struct sembuf operation = {0, -1, 0};
    int file = open_file("shared", 0);
    make_name("waiting");
    must(semop(semaphores, &operation, 1) < 0, "semop");
    get(file, 0, 8);
}

int main(void)
{
    make_semaphores();
    must(semctl(semaphores, 0, SETVAL, 0) == 0 && semctl(semaphores, 1, SETVAL, 0) == 0, "semctl");
    start_both(first, second);
    return 0;
}
