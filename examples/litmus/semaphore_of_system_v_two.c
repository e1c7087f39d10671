/* The writer adds two to a semaphore of System V, with one operation; two readers take one each.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "semaphores_of_system_v.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    operate(0, 2);
}

static void second(void)
{
    int file = open_file("shared", 0);
    operate(0, -1);
    get(file, 0, 8);
}

int main(void)
{
    make_semaphores();
    pid_t reader = start(second);
    start_both(first, second);
    wait_for(reader);
    remove_semaphores();
    return 0;
}
