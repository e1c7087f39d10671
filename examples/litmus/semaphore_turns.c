/* A semaphore with one in it keeps processes apart, as a lock does: they take it, access the file,
 * and put it back.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "semaphores.h"

static void turns(void)
{
    sem_t *semaphore = open_semaphore(1);
    int file = open_file("shared", 0);
    for (int i = 0; i < 20; i++) {
        take(semaphore);
        get(file, 0, 8);
        put(file, 0, 8);
        add(semaphore);
    }
}

int main(void)
{
    start_both(turns, turns);
    return 0;
}
