/* Names until files are whole. */
#include "fs/server/hidden_names.h"

#include "fs/protocol/file_names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool fth_hidden_name_is_only(int under, const char *path, int file)
{
    struct stat named, held;
    return fstatat(under, path, &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat(file, &held) == 0 &&
           named.st_dev == held.st_dev && named.st_ino == held.st_ino && held.st_nlink == 1;
}

bool fth_hidden_name_begin(int under, int file, char path[PATH_MAX], char part[PATH_MAX])
{
    char whole[PATH_MAX];
    *part = 0;
    if (!fth_hidden_name_is_only(under, path, file))
        return false;
    if (fth_file_name_of_whole(path, whole)) {
        strcpy(part, path);
        strcpy(path, whole);
    } else if (!fth_file_name_of_part(path, part) ||
               renameat2(under, path, under, part, RENAME_NOREPLACE)) {
        *part = 0;
    }
    return *part != 0;
}

int fth_hidden_name_end(int under, const char *part, const char *path)
{
    int failed = renameat2(under, part, under, path, RENAME_NOREPLACE);
    return failed && errno == EINVAL ? renameat(under, part, under, path) : failed;
}
