/* Paths as texts. */
#ifndef FTH_BASE_PATH_TEXT_H
#define FTH_BASE_PATH_TEXT_H

/* Drops "." and doubled slashes, and takes ".." literally (links are not looked at), in an absolute
 * path. A slash at the end stays. In place. */
void fth_path_settle(char *path);
/* `path` made absolute, without "." and ".." and double slashes, links not looked at; to be freed.
 * NULL: no memory, or no working directory. */
char *fth_path_absolute(const char *path);

#endif
