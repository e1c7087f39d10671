/* Calls, accesses and processes without the names in them: pseudonyms stand for these.
 *
 * What stays are functions, layers, constants, modes of fopen, numbers and times. Every other text
 * of a program is taken for a name, also where it is none: the text that puts writes. */
#ifndef FTH_EXPORT_SHARED_ANONYMOUS_H
#define FTH_EXPORT_SHARED_ANONYMOUS_H

#include "base/arena.h"
#include "base/intern.h"
#include "export/shared/pseudonyms.h"

#include <fathom/access.h>

/* Of one thread. Zero, with `names`, is one that has seen nothing. */
struct fth_anonymous {
    const struct fth_pseudonyms *names; /* NULL: all names stay */
    struct fth_intern texts;            /* seen so far, and their pseudonyms */
    char **pseudonyms;
    uint32_t limit;
    struct fth_arena arena; /* lists of the call */
    struct fth_call call;
    struct fth_access access;
};
void fth_anonymous_free(struct fth_anonymous *anonymous);
/* What was seen is forgotten: pseudonyms of it are gone. */
void fth_anonymous_forget(struct fth_anonymous *anonymous);

/* They stay as they are, or are in `anonymous` until the next one is asked for. Handles of a call
 * stay. */
const struct fth_call *fth_anonymous_call(struct fth_anonymous *anonymous,
                                          const struct fth_call *call);
const struct fth_access *fth_anonymous_access(struct fth_anonymous *anonymous,
                                              const struct fth_access *access);

/* A process with pseudonyms, which only `fth_anonymous_process_free` frees. */
void fth_anonymous_process(struct fth_process *to, const struct fth_process *process,
                           const struct fth_pseudonyms *names);
void fth_anonymous_process_free(struct fth_process *process);

#endif
