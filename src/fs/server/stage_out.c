/* Which attached bytes are written to the folder below, file by file. */
#include "fs/server/stage_out.h"

#include "base/memory.h"
#include "fs/protocol/file_names.h"
#include "fs/protocol/held_files.h"
#include "fs/server/published_held.h"
#include "fs/server/share_of_file.h"
#include "fs/server/stage_asked.h"
#include "fs/server/stage_shares.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

/* A file that is held elsewhere has no target here. */
static bool wants_target(const struct fth_staging *staging)
{
    const struct fth_published_file *file = fth_staging_file(staging);
    size_t length;
    const char *path = fth_published_path(staging->published, staging->file, &length);
    if (!fth_held_is_identity(path, length))
        return true;
    for (size_t i = 0; i < staging->chosen_count; i++)
        if (fth_staging_is_here(staging, &staging->chosen[i]))
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
    staging->end = fth_published_end(staging->published, staging->file);
    staging->before = staging->done.bytes;
    staging->is_writing = true;
    fth_staging_file(staging)->is_staged = true;
    staging->name = fth_published_name(staging->published, staging->file);
    staging->has_failed = staging->has_target = false;
    bool is_open = !wants_target(staging) || fth_staging_open(staging);
    call_as_whole(staging);
    if (is_open)
        fth_stage_shares_begin(staging);
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

/* Who holds a file that is held elsewhere says that it has written no bytes of one that has no
 * name. */
static bool has_name(const struct fth_staging *staging)
{
    const struct fth_published_file *file = fth_staging_file(staging);
    size_t length;
    const char *path = fth_published_path(staging->published, staging->file, &length);
    if (file->is_held || !fth_held_is_identity(path, length))
        return !fth_published_has_no_name(file);
    return !staging->chosen_count || staging->done.bytes > staging->before;
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

static void close_target(struct fth_staging *staging)
{
    struct fth_error *error = NULL;
    if (!staging->has_failed && fth_stage_target_lengthen(&staging->target, staging->end, &error))
        fth_staging_fail(staging, error);
    error = NULL;
    if (fth_stage_target_close(&staging->target, staging->instance->under, !staging->has_failed,
                               staging->has_failed ? NULL : &error) &&
        error)
        fth_staging_fail(staging, error);
}

static void end_file(struct fth_staging *staging)
{
    if (staging->has_target)
        close_target(staging);
    staging->is_writing = fth_staging_file(staging)->is_staged = false;
    if (!staging->has_failed) {
        mark_clean(staging);
        if (has_name(staging))
            count_file(staging);
        else
            staging->done.bytes = staging->before;
        forget(staging);
    }
    free(staging->shares);
    staging->shares = NULL;
    staging->share_count = 0;
    free(staging->name);
    staging->name = NULL;
    staging->file++;
}

/* ---- all of them ---- */

static bool has_work(struct fth_staging *staging)
{
    const struct fth_published_file *file = fth_staging_file(staging);
    choose(staging);
    return staging->chosen_count ||
           (!staging->of.owner && (is_short(file) || (staging->elsewhere && file->lengthener)));
}

/* Nobody can have its bytes any more. Other nodes may have it open. */
static bool is_gone(const struct fth_staging *staging)
{
    return staging->instance->server_count == 1 && !fth_staging_file(staging)->leaving &&
           fth_published_is_gone(fth_staging_file(staging));
}

static void let_go(struct fth_staging *staging)
{
    struct fth_error *error = NULL;
    size_t length;
    const char *path = fth_published_path(staging->published, staging->file, &length);
    if (fth_published_forget(staging->published, path, length, &error))
        fth_staging_fail(staging, error);
}

/* Passes files that there is nothing to do for. false: there is none to be begun now. */
static bool find_file(struct fth_staging *staging, uint64_t *left)
{
    for (; *left && staging->file < fth_keyed_count(&staging->published->files); staging->file++) {
        if (!is_meant(staging))
            continue;
        if (fth_staging_file(staging)->is_staged)
            return false;
        fth_staging_spend(left, 0);
        if (!has_work(staging))
            forget(staging);
        else if (is_gone(staging))
            let_go(staging);
        else if (!fth_staging_file(staging)->unanswered)
            return true;
        else if (fth_stage_ask_unanswered(staging))
            return false;
    }
    return false;
}

static void free_own(struct fth_staging *staging)
{
    fth_buffer_file_close_all(&staging->buffers);
    free(staging->chosen);
    free(staging->shares);
    free(staging->lost);
    free(staging->name);
    staging->chosen = NULL;
    staging->shares = NULL;
    staging->lost = NULL;
    staging->name = NULL;
}

static bool has_all(const struct fth_staging *staging)
{
    return !staging->is_writing && !staging->asked &&
           staging->file >= fth_keyed_count(&staging->published->files);
}

/* One file, or some of what is left of it. */
static void write_file(struct fth_staging *staging, uint64_t *left)
{
    if (fth_stage_shares_write(staging, left))
        end_file(staging);
}

bool fth_staging_step(struct fth_staging *staging, uint64_t *left, bool may_begin)
{
    uint64_t before = *left;
    bool was_writing = staging->is_writing;
    if (was_writing && fth_stage_shares_wait(staging))
        return false;
    if (was_writing) {
        if (staging->has_target)
            fth_stage_target_resume(&staging->target);
        write_file(staging, left);
    }
    while (!staging->is_writing && !staging->asked && may_begin && find_file(staging, left)) {
        begin_file(staging);
        write_file(staging, left);
    }
    if (staging->is_writing && staging->has_target)
        fth_stage_target_rest(&staging->target);
    if (has_all(staging)) {
        free_own(staging);
        staging->has_ended = true;
        staging->ended(staging);
        return true;
    }
    return *left != before || was_writing != staging->is_writing;
}

void fth_staging_begin(struct fth_staging *staging)
{
    staging->buffers.size = sizeof(struct fth_buffer_file);
}

void fth_staging_leave(struct fth_staging *staging)
{
    if (staging->is_writing && staging->has_target)
        fth_stage_target_close(&staging->target, staging->instance->under, false, NULL);
    free_own(staging);
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
    uint64_t left = UINT64_MAX;
    fth_staging_begin(&staging);
    while (!staging.has_ended && fth_staging_step(&staging, &left, true))
        left = UINT64_MAX;
    *done = staging.done;
    if (!staging.has_ended)
        fth_staging_leave(&staging);
    if (!staging.error)
        return 0;
    if (error)
        *error = staging.error;
    else
        fth_error_free(staging.error);
    return -1;
}
