/* Two processes have sent messages to a queue of POSIX, in no order, and the reader receives one:
 * of whom that was nobody knows.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "queues.h"

static void writer(void)
{
    mqd_t queue = open_queue();
    put(open_file("shared", 0), 0, 8);
    send_message(queue);
    make_name("sent");
}

static void other(void)
{
    mqd_t queue = open_queue();
    send_message(queue);
    make_name("sent, too");
}

static void reader(void)
{
    mqd_t queue = open_queue();
    wait_for_name("sent");
    wait_for_name("sent, too");
    receive_message(queue);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    snprintf(name, sizeof name, "/fathom-litmus-%d", getpid());
    pid_t children[] = {start(writer), start(other), start(reader)};
    for (int i = 0; i < 3; i++)
        wait_for(children[i]);
    mq_unlink(name);
    return 0;
}
