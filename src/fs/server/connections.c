/* Connections of clients: proof, requests by the socket and by the mailbox, answers. */
#include "fs/server/connections.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    MOST_CLIENTS = 16384,
    LAST_SECONDS = 2, /* for the last answers */
    PIECE = 64 << 10,
    UNPROVED_MOST = 4096, /* bytes of a first message */
};

struct fth_connected {
    int socket;
    uint32_t client; /* 0: it has not proved itself */
    uint8_t challenge[FTH_CHALLENGE_BYTES];
    struct fth_bytes received;
    struct fth_bytes unsent; /* of answers, from `sent` on */
    size_t sent;
    int passed; /* a descriptor that came with what was received; -1: none */
    struct fth_mailbox *box;
    uint32_t number; /* of the last request in it */
    uint64_t id;
    bool waits, by_box; /* for an answer that comes later; which goes there */
};

static void answer_later(void *data, uint64_t id, struct fth_bytes *answer);

void fth_connections_begin(struct fth_connections *connections, int listening, int signals,
                           struct fth_parts *parts)
{
    const struct fth_fs_instance *instance = connections->instance;
    const struct fth_published *published = connections->requests->published;
    uint32_t first = instance->server << FTH_SERVER_SHIFT;
    connections->next_client = (published->last_client ? published->last_client : first) + 1;
    connections->spread = (struct fth_spread){.requests = connections->requests,
                                              .parts = parts,
                                              .answered = answer_later,
                                              .data = connections,
                                              .forgets = published->last_client != 0};
    fth_flushes_begin(&connections->spread.flushes, connections->requests, answer_later,
                      connections);
    connections->list = fth_new(MOST_CLIENTS, sizeof *connections->list);
    connections->polled = fth_new(FTH_POLLED_FIRST + MOST_CLIENTS, sizeof *connections->polled);
    connections->polled[FTH_POLLED_LISTENING] = (struct pollfd){.fd = listening, .events = POLLIN};
    connections->polled[FTH_POLLED_SIGNALS] = (struct pollfd){.fd = signals, .events = POLLIN};
    connections->polled[FTH_POLLED_PEERS] =
        (struct pollfd){.fd = parts ? fth_peers_file(parts->peers) : -1, .events = POLLIN};
}

/* ---- sending ---- */

/* As much as there is room for. false: nobody is there. */
static bool send_kept(struct fth_connected *connected)
{
    struct fth_bytes *unsent = &connected->unsent;
    while (connected->sent < unsent->length) {
        ssize_t count = fth_fs_message_send_some(connected->socket, unsent->data + connected->sent,
                                                 unsent->length - connected->sent, -1);
        if (count < 0 && errno != EINTR)
            return errno == EAGAIN;
        connected->sent += count > 0 ? (size_t)count : 0;
    }
    unsent->length = connected->sent = 0;
    return true;
}

static bool send_answer(struct fth_connected *connected, struct fth_bytes *answer)
{
    fth_fs_message_end(answer);
    fth_bytes_put(&connected->unsent, answer->data, answer->length);
    return send_kept(connected);
}

/* The descriptor comes with the first byte, which an empty socket has room for. */
static bool send_with_box(struct fth_connected *connected, struct fth_bytes *answer, int descriptor)
{
    fth_fs_message_end(answer);
    ssize_t count =
        fth_fs_message_send_some(connected->socket, answer->data, answer->length, descriptor);
    if (count <= 0)
        return false;
    fth_bytes_put(&connected->unsent, answer->data + count, answer->length - (size_t)count);
    return send_kept(connected);
}

/* ---- beginning and ending ---- */

static bool challenge(struct fth_connections *connections, struct fth_connected *connected)
{
    fth_secret_challenge(connected->challenge);
    fth_fs_message_begin(&connections->answer, 0);
    fth_bytes_varint(&connections->answer, FTH_MESSAGE_VERSION);
    fth_bytes_put(&connections->answer, connected->challenge, FTH_CHALLENGE_BYTES);
    return send_answer(connected, &connections->answer);
}

static void free_connected(struct fth_connected *connected)
{
    close(connected->socket);
    if (connected->passed >= 0)
        close(connected->passed);
    fth_bytes_free(&connected->received);
    fth_bytes_free(&connected->unsent);
    fth_mailbox_unmap(connected->box);
}

static void accept_one(struct fth_connections *connections)
{
    int socket = accept4(connections->polled[FTH_POLLED_LISTENING].fd, NULL, NULL,
                         SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0)
        return;
    if (connections->count == MOST_CLIENTS) {
        close(socket);
        return;
    }
    struct fth_connected *made = &connections->list[connections->count];
    *made = (struct fth_connected){.socket = socket, .passed = -1, .id = ++connections->next_id};
    if (!challenge(connections, made)) {
        free_connected(made);
        return;
    }
    connections->polled[FTH_POLLED_FIRST + connections->count++] =
        (struct pollfd){.fd = socket, .events = POLLIN};
}

