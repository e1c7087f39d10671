/* Connections of clients: each begins with a challenge, and becomes a client by its proof. */
#include "fs/server/node_server.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"
#include "fs/server/requests.h"
#include "fs/server/stage_out.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    MOST_CLIENTS = 16384,
    ANSWER_SECONDS = 10, /* that a client may take to read an answer */
    PIECE = 64 << 10,
    UNPROVED_MOST = 4096, /* bytes of a first message */
};

struct connection {
    int socket;
    uint32_t client; /* 0: it has not proved itself */
    uint8_t challenge[FTH_CHALLENGE_BYTES];
    struct fth_bytes received;
    int passed; /* a descriptor that came with what was received; -1: none */
};

struct server {
    const struct fth_fs_instance *instance;
    struct fth_published published;
    struct fth_requests requests;
    struct connection *connections;
    struct pollfd *polled; /* the listening socket, signals, then the connections */
    size_t count;
    uint32_t next_client;
    struct fth_bytes answer;
};

enum { LISTENING, SIGNALS, FIRST };

/* Numbers of clients are never given twice: their buffers may still be in use. */
static uint32_t next_number(const struct fth_fs_instance *instance)
{
    int folder = openat(instance->folder, "buffers", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = folder < 0 ? NULL : fdopendir(folder);
    struct dirent *entry;
    unsigned long greatest = 0;
    while (entries && (entry = readdir(entries))) {
        unsigned long number = strtoul(entry->d_name, NULL, 10);
        greatest = number > greatest ? number : greatest;
    }
    if (entries)
        closedir(entries);
    return (uint32_t)greatest + 1;
}

static bool challenge(struct server *server, struct connection *connection)
{
    fth_secret_challenge(connection->challenge);
    fth_fs_message_begin(&server->answer, 0);
    fth_bytes_varint(&server->answer, FTH_MESSAGE_VERSION);
    fth_bytes_put(&server->answer, connection->challenge, FTH_CHALLENGE_BYTES);
    return fth_fs_message_send(connection->socket, &server->answer, ANSWER_SECONDS);
}

static void accept_one(struct server *server)
{
    int socket = accept4(server->polled[LISTENING].fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0)
        return;
    if (server->count == MOST_CLIENTS) {
        close(socket);
        return;
    }
    struct connection *made = &server->connections[server->count];
    *made = (struct connection){.socket = socket, .passed = -1};
    if (!challenge(server, made)) {
        close(socket);
        return;
    }
    server->polled[FIRST + server->count] = (struct pollfd){.fd = socket, .events = POLLIN};
    server->count++;
}

static void drop(struct server *server, size_t i)
{
    struct connection *connection = &server->connections[i];
    server->requests.clients -= connection->client != 0;
    close(connection->socket);
    if (connection->passed >= 0)
        close(connection->passed);
    fth_bytes_free(&connection->received);
    server->count--;
    server->connections[i] = server->connections[server->count];
    server->polled[FIRST + i] = server->polled[FIRST + server->count];
}

/* A number that a client says it had is his again, after a server was started anew. */
static uint32_t number_for(struct server *server, uint64_t had)
{
    if (had && had < server->next_client)
        return (uint32_t)had;
    return server->next_client++;
}

static bool prove(struct server *server, struct connection *connection, struct fth_view *message)
{
    uint64_t version = fth_view_varint(message), had = fth_view_varint(message);
    const uint8_t *challenge_of_client = fth_view_bytes(message, FTH_CHALLENGE_BYTES);
    const uint8_t *proof = fth_view_bytes(message, FTH_PROOF_BYTES);
    const uint8_t *secret = server->instance->secret;
    uint8_t own[FTH_PROOF_BYTES];
    if (!proof || version != FTH_MESSAGE_VERSION ||
        !fth_secret_proved(secret, "client", connection->challenge, challenge_of_client, proof)) {
        fth_fs_message_begin(&server->answer, EACCES);
        return false;
    }
    connection->client = number_for(server, had);
    server->requests.clients++;
    fth_secret_prove(secret, "server", connection->challenge, challenge_of_client, own);
    fth_fs_message_begin(&server->answer, 0);
    fth_bytes_varint(&server->answer, connection->client);
    fth_bytes_put(&server->answer, own, sizeof own);
    return true;
}

static bool answer_one(struct server *server, struct connection *connection, const uint8_t *message,
                       size_t length)
{
    uint8_t kind = message[4];
    bool proved = true;
    struct fth_view view = fth_view_of(message + 5, length - 5);
    if (connection->client)
        fth_requests_answer(&server->requests, connection->client, kind, &view, &connection->passed,
                            &server->answer);
    else if (kind != FTH_MESSAGE_HELLO)
        return false;
    else
        proved = prove(server, connection, &view);
    return fth_fs_message_send(connection->socket, &server->answer, ANSWER_SECONDS) && proved;
}

/* Answers what has arrived whole. false: the connection has ended, or is not one of ours. */
static bool answer_all(struct server *server, struct connection *connection)
{
    struct fth_bytes *received = &connection->received;
    size_t done = 0;
    for (;;) {
        int64_t whole = fth_fs_message_length(received->data + done, received->length - done);
        if (whole < 0 || (!connection->client && whole > UNPROVED_MOST))
            return false;
        if (!whole || (size_t)whole > received->length - done)
            break;
        if (!answer_one(server, connection, received->data + done, (size_t)whole))
            return false;
        done += (size_t)whole;
    }
    if (done) {
        memmove(received->data, received->data + done, received->length - done);
        received->length -= done;
    }
    return true;
}

static bool receive(struct server *server, struct connection *connection)
{
    uint8_t *to = fth_bytes_room(&connection->received, PIECE);
    int passed;
    ssize_t count = fth_fs_message_take(connection->socket, to, PIECE, &passed);
    if (passed >= 0) {
        if (connection->passed >= 0)
            close(connection->passed);
        connection->passed = passed;
    }
    if (count < 0)
        return errno == EAGAIN || errno == EINTR;
    if (!count)
        return false;
    connection->received.length += (size_t)count;
    return answer_all(server, connection);
}

/* Those that come later in the list are looked at first, as dropping one moves the last. */
static void serve_ready(struct server *server)
{
    for (size_t i = server->count; i-- > 0;)
        if (server->polled[FIRST + i].revents && !receive(server, &server->connections[i]))
            drop(server, i);
    if (server->polled[LISTENING].revents)
        accept_one(server);
}

static int serve(struct server *server, struct fth_error **error)
{
    while (!server->requests.stop) {
        if (poll(server->polled, FIRST + server->count, -1) < 0 && errno != EINTR)
            return fth_fail_errno(error, "the server cannot wait for clients");
        if (server->polled[SIGNALS].revents)
            break;
        serve_ready(server);
    }
    if (server->requests.stop)
        return 0;
    struct fth_stage_out done = {.files = 0};
    return fth_stage_out(&server->published, server->instance,
                         &(struct fth_stage_out_of){.owner = 0}, &done, error);
}

static int open_signals(struct fth_error **error)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int file = signalfd(-1, &set, SFD_CLOEXEC);
    return file < 0 ? fth_fail_errno(error, "the server cannot wait for signals") : file;
}

/* As many connections as the system allows. */
static void raise_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int fth_node_server_run(const struct fth_fs_instance *instance, int listening,
                        struct fth_error **error)
{
    struct server server = {.instance = instance, .next_client = next_number(instance)};
    int signals = open_signals(error), failed = -1;
    raise_descriptors();
    if (signals >= 0 &&
        !fth_published_open(&server.published, instance->folder, instance->under, error)) {
        server.requests =
            (struct fth_requests){.instance = instance, .published = &server.published};
        server.connections = fth_new(MOST_CLIENTS, sizeof *server.connections);
        server.polled = fth_new(FIRST + MOST_CLIENTS, sizeof *server.polled);
        server.polled[LISTENING] = (struct pollfd){.fd = listening, .events = POLLIN};
        server.polled[SIGNALS] = (struct pollfd){.fd = signals, .events = POLLIN};
        failed = serve(&server, error);
        while (server.count)
            drop(&server, server.count - 1);
        fth_published_close(&server.published);
    }
    fth_bytes_free(&server.answer);
    free(server.connections);
    free(server.polled);
    if (signals >= 0)
        close(signals);
    close(listening);
    return failed;
}
