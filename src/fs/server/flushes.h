/* Requests that write to the folder below: of clients, or, where there are several servers, of
 * these. It is done in pieces, between requests of others; so is what other servers ask this one to
 * write for them. A request that such a piece must not be mixed with waits until the file is
 * written: one that cuts it off, holds or forgets it, or takes bytes away that are being read; all
 * others are answered meanwhile. Of two that write, each writes a file when the other one does not.
 * Inner header of the fs room. */
#ifndef FTH_FS_FLUSHES_H
#define FTH_FS_FLUSHES_H

#include "fs/server/flush.h"

/* An answer that comes later. */
typedef void fth_flushes_answered(void *data, uint64_t connection, struct fth_bytes *answer);

struct fth_flushes {
    struct fth_requests *requests;
    fth_flushes_answered *answered;
    void *data;
    struct fth_flush_elsewhere elsewhere; /* all zero: requests are those of clients */
    struct fth_flush *first;              /* that writes next */
    struct fth_flush_waiting *waiting;    /* requests, in the order in which they came */
    uint64_t left;    /* bytes that may be written before others are looked after */
    bool has_written; /* a piece for another server since then */
};

void fth_flushes_begin(struct fth_flushes *flushes, struct fth_requests *requests,
                       fth_flushes_answered *answered, void *data);
/* Answers any request, as fth_requests_answer or fth_requests_answer_part does; `connection` is who
 * gets the answer. false: it comes later. */
bool fth_flushes_request(struct fth_flushes *flushes, uint64_t connection,
                         const struct fth_asker *asker, uint8_t kind, struct fth_view *message,
                         int *passed, struct fth_bytes *answer);
/* Writes a piece, and answers who has waited for it. false: nothing more can be written before
 * something comes. */
bool fth_flushes_step(struct fth_flushes *flushes);
/* A connection has ended: what it asked and nobody has begun to do is not done. */
void fth_flushes_drop(struct fth_flushes *flushes, uint64_t connection);
/* What is being written is left where it is. */
void fth_flushes_end(struct fth_flushes *flushes);

#endif
