/* Steps of a request. */
#include "fs/server/spread_task.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"
#include "fs/server/share_of_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct asked_part {
    struct fth_spread_task *task;
    fth_spread_task_take *take;
    uint32_t server;
};

void fth_spread_task_fail(struct fth_spread_task *task, int error, const char *why)
{
    if (task->error)
        return;
    task->error = error;
    snprintf(task->why, sizeof task->why, "%s", why);
}

void fth_spread_task_begin_step(struct fth_spread_task *task, fth_spread_task_step *next)
{
    task->waiting = 1;
    task->next = next;
}

void fth_spread_task_end_step(struct fth_spread_task *task)
{
    if (!--task->waiting)
        task->next(task);
}

static void part_is_done(void *data, int error, const void *fields, size_t length)
{
    struct asked_part *asked = data;
    struct fth_spread_task *task = asked->task;
    struct fth_view view = fth_view_of(fields, length);
    char why[FTH_TASK_WHY];
    snprintf(why, sizeof why, "%.*s", error ? (int)(length % FTH_TASK_WHY) : 0,
             (const char *)fields);
    if (error && task->miss)
        task->miss(task, asked->server, *why ? why : strerror(error));
    else if (error)
        fth_spread_task_fail(task, error, why);
    else if (asked->take)
        asked->take(task, asked->server, &view);
    if (!error && view.failed)
        fth_spread_task_fail(task, EBADMSG, "the server of another node answers what is no answer");
    free(asked);
    fth_spread_task_end_step(task);
}

static void peer_has_answered(void *data, struct fth_peer_answer *answer)
{
    if (answer->error)
        part_is_done(data, answer->error, answer->why, strlen(answer->why));
    else
        part_is_done(data, 0, answer->fields.at, fth_view_left(&answer->fields));
}

static unsigned seconds_of(uint8_t kind)
{
    switch (kind) {
    case FTH_MESSAGE_WRITE_OUT:
    case FTH_MESSAGE_TRUNCATE:
    case FTH_MESSAGE_FORGET:
    case FTH_MESSAGE_DETACH:
    case FTH_MESSAGE_DETACH_ALL:
    case FTH_MESSAGE_RECLAIM:
        return FTH_PEER_LONG_SECONDS;
    case FTH_MESSAGE_DISCARD:
    case FTH_MESSAGE_STATUS:
    case FTH_MESSAGE_LOSSES:
        return FTH_PEER_LAST_SECONDS;
    default:
        return FTH_PEER_SECONDS;
    }
}

void fth_spread_task_ask(struct fth_spread_task *task, uint32_t server, uint8_t kind,
                         const struct fth_bytes *fields, fth_spread_task_take *take)
{
    struct fth_parts *parts = task->spread->parts;
    struct asked_part *asked = fth_new(1, sizeof *asked);
    *asked = (struct asked_part){task, take, server};
    task->waiting++;
    if (server == parts->requests->instance->server)
        fth_parts_do(parts, kind, &task->asker, fields, part_is_done, asked);
    else
        fth_peers_ask(parts->peers, server, kind, &task->asker, fields, seconds_of(kind),
                      peer_has_answered, asked);
}

void fth_spread_task_end(struct fth_spread_task *task)
{
    struct fth_bytes message = {.data = NULL};
    struct fth_bytes *to = task->at_once ? task->at_once : &message;
    fth_fs_message_begin(to, (uint8_t)task->error);
    if (task->error)
        fth_bytes_put(to, task->why, strlen(task->why));
    else
        fth_bytes_put(to, task->answer.data, task->answer.length);
    if (!task->at_once)
        task->spread->answered(task->spread->data, task->connection, &message);
    fth_bytes_free(&message);
    fth_bytes_free(&task->answer);
    fth_intervals_free(&task->found);
    fth_bytes_free(&task->ranges);
    fth_keyed_free(&task->written);
    free(task->lost);
    free(task->path);
    task->path = NULL;
    task->has_ended = true;
    if (!task->at_once)
        free(task);
}

void fth_spread_task_take_fields(struct fth_spread_task *task, uint32_t server,
                                 struct fth_view *fields)
{
    (void)server;
    fth_bytes_put(&task->answer, fields->at, fth_view_left(fields));
    fields->at = fields->end;
}

void fth_spread_task_pass_over(struct fth_spread_task *task, uint32_t server, const char *why)
{
    (void)task;
    (void)server;
    (void)why;
}

/* ---- which servers ---- */

uint32_t fth_spread_task_count(const struct fth_spread_task *task)
{
    return task->spread->requests->instance->server_count;
}

uint32_t fth_spread_task_home(const struct fth_spread_task *task)
{
    return fth_share_server(fth_spread_task_count(task), task->path, task->length, 0);
}

void fth_spread_task_ask_all(struct fth_spread_task *task, uint8_t kind,
                             const struct fth_bytes *fields, fth_spread_task_take *take)
{
    for (uint32_t i = 0; i < fth_spread_task_count(task); i++)
        fth_spread_task_ask(task, i, kind, fields, take);
}

static uint8_t *used_by(struct fth_spread_task *task)
{
    struct fth_keyed *used = &task->spread->used;
    used->size = (fth_spread_task_count(task) + 7) / 8;
    return fth_keyed_get(used, &task->asker.client, sizeof task->asker.client);
}

void fth_spread_task_use(struct fth_spread_task *task, uint32_t server)
{
    used_by(task)[server / 8] |= (uint8_t)(1 << server % 8);
}

void fth_spread_task_ask_used(struct fth_spread_task *task, uint8_t kind,
                              const struct fth_bytes *fields, fth_spread_task_take *take)
{
    for (uint32_t i = 0; i < fth_spread_task_count(task); i++)
        if (task->spread->forgets || used_by(task)[i / 8] >> i % 8 & 1)
            fth_spread_task_ask(task, i, kind, fields, take);
}

struct fth_bytes fth_spread_task_fields(const struct fth_spread_task *task)
{
    struct fth_bytes fields = {.data = NULL};
    fth_bytes_text(&fields, task->path, task->length);
    return fields;
}

/* ---- the end of a file ---- */

static void take_end(struct fth_spread_task *task, uint32_t server, struct fth_view *fields)
{
    uint64_t end = fth_view_varint(fields);
    (void)server;
    task->file_end = end > task->file_end ? end : task->file_end;
}

/* The home knows an end in the last block that has anything; the server of that block knows it
 * exactly. */
static void ask_last_block(struct fth_spread_task *task)
{
    task->knows_home_end = true;
    uint64_t block = task->file_end ? fth_share_block(task->file_end - 1) : 0;
    uint32_t server =
        fth_share_server(fth_spread_task_count(task), task->path, task->length, block);
    struct fth_bytes fields = fth_spread_task_fields(task);
    fth_spread_task_begin_step(task, task->behind_end);
    if (!task->error && server != fth_spread_task_home(task))
        fth_spread_task_ask(task, server, FTH_MESSAGE_STAT, &fields, take_end);
    fth_bytes_free(&fields);
    fth_spread_task_end_step(task);
}

void fth_spread_task_find_end(struct fth_spread_task *task, fth_spread_task_step *then)
{
    struct fth_bytes fields = fth_spread_task_fields(task);
    task->behind_end = then;
    fth_spread_task_begin_step(task, ask_last_block);
    if (!task->error && !task->knows_home_end)
        fth_spread_task_ask(task, fth_spread_task_home(task), FTH_MESSAGE_STAT, &fields, take_end);
    fth_bytes_free(&fields);
    fth_spread_task_end_step(task);
}
