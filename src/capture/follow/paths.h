/* Paths, and memory for them. Inner header of the capture room. */
#ifndef FTH_CAPTURE_FOLLOW_PATHS_H
#define FTH_CAPTURE_FOLLOW_PATHS_H

#include "capture/record/runtime.h"

/* `path` made absolute, as far as that is known without asking the file system. Stands until the
 * next one is. */
const char *fth_make_absolute(const char *path, int directory);
/* What becomes of the file that a path leads to: nothing that matters to others; it may be read; it
 * may be written, or is another one from now on. */
enum fth_path_use { FTH_PATH_NAMED, FTH_PATH_READ, FTH_PATH_WRITTEN };
bool fth_absolute_path_is_wanted(const char *path, enum fth_path_use use); /* filter.c */

/* Copies the text to `*room`, which has `*size` bytes; when these are too few, it is given back and
 * others are taken. False: there is no memory. */
bool fth_keep_text(char **room, uint32_t *size, const char *text, size_t length);

/* In a forked child: locks that other threads held are free. */
void fth_paths_in_child(void);
void fth_text_memory_in_child(void);

/* Something was renamed, which may have been a folder; and how often that was so, on this node. */
void fth_folder_renamed(void);
uint64_t fth_folder_renames(void);

#endif
