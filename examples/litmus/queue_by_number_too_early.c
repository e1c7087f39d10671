/* The number of the system call sends a message before the write, and mq_send one behind it: the
 * reader receives the first one.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "queues.h"

#include <sys/syscall.h>

static void first(void)
{
    mqd_t queue = open_queue();
    must(syscall(SYS_mq_timedsend, queue, "x", 1, 0, NULL) == 0, "mq_timedsend");
    put(open_file("shared", 0), 0, 8);
    send_message(queue);
}

static void second(void)
{
    mqd_t queue = open_queue();
    usleep(300000);
    receive_message(queue);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    start_both(first, second);
    return 0;
}
