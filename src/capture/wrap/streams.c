/* FILE * and DIR *, which stand on a descriptor that libc opens and closes out of our sight; and
 * small helpers of wrappers. */
#include "capture/wrap/streams.h"

#include "calls.h"
#include "capture/follow/handle_slots.h"
#include "capture/record/runtime.h"
#include "capture/wrap/stdio.h"
#include "interpose/own/readable.h"
#include "interpose/reach/reals.h"

#include <aio.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* libc's own functions, not our wrappers of them. */
/* What fileno() says, without a call: many programs make many short calls on streams. */
enum { HAS_FILE = 0x2000 /* in _flags of a stream: it is none in memory (libio.h) */ };
static int descriptor_of_stream(FILE *stream)
{
    return stream->_flags & HAS_FILE && stream->_fileno >= 0 ? stream->_fileno : -1;
}

static int descriptor_of_directory(DIR *directory)
{
    static int (*real)(DIR *);
    if (!real)
        real = (int (*)(DIR *))fth_real("dirfd");
    return real(directory);
}

static int32_t adopt(uint32_t handle_class, void *handle, int descriptor)
{
    int before = errno;
    int32_t slot =
        fth_bind_handle(handle_class, (uintptr_t)handle, fth_path_of_descriptor(descriptor));
    errno = before;
    return slot;
}

/* A stream is bound to a path; dup2 under it, as a shell redirects its output, binds it to another
 * one. */
int32_t fth_find_stream(uint32_t handle_class, void *stream)
{
    if (!stream)
        return FTH_SLOT_NONE;
    int descriptor = descriptor_of_stream(stream);
    uint32_t basis = descriptor < 0 ? 0 : fth_descriptor_generation(FTH_CLASS_fd, descriptor);
    int32_t slot = fth_find_handle(handle_class, (uintptr_t)stream);
    if (slot == FTH_SLOT_UNKNOWN ||
        (basis && fth_handle_basis(handle_class, slot, basis) != basis)) {
        slot = adopt(handle_class, stream, descriptor);
        fth_handle_stands_on(handle_class, slot, descriptor);
    }
    return slot;
}

int32_t fth_find_directory(uint32_t handle_class, void *directory)
{
    if (!directory)
        return FTH_SLOT_NONE;
    int32_t slot = fth_find_handle(handle_class, (uintptr_t)directory);
    return slot != FTH_SLOT_UNKNOWN
               ? slot
               : adopt(handle_class, directory, descriptor_of_directory(directory));
}

int32_t fth_open_stream(uint32_t handle_class, void *stream, const char *path, int directory)
{
    (void)directory;
    int descriptor = descriptor_of_stream(stream);
    int32_t slot = path ? fth_open_handle(handle_class, (uintptr_t)stream, path)
                        : adopt(handle_class, stream, descriptor);
    if (path)
        fth_opened_with(fth_open_descriptor(FTH_CLASS_fd, descriptor, path, AT_FDCWD),
                        __fwritable(stream) ? O_WRONLY : O_RDONLY);
    fth_stdio_opened(stream, path != NULL);
    fth_handle_stands_on(handle_class, slot, descriptor);
    return slot;
}

int32_t fth_open_directory(uint32_t handle_class, void *stream, const char *path, int directory)
{
    (void)directory;
    return path ? fth_open_handle(handle_class, (uintptr_t)stream, path)
                : adopt(handle_class, stream, descriptor_of_directory(stream));
}

int32_t fth_close_stream(uint32_t handle_class, void *stream)
{
    if (!stream)
        return FTH_SLOT_NONE;
    if (!fth_stdio_is_seen)
        fth_close_descriptor(FTH_CLASS_fd, descriptor_of_stream(stream));
    return fth_close_handle(handle_class, (uintptr_t)stream);
}

int32_t fth_close_directory(uint32_t handle_class, void *directory)
{
    if (!directory)
        return FTH_SLOT_NONE;
    fth_close_descriptor(FTH_CLASS_fd, descriptor_of_directory(directory));
    return fth_close_handle(handle_class, (uintptr_t)directory);
}

int64_t fth_open_descriptors(struct fth_draft *draft, uint32_t handle_class, const int *descriptors,
                             int64_t n, bool made)
{
    int64_t list[16];
    if (!made || n > 8)
        return 0;
    for (int64_t i = 0; i < n; i++) {
        list[2 * i] = fth_open_descriptor(handle_class, descriptors[i], NULL, AT_FDCWD);
        list[2 * i + 1] = descriptors[i] - list[2 * i];
    }
    return fth_list(draft, list, 2 * n, 8);
}

int64_t fth_iov_bytes(struct fth_draft *draft, const struct iovec *vector, int64_t n)
{
    uint64_t bytes = 0;
    if (n < 0 || n > IOV_MAX ||
        (!draft->worked && !fth_is_readable(vector, (size_t)n * sizeof *vector)))
        return 0;
    for (int64_t i = 0; i < n; i++)
        bytes += vector[i].iov_len;
    return (int64_t)bytes;
}

void fth_keep_aio(struct fth_draft *draft, uint32_t handle_class, int ordinal, const void *control)
{
    static const struct aiocb nothing = {.aio_fildes = -1};
    const struct aiocb *block = control;
    if (!draft->worked && !fth_is_readable(control, sizeof *block))
        block = &nothing;
    int32_t slot = fth_find_descriptor(handle_class, block->aio_fildes);
    fth_note_binding(draft, handle_class, slot);
    fth_about_now(draft, ordinal, slot);
    fth_keep(draft, slot);
    fth_keep_offset(draft, block->aio_offset, (int64_t)block->aio_nbytes);
    fth_keep(draft, (int64_t)block->aio_nbytes);
}

int64_t fth_aio_list(struct fth_draft *draft, uint32_t handle_class, const void *controls,
                     int64_t n)
{
    enum { MOST = 128, EACH = 4 };
    const struct aiocb *const *blocks = controls;
    int64_t list[MOST * EACH], count = 0;
    if (!controls || n < 0 || n > MOST ||
        (!draft->worked && !fth_is_readable(controls, (size_t)n * sizeof *blocks)))
        return 0;
    for (int64_t i = 0; i < n; i++) {
        const struct aiocb *block = blocks[i];
        if (!block || (!draft->worked && !fth_is_readable(block, sizeof *block)))
            continue;
        int32_t slot = fth_find_descriptor(handle_class, block->aio_fildes);
        fth_note_binding(draft, handle_class, slot);
        list[count++] = slot;
        list[count++] = block->aio_offset;
        list[count++] = (int64_t)block->aio_nbytes;
        list[count++] = block->aio_lio_opcode;
    }
    return fth_list(draft, list, count, sizeof *list);
}

int64_t fth_length(const char *text)
{
    return text ? (int64_t)strlen(text) : 0;
}
