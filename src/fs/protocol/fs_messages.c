/* Sending and receiving messages on a stream socket, with an end to every wait. */
#include "fs/protocol/fs_messages.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

enum { HEAD = 5, LENGTH = 4 };

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

bool fth_fs_message_send(int socket, struct fth_bytes *bytes, int seconds)
{
    size_t sent = 0, rest = bytes->length - LENGTH;
    for (int i = 0; i < LENGTH; i++)
        bytes->data[i] = (uint8_t)(rest >> (8 * i));
    while (sent < bytes->length) {
        ssize_t count =
            send(socket, bytes->data + sent, bytes->length - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
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

int fth_fs_message_receive(int socket, struct fth_bytes *bytes, struct fth_view *view, int seconds)
{
    bytes->length = 0;
    uint8_t *head = fth_bytes_room(bytes, HEAD);
    if (!receive_all(socket, head, HEAD, seconds))
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
