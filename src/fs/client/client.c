/* The state of this process as a client. */
#include "fs/client/client.h"

#include "base/memory.h"
#include "base/settings.h"
#include "fs/protocol/file_names.h"
#include "fs/protocol/fs_messages.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fth_client fth_client = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                .peers.size = sizeof(struct fth_buffer_file)};

static void before_fork(void)
{
    pthread_mutex_lock(&fth_client.lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&fth_client.lock);
}

void fth_client_forked(void)
{
    fth_connection_leave(&fth_client.connection);
    if (fth_client.buffer.map)
        close(fth_client.buffer.file);
    fth_own_buffer_leave(&fth_client.buffer);
    fth_unsaved_leave(fth_client.unsaved);
    fth_client.unsaved = NULL;
    for (size_t i = 0; i < fth_client.file_count; i++) {
        fth_intervals_free(&fth_client.files[i]->own);
        fth_intervals_free(&fth_client.files[i]->attached);
        fth_intervals_free(&fth_client.files[i]->doubtful);
        fth_intervals_free(&fth_client.files[i]->locked);
        fth_intervals_free(&fth_client.files[i]->lost);
        fth_client.files[i]->wants_query = true;
        fth_client.files[i]->is_written = false;
        fth_client.files[i]->unsaved = NULL;
        fth_client.files[i]->fresh_begin = fth_client.files[i]->fresh_end = 0;
    }
}

static void after_fork_in_child(void)
{
    fth_client_forked();
    pthread_mutex_unlock(&fth_client.lock);
}

static bool find_instance(void)
{
    const char *path = getenv(FTH_SETTING_NAME(FS));
    struct fth_error *error = NULL;
    if (!path || fth_instance_open(&fth_client.instance, path, &error) ||
        fth_client.instance.under < 0) {
        fth_error_free(error);
        errno = ENOTCONN;
        return false;
    }
    fth_client.connection.instance = &fth_client.instance;
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    return true;
}

bool fth_client_enter(void)
{
    pthread_mutex_lock(&fth_client.lock);
    if (!fth_client.opened)
        fth_client.opened = find_instance();
    if (fth_client.opened)
        return true;
    pthread_mutex_unlock(&fth_client.lock);
    return false;
}

void fth_client_leave(void)
{
    pthread_mutex_unlock(&fth_client.lock);
}

bool fth_client_ready(void)
{
    struct fth_connection *connection = &fth_client.connection;
    if (fth_client.buffer.map)
        return true;
    if (!connection->number && !fth_connection_open(connection))
        return false;
    return fth_own_buffer_make(&fth_client.buffer, fth_client.instance.folder, connection->number,
                               fth_client.instance.buffer_bytes);
}

struct fth_client_file *fth_client_file(const char *name)
{
    uint32_t number = fth_intern(&fth_client.names, name, strlen(name));
    if (number < fth_client.file_count)
        return fth_client.files[number];
    struct fth_client_file *made = fth_new(1, sizeof *made);
    made->name = fth_text_copy(name);
    made->below = -1;
    FTH_GROW(fth_client.files, fth_client.file_count);
    fth_client.files[fth_client.file_count++] = made;
    return made;
}

void fth_client_begin_request(uint8_t kind, const struct fth_client_file *file)
{
    fth_connection_begin(&fth_client.connection, kind);
    fth_client.connection.about = file->name;
    fth_client.connection.about_file = file->below;
    fth_bytes_text(&fth_client.connection.out, file->name, strlen(file->name));
}

static int open_to_write(const char *name)
{
    /* a pipe of that name is refused, not waited for */
    const int flags = O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC;
    int file = openat(fth_client.instance.under, name, flags, 0644);
    if (file < 0 && errno == ENOENT && fth_file_names_make_folders(fth_client.instance.under, name))
        file = openat(fth_client.instance.under, name, flags, 0644);
    return file;
}

static bool write_below(int file, const struct fth_interval *interval)
{
    const uint8_t *from = fth_own_buffer_at(&fth_client.buffer, interval->place);
    for (uint64_t at = interval->begin; at < interval->end;) {
        ssize_t count = pwrite(file, from + (at - interval->begin), interval->end - at, (off_t)at);
        if (count < 0 && errno != EINTR)
            return false;
        at += count > 0 ? (uint64_t)count : 0;
    }
    return true;
}

