/* ioctl. Some of its commands change which bytes a file has, or compare those of files. These are
 * recorded as operations, with the bytes that they concern; all others as calls of ioctl. */
#include "calls.h"
#include "capture/life/begin.h"
#include "capture/wrap/real.h"
#include "capture/wrap/wrap_libc.h"
#include "interpose/own/readable.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *real_ioctl;

/* A call of the program. */
struct asked {
    uintptr_t frame;
    int fd;
    unsigned long command;
    void *argument;
};

/* The direction and the size of what a command is given are not looked at. */
#define KIND_OF(command) ((command)&0xffff)
#define KIND(type, number) ((type) << 8 | (number))

static int call_real(const struct asked *asked)
{
    return REAL(ioctl)(asked->fd, asked->command, asked->argument);
}

/* False: it is not recorded. */
static bool begin(struct fth_draft *call, const struct asked *asked, uint32_t function,
                  uint32_t context)
{
    if (!fth_begin_at(call, function, context, asked->frame))
        return false;
    int32_t slot = fth_find_descriptor(FTH_CLASS_fd, asked->fd);
    if (slot == FTH_EXCLUDED) {
        fth_pass(call);
        return false;
    }
    fth_note_binding(call, FTH_CLASS_fd, slot);
    fth_about(call, 0, slot);
    fth_keep(call, slot);
    return true;
}

/* The same of what is recorded of the command when it has returned. */
static bool begin_after(struct fth_draft *call, const struct asked *asked, int fd,
                        uint32_t function, uint32_t context)
{
    struct asked other = *asked;
    other.fd = fd;
    if (!begin(call, &other, function, context))
        return false;
    fth_start(call);
    fth_end(call);
    call->worked = true;
    return true;
}

/* What a command was given, as far as it is there. */
static void take(void *into, const void *given, size_t bytes)
{
    memset(into, 0, bytes);
    if (given && fth_is_readable(given, bytes))
        memcpy(into, given, bytes);
}

static int64_t size_of(int fd)
{
    struct stat facts;
    int before = errno;
    int64_t size = syscall(SYS_fstat, fd, &facts) == 0 ? facts.st_size : 0;
    errno = before;
    return size;
}

static int64_t place_of(int fd)
{
    int before = errno;
    int64_t place = syscall(SYS_lseek, fd, 0, SEEK_CUR);
    errno = before;
    return place > 0 ? place : 0;
}

/* ---- holes, zeros, room ---- */

/* What the kernel takes from XFS: struct space_resv. */
struct space {
    int16_t type, whence;
    int64_t start, length;
    int32_t more[6];
};

/* The mode of fallocate that does the same, or -1. */
static int mode_of_space(unsigned long command)
{
    switch (KIND_OF(command)) {
    case KIND('X', 40): /* FS_IOC_RESVSP, FS_IOC_RESVSP64 */
    case KIND('X', 42):
        return FALLOC_FL_KEEP_SIZE;
    case KIND('X', 41): /* FS_IOC_UNRESVSP, FS_IOC_UNRESVSP64 */
    case KIND('X', 43):
        return FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE;
    case KIND('X', 57): /* FS_IOC_ZERO_RANGE */
        return FALLOC_FL_KEEP_SIZE | FALLOC_FL_ZERO_RANGE;
    default:
        return -1;
    }
}

static int change_space(const struct asked *asked, int mode)
{
    struct fth_draft call;
    struct space space;
    if (!begin(&call, asked, FTH_CALL_ioctl_space, FTH_CONTEXT_ioctl_space))
        return call_real(asked);
    take(&space, asked->argument, sizeof space);
    int64_t from = space.whence == SEEK_CUR   ? place_of(asked->fd)
                   : space.whence == SEEK_END ? size_of(asked->fd)
                                              : 0;
    fth_start(&call);
    int result = call_real(asked);
    fth_end(&call);
    call.asked = space.length;
    fth_keep(&call, mode);
    fth_keep_offset(&call, fth_plus(from, space.start), call.asked);
    fth_keep(&call, space.length);
    fth_keep_status(&call, result);
    return result;
}

/* ---- clones ---- */

/* As many bytes as were asked for, or all to the end of the source. */
static int clone_range(const struct asked *asked, struct file_clone_range range)
{
    struct fth_draft call;
    int from = (int)range.src_fd;
    if (!fth_begin_at(&call, FTH_CALL_ioctl_clone, FTH_CONTEXT_ioctl_clone, asked->frame))
        return call_real(asked);
    int32_t slot_from = fth_find_descriptor(FTH_CLASS_fd, from);
    int32_t slot_to = fth_find_descriptor(FTH_CLASS_fd, asked->fd);
    if (slot_from == FTH_EXCLUDED && slot_to == FTH_EXCLUDED) {
        fth_pass(&call);
        return call_real(asked);
    }
    slot_from = slot_from == FTH_EXCLUDED ? FTH_SLOT_UNKNOWN : slot_from;
    slot_to = slot_to == FTH_EXCLUDED ? FTH_SLOT_UNKNOWN : slot_to;
    fth_note_binding(&call, FTH_CLASS_fd, slot_from);
    fth_about(&call, 0, slot_from);
    fth_note_binding(&call, FTH_CLASS_fd, slot_to);
    fth_start(&call);
    int result = call_real(asked);
    fth_end(&call);
    int64_t left = size_of(from) - (int64_t)range.src_offset;
    int64_t count = range.src_length ? (int64_t)range.src_length : left > 0 ? left : 0;
    int64_t from_at = fth_plus((int64_t)range.src_offset, result < 0 ? 0 : count);
    int64_t to_at = fth_plus((int64_t)range.dest_offset, result < 0 ? 0 : count);
    call.worked = true; /* the lists are our own */
    call.asked = count;
    fth_keep(&call, slot_from);
    fth_keep(&call, fth_list(&call, &from_at, 1, sizeof from_at));
    fth_keep(&call, slot_to);
    fth_keep(&call, fth_list(&call, &to_at, 1, sizeof to_at));
    fth_keep(&call, count);
    call.worked = result >= 0;
    fth_keep_moved(&call, result < 0 ? -1 : count, true);
    fth_commit_data(&call, result < 0 ? -1 : count);
    return result;
}

