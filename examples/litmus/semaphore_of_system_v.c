/* A semaphore of System V: the reader waits until the writer has added to it.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "semaphores_of_system_v.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    operate(1, 1);
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
    start_both(first, second);
    remove_semaphores();
    return 0;
}
