/* Which attached bytes are written to the folder below, file by file. */
#include "fs/server/stage_out.h"

#include "base/memory.h"
#include "fs/protocol/file_names.h"
#include "fs/protocol/held_files.h"
#include "fs/server/share_rule.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
    PIECES_MOST = 4096,     /* intervals that another server is asked to write at a time */
    BYTES_MOST = 256 << 20, /* the same, so that its answer does not take long */
};

static bool wanted(const struct fth_interval *interval, uint32_t owner)
{
    return !(interval->state & FTH_STATE_CLEAN) && (!owner || interval->owner == owner);
}

static struct fth_published_file *file_of(const struct fth_staging *staging)
{
    return fth_keyed_item(&staging->published->files, staging->file);
}

static void choose(struct fth_staging *staging)
{
    const struct fth_published_file *file = file_of(staging);
    struct fth_interval interval;
    free(staging->chosen);
    staging->chosen = NULL;
    staging->chosen_count = 0;
    for (uint64_t at = 0; fth_intervals_find(&file->intervals, at, &interval); at = interval.end)
        if (wanted(&interval, staging->of.owner)) {
            FTH_GROW(staging->chosen, staging->chosen_count);
            staging->chosen[staging->chosen_count++] = interval;
        }
}

/* Its program made it longer, with a hole, than it is below. */
static bool is_short(const struct fth_published_file *file)
{
    struct stat facts;
    return file->is_held && fstat(file->held, &facts) == 0 && (uint64_t)facts.st_size < file->end;
}

static bool is_meant(const struct fth_staging *staging)
{
    size_t length;
    const char *path = fth_published_path(staging->published, staging->file, &length);
    return !staging->of.path ||
           (length == staging->of.length && memcmp(path, staging->of.path, length) == 0);
}

/* ---- one file ---- */

static void fail(struct fth_staging *staging, struct fth_error *error)
{
    staging->has_failed = true;
    if (!staging->error)
        staging->error = error;
    else
        fth_error_free(error);
}

static bool is_here(const struct fth_staging *staging, const struct fth_interval *interval)
{
    return fth_server_of(interval->owner) == staging->instance->server;
}

static void write_here(struct fth_staging *staging)
{
    struct fth_error *error = NULL;
    for (size_t i = 0; i < staging->chosen_count && !staging->has_failed; i++) {
        const struct fth_interval *interval = &staging->chosen[i];
        if (!is_here(staging, interval))
            continue;
        if (fth_stage_target_write(&staging->target, staging->instance, &staging->buffers, interval,
                                   &error))
            fail(staging, error);
        else
            staging->done.bytes += interval->end - interval->begin;
    }
}

static void send_piece(struct fth_staging *staging, uint32_t server, const struct fth_bytes *pieces,
                       uint64_t count, uint64_t end)
{
    struct fth_bytes fields = {.data = NULL};
    size_t length;
    const char *key = fth_published_path(staging->published, staging->file, &length);
    const char *name = !staging->has_target || file_of(staging)->is_held ? ""
                       : *staging->target.part                           ? staging->target.part
                                                                         : staging->target.path;
    fth_bytes_text(&fields, key, length);
    fth_bytes_text(&fields, name, strlen(name));
    fth_bytes_varint(&fields, end);
    fth_bytes_varint(&fields, count);
    fth_bytes_put(&fields, pieces->data, pieces->length);
    staging->waiting++;
    staging->elsewhere(staging->data, server, &fields, staging);
    fth_bytes_free(&fields);
}

static void write_elsewhere(struct fth_staging *staging, uint32_t server, uint64_t end)
{
    struct fth_bytes pieces = {.data = NULL};
    uint64_t count = 0, bytes = 0;
    for (size_t i = 0; i < staging->chosen_count; i++) {
        const struct fth_interval *interval = &staging->chosen[i];
        if (fth_server_of(interval->owner) != server)
            continue;
        fth_bytes_varint(&pieces, interval->begin);
        fth_bytes_varint(&pieces, interval->end - interval->begin);
        fth_bytes_varint(&pieces, interval->place);
        fth_bytes_varint(&pieces, interval->owner);
        bytes += interval->end - interval->begin;
        if (++count < PIECES_MOST && bytes < BYTES_MOST)
            continue;
        send_piece(staging, server, &pieces, count, end);
        count = bytes = pieces.length = 0;
    }
    if (count)
        send_piece(staging, server, &pieces, count, end);
    fth_bytes_free(&pieces);
}

