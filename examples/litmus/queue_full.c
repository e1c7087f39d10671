/* A message queue is full: who sends one more has to wait until the other one, behind its write,
 * receives one. Who made room is not followed.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "queues.h"

static void first(void)
{
    mqd_t queue = open_queue();
    for (int i = 0; i < 5; i++) /* there is room for four */
        send_message(queue);
    get(open_file("shared", 0), 0, 8);
}

static void second(void)
{
    mqd_t queue = open_queue();
    usleep(300000);
    put(open_file("shared", 0), 0, 8);
    receive_message(queue);
}

int main(void)
{
    start_both(first, second);
    return 0;
}
