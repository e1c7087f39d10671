/* The connection of this process to the server of its node. Not thread-safe. */
#ifndef FTH_FS_CONNECTION_H
#define FTH_FS_CONNECTION_H

#include "base/bytes.h"
#include "fs/protocol/instance.h"
#include "fs/protocol/mailbox.h"

/* All zero: not connected. */
struct fth_connection {
    const struct fth_fs_instance *instance;
    int socket;              /* 0: none */
    struct fth_mailbox *box; /* for requests and answers that fit; NULL: all go by the socket */
    uint32_t number;         /* of this client; 0: none yet */
    uint64_t requests;       /* that it has begun */
    struct fth_bytes out, in;
    const char *about; /* file of the request, as the server has it; NULL: none, or not said */
    int about_file;    /* a descriptor of it; -1: none */
    struct fth_view why; /* text behind the error of the last answer, until the next request */
    uint64_t chaos;      /* state of the random delays */
};

/* Connects and proves the secret, both ways. Waits up to 10 s for a server. false: errno is set
 * (ENOTCONN, EACCES: the server does not know the secret, EPROTO: another version, EBUSY: another
 * client has taken the number of this one). */
bool fth_connection_open(struct fth_connection *connection);
/* Begins a request; the caller puts its fields into connection->out. */
void fth_connection_begin(struct fth_connection *connection, uint8_t kind);
/* Sends it and waits for the answer, which `view` is set to. Where the server has gone, waits up to
 * 10 s for the next one, and asks it again. false: errno is set. */
bool fth_connection_ask(struct fth_connection *connection, struct fth_view *view);
/* The same with a descriptor, which the server gets a copy of; -1: without. */
bool fth_connection_ask_with(struct fth_connection *connection, int descriptor,
                             struct fth_view *view);
void fth_connection_close(struct fth_connection *connection);
/* The same in the child of a fork, which does not have the memory that is shared with a server. */
void fth_connection_leave(struct fth_connection *connection);

#endif
