/* Two messages at once through a pair of sockets, and two received at once.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "sockets.h"

static int ends[2];

static struct mmsghdr of_byte(struct iovec *byte)
{
    return (struct mmsghdr){.msg_hdr = {.msg_iov = byte, .msg_iovlen = 1}};
}

static void first(void)
{
    char one = 1, two = 2;
    struct iovec parts[] = {{&one, 1}, {&two, 1}};
    struct mmsghdr messages[] = {of_byte(&parts[0]), of_byte(&parts[1])};
    put(open_file("shared", 0), 0, 8);
    must(sendmmsg(ends[0], messages, 2, 0) == 2, "sendmmsg");
}

static void second(void)
{
    char one, two;
    struct iovec parts[] = {{&one, 1}, {&two, 1}};
    struct mmsghdr messages[] = {of_byte(&parts[0]), of_byte(&parts[1])};
    int file = open_file("shared", 0);
    must(recvmmsg(ends[1], messages, 2, 0, NULL) == 2, "recvmmsg");
    get(file, 0, 8);
}

int main(void)
{
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
    start_both(first, second);
    return 0;
}
