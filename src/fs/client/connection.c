/* Requests to the server of this node. */
#include "fs/client/connection.h"

#include "fs/protocol/file_names.h"
#include "fs/protocol/fs_messages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    ANSWER_SECONDS = 60, /* a flush may take long */
    RETURN_SECONDS = 10, /* of a server that went */
    PAUSE = 50000000,    /* ns, until the next try */
};

static bool refuse(struct fth_connection *connection, int error)
{
    fth_connection_close(connection);
    errno = error;
    return false;
}

static bool receive_challenge(struct fth_connection *connection,
                              uint8_t challenge[FTH_CHALLENGE_BYTES])
{
    struct fth_view view;
    if (fth_fs_message_receive(connection->socket, &connection->in, &view, RETURN_SECONDS) < 0)
        return refuse(connection, ENOTCONN);
    uint64_t version = fth_view_varint(&view);
    const uint8_t *bytes = fth_view_bytes(&view, FTH_CHALLENGE_BYTES);
    if (!bytes || version != FTH_MESSAGE_VERSION)
        return refuse(connection, EPROTO);
    memcpy(challenge, bytes, FTH_CHALLENGE_BYTES);
    return true;
}

static bool prove(struct fth_connection *connection)
{
    uint8_t of_server[FTH_CHALLENGE_BYTES], own[FTH_CHALLENGE_BYTES], proof[FTH_PROOF_BYTES];
    const uint8_t *secret = connection->instance->secret;
    struct fth_view view;
    int descriptor = -1;
    if (!receive_challenge(connection, of_server))
        return false;
    fth_secret_challenge(own);
    fth_secret_prove(secret, "client", of_server, own, proof);
    struct fth_bytes hello = {.data = NULL};
    fth_fs_message_begin(&hello, FTH_MESSAGE_HELLO);
    fth_bytes_varint(&hello, FTH_MESSAGE_VERSION);
    fth_bytes_varint(&hello, connection->number);
    fth_bytes_put(&hello, own, sizeof own);
    fth_bytes_put(&hello, proof, sizeof proof);
    bool sent = fth_fs_message_send(connection->socket, &hello, RETURN_SECONDS);
    fth_bytes_free(&hello);
    int kind = sent ? fth_fs_message_receive_with(connection->socket, &connection->in, &view,
                                                  &descriptor, RETURN_SECONDS)
                    : -1;
    connection->box = descriptor >= 0 ? fth_mailbox_map(descriptor) : NULL;
    if (kind)
        return refuse(connection, kind > 0 ? kind : ENOTCONN);
    uint32_t number = (uint32_t)fth_view_varint(&view);
    const uint8_t *of_server_proof = fth_view_bytes(&view, FTH_PROOF_BYTES);
    if (!of_server_proof || !number ||
        !fth_secret_proved(secret, "server", of_server, own, of_server_proof))
        return refuse(connection, EACCES);
    connection->number = number;
    return true;
}

static bool open_once(struct fth_connection *connection)
{
    connection->socket = fth_instance_connect(connection->instance);
    if (connection->socket < 0) {
        connection->socket = 0;
        errno = ENOTCONN;
        return false;
    }
    return prove(connection);
}

void fth_connection_begin(struct fth_connection *connection, uint8_t kind)
{
    connection->about = NULL;
    fth_fs_message_begin(&connection->out, kind);
    fth_bytes_varint(&connection->out, ++connection->requests);
}

static bool wake(struct fth_connection *connection)
{
    struct fth_bytes message = {.data = NULL};
    fth_fs_message_begin(&message, FTH_MESSAGE_LOOK);
    bool sent = fth_fs_message_send(connection->socket, &message, RETURN_SECONDS);
    fth_bytes_free(&message);
    return sent;
}

/* A server that is busy, or writes much, is waited for; one that is gone has closed its socket. */
static bool wait_for_answer(struct fth_connection *connection)
{
    struct timespec now, end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += ANSWER_SECONDS;
    while (!fth_mailbox_is_answered(connection->box)) {
        if (fth_fs_message_is_closed(connection->socket)) {
            errno = ECONNRESET;
            return false;
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec >= end.tv_sec) {
            fth_mailbox_withdraw(connection->box);
            errno = ETIMEDOUT;
            return false;
        }
    }
    return true;
}

/* The kind of the answer, as from fth_fs_message_receive. */
static int receive_answer(struct fth_connection *connection, struct fth_view *view)
{
    struct fth_bytes *in = &connection->in;
    if (!wait_for_answer(connection))
        return -1;
    if (!fth_mailbox_take(connection->box, in))
        return errno ? -1 : fth_fs_message_receive(connection->socket, in, view, ANSWER_SECONDS);
    *view = fth_view_of(in->data + 1, in->length - 1);
    return in->data[0];
}

