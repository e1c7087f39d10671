/* Names of files in which a rank has its number, and the same names with other numbers: "out.%ld"
 * with the rank, and "out.2" for all, or for one of them. The 2 may be that of rank 2 or of the
 * last one, which a run of 3 ranks does not tell. Inner header of the proxy room. */
#ifndef FTH_PROXY_NAMED_RANKS_H
#define FTH_PROXY_NAMED_RANKS_H

#include "proxy/writing.h"

/* A number of a name as it is written. */
struct fth_named_number {
    const char *name; /* with a byte 1 for each of its numbers */
    uint32_t place;   /* which of these it is */
    const char *text; /* the expression */
    bool is_constant;
    int64_t most; /* it is so much at most */
};

void fth_proxy_note_named(struct fth_writing *writing, const struct fth_named_number *number);
/* Narrows the numbers of ranks to those with which such files are there, after all has been
 * written. */
void fth_proxy_limit_named(struct fth_writing *writing);

#endif