static void forget(struct fth_connections *connections, size_t i)
{
    struct fth_connected *connected = &connections->list[i];
    connections->requests->clients -= connected->client != 0;
    fth_flushes_drop(&connections->spread.flushes, connected->id);
    free_connected(connected);
    connections->count--;
    connections->list[i] = connections->list[connections->count];
    connections->polled[FTH_POLLED_FIRST + i] =
        connections->polled[FTH_POLLED_FIRST + connections->count];
}

static void drop(struct fth_connections *connections, size_t i)
{
    uint32_t client = connections->list[i].client;
    forget(connections, i);
    if (client)
        fth_spread_leave(&connections->spread, client);
}

/* ---- requests ---- */

static bool is_taken(const struct fth_connections *connections, uint32_t number)
{
    for (size_t i = 0; i < connections->count; i++)
        if (connections->list[i].client == number &&
            !fth_fs_message_is_closed(connections->list[i].socket))
            return true;
    return false;
}

/* A number that a client had is his for ever: what is attached by it is in his buffer, and what it
 * asked may have been done. -1: errno is set, EBUSY where another one has it. */
static int number_for(struct fth_connections *connections, uint64_t had, uint32_t *number)
{
    struct fth_error *error = NULL;
    *number = had && had < connections->next_client ? (uint32_t)had : connections->next_client;
    errno = EBUSY;
    if (*number == had)
        return is_taken(connections, *number) ? -1 : 0;
    if (fth_published_add_client(connections->requests->published, *number, &error)) {
        fprintf(stderr, "fathom fs: %s\n", fth_error_text(error));
        fth_error_free(error);
        errno = EIO;
        return -1;
    }
    connections->next_client++;
    return 0;
}

static bool refuse(struct fth_connections *connections, struct fth_connected *connected, int error)
{
    fth_fs_message_begin(&connections->answer, (uint8_t)error);
    send_answer(connected, &connections->answer);
    return false;
}

static bool prove(struct fth_connections *connections, struct fth_connected *connected,
                  struct fth_view *message)
{
    uint64_t version = fth_view_varint(message), had = fth_view_varint(message);
    const uint8_t *of_client = fth_view_bytes(message, FTH_CHALLENGE_BYTES);
    const uint8_t *proof = fth_view_bytes(message, FTH_PROOF_BYTES);
    const uint8_t *secret = connections->instance->secret;
    struct fth_bytes *answer = &connections->answer;
    uint8_t own[FTH_PROOF_BYTES];
    uint32_t client;
    int descriptor = -1;
    if (!proof || version != FTH_MESSAGE_VERSION ||
        !fth_secret_proved(secret, "client", connected->challenge, of_client, proof))
        return refuse(connections, connected, EACCES);
    if (number_for(connections, had, &client))
        return refuse(connections, connected, errno);
    connected->client = client;
    connected->box = fth_mailbox_make(&descriptor);
    connections->requests->clients++;
    fth_secret_prove(secret, "server", connected->challenge, of_client, own);
    fth_fs_message_begin(answer, 0);
    fth_bytes_varint(answer, connected->client);
    fth_bytes_put(answer, own, sizeof own);
    bool sent = send_with_box(connected, answer, descriptor);
    if (descriptor >= 0)
        close(descriptor);
    return sent;
}

static bool answer_one(struct fth_connections *connections, struct fth_connected *connected,
                       const uint8_t *message, size_t length)
{
    uint8_t kind = message[FTH_MESSAGE_LENGTH];
    struct fth_view view =
        fth_view_of(message + FTH_MESSAGE_LENGTH + 1, length - FTH_MESSAGE_LENGTH - 1);
    if (!connected->client)
        return kind == FTH_MESSAGE_HELLO && prove(connections, connected, &view);
    if (kind == FTH_MESSAGE_LOOK)
        return true;
    connected->by_box = false;
    connected->waits = !fth_spread_request(&connections->spread, connected->id, connected->client,
                                           kind, &view, &connected->passed, &connections->answer);
    return connected->waits || send_answer(connected, &connections->answer);
}

/* Answers what has arrived whole. false: the connection has ended, or is not one of ours. */
static bool answer_all(struct fth_connections *connections, struct fth_connected *connected)
{
    struct fth_bytes *received = &connected->received;
    size_t done = 0;
    while (!connected->unsent.length && !connected->waits) {
        int64_t whole = fth_fs_message_length(received->data + done, received->length - done);
        if (whole < 0 || (!connected->client && whole > UNPROVED_MOST))
            return false;
        if (!whole || (size_t)whole > received->length - done)
            break;
        if (!answer_one(connections, connected, received->data + done, (size_t)whole))
            return false;
        done += (size_t)whole;
    }
    if (done) {
        memmove(received->data, received->data + done, received->length - done);
        received->length -= done;
    }
    return true;
}

static bool receive(struct fth_connections *connections, struct fth_connected *connected)
{
    uint8_t *to = fth_bytes_room(&connected->received, PIECE);
    int passed;
    ssize_t count = fth_fs_message_take(connected->socket, to, PIECE, &passed);
    if (passed >= 0) {
        if (connected->passed >= 0)
            close(connected->passed);
        connected->passed = passed;
    }
    if (count < 0)
        return errno == EAGAIN || errno == EINTR;
    if (!count)
        return false;
    connected->received.length += (size_t)count;
    return answer_all(connections, connected);
}

