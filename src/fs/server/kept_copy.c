/* The copy of what another node has. */
#include "fs/server/kept_copy.h"

#include "base/memory.h"
#include "fs/protocol/buffer_file.h"
#include "fs/server/beats.h"
#include "fs/server/request.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OPEN = 256 /* buffers */ };

struct kept_buffer {
    int file; /* 0: not open */
};

struct fth_kept_copy {
    int folder; /* -1: closed */
    uint32_t server;
    int journal;              /* -1: not open */
    uint64_t last;            /* number of a message of records; 0: not known, all are to come */
    struct fth_keyed buffers; /* by number of client, of struct kept_buffer */
};

void fth_kept_copy_path(const struct fth_fs_instance *instance, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%.*s/" FTH_INSTANCE_COPY, PATH_MAX - 8, instance->path);
}

/* Where the buffers of this instance are, if they are not in its folder. */
static bool find_buffers(const struct fth_fs_instance *instance, char buffers[PATH_MAX])
{
    ssize_t length = readlinkat(instance->folder, "buffers", buffers, PATH_MAX - 1);
    buffers[length > 0 ? length : 0] = 0;
    char *slash = strrchr(buffers, '/');
    if (slash)
        *slash = 0;
    return slash != NULL;
}

static int make(const struct fth_fs_instance *instance, const char *path, struct fth_error **error)
{
    char buffers[PATH_MAX];
    struct fth_fs_instance copy = *instance;
    copy.server = fth_copied_by(instance);
    copy.copies = 1;
    copy.is_taken_over = true;
    bool are_elsewhere = find_buffers(instance, buffers);
    if (fth_instance_make(&copy, path, are_elsewhere ? buffers : NULL, error))
        return -1;
    close(copy.under);
    return copy.folder;
}

