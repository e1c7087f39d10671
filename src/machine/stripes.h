/* Over how many servers a file is spread, and in pieces of which size. */
#ifndef FTH_MACHINE_STRIPES_H
#define FTH_MACHINE_STRIPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fth_stripes {
    uint64_t count, size; /* bytes */
};

/* The attribute lustre.lov of a file. Of a file with several layouts (a progressive one, mirrors)
 * the one with the most stripes of those in use. */
bool fth_stripes_of_lustre(const void *attribute, size_t length, struct fth_stripes *stripes);
/* What beegfs-ctl --getentryinfo prints. */
bool fth_stripes_of_beegfs(const char *text, struct fth_stripes *stripes);
/* Asks the file system, which is of this type. False: it has none, or does not say. */
bool fth_stripes_ask(const char *type, const char *path, struct fth_stripes *stripes);

#endif
