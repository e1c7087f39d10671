/* From the buffers of clients to the folder below: what is attached and not there yet. Bytes are
 * written by the server of the node where they are; the one that knows who attached them last
 * decides which, file by file. So a piece of a file is never written by two at a time. */
#ifndef FTH_FS_STAGE_OUT_H
#define FTH_FS_STAGE_OUT_H

#include "fs/protocol/instance.h"
#include "fs/server/published.h"
#include "fs/server/stage_target.h"

struct fth_stage_out {
    uint64_t files, bytes; /* that were written; of files that have a name */
};

/* Which attached bytes: those of `owner` (0: of anybody) of the file `path` (NULL: of all). */
struct fth_stage_out_of {
    uint32_t owner;
    const char *path;
    size_t length;
    bool at_end;  /* of the instance: programs do not open files by their names any more */
    bool forgets; /* files that are below: nobody has anything of them, and they are not held */
};

enum { FTH_STAGE_PIECE = 4 << 20 /* bytes that are written at a time, here or elsewhere */ };

struct fth_staging;

/* A piece that another server was asked to write, as it was in the index then. */
struct fth_stage_asked {
    struct fth_staging *staging;
    uint32_t server, share; /* number of what it is of; of none: UINT32_MAX */
    size_t piece;           /* where that was */
    uint64_t bytes;
    struct fth_interval *intervals;
    size_t count;
};

/* Has another server write what is in buffers of its node (fth_stage_target_part), or say that it
 * writes nothing any more: fth_stage_answered is called with the same `asked`, later. */
typedef void fth_stage_elsewhere(void *data, uint32_t server, const struct fth_bytes *fields,
                                 struct fth_stage_asked *asked);

/* What of a file was of clients of one server when the file was begun, from its first byte to its
 * last one. */
struct fth_stage_share {
    uint32_t server;
    size_t piece;    /* the first chosen one that is not written or asked for yet, */
    uint64_t at;     /* from here on */
    unsigned asked;  /* pieces that are on their way */
    bool is_over;    /* no more of it is begun */
    bool lengthens;  /* there is nothing of it, but the file gets its length */
    bool has_reason; /* why it is not written is known */
    /* Somebody has written over what was asked for, and used its place again: once more. */
    bool goes_back;
    unsigned backs; /* so often before */
    size_t back_piece;
    uint64_t back_at;
};

/* One staging out on its way. Given: the first four, and `ended`, which is called once, by what
 * takes it to its end. */
struct fth_staging {
    struct fth_published *published;
    const struct fth_fs_instance *instance;
    struct fth_stage_out_of of;     /* the path lives as long as this */
    fth_stage_elsewhere *elsewhere; /* NULL: there are no other servers */
    void *elsewhere_data;
    void (*ended)(struct fth_staging *staging);
    void *data; /* of `ended` */
    /* what came of it: it goes on after a failure with the next file */
    struct fth_stage_out done; /* without the next ones */
    struct fth_bytes shared;   /* files that other servers may write as well; of who called */
    struct fth_error *error;   /* the first one; of who called. The others are in the log */
    /* its own */
    struct fth_keyed buffers;
    uint32_t file; /* number */
    char *name;
    struct fth_stage_target target;
    uint64_t end;    /* of the file, when it was begun */
    uint64_t before; /* bytes of the files before it */
    struct fth_interval *chosen;
    size_t chosen_count;
    struct fth_stage_share *shares;
    size_t share_count;
    bool is_writing; /* a file */
    unsigned asked;  /* servers that may still write to the file what they were asked to before */
    bool *lost;      /* by server: it has not answered, and is asked nothing; NULL: none */
    bool has_target, has_failed, has_ended;
};

/* Writes what is attached and not clean. A file that is new in the folder below gets its name when
 * all its bytes are there; at the end, a file that has its name already is called otherwise until
 * then, and stays so where it could not be written whole. In pieces: begin, and then each step
 * about so many bytes, which are taken off *left, until it has ended; other servers are asked for
 * pieces meanwhile. What is attached meanwhile is newer: of bytes that are written over, the newest
 * are written, and what comes anew may stay. Where another staging writes the file, a step does
 * nothing. `may_begin`: another file. false: nothing can be done now. */
void fth_staging_begin(struct fth_staging *staging);
bool fth_staging_step(struct fth_staging *staging, uint64_t *left, bool may_begin);
/* It does not come to its end: what is begun is left as by a server that is killed, but for what
 * has no name yet. No other server is asked for anything then. */
void fth_staging_leave(struct fth_staging *staging);
/* Another server has written so many bytes; or error is errno, and `why` says more (""): ENOENT,
 * the file is gone from where it could find it; ENODATA, bytes are not in the buffers any more;
 * EHOSTDOWN, it has not answered. `asked` is freed. */
void fth_stage_answered(struct fth_stage_asked *asked, uint64_t bytes, int error, const char *why);
/* All at once, where there is one server: when it returns, all is done. No other staging writes a
 * file. -1: *error. */
int fth_stage_out(struct fth_published *published, const struct fth_fs_instance *instance,
                  const struct fth_stage_out_of *of, struct fth_stage_out *done,
                  struct fth_error **error);

#endif
