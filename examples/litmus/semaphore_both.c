/* The reader takes as often as two writers have added, each once, and so knows of both.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "semaphores.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    add(open_semaphore(0));
}

static void third(void)
{
    put(open_file("shared", 0), 8, 16);
    add(open_semaphore(0));
}

static void second(void)
{
    sem_t *semaphore = open_semaphore(0);
    take(semaphore);
    take(semaphore);
    get(open_file("shared", 0), 0, 16);
}

int main(void)
{
    name_semaphore();
    pid_t children[] = {start(first), start(second), start(third)};
    for (int i = 0; i < 3; i++)
        wait_for(children[i]);
    sem_unlink(name);
    return 0;
}