static int ask_by_box(struct fth_connection *connection, bool is_asleep, struct fth_view *view)
{
    return is_asleep && !wake(connection) ? -1 : receive_answer(connection, view);
}

static int ask_by_socket(struct fth_connection *connection, int descriptor, struct fth_view *view)
{
    return fth_fs_message_send_with(connection->socket, &connection->out, descriptor,
                                    ANSWER_SECONDS)
               ? fth_fs_message_receive(connection->socket, &connection->in, view, ANSWER_SECONDS)
               : -1;
}

static bool ask_once(struct fth_connection *connection, int descriptor, struct fth_view *view)
{
    bool is_asleep = false;
    if (!connection->socket && !open_once(connection))
        return false;
    const struct fth_bytes *out = &connection->out;
    bool fits = connection->box && descriptor < 0 &&
                !fth_fs_message_ends_server(out->data[FTH_MESSAGE_LENGTH]) &&
                fth_mailbox_ask(connection->box, out->data + FTH_MESSAGE_LENGTH,
                                out->length - FTH_MESSAGE_LENGTH, &is_asleep);
    int kind = fits ? ask_by_box(connection, is_asleep, view)
                    : ask_by_socket(connection, descriptor, view);
    if (kind < 0)
        return refuse(connection, errno);
    connection->why = *view;
    if (kind > 0)
        errno = kind;
    return kind == 0;
}

static bool server_went(int error)
{
    return error == ECONNRESET || error == EPIPE || error == ENOTCONN;
}

static bool ask_or_open(struct fth_connection *connection, int descriptor, struct fth_view *view)
{
    return view ? ask_once(connection, descriptor, view) : open_once(connection);
}

/* Tries again while the server is away; without `view`, to connect only. */
static bool try_often(struct fth_connection *connection, int descriptor, struct fth_view *view)
{
    static const struct timespec pause = {.tv_nsec = PAUSE};
    struct timespec now, end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += RETURN_SECONDS;
    while (!ask_or_open(connection, descriptor, view)) {
        int error = errno;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (!server_went(error) || now.tv_sec >= end.tv_sec) {
            errno = server_went(error) ? ENOTCONN : error;
            return false;
        }
        nanosleep(&pause, NULL);
    }
    return true;
}

bool fth_connection_open(struct fth_connection *connection)
{
    return try_often(connection, -1, NULL);
}

/* ---- chaos ---- */

enum { CHAOS_MOST = 3000000 /* ns */ };

/* Half of the times not at all. The same seed gives each client the same delays (xorshift,
 * Marsaglia 2003). */
static void wait_at_random(struct fth_connection *connection)
{
    uint64_t *state = &connection->chaos;
    if (!connection->instance->chaos)
        return;
    if (!*state)
        *state = (connection->instance->chaos * 2 + 1) * (connection->number + 88172645463325252u);
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    const struct timespec pause = {.tv_nsec = (long)((*state >> 1) % CHAOS_MOST)};
    if (*state & 1)
        nanosleep(&pause, NULL);
}

/* Every request may be sent twice: by its number the server knows what it has done. */
bool fth_connection_ask(struct fth_connection *connection, struct fth_view *view)
{
    return fth_connection_ask_with(connection, -1, view);
}

/* What cannot be had of another node. Who reads says which bytes that are (client.h). */
static void tell_why(const struct fth_connection *connection)
{
    char name[PATH_MAX] = "", text[PATH_MAX + 640];
    uint8_t kind = connection->out.data[FTH_MESSAGE_LENGTH];
    if (connection->about)
        fth_file_name_now(connection->about_file, connection->about, name);
    int length =
        snprintf(text, sizeof text, "fathom fs: %s%s%s%.*s\n", *name ? "'" : "", name,
                 *name ? "': " : "", (int)(fth_view_left(&connection->why) % 512),
                 (const char *)connection->why.at);
    if (kind == FTH_MESSAGE_QUERY || kind == FTH_MESSAGE_FETCH)
        return;
    write(STDERR_FILENO, text, (size_t)length);
    errno = EIO;
}

bool fth_connection_ask_with(struct fth_connection *connection, int descriptor,
                             struct fth_view *view)
{
    wait_at_random(connection);
    bool done = try_often(connection, descriptor, view);
    if (!done && errno == EHOSTDOWN)
        tell_why(connection);
    int error = errno;
    wait_at_random(connection);
    errno = error;
    return done;
}

void fth_connection_close(struct fth_connection *connection)
{
    if (connection->socket) {
        /* also for those who have a copy of it: the server is to know that it has ended */
        syscall(SYS_shutdown, connection->socket, SHUT_RDWR);
        close(connection->socket);
    }
    connection->socket = 0;
    fth_mailbox_unmap(connection->box);
    connection->box = NULL;
}

void fth_connection_leave(struct fth_connection *connection)
{
    if (connection->socket)
        close(connection->socket);
    connection->socket = 0;
    connection->box = NULL;
    connection->number = 0;
}
