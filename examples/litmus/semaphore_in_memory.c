/* A semaphore in shared memory: the reader waits for the writer.
 * posix: safe  commit: depends  session: depends  mpi-io: none */
#include "semaphores.h"

#include <sys/mman.h>

static sem_t *semaphore;

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    add(semaphore);
}

static void second(void)
{
    int file = open_file("shared", 0);
    take(semaphore);
    get(file, 0, 8);
}

int main(void)
{
    semaphore = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    must(semaphore != MAP_FAILED && sem_init(semaphore, 1, 0) == 0, "sem_init");
    start_both(first, second);
    return 0;
}
