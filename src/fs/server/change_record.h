/* A change of what a server knows (published.h), as a record: it is noted in the journal first, and
 * done then; a server that is started again does what is noted. Inner header of the fs room. */
#ifndef FTH_FS_CHANGE_RECORD_H
#define FTH_FS_CHANGE_RECORD_H

#include "fs/server/published.h"

/* Their fields in the journal are kind, path and owner, then those that stand beside the kind. */
enum fth_change {
    FTH_CHANGE_ATTACHED = 1, /* begin, end, place */
    FTH_CHANGE_DETACHED,     /* begin, end */
    FTH_CHANGE_DETACHED_ALL,
    FTH_CHANGE_HELD,      /* name, born */
    FTH_CHANGE_TRUNCATED, /* end */
    FTH_CHANGE_RESERVED,  /* end */
    FTH_CHANGE_NUMBERED,  /* the owner is a new client */
    FTH_CHANGE_NOTED,     /* request, kind, answer, and other records that are done for it */
};

/* The owner of TRUNCATED where the file is gone: its number is another one's from then on. */
#define FTH_CHANGE_GIVEN_UP UINT32_MAX

struct fth_change_record {
    enum fth_change kind; /* not NOTED */
    const char *path;     /* of a file; "": of none */
    size_t length;
    uint32_t owner;
    uint64_t begin, end, place;
    const char *name;
    size_t name_length;
    uint64_t born;
};

void fth_change_put(struct fth_bytes *to, const struct fth_change_record *record);
/* `records` are done for `noted`. */
void fth_change_put_noted(struct fth_bytes *to, const struct fth_noted *noted,
                          const struct fth_bytes *records);
/* false: it is none, and the view has failed. */
bool fth_change_read(struct fth_view *view, struct fth_change_record *record);
/* Does a view begin with NOTED? */
bool fth_change_begins_noted(const struct fth_view *view);
/* What the records are done for, and a view of them. false: it is none, and the view has failed. */
bool fth_change_read_noted(struct fth_view *view, struct fth_noted *noted,
                           struct fth_view *records);
/* Puts records into the journal, and frees them: either all of it is known to the next server, or
 * nothing. `noted`: what they are done for; NULL: nothing. -1: *error. */
int fth_change_note(struct fth_published *published, const struct fth_noted *noted,
                    struct fth_bytes *records, struct fth_error **error);
/* Does it; a file is not held by that. */
void fth_change_apply(struct fth_published *published, const struct fth_change_record *record);
/* Notes and does one. -1: *error, and it is not done. */
int fth_change_make(struct fth_published *published, const struct fth_noted *noted,
                    const struct fth_change_record *record, struct fth_error **error);

#endif
