/* A message queue of POSIX for litmus programs. What cannot be done ends the program with status 1.
 */
#ifndef LITMUS_QUEUES_H
#define LITMUS_QUEUES_H

#include "litmus.h"

#include <mqueue.h>

static char name[64];

/* Made where it is not there. */
static inline mqd_t open_queue(void)
{
    struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 8};
    mqd_t queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
    must(queue >= 0, "mq_open");
    return queue;
}

static inline void send_message(mqd_t queue)
{
    must(mq_send(queue, "x", 1, 0) == 0, "mq_send");
}

static inline void receive_message(mqd_t queue)
{
    char message[8];
    must(mq_receive(queue, message, sizeof message, NULL) == 1, "mq_receive");
}

/* Two processes, and the end of both. */
static inline void start_both(void (*one)(void), void (*other)(void))
{
    snprintf(name, sizeof name, "/fathom-litmus-%d", getpid());
    pid_t children[] = {start(one), start(other)};
    wait_for(children[0]);
    wait_for(children[1]);
    mq_unlink(name);
}

#endif