bool fth_client_flush_own(struct fth_client_file *file)
{
    struct fth_interval interval;
    int below = -1;
    bool done = true;
    for (uint64_t at = 0; done && fth_intervals_find(&file->own, at, &interval);
         at = interval.end) {
        if (interval.state & (FTH_OWN_ATTACHED | FTH_OWN_CLEAN))
            continue;
        if (below < 0)
            below = open_to_write(file->name);
        done = below >= 0 && write_below(below, &interval);
        interval.state |= FTH_OWN_CLEAN;
        if (done)
            fth_intervals_put(&file->own, &interval);
    }
    if (below >= 0 && close(below))
        done = false;
    return done;
}

static bool open_below(struct fth_client_file *file)
{
    if (file->below < 0)
        file->below =
            openat(fth_client.instance.under, file->name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    return file->below >= 0;
}

ssize_t fth_client_read_below(struct fth_client_file *file, uint64_t offset, void *to, size_t size)
{
    ssize_t count;
    if (!open_below(file))
        return errno == ENOENT ? 0 : -1;
    do
        count = pread(file->below, to, size, (off_t)offset);
    while (count < 0 && errno == EINTR);
    return count;
}

uint64_t fth_client_end_below(struct fth_client_file *file)
{
    struct stat status;
    return open_below(file) && fstat(file->below, &status) == 0 ? (uint64_t)status.st_size : 0;
}

/* Pieces of what a client of another node has. */
static bool fetch(uint32_t peer, uint64_t place, uint8_t *to, size_t bytes)
{
    struct fth_view view;
    for (size_t done = 0, size; done < bytes; done += size) {
        size = bytes - done < FTH_FETCH_MOST ? bytes - done : FTH_FETCH_MOST;
        fth_connection_begin(&fth_client.connection, FTH_MESSAGE_FETCH);
        fth_bytes_varint(&fth_client.connection.out, peer);
        fth_bytes_varint(&fth_client.connection.out, place + done);
        fth_bytes_varint(&fth_client.connection.out, size);
        if (!fth_connection_ask(&fth_client.connection, &view))
            return false;
        const uint8_t *from = fth_view_bytes(&view, size);
        if (!from) {
            errno = EBADMSG;
            return false;
        }
        memcpy(to + done, from, size);
    }
    return true;
}

void fth_client_tell_of_loss(const struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    char name[PATH_MAX], range[64] = "all bytes", text[PATH_MAX + 640];
    const struct fth_view *view = &fth_client.connection.why;
    size_t left = fth_view_left(view);
    bool has_text = errno == EHOSTDOWN && left;
    const char *why = has_text ? (const char *)view->at : strerror(errno);
    int why_length = has_text ? (left < 512 ? (int)left : 512) : (int)strlen(why);
    fth_file_name_now(file->below, file->name, name);
    if (end < INT64_MAX)
        snprintf(range, sizeof range, "bytes %llu to %llu", (unsigned long long)begin,
                 (unsigned long long)end);
    int length = snprintf(text, sizeof text, "fathom fs: '%s', %s cannot be had: %.*s\n", name,
                          range, why_length, why);
    write(STDERR_FILENO, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    errno = EIO;
}

void fth_client_tell_of_lock(struct fth_client_file *file)
{
    char name[PATH_MAX], text[PATH_MAX + 640];
    const struct fth_view *view = &fth_client.connection.why;
    size_t left = fth_view_left(view);
    if (file->has_said_lost_lock)
        return;
    file->has_said_lost_lock = true;
    fth_file_name_now(file->below, file->name, name);
    int length = snprintf(text, sizeof text, "fathom fs: '%s': %.*s\n", name,
                          left < 512 ? (int)left : 512, (const char *)view->at);
    write(STDERR_FILENO, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

bool fth_client_copy_from(uint32_t peer, uint64_t place, void *to, size_t bytes)
{
    if (fth_server_of(peer) != fth_client.instance.server)
        return fetch(peer, place, to, bytes);
    struct fth_buffer_file *buffer =
        fth_buffer_file_of(&fth_client.peers, fth_client.instance.folder, peer);
    if (buffer && fth_buffer_file_copy(buffer, place, to, bytes))
        return true;
    errno = ENODATA;
    return false;
}
