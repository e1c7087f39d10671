/* Paths as texts. */
#ifndef FTH_BASE_PATH_TEXT_H
#define FTH_BASE_PATH_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Drops "." and doubled slashes, and takes ".." literally (links are not looked at), in an absolute
 * path. A slash at the end stays. In place. */
void fth_path_settle(char *path);
/* A path that is relative to `folder`: what leads nowhere ("./") is taken from its beginning, and
 * for each "../" there the last name of the folder is, too. The folder is one that the system has
 * named: no links are on the way to it, so that its text says what is above it. If that is not
 * known ("" is no folder, one may end in ".."), the rest stays as it is. */
static inline void fth_path_climb(const char **path, size_t *length, const char *folder,
                                  size_t *folder_length)
{
    while (*folder_length && *folder == '/' && *length && **path == '.') {
        bool is_upwards = *length > 1 && (*path)[1] == '.';
        size_t part = is_upwards ? 2 : 1, last = *folder_length;
        bool is_all = part == *length;
        if (is_all ? !is_upwards : (*path)[part] != '/')
            return;
        while (last > 1 && folder[last - 1] == '/')
            last--;
        size_t end = last;
        while (last && folder[last - 1] != '/')
            last--;
        if (is_upwards && end - last == 2 && memcmp(folder + last, "..", 2) == 0)
            return;
        if (is_upwards)
            *folder_length = last > 1 ? last - 1 : 1;
        *path += part;
        *length -= part;
        while (*length && **path == '/') {
            (*path)++;
            (*length)--;
        }
    }
}
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
