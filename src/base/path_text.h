/* Paths as texts. */
#ifndef FTH_BASE_PATH_TEXT_H
#define FTH_BASE_PATH_TEXT_H

#include <stddef.h>
#include <string.h>

/* Drops "." and doubled slashes, and takes ".." literally (links are not looked at), in an absolute
 * path. A slash at the end stays. In place. */
void fth_path_settle(char *path);
/* How long the beginning of a path is that stands for the working directory of the process, as
 * "/proc/self/cwd/" does; or for its root, to the slash that it ends with, which is not counted. 0:
 * it has no such beginning. */
static inline size_t fth_path_own(const char *path, size_t length, const char *folder)
{
    static const char *const processes[] = {"/proc/self/", "/proc/thread-self/"};
    size_t folder_length = strlen(folder);
    for (size_t i = 0; i < 2; i++) {
        size_t size = strlen(processes[i]);
        if (length > size + folder_length && memcmp(path, processes[i], size) == 0 &&
            memcmp(path + size, folder, folder_length) == 0)
            return size + folder_length;
    }
    return 0;
}
static inline size_t fth_path_own_directory(const char *path, size_t length)
{
    return fth_path_own(path, length, "cwd/");
}
static inline size_t fth_path_own_root(const char *path, size_t length)
{
    size_t size = fth_path_own(path, length, "root/");
    return size ? size - 1 : 0;
}

/* `path` made absolute, without "." and ".." and double slashes, links not looked at; to be freed.
 * NULL: no memory, or no working directory. */
char *fth_path_absolute(const char *path);
/* The second path of a call that names two (rename, link), absolute as the first one is known to
 * be: `whole` is that, and ends in `given`; `other` is the second one as it was given. NULL: it
 * cannot be known, or one of them is NULL. To be freed. */
char *fth_path_beside(const char *whole, const char *given, const char *other);
/* "FOLDER/NAME", also where the folder was given with slashes at its end; to be freed. */
char *fth_path_below(const char *folder, const char *name);

#endif
