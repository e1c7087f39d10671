/* The parent makes a descriptor of a child that has ended already, polls it, reads what the child
 * wrote, and waits for it only then: that is not followed.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

static void child(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t writer = start(child);
    usleep(100000);
    struct pollfd ended = {(int)syscall(SYS_pidfd_open, writer, 0), POLLIN, 0};
    must(ended.fd >= 0, "pidfd_open");
    must(poll(&ended, 1, -1) == 1, "poll");
    get(open_file("shared", 0), 0, 8);
    wait_for(writer);
    return 0;
}
