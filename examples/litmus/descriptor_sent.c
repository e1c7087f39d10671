/* A descriptor goes over a socket, and then both write.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

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
    int file = open_file("shared", 0);
    struct msghdr message = message_of(&(struct iovec){&byte, 1}, room, sizeof room);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *head = (struct cmsghdr){CMSG_LEN(sizeof file), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(head), &file, sizeof file);
    must(sendmsg(ends[0], &message, 0) == 1, "sendmsg");
    put(file, 0, 8);
}

static void second(void)
{
    char byte, room[CMSG_SPACE(sizeof(int))];
    int file;
    struct msghdr message = message_of(&(struct iovec){&byte, 1}, room, sizeof room);
    must(recvmsg(ends[1], &message, 0) == 1, "recvmsg");
    memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
    put(file, 4, 12);
}

int main(void)
{
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
