/* Two semaphores of System V for litmus programs. What cannot be done ends the program with status
 * 1. */
#ifndef LITMUS_SEMAPHORES_OF_SYSTEM_V_H
#define LITMUS_SEMAPHORES_OF_SYSTEM_V_H

#include "litmus.h"

#include <sys/sem.h>

static int semaphores;

static inline void make_semaphores(void)
{
    semaphores = semget(IPC_PRIVATE, 2, 0600);
    must(semaphores >= 0, "semget");
}

static inline void remove_semaphores(void)
{
    semctl(semaphores, 0, IPC_RMID);
}

static inline void operate_with(unsigned short which, short change, short flags)
{
    struct sembuf operation = {which, change, flags};
    must(semop(semaphores, &operation, 1) == 0, "semop");
}

static inline void operate(unsigned short which, short change)
{
    operate_with(which, change, 0);
}

static inline void operate_undone(unsigned short which, short change)
{
    operate_with(which, change, SEM_UNDO);
}

/* Two processes, and the end of both. */
static inline void start_both(void (*one)(void), void (*other)(void))
{
    pid_t children[] = {start(one), start(other)};
    wait_for(children[0]);
    wait_for(children[1]);
}

#endif
