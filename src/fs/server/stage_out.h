/* From the buffers of clients to the folder below: what is attached and not there yet. Bytes are
 * written by the server of the node where they are, one server after the other decides which: the
 * one that knows who attached them last. So a piece of a file is never written by two at a time. */
#ifndef FTH_FS_STAGE_OUT_H
#define FTH_FS_STAGE_OUT_H

#include "fs/protocol/instance.h"
#include "fs/server/published.h"
#include "fs/server/stage_target.h"

struct fth_stage_out {
    uint64_t files, bytes; /* that were written */
};

/* Which attached bytes: those of `owner` (0: of anybody) of the file `path` (NULL: of all). */
struct fth_stage_out_of {
    uint32_t owner;
    const char *path;
    size_t length;
    bool at_end;  /* of the instance: programs do not open files by their names any more */
    bool forgets; /* files that are below: nobody has anything of them, and they are not held */
};

struct fth_staging;

/* Has another server write what is in buffers of its node (fth_stage_target_part): it is called
 * back by fth_staging_answered, later. */
typedef void fth_stage_elsewhere(void *data, uint32_t server, const struct fth_bytes *fields,
                                 struct fth_staging *staging);

/* One staging out on its way. Given: the first four, and `ended`, which is called once, by what
 * takes it to its end. */
struct fth_staging {
    struct fth_published *published;
    const struct fth_fs_instance *instance;
    struct fth_stage_out_of of;     /* the path lives as long as this */
    fth_stage_elsewhere *elsewhere; /* NULL: there are no other servers */
    void (*ended)(struct fth_staging *staging);
    void *data; /* of both */
    /* what came of it: it goes on after a failure with the next file */
    struct fth_stage_out done; /* without the next ones */
    struct fth_bytes shared;   /* files that other servers may write as well; of who called */
    struct fth_error *error;   /* the first one; of who called */
    /* its own */
    struct fth_keyed buffers;
    uint32_t file; /* number */
    char *name;
    struct fth_stage_target target;
    uint64_t end; /* of the file, when it was begun */
    struct fth_interval *chosen;
    size_t chosen_count;
    size_t piece;        /* the first of them that is not written here yet, */
    uint64_t at;         /* from here on */
    bool is_writing;     /* what is here */
    unsigned waiting;    /* for other servers, and for that */
    uint32_t unanswered; /* server + 1 that may still write what it was asked to */
    uint32_t lost;       /* server + 1 that has not answered: nothing more is asked of it */
    bool has_target, has_failed;
};

/* Writes what is attached and not clean. A file that is new in the folder below gets its name when
 * all its bytes are there; at the end, a file that has its name already is called otherwise until
 * then, and stays so where it could not be written whole. */
void fth_staging_start(struct fth_staging *staging);
/* The same in pieces, where there is one server: begin, and then each step about so many bytes,
 * which are taken off *left, until it has ended. What is attached meanwhile is newer: of bytes that
 * are written over, the newest are written, and what comes anew may stay. Where another staging
 * writes the file, a step does nothing. `may_begin`: another file. */
void fth_staging_begin(struct fth_staging *staging);
void fth_staging_step(struct fth_staging *staging, uint64_t *left, bool may_begin);
/* It does not come to its end: what is begun is left as by a server that is killed, but for what
 * has no name yet. */
void fth_staging_leave(struct fth_staging *staging);
/* Another server has written so many bytes, or failed: `why`. `lost`: it has not answered. */
void fth_staging_answered(struct fth_staging *staging, uint32_t server, uint64_t bytes,
                          const char *why, bool lost);
/* The file is gone from where that server could find it: what is in its buffers is given up. */
void fth_staging_gone(struct fth_staging *staging, uint32_t server);
/* The same where there is one server: when it returns, all is done. No other staging writes a file.
 * -1: *error. */
int fth_stage_out(struct fth_published *published, const struct fth_fs_instance *instance,
                  const struct fth_stage_out_of *of, struct fth_stage_out *done,
                  struct fth_error **error);

/* Of the files of stage_out.c. */
static inline struct fth_published_file *fth_staging_file(const struct fth_staging *staging)
{
    return fth_keyed_item(&staging->published->files, staging->file);
}
static inline void fth_staging_fail(struct fth_staging *staging, struct fth_error *error)
{
    staging->has_failed = true;
    if (!staging->error)
        staging->error = error;
    else
        fth_error_free(error);
}
/* Has the other servers write what they have of the file (stage_elsewhere.c). */
void fth_staging_write_elsewhere(struct fth_staging *staging);
/* Waits until a server says that it writes nothing to the file any more. */
void fth_staging_ask_whether_written(struct fth_staging *staging, uint32_t server);

#endif
