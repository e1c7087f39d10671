/* Names that files of the folder below do not have until they are whole. Inner header of the fs
 * room. */
#ifndef FTH_FS_HIDDEN_NAMES_H
#define FTH_FS_HIDDEN_NAMES_H

#include <limits.h>
#include <stdbool.h>

/* Is this the only name of `file`, in the folder `under`? */
bool fth_hidden_name_is_only(int under, const char *path, int file);
/* Takes the name `path` of `file` away: `part` is its name from then on. Where that has been done
 * before, `path` becomes the name that it had. false: it could not be, or the file has other names
 * as well, and keeps the one that it has; `part` is "". */
bool fth_hidden_name_begin(int under, int file, char path[PATH_MAX], char part[PATH_MAX]);
/* Gives it back. Whoever has taken the name meanwhile keeps it. -1: errno is set. */
int fth_hidden_name_end(int under, const char *part, const char *path);

#endif
