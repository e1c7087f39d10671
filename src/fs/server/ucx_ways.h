/* Ways for messages between servers by UCX, which moves them by RDMA where the device can. A way
 * belongs to a connection of two servers (peer_link.h), by which they have proved themselves and
 * tell one another, sealed, how the other is reached: its worker's address and a key at random for
 * this way. Messages go in the clear, and each with the key of the way: who listens in the network
 * reads them. */
#ifndef FTH_FS_UCX_WAYS_H
#define FTH_FS_UCX_WAYS_H

#include "base/bytes.h"
#include "base/error.h"

struct fth_ucx;     /* of one server */
struct fth_ucx_way; /* of one connection, of both directions */

extern const bool fth_ucx_is_built_in;

/* Is UCX there, and does it reach others by this device? -1: *error says why not. It is tried in a
 * process of its own, which leaves nothing. */
int fth_ucx_try(const char *device, struct fth_error **error);

/* `device`: as UCX calls it: "mlx5_0:1", "eth0". NULL: *error is set. */
struct fth_ucx *fth_ucx_begin(const char *device, struct fth_error **error);
/* All ways are gone by then. */
void fth_ucx_end(struct fth_ucx *ucx);
/* For poll: something has come. True between fth_ucx_rest and the next call of anything here. */
int fth_ucx_file(const struct fth_ucx *ucx);
/* Lets what is on its way go on, before a wait. false: there is something to take already. */
bool fth_ucx_rest(struct fth_ucx *ucx);

/* A way whose other side is not known yet. Messages that come by it are given with `mark`. */
struct fth_ucx_way *fth_ucx_way_new(struct fth_ucx *ucx, uint64_t mark);
/* Puts what the other side needs to know. */
void fth_ucx_way_tell(const struct fth_ucx_way *way, struct fth_bytes *out);
/* Takes what the other side has said. false: that cannot be reached; errno is set. */
bool fth_ucx_way_reach(struct fth_ucx_way *way, struct fth_view *said);
bool fth_ucx_way_is_reached(const struct fth_ucx_way *way);
/* Sends a message, behind those before. What goes wrong is found by fth_ucx_take. */
void fth_ucx_way_send(struct fth_ucx_way *way, const struct fth_bytes *message);
/* Waits until all has come to the other side, for so many milliseconds at most. */
void fth_ucx_way_settle(struct fth_ucx_way *way, int most);
/* What was not sent is not sent any more. */
void fth_ucx_way_end(struct fth_ucx_way *way);

/* Gives what has come, each way's in the order in which it was sent: `message` is NULL where the
 * way has broken. A way that is ended meanwhile gives nothing more. Returns how many. */
int fth_ucx_take(struct fth_ucx *ucx,
                 void (*take)(void *data, uint64_t mark, struct fth_view *message), void *data);

#endif
