/* A semaphore of System V as a lock, with SEM_UNDO: the end of the process gives it back, which is
 * not followed.
 * posix: unknown  commit: depends  session: depends  mpi-io: none */
#include "semaphores_of_system_v.h"

static void turn(void)
{
    operate_undone(0, -1);
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    make_semaphores();
    must(semctl(semaphores, 0, SETVAL, 1) == 0, "semctl");
    start_both(turn, turn);
    remove_semaphores();
    return 0;
}
