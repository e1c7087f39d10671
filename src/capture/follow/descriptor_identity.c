/* Which file a descriptor is of. Mostly its path says so, and nothing is noted: numbers of new
 * files cannot be predicted, and would make traces grow. Two things are noted. The path that the
 * system has for the file, where the program came to it by another one: through links,
 * /proc/self/fd, a folder that was renamed since it was opened. And the numbers of device and file,
 * where a path is not enough: of files with several names or none, of descriptors that came from
 * elsewhere, and of those that go elsewhere. Of a file that is opened to write, how long it was at
 * first, too. */
#include "capture/follow/descriptor_identity.h"

#include "base/hash.h"
#include "capture/follow/descriptor_path.h"
#include "capture/record/recorder_notes.h"
#include "interpose/own/put.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Before Linux 4.11, and in containers that do not know statx. */
static __attribute__((noinline)) bool ask_for_status(int directory, const char *path, int flags,
                                                     struct statx *facts)
{
    struct stat status;
    if (syscall(SYS_newfstatat, directory, path, &status, flags) != 0)
        return false;
    *facts = (struct statx){.stx_mask = STATX_BASIC_STATS,
                            .stx_size = (uint64_t)status.st_size,
                            .stx_mode = (uint16_t)status.st_mode,
                            .stx_ino = status.st_ino,
                            .stx_nlink = (uint32_t)status.st_nlink,
                            .stx_dev_major = major(status.st_dev),
                            .stx_dev_minor = minor(status.st_dev)};
    return true;
}

/* Asks for no more than is needed, and for what the node knows: how long a file is may be known to
 * servers only; a file system of the node says it unasked. NULL: it is not known. The answer stands
 * where texts are put together. */
static const struct statx *ask(int directory, const char *path, int flags)
{
    const unsigned wanted = STATX_TYPE | STATX_INO | STATX_NLINK;
    struct statx *facts = (struct statx *)fth_self->text;
    if (syscall(SYS_statx, directory, path, flags | AT_STATX_DONT_SYNC, wanted, facts) == 0)
        return (facts->stx_mask & wanted) == wanted ? facts : NULL;
    if ((errno != ENOSYS && errno != EPERM) || !ask_for_status(directory, path, flags, facts))
        return NULL;
    return facts;
}

static uint64_t device_of(const struct statx *facts)
{
    return makedev(facts->stx_dev_major, facts->stx_dev_minor);
}

static uint64_t size_of(const struct statx *facts)
{
    return facts->stx_mask & STATX_SIZE ? facts->stx_size + 1 : 0;
}

struct fth_identity_known fth_identity_of(int descriptor)
{
    struct fth_identity_known file = {0};
    int before = errno;
    const struct statx *facts = descriptor >= 0 ? ask(descriptor, "", AT_EMPTY_PATH) : NULL;
    if (facts && S_ISREG(facts->stx_mode))
        file = (struct fth_identity_known){.device = device_of(facts),
                                           .inode = facts->stx_ino,
                                           .links = facts->stx_nlink,
                                           .is_reported = facts->stx_nlink != 1,
                                           .size = size_of(facts)};
    else if (facts && S_ISDIR(facts->stx_mode))
        file = (struct fth_identity_known){
            .device = device_of(facts), .inode = facts->stx_ino, .is_folder = true};
    errno = before;
    return file;
}

/* By a hash of their numbers. */
enum { OPENED = 1024 };
static uint64_t opened[OPENED];

bool fth_identity_is_first(const struct fth_identity_known *file)
{
    uint64_t key = (file->device * 31 + file->inode) * 0x9e3779b97f4a7c15;
    return __atomic_exchange_n(&opened[key >> 54], key, __ATOMIC_RELAXED) != key;
}

void fth_identity_in_child(void)
{
    memset(opened, 0, sizeof opened);
}

struct fth_identity_known fth_identity_at(const char *path, bool *is_link)
{
    struct fth_identity_known file = {0};
    int before = errno;
    const struct statx *facts = ask(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW);
    *is_link = facts && S_ISLNK(facts->stx_mode);
    if (*is_link)
        facts = ask(AT_FDCWD, path, 0);
    if (facts && S_ISREG(facts->stx_mode))
        file = (struct fth_identity_known){
            .device = device_of(facts), .inode = facts->stx_ino, .links = facts->stx_nlink};
    errno = before;
    return file;
}

/* ---- paths ---- */

/* To ask for the path of a descriptor takes longer than to open it (3 us; 1 us what a name stands
 * for itself). So folders are remembered of which it was found that no link is on the way to them,
 * and names in them that were found to be no links, with the number of the file that they stood
 * for: by hashes. */
enum { FOLDERS = 64, NAMES = 512 };
static uint64_t plain_folders[FOLDERS], plain_names[NAMES];

struct fth_path_hashes fth_path_hashes_of(const char *path)
{
    struct fth_path_hashes hashes = {FTH_HASH_START, 0};
    for (; *path; path++) {
        hashes.path = fth_hash_bytes(hashes.path, path, 1);
        if (*path == '/')
            hashes.folder = hashes.path;
    }
    return hashes;
}

static bool knows(const uint64_t *place, uint64_t key)
{
    return __atomic_load_n(place, __ATOMIC_RELAXED) == key;
}

bool fth_folder_is_plain(struct fth_path_hashes hashes)
{
    return knows(&plain_folders[hashes.folder % FOLDERS], hashes.folder);
}

void fth_folder_plain(struct fth_path_hashes hashes)
{
    __atomic_store_n(&plain_folders[hashes.folder % FOLDERS], hashes.folder, __ATOMIC_RELAXED);
}

