/* The reader does not take, but asks how much is in the semaphore: that is not followed.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
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
    for (int level = 0; level == 0; usleep(1000))
        must(sem_getvalue(semaphore, &level) == 0, "sem_getvalue");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    start_both(first, second);
    return 0;
}
