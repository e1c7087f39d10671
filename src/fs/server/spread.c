/* Requests of clients, to the servers that have to do with them. */
#include "fs/server/spread.h"

#include "base/memory.h"
#include "fs/protocol/buffer_file.h"
#include "fs/protocol/file_names.h"
#include "fs/protocol/fs_messages.h"
#include "fs/server/node_meeting.h"
#include "fs/server/share_of_file.h"
#include "fs/server/spread_task.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- ends of files ---- */

static void answer_end(struct fth_spread_task *task)
{
    fth_bytes_varint(&task->answer, task->file_end);
    fth_spread_task_end(task);
}

static void take_begin(struct fth_spread_task *task, uint32_t server, struct fth_view *fields)
{
    (void)server;
    fth_bytes_varint(&task->answer, fth_view_varint(fields));
}

/* begin: the end that the client knows; end: the bytes that it wants. */
static void reserve(struct fth_spread_task *task)
{
    struct fth_bytes fields = fth_spread_task_fields(task);
    fth_bytes_varint(&fields, task->file_end > task->begin ? task->file_end : task->begin);
    fth_bytes_varint(&fields, task->end);
    fth_spread_task_begin_step(task, fth_spread_task_end);
    if (!task->error)
        fth_spread_task_ask(task, fth_spread_task_home(task), FTH_MESSAGE_RESERVE, &fields,
                            take_begin);
    fth_bytes_free(&fields);
    fth_spread_task_end_step(task);
}

static void take_end_before(struct fth_spread_task *task, uint32_t server, struct fth_view *fields)
{
    (void)server;
    task->file_end = fth_view_varint(fields);
}

/* The home has the new end; now those who have something behind it. */
static void cut_blocks(struct fth_spread_task *task)
{
    bool *seen = fth_new(fth_spread_task_count(task), sizeof *seen);
    uint32_t left = fth_spread_task_count(task) - 1;
    struct fth_bytes fields = fth_spread_task_fields(task);
    seen[fth_spread_task_home(task)] = true;
    fth_bytes_varint(&fields, task->begin);
    fth_spread_task_begin_step(task, fth_spread_task_end);
    if (task->error || !fth_held_is_identity(task->path, task->length))
        left = 0;
    for (uint64_t block = fth_share_block(task->begin);
         left && task->file_end && block <= fth_share_block(task->file_end - 1); block++) {
        uint32_t server =
            fth_share_server(fth_spread_task_count(task), task->path, task->length, block);
        if (seen[server])
            continue;
        seen[server] = true;
        left--;
        fth_spread_task_ask(task, server, FTH_MESSAGE_TRUNCATE, &fields, NULL);
    }
    fth_bytes_free(&fields);
    free(seen);
    fth_spread_task_end_step(task);
}

static void truncate_at_home(struct fth_spread_task *task)
{
    struct fth_bytes fields = fth_spread_task_fields(task);
    fth_bytes_varint(&fields, task->begin);
    if (task->begin > INT64_MAX)
        fth_spread_task_fail(task, EBADMSG, "");
    else if (task->begin &&
             !fth_requests_may_attach(task->spread->requests, task->path, task->length))
        fth_spread_task_fail(task, ESTALE, "");
    fth_spread_task_begin_step(task, cut_blocks);
    if (!task->error)
        fth_spread_task_ask(task, fth_spread_task_home(task), FTH_MESSAGE_TRUNCATE, &fields,
                            take_end_before);
    fth_bytes_free(&fields);
    fth_spread_task_end_step(task);
}

/* ---- locks, and what others do not have to see any more ---- */

static void ask_home(struct fth_spread_task *task, const struct fth_view *message)
{
    struct fth_bytes fields = fth_spread_task_fields(task);
    fth_bytes_put(&fields, message->at, fth_view_left(message));
    fth_spread_task_use(task, fth_spread_task_home(task));
    fth_spread_task_begin_step(task, fth_spread_task_end);
    fth_spread_task_ask(task, fth_spread_task_home(task), task->kind, &fields,
                        fth_spread_task_take_fields);
    fth_bytes_free(&fields);
    fth_spread_task_end_step(task);
}