static void write_elsewhere_or_fail(struct fth_staging *staging, uint32_t server, uint64_t end)
{
    struct fth_error *error = NULL;
    if (server + 1 != staging->lost) {
        write_elsewhere(staging, server, end);
        return;
    }
    fth_fail(&error, "'%s' cannot be written in the folder below: server %u does not answer",
             staging->name, server);
    fail(staging, error);
}

/* The servers of the chosen bytes, each once. */
static void write_elsewhere_all(struct fth_staging *staging, uint64_t end)
{
    bool *seen = fth_new(staging->instance->server_count, sizeof *seen);
    seen[staging->instance->server] = true;
    for (size_t i = 0; i < staging->chosen_count; i++) {
        uint32_t server = fth_server_of(staging->chosen[i].owner);
        if (server >= staging->instance->server_count || seen[server])
            continue;
        seen[server] = true;
        write_elsewhere_or_fail(staging, server, end);
    }
    const struct fth_published_file *file = file_of(staging);
    if (file->lengthener && !staging->of.owner) {
        uint32_t server = fth_server_of(file->lengthener);
        const struct fth_bytes none = {.data = NULL};
        if (server < staging->instance->server_count && !seen[server])
            send_piece(staging, server, &none, 0, end);
    }
    free(seen);
}

/* A file that is held elsewhere has no target here. */
static bool wants_target(const struct fth_staging *staging)
{
    const struct fth_published_file *file = file_of(staging);
    size_t length;
    const char *path = fth_published_path(staging->published, staging->file, &length);
    if (!fth_held_is_identity(path, length))
        return true;
    for (size_t i = 0; i < staging->chosen_count; i++)
        if (is_here(staging, &staging->chosen[i]))
            return true;
    return file->is_held && is_short(file);
}

/* In messages. */
static void call_as_whole(struct fth_staging *staging)
{
    char whole[PATH_MAX];
    if (!fth_file_name_of_whole(staging->name, whole))
        return;
    free(staging->name);
    staging->name = fth_text_copy(whole);
}

static void begin_file(struct fth_staging *staging)
{
    struct fth_error *error = NULL;
    const struct fth_published_file *file = file_of(staging);
    uint64_t end = fth_published_end(staging->published, staging->file);
    staging->name = fth_published_name(staging->published, staging->file);
    staging->has_failed = false;
    staging->has_target = wants_target(staging);
    if (staging->has_target &&
        fth_stage_target_open(&staging->target, file, staging->instance->under, staging->name,
                              staging->of.at_end, &error)) {
        staging->has_target = false;
        fail(staging, error);
        return;
    }
    call_as_whole(staging);
    if (staging->elsewhere)
        write_elsewhere_all(staging, end);
    if (staging->has_target)
        write_here(staging);
    if (staging->has_target && !staging->has_failed &&
        fth_stage_target_lengthen(&staging->target, end, &error))
        fail(staging, error);
}

/* What was attached over it meanwhile is not there yet. */
static void mark_clean(struct fth_staging *staging)
{
    struct fth_published_file *file = file_of(staging);
    for (size_t i = 0; i < staging->chosen_count; i++) {
        const struct fth_interval *written = &staging->chosen[i];
        struct fth_interval now;
        for (uint64_t at = written->begin;
             fth_intervals_within(&file->intervals, at, written->end, &now); at = now.end)
            if (now.owner == written->owner &&
                now.place == written->place + (now.begin - written->begin)) {
                now.state |= FTH_STATE_CLEAN;
                fth_intervals_put(&file->intervals, &now);
            }
    }
    if (!staging->of.owner)
        file->lengthener = 0;
}

/* What is in one block only its home writes. */
static void count_file(struct fth_staging *staging)
{
    size_t length;
    const char *path = fth_published_path(staging->published, staging->file, &length);
    uint64_t end = fth_published_end(staging->published, staging->file);
    uint32_t servers = staging->instance->server_count;
    if (staging->elsewhere && fth_held_is_identity(path, length) &&
        (fth_share_server(servers, path, length, 0) != staging->instance->server ||
         fth_share_block(end - (end > 0))))
        fth_bytes_text(&staging->shared, path, length);
    else
        staging->done.files++;
}

