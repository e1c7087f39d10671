/* Which descriptors are of files of the file system. */
#include "prefix/descriptors.h"

#include "fs/protocol/held_files.h"
#include "prefix/bytes_of_files.h"
#include "prefix/publishing.h"
#include "prefix/file_ends.h"
#include "prefix/giving.h"
#include "prefix/model_choice.h"
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

static bool cut_below(int descriptor)
{
    return syscall(SYS_ftruncate, descriptor, 0) == 0;
}

/* The server knows it first: from then on nobody writes bytes to the file below that were attached
 * before. */
static bool take(struct fth_client_file *file, int descriptor, const char *name, int flags,
                 enum fth_prefix_cut cut)
{
    file->below = descriptor; /* for its name, in what is said of bytes that cannot be had */
    bool done =
        fth_prefix_choose_model(file, name) && fth_prefix_opens(file, cut != FTH_NOT_CUT);
    file->below = -1;
    return done &&
           (cut == FTH_NOT_CUT || (flags & O_ACCMODE) == O_RDONLY || cut_below(descriptor));
}

/* The file is given: the descriptor is a plain one. */
static bool leave_to_system(int descriptor, int flags, enum fth_prefix_cut cut)
{
    int kept = fth_prefix_flags(descriptor);
    if (kept) {
        syscall(SYS_fcntl, descriptor, F_SETFL, flags | kept);
        fth_prefix_set_flags(descriptor, 0);
    }
    return cut != FTH_TO_CUT || cut_below(descriptor);
}

static int adopt(int descriptor, const struct stat *facts, const char *name, int flags,
                 enum fth_prefix_cut cut)
{
    char identity[FTH_IDENTITY_MOST];
    size_t length = fth_prefix_identity(facts, descriptor, "", identity);
    uint64_t signals = fth_prefix_enter();
    struct fth_client_file *file = fth_client_file(identity);
    file->bit = fth_known_files_bit(identity, length);
    bool is_given = fth_prefix_may_be_given(file);
    bool done = is_given ? fth_prefix_give_again(file) && leave_to_system(descriptor, flags, cut)
                         : take(file, descriptor, name, flags, cut);
    if (done && !is_given) {
        take_flags_off(descriptor, flags);
        file->handles++;
        fth_prefix_uses[descriptor] = uses_of(flags);
        fth_prefix_set_file(descriptor, file);
    }
    fth_prefix_leave(signals);
    return done ? descriptor : -1;
}

/* The child of a vfork asks by a connection of its own: what it opens, its parent does not have.
 * The program that comes finds the descriptor again. */
static bool cut_borrowed(int descriptor, const struct stat *facts)
{
    char identity[FTH_IDENTITY_MOST];
    struct fth_connection own = {.instance = &fth_client.instance};
    fth_prefix_identity(facts, descriptor, "", identity);
    uint64_t signals = fth_prefix_enter();
    bool done = fth_prefix_publish_all() && fth_prefix_tell_cut(&own, identity);
    fth_connection_close(&own);
    fth_bytes_free(&own.in);
    fth_bytes_free(&own.out);
    fth_prefix_leave(signals);
    return done && cut_below(descriptor);
}

static bool borrowed(int descriptor, const struct stat *facts, int flags, enum fth_prefix_cut cut)
{
    take_flags_off(descriptor, flags);
    return cut == FTH_NOT_CUT || cut_borrowed(descriptor, facts);
}

static bool may_be_ours(int descriptor, struct stat *facts)
{
    return fstat(descriptor, facts) == 0 && facts->st_dev == fth_prefix.device &&
           S_ISREG(facts->st_mode);
}

static bool is_ours(int descriptor, struct stat *facts, int *flags, char name[PATH_MAX])
{
    return may_be_ours(descriptor, facts) &&
           !((*flags = fth_prefix_kernel_flags(descriptor)) & O_PATH) &&
           fth_prefix_is_below(descriptor, name);
}

static int cut_other(int descriptor, const struct stat *facts)
{
    return S_ISREG(facts->st_mode) && !cut_below(descriptor) ? refuse(descriptor, errno)
                                                             : descriptor;
}

static int take_ours(int descriptor, const struct stat *facts, const char *name, int flags,
                     enum fth_prefix_cut cut)
{
    int before = errno;
    if (descriptor >= FTH_PREFIX_DESCRIPTORS)
        return refuse(descriptor, EMFILE);
    bool done = fth_prefix_is_borrowed() ? borrowed(descriptor, facts, flags, cut)
                                         : adopt(descriptor, facts, name, flags, cut) >= 0;
    if (!done)
        return refuse(descriptor, errno);
    errno = before;
    return descriptor;
}

static int leave_other(int descriptor, const struct stat *facts, enum fth_prefix_cut cut)
{
    int before = errno;
    int result = cut == FTH_TO_CUT ? cut_other(descriptor, facts) : descriptor;
    if (result >= 0)
        errno = before;
    return result;
}

int fth_prefix_adopt(int descriptor, enum fth_prefix_cut cut)
{
    struct stat facts = {.st_mode = 0};
    char name[PATH_MAX];
    int before = errno, flags;
    if (descriptor < 0 || !fth_prefix.is_on ||
        (fth_prefix_file(descriptor) && cut == FTH_NOT_CUT))
        return descriptor;
    bool ours = is_ours(descriptor, &facts, &flags, name);
    errno = before;
    return ours ? take_ours(descriptor, &facts, name, flags, cut)
                : leave_other(descriptor, &facts, cut);
}

int fth_prefix_adopt_below(int descriptor, const char *name, int flags, enum fth_prefix_cut cut)
{
    struct stat facts = {.st_mode = 0};
    int before = errno;
    bool ours = may_be_ours(descriptor, &facts);
    errno = before;
    return ours ? take_ours(descriptor, &facts, name, flags, cut)
                : leave_other(descriptor, &facts, cut);
}

void fth_prefix_copied(int descriptor, int copy)
{
    struct fth_client_file *file = fth_prefix_file(descriptor);
    if (!file || copy < 0 || copy == descriptor || fth_prefix_is_borrowed())
        return;
    if (copy >= FTH_PREFIX_DESCRIPTORS)
        return;
    uint64_t signals = fth_prefix_enter();
    if (fth_prefix_file(descriptor) == file) {
        file->handles++;
        fth_prefix_uses[copy] = fth_prefix_uses[descriptor];
        fth_prefix_set_file(copy, file);
    }
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

static bool closes(struct fth_client_file *file, int descriptor)
{
    bool done = true;
    if (file->handles == 1 || fth_prefix_publishes(file, FTH_AT_CLOSE))
        done = fth_prefix_publish(file, descriptor) && settle_program(file);
    if (fth_prefix_fetches(file, FTH_AT_CLOSE))
        fth_prefix_fetch(file);
    fth_prefix_set_file(descriptor, NULL);
    file->handles--;
    if (file->writer == descriptor)
        file->writer = -1;
    return done;
}

int fth_prefix_closes(int descriptor)
{
    if (!fth_prefix_file(descriptor) || fth_prefix_is_borrowed())
        return 0;
    int before = errno;
    uint64_t signals = fth_prefix_enter();
    struct fth_client_file *file = fth_prefix_file(descriptor);
    bool done = !file || closes(file, descriptor);
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
            fth_prefix_adopt(descriptor, FTH_NOT_CUT);
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
