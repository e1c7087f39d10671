/* A relative path is in the folder that the first one is in. */
#include "model/ranges/second_path.h"

#include "base/memory.h"

#include <string.h>

char *fth_second_path(const char *whole, const char *given, const char *other)
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
