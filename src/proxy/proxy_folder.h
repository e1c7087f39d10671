/* The folder that the program is written to. */
#ifndef FTH_PROXY_PROXY_FOLDER_H
#define FTH_PROXY_PROXY_FOLDER_H

#include "base/error.h"

#include <sys/types.h>

/* Makes it; -1 and *error: it cannot be made, or is there and not empty. */
int fth_proxy_folder_make(const char *path, struct fth_error **error);
/* Writes a file in it, which must not be there; nothing if `text` is NULL. `mode`: its permissions,
 * 0 for the usual ones. */
int fth_proxy_folder_put(const char *folder, const char *name, const char *text, mode_t mode,
                         struct fth_error **error);

#endif
