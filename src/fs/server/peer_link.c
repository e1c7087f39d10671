/* Sending and receiving between two servers. */
#include "fs/server/peer_link.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    PIECE = 256 << 10,
    LONG = 64 << 10,
    PIECES = 16,            /* at a time: others wait, too */
    UNREAD_MOST = 64 << 20, /* bytes of answers */
};

uint64_t fth_peer_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void fth_peer_link_begin(struct fth_peer_link *link, int made, bool listens,
                         const uint8_t secret[FTH_SECRET_BYTES])
{
    *link = (struct fth_peer_link){.socket = made};
    link->sealed = fth_sealed_link_new(secret, listens);
    if (listens)
        fth_sealed_link_begin(link->sealed, &link->unsent);
}

bool fth_peer_link_is_connected(const struct fth_peer_link *link)
{
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(link->socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && !error)
        return true;
    errno = error ? error : errno;
    return false;
}

bool fth_peer_link_is_proved(const struct fth_peer_link *link)
{
    return link->socket >= 0 && fth_sealed_link_is_open(link->sealed);
}

bool fth_peer_link_is_open(const struct fth_peer_link *link)
{
    return fth_peer_link_is_proved(link) && (!link->way || fth_ucx_way_is_reached(link->way));
}

void fth_peer_link_put_sealed(struct fth_peer_link *link, const struct fth_bytes *message)
{
    fth_sealed_link_put(link->sealed, message->data, message->length, &link->unsent);
}

void fth_peer_link_put(struct fth_peer_link *link, const struct fth_bytes *message)
{
    if (link->way)
        fth_ucx_way_send(link->way, message);
    else
        fth_peer_link_put_sealed(link, message);
}

bool fth_peer_link_has_unsent(const struct fth_peer_link *link)
{
    return link->sent < link->unsent.length;
}

bool fth_peer_link_is_long(const struct fth_peer_link *link)
{
    return link->unsent.length - link->sent >= LONG;
}

void fth_peer_link_watch(struct fth_peer_link *link, int epoll, uint64_t mark)
{
    bool is_full = link->unsent.length - link->sent > UNREAD_MOST;
    bool waits = !link->watched || fth_peer_link_has_unsent(link);
    uint32_t events =
        EPOLLRDHUP | (is_full ? 0 : (uint32_t)EPOLLIN) | (waits ? (uint32_t)EPOLLOUT : 0);
    struct epoll_event event = {.events = events, .data.u64 = mark};
    if (events == link->watched)
        return;
    epoll_ctl(epoll, link->watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, link->socket, &event);
    link->watched = events;
}

bool fth_peer_link_send(struct fth_peer_link *link)
{
    struct fth_bytes *unsent = &link->unsent;
    while (link->sent < unsent->length) {
        ssize_t count = send(link->socket, unsent->data + link->sent, unsent->length - link->sent,
                             MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno != EINTR)
            return errno == EAGAIN;
        link->sent += count > 0 ? (size_t)count : 0;
    }
    unsent->length = link->sent = 0;
    return true;
}

static bool shake(struct fth_peer_link *link, const uint8_t *frame, size_t length)
{
    int error = fth_sealed_link_shake(link->sealed, frame, length, &link->unsent, &link->version);
    bool sent = fth_peer_link_send(link);
    if (error)
        errno = error;
    return !error && sent;
}

static bool take_frame(struct fth_peer_link *link, const uint8_t *frame, size_t length,
                       bool (*take)(void *data, struct fth_view *message), void *data)
{
    if (!fth_sealed_link_is_open(link->sealed))
        return shake(link, frame, length);
    struct fth_view view;
    bool good = fth_sealed_link_take(link->sealed, frame, length, &link->message);
    if (good) {
        view = fth_view_of(link->message.data, link->message.length);
        good = take(data, &view);
    }
    if (!good)
        errno = EBADMSG;
    return good;
}

static bool take_frames(struct fth_peer_link *link,
                        bool (*take)(void *data, struct fth_view *message), void *data)
{
    struct fth_bytes *received = &link->received;
    size_t done = 0;
    bool good = true;
    while (good) {
        int64_t whole =
            fth_sealed_link_frame(link->sealed, received->data + done, received->length - done);
        if (whole < 0)
            errno = EBADMSG;
        good = whole >= 0;
        if (whole <= 0 || (size_t)whole > received->length - done)
            break;
        good = take_frame(link, received->data + done, (size_t)whole, take, data);
        done += (size_t)whole;
    }
    memmove(received->data, received->data + done, received->length - done);
    received->length -= done;
    return good;
}

bool fth_peer_link_receive(struct fth_peer_link *link,
                           bool (*take)(void *data, struct fth_view *message), void *data)
{
    for (int i = 0; i < PIECES; i++) {
        uint8_t *to = fth_bytes_room(&link->received, PIECE);
        ssize_t count = recv(link->socket, to, PIECE, MSG_DONTWAIT);
        if (count < 0)
            return errno == EAGAIN || errno == EINTR;
        if (!count) {
            errno = ECONNRESET;
            return false;
        }
        link->received.length += (size_t)count;
        if (!take_frames(link, take, data))
            return false;
        if (count < PIECE)
            break;
    }
    return true;
}

void fth_peer_link_settle(struct fth_peer_link *link, int most)
{
    struct pollfd polled = {.fd = link->socket, .events = POLLOUT};
    if (link->way)
        fth_ucx_way_settle(link->way, most);
    while (fth_peer_link_has_unsent(link) && poll(&polled, 1, most) > 0 &&
           fth_peer_link_send(link)) {
    }
}

void fth_peer_link_end(struct fth_peer_link *link)
{
    if (link->way)
        fth_ucx_way_end(link->way);
    if (link->socket >= 0)
        close(link->socket);
    fth_sealed_link_free(link->sealed);
    fth_bytes_free(&link->received);
    fth_bytes_free(&link->unsent);
    fth_bytes_free(&link->message);
    *link = (struct fth_peer_link){.socket = -1};
}
