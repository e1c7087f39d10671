/* A semaphore as a lock, one write outside of it, and somebody who looks whether the lock is held:
 * what that tells is not followed.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "semaphores.h"

static void first(void)
{
    sem_t *semaphore = open_semaphore(1);
    put(open_file("shared", 0), 0, 8);
    take(semaphore);
    wait_for_name("seen");
    add(semaphore);
}

static void second(void)
{
    sem_t *semaphore = open_semaphore(1);
    while (sem_trywait(semaphore) == 0) {
        add(semaphore);
        usleep(1000);
    }
    put(open_file("shared", 0), 0, 8);
    make_name("seen");
}

int main(void)
{
    start_both(first, second);
    return 0;
}
