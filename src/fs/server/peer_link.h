/* One connection between two servers: a socket, what has come by it and what is still to go; with
 * --rdma a way of UCX beside it, by which messages go once both have said how they are
 * reached. Nobody is waited for. Inner header of the fs room. */
#ifndef FTH_FS_PEER_LINK_H
#define FTH_FS_PEER_LINK_H

#include "fs/server/sealed_link.h"
#include "fs/server/ucx_ways.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fth_peer_link {
    int socket; /* -1: none */
    struct fth_sealed_link *sealed;
    struct fth_ucx_way *way; /* NULL: messages go by the socket */
    struct fth_bytes received, unsent, message;
    size_t sent;
    uint32_t watched; /* events; 0: none yet */
    uint64_t version; /* of the other side, if it is another one */
};

/* ns, for all times here. */
uint64_t fth_peer_now(void);
void fth_peer_link_begin(struct fth_peer_link *link, int made, bool listens,
                         const uint8_t secret[FTH_SECRET_BYTES]);
/* The other side has accepted, or not: errno is set. */
bool fth_peer_link_is_connected(const struct fth_peer_link *link);
/* Has the other side proved itself? Messages by the socket may be put. */
bool fth_peer_link_is_proved(const struct fth_peer_link *link);
/* Puts a message behind what is to go by the socket, also where there is a way. */
void fth_peer_link_put_sealed(struct fth_peer_link *link, const struct fth_bytes *message);
/* Puts a message behind what is to go: of a link that is open. */
void fth_peer_link_put(struct fth_peer_link *link, const struct fth_bytes *message);
/* Sends what there is room for. false: errno is set, the connection has ended. */
bool fth_peer_link_send(struct fth_peer_link *link);
bool fth_peer_link_has_unsent(const struct fth_peer_link *link);
/* Is there so much that to send it with more would save nothing? */
bool fth_peer_link_is_long(const struct fth_peer_link *link);
/* Takes what has come, and gives `take` each message, which returns false to end the connection.
 * Proofs are given and taken before. false: errno is set (EACCES, EPROTO, EBADMSG, ECONNRESET or of
 * the network), the connection has ended. */
bool fth_peer_link_receive(struct fth_peer_link *link,
                           bool (*take)(void *data, struct fth_view *message), void *data);
/* Has `epoll` say when there is something to do, as an event of this mark: something has come, or
 * may go on. Who does not read what is sent to him is not listened to. */
void fth_peer_link_watch(struct fth_peer_link *link, int epoll, uint64_t mark);
/* Can messages be put? It is proved, and where it has a way, the other side is reached by it. */
bool fth_peer_link_is_open(const struct fth_peer_link *link);
/* Waits until all has gone, for so many milliseconds at most. */
void fth_peer_link_settle(struct fth_peer_link *link, int most);
void fth_peer_link_end(struct fth_peer_link *link);

#endif
