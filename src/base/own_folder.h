/* Folders that belong to the user and that nobody else may write into. What is in such a folder was
 * put there by the user's own processes; of any other, whoever made it would decide which files are
 * read, written and removed. */
#ifndef FTH_BASE_OWN_FOLDER_H
#define FTH_BASE_OWN_FOLDER_H

#include "base/error.h"

/* Opens the folder `name` in the folder `at` (AT_FDCWD). -1 and *error (which may be NULL): it is
 * not there, a link, or not the user's own. */
int fth_own_folder(int at, const char *name, struct fth_error **error);
/* Opens a regular file of the user in it for reading, no link. -1: there is none. */
int fth_own_folder_file(int folder, const char *name);

#endif
