/* Goes through the parts of a path once and writes those that stay to where it began. */
#include "base/path_text.h"

#include <stdbool.h>
#include <string.h>

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