/* While a client has answers to read, nothing more is read from it; nor what it sent before it
 * went: that may have been while this server was stopped, and it has given that up. */
static bool serve_one(struct fth_connections *connections, size_t i)
{
    struct fth_connected *connected = &connections->list[i];
    short found = connections->polled[FTH_POLLED_FIRST + i].revents;
    if (found & (POLLERR | POLLHUP))
        return false;
    if ((found & POLLOUT) && (!send_kept(connected) || !answer_all(connections, connected)))
        return false;
    if ((found & POLLIN) && !receive(connections, connected))
        return false;
    connections->polled[FTH_POLLED_FIRST + i].events = connected->unsent.length ? POLLOUT : POLLIN;
    return true;
}

/* Those that come later in the list are looked at first, as dropping one moves the last. */
void fth_connections_serve(struct fth_connections *connections)
{
    for (size_t i = connections->count; i-- > 0 && !connections->requests->stop;)
        if (connections->polled[FTH_POLLED_FIRST + i].revents && !serve_one(connections, i))
            drop(connections, i);
    if (connections->polled[FTH_POLLED_LISTENING].revents)
        accept_one(connections);
}

/* ---- mailboxes ---- */

static bool put_in_box(struct fth_connected *connected, struct fth_bytes *answer)
{
    if (fth_mailbox_answer(connected->box, connected->number, answer->data + FTH_MESSAGE_LENGTH,
                           answer->length - FTH_MESSAGE_LENGTH))
        return true;
    bool sent = send_answer(connected, answer);
    fth_mailbox_answer(connected->box, connected->number, NULL, 0);
    return sent;
}

static bool answer_box(struct fth_connections *connections, struct fth_connected *connected)
{
    const struct fth_bytes *asked = &connections->asked;
    struct fth_view view = fth_view_of(asked->data + 1, asked->length - 1);
    int none = -1;
    if (fth_fs_message_ends_server(asked->data[0])) {
        fth_fs_message_begin(&connections->answer, EBADMSG);
        return put_in_box(connected, &connections->answer);
    }
    connected->by_box = true;
    connected->waits = !fth_spread_request(&connections->spread, connected->id, connected->client,
                                           asked->data[0], &view, &none, &connections->answer);
    return connected->waits || put_in_box(connected, &connections->answer);
}

size_t fth_connections_look(struct fth_connections *connections)
{
    size_t found = 0;
    for (size_t i = connections->count; i-- > 0 && !connections->requests->stop;) {
        struct fth_connected *connected = &connections->list[i];
        if (!connected->box || connected->unsent.length || connected->waits)
            continue;
        int looked = fth_mailbox_look(connected->box, &connected->number, &connections->asked);
        found += looked != 0;
        if (looked < 0 || (looked && !answer_box(connections, connected)))
            drop(connections, i);
        else if (looked && connected->unsent.length)
            connections->polled[FTH_POLLED_FIRST + i].events = POLLOUT;
    }
    return found;
}

bool fth_connections_may_ask(const struct fth_connections *connections)
{
    for (size_t i = 0; i < connections->count; i++)
        if (!connections->list[i].waits)
            return true;
    return false;
}

void fth_connections_sleep(struct fth_connections *connections, bool sleeps)
{
    for (size_t i = 0; i < connections->count; i++)
        if (connections->list[i].box)
            fth_mailbox_sleep(connections->list[i].box, sleeps);
}

/* ---- answers of other servers ---- */

static bool deliver(struct fth_connections *connections, struct fth_connected *connected,
                    struct fth_bytes *answer)
{
    connected->waits = false;
    return connected->by_box ? put_in_box(connected, answer)
                             : send_answer(connected, answer) && answer_all(connections, connected);
}

/* To the connection that asked, if it is still there. */
static void answer_later(void *data, uint64_t id, struct fth_bytes *answer)
{
    struct fth_connections *connections = data;
    size_t i = 0;
    while (i < connections->count && connections->list[i].id != id)
        i++;
    if (i == connections->count)
        return;
    if (!deliver(connections, &connections->list[i], answer))
        drop(connections, i);
    else if (connections->list[i].unsent.length)
        connections->polled[FTH_POLLED_FIRST + i].events = POLLOUT;
}

/* ---- the end ---- */

static void send_last(struct fth_connected *connected)
{
    struct pollfd polled = {.fd = connected->socket, .events = POLLOUT};
    while (connected->unsent.length && poll(&polled, 1, LAST_SECONDS * 1000) > 0 &&
           send_kept(connected)) {
    }
}

void fth_connections_end(struct fth_connections *connections)
{
    while (connections->count) {
        send_last(&connections->list[connections->count - 1]);
        forget(connections, connections->count - 1);
    }
    free(connections->list);
    free(connections->polled);
    fth_spread_end(&connections->spread);
    fth_bytes_free(&connections->asked);
    fth_bytes_free(&connections->answer);
}
