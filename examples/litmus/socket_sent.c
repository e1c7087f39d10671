/* The end of a pair of sockets goes to another process over a second pair: what the writer sends
 * through the first one is followed to there.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "sockets.h"

static int ends[2], way[2];

static struct msghdr message_of(struct iovec *byte, void *room, size_t size)
{
    return (struct msghdr){
        .msg_iov = byte, .msg_iovlen = 1, .msg_control = room, .msg_controllen = size};
}

static void first(void)
{
    char byte = 0, room[CMSG_SPACE(sizeof(int))] = {0};
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
    struct msghdr message = message_of(&(struct iovec){&byte, 1}, room, sizeof room);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *head = (struct cmsghdr){CMSG_LEN(sizeof ends[1]), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(head), &ends[1], sizeof ends[1]);
    must(sendmsg(way[0], &message, 0) == 1, "sendmsg");
    put(open_file("shared", 0), 0, 8);
    send_byte(ends[0]);
    receive_byte(ends[0]);
}

static void second(void)
{
    char byte, room[CMSG_SPACE(sizeof(int))];
    int end;
    struct msghdr message = message_of(&(struct iovec){&byte, 1}, room, sizeof room);
    must(recvmsg(way[1], &message, 0) == 1, "recvmsg");
    memcpy(&end, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof end);
    receive_byte(end);
    get(open_file("shared", 0), 0, 8);
    send_byte(end);
}

int main(void)
{
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, way) == 0, "socketpair");
    start_both(first, second);
    return 0;
}
