/* Files of programs that the server holds: a descriptor of each, by which it is written whatever
 * its name is by now. */
#include "fs/server/published_held.h"

#include "base/memory.h"
#include "fs/protocol/held_files.h"
#include "fs/server/change_record.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ssize_t fth_published_name_of(int file, char name[PATH_MAX])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, PATH_MAX - 1);
    name[length > 0 ? length : 0] = 0;
    return length;
}

char *fth_published_name(const struct fth_published *published, uint32_t number)
{
    const struct fth_published_file *file = fth_keyed_item(&published->files, number);
    char name[PATH_MAX], under[PATH_MAX];
    size_t length;
    const char *path = fth_published_path(published, number, &length);
    if (!file->is_held)
        return fth_text_part(path, length);
    ssize_t end = fth_published_name_of(file->held, name),
            start = fth_published_name_of(published->under, under);
    if (end > start && start > 0 && memcmp(name, under, (size_t)start) == 0 && name[start] == '/')
        return fth_text_part(name + start + 1, (size_t)(end - start - 1));
    return fth_text_part(name, end > 0 ? (size_t)end : 0);
}

void fth_published_keep_held(struct fth_published *published, const char *identity, size_t length,
                             int file)
{
    struct fth_published_file *held = fth_published_file(published, identity, length);
    if (held->is_held) {
        close(file);
        return;
    }
    held->is_held = true;
    published->held_count++;
    held->held = file;
    held->is_passed = false;
    fth_known_files_add(published->known, identity, length);
}

/* An open file of the server's own: the program's has its locks, which end with the last descriptor
 * of it. Where nobody may open the file to write any more, only the program's is there to write. */
static int open_own(int passed)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", passed);
    int own = open(link, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (own < 0)
        return passed;
    close(passed);
    return own;
}

int fth_published_hold(struct fth_published *published, const char *identity, size_t length,
                       int file, struct fth_error **error)
{
    char name[PATH_MAX];
    struct fth_change_record record = {.kind = FTH_CHANGE_HELD, .path = identity, .length = length};
    ssize_t name_length = fth_published_name_of(file, name);
    if (fth_published_file(published, identity, length)->is_held) {
        close(file);
        return 0;
    }
    int passed = file;
    file = open_own(passed);
    bool is_passed = file == passed;
    record.name = name;
    record.name_length = name_length > 0 ? (size_t)name_length : 0;
    record.born = fth_held_born(file, "");
    int failed = fth_change_make(published, NULL, &record, error);
    if (failed) {
        close(file);
        return failed;
    }
    fth_published_keep_held(published, identity, length, file);
    fth_published_file(published, identity, length)->is_passed = is_passed;
    return 0;
}

bool fth_published_has_no_name(const struct fth_published_file *file)
{
    struct stat facts;
    return file->is_held && fstat(file->held, &facts) == 0 && !facts.st_nlink;
}

bool fth_published_is_gone(const struct fth_published_file *file)
{
    if (file->is_passed || !fth_published_has_no_name(file) ||
        fcntl(file->held, F_SETLEASE, F_WRLCK))
        return false;
    fcntl(file->held, F_SETLEASE, F_UNLCK);
    return true;
}

void fth_published_hold_to_read(struct fth_published_file *file)
{
    char link[64];
    if (!file->is_held || (fcntl(file->held, F_GETFL) & O_ACCMODE) == O_RDONLY)
        return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file->held);
    int other = open(link, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (other < 0)
        return;
    close(file->held);
    file->held = other;
    file->is_passed = false;
}
