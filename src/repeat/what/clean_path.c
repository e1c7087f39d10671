/* Paths without what leads elsewhere: see the header. */
#include "repeat/what/clean_path.h"

#include "base/memory.h"

#include <string.h>

char *fth_repeat_clean_path(const char *path)
{
    if (*path != '/')
        return NULL;
    char *clean = fth_new(strlen(path) + 2, 1);
    size_t length = 0;
    while (*path) {
        while (*path == '/')
            path++;
        size_t part = strcspn(path, "/");
        if (part == 2 && !memcmp(path, "..", 2)) {
            while (length && clean[--length] != '/')
                ;
        } else if (part && !(part == 1 && *path == '.')) {
            clean[length++] = '/';
            memcpy(clean + length, path, part);
            length += part;
        }
        path += part;
    }
    if (!length)
        clean[length++] = '/';
    clean[length] = 0;
    return clean;
}
