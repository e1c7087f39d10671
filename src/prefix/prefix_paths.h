/* Paths below the prefix, as paths of the folder below. */
#ifndef FTH_PREFIX_PREFIX_PATHS_H
#define FTH_PREFIX_PREFIX_PATHS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The path to give to the system: `path` itself, or what is put together in `room`. */
const char *fth_prefix_path(const char *path, char room[PATH_MAX]);
/* The same of a path that begins in `directory`. */
const char *fth_prefix_path_at(int directory, const char *path, char room[PATH_MAX]);
/* Is the prefix a mount (fs/protocol/mount_note.h), by the path that the program knows? */
bool fth_prefix_is_mounted(void);
/* The current folder is another one. */
void fth_prefix_moved(void);
/* The folder that a path of the system ends in, opened as a path; -1: errno is set. *base: what is
 * behind it. */
int fth_prefix_folder_of(int directory, const char *path, const char **base);
/* The other way, in place: what the system says, as the program knows it. `room` bytes. */
void fth_prefix_path_back(char *path, size_t room);

#endif