static bool is_plain(const char *path, struct fth_path_hashes hashes,
                     const struct fth_identity_known *file)
{
    uint64_t key = hashes.path ^ file->inode * 0x9e3779b97f4a7c15;
    uint64_t *name = &plain_names[hashes.path % NAMES];
    if (!fth_folder_is_plain(hashes))
        return false;
    if (knows(name, key))
        return true;
    const struct statx *facts = ask(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW);
    if (!facts || facts->stx_ino != file->inode || device_of(facts) != file->device)
        return false;
    __atomic_store_n(name, key, __ATOMIC_RELAXED);
    return true;
}

static const char gone[] = " (deleted)";

static const char *ask_for_path(int descriptor)
{
    char name[64], *real = fth_self->text;
    fth_put_decimal(fth_put_text(name, "/proc/self/fd/"), (uint64_t)descriptor);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, name, real, FTH_LONGEST_PATH - 1);
    if (length <= 0 || *real != '/')
        return NULL;
    real[length] = 0;
    return real;
}

/* Has the name nothing behind what `path` says, but that it is gone? */
static bool was_at(const char *path, const char *name)
{
    size_t length = strlen(path);
    return strncmp(path, name, length) == 0 && (!name[length] || strcmp(name + length, gone) == 0);
}

static bool is_gone(const char *name)
{
    size_t length = strlen(name);
    return length >= sizeof gone && strcmp(name + length - (sizeof gone - 1), gone) == 0;
}

const char *fth_real_path(int descriptor, const char *path, const struct fth_identity_known *file)
{
    int before = errno;
    struct fth_path_hashes hashes = fth_path_hashes_of(path);
    const char *real = is_plain(path, hashes, file) ? NULL : ask_for_path(descriptor);
    if (real && strcmp(real, path) == 0) {
        fth_folder_plain(hashes);
        real = NULL;
    } else if (real && is_gone(real)) {
        real = was_at(path, real) ? NULL : fth_descriptor_behind(path);
    }
    errno = before;
    return real;
}

/* ---- paths that lead elsewhere ---- */

static bool is_of_descriptor(const char *path)
{
    return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/dev/std", 8) == 0 ||
           (strncmp(path, "/proc/", 6) == 0 && strstr(path, "/fd/"));
}

/* Reads where a link leads to, and puts the rest of the path behind it. NULL: it is none, or that
 * is too long. */
static const char *read_any_link(const char *link, const char *rest)
{
    char *text = fth_self->text;
    size_t length_of_rest = strlen(rest);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, text, FTH_LONGEST_PATH - 1);
    if (length <= 0 || (size_t)length + length_of_rest >= FTH_LONGEST_PATH)
        return NULL;
    memcpy(text + length, rest, length_of_rest + 1);
    return text;
}

/* The same; NULL also if it leads to no path. */
static const char *read_link(const char *link, const char *rest)
{
    const char *found = read_any_link(link, rest);
    return found && *found == '/' ? found : NULL;
}

/* A pipe is opened by the path of a descriptor where shells pass it on as a file. */
bool fth_is_pipe_name(const char *name)
{
    return strncmp(name, "pipe:[", 6) == 0;
}

/* "/proc/123/cwd/f", "/proc/self/root/f", "/proc/123/fd/4/f": what process that is of, is no
 * matter. */
static const char *behind_process(const char *path)
{
    char link[64];
    const char *rest = strncmp(path, "/proc/", 6) == 0 ? strchr(path + 6, '/') : NULL;
    size_t length = rest ? (size_t)(rest - path) : 0;
    if (!length || length > sizeof link - sizeof "/root")
        return NULL;
    size_t digits = strncmp(rest, "/fd/", 4) == 0 ? strspn(rest + 4, "0123456789") : 0;
    if (strncmp(rest, "/cwd/", 5) == 0)
        length += 4;
    else if (strncmp(rest, "/root/", 6) == 0)
        length += 5;
    else if (digits && rest[4 + digits] == '/' && length + digits + 5 < sizeof link)
        length += 4 + digits;
    else
        return NULL;
    memcpy(link, path, length);
    link[length] = 0;
    return read_link(link, path + length);
}

const char *fth_led_to(const char *path)
{
    if (strncmp(path, "/proc/", 6) != 0 && strncmp(path, "/dev/", 5) != 0)
        return path;
    int before = errno;
    const char *found = behind_process(path);
    if (found)
        path = found;
    /* /dev/stdin leads to /proc/self/fd/0 */
    for (int i = 0; i < 2 && is_of_descriptor(path); i++) {
        found = read_any_link(path, "");
        if (!found || (*found != '/' && !fth_is_pipe_name(found)))
            break;
        path = found;
    }
    errno = before;
    return path;
}

const char *fth_link_led_to(const char *path)
{
    int before = errno;
    const char *found = read_link(path, "");
    errno = before;
    return found ? found : path;
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
    if (file->tells_size) {
        fth_put_text(fth_put_text(class_text, FTH_SIZE_OF), class_name);
        fth_record_binding(draft, class_text, slot, (int64_t)(file->size - 1), "", 0);
    }
    if (file->is_reported) {
        char *end = fth_put_decimal(name, file->device);
        if (file->links > 1)
            end = fth_put_decimal(fth_put_text(end, " "), file->links);
        fth_put_text(fth_put_text(class_text, FTH_FILE_OF), class_name);
        fth_record_binding(draft, class_text, slot, (int64_t)file->inode, name,
                           (size_t)(end - name));
    }
}
