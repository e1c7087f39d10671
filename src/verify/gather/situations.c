/* Accesses become ranges and series of situations. */
#include "verify/gather/gather.h"

#include "base/memory.h"

/* Ranges in a row at equal distances are a series when there are so many; fewer are cheaper one by
 * one. */
enum { SERIES_FROM = 8 };

/* ---- ranges ---- */

static void put_range(struct fth_run_accesses *accesses, const struct fth_builder *builder,
                      uint64_t start, uint64_t call)
{
    uint64_t since = call - builder->first_call;
    FTH_GROW(accesses->ranges, accesses->range_count);
    accesses->ranges[accesses->range_count++] =
        (struct fth_access_range){.start = start,
                                  .length = builder->length,
                                  .situation = builder->situation,
                                  .call = since < UINT32_MAX ? (uint32_t)since : UINT32_MAX};
}

static void put_series(struct fth_run_accesses *accesses, const struct fth_series *series,
                       uint32_t situation, uint64_t since)
{
    FTH_GROW(accesses->series, accesses->series_count);
    accesses->series[accesses->series_count++] =
        (struct fth_access_series){.series = *series,
                                   .situation = situation,
                                   .call = since < UINT32_MAX ? (uint32_t)since : UINT32_MAX};
}

static void flush(struct fth_run_accesses *accesses, struct fth_builder *builder)
{
    if (builder->count >= SERIES_FROM) {
        bool down = builder->stride < 0;
        struct fth_series series = {.start = down ? builder->last : builder->start,
                                    .length = builder->length,
                                    .stride = (uint64_t)(down ? -builder->stride : builder->stride),
                                    .count = builder->count};
        put_series(accesses, &series, builder->situation, builder->call - builder->first_call);
    } else {
        for (uint64_t i = 0; i < builder->count; i++)
            put_range(accesses, builder, builder->start + i * (uint64_t)builder->stride,
                      builder->call + i);
    }
    builder->count = 0;
}

/* One more range of the builder's situation. */
static void append(struct fth_run_accesses *accesses, struct fth_builder *builder, uint64_t start,
                   uint64_t length, uint64_t call)
{
    int64_t stride = (int64_t)(start - builder->last);
    if (builder->count && builder->length != length)
        flush(accesses, builder);
    if (builder->count == 1)
        builder->stride = stride;
    if (builder->count > 1 && builder->stride != stride) {
        if (builder->count >= SERIES_FROM) {
            flush(accesses, builder);
        } else { /* what came last may begin a series with this one */
            uint64_t last_call = builder->call + builder->count - 1, last = builder->last;
            builder->count--;
            flush(accesses, builder);
            builder->start = last;
            builder->call = last_call;
            builder->count = 1;
            builder->stride = stride;
        }
    }
    if (builder->count == 0) {
        builder->start = start;
        builder->call = call;
        builder->length = length;
    }
    builder->last = start;
    builder->count++;
}

/* What a call accesses becomes pieces: as few series as its ranges allow, in the order in which
 * they come. */
void fth_gather_pieces(struct fth_pending_operation *access, struct fth_accesses *accesses)
{
    struct fth_range range;
    access->piece_count = 0;
    while (fth_accesses_range(accesses, &range)) {
        struct fth_series *last =
            access->piece_count ? &access->pieces[access->piece_count - 1] : NULL;
        if (range.length == 0)
            continue;
        if (last && last->length == range.length && range.offset > last->start &&
            (last->count == 1 || range.offset == last->start + last->stride * last->count)) {
            last->stride = last->count == 1 ? range.offset - last->start : last->stride;
            last->count++;
            continue;
        }
        if (access->piece_count == access->piece_room) {
            access->piece_room = access->piece_room * 2 + 1;
            access->pieces = fth_resize(access->pieces, access->piece_room, sizeof *access->pieces);
        }
        access->pieces[access->piece_count++] =
            (struct fth_series){range.offset, range.length, 0, 1, false};
    }
}

