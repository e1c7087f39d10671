/* A semaphore with one in it as a lock: who does not get it at once waits, and looks at it before
 * putting it back.
 * posix: safe  commit: depends  session: depends  mpi-io: none */
#include "semaphores.h"

#include <sys/mman.h>

static sem_t *semaphore;

static void turns(void)
{
    int level, file = open_file("shared", 0);
    for (int i = 0; i < 20; i++) {
        if (sem_trywait(semaphore))
            take(semaphore);
        put(file, 0, 8);
        must(sem_getvalue(semaphore, &level) == 0 && level == 0, "sem_getvalue");
        add(semaphore);
    }
}

int main(void)
{
    semaphore = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    must(semaphore != MAP_FAILED && sem_init(semaphore, 1, 1) == 0, "sem_init");
    start_both(turns, turns);
    return 0;
}
