/* What of files others see, and what of others is seen. */
#include "prefix/publishing.h"

#include "fs/client/publish.h"
#include "fs/protocol/fs_messages.h"
#include "prefix/file_ends.h"
#include "prefix/fresh_bytes.h"
#include "prefix/given_files.h"

#include <errno.h>
#include <string.h>

/* A server that was started again may not have found the file. */
static bool publish_range(struct fth_client_file *file, int descriptor, uint64_t begin,
                          uint64_t end)
{
    file->below = fth_prefix_writer_of(file, descriptor); /* for its name, if that fails */
    bool done = fth_publish(file, begin, end);
    if (!done && errno == ESTALE && fth_prefix_hold(file, fth_prefix_writer_of(file, descriptor)))
        done = fth_publish(file, begin, end);
    file->below = -1;
    return done || (errno == EXDEV && fth_prefix_write_given(file, descriptor));
}

bool fth_prefix_publish(struct fth_client_file *file, int descriptor)
{
    if (!file->is_written && !fth_prefix_fresh_has(file))
        return true;
    if (!publish_range(file, descriptor, file->fresh_begin, file->fresh_end))
        return false;
    fth_prefix_fresh_clear(file);
    fth_prefix_tell_times(file, descriptor);
    return true;
}

bool fth_prefix_publish_all(void)
{
    bool done = true;
    for (size_t i = 0; i < fth_client.file_count; i++)
        if (fth_client.files[i]->handles && !fth_prefix_publish(fth_client.files[i], -1))
            done = false;
    return done;
}

/* Others may see bytes before a model wants it, but they have to see them when it does. What a
 * write that is under way has put into the buffer is attached as well. */
bool fth_prefix_publish_early(void)
{
    bool done = true;
    fth_prefix.was_early = true;
    for (size_t i = 0; i < fth_client.file_count; i++) {
        struct fth_client_file *file = fth_client.files[i];
        if (file->own.count && !publish_range(file, file->writer, 0, INT64_MAX))
            done = false;
        else
            fth_prefix_fresh_clear(file);
    }
    return done;
}

void fth_prefix_fetch(struct fth_client_file *file)
{
    file->wants_query = true;
}

void fth_prefix_fetch_all(void)
{
    for (size_t i = 0; i < fth_client.file_count; i++)
        fth_client.files[i]->wants_query = true;
}

static bool ask_to_settle(const char *name)
{
    struct fth_view view;
    fth_connection_begin(&fth_client.connection, FTH_MESSAGE_SETTLE);
    fth_bytes_text(&fth_client.connection.out, name, strlen(name));
    return fth_connection_ask(&fth_client.connection, &view);
}

bool fth_prefix_settle(struct fth_client_file *file)
{
    bool done = file ? fth_prefix_publish(file, -1) : fth_prefix_publish_all();
    done &= ask_to_settle(file ? file->name : "");
    if (file)
        fth_prefix_fetch(file);
    else
        fth_prefix_fetch_all();
    return done;
}