static void ask_used(struct fth_spread_task *task)
{
    struct fth_bytes fields = {.data = NULL};
    if (task->length) {
        fields = fth_spread_task_fields(task);
        fth_bytes_varint(&fields, task->begin);
        fth_bytes_varint(&fields, task->end);
    }
    fth_spread_task_begin_step(task, fth_spread_task_end);
    fth_spread_task_ask_used(task, task->kind, &fields, NULL);
    fth_bytes_free(&fields);
    fth_spread_task_end_step(task);
}

/* ---- other requests ---- */

static void fetch(struct fth_spread_task *task, struct fth_view *message)
{
    struct fth_bytes fields = {.data = NULL};
    fth_bytes_put(&fields, message->at, fth_view_left(message));
    uint64_t owner = fth_view_varint(message);
    bool is_one = !message->failed && owner >> FTH_SERVER_SHIFT < fth_spread_task_count(task);
    if (!is_one)
        fth_spread_task_fail(task, EBADMSG, "");
    fth_spread_task_begin_step(task, fth_spread_task_end);
    if (is_one)
        fth_spread_task_ask(task, fth_server_of((uint32_t)owner), FTH_MESSAGE_FETCH, &fields,
                            fth_spread_task_take_fields);
    fth_bytes_free(&fields);
    fth_spread_task_end_step(task);
}

static void put_status(struct fth_spread_task *task, uint32_t server, const char *why,
                       const struct fth_view *fields)
{
    struct fth_met_node node;
    if (!fth_node_meeting_find(task->spread->requests->instance, server, &node))
        snprintf(node.name, sizeof node.name, "unknown");
    fth_bytes_varint(&task->answer, server);
    fth_bytes_text(&task->answer, node.name, strlen(node.name));
    fth_bytes_text(&task->answer, why, strlen(why));
    fth_bytes_text(&task->answer, fields ? fields->at : NULL, fields ? fth_view_left(fields) : 0);
}

static void take_status(struct fth_spread_task *task, uint32_t server, struct fth_view *fields)
{
    put_status(task, server, "", fields);
}

static void miss_status(struct fth_spread_task *task, uint32_t server, const char *why)
{
    put_status(task, server, why, NULL);
}

static void ask_everybody(struct fth_spread_task *task)
{
    const struct fth_bytes none = {.data = NULL};
    bool is_status = task->kind == FTH_MESSAGE_STATUS;
    task->miss = is_status ? miss_status : fth_spread_task_pass_over;
    fth_spread_task_begin_step(task, fth_spread_task_end);
    fth_spread_task_ask_all(task, task->kind, &none,
                            is_status ? take_status : fth_spread_task_take_fields);
    fth_spread_task_end_step(task);
}

/* ---- files that are gone ---- */

static void end_giving_up(struct fth_spread_task *task)
{
    task->spread->giving_up--;
    fth_spread_task_end(task);
}

static void give_up(struct fth_spread_task *task)
{
    struct fth_bytes fields = fth_spread_task_fields(task);
    task->spread->giving_up++;
    task->miss = fth_spread_task_pass_over;
    fth_spread_task_begin_step(task, end_giving_up);
    fth_spread_task_ask_all(task, FTH_MESSAGE_GIVE_UP, &fields, NULL);
    fth_bytes_free(&fields);
    fth_spread_task_end_step(task);
}

void fth_spread_begin(struct fth_spread *spread)
{
    const struct fth_published *published = spread->requests->published;
    for (uint32_t i = 0; spread->parts && i < fth_keyed_count(&published->files); i++) {
        const struct fth_published_file *file = fth_keyed_item(&published->files, i);
        size_t length;
        const char *path = fth_published_path(published, i, &length);
        if (!file->is_given_up)
            continue;
        struct fth_spread_task *task = fth_new(1, sizeof *task);
        *task = (struct fth_spread_task){
            .spread = spread,
            .asker.client = spread->requests->instance->server << FTH_SERVER_SHIFT | 1,
            .kind = FTH_MESSAGE_GIVE_UP,
            .path = fth_text_part(path, length),
            .length = length};
        give_up(task);
    }
}

