/* Inner header of the fs room. A server has an open file for each file of a program that has
 * something attached. It lets go of those that nobody can open any more, and where there are more
 * than it may have open, of all of them. */
#ifndef FTH_FS_LET_GO_H
#define FTH_FS_LET_GO_H

#include "fs/protocol/instance.h"
#include "fs/server/published.h"

/* Would it write files to the folder below? */
bool fth_let_go_writes(const struct fth_published *published);
/* To be called before one more is held. -1: *error is set; what could not be written is held
 * still. */
int fth_let_go(struct fth_published *published, const struct fth_fs_instance *instance,
               struct fth_error **error);

#endif
