/* Secrets in the arguments of programs: what is kept of a command line has "***" in their place. */
#ifndef FTH_BASE_MASK_H
#define FTH_BASE_MASK_H

#include <stddef.h>

#define FTH_MASKED "***"

/* The arguments of one program, one after another. */
struct fth_mask {
    /* of options and variables whose values are secrets, beside those that are known: patterns with
     * * and ?, with commas between them */
    const char *names;
    enum { FTH_MASK_NOTHING, FTH_MASK_SECRET, FTH_MASK_USER } next; /* what the next argument is */
    char option; /* the letter of a program's option for its password; 0: none is known */
};

/* Writes what is kept of the next argument, and a zero, to `to`, which has room for `room` > 0
 * bytes; returns the length, without the zero. What has no room is left out. Neither allocates nor
 * locks: the tracer calls it, too. */
size_t fth_mask(struct fth_mask *mask, const char *argument, char *to, size_t room);

#endif
