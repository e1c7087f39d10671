/* Two semaphores of System V: the writer adds to the one, and the reader takes from the other one,
 * in which there is something.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "semaphores_of_system_v.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    operate(0, 1);
}

static void second(void)
{
    int file = open_file("shared", 0);
    operate(1, -1);
    get(file, 0, 8);
}

int main(void)
{
    make_semaphores();
    must(semctl(semaphores, 1, SETVAL, 1) == 0, "semctl");
    start_both(first, second);
    remove_semaphores();
    return 0;
}
