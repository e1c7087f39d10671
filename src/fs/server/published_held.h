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

#endif
