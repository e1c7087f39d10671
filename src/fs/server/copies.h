/* What a server has published, once more on the next node, for an instance with two copies: each
 * record of its journal goes there, as do the bytes that its clients publish (spread_copies.c), and
 * nothing that a server knows is answered before the next one knows it as well. Inner header of the
 * fs room. */
#ifndef FTH_FS_COPIES_H
#define FTH_FS_COPIES_H

#include "fs/server/beats.h"
#include "fs/server/node_meeting.h"
#include "fs/server/peers.h"
#include "fs/server/requests.h"

/* As fth_part_done (parts.h). */
typedef void fth_copies_answer(void *data, int error, const void *fields, size_t length);

/* Has a server go on for the node whose copy `instance` has; called again, where it does not. */
typedef void fth_copies_take_over(const struct fth_fs_instance *instance);

enum { FTH_COPIES_WHY = 512 };

struct fth_copies {
    struct fth_requests *requests;
    struct fth_peers *peers;
    struct fth_beats *beats;
    bool is_on;   /* false: some node is lost, and there is one copy of all from then on */
    bool is_lost; /* it is this one */
    struct fth_lost_node lost;
    struct fth_bytes records;           /* that are not sent yet */
    bool are_all, wants_all;            /* these are; those that are known are to be sent again */
    uint64_t number, all_number, known; /* of the last message, the last with all, the last known */
    uint64_t put_bytes, known_bytes; /* of records that were sent, and up to the last known one */
    uint64_t copied_bytes;           /* of what clients published */
    struct fth_copies_held *first, **last; /* answers */
    fth_copies_take_over *take_over;
    uint64_t next_look, next_all;
};

/* `listening`: as of fth_peers_begin. -1: *error is set. */
int fth_copies_begin(struct fth_copies *copies, struct fth_requests *requests,
                     struct fth_peers *peers, int listening, fth_copies_take_over *take_over,
                     struct fth_error **error);
/* Gives an answer when the next server knows what it says, and this one still has its part. */
void fth_copies_give(struct fth_copies *copies, fth_copies_answer *answer, void *data, int error,
                     const void *fields, size_t length);
/* Has an answer to wait? Not where it says nothing that the next server does not know. */
bool fth_copies_wait(struct fth_copies *copies);
/* What has to be done by now: at least five times a second. */
void fth_copies_step(struct fth_copies *copies);
/* Why this node answers nothing any more. */
void fth_copies_tell_lost(const struct fth_copies *copies, char why[FTH_COPIES_WHY]);
/* The next server has no copies any more: has a node been lost? */
bool fth_copies_look(struct fth_copies *copies);
void fth_copies_end(struct fth_copies *copies);

#endif
