/* A named semaphore of litmus programs. What cannot be done ends the program with status 1. */
#ifndef LITMUS_SEMAPHORES_H
#define LITMUS_SEMAPHORES_H

#include "litmus.h"

#include <semaphore.h>

static char name[64];

static inline void name_semaphore(void)
{
    snprintf(name, sizeof name, "/fathom-litmus-%d", getpid());
}

/* Made with this value, where it is not there. */
static inline sem_t *open_semaphore(unsigned value)
{
    sem_t *semaphore = sem_open(name, O_CREAT, 0600, value);
    must(semaphore != SEM_FAILED, "sem_open");
    return semaphore;
}

static inline void add(sem_t *semaphore)
{
    must(sem_post(semaphore) == 0, "sem_post");
}

static inline void take(sem_t *semaphore)
{
    must(sem_wait(semaphore) == 0, "sem_wait");
}

/* Two processes, and the end of both. */
static inline void start_both(void (*one)(void), void (*other)(void))
{
    name_semaphore();
    pid_t children[] = {start(one), start(other)};
    wait_for(children[0]);
    wait_for(children[1]);
    sem_unlink(name);
}

#endif
