/* Names of files in the file system. */
#include "fs/protocol/file_names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool refuse(int error)
{
    errno = error;
    return false;
}

/* Takes the last part of a name away; false: there is none. */
static bool one_up(char *name, size_t *length)
{
    if (!*length)
        return false;
    while (*length && name[*length - 1] != '/')
        --*length;
    if (*length)
        --*length;
    name[*length] = 0;
    return true;
}

bool fth_file_name_of(const char *path, const char *prefix, char name[PATH_MAX])
{
    size_t length = 0, skip = strlen(prefix);
    if (*path == '/' &&
        (!skip || strncmp(path, prefix, skip) != 0 || (path[skip] != '/' && path[skip] != 0)))
        return refuse(EACCES);
    for (path += *path == '/' ? skip : 0; *path;) {
        size_t part = strcspn(path, "/");
        if (part == 2 && path[0] == '.' && path[1] == '.') {
            if (!one_up(name, &length))
                return refuse(EACCES);
        } else if (part && !(part == 1 && path[0] == '.')) {
            if (part > NAME_MAX || length + part + 2 > PATH_MAX)
                return refuse(ENAMETOOLONG);
            if (length)
                name[length++] = '/';
            memcpy(name + length, path, part);
            length += part;
        }
        path += part + (path[part] == '/');
    }
    name[length] = 0;
    return length || refuse(EISDIR);
}

bool fth_file_name_is_valid(const char *name, size_t length)
{
    char copy[PATH_MAX], again[PATH_MAX];
    if (!length || length >= sizeof copy || memchr(name, 0, length))
        return false;
    memcpy(copy, name, length);
    copy[length] = 0;
    return *copy != '/' && fth_file_name_of(copy, "", again) && strcmp(copy, again) == 0;
}

bool fth_file_names_make_folders(int under, const char *name)
{
    char folder[PATH_MAX];
    if (snprintf(folder, sizeof folder, "%s", name) >= (int)sizeof folder)
        return refuse(ENAMETOOLONG);
    for (char *slash = strchr(folder, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdirat(under, folder, 0755) && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return true;
}

/* ---- until a file is whole ---- */

static const char mark[] = ".fathom-part-";

static const char *last_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool fth_file_name_of_part(const char *path, char part[PATH_MAX])
{
    const char *last = last_of(path);
    return snprintf(part, PATH_MAX, "%.*s%s%s", (int)(last - path), path, mark, last) < PATH_MAX;
}

bool fth_file_name_of_whole(const char *part, char path[PATH_MAX])
{
    const char *last = last_of(part);
    return strncmp(last, mark, sizeof mark - 1) == 0 && last[sizeof mark - 1] &&
           snprintf(path, PATH_MAX, "%.*s%s", (int)(last - part), part, last + sizeof mark - 1) <
               PATH_MAX;
}

void fth_file_name_now(int file, const char *otherwise, char name[PATH_MAX])
{
    char link[64];
    ssize_t length = -1;
    if (file >= 0) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        length = readlinkat(AT_FDCWD, link, name, PATH_MAX - 1);
    }
    if (length > 0)
        name[length] = 0;
    else
        snprintf(name, PATH_MAX, "%s", otherwise);
}
