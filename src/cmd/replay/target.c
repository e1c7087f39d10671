/* The folder of a replay: see the header. */
#include "cmd/replay/target.h"

#include "base/error.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { BLOCK = 1 << 20 };

static bool must_be_there(const struct fth_repeat_place *place)
{
    return place->below && !place->folder && place->before == FTH_REPEAT_PRESENT;
}

static int check_empty(const char *into, struct fth_error **error)
{
    DIR *folder = opendir(into);
    if (!folder)
        return errno == ENOENT ? 0 : fth_fail_errno(error, "cannot use '%s'", into);
    const struct dirent *entry;
    bool is_empty = true;
    while ((entry = readdir(folder)))
        is_empty &= !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
    closedir(folder);
    return is_empty ? 0
                    : fth_fail(error,
                               "'%s' is not empty, and a replay writes over nothing; name a new "
                               "folder with --into",
                               into);
}

static int check_space(const char *around, const struct fth_repeat_places *places,
                       struct fth_error **error)
{
    struct statvfs space;
    uint64_t needed = 0;
    for (size_t i = 0; i < fth_repeat_place_count(places); i++) {
        const struct fth_repeat_place *place = fth_repeat_place_at(places, i);
        if (must_be_there(place) && __builtin_add_overflow(needed, place->length, &needed))
            needed = UINT64_MAX;
    }
    if (statvfs(around, &space) != 0)
        return fth_fail_errno(error, "cannot use the folder '%s'; name another one with --into",
                              around);
    uint64_t there = (uint64_t)space.f_bavail * space.f_frsize;
    if (needed <= there)
        return 0;
    return fth_fail(error,
                    "the files that the run read have %llu MB, and there are %llu MB free in '%s'; "
                    "name a folder elsewhere with --into",
                    (unsigned long long)needed / 1000000, (unsigned long long)there / 1000000,
                    around);
}

int fth_replay_check_target(const char *into, const struct fth_repeat_places *places,
                            struct fth_error **error)
{
    if (check_empty(into, error))
        return -1;
    char *copy = fth_text_copy(into);
    int result = check_space(dirname(copy), places, error);
    free(copy);
    return result;
}

/* ---- files ---- */

static int fill(int file, uint64_t length)
{
    static char block[BLOCK];
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = (char)('a' + (i * 7 + i / 4096) % 26);
    while (length) {
        size_t part = length < sizeof block ? (size_t)length : sizeof block;
        ssize_t written = write(file, block, part);
        if (written < 0 && errno != EINTR)
            return -1;
        length -= written > 0 ? (uint64_t)written : 0;
    }
    return 0;
}

static int make_file(const char *into, const struct fth_repeat_place *place,
                     struct fth_error **error)
{
    char *path = fth_text_format("%s/%s", into, place->below);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    place->is_executable ? 0700 : 0600);
    int result = file < 0 ? -1 : fill(file, place->length);
    if (result)
        fth_fail_errno(error, "cannot make '%s'", path);
    if (file >= 0)
        close(file);
    free(path);
    return result;
}

int fth_replay_make_files(const char *into, const struct fth_repeat_places *places,
                          struct fth_error **error)
{
    if (mkdir(into, 0700) != 0 && errno != EEXIST)
        return fth_fail_errno(error, "cannot make the folder '%s'", into);
    for (size_t i = 0; i < fth_repeat_folder_count(places); i++) {
        char *path = fth_text_format("%s/%s", into, fth_repeat_folder_at(places, i));
        int result = mkdir(path, 0700) != 0 && errno != EEXIST
                         ? fth_fail_errno(error, "cannot make the folder '%s'", path)
                         : 0;
        free(path);
        if (result)
            return result;
    }
    for (size_t i = 0; i < fth_repeat_place_count(places); i++) {
        const struct fth_repeat_place *place = fth_repeat_place_at(places, i);
        if (must_be_there(place) && make_file(into, place, error))
            return -1;
    }
    return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    (void)remove(path);
    return 0;
}

void fth_replay_remove(const char *folder)
{
    enum { OPEN_FOLDERS = 16 };
    (void)nftw(folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

void fth_replay_remove_files(const char *into, bool is_new, const struct fth_repeat_places *places)
{
    for (size_t i = 0; i < fth_repeat_folder_count(places); i++) {
        char *path = fth_text_format("%s/%s", into, fth_repeat_folder_at(places, i));
        fth_replay_remove(path);
        free(path);
    }
    if (is_new)
        (void)rmdir(into);
}