/* ---- others ---- */

static int call_as_ioctl(const struct asked *asked)
{
    struct fth_draft call;
    if (!begin(&call, asked, FTH_CALL_ioctl, FTH_CONTEXT_ioctl))
        return call_real(asked);
    fth_start(&call);
    int result = call_real(asked);
    fth_end(&call);
    fth_keep(&call, (int64_t)asked->command);
    fth_keep_status(&call, result);
    return result;
}

static void note_compared(const struct asked *asked, int fd, uint64_t offset, uint64_t count)
{
    struct fth_draft call;
    if (!begin_after(&call, asked, fd, FTH_CALL_ioctl_compare, FTH_CONTEXT_ioctl_compare))
        return;
    call.asked = (int64_t)count;
    fth_keep(&call, (int64_t)count);
    fth_keep_offset(&call, (int64_t)offset, call.asked);
    fth_keep_moved(&call, (int64_t)count, true);
    fth_commit_data(&call, (int64_t)count);
}

/* It replaces bytes by the same ones, so that to compare them is all that others notice. */
static int deduplicate(const struct asked *asked)
{
    int result = call_as_ioctl(asked);
    const struct file_dedupe_range *range = asked->argument;
    if (result < 0)
        return result;
    note_compared(asked, asked->fd, range->src_offset, range->src_length);
    for (unsigned i = 0; i < range->dest_count; i++)
        if (range->info[i].status >= 0)
            note_compared(asked, (int)range->info[i].dest_fd, range->info[i].dest_offset,
                          range->src_length);
    return result;
}

/* Commands that change bytes of a file, and maybe of another one whose descriptor stands in what
 * they are given: at which bytes is not recorded. */
static const struct {
    unsigned kind;
    int other_at; /* -1: no other file */
} changes[] = {
    {KIND('X', 10), -1},   /* XFS_IOC_ALLOCSP: the file is that long then */
    {KIND('X', 11), -1},   /* XFS_IOC_FREESP */
    {KIND('X', 36), -1},   /* XFS_IOC_ALLOCSP64 */
    {KIND('X', 37), -1},   /* XFS_IOC_FREESP64 */
    {KIND('X', 109), 16},  /* XFS_IOC_SWAPEXT */
    {KIND('X', 129), 0},   /* XFS_IOC_EXCHANGE_RANGE */
    {KIND('X', 131), 0},   /* XFS_IOC_COMMIT_RANGE */
    {KIND('f', 15), 4},    /* EXT4_IOC_MOVE_EXT */
    {KIND('f', 17), -1},   /* EXT4_IOC_SWAP_BOOT */
    {KIND(0xf5, 9), 0},    /* F2FS_IOC_MOVE_RANGE */
    {KIND(0x94, 64), -1},  /* BTRFS_IOC_ENCODED_WRITE */
    {KIND(0x12, 119), -1}, /* BLKDISCARD */
    {KIND(0x12, 125), -1}, /* BLKSECDISCARD */
    {KIND(0x12, 127), -1}, /* BLKZEROOUT */
};
enum { CHANGES = sizeof changes / sizeof *changes };

static size_t change_of(unsigned long command)
{
    size_t i = 0;
    while (i < CHANGES && changes[i].kind != KIND_OF(command))
        i++;
    return i;
}

static int change(const struct asked *asked, int other_at)
{
    struct fth_draft call;
    if (!begin(&call, asked, FTH_CALL_ioctl_change, FTH_CONTEXT_ioctl_change))
        return call_real(asked);
    fth_start(&call);
    int result = call_real(asked);
    fth_end(&call);
    fth_keep(&call, (int64_t)asked->command);
    fth_keep_status(&call, result);
    int other = -1;
    if (result < 0 || other_at < 0)
        return result;
    memcpy(&other, (const char *)asked->argument + other_at, sizeof other);
    if (!begin_after(&call, asked, other, FTH_CALL_ioctl_change, FTH_CONTEXT_ioctl_change))
        return result;
    fth_keep(&call, (int64_t)asked->command);
    fth_keep_status(&call, result);
    return result;
}

FTH_PUBLIC int ioctl(int fd, unsigned long command, ...)
{
    va_list more;
    va_start(more, command);
    const struct asked asked = {FRAME, fd, command, va_arg(more, void *)};
    va_end(more);
    int mode = mode_of_space(command);
    size_t as_change = change_of(command);
    struct file_clone_range range = {.src_fd = (int)(intptr_t)asked.argument};
    if (mode >= 0)
        return change_space(&asked, mode);
    if (as_change < CHANGES)
        return change(&asked, changes[as_change].other_at);
    if (command == FIDEDUPERANGE)
        return deduplicate(&asked);
    if (command == FICLONERANGE)
        take(&range, asked.argument, sizeof range);
    else if (command != FICLONE)
        return call_as_ioctl(&asked);
    return clone_range(&asked, range);
}
