/* A file of records, in the memory of the node, for a server that is started again: those that were
 * put whole by one that was killed. It is written as memory, so a record costs no system call. A
 * record begins with a byte that is not zero; behind the last one are zeros. Not thread-safe. Inner
 * header of the fs room. */
#ifndef FTH_FS_JOURNAL_H
#define FTH_FS_JOURNAL_H

#include "base/bytes.h"
#include "base/error.h"

struct fth_journal {
    int file;      /* -1: records are kept nowhere */
    int folder;    /* that it lies in */
    uint64_t end;  /* of the last record */
    uint8_t *map;  /* what is written to now; NULL: nothing yet */
    uint64_t from; /* where that begins in the file */
    size_t bytes;  /* of it */
    /* Somebody else has the same records: `are_all`: these are all from now on. NULL: nobody. */
    void (*copy)(void *data, const struct fth_bytes *records, bool are_all);
    void *copy_data;
};

/* Opens `journal` in the folder, and gives each record that is whole to `take`, which takes its
 * bytes off the view, or sets view->failed where it is none. Then it and what comes behind it is
 * cut off. -1: *error is set. */
int fth_journal_open(struct fth_journal *journal, int folder,
                     void (*take)(void *data, struct fth_view *view), void *data,
                     struct fth_error **error);
/* -1: *error is set, there is no room for it. */
int fth_journal_put(struct fth_journal *journal, const struct fth_bytes *record,
                    struct fth_error **error);
/* These records are all that there are from now on. A server that is killed meanwhile leaves those
 * before, or these. -1: *error is set, and it goes on with those before. */
int fth_journal_replace(struct fth_journal *journal, const struct fth_bytes *records,
                        struct fth_error **error);
void fth_journal_close(struct fth_journal *journal);

#endif
