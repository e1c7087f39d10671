/* The second message in a queue of System V is behind the write, and the reader receives that one,
 * by its type: which one it was is not followed.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "queues_of_system_v.h"

static void first(void)
{
    send_message(1);
    put(open_file("shared", 0), 0, 8);
    send_message(2);
}

static void second(void)
{
    int file = open_file("shared", 0);
    receive_message(2);
    get(file, 0, 8);
}

int main(void)
{
    start_both(first, second);
    return 0;
}
