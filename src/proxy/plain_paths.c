/* Names, and the numbers in them. */
#include "proxy/plain_paths.h"

#include "base/memory.h"
#include "repeat/what/clean_path.h"
#include "base/text.h"

#include <string.h>

bool fth_name_is_constant(const char *text)
{
    bool any = *text >= 'A' && *text <= 'Z';
    for (; *text && any; text++)
        any = (*text >= 'A' && *text <= 'Z') || (*text >= '0' && *text <= '9') || *text == '_';
    return any;
}

enum { MARK = 1, NO_MARK = '_' }; /* of a number in a name; and what a name has instead of it */

static char *put_bytes(char *to, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        to[i] = bytes[i] == MARK ? NO_MARK : bytes[i];
    return to + length;
}

/* One part of a path, up to the next slash. `..` is left of a path whose folder is not known. */
static char *put_part(char *to, const char *part, size_t length)
{
    bool up = length == 2 && !memcmp(part, "..", 2);
    return put_bytes(to, up ? "up" : part, length);
}

static bool leads_up(const char *path)
{
    for (const char *at = path; (at = strstr(at, "..")); at += 2)
        if ((at == path || at[-1] == '/') && (!at[2] || at[2] == '/'))
            return true;
    return false;
}

/* `..` leads to another place of the same tree, which other calls may name otherwise. */
static char *resolved(const char *path, const char *directory)
{
    if (!leads_up(path) || (*path != '/' && (!directory || *directory != '/')))
        return NULL;
    char *whole = *path == '/' ? fth_text_copy(path) : fth_text_format("%s/%s", directory, path);
    char *clean = fth_repeat_clean_path(whole);
    free(whole);
    return clean;
}

static char *plain_name(const char *path, const char *directory)
{
    size_t below = directory ? strlen(directory) : 0;
    if (below > 1 && !strncmp(path, directory, below) && path[below] == '/')
        path += below + 1;
    else if (below && !strcmp(path, directory))
        path = ".";
    char *own = fth_new(strlen(path) + 2, 1), *to = own;
    for (path += strspn(path, "/"); *path;) {
        size_t length = strcspn(path, "/"), slashes = strspn(path + length, "/");
        to = put_part(to, path, length);
        if (slashes && path[length + slashes])
            *to++ = '/';
        path += length + slashes;
    }
    if (!*own)
        *own = '.';
    return own;
}

char *fth_name_of_path(const char *path, const char *directory)
{
    char *whole = resolved(path, directory);
    char *name = plain_name(whole ? whole : path, directory);
    free(whole);
    return name;
}

/* How many characters both paths have in common, up to the end of a part. */
static size_t common_parts(const char *one, const char *other)
{
    size_t common = 0, i = 0;
    for (; one[i] && one[i] == other[i]; i++)
        if (one[i] == '/')
            common = i + 1;
    bool ends_one = !one[i] || one[i] == '/', ends_other = !other[i] || other[i] == '/';
    return i && ends_one && ends_other ? i : common;
}

/* From a folder to a file, both below the folder of the program. */
static char *way_between(const char *folder, const char *file)
{
    if (!strcmp(folder, "."))
        return fth_text_copy(file);
    size_t common = common_parts(folder, file), ups = 0;
    const char *down = file + common + (file[common] == '/');
    for (const char *at = folder + common + (folder[common] == '/'); *at; ups++) {
        at += strcspn(at, "/");
        at += *at == '/';
    }
    char *way = fth_new(3 * ups + strlen(down) + 2, 1);
    for (size_t i = 0; i < ups; i++)
        strcat(way, "../");
    strcat(way, strcmp(down, ".") ? down : "");
    if (!*way)
        strcpy(way, ".");
    return way;
}

char *fth_name_from_folder(const char *path, const struct fth_name_folders *folders)
{
    const char *directory = folders->directory;
    bool is_moved = !fth_text_same(folders->run, folders->own),
         is_away = is_moved || !fth_text_same(folders->own, directory);
    if (!is_away || !folders->run || !folders->own)
        return fth_name_of_path(path, directory);
    if (!is_moved && *path != '/' && !leads_up(path))
        return plain_name(path, NULL);
    char *whole = *path == '/' ? fth_text_copy(path) : fth_text_format("%s/%s", folders->run, path),
         *file = fth_name_of_path(whole, directory),
         *folder = fth_name_of_path(folders->own, directory), *way = way_between(folder, file);
    free(whole);
    free(file);
    free(folder);
    return way;
}

enum { MOST_DIGITS = 15, MOST_NUMBERS = 8 };

size_t fth_name_parse(const char *name, char **text, int64_t numbers[static 8],
                      unsigned widths[static 8])
{
    char *to = *text = fth_new(strlen(name) + 1, 1);
    size_t count = 0;
    while (*name) {
        size_t digits = strspn(name, "0123456789");
        if (!digits || digits > MOST_DIGITS || count == MOST_NUMBERS) {
            size_t as_is = digits ? digits : 1;
            to = put_bytes(to, name, as_is);
            name += as_is;
            continue;
        }
        widths[count] = *name == '0' && digits > 1 ? (unsigned)digits : 0;
        numbers[count++] = strtoll(name, NULL, 10);
        *to++ = MARK;
        name += digits;
    }
    return count;
}
