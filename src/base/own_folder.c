/* Folders of the user alone. */
#include "base/own_folder.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(const char *name, const struct stat *facts, struct fth_error **error)
{
    if (facts->st_uid != geteuid())
        return fth_fail(error,
                        "'%s' belongs to user %u: only your own folders are accepted, because "
                        "their contents determine which files are read and removed",
                        name, (unsigned)facts->st_uid);
    return fth_fail(
        error,
        "others may write into '%s': only your own folders are accepted, because their contents "
        "determine which files are read and removed; if you trust all its files, use `chmod go-w`",
        name);
}

/* "LINK/" and "LINK/." are what the link leads to: without those ends the name is that of the link.
 * To be freed. */
static char *without_end(const char *name)
{
    char *copy = strcpy(fth_new(strlen(name) + 1, 1), name);
    size_t length = strlen(copy);
    while (length > 1 &&
           (copy[length - 1] == '/' || (copy[length - 1] == '.' && copy[length - 2] == '/')))
        copy[--length] = 0;
    return copy;
}

static int open_folder(int at, const char *name, struct fth_error **error)
{
    struct stat facts;
    int folder = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0 && fstatat(at, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(facts.st_mode))
        return fth_fail(error, "'%s' is a symbolic link: give the folder itself", name);
    if (folder < 0)
        return fth_fail_errno(error, "cannot open the folder '%s'", name);
    if (fstat(folder, &facts) == 0 && facts.st_uid == geteuid() && !(facts.st_mode & 022))
        return folder;
    close(folder);
    return refuse(name, &facts, error);
}

int fth_own_folder(int at, const char *name, struct fth_error **error)
{
    char *end = without_end(name);
    int folder = open_folder(at, end, error);
    free(end);
    return folder;
}

int fth_own_folder_file(int folder, const char *name)
{
    struct stat facts;
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
        facts.st_uid == geteuid())
        return file;
    if (file >= 0)
        close(file);
    return -1;
}
