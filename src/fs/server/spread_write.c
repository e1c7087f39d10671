/* Requests that write to the folder below over several servers, and those that end the instance. */
#include "fs/server/spread_task.h"

#include "base/memory.h"
#include "fs/protocol/file_names.h"
#include "fs/protocol/fs_messages.h"
#include "fs/server/share_of_file.h"

#include <errno.h>

/* ---- writing out ---- */

static void take_written(struct fth_spread_task *task, uint32_t server, struct fth_view *fields)
{
    (void)server;
    task->files += fth_view_varint(fields);
    task->bytes += fth_view_varint(fields);
    task->written.size = 1;
    while (fth_view_left(fields) && !fields->failed) {
        uint64_t length = fth_view_varint(fields);
        const uint8_t *path = fth_view_bytes(fields, length);
        if (path)
            fth_keyed_get(&task->written, path, length);
    }
}

static void answer_written(struct fth_spread_task *task)
{
    fth_bytes_varint(&task->answer, task->files + fth_keyed_count(&task->written));
    fth_bytes_varint(&task->answer, task->bytes);
    fth_spread_task_end(task);
}

/* What is not below: of a file or all, of the client or anybody. */
static void write_out(struct fth_spread_task *task, bool own, fth_spread_task_step *next)
{
    struct fth_bytes fields = fth_spread_task_fields(task);
    fth_bytes_varint(&fields, own ? task->asker.client : 0);
    fth_spread_task_begin_step(task, next);
    if (own)
        fth_spread_task_ask_used(task, FTH_MESSAGE_WRITE_OUT, &fields, take_written);
    else
        fth_spread_task_ask_all(task, FTH_MESSAGE_WRITE_OUT, &fields, take_written);
    fth_bytes_free(&fields);
    fth_spread_task_end_step(task);
}

/* Who has not waited for this may have attached something since, which stays. */
static void detach_all(struct fth_spread_task *task)
{
    const struct fth_bytes none = {.data = NULL};
    fth_spread_task_begin_step(task, answer_written);
    if (!task->error)
        fth_spread_task_ask_used(task, FTH_MESSAGE_RECLAIM, &none, NULL);
    fth_spread_task_end_step(task);
}

static void end_here(struct fth_spread_task *task)
{
    task->spread->requests->stop = true;
    answer_written(task);
}

static void end_at_others(struct fth_spread_task *task)
{
    const struct fth_bytes none = {.data = NULL};
    if (task->error) {
        answer_written(task);
        return;
    }
    task->miss = fth_spread_task_pass_over;
    fth_spread_task_begin_step(task, end_here);
    for (uint32_t i = 0; i < fth_spread_task_count(task); i++)
        if (i != task->spread->requests->instance->server)
            fth_spread_task_ask(task, i, FTH_MESSAGE_DISCARD, &none, NULL);
    fth_spread_task_end_step(task);
}

/* ---- forgetting what is below ---- */

/* Files that somebody attached to meanwhile: their homes have to know their ends again. */
static void tell_ends(struct fth_spread_task *task)
{
    struct fth_view found = fth_view_of(task->answer.data, task->answer.length);
    fth_spread_task_begin_step(task, answer_written);
    while (!task->error && fth_view_left(&found)) {
        uint64_t length = fth_view_varint(&found);
        const uint8_t *path = fth_view_bytes(&found, length);
        uint64_t end = fth_view_varint(&found);
        if (!path || !fth_file_name_is_valid((const char *)path, length)) {
            fth_spread_task_fail(task, EBADMSG, "");
            break;
        }
        struct fth_bytes fields = {.data = NULL};
        fth_bytes_text(&fields, path, length);
        fth_bytes_varint(&fields, end);
        fth_bytes_varint(&fields, 0);
        fth_spread_task_ask(
            task, fth_share_server(fth_spread_task_count(task), (const char *)path, length, 0),
            FTH_MESSAGE_RESERVE, &fields, NULL);
        fth_bytes_free(&fields);
    }
    task->answer.length = 0;
    fth_spread_task_end_step(task);
}

