/* What the files of published.h share about those that are held. Inner header of the fs room. */
#ifndef FTH_FS_PUBLISHED_HELD_H
#define FTH_FS_PUBLISHED_HELD_H

#include "fs/server/published.h"

#include <limits.h>
#include <sys/types.h>

/* The path that an open file has now, with a zero behind it. Its length; 0 or less: it has none. */
ssize_t fth_published_name_of(int file, char name[PATH_MAX]);
/* The file of this identity is held by `file`, which is closed if it is held already. */
void fth_published_keep_held(struct fth_published *published, const char *identity, size_t length,
                             int file);
/* It is held, and all its names are gone. */
bool fth_published_has_no_name(const struct fth_published_file *file);
/* The same, and nobody else has it open: a lease for writing is given to the only one. */
bool fth_published_is_gone(const struct fth_published_file *file);

#endif