void fth_gather_piece(struct fth_pending_operation *access, uint64_t start, uint64_t length)
{
    if (access->piece_room == 0) {
        access->piece_room = 1;
        access->pieces = fth_resize(access->pieces, access->piece_room, sizeof *access->pieces);
    }
    access->pieces[0] = (struct fth_series){start, length, 0, 1, false};
    access->piece_count = 1;
}

/* Of an operation that moved fewer bytes than it was asked to: the first ones. */
void fth_gather_shorten(struct fth_pending_operation *access, uint64_t length)
{
    size_t kept = 0;
    for (; kept < access->piece_count && length; kept++) {
        struct fth_series *piece = &access->pieces[kept];
        if (piece->length > length)
            *piece = (struct fth_series){piece->start, length, 0, 1, false};
        else if (piece->count > length / piece->length)
            piece->count = length / piece->length; /* the last one, cut, is left out */
        length -= piece->length * piece->count;
    }
    access->piece_count = kept;
}

uint64_t fth_gather_end(const struct fth_pending_operation *access, uint64_t length)
{
    uint64_t end = access->piece_count ? access->pieces->start : 0;
    for (size_t i = 0; i < access->piece_count && length; i++) {
        const struct fth_series *piece = &access->pieces[i];
        if (piece->length == 0)
            continue;
        uint64_t whole = length / piece->length, rest = length % piece->length;
        if (whole >= piece->count) {
            whole = piece->count;
            rest = 0;
        }
        uint64_t last = rest    ? piece->start + whole * piece->stride + rest
                        : whole ? piece->start + (whole - 1) * piece->stride + piece->length
                                : 0;
        end = last > end ? last : end;
        length -= whole * piece->length + rest;
    }
    return end;
}

/* ---- situations ---- */

static bool same_situation(const struct fth_situation *a, const struct fth_situation *b)
{
    return a->opening == b->opening && a->chain == b->chain && a->writes == b->writes &&
           a->layer == b->layer && a->atomic == b->atomic && a->thread == b->thread &&
           a->begin.step == b->begin.step && a->end.step == b->end.step && a->began == b->began &&
           a->ended == b->ended && a->carrier == b->carrier && a->region == b->region &&
           a->removes == b->removes && a->unsure == b->unsure && a->why_unsure == b->why_unsure &&
           a->completed_by == b->completed_by && a->by_shared_pointer == b->by_shared_pointer &&
           a->inherited == b->inherited && a->interval == b->interval && a->placed == b->placed &&
           a->contents == b->contents;
}

static uint32_t new_situation(struct fth_run_accesses *accesses,
                              const struct fth_pending_operation *access)
{
    FTH_GROW(accesses->situations, accesses->situation_count);
    accesses->situations[accesses->situation_count] = access->situation;
    accesses->situations[accesses->situation_count].first_call = access->call;
    return (uint32_t)accesses->situation_count++;
}

static struct fth_builder *builder_of(struct fth_access_thread *thread,
                                      const struct fth_situation *situation)
{
    uint32_t hash = situation->opening * 31 + situation->chain * 7 + situation->writes;
    return &thread->builders[hash % FTH_BUILDERS];
}

/* What is written to the end comes behind what the situation has written there before. Sums that
 * cannot be are cut off. */
static void put_behind(struct fth_situation *situation, struct fth_series *piece)
{
    uint64_t left = FTH_ENDLESS - 1 - situation->appended;
    piece->start = situation->appended;
    if (piece->length > left)
        piece->length = left;
    situation->appended += piece->length;
}

/* How far a situation has read, now that one more of its reads is over. */
static void note_read_end(struct fth_situation *situation,
                          const struct fth_pending_operation *access)
{
    uint64_t end = fth_gather_end(access, access->is_short ? access->moved : UINT64_MAX);
    if (end > situation->read_end)
        situation->read_end = end;
    if (access->is_short && (!situation->found_end || end < situation->found_end - 1))
        situation->found_end = end + 1;
}