static void forget(struct fth_spread_task *task, bool is_last, fth_spread_task_step *next)
{
    struct fth_bytes fields = fth_spread_task_fields(task);
    fth_bytes_varint(&fields, is_last);
    fth_spread_task_begin_step(task, next);
    if (!task->error)
        fth_spread_task_ask_all(task, FTH_MESSAGE_FORGET, &fields, fth_spread_task_take_fields);
    fth_bytes_free(&fields);
    fth_spread_task_end_step(task);
}

static void forget_last(struct fth_spread_task *task)
{
    forget(task, true, tell_ends);
}

static void forget_ends(struct fth_spread_task *task)
{
    forget(task, false, forget_last);
}

/* ---- the end ---- */

static void note_lost(struct fth_spread_task *task, uint32_t server, const char *why)
{
    (void)why;
    task->lost[server] = true;
}

static void ask_left(struct fth_spread_task *task, uint8_t kind, const struct fth_bytes *fields,
                     fth_spread_task_take *take)
{
    for (uint32_t i = 0; i < fth_spread_task_count(task); i++)
        if (!task->lost[i])
            fth_spread_task_ask(task, i, kind, fields, take);
}

static void list_unwritten(struct fth_spread_task *task, fth_spread_task_step *next)
{
    const struct fth_bytes none = {.data = NULL};
    task->miss = note_lost;
    fth_spread_task_begin_step(task, next);
    ask_left(task, FTH_MESSAGE_UNWRITTEN, &none, fth_spread_task_take_fields);
    fth_spread_task_end_step(task);
}

/* All that is whole. What a server had or knew that does not answer may be missing. */
static void show(struct fth_spread_task *task)
{
    struct fth_bytes fields = {.data = NULL};
    uint64_t lost = 0;
    for (uint32_t i = 0; i < fth_spread_task_count(task); i++)
        lost += task->lost[i];
    fth_bytes_varint(&fields, lost);
    for (uint32_t i = 0; i < fth_spread_task_count(task); i++)
        if (task->lost[i])
            fth_bytes_varint(&fields, i);
    fth_bytes_put(&fields, task->answer.data, task->answer.length);
    task->answer.length = 0;
    task->miss = NULL;
    fth_spread_task_begin_step(task, end_at_others);
    ask_left(task, FTH_MESSAGE_SHOW, &fields, NULL);
    fth_bytes_free(&fields);
    fth_spread_task_end_step(task);
}

/* Who has answered all the same is there again. */
static void list_rest(struct fth_spread_task *task)
{
    for (uint32_t i = 0; !task->error && i < fth_spread_task_count(task); i++)
        task->lost[i] = false;
    list_unwritten(task, show);
}

static void write_hidden(struct fth_spread_task *task)
{
    task->answer.length = 0;
    task->miss = NULL;
    write_out(task, false, list_rest);
}

static void hide(struct fth_spread_task *task)
{
    fth_spread_task_begin_step(task, write_hidden);
    if (task->answer.length)
        ask_left(task, FTH_MESSAGE_HIDE, &task->answer, NULL);
    fth_spread_task_end_step(task);
}

/* Files that are not whole are called otherwise: whoever holds one takes its name away before any
 * server writes to it, and gives it back when all have written. */
static void stop(struct fth_spread_task *task)
{
    task->lost = fth_new(fth_spread_task_count(task), sizeof *task->lost);
    list_unwritten(task, hide);
}

void fth_spread_write(struct fth_spread_task *task)
{
    switch (task->kind) {
    case FTH_MESSAGE_FLUSH_OWN:
        write_out(task, true, answer_written);
        break;
    case FTH_MESSAGE_RECLAIM:
        write_out(task, true, detach_all);
        break;
    case FTH_MESSAGE_FLUSH:
        write_out(task, false, answer_written);
        break;
    case FTH_MESSAGE_SETTLE:
        write_out(task, false, forget_ends);
        break;
    case FTH_MESSAGE_STOP:
        stop(task);
        break;
    default:
        end_at_others(task);
    }
}
