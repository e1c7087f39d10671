/* The first of the bytes is sent before the write, with sendmmsg, and the reader receives that
 * only.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "sockets.h"

static int ends[2];

static void transfer(int (*with)(int, struct mmsghdr *, unsigned, int), int end)
{
    char byte = 1;
    struct iovec part = {&byte, 1};
    struct mmsghdr message = {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
    must(with(end, &message, 1, 0) == 1, "sendmmsg");
}

static void first(void)
{
    transfer(sendmmsg, ends[0]);
    put(open_file("shared", 0), 0, 8);
    transfer(sendmmsg, ends[0]);
}

static void second(void)
{
    int file = open_file("shared", 0);
    receive_byte(ends[1]);
    get(file, 0, 8);
    receive_byte(ends[1]);
}

int main(void)
{
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
    start_both(first, second);
    return 0;
}
