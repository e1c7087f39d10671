/* A message in a queue of POSIX, behind the write: who receives it knows what was done before.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "queues.h"

static void first(void)
{
    mqd_t queue = open_queue();
    put(open_file("shared", 0), 0, 8);
    send_message(queue);
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
