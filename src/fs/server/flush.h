/* One request that writes to the folder below, on its way (flushes.h). Inner header of the fs
 * room. */
#ifndef FTH_FS_FLUSH_H
#define FTH_FS_FLUSH_H

#include "fs/server/requests.h"
#include "fs/server/stage_out.h"

/* How other servers are asked to write; all zero: there are none. */
struct fth_flush_elsewhere {
    fth_stage_elsewhere *ask;
    void *data;
};

struct fth_flush {
    struct fth_flush *next;
    uint64_t connection; /* that it came by */
    struct fth_requests *requests;
    uint32_t client;
    uint8_t kind;
    uint32_t owner; /* only what this client attached; 0: what anybody did */
    char *path;     /* of one file; NULL: of all */
    size_t length;
    struct fth_staging staging;
    int error;       /* errno */
    bool holds_back; /* who wants to attach to the file */
    bool has_ended;  /* all is written, or nothing is to be */
};

/* Is it a request of this kind? `is_part`: of servers, where there are several, and else of
 * clients. */
bool fth_flush_is_one(uint8_t kind, bool is_part);
/* Takes one from a message, from the number of the request on; its staging is to be stepped until
 * it has ended. It may have ended at once. */
struct fth_flush *fth_flush_begin(struct fth_requests *requests,
                                  const struct fth_flush_elsewhere *elsewhere, uint32_t client,
                                  uint8_t kind, struct fth_view *message);
/* Does what comes behind the writing, puts the answer, and frees it. */
void fth_flush_end(struct fth_flush *flush, struct fth_bytes *answer);
/* Frees one that has not come to its end. */
void fth_flush_leave(struct fth_flush *flush);

#endif
