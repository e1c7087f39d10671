/* A named semaphore that both open: the reader waits until the writer has added to it.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "semaphores.h"

static void first(void)
{
    sem_t *semaphore = open_semaphore(0);
    put(open_file("shared", 0), 0, 8);
    add(semaphore);
}

static void second(void)
{
    sem_t *semaphore = open_semaphore(0);
    take(semaphore);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    start_both(first, second);
    return 0;
}