/* ---- clients that are gone ---- */

void fth_spread_leave(struct fth_spread *spread, uint32_t client)
{
    if (!fth_keyed_has(&spread->lockers, &client, sizeof client))
        return;
    if (!spread->parts) {
        fth_requests_unlock(spread->requests, client);
        return;
    }
    struct fth_spread_task *task = fth_new(1, sizeof *task);
    *task = (struct fth_spread_task){.spread = spread,
                                     .asker.client = client,
                                     .kind = FTH_MESSAGE_UNLOCK,
                                     .path = fth_text_copy(""),
                                     .miss = fth_spread_task_pass_over};
    ask_used(task);
}

/* ---- which request ---- */

static bool takes_path(uint8_t kind)
{
    switch (kind) {
    case FTH_MESSAGE_ATTACH:
    case FTH_MESSAGE_QUERY:
    case FTH_MESSAGE_DETACH:
    case FTH_MESSAGE_STAT:
    case FTH_MESSAGE_LOCK:
    case FTH_MESSAGE_TRUNCATE:
    case FTH_MESSAGE_RESERVE:
    case FTH_MESSAGE_FLUSH_OWN:
    case FTH_MESSAGE_SETTLE:
        return true;
    default:
        return false;
    }
}

static bool take_path(struct fth_spread_task *task, struct fth_view *message)
{
    uint64_t length = fth_view_varint(message);
    const char *path = (const char *)fth_view_bytes(message, length);
    if (!path ||
        (!fth_file_name_is_valid(path, length) && (length || task->kind != FTH_MESSAGE_SETTLE)))
        return false;
    task->path = fth_text_part(path, length);
    task->length = length;
    return true;
}

static bool take_range(struct fth_spread_task *task, struct fth_view *message)
{
    bool has_one = task->kind == FTH_MESSAGE_TRUNCATE, has_two = task->kind == FTH_MESSAGE_QUERY ||
                                                                 task->kind == FTH_MESSAGE_DETACH ||
                                                                 task->kind == FTH_MESSAGE_RESERVE;
    if (has_one || has_two)
        task->begin = fth_view_varint(message);
    if (has_two)
        task->end = fth_view_varint(message);
    return !message->failed;
}

static void start(struct fth_spread_task *task, struct fth_view *message)
{
    switch (task->kind) {
    case FTH_MESSAGE_ATTACH:
        fth_spread_attach(task, message);
        break;
    case FTH_MESSAGE_QUERY:
        fth_spread_query(task);
        break;
    case FTH_MESSAGE_STAT:
        fth_spread_task_find_end(task, answer_end);
        break;
    case FTH_MESSAGE_RESERVE:
        fth_spread_task_find_end(task, reserve);
        break;
    case FTH_MESSAGE_TRUNCATE:
        truncate_at_home(task);
        break;
    case FTH_MESSAGE_LOCK:
        ask_home(task, message);
        break;
    case FTH_MESSAGE_DETACH:
    case FTH_MESSAGE_DETACH_ALL:
        ask_used(task);
        break;
    case FTH_MESSAGE_FLUSH_OWN:
    case FTH_MESSAGE_RECLAIM:
    case FTH_MESSAGE_FLUSH:
    case FTH_MESSAGE_SETTLE:
    case FTH_MESSAGE_STOP:
    case FTH_MESSAGE_DISCARD:
        fth_spread_write(task);
        break;
    case FTH_MESSAGE_FETCH:
        fetch(task, message);
        break;
    case FTH_MESSAGE_GIVE: /* processes of other nodes would not see what is written to a map */
        fth_spread_task_fail(task, ENODEV, "");
        fth_spread_task_end(task);
        break;
    case FTH_MESSAGE_STATUS:
    case FTH_MESSAGE_LOSSES:
        ask_everybody(task);
        break;
    default:
        fth_spread_task_fail(task, EBADMSG, "");
        fth_spread_task_end(task);
    }
}

