/* Attach and query over several servers. */
#include "fs/server/spread_task.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"
#include "fs/server/share_of_file.h"

#include <errno.h>
#include <string.h>

static uint32_t server_of(const struct fth_spread_task *task, uint64_t offset)
{
    return fth_share_server(fth_spread_task_count(task), task->path, task->length,
                            fth_share_block(offset));
}

static uint64_t end_of_block(uint64_t offset)
{
    return (fth_share_block(offset) + 1) << FTH_SHARE_SHIFT;
}

/* ---- attach ---- */

/* What one server gets: ranges, each in one block. */
struct group {
    uint32_t server;
    uint64_t count, at;
    struct fth_bytes ranges;
};

struct groups {
    struct group *list;
    size_t count;
};

static struct group *group_of(struct groups *groups, uint32_t server)
{
    for (size_t i = 0; i < groups->count; i++)
        if (groups->list[i].server == server)
            return &groups->list[i];
    FTH_GROW(groups->list, groups->count);
    groups->list[groups->count] = (struct group){.server = server};
    return &groups->list[groups->count++];
}

static void add_range(struct groups *groups, uint32_t server, uint64_t begin, uint64_t end,
                      uint64_t place)
{
    struct group *group = group_of(groups, server);
    fth_bytes_varint(&group->ranges, begin - group->at);
    fth_bytes_varint(&group->ranges, end - begin);
    fth_bytes_varint(&group->ranges, place);
    group->at = end;
    group->count++;
}

/* false: they are none. Sets task->end to the last byte. */
static bool read_ranges(struct fth_spread_task *task, struct fth_view *message,
                        struct groups *groups)
{
    uint64_t at = 0;
    for (uint64_t count = fth_view_count(message, 3); count--;) {
        uint64_t begin = at + fth_view_varint(message);
        uint64_t end = begin + fth_view_varint(message), place = fth_view_varint(message);
        if (message->failed || begin < at || end <= begin || end > INT64_MAX)
            return false;
        for (uint64_t from = begin, to; from < end; from = to) {
            to = end_of_block(from) < end ? end_of_block(from) : end;
            add_range(groups, server_of(task, from), from, to, place + (from - begin));
        }
        at = end;
        task->end = end;
    }
    return !message->failed;
}

/* Blocks that had nothing have something now: the home has to know of the last of them. It may not
 * know it either where this server has not said so: who attached first may not have reached it. */
static void take_attached(struct fth_spread_task *task, uint32_t server, struct fth_view *fields)
{
    const struct fth_keyed *known = &task->spread->home_knows;
    uint32_t at;
    bool is_known = fth_keyed_number(known, task->path, task->length, &at) &&
                    *(const uint64_t *)fth_keyed_item(known, at) >= fth_share_block(task->end - 1);
    if ((fth_view_varint(fields) || !is_known) && server != fth_spread_task_home(task))
        task->most = task->end;
}

static void note_home_knows(struct fth_spread_task *task, uint32_t server, struct fth_view *fields)
{
    enum { FILES_MOST = 4096 }; /* what is forgotten is said to the home again */
    struct fth_keyed *known = &task->spread->home_knows;
    (void)server;
    (void)fields;
    if (fth_keyed_count(known) == FILES_MOST)
        fth_keyed_free(known);
    known->size = sizeof(uint64_t);
    uint64_t *block = fth_keyed_get(known, task->path, task->length);
    *block = fth_share_block(task->most - 1);
}

static void tell_home(struct fth_spread_task *task)
{
    struct fth_bytes fields = fth_spread_task_fields(task);
    fth_bytes_varint(&fields, task->most);
    fth_bytes_varint(&fields, 0);
    fth_spread_task_begin_step(task, fth_spread_task_end);
    if (task->most && !task->error)
        fth_spread_task_ask(task, fth_spread_task_home(task), FTH_MESSAGE_RESERVE, &fields,
                            note_home_knows);
    fth_bytes_free(&fields);
    fth_spread_task_end_step(task);
}

static void attach(struct fth_spread_task *task)
{
    struct groups groups = {.count = 0};
    struct fth_view message = fth_view_of(task->ranges.data, task->ranges.length);
    if (!task->error && !read_ranges(task, &message, &groups))
        fth_spread_task_fail(task, EBADMSG, "");
    fth_spread_task_begin_step(task, tell_home);
    for (size_t i = 0; i < groups.count; i++) {
        struct fth_bytes fields = fth_spread_task_fields(task);
        fth_bytes_varint(&fields, groups.list[i].count);
        fth_bytes_put(&fields, groups.list[i].ranges.data, groups.list[i].ranges.length);
        fth_bytes_put(&fields, message.at, fth_view_left(&message)); /* what was locked */
        fth_spread_task_use(task, groups.list[i].server);
        if (!task->error)
            fth_spread_task_ask(task, groups.list[i].server, FTH_MESSAGE_ATTACH, &fields,
                                take_attached);
        fth_bytes_free(&fields);
        fth_bytes_free(&groups.list[i].ranges);
    }
    free(groups.list);
    fth_spread_task_end_step(task);
}

