/* Which file a descriptor is of. Mostly its path tells, and nothing is noted: numbers of new files cannot be predicted, and would make traces grow. Two things are noted. The
 * path that the system has for the file, where the program came to it by another one: through links, /proc/self/fd, a folder that was renamed since it was opened. And the
 * numbers of device and file, where a path is not enough: of files with several names or none, of descriptors that came from elsewhere, and of those that go elsewhere. */
#include "capture/identity.h"

#include "capture/files.h"
#include "capture/process.h"
#include "capture/put.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

bool fth_record_binding(struct fth_draft *draft, const char *class_name, int32_t slot,
                        int64_t number, const char *name, size_t length); /* recorder.c */

struct fth_identity_known fth_identity_of(int descriptor)
{
    struct stat status;
    struct fth_identity_known file = {0};
    int before = errno;
    if (descriptor >= 0 && syscall(SYS_fstat, descriptor, &status) == 0 && S_ISREG(status.st_mode))
        file = (struct fth_identity_known){.device = status.st_dev,
                                           .inode = status.st_ino,
                                           .links = (uint32_t)status.st_nlink,
                                           .is_told = status.st_nlink != 1};
    errno = before;
    return file;
}

/* ---- paths ---- */

/* To ask for the path of a descriptor takes longer than to open it. So folders are remembered of which it was found that no link is on the way to them (by a hash of their paths), and
 * of a file in such a folder it is asked only whether it is what its name stands for itself. */
enum { FOLDERS = 64 };
static uint64_t plain_folders[FOLDERS];

static uint64_t hash_of_folder(const char *path)
{
    uint64_t hash = 0xcbf29ce484222325, folder = 0;
    for (; *path; path++) {
        hash = (hash ^ (unsigned char)*path) * 0x100000001b3;
        if (*path == '/')
            folder = hash;
    }
    return folder;
}

static bool is_plain(const char *path, uint64_t folder, const struct fth_identity_known *file)
{
    struct stat status;
    return __atomic_load_n(&plain_folders[folder % FOLDERS], __ATOMIC_RELAXED) == folder &&
           syscall(SYS_newfstatat, AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           status.st_ino == file->inode && status.st_dev == file->device;
}

static const char *ask_for_path(int descriptor)
{
    static const char gone[] = " (deleted)";
    char name[64], *real = fth_self->text;
    fth_put_decimal(fth_put_text(name, "/proc/self/fd/"), (uint64_t)descriptor);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, name, real, FTH_LONGEST_PATH - 1);
    if (length <= 0 || *real != '/')
        return NULL;
    real[length] = 0;
    bool is_gone = (size_t)length >= sizeof gone &&
                   strcmp(real + (size_t)length - (sizeof gone - 1), gone) == 0;
    return is_gone ? NULL : real;
}

const char *fth_real_path(int descriptor, const char *path, const struct fth_identity_known *file)
{
    int before = errno;
    uint64_t folder = hash_of_folder(path);
    const char *real = is_plain(path, folder, file) ? NULL : ask_for_path(descriptor);
    if (real && strcmp(real, path) == 0) {
        __atomic_store_n(&plain_folders[folder % FOLDERS], folder, __ATOMIC_RELAXED);
        real = NULL;
    }
    errno = before;
    return real;
}

static bool is_of_descriptor(const char *path)
{
    return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/dev/std", 8) == 0 ||
           (strncmp(path, "/proc/", 6) == 0 && strstr(path, "/fd/"));
}

const char *fth_led_to(const char *path)
{
    int before = errno;
    /* /dev/stdin leads to /proc/self/fd/0 */
    for (int i = 0; i < 2 && is_of_descriptor(path); i++) {
        char *text = fth_self->text;
        ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, path, text, FTH_LONGEST_PATH - 1);
        if (length <= 0 || *text != '/')
            break;
        text[length] = 0;
        path = text;
    }
    errno = before;
    return path;
}

void fth_identity_note(struct fth_draft *draft, const char *class_name, int32_t slot,
                       const struct fth_identity_known *file, const char *real, size_t length)
{
    char class_text[sizeof FTH_FILE_OF + 64], name[64];
    if (strlen(class_name) >= 64)
        return;
    if (length) {
        fth_put_text(fth_put_text(class_text, FTH_PATH_OF), class_name);
        fth_record_binding(draft, class_text, slot, 0, real, length);
    }
    if (file->is_told) {
        char *end = fth_put_decimal(name, file->device);
        if (file->links > 1)
            end = fth_put_decimal(fth_put_text(end, " "), file->links);
        fth_put_text(fth_put_text(class_text, FTH_FILE_OF), class_name);
        fth_record_binding(draft, class_text, slot, (int64_t)file->inode, name,
                           (size_t)(end - name));
    }
}
