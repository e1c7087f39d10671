/* The reader waits for a message until the writer removes the queue, behind the write: that tells,
 * but is not followed.
 * posix: unknown  commit: depends  session: depends  mpi-io: none */
#include "queues_of_system_v.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    wait_for_name("waiting");
    msgctl(queue, IPC_RMID, NULL);
}

static void second(void)
{
    struct message message;
    int file = open_file("shared", 0);
    make_name("waiting");
    must(msgrcv(queue, &message, sizeof message.text, 0, 0) < 0, "msgrcv");
    get(file, 0, 8);
}

int main(void)
{
    start_both(first, second);
    return 0;
}
