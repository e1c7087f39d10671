/* Which descriptors are of files of the file system. */
#include "prefix/descriptors.h"

#include "fs/protocol/held_files.h"
#include "prefix/bytes_of_files.h"
#include "prefix/stand_ins.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- opening and closing ---- */

static void take_flags_off(int descriptor, int flags)
{
    if (!(flags & FTH_PREFIX_KEPT))
        return;
    fth_prefix_set_flags(descriptor, flags);
    syscall(SYS_fcntl, descriptor, F_SETFL, flags & ~FTH_PREFIX_KEPT);
}

static int refuse(int descriptor, int error)
{
    syscall(SYS_close, descriptor);
    errno = error;
    return -1;
}

static uint8_t uses_of(int flags)
{
    int access = flags & O_ACCMODE;
    return (uint8_t)((access != O_WRONLY ? FTH_PREFIX_READS : 0) |
                     (access != O_RDONLY ? FTH_PREFIX_WRITES : 0));
}

static int adopt(int descriptor, const struct stat *facts, const char *name, int flags,
                 bool truncated)
{
    char identity[FTH_IDENTITY_MOST];
    fth_identity_of(facts, identity);
    uint64_t signals = fth_prefix_enter();
    struct fth_client_file *file = fth_client_file(identity);
    bool done = fth_prefix_choose_model(file, name) && fth_prefix_opens(file, truncated);
    if (done) {
        file->handles++;
        fth_prefix_uses[descriptor] = uses_of(flags);
        fth_prefix_opened[descriptor] = file;
    }
    fth_prefix_leave(signals);
    return done ? descriptor : -1;
}

int fth_prefix_adopt(int descriptor, bool truncated)
{
    struct stat facts;
    char name[PATH_MAX];
    int before = errno, flags;
    if (descriptor < 0 || !fth_prefix.is_on || fth_prefix_file(descriptor))
        return descriptor;
    if (fstat(descriptor, &facts) || facts.st_dev != fth_prefix.device || !S_ISREG(facts.st_mode) ||
        (flags = fth_prefix_kernel_flags(descriptor)) & O_PATH ||
        !fth_prefix_is_below(descriptor, name)) {
        errno = before;
        return descriptor;
    }
    if (descriptor >= FTH_PREFIX_DESCRIPTORS)
        return refuse(descriptor, EMFILE);
    take_flags_off(descriptor, flags);
    if (fth_prefix_is_borrowed()) { /* the program that comes finds it again */
        errno = before;
        return descriptor;
    }
    if (adopt(descriptor, &facts, name, flags, truncated) < 0)
        return refuse(descriptor, errno);
    errno = before;
    return descriptor;
}

void fth_prefix_copied(int descriptor, int copy)
{
    struct fth_client_file *file = fth_prefix_file(descriptor);
    if (!file || copy < 0 || copy == descriptor || fth_prefix_is_borrowed())
        return;
    if (copy >= FTH_PREFIX_DESCRIPTORS)
        return;
    uint64_t signals = fth_prefix_enter();
    file->handles++;
    fth_prefix_uses[copy] = fth_prefix_uses[descriptor];
    fth_prefix_opened[copy] = file;
    fth_prefix_leave(signals);
}

/* The last one who writes a program here leaves all of it below. */
static bool settle_program(struct fth_client_file *file)
{
    if (!file->is_program || file->handles > 1)
        return true;
    file->is_program = false;
    return fth_prefix_settle(file);
}

int fth_prefix_closes(int descriptor)
{
    struct fth_client_file *file = fth_prefix_file(descriptor);
    if (!file || fth_prefix_is_borrowed())
        return 0;
    int before = errno;
    uint64_t signals = fth_prefix_enter();
    bool done = true;
    if (file->handles == 1 || fth_prefix_publishes(file, FTH_AT_CLOSE))
        done = fth_prefix_publish(file, descriptor) && settle_program(file);
    if (fth_prefix_fetches(file, FTH_AT_CLOSE))
        fth_prefix_fetch(file);
    fth_prefix_opened[descriptor] = NULL;
    file->handles--;
    if (file->writer == descriptor)
        file->writer = -1;
    fth_prefix_leave(signals);
    if (done)
        errno = before;
    return done ? 0 : -1;
}

/* ---- at the start of a program ---- */

struct entry {
    uint64_t inode;
    int64_t next;
    uint16_t length;
    uint8_t type;
    char name[];
};

static void adopt_listed(const char *buffer, long bytes, int listing)
{
    for (long at = 0; at < bytes;) {
        const struct entry *entry = (const struct entry *)(buffer + at);
        int descriptor = 0;
        const char *digit = entry->name;
        for (; *digit >= '0' && *digit <= '9'; digit++)
            descriptor = descriptor * 10 + (*digit - '0');
        if (!*digit && descriptor != listing && !fth_prefix_is_own(descriptor))
            fth_prefix_adopt(descriptor, false);
        at += entry->length;
    }
}

void fth_prefix_adopt_inherited(void)
{
    _Alignas(8) char buffer[4096];
    int listing = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long bytes;
    while (listing >= 0 && (bytes = syscall(SYS_getdents64, listing, buffer, sizeof buffer)) > 0)
        adopt_listed(buffer, bytes, listing);
    if (listing >= 0)
        close(listing);
}
