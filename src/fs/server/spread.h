/* Requests of the clients of this node: answered here, or, in an instance on several nodes, by the
 * servers that the file belongs to (share_of_file.h), each for its part, and put together here. No
 * request of one file asks servers that have nothing to do with it. Inner header of the fs room. */
#ifndef FTH_FS_SPREAD_H
#define FTH_FS_SPREAD_H

#include "fs/server/flushes.h"
#include "fs/server/parts.h"
#include "fs/server/requests.h"

struct fth_spread {
    struct fth_requests *requests;
    struct fth_parts *parts;    /* NULL: there is one server */
    struct fth_flushes flushes; /* of that; of several: those of `parts` */
    fth_flushes_answered *answered;
    void *data;
    /* By client: a bit for each server that it has something of. After a start anew it is not
     * known, and any may have. */
    struct fth_keyed used;
    /* By file: up to which block its home knows, by this server, that it has something. */
    struct fth_keyed home_knows;
    struct fth_keyed lockers; /* clients that have asked for a lock */
    bool forgets;
    unsigned giving_up; /* files, of fth_spread_begin */
};

/* A server that is started again has not found some files that it held: no server knows what its
 * clients attached of them any more, as their numbers may be those of other files from now on. No
 * client is answered before that. */
void fth_spread_begin(struct fth_spread *spread);
/* Answers a message of `client`, from its number on, as fth_requests_answer does. false: the answer
 * comes later. */
bool fth_spread_request(struct fth_spread *spread, uint64_t connection, uint32_t client,
                        uint8_t kind, struct fth_view *message, int *passed,
                        struct fth_bytes *answer);
/* The connection of the client has ended: it has no locks. */
void fth_spread_leave(struct fth_spread *spread, uint32_t client);
/* As fth_flushes_step. */
bool fth_spread_step(struct fth_spread *spread);
void fth_spread_end(struct fth_spread *spread);

#endif
