/* Which attached bytes are written to the folder below, file by file. */
#include "fs/server/stage_out.h"

#include "base/memory.h"
#include "fs/protocol/file_names.h"
#include "fs/protocol/held_files.h"
#include "fs/server/share_of_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { TURN = 4096 /* bytes that it counts as to look at a file, or at an interval */ };

static bool wanted(const struct fth_interval *interval, uint32_t owner)
{
    return !(interval->state & FTH_STATE_CLEAN) && (!owner || interval->owner == owner);
}

static void choose(struct fth_staging *staging)
{
    const struct fth_published_file *file = fth_staging_file(staging);
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

static bool is_here(const struct fth_staging *staging, const struct fth_interval *interval)
{
    return fth_server_of(interval->owner) == staging->instance->server;
}

static void spend(uint64_t *left, uint64_t bytes)
{
    uint64_t cost = bytes > TURN ? bytes : TURN;
    *left = *left > cost ? *left - cost : 0;
}

/* The next bytes of a piece that was chosen, as they are by now: whoever wrote over them meanwhile
 * may have used the place again where the old ones were. */
static void write_next(struct fth_staging *staging, uint64_t *left)
{
    const struct fth_interval *chosen = &staging->chosen[staging->piece];
    uint64_t from = staging->at > chosen->begin ? staging->at : chosen->begin;
    struct fth_interval now;
    struct fth_error *error = NULL;
    if (from >= chosen->end || !is_here(staging, chosen) ||
        !fth_intervals_find(&fth_staging_file(staging)->intervals, from, &now) ||
        now.begin >= chosen->end) {
        spend(left, 0);
        staging->piece++;
        return;
    }
    from = now.begin > from ? now.begin : from;
    uint64_t to = now.end < chosen->end ? now.end : chosen->end;
    to = to - from < *left ? to : from + *left;
    bool wants = !(now.state & FTH_STATE_CLEAN) && is_here(staging, &now);
    if (wants && fth_stage_target_write(&staging->target, staging->instance, &staging->buffers,
                                        &now, from, to, &error))
        fth_staging_fail(staging, error);
    else
        staging->done.bytes += wants ? to - from : 0;
    spend(left, to - from);
    staging->at = to;
}

/* false: there is more. */
static bool write_here(struct fth_staging *staging, uint64_t *left)
{
    struct fth_error *error = NULL;
    if (!staging->has_target)
        return true;
    while (*left && !staging->has_failed && staging->piece < staging->chosen_count)
        write_next(staging, left);
    if (!staging->has_failed && staging->piece < staging->chosen_count)
        return false;
    if (!staging->has_failed && fth_stage_target_lengthen(&staging->target, staging->end, &error))
        fth_staging_fail(staging, error);
    return true;
}

/* A file that is held elsewhere has no target here. */
static bool wants_target(const struct fth_staging *staging)
{
    const struct fth_published_file *file = fth_staging_file(staging);
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
    const struct fth_published_file *file = fth_staging_file(staging);
    staging->end = fth_published_end(staging->published, staging->file);
    staging->piece = staging->at = 0;
    staging->is_writing = true;
    staging->waiting++;
    fth_staging_file(staging)->is_staged = true;
    staging->name = fth_published_name(staging->published, staging->file);
    staging->has_failed = false;
    staging->has_target = wants_target(staging);
    if (staging->has_target &&
        fth_stage_target_open(&staging->target, file, staging->instance->under, staging->name,
                              staging->of.at_end, &error)) {
        staging->has_target = false;
        fth_staging_fail(staging, error);
        return;
    }
    call_as_whole(staging);
    if (staging->elsewhere)
        fth_staging_write_elsewhere(staging);
}

/* What was attached over it meanwhile is not there yet. */
static void mark_clean(struct fth_staging *staging)
{
    struct fth_published_file *file = fth_staging_file(staging);
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
    if (!staging->of.owner && fth_published_end(staging->published, staging->file) == staging->end)
        file->lengthener = 0;
}

/* What was attached meanwhile is not below; then it is not held to be written, at least. */
static void forget(struct fth_staging *staging)
{
    struct fth_published_file *file = fth_staging_file(staging);
    struct fth_error *error = NULL;
    size_t length;
    const char *path = fth_published_path(staging->published, staging->file, &length);
    if (!staging->of.forgets || !file->is_held)
        return;
    if (fth_published_is_dirty(file) || is_short(file))
        fth_published_hold_to_read(file);
    else if (fth_published_forget(staging->published, path, length, &error))
        fth_staging_fail(staging, error);
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
        fth_staging_fail(staging, error);
    fth_staging_file(staging)->unanswered = staging->unanswered;
    fth_staging_file(staging)->is_staged = false;
    if (!staging->has_failed) {
        mark_clean(staging);
        count_file(staging);
        forget(staging);
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
    staging->unanswered = fth_staging_file(staging)->unanswered;
    if (!staging->unanswered || !staging->elsewhere)
        return false;
    staging->has_failed = staging->has_target = false;
    fth_staging_ask_whether_written(staging, staging->unanswered - 1);
    return true;
}

static bool has_work(struct fth_staging *staging)
{
    const struct fth_published_file *file = fth_staging_file(staging);
    choose(staging);
    return staging->chosen_count ||
           (!staging->of.owner && (is_short(file) || (staging->elsewhere && file->lengthener)));
}

/* Passes files that there is nothing to do for. false: there is none to be begun now. */
static bool find_file(struct fth_staging *staging, uint64_t *left)
{
    for (; *left && staging->file < fth_keyed_count(&staging->published->files); staging->file++) {
        if (!is_meant(staging))
            continue;
        if (fth_staging_file(staging)->is_staged)
            return false;
        spend(left, 0);
        if (has_work(staging))
            return !waits_for_unanswered(staging);
        forget(staging);
    }
    return false;
}

static void finish(struct fth_staging *staging)
{
    fth_buffer_file_close_all(&staging->buffers);
    free(staging->chosen);
    staging->chosen = NULL;
    staging->ended(staging);
}

static bool has_all(const struct fth_staging *staging)
{
    return !staging->waiting && staging->file >= fth_keyed_count(&staging->published->files);
}

/* One file, or what is left of it. false: not to its end. */
static bool write_file(struct fth_staging *staging, uint64_t *left)
{
    if (!write_here(staging, left))
        return false;
    staging->is_writing = false;
    if (--staging->waiting)
        return false;
    end_file(staging);
    return true;
}

void fth_staging_step(struct fth_staging *staging, uint64_t *left, bool may_begin)
{
    bool goes_on = true;
    if (staging->is_writing) {
        if (staging->has_target)
            fth_stage_target_resume(&staging->target);
        goes_on = write_file(staging, left);
    }
    while (goes_on && !staging->waiting && may_begin && find_file(staging, left)) {
        begin_file(staging);
        goes_on = write_file(staging, left);
    }
    if (staging->is_writing && staging->has_target)
        fth_stage_target_rest(&staging->target);
    if (has_all(staging))
        finish(staging);
}

void fth_staging_begin(struct fth_staging *staging)
{
    staging->buffers.size = sizeof(struct fth_buffer_file);
}

static void go_on(struct fth_staging *staging)
{
    uint64_t left = UINT64_MAX;
    fth_staging_step(staging, &left, true);
}

void fth_staging_start(struct fth_staging *staging)
{
    fth_staging_begin(staging);
    go_on(staging);
}

void fth_staging_leave(struct fth_staging *staging)
{
    if (staging->is_writing && staging->has_target)
        fth_stage_target_close(&staging->target, staging->instance->under, false, NULL);
    fth_buffer_file_close_all(&staging->buffers);
    free(staging->chosen);
    free(staging->name);
    staging->chosen = NULL;
    staging->name = NULL;
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
        fth_staging_fail(staging, error);
    }
    if (lost)
        staging->unanswered = staging->lost = server + 1;
    if (--staging->waiting)
        return;
    if (was_asked_for_answer && !why) {
        fth_staging_file(staging)->unanswered = 0;
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
