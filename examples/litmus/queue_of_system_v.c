/* A message in a queue of System V, behind the write: who receives it knows what was done before.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "queues_of_system_v.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    send_message(1);
}

static void second(void)
{
    int file = open_file("shared", 0);
    receive_message(0);
    get(file, 0, 8);
}

int main(void)
{
    start_both(first, second);
    return 0;
}
