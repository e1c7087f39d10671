/* The reader asks to be notified of a message, and does not receive it: that is not followed.
 * posix: unknown  commit: depends  session: depends  mpi-io: none */
#include "queues.h"

#include <signal.h>

static mqd_t queue;

static void first(void)
{
    wait_for_name("asked");
    put(open_file("shared", 0), 0, 8);
    send_message(queue);
}

static void second(void)
{
    sigset_t set;
    siginfo_t info;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    must(mq_notify(queue, &event) == 0, "mq_notify");
    make_name("asked");
    must(sigwaitinfo(&set, &info) == SIGUSR1, "sigwaitinfo");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    snprintf(name, sizeof name, "/fathom-litmus-%d", getpid());
    queue = open_queue();
    mq_unlink(name);
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
