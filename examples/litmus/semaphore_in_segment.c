/* A semaphore in a segment of memory that each attaches by itself, at another place: it is the same
 * one.
 * posix: safe  commit: depends  session: depends  mpi-io: none */
#include "semaphores.h"

#include <sys/ipc.h>
#include <sys/shm.h>

static int segment;

static sem_t *attach(void)
{
    char *memory = shmat(segment, NULL, 0);
    must(memory != (void *)-1, "shmat");
    return (sem_t *)(memory + 64);
}

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    add(attach());
}

static void second(void)
{
    int file = open_file("shared", 0);
    attach();
    take(attach());
    get(file, 0, 8);
}

int main(void)
{
    segment = shmget(IPC_PRIVATE, 4096, 0600);
    must(segment >= 0 && sem_init(attach(), 1, 0) == 0, "sem_init");
    start_both(first, second);
    shmctl(segment, IPC_RMID, NULL);
    return 0;
}
