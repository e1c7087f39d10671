/* A message in a queue of POSIX that is sent before the write.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "queues.h"

static void first(void)
{
    mqd_t queue = open_queue();
    send_message(queue);
    put(open_file("shared", 0), 0, 8);
}

static void second(void)
{
    mqd_t queue = open_queue();
    receive_message(queue);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    start_both(first, second);
    return 0;
}
