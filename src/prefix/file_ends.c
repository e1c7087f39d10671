/* Where files end. */
#include "prefix/file_ends.h"

#include "fs/protocol/fs_messages.h"
#include "prefix/descriptor_table.h"
#include "prefix/fresh_bytes.h"
#include "prefix/given_files.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

bool fth_prefix_is_known(const struct fth_client_file *file)
{
    return fth_known_files_has(fth_prefix.known, file->bit);
}

static bool may_be_known(const char *identity)
{
    return fth_known_files_has(fth_prefix.known, fth_known_files_bit(identity, strlen(identity)));
}

bool fth_prefix_hold(struct fth_client_file *file, int descriptor)
{
    struct fth_view view;
    fth_client_begin_request(FTH_MESSAGE_HOLD, file);
    return fth_connection_ask_with(&fth_client.connection, descriptor, &view) || errno == EXDEV;
}

/* Of the file of a descriptor, or with -1 of any that it is written by, for its name. */
static void begin_request(uint8_t kind, const struct fth_client_file *file, int descriptor)
{
    fth_client_begin_request(kind, file);
    fth_client.connection.about_file =
        descriptor < 0 ? fth_prefix_writer_of(file, -1) : descriptor;
}

/* ---- asking ---- */

static int64_t greater(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

static int64_t new_end(const struct fth_client_file *file)
{
    return fth_prefix_fresh_has(file) ? (int64_t)file->fresh_end : 0;
}

/* -1: errno is set. */
static int64_t attached_end(const char *identity)
{
    struct fth_view view;
    if (!may_be_known(identity))
        return 0;
    fth_connection_begin(&fth_client.connection, FTH_MESSAGE_STAT);
    fth_bytes_text(&fth_client.connection.out, identity, strlen(identity));
    if (!fth_connection_ask(&fth_client.connection, &view))
        return -1;
    return (int64_t)fth_view_varint(&view);
}

static int64_t known_end(const struct fth_client_file *file, int descriptor)
{
    struct stat facts;
    return fstat(descriptor, &facts) ? -1 : greater(new_end(file), facts.st_size);
}

int64_t fth_prefix_end(struct fth_client_file *file, int descriptor)
{
    int64_t known = known_end(file, descriptor), attached = known < 0 ? -1 : attached_end(file->name);
    return attached < 0 ? -1 : greater(known, attached);
}

size_t fth_prefix_identity(const struct stat *facts, int directory, const char *path,
                           char identity[FTH_IDENTITY_MOST])
{
    bool is_on_several = fth_client.instance.server_count > 1;
    return fth_identity_of(facts, is_on_several ? fth_held_born(directory, path) : 0, identity);
}

struct fth_client_file *fth_prefix_find(const char *identity)
{
    uint32_t number;
    if (!fth_intern_find(&fth_client.names, identity, strlen(identity), &number))
        return NULL;
    struct fth_client_file *file = fth_client.files[number];
    return file->handles ? file : NULL;
}

bool fth_prefix_is_plain(const char *identity)
{
    uint32_t bit = fth_known_files_bit(identity, strlen(identity));
    return !fth_prefix_may_have(bit) && !fth_known_files_has(fth_prefix.known, bit);
}

int64_t fth_prefix_end_of(const char *identity, int64_t below)
{
    const struct fth_client_file *file = fth_prefix_find(identity);
    int64_t attached = attached_end(identity);
    return attached < 0 ? -1 : greater(attached, greater(file ? new_end(file) : 0, below));
}

int64_t fth_prefix_reserve(struct fth_client_file *file, int descriptor, int64_t bytes)
{
    struct fth_view view;
    int64_t end = known_end(file, descriptor);
    if (end < 0)
        return -1;
    begin_request(FTH_MESSAGE_RESERVE, file, descriptor);
    fth_bytes_varint(&fth_client.connection.out, (uint64_t)end);
    fth_bytes_varint(&fth_client.connection.out, (uint64_t)bytes);
    return fth_connection_ask(&fth_client.connection, &view) ? (int64_t)fth_view_varint(&view) : -1;
}

/* ---- changing ---- */

static bool ask_to_cut(const struct fth_client_file *file, int descriptor, uint64_t length)
{
    struct fth_view view;
    begin_request(FTH_MESSAGE_TRUNCATE, file, descriptor);
    fth_bytes_varint(&fth_client.connection.out, length);
    return fth_connection_ask(&fth_client.connection, &view);
}

/* A server that was started again, or has flushed it all, may not have the file. */
static bool cut_at_server(struct fth_client_file *file, int descriptor, uint64_t length)
{
    return ask_to_cut(file, descriptor, length) || errno == EXDEV ||
           (errno == ESTALE && descriptor >= 0 && fth_prefix_hold(file, descriptor) &&
            (ask_to_cut(file, descriptor, length) || errno == EXDEV));
}

bool fth_prefix_tell_length(struct fth_client_file *file, int descriptor, uint64_t length)
{
    fth_intervals_cut(&file->own, length, UINT64_MAX);
    fth_intervals_cut(&file->attached, length, UINT64_MAX);
    fth_intervals_cut(&file->seen, length, UINT64_MAX);
    fth_prefix_fresh_cut(file, length);
    file->seen_end = length;
    if (!fth_prefix_is_known(file) && (descriptor < 0 || !fth_prefix_hold(file, descriptor)))
        return descriptor < 0;
    return cut_at_server(file, descriptor, length);
}

bool fth_prefix_tell_cut(struct fth_connection *connection, const char *identity)
{
    struct fth_view view;
    if (!may_be_known(identity))
        return true;
    fth_connection_begin(connection, FTH_MESSAGE_TRUNCATE);
    fth_bytes_text(&connection->out, identity, strlen(identity));
    fth_bytes_varint(&connection->out, 0);
    return fth_connection_ask(connection, &view) || errno == EXDEV;
}

/* A file that is given to the system, since this call began, has its end there alone. */
static bool cut_below(const struct fth_client_file *file, int descriptor, const struct stat *facts,
                      uint64_t length)
{
    return (length >= (uint64_t)facts->st_size && !fth_prefix_may_be_given(file)) ||
           syscall(SYS_ftruncate, descriptor, length) == 0;
}

/* What nobody has attached anything of is cut off below alone. */
bool fth_prefix_truncate(struct fth_client_file *file, int descriptor, uint64_t length)
{
    struct stat facts;
    if (fstat(descriptor, &facts))
        return false;
    bool grows = length > (uint64_t)facts.st_size;
    if (!fth_prefix_tell_length(file, grows ? descriptor : -1, length) ||
        !cut_below(file, descriptor, &facts, length))
        return false;
    file->writer = descriptor;
    file->is_written = true;
    fth_prefix_tell_times(file, descriptor);
    return true;
}
