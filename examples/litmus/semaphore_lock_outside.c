/* A semaphore as a lock, and one of the writes is outside of it.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "semaphores.h"

static void first(void)
{
    sem_t *semaphore = open_semaphore(1);
    take(semaphore);
    add(semaphore);
    put(open_file("shared", 0), 0, 8);
    make_name("written");
}

static void second(void)
{
    sem_t *semaphore = open_semaphore(1);
    wait_for_name("written");
    take(semaphore);
    put(open_file("shared", 0), 0, 8);
    add(semaphore);
}

int main(void)
{
    start_both(first, second);
    return 0;
}
