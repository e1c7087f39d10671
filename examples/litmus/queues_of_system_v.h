/* A message queue of System V for litmus programs. What cannot be done ends the program with status
 * 1. */
#ifndef LITMUS_QUEUES_OF_SYSTEM_V_H
#define LITMUS_QUEUES_OF_SYSTEM_V_H

#include "litmus.h"

#include <sys/msg.h>

static int queue;

struct message {
    long type;
    char text[8];
};

static inline void send_message(long type)
{
    struct message message = {type, "x"};
    must(msgsnd(queue, &message, 1, 0) == 0, "msgsnd");
}

static inline void receive_message(long type)
{
    struct message message;
    must(msgrcv(queue, &message, sizeof message.text, type, 0) == 1, "msgrcv");
}

/* Two processes, and the end of both; then the queue is taken away. */
static inline void start_both(void (*one)(void), void (*other)(void))
{
    queue = msgget(IPC_PRIVATE, 0600);
    must(queue >= 0, "msgget");
    pid_t children[] = {start(one), start(other)};
    wait_for(children[0]);
    wait_for(children[1]);
    msgctl(queue, IPC_RMID, NULL);
}

#endif
