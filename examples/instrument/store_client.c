/* The client of the store, a library. */
#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct store {
    int servers, sockets[STORE_MOST_SERVERS];
};

int store_send_all(int to, const void *data, size_t length)
{
    for (const char *at = data; length;) {
        ssize_t sent = send(to, at, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return -1;
        at += sent;
        length -= (size_t)sent;
    }
    return 0;
}

int store_receive_all(int from, void *data, size_t length)
{
    for (char *at = data; length;) {
        ssize_t received = recv(from, at, length, 0);
        if (received <= 0)
            return -1;
        at += received;
        length -= (size_t)received;
    }
    return 0;
}

static int connect_to(int server)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int connection = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "server%d.socket", server);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) != 0) {
        perror(address.sun_path);
        return -1;
    }
    return connection;
}

struct store *store_open(int servers)
{
    struct store *store = calloc(1, sizeof *store);
    for (int i = 0; i < servers && i < STORE_MOST_SERVERS; i++) {
        if ((store->sockets[i] = connect_to(i)) < 0) {
            store_close(store);
            return NULL;
        }
        store->servers++;
    }
    return store;
}

/* One piece, to one server and back. */
static int transfer(int server, struct store_request *request, const void *data, void *answer)
{
    char done;
    if (store_send_all(server, request, sizeof *request) != 0)
        return -1;
    if (request->kind == STORE_WRITE)
        return store_send_all(server, data, request->length) ? -1
                                                             : store_receive_all(server, &done, 1);
    return store_receive_all(server, answer, request->length);
}

static long in_pieces(struct store *store, enum store_kind kind, const char *data, char *answer,
                      size_t length, uint64_t offset)
{
    size_t done = 0;
    while (done < length) {
        uint64_t piece = (offset + done) / STORE_PIECE;
        size_t left = STORE_PIECE - (offset + done) % STORE_PIECE;
        struct store_request request = {.kind = kind,
                                        .length =
                                            (uint32_t)(length - done < left ? length - done : left),
                                        .offset = offset + done};
        int server = store->sockets[piece % (uint64_t)store->servers];
        if (transfer(server, &request, data ? data + done : NULL, answer ? answer + done : NULL))
            return -1;
        done += request.length;
    }
    return (long)done;
}

long store_write(struct store *store, const void *data, size_t length, uint64_t offset)
{
    return in_pieces(store, STORE_WRITE, data, NULL, length, offset);
}

long store_read(struct store *store, void *data, size_t length, uint64_t offset)
{
    return in_pieces(store, STORE_READ, NULL, data, length, offset);
}

void store_close(struct store *store)
{
    for (int i = 0; i < store->servers; i++)
        close(store->sockets[i]);
    free(store);
}
