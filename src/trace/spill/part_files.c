/* Files of merged worlds, found by name in their folder. */
#include "trace/spill/part_files.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS = 16 };
static const char begun[] = ".tmp";

bool fth_part_file_is_begun(const char *name)
{
    size_t length = strlen(name), size = sizeof begun - 1;
    return length > size && strcmp(name + length - size, begun) == 0;
}

/* PREFIX-0123456789abcdef, perhaps with .tmp behind it; `prefix` without its folder. */
static bool is_part(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0 || name[length] != '-')
        return false;
    const char *digits = name + length + 1;
    return strspn(digits, "0123456789abcdef") == DIGITS &&
           (!digits[DIGITS] || strcmp(digits + DIGITS, begun) == 0);
}

static bool is_ours(int folder, const char *name)
{
    struct stat facts;
    return fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(facts.st_mode) &&
           facts.st_uid == geteuid();
}

static int by_name(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

static int open_folder(const char *prefix, const char *slash)
{
    char *path = slash ? fth_text_part(prefix, (size_t)(slash - prefix) + 1) : fth_text_copy(".");
    int folder = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(path);
    return folder;
}

void fth_part_files_list(struct fth_part_files *files, const char *prefix)
{
    *files = (struct fth_part_files){.folder = -1};
    if (!prefix)
        return;
    const char *slash = strrchr(prefix, '/'), *base = slash ? slash + 1 : prefix;
    files->folder = *base ? open_folder(prefix, slash) : -1;
    int listed = files->folder < 0 ? -1 : fcntl(files->folder, F_DUPFD_CLOEXEC, 0);
    DIR *directory = listed < 0 ? NULL : fdopendir(listed);
    if (!directory && listed >= 0)
        close(listed);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (!is_part(entry->d_name, base) || !is_ours(files->folder, entry->d_name))
            continue;
        FTH_GROW(files->names, files->count);
        files->names[files->count++] = fth_text_copy(entry->d_name);
    }
    if (directory)
        closedir(directory);
    if (files->count)
        qsort(files->names, files->count, sizeof *files->names, by_name);
}

void fth_part_files_close(struct fth_part_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->names[i]);
    free(files->names);
    if (files->folder >= 0)
        close(files->folder);
    *files = (struct fth_part_files){.folder = -1};
}

int fth_part_file_open(const struct fth_part_files *files, size_t number, struct fth_error **error)
{
    struct stat facts;
    const char *name = files->names[number];
    int file = openat(files->folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return fth_fail_errno(error, "cannot open '%s'", name);
    if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == geteuid())
        return file;
    close(file);
    return fth_fail(error, "'%s' is not a regular file of this user", name);
}

void fth_part_files_remove(const struct fth_part_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        unlinkat(files->folder, files->names[i], 0);
}
