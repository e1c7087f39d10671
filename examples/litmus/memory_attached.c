/* The reader polls how many processes have a segment of memory.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <sys/shm.h>

static int segment;
static void *memory;

static void first(void)
{
    memory = shmat(segment, NULL, 0);
    must(memory != (void *)-1, "shmat");
    make_name("attached");
    wait_for_name("asked");
    int shared = open_file("shared", 0);
    put(shared, 0, 8);
    close(shared);
    must(shmdt(memory) == 0, "shmdt");
}

static void second(void)
{
    struct shmid_ds facts = {.shm_nattch = 2};
    wait_for_name("attached");
    make_name("asked");
    for (; facts.shm_nattch > 0; usleep(1000))
        must(shmctl(segment, IPC_STAT, &facts) == 0, "shmctl");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    segment = shmget(IPC_PRIVATE, 4096, 0600);
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    must(shmctl(segment, IPC_RMID, NULL) == 0, "shmctl");
    return 0;
}
