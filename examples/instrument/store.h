/* A store over several servers: what a program writes goes in pieces to all of them in turn. */
#ifndef STORE_H
#define STORE_H

#include <stddef.h>
#include <stdint.h>

enum { STORE_PIECE = 64 << 10, STORE_MOST_SERVERS = 16 };
enum store_kind { STORE_WRITE = 1, STORE_READ = 2 };

/* On its way to a server, the data of a write behind it. The answer to a read is data, to a write a
 * byte. */
struct store_request {
    uint32_t kind, length;
    uint64_t offset;
    int64_t hint; /* for tools; 0 */
};

struct store;
/* Connects to the servers at "server0.socket" and so on. NULL: one is not there. */
struct store *store_open(int servers);
/* Bytes written or read, -1 on an error. */
long store_write(struct store *store, const void *data, size_t length, uint64_t offset);
long store_read(struct store *store, void *data, size_t length, uint64_t offset);
void store_close(struct store *store);

/* All of it, or -1. */
int store_send_all(int socket, const void *data, size_t length);
int store_receive_all(int socket, void *data, size_t length);

#endif