void fth_spread_attach(struct fth_spread_task *task, struct fth_view *message)
{
    fth_bytes_put(&task->ranges, message->at, fth_view_left(message));
    if (!fth_requests_may_attach(task->spread->requests, task->path, task->length))
        fth_spread_task_fail(task, ESTALE, "");
    fth_spread_copy(task, attach);
}

/* ---- query ---- */

static void take_ranges(struct fth_spread_task *task, uint32_t server, struct fth_view *fields)
{
    uint64_t end = fth_view_varint(fields);
    fth_view_varint(fields);
    task->file_end = end > task->file_end ? end : task->file_end;
    task->knows_home_end |= server == fth_spread_task_home(task);
    for (uint64_t count = fth_view_count(fields, 4); count--;) {
        struct fth_interval interval = {.begin = fth_view_varint(fields)};
        interval.end = interval.begin + fth_view_varint(fields);
        interval.place = fth_view_varint(fields);
        interval.owner = (uint32_t)fth_view_varint(fields);
        fields->failed |= interval.begin >= interval.end || interval.begin < task->begin ||
                          interval.end > task->end;
        if (fields->failed)
            return;
        fth_intervals_put(&task->found, &interval);
    }
}

/* The servers of the blocks of [begin, end), each once. */
static void ask_ranges(struct fth_spread_task *task, uint64_t end, fth_spread_task_step *next)
{
    bool *seen = fth_new(fth_spread_task_count(task), sizeof *seen);
    uint32_t left = fth_spread_task_count(task);
    struct fth_bytes fields = fth_spread_task_fields(task);
    fth_bytes_varint(&fields, task->begin);
    fth_bytes_varint(&fields, end);
    fth_spread_task_begin_step(task, next);
    if (!fth_held_is_identity(task->path, task->length))
        left = 1;
    for (uint64_t at = task->begin; at < end && left; at = end_of_block(at)) {
        uint32_t server = server_of(task, at);
        if (seen[server])
            continue;
        seen[server] = true;
        left--;
        fth_spread_task_ask(task, server, FTH_MESSAGE_QUERY, &fields, take_ranges);
    }
    fth_bytes_free(&fields);
    free(seen);
    fth_spread_task_end_step(task);
}

static bool is_covered(const struct fth_spread_task *task)
{
    struct fth_interval found;
    uint64_t at = task->begin;
    while (at < task->end && fth_intervals_within(&task->found, at, task->end, &found) &&
           found.begin == at)
        at = found.end;
    return at >= task->end;
}

static void put_ranges(struct fth_spread_task *task, bool knows_end)
{
    struct fth_interval found;
    fth_bytes_varint(&task->answer, task->file_end);
    fth_bytes_varint(&task->answer, knows_end);
    uint64_t count = 0;
    for (uint64_t at = 0; fth_intervals_find(&task->found, at, &found); at = found.end)
        count++;
    fth_bytes_varint(&task->answer, count);
    for (uint64_t at = 0; fth_intervals_find(&task->found, at, &found); at = found.end) {
        fth_bytes_varint(&task->answer, found.begin);
        fth_bytes_varint(&task->answer, found.end - found.begin);
        fth_bytes_varint(&task->answer, found.place);
        fth_bytes_varint(&task->answer, found.owner);
    }
}

static void answer_with_end(struct fth_spread_task *task)
{
    put_ranges(task, true);
    fth_spread_task_end(task);
}

/* What was attached between the two is to be seen with the end that it made. */
static void ask_again(struct fth_spread_task *task)
{
    uint64_t end = task->end < task->file_end ? task->end : task->file_end;
    if (task->error || end <= task->begin)
        answer_with_end(task);
    else
        ask_ranges(task, end, answer_with_end);
}

static bool is_in_one_server(const struct fth_spread_task *task)
{
    return !fth_held_is_identity(task->path, task->length) ||
           (task->knows_home_end && (!task->file_end || !fth_share_block(task->file_end - 1)));
}

static void look_at_ranges(struct fth_spread_task *task)
{
    if (task->error || is_in_one_server(task)) {
        answer_with_end(task);
    } else if (is_covered(task)) {
        put_ranges(task, false);
        fth_spread_task_end(task);
    } else {
        fth_spread_task_find_end(task, ask_again);
    }
}

/* Ranges that say where they end are asked for first: mostly somebody has them. */
void fth_spread_query(struct fth_spread_task *task)
{
    if (task->begin > task->end)
        task->begin = task->end;
    uint64_t blocks = fth_share_block(task->end - (task->end > 0)) - fth_share_block(task->begin);
    if (blocks <= 1 || !fth_held_is_identity(task->path, task->length))
        ask_ranges(task, task->end, look_at_ranges);
    else
        fth_spread_task_find_end(task, ask_again);
}
