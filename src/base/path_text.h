/* Paths as texts. */
#ifndef FTH_BASE_PATH_TEXT_H
#define FTH_BASE_PATH_TEXT_H

/* Drops "." and doubled slashes, and takes ".." literally (links are not looked at), in an absolute
 * path. A slash at the end stays. In place. */
void fth_path_settle(char *path);
/* `path` made absolute, without "." and ".." and double slashes, links not looked at; to be freed.
 * NULL: no memory, or no working directory. */
char *fth_path_absolute(const char *path);
/* The second path of a call that names two (rename, link), absolute as the first one is known to
 * be: `whole` is that, and ends in `given`; `other` is the second one as it was given. NULL: it
 * cannot be known, or one of them is NULL. To be freed. */
char *fth_path_beside(const char *whole, const char *given, const char *other);

#endif
