/* Going on for a node that is lost: a server of its own, on the node that has its copy. Inner
 * header of the fs room. */
#ifndef FTH_FS_TAKE_OVER_H
#define FTH_FS_TAKE_OVER_H

#include "fs/protocol/instance.h"

/* Starts it, if it does not run. What fails is in the log, and may be tried again. */
void fth_take_over(const struct fth_fs_instance *instance);

#endif
