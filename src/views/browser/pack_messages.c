/* Messages of a run for its page, in columns of varints: one by one, or, where they are too many,
 * in sums by pair of processes and part of the time. */
#include "base/memory.h"
#include "views/browser/pack.h"

#include <stdlib.h>
#include <string.h>

/* A number that may be less than 0. */
static uint64_t zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static int by_start(const void *one, const void *other)
{
    const struct fth_listed_message *a = one, *b = other;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->caller != b->caller)
        return a->caller < b->caller ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* 0: not recorded, 1: not known; else the process plus 2. */
static uint64_t end_of(uint32_t proc)
{
    return proc == FTH_LISTED_NOT_RECORDED ? 0
           : proc == FTH_LISTED_NOT_KNOWN  ? 1
                                           : (uint64_t)proc + 2;
}

static bool is_received(const struct fth_listed_message *message)
{
    return message->end != INT64_MIN;
}

/* Does the table of messages count how long it took? */
static bool is_timed(const struct fth_listed_message *message)
{
    return is_received(message) && message->bytes >= 0 && message->error != INT64_MAX;
}

/* ns, from which on no sum of times is known; a difference of this is more than that. */
static int64_t error_of(const struct fth_listed_message *message, int64_t resolution)
{
    bool is_impossible = message->end - message->start < -message->error - resolution;
    return is_impossible ? INT64_MAX / 2 : message->error;
}

#define PUT(value)                                                                                 \
    for (size_t i = 0; i < count; i++) {                                                           \
        const struct fth_listed_message *one = &all[i];                                            \
        fth_views_pack(to, (uint64_t)(value));                                                     \
    }

static void put_listed(struct fth_sink *to, const struct fth_listed_message *all, size_t count,
                       int64_t begin, int64_t resolution)
{
    PUT(one->one_sided)
    PUT(end_of(one->from))
    PUT(end_of(one->to))
    PUT(one->start - (i ? all[i - 1].start : begin))
    PUT(is_received(one) ? zigzag(one->end - one->start) + 1 : 0)
    PUT(one->bytes < 0 ? 0 : one->bytes + 1)
    PUT(is_timed(one) ? error_of(one, resolution) + 1 : 0)
    PUT(one->caller)
    PUT(one->thread)
    PUT(one->call)
    PUT(one->receive_thread)
    PUT(one->receive_call)
    PUT(zigzag(one->tag))
    PUT(one->place == UINT32_MAX ? 0 : (uint64_t)one->place + 1)
}

/* ---- sums ---- */

struct sum {
    bool one_sided;
    uint32_t from, to, part;
    uint64_t count, bytes, unsized, timed, timed_bytes, time, error;
};

static int by_pair(const void *one, const void *other)
{
    const struct sum *a = one, *b = other;
    if (a->one_sided != b->one_sided)
        return a->one_sided - b->one_sided;
    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

static struct sum sum_of(const struct fth_listed_message *one, int64_t begin, int64_t width,
                         int64_t resolution)
{
    bool timed = is_timed(one);
    int64_t bytes = one->bytes < 0 ? 0 : one->bytes;
    return (struct sum){.one_sided = one->one_sided,
                        .from = one->from,
                        .to = one->to,
                        .part = (uint32_t)((one->start - begin) / width),
                        .count = 1,
                        .bytes = (uint64_t)bytes,
                        .unsized = one->bytes < 0,
                        .timed = timed,
                        .timed_bytes = timed ? (uint64_t)bytes : 0,
                        .time = timed ? zigzag(one->end - one->start) : 0,
                        .error = timed ? (uint64_t)error_of(one, resolution) : 0};
}

static uint64_t add_times(uint64_t one, uint64_t other)
{
    int64_t a = (int64_t)(one >> 1) ^ -(int64_t)(one & 1),
            b = (int64_t)(other >> 1) ^ -(int64_t)(other & 1);
    return zigzag(a + b);
}

static void add(struct sum *to, const struct sum *sum)
{
    to->count += sum->count;
    to->bytes += sum->bytes;
    to->unsized += sum->unsized;
    to->timed += sum->timed;
    to->timed_bytes += sum->timed_bytes;
    to->time = add_times(to->time, sum->time);
    to->error = to->error > INT64_MAX / 4 || sum->error > INT64_MAX / 4 ? INT64_MAX / 2
                                                                        : to->error + sum->error;
}

static void put_sums(struct fth_sink *to, const struct fth_listed_message *all, size_t count,
                     const struct fth_overview *overview, int64_t resolution)
{
    struct sum *sums = fth_new(count + 1, sizeof *sums);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        sums[i] = sum_of(&all[i], overview->begin, overview->part_width, resolution);
    qsort(sums, count, sizeof *sums, by_pair);
    for (size_t i = 0; i < count; i++)
        if (kept && !by_pair(&sums[kept - 1], &sums[i]))
            add(&sums[kept - 1], &sums[i]);
        else
            sums[kept++] = sums[i];
    fth_views_pack(to, kept);
    for (size_t i = 0; i < kept; i++) {
        const uint64_t values[] = {sums[i].one_sided, end_of(sums[i].from), end_of(sums[i].to),
                                   sums[i].part,      sums[i].count,        sums[i].bytes,
                                   sums[i].unsized,   sums[i].timed,        sums[i].timed_bytes,
                                   sums[i].time,      sums[i].error};
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            fth_views_pack(to, values[k]);
    }
    free(sums);
}

void fth_views_pack_messages(struct fth_sink *to, const struct fth_message_list *list,
                             const struct fth_overview *overview, size_t most_listed)
{
    int64_t resolution = fth_trace_info(overview->trace)->resolution;
    size_t count = list->count;
    fth_views_pack(to, list->too_many ? list->too_many + count : 0);
    if (list->too_many)
        return;
    struct fth_listed_message *all = fth_new(count + 1, sizeof *all);
    if (count)
        memcpy(all, list->all, count * sizeof *all);
    qsort(all, count, sizeof *all, by_start);
    bool is_listed = count <= most_listed;
    fth_views_pack(to, is_listed);
    fth_views_pack_texts(to, &list->places);
    if (is_listed) {
        fth_views_pack(to, count);
        put_listed(to, all, count, overview->begin, resolution);
    } else {
        put_sums(to, all, count, overview, resolution);
    }
    free(all);
}
