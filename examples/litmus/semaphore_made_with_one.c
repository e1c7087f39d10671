/* There is one in the semaphore from the start: who takes one waits for nobody.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "semaphores.h"

static void first(void)
{
    sem_t *semaphore = open_semaphore(1);
    put(open_file("shared", 0), 0, 8);
    add(semaphore);
}

static void second(void)
{
    sem_t *semaphore = open_semaphore(1);
    take(semaphore);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    start_both(first, second);
    return 0;
}
