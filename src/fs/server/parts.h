/* What one server does of a request, where there are several of them: at once, or when what writes
 * files has come to its end. Inner header of the fs room. */
#ifndef FTH_FS_PARTS_H
#define FTH_FS_PARTS_H

#include "fs/server/copies.h"
#include "fs/server/flushes.h"
#include "fs/server/peers.h"

/* error: errno, with a text (not ended by a zero) in place of fields. */
typedef void fth_part_done(void *data, int error, const void *fields, size_t length);

struct fth_parts {
    struct fth_requests *requests;
    struct fth_peers *peers;
    struct fth_copies *copies; /* NULL: what is here is nowhere else */
    struct fth_flushes flushes;
    struct fth_parts_job *first; /* that are being answered */
    struct fth_bytes answer;
};

/* `parts` lives as long as this. Other servers are answered from now on. -1: *error is set. */
int fth_parts_begin(struct fth_parts *parts, struct fth_requests *requests, int listening,
                    struct fth_error **error);
/* Does it here; `done` may be called before this returns. */
void fth_parts_do(struct fth_parts *parts, uint8_t kind, const struct fth_asker *asker,
                  const struct fth_bytes *fields, fth_part_done *done, void *data);
/* As fth_flushes_step. */
bool fth_parts_step(struct fth_parts *parts);
void fth_parts_end(struct fth_parts *parts);

#endif
