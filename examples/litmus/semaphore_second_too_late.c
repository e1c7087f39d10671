/* The writer adds once before the write and once behind it; the reader takes once only.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "semaphores.h"

static void first(void)
{
    sem_t *semaphore = open_semaphore(0);
    add(semaphore);
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
