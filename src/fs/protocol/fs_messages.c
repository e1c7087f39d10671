/* Sending and receiving messages on a stream socket, with an end to every wait. */
#include "fs/protocol/fs_messages.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LENGTH = FTH_MESSAGE_LENGTH, HEAD = LENGTH + 1 };

void fth_fs_message_begin(struct fth_bytes *bytes, uint8_t kind)
{
    static const uint8_t length[LENGTH];
    bytes->length = 0;
    fth_bytes_put(bytes, length, LENGTH);
    fth_bytes_put(bytes, &kind, 1);
}

static bool wait_for(int socket, short events, int seconds)
{
    struct pollfd poll_for = {.fd = socket, .events = events};
    int ready;
    do
        ready = poll(&poll_for, 1, seconds * 1000);
    while (ready < 0 && errno == EINTR);
    if (ready == 0)
        errno = ETIMEDOUT;
    return ready > 0;
}

union control {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
};

static ssize_t send_piece(int socket, const uint8_t *from, size_t count, int descriptor)
{
    struct iovec piece = {(void *)from, count};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    union control control = {.head = {.cmsg_len = CMSG_LEN(sizeof(int)),
                                      .cmsg_level = SOL_SOCKET,
                                      .cmsg_type = SCM_RIGHTS}};
    if (descriptor >= 0) {
        memcpy(CMSG_DATA(&control.head), &descriptor, sizeof descriptor);
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool fth_fs_message_is_closed(int socket)
{
    struct pollfd poll_for = {.fd = socket, .events = POLLRDHUP};
    return poll(&poll_for, 1, 0) > 0 && (poll_for.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

ssize_t fth_fs_message_send_some(int socket, const void *from, size_t count, int descriptor)
{
    return send_piece(socket, from, count, descriptor);
}

void fth_fs_message_end(struct fth_bytes *bytes)
{
    size_t rest = bytes->length - LENGTH;
    for (int i = 0; i < LENGTH; i++)
        bytes->data[i] = (uint8_t)(rest >> (8 * i));
}

bool fth_fs_message_send(int socket, struct fth_bytes *bytes, int seconds)
{
    return fth_fs_message_send_with(socket, bytes, -1, seconds);
}

/* The last descriptor that came; all others are closed. */
static int take_descriptor(struct msghdr *message)
{
    int found = -1;
    for (struct cmsghdr *head = CMSG_FIRSTHDR(message); head; head = CMSG_NXTHDR(message, head))
        for (size_t at = 0; head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS &&
                            CMSG_LEN(at + sizeof(int)) <= head->cmsg_len;
             at += sizeof(int)) {
            if (found >= 0)
                close(found);
            memcpy(&found, CMSG_DATA(head) + at, sizeof found);
        }
    return found;
}

ssize_t fth_fs_message_take(int socket, void *to, size_t room, int *descriptor)
{
    struct iovec piece = {to, room};
    union control control;
    struct msghdr message = {.msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t count = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    *descriptor = count >= 0 ? take_descriptor(&message) : -1;
    return count;
}

bool fth_fs_message_send_with(int socket, struct fth_bytes *bytes, int descriptor, int seconds)
{
    size_t sent = 0;
    fth_fs_message_end(bytes);
    while (sent < bytes->length) {
        ssize_t count =
            send_piece(socket, bytes->data + sent, bytes->length - sent, sent ? -1 : descriptor);
        if (count > 0)
            sent += (size_t)count;
        else if (errno == EAGAIN ? !wait_for(socket, POLLOUT, seconds) : errno != EINTR)
            return false;
    }
    return true;
}

static bool receive_all(int socket, uint8_t *to, size_t count, int seconds)
{
    while (count) {
        ssize_t got = recv(socket, to, count, MSG_DONTWAIT);
        if (got > 0) {
            to += got;
            count -= (size_t)got;
        } else if (got == 0) {
            errno = ECONNRESET;
            return false;
        } else if (errno == EAGAIN ? !wait_for(socket, POLLIN, seconds) : errno != EINTR) {
            return false;
        }
    }
    return true;
}

int64_t fth_fs_message_length(const uint8_t *bytes, size_t count)
{
    uint32_t rest = 0;
    if (count < LENGTH)
        return 0;
    for (int i = 0; i < LENGTH; i++)
        rest |= (uint32_t)bytes[i] << (8 * i);
    return rest < 1 || rest > FTH_MESSAGE_MOST ? -1 : (int64_t)rest + LENGTH;
}

/* The first byte, which a descriptor comes with. */
static bool receive_first(int socket, uint8_t *to, int *descriptor, int seconds)
{
    for (;;) {
        ssize_t got = fth_fs_message_take(socket, to, 1, descriptor);
        if (got > 0)
            return true;
        if (got == 0)
            errno = ECONNRESET;
        if (got == 0 || (errno == EAGAIN ? !wait_for(socket, POLLIN, seconds) : errno != EINTR))
            return false;
    }
}

int fth_fs_message_receive_with(int socket, struct fth_bytes *bytes, struct fth_view *view,
                                int *descriptor, int seconds)
{
    bytes->length = 0;
    uint8_t *head = fth_bytes_room(bytes, HEAD);
    *descriptor = -1;
    if (!receive_first(socket, head, descriptor, seconds) ||
        !receive_all(socket, head + 1, HEAD - 1, seconds))
        return -1;
    int64_t whole = fth_fs_message_length(head, HEAD);
    if (whole < 0) {
        errno = EBADMSG;
        return -1;
    }
    uint8_t kind = head[LENGTH];
    bytes->length = HEAD;
    uint8_t *rest = fth_bytes_room(bytes, (size_t)whole - HEAD);
    if (!receive_all(socket, rest, (size_t)whole - HEAD, seconds))
        return -1;
    *view = fth_view_of(rest, (size_t)whole - HEAD);
    return kind;
}

int fth_fs_message_receive(int socket, struct fth_bytes *bytes, struct fth_view *view, int seconds)
{
    int descriptor;
    int kind = fth_fs_message_receive_with(socket, bytes, view, &descriptor, seconds);
    if (descriptor >= 0)
        close(descriptor);
    return kind;
}
