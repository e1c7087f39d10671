/* Goes through the parts of a path once and writes those that stay to where it began. */
#include "base/path_text.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fth_path_settle(char *path)
{
    bool folder = path[strlen(path) - 1] == '/';
    char *to = path;
    for (const char *from = path; *from;) {
        size_t length = strcspn(++from, "/");
        if (length == 2 && strncmp(from, "..", 2) == 0) {
            while (to > path && *--to != '/')
                ;
        } else if (length && !(length == 1 && *from == '.')) {
            *to++ = '/';
            memmove(to, from, length);
            to += length;
        }
        from += length;
    }
    if (to == path || folder)
        *to++ = '/';
    *to = 0;
}

char *fth_path_absolute(const char *path)
{
    char *here = *path == '/' ? fth_text_copy("") : getcwd(NULL, 0), *absolute = NULL;
    if (here) {
        absolute = fth_text_format("%s/%s", here, path);
        fth_path_settle(absolute);
    }
    free(here);
    return absolute;
}

char *fth_path_beside(const char *whole, const char *given, const char *other)
{
    if (!whole || !given || !other)
        return NULL;
    size_t length = strlen(whole), given_length = strlen(given), before;
    if (*other == '/')
        return fth_text_copy(other);
    if (*given == '/' || given_length > length || strcmp(whole + length - given_length, given) != 0)
        return NULL;
    before = length - given_length;
    char *path = fth_new(before + strlen(other) + 1, 1);
    memcpy(path, whole, before);
    strcpy(path + before, other);
    return path;
}

char *fth_path_below(const char *folder, const char *name)
{
    size_t length = strlen(folder);
    while (length && folder[length - 1] == '/')
        length--;
    return fth_text_format("%.*s/%s", (int)length, folder, name);
}
