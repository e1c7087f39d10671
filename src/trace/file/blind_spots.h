/* What could not be seen, one thing after another: section UNSN of a trace (docs/format.md), beside
 * the sentences in META. */
#ifndef FTH_TRACE_FILE_BLIND_SPOTS_H
#define FTH_TRACE_FILE_BLIND_SPOTS_H

#include "base/bytes.h"
#include "base/error.h"
#include "fathom/trace.h"

/* How sentences about calls in which a process was killed begin. */
#define FTH_UNRETURNED "the end of a call: "

struct fth_blind_spot {
    enum fth_unseen_kind kind;
    char *sentence;
    char *program, *path;              /* or NULL, as in struct fth_unseen */
    uint64_t image;                    /* of the process; 0: of several, or none */
    int64_t since;                     /* ns since 1970; 0: not known */
    int64_t bytes_read, bytes_written; /* or FTH_UNSEEN_UNKNOWN */
};

struct fth_blind_spots {
    struct fth_blind_spot *list;
    size_t count;
};

/* Adds one with this sentence, which is the list's from then on, unless the same has been said:
 * then it returns that one. Of what it is about nothing is known yet. NULL: no sentence was
 * given. */
struct fth_blind_spot *fth_blind_spots_add(struct fth_blind_spots *spots, enum fth_unseen_kind kind,
                                           char *sentence);
void fth_blind_spots_free(struct fth_blind_spots *spots);

/* Without the sentences. */
void fth_blind_spots_write(const struct fth_blind_spots *spots, struct fth_bytes *to);
/* Fills in what is known of spots that are there: as many as were written. */
int fth_blind_spots_read(struct fth_blind_spots *spots, const void *bytes, size_t length,
                         struct fth_error **error);

#endif
