/* Names that calls have changed: renamed, linked, removed; and files that were cut off by their
 * names. Those who read the trace know the paths as they were given. So links on the way to such a
 * name are noted, each of them with what it leads to, once in a process. Where that does not tell
 * which file the name was of, it is noted that nobody knows. */
#include "base/hash.h"
#include "capture/follow/descriptor_identity.h"
#include "capture/follow/handle_slots.h"
#include "capture/follow/paths.h"
#include "capture/process/process.h"
#include "interpose/own/put.h"
#include "trace/record/spill.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_NOTED = 32, MOST_STEPS = 8, MOST_TEXT = 1024, MOST_NAMES = 256, MOST_FOLDERS = 64 };

/* ---- links ---- */

static uint64_t noted[MOST_NOTED]; /* by hashes; of the recording of this image of the process: */
static uint64_t noted_image;

static bool is_first_note(uint64_t link, bool *has_room)
{
    uint64_t image = fth_process->image;
    *has_room = true;
    if (__atomic_exchange_n(&noted_image, image, __ATOMIC_RELAXED) != image)
        for (size_t i = 0; i < MOST_NOTED; i++)
            __atomic_store_n(&noted[i], 0, __ATOMIC_RELAXED);
    for (size_t i = 0; i < MOST_NOTED; i++) {
        uint64_t known = 0;
        if (__atomic_compare_exchange_n(&noted[i], &known, link, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return true;
        if (known == link)
            return false;
    }
    return *has_room = false;
}

static bool note_link(const char *from, const char *to)
{
    bool has_room;
    size_t from_length = strlen(from), to_length = strlen(to);
    if (!fth_process || from_length + to_length > MOST_TEXT)
        return false;
    uint64_t link = fth_hash_bytes(FTH_HASH_START, from, from_length + 1);
    if (!is_first_note(fth_hash_bytes(link, to, to_length), &has_room))
        return has_room;
    char *text = fth_self->text + FTH_LONGEST_PATH, *end = fth_put_decimal(text, from_length);
    fth_put_text(fth_put_text(fth_put_text(fth_put_text(end, " "), from), " "), to);
    return fth_process_note(FTH_LINK_KEY "=", text);
}

/* "a//b" and "a/./b" are "a/b". */
static void drop_empty_parts(char *path)
{
    char *to = path;
    for (const char *from = path; *from;) {
        bool is_empty = *from == '/' && (from[1] == '/' || (from[1] == '.' && from[2] == '/'));
        if (is_empty)
            from += from[1] == '/' ? 1 : 2;
        else
            *to++ = *from++;
    }
    *to = 0;
}

static bool is_settled(const char *path)
{
    for (const char *at = path; *at; at++)
        if (*at == '/' && (at[1] == '/' || (at[1] == '.' && (at[2] == '/' || !at[2])) ||
                           (at[1] == '.' && at[2] == '.' && (at[3] == '/' || !at[3]))))
            return false;
    return true;
}

/* What the link `from`, in a folder without links on the way, leads to, absolute; `to` has what it
 * says. False: that is not found by its words alone. */
static bool make_target_absolute(const char *from, char *to)
{
    size_t length = strlen(to), folder = *to == '/' ? 0 : (size_t)(strrchr(from, '/') - from);
    char *target = to;
    while (*to != '/' && strncmp(target, "../", 3) == 0) {
        while (folder && from[--folder] != '/')
            ;
        target += 3;
        length -= 3;
    }
    while (length > 1 && target[length - 1] == '/')
        target[--length] = 0;
    size_t slash = *to != '/';
    if (folder + slash + length >= FTH_LONGEST_PATH)
        return false;
    memmove(to + folder + slash, target, length + 1);
    memcpy(to, from, folder);
    if (slash)
        to[folder] = '/';
    return to[1] && is_settled(to);
}

/* `path` is that of the link, with the rest of the path behind the byte that ends it. */
static bool follow(char *path, char *target, bool notes)
{
    size_t length = strlen(path), rest = strlen(path + length + 1);
    if (!notes || !make_target_absolute(path, target) || !note_link(path, target))
        return false;
    size_t before = strlen(target);
    if (before + 1 + rest >= FTH_LONGEST_PATH)
        return false;
    memmove(path + before + 1, path + length + 1, rest + 1);
    memcpy(path, target, before);
    path[before] = '/';
    return true;
}

static bool read_link(const char *path, char *target)
{
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, path, target, FTH_LONGEST_PATH - 1);
    target[length > 0 ? length : 0] = 0;
    return length > 0;
}

/* Follows links on the way to the name, in place; *count: how many. False: it is not known where
 * they lead, as behind "..", or in a folder of another process. */
static bool follow_links(char *path, unsigned *count)
{
    bool is_plain = is_settled(path) && strncmp(path, "/proc/", 6) != 0;
    for (size_t i = 1; path[i]; i++) {
        bool is_upwards = i >= 3 && memcmp(path + i - 3, "/..", 3) == 0;
        if (path[i] != '/' || path[i - 1] == '/' || is_upwards)
            continue;
        path[i] = 0;
        bool is_link = read_link(path, fth_self->text);
        if (is_link && !follow(path, fth_self->text, is_plain && (*count)++ < MOST_STEPS))
            return false;
        if (!is_link)
            path[i] = '/';
        else if (fth_folder_is_plain(fth_path_hashes_of(path)))
            return true;
        else
            i = 0;
    }
    return true;
}

/* ---- names ---- */

static void note_unknown(const char *path)
{
    static bool said;
    static char text[FTH_LONGEST_PATH];
    if (!fth_process || __atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
        return;
    char *end = fth_put_text(text, "which file has the name that pid ");
    end = fth_put_decimal(end, (uint64_t)fth_process->pid);
    end = fth_put_text(end, " changed: a link is on the way there");
    if (strlen(path) < sizeof text - 200)
        fth_put_text(fth_put_text(fth_put_text(end, " ("), path), ")");
    fth_process_note("unseen=", text);
}

/* What those who read the trace know: its own folders and descriptors. */
static bool is_own(const char *path)
{
    return strncmp(path, "/proc/self/", 11) == 0 || strncmp(path, "/proc/thread-self/", 18) == 0 ||
           strncmp(path, "/dev/fd/", 8) == 0;
}

/* By hashes: names that were found to be no links when their files were cut off. What the run makes
 * of them later is in the trace. */
static uint64_t plain_names[MOST_NAMES];

static bool is_plain_name(const char *path, uint64_t name)
{
    uint64_t *place = &plain_names[name % MOST_NAMES];
    if (__atomic_load_n(place, __ATOMIC_RELAXED) == name)
        return true;
    if (read_link(path, fth_self->text))
        return false;
    __atomic_store_n(place, name, __ATOMIC_RELAXED);
    return true;
}

/* By hashes: folders with links on the way, which are noted. */
static uint64_t followed[MOST_FOLDERS];

/* Is the way to the name known? Makes other paths in the place of this one. */
static bool is_known(char *path, bool follows)
{
    unsigned links = 0;
    struct fth_path_hashes hashes = fth_path_hashes_of(path);
    uint64_t folder = hashes.folder ^ (fth_process ? fth_process->image : 0),
             *place = &followed[folder % MOST_FOLDERS];
    bool is_plain = is_own(path) || fth_folder_is_plain(hashes) ||
                    __atomic_load_n(place, __ATOMIC_RELAXED) == folder;
    if (!is_plain) {
        drop_empty_parts(path);
        if (!follow_links(path, &links))
            return false;
        __atomic_store_n(place, folder, __ATOMIC_RELAXED);
        fth_folder_plain(fth_path_hashes_of(path)); /* that behind the links */
    }
    return !follows || is_plain_name(path, hashes.path);
}

void fth_name_is_changed(const char *given, int directory, bool follows)
{
    int before = errno;
    fth_make_absolute(given ? given : "", directory);
    if (given && *given && *fth_self->path == '/' && !is_known(fth_self->path, follows))
        note_unknown(fth_make_absolute(given, directory));
    errno = before;
}
