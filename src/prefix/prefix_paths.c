/* From the prefix to the folder below, and back. Absolute paths are changed, and those that begin
 * in a folder above the prefix or in it (a mount): whoever works in another folder of the file
 * system works in one of the folder below. */
#include "prefix/prefix_paths.h"

#include "fs/protocol/mount_note.h"
#include "prefix/prefix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The next component of a path; its length, 0 at the end. */
static size_t component(const char **at)
{
    while (**at == '/')
        ++*at;
    return strcspn(*at, "/");
}

static bool is_self(const char *name, size_t length)
{
    return length == 1 && *name == '.';
}

static bool is_parent(const char *name, size_t length)
{
    return length == 2 && name[0] == '.' && name[1] == '.';
}

/* Does `rest` leave the folder that it begins in? */
static bool leaves(const char *rest)
{
    int depth = 0;
    for (size_t length; (length = component(&rest)); rest += length) {
        if (is_parent(rest, length))
            depth--;
        else if (!is_self(rest, length))
            depth++;
        if (depth < 0)
            return true;
    }
    return false;
}

/* What is behind the prefix, whose names the path begins with; NULL: it does not. */
static const char *behind(const char *path, const char *prefix)
{
    size_t length;
    while ((length = component(&prefix))) {
        size_t own = component(&path);
        while (is_self(path, own)) {
            path += own;
            own = component(&path);
        }
        if (own != length || memcmp(path, prefix, length) != 0)
            return NULL;
        path += own;
        prefix += length;
    }
    return path;
}

static const char *change(const char *path, const char *asked, char room[PATH_MAX])
{
    const char *rest = behind(path, fth_prefix.at);
    if (!rest || leaves(rest))
        return asked;
    size_t length = strlen(rest);
    if (fth_prefix.under_length + length >= PATH_MAX)
        return asked;
    memmove(room + fth_prefix.under_length, rest, length + 1);
    memcpy(room, fth_prefix.under, fth_prefix.under_length);
    return room;
}

/* ---- the current folder ---- */

static enum { NOT_KNOWN, NEAR, ELSEWHERE } place;

bool fth_prefix_is_mounted(void)
{
    static enum { UNKNOWN, YES, NO } known;
    char text[FTH_MOUNT_TEXT];
    if (__atomic_load_n(&known, __ATOMIC_RELAXED) == UNKNOWN) {
        int note = fth_mount_note_open(fth_client.instance.folder, O_RDONLY);
        bool is = fth_mount_note_read(note, text) != FTH_NOT_MOUNTED &&
                  strcmp(text, fth_prefix.at) == 0;
        if (note >= 0)
            syscall(SYS_close, note);
        __atomic_store_n(&known, is ? YES : NO, __ATOMIC_RELAXED);
    }
    return known == YES;
}

void fth_prefix_moved(void)
{
    __atomic_store_n(&place, NOT_KNOWN, __ATOMIC_RELAXED);
}

/* Is it above the prefix, or in it? Then it is written to `room`, with a slash. */
static bool is_near(char room[PATH_MAX])
{
    if (__atomic_load_n(&place, __ATOMIC_RELAXED) == ELSEWHERE)
        return false;
    long length = syscall(SYS_getcwd, room, PATH_MAX); /* with its zero */
    bool is = length > 1 && (behind(fth_prefix.at, room) || behind(room, fth_prefix.at));
    if (is && room[length - 2] != '/' && length < PATH_MAX) {
        room[length - 1] = '/';
        room[length] = 0;
    }
    __atomic_store_n(&place, is ? NEAR : ELSEWHERE, __ATOMIC_RELAXED);
    return is;
}

static const char *from_current(const char *path, char room[PATH_MAX])
{
    int before = errno;
    bool is = is_near(room);
    errno = before;
    if (!is || !*path || strlen(room) + strlen(path) >= PATH_MAX)
        return path;
    strcat(room, path);
    return change(room, path, room);
}

const char *fth_prefix_path_at(int directory, const char *path, char room[PATH_MAX])
{
    if (!fth_prefix.is_on || !fth_prefix.translates || !path)
        return path;
    if (*path == '/')
        return change(path, path, room);
    return directory == AT_FDCWD ? from_current(path, room) : path;
}

const char *fth_prefix_path(const char *path, char room[PATH_MAX])
{
    return fth_prefix_path_at(AT_FDCWD, path, room);
}

int fth_prefix_folder_of(int directory, const char *path, const char **base)
{
    enum { FLAGS = O_PATH | O_DIRECTORY | O_CLOEXEC };
    char folder[PATH_MAX];
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    while (end && path[end - 1] != '/')
        end--;
    *base = path + end;
    if (!end || end >= sizeof folder)
        return (int)syscall(SYS_openat, directory, ".", FLAGS);
    memcpy(folder, path, end);
    folder[end] = 0;
    return (int)syscall(SYS_openat, directory, folder, FLAGS);
}

void fth_prefix_path_back(char *path, size_t room)
{
    if (!fth_prefix.is_on || !fth_prefix.translates || !path ||
        strncmp(path, fth_prefix.under, fth_prefix.under_length) != 0 ||
        (path[fth_prefix.under_length] != '/' && path[fth_prefix.under_length]))
        return;
    size_t rest = strlen(path + fth_prefix.under_length) + 1;
    if (fth_prefix.at_length + rest > room)
        return;
    memmove(path + fth_prefix.at_length, path + fth_prefix.under_length, rest);
    memcpy(path, fth_prefix.at, fth_prefix.at_length);
}
