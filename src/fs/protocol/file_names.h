/* Names of files in the file system: paths from its root, without a slash at either end and without
 * "." and "..", so that two names of one file are one, and none leaves the folder below. */
#ifndef FTH_FS_FILE_NAMES_H
#define FTH_FS_FILE_NAMES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The name of `path`, which is relative to the root, or absolute and below `prefix` ("": there is
 * none). false: it leaves the file system, is the root itself or too long; errno is set. */
bool fth_file_name_of(const char *path, const char *prefix, char name[PATH_MAX]);
/* Is this such a name? `length` bytes without a zero. */
bool fth_file_name_is_valid(const char *name, size_t length);
/* Makes the folders above `name` in the folder `under`. false: errno is set. */
bool fth_file_names_make_folders(int under, const char *name);

/* What a file is called until it is whole in the folder below: in its folder, with a mark before
 * its name. false: the path gets too long. */
bool fth_file_name_of_part(const char *path, char part[PATH_MAX]);
/* The other way. false: it has no mark. */
bool fth_file_name_of_whole(const char *part, char path[PATH_MAX]);

/* The path that an open file has now, in this process; else, or with -1, `otherwise`. */
void fth_file_name_now(int file, const char *otherwise, char name[PATH_MAX]);

#endif