/* Of a node that is lost: nobody asks its server anything, and it ends alone. */
static bool refuse(struct fth_spread *spread, uint8_t kind, struct fth_bytes *answer)
{
    char why[FTH_COPIES_WHY];
    spread->requests->stop |= kind == FTH_MESSAGE_DISCARD;
    fth_fs_message_begin(answer, kind == FTH_MESSAGE_DISCARD ? 0 : EHOSTDOWN);
    fth_copies_tell_lost(spread->parts->copies, why);
    fth_bytes_put(answer, why, kind == FTH_MESSAGE_DISCARD ? 0 : strlen(why));
    return true;
}

struct waiting_for_copy {
    struct fth_spread *spread;
    uint64_t connection;
};

static void copy_is_known(void *data, int error, const void *fields, size_t length)
{
    struct waiting_for_copy *waiting = data;
    struct fth_bytes message = {.data = NULL};
    fth_fs_message_begin(&message, (uint8_t)error);
    fth_bytes_put(&message, fields, length);
    waiting->spread->answered(waiting->spread->data, waiting->connection, &message);
    fth_bytes_free(&message);
    free(waiting);
}

/* The answer comes when the next node knows what it says. */
static bool wait_for_copy(struct fth_spread *spread, uint64_t connection,
                          const struct fth_bytes *answer)
{
    enum { HEAD = FTH_MESSAGE_LENGTH + 1 };
    struct waiting_for_copy *waiting = fth_new(1, sizeof *waiting);
    *waiting = (struct waiting_for_copy){spread, connection};
    fth_copies_give(spread->parts->copies, copy_is_known, waiting, answer->data[FTH_MESSAGE_LENGTH],
                    answer->data + HEAD, answer->length - HEAD);
    return true;
}

bool fth_spread_request(struct fth_spread *spread, uint64_t connection, uint32_t client,
                        uint8_t kind, struct fth_view *message, int *passed,
                        struct fth_bytes *answer)
{
    uint64_t number = fth_view_varint(message);
    const struct fth_asker asker = {client, fth_fs_message_is_noted(kind) ? number : 0};
    spread->lockers.size = 1;
    if (kind == FTH_MESSAGE_LOCK)
        fth_keyed_get(&spread->lockers, &client, sizeof client);
    if (!spread->parts)
        return fth_flushes_request(&spread->flushes, connection, &asker, kind, message, passed,
                                   answer);
    if (spread->parts->copies && spread->parts->copies->is_lost)
        return refuse(spread, kind, answer);
    if (kind == FTH_MESSAGE_HOLD) {
        fth_requests_answer(spread->requests, &asker, kind, message, passed, answer);
        return !spread->parts->copies || !fth_copies_wait(spread->parts->copies) ||
               !wait_for_copy(spread, connection, answer);
    }
    struct fth_spread_task *task = fth_new(1, sizeof *task);
    *task = (struct fth_spread_task){.spread = spread,
                                     .connection = connection,
                                     .asker = asker,
                                     .kind = kind,
                                     .at_once = answer};
    if ((takes_path(kind) && !take_path(task, message)) || !take_range(task, message)) {
        fth_spread_task_fail(task, EBADMSG, "");
        fth_spread_task_end(task);
    } else {
        if (!task->path)
            task->path = fth_text_copy("");
        start(task, message);
    }
    bool has_ended = task->has_ended;
    task->at_once = NULL;
    if (has_ended)
        free(task);
    return has_ended;
}

bool fth_spread_step(struct fth_spread *spread)
{
    return spread->parts ? fth_parts_step(spread->parts) : fth_flushes_step(&spread->flushes);
}

void fth_spread_end(struct fth_spread *spread)
{
    fth_flushes_end(&spread->flushes);
    fth_keyed_free(&spread->used);
    fth_keyed_free(&spread->home_knows);
    fth_keyed_free(&spread->lockers);
}