static void end_file(struct fth_staging *staging)
{
    struct fth_error *error = NULL;
    if (staging->has_target &&
        fth_stage_target_close(&staging->target, staging->instance->under, !staging->has_failed,
                               staging->has_failed ? NULL : &error) &&
        error)
        fail(staging, error);
    file_of(staging)->unanswered = staging->unanswered;
    if (!staging->has_failed) {
        mark_clean(staging);
        count_file(staging);
    }
    free(staging->name);
    staging->name = NULL;
    staging->file++;
}

/* ---- all of them ---- */

/* A server that has not answered may still write what is old by now: nobody else writes to the file
 * before it has answered. */
static bool waits_for_unanswered(struct fth_staging *staging)
{
    const struct fth_bytes none = {.data = NULL};
    staging->unanswered = file_of(staging)->unanswered;
    if (!staging->unanswered || !staging->elsewhere)
        return false;
    staging->has_failed = staging->has_target = false;
    send_piece(staging, staging->unanswered - 1, &none, 0, 0);
    return true;
}

static bool has_work(struct fth_staging *staging)
{
    const struct fth_published_file *file = file_of(staging);
    if (!is_meant(staging))
        return false;
    choose(staging);
    return staging->chosen_count ||
           (!staging->of.owner && (is_short(file) || (staging->elsewhere && file->lengthener)));
}

static void finish(struct fth_staging *staging)
{
    fth_buffer_file_close_all(&staging->buffers);
    free(staging->chosen);
    staging->chosen = NULL;
    staging->ended(staging);
}

static void go_on(struct fth_staging *staging)
{
    while (staging->file < fth_keyed_count(&staging->published->files)) {
        if (!has_work(staging)) {
            staging->file++;
            continue;
        }
        if (waits_for_unanswered(staging))
            return;
        staging->waiting++;
        begin_file(staging);
        if (--staging->waiting)
            return;
        end_file(staging);
    }
    finish(staging);
}

void fth_staging_start(struct fth_staging *staging)
{
    staging->buffers.size = sizeof(struct fth_buffer_file);
    go_on(staging);
}

void fth_staging_answered(struct fth_staging *staging, uint32_t server, uint64_t bytes,
                          const char *why, bool lost)
{
    struct fth_error *error = NULL;
    bool was_asked_for_answer = staging->name == NULL;
    staging->done.bytes += bytes;
    if (why) {
        const char *name = staging->name ? staging->name : "a file";
        fth_fail(&error, "'%s' cannot be written in the folder below: %s", name, why);
        fail(staging, error);
    }
    if (lost)
        staging->unanswered = staging->lost = server + 1;
    if (--staging->waiting)
        return;
    if (was_asked_for_answer && !why) {
        file_of(staging)->unanswered = 0;
    } else if (was_asked_for_answer) {
        staging->file++;
    } else {
        end_file(staging);
    }
    go_on(staging);
}

void fth_staging_gone(struct fth_staging *staging, uint32_t server)
{
    struct fth_error *error = NULL;
    size_t length;
    const char *path = fth_published_path(staging->published, staging->file, &length);
    fprintf(
        stderr,
        "fathom fs: what was attached to '%s' on node number %u is given up: the file is gone\n",
        staging->name, server);
    for (size_t i = 0; i < staging->chosen_count && !error; i++) {
        const struct fth_interval *interval = &staging->chosen[i];
        if (fth_server_of(interval->owner) == server)
            fth_published_detach(staging->published, path, length, interval->owner, interval->begin,
                                 interval->end, &error);
    }
    fth_staging_answered(staging, server, 0, error ? fth_error_text(error) : NULL, false);
    fth_error_free(error);
}

static void nothing(struct fth_staging *staging)
{
    (void)staging;
}

int fth_stage_out(struct fth_published *published, const struct fth_fs_instance *instance,
                  const struct fth_stage_out_of *of, struct fth_stage_out *done,
                  struct fth_error **error)
{
    struct fth_staging staging = {
        .published = published, .instance = instance, .of = *of, .ended = nothing};
    fth_staging_start(&staging);
    *done = staging.done;
    if (!staging.error)
        return 0;
    if (error)
        *error = staging.error;
    else
        fth_error_free(staging.error);
    return -1;
}
