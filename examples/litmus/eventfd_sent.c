/* A counter that goes over a socket to a process that was there before: it is the same one.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "counters.h"

#include <sys/socket.h>

static int ends[2];

static struct msghdr message_of(struct iovec *byte, void *room, size_t size)
{
    return (struct msghdr){
        .msg_iov = byte, .msg_iovlen = 1, .msg_control = room, .msg_controllen = size};
}

static void first(void)
{
    char byte = 0, room[CMSG_SPACE(sizeof(int))] = {0};
    make_counter(0, 0);
    struct msghdr message = message_of(&(struct iovec){&byte, 1}, room, sizeof room);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *head = (struct cmsghdr){CMSG_LEN(sizeof counter), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(head), &counter, sizeof counter);
    must(sendmsg(ends[0], &message, 0) == 1, "sendmsg");
    put(open_file("shared", 0), 0, 8);
    add(1);
}

static void second(void)
{
    char byte, room[CMSG_SPACE(sizeof(int))];
    struct msghdr message = message_of(&(struct iovec){&byte, 1}, room, sizeof room);
    must(recvmsg(ends[1], &message, 0) == 1, "recvmsg");
    memcpy(&counter, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof counter);
    take();
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
    start_both(first, second);
    return 0;
}