struct fth_kept_copy *fth_kept_copy_open(const struct fth_fs_instance *instance, bool *is_again,
                                         struct fth_error **error)
{
    char path[PATH_MAX];
    fth_kept_copy_path(instance, path);
    int folder = openat(instance->folder, FTH_INSTANCE_COPY,
                        O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    *is_again = folder >= 0;
    if (folder < 0)
        folder = make(instance, path, error);
    if (folder < 0)
        return NULL;
    struct fth_kept_copy *kept = fth_new(1, sizeof *kept);
    *kept = (struct fth_kept_copy){.folder = folder,
                                   .server = fth_copied_by(instance),
                                   .journal = -1,
                                   .buffers.size = sizeof(struct kept_buffer)};
    return kept;
}

static void close_buffers(struct fth_kept_copy *kept)
{
    for (uint32_t i = 0; i < fth_keyed_count(&kept->buffers); i++) {
        const struct kept_buffer *buffer = fth_keyed_item(&kept->buffers, i);
        if (buffer->file > 0)
            close(buffer->file);
    }
    fth_keyed_free(&kept->buffers);
    kept->buffers = (struct fth_keyed){.size = sizeof(struct kept_buffer)};
}

void fth_kept_copy_close(struct fth_kept_copy *kept)
{
    if (!kept || kept->folder < 0)
        return;
    close_buffers(kept);
    if (kept->journal >= 0)
        close(kept->journal);
    close(kept->folder);
    kept->folder = kept->journal = -1;
}

void fth_kept_copy_free(struct fth_kept_copy *kept)
{
    fth_kept_copy_close(kept);
    free(kept);
}

static struct fth_kept_copy *kept_of(struct fth_request *request)
{
    struct fth_kept_copy *kept = request->requests->kept;
    if (kept && kept->folder >= 0)
        return kept;
    request->error = ENOTSUP;
    return NULL;
}

static bool write_at(int file, const uint8_t *from, size_t bytes, uint64_t offset)
{
    while (bytes) {
        ssize_t count = pwrite(file, from, bytes, (off_t)offset);
        if (count <= 0 && (!count || errno != EINTR))
            return false;
        from += count > 0 ? count : 0;
        offset += count > 0 ? (uint64_t)count : 0;
        bytes -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

/* ---- bytes ---- */

static int buffer_of(struct fth_kept_copy *kept, uint32_t client)
{
    char name[32];
    if (fth_keyed_count(&kept->buffers) > MOST_OPEN)
        close_buffers(kept);
    struct kept_buffer *buffer = fth_keyed_get(&kept->buffers, &client, sizeof client);
    if (buffer->file > 0)
        return buffer->file;
    snprintf(name, sizeof name, "buffers/%u", client);
    int file = openat(kept->folder, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    buffer->file = file > 0 ? file : 0;
    return file;
}

/* A segment has its generation before it has bytes of it, as in the buffer itself. */
static bool write_generations(int file, uint64_t place, uint64_t bytes)
{
    const uint32_t generation = (uint32_t)(place >> FTH_PLACE_SHIFT);
    uint32_t last = fth_place_segment(place + bytes - 1);
    for (uint32_t segment = fth_place_segment(place); segment <= last; segment++)
        if (!write_at(file, (const uint8_t *)&generation, sizeof generation,
                      segment * sizeof generation))
            return false;
    return true;
}

static bool is_place(uint64_t place, uint64_t bytes)
{
    return bytes && bytes <= FTH_FETCH_MOST && fth_place_offset(place) >= FTH_BUFFER_HEAD &&
           fth_place_offset(place + bytes - 1) > fth_place_offset(place) - 1 &&
           place >> FTH_PLACE_SHIFT == (place + bytes - 1) >> FTH_PLACE_SHIFT &&
           fth_place_segment(place + bytes - 1) < FTH_BUFFER_SEGMENTS;
}

void fth_request_copy_bytes(struct fth_request *request)
{
    struct fth_kept_copy *kept = kept_of(request);
    uint64_t owner = fth_view_varint(request->message), place = fth_view_varint(request->message),
             bytes = fth_view_left(request->message);
    const uint8_t *from = fth_view_bytes(request->message, bytes);
    if (!kept)
        return;
    if (!from || owner > UINT32_MAX || fth_server_of((uint32_t)owner) != kept->server ||
        !is_place(place, bytes)) {
        request->error = EBADMSG;
        return;
    }
    int file = buffer_of(kept, (uint32_t)owner);
    if (file < 0 || !write_generations(file, place, bytes) ||
        !write_at(file, from, bytes, fth_place_offset(place)))
        request->error = errno == ENOSPC ? ENOSPC : EIO;
}

/* ---- records ---- */

static int open_journal(const struct fth_kept_copy *kept, const char *name, int flags)
{
    return openat(kept->folder, name,
                  O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
}

static bool append(int file, const uint8_t *from, size_t bytes)
{
    while (bytes) {
        ssize_t count = write(file, from, bytes);
        if (count <= 0 && (!count || errno != EINTR))
            return false;
        from += count > 0 ? count : 0;
        bytes -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

static bool put_all(struct fth_kept_copy *kept, const uint8_t *from, size_t bytes)
{
    int file = open_journal(kept, "journal-next", O_TRUNC);
    if (file < 0 || !append(file, from, bytes) ||
        renameat(kept->folder, "journal-next", kept->folder, "journal")) {
        if (file >= 0)
            close(file);
        return false;
    }
    if (kept->journal >= 0)
        close(kept->journal);
    kept->journal = file;
    return true;
}

/* What came before is there already; where something is missing, all is to come. */
void fth_request_copy_records(struct fth_request *request)
{
    struct fth_kept_copy *kept = kept_of(request);
    uint64_t number = fth_view_varint(request->message);
    bool are_all = fth_view_varint(request->message) != 0;
    size_t bytes = fth_view_left(request->message);
    const uint8_t *from = fth_view_bytes(request->message, bytes);
    if (!kept)
        return;
    if (!from) {
        request->error = EBADMSG;
    } else if (kept->last && number <= kept->last) {
        return;
    } else if (!are_all && (!kept->last || number != kept->last + 1)) {
        request->error = ESTALE;
    } else if (are_all ? put_all(kept, from, bytes) : append(kept->journal, from, bytes)) {
        kept->last = number;
    } else {
        kept->last = 0; /* a piece of a record may be there */
        request->error = EIO;
    }
}
