/* Paths without what leads elsewhere. */
#ifndef FTH_REPEAT_CLEAN_PATH_H
#define FTH_REPEAT_CLEAN_PATH_H

/* The path without "." and ".." and double slashes, to be freed; NULL: it is not absolute. */
char *fth_repeat_clean_path(const char *path);

#endif
