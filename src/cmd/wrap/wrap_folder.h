/* The private folder in which `fathom wrap` keeps what it gives to the compiler and gets from
 * it. */
#ifndef FTH_CMD_WRAP_WRAP_FOLDER_H
#define FTH_CMD_WRAP_WRAP_FOLDER_H

#include "base/error.h"

#include <limits.h>

struct fth_wrap_folder {
    char source[PATH_MAX], plugin[PATH_MAX]; /* in it; the source is there, and empty */
    int held;                                /* the source, locked: somebody uses the folder */
};

/* Makes one in $TMPDIR or /tmp, and removes those whose `fathom wrap` was killed. SIGINT, SIGTERM
 * and SIGHUP remove it from now on, if they end the program. Returns 0, or -1 and *error. */
int fth_wrap_folder_make(struct fth_wrap_folder *folder, struct fth_error **error);
/* Removes it. */
void fth_wrap_folder_remove(struct fth_wrap_folder *folder);

#endif