/* A read that found the end of the file depends on all that comes behind it: any byte there makes
 * the file longer. */
static void read_on(struct fth_run_accesses *accesses, struct fth_pending_operation *access,
                    const struct fth_builder *builder)
{
    struct fth_series *last = &access->pieces[access->piece_count - 1];
    uint64_t end = fth_series_end(last);
    if (end >= FTH_ENDLESS)
        return;
    if (last->count == 1) {
        last->length = FTH_ENDLESS - last->start;
        return;
    }
    struct fth_series rest = {end, FTH_ENDLESS - end, 0, 1, true};
    put_series(accesses, &rest, builder->situation, access->call - builder->first_call);
}

/* An access goes to the situation of the one before it, or to a new one. What ended at another
 * moment than it began has one of its own. */
static void put_access(struct fth_run_accesses *accesses, struct fth_access_thread *thread,
                       struct fth_pending_operation *access)
{
    if (access->piece_count == 0)
        return;
    const struct fth_situation *situation = &access->situation;
    bool shares = situation->end.step == situation->begin.step && !situation->together &&
                  !situation->removes && !situation->room;
    struct fth_builder *builder = builder_of(thread, situation);
    accesses->accesses += situation->removes || !situation->room;
    if (!shares || builder->situation == FTH_NO_CHAIN ||
        !same_situation(&accesses->situations[builder->situation], situation)) {
        flush(accesses, builder);
        builder->situation = new_situation(accesses, access);
        builder->first_call = access->call;
    }
    accesses->situations[builder->situation].end_time = situation->end_time;
    accesses->situations[builder->situation].last_call = access->call;
    if (!situation->writes)
        note_read_end(&accesses->situations[builder->situation], access);
    if (situation->region == FTH_REGION_APPENDED)
        put_behind(&accesses->situations[builder->situation], &access->pieces[0]);
    if (access->pieces[0].length == 0)
        return;
    if (access->is_short)
        read_on(accesses, access, builder);
    if (access->piece_count == 1 && access->pieces[0].count == 1) {
        append(accesses, builder, access->pieces[0].start, access->pieces[0].length, access->call);
        return;
    }
    for (size_t i = 0; i < access->piece_count; i++) {
        access->pieces[i].one_call = true;
        put_series(accesses, &access->pieces[i], builder->situation,
                   access->call - builder->first_call);
    }
}

/* Adds what was held back: `next` began after it, or is NULL. */
static void release(struct fth_run_accesses *accesses, struct fth_access_thread *thread,
                    const struct fth_situation *next)
{
    struct fth_situation *held = &thread->held.situation;
    if (!thread->holds)
        return;
    if (next && next->begin.step == held->begin.step)
        held->end = held->begin;
    put_access(accesses, thread, &thread->held);
    thread->holds = false;
}

void fth_gather_access(struct fth_run_accesses *accesses, struct fth_access_thread *thread,
                       struct fth_pending_operation *access)
{
    if (access->situation.end.step != FTH_BY_TICKET) {
        put_access(accesses, thread, access);
        return;
    }
    release(accesses, thread, &access->situation);
    struct fth_pending_operation spare = thread->held;
    thread->held = *access;
    thread->holds = true;
    *access = spare; /* its pieces are used again */
}

void fth_gather_operation(struct fth_run_accesses *accesses, struct fth_access_thread *thread,
                          struct fth_pending_operation *operation)
{
    put_access(accesses, thread, operation);
}

void fth_gather_flush(struct fth_run_accesses *accesses, struct fth_access_thread *thread)
{
    release(accesses, thread, NULL);
    for (size_t i = 0; i < FTH_BUILDERS; i++)
        flush(accesses, &thread->builders[i]);
}
