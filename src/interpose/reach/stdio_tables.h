/* The reads, writes, seeks and closes that libc makes underneath its streams. They are made inside
 * libc, where no preloaded function is looked up; but libc reaches them through tables, one for
 * each kind of stream: entries that hold the address of one of its functions get that of a wrapper.
 * An entry that holds anything else is left alone: streams on memory and fopencookie's have
 * functions of their own and no descriptor. */
#ifndef FTH_INTERPOSE_REACH_STDIO_TABLES_H
#define FTH_INTERPOSE_REACH_STDIO_TABLES_H

#include "interpose/interpose.h"

struct fth_stdio_entry {
    const char *name; /* of libc's own function, which it exports */
    void *wrapper, **real;
};

/* Finds the functions, hands them to `found`, and puts the wrappers in their places. False: this
 * libc does not let us. Again for streams that came with other tables; not for two threads at
 * once. */
bool fth_stdio_replace(const struct fth_stdio_entry *entries, unsigned count,
                       void (*found)(unsigned entry, void *real));
/* The tables get back what was in them. */
void fth_stdio_restore(const struct fth_stdio_entry *entries, unsigned count);

#endif
