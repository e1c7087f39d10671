/* The loop of a simulation, and the queue of its events: see the header. */
#include "sim/engine/engine.h"

#include "base/memory.h"

#include <string.h>

enum { FIRST_EVENTS = 16, FEW = 16, LINE = 64 };

void fth_sim_bucket_grow(struct fth_sim_bucket *bucket)
{
    bucket->limit = bucket->limit ? bucket->limit * 2 : FIRST_EVENTS;
    bucket->events = fth_resize(bucket->events, bucket->limit, sizeof *bucket->events);
}

void *fth_sim_new(struct fth_sim_engine *engine, size_t bytes)
{
    return memset(fth_arena_take(&engine->arena, bytes), 0, bytes);
}

void *fth_sim_new_line(struct fth_sim_engine *engine, size_t bytes)
{
    uintptr_t taken = (uintptr_t)fth_arena_take(&engine->arena, bytes + LINE - 1);
    return memset((void *)((taken + LINE - 1) / LINE * LINE), 0, bytes);
}

int64_t fth_sim_time_of(uint64_t bytes, uint64_t throughput)
{
    if (bytes <= UINT64_MAX / 1000000000)
        return (int64_t)(bytes * 1000000000 / throughput);
    return (int64_t)((unsigned __int128)bytes * 1000000000 / throughput);
}

void fth_sim_engine_free(struct fth_sim_engine *engine)
{
    for (size_t level = 0; level < FTH_SIM_LEVELS; level++)
        for (size_t digit = 0; digit < FTH_SIM_BUCKETS; digit++)
            free(engine->buckets[level][digit].events);
    free(engine->sorting.keys);
    free(engine->sorting.events);
    fth_arena_free(&engine->arena);
    *engine = (struct fth_sim_engine){0};
}

static void forget(struct fth_sim_engine *engine, struct fth_sim_reminder *reminder)
{
    struct fth_sim_reminder **at = &engine->reminders;
    while (*at != reminder)
        at = &(*at)->next;
    *at = reminder->next;
    reminder->is_set = false;
}

void fth_sim_remind(struct fth_sim_engine *engine, struct fth_sim_reminder *reminder, int64_t time)
{
    struct fth_sim_reminder **at = &engine->reminders;
    if (reminder->is_set && reminder->time == time)
        return;
    if (reminder->is_set)
        forget(engine, reminder);
    while (*at && (*at)->time <= time)
        at = &(*at)->next;
    reminder->is_set = true;
    reminder->time = time;
    reminder->next = *at;
    *at = reminder;
}

/* The next reminder becomes an event. */
static void remind(struct fth_sim_engine *engine)
{
    struct fth_sim_reminder *reminder = engine->reminders;
    forget(engine, reminder);
    fth_sim_insert(engine, (struct fth_sim_event){reminder->time, &reminder->target});
}

/* Moves the present to the earliest event of the lowest bucket that is not empty, until all events
 * of an instant lie in one. */
static bool advance(struct fth_sim_engine *engine)
{
    unsigned level = 0;
    while (level < FTH_SIM_LEVELS && !engine->filled[level])
        level++;
    if (level == FTH_SIM_LEVELS)
        return false;
    unsigned digit = (unsigned)__builtin_ctzll(engine->filled[level]);
    struct fth_sim_bucket *bucket = &engine->buckets[level][digit];
    int64_t earliest = bucket->events[0].time;
    if (level) {
        for (uint32_t i = 1; i < bucket->count; i++)
            if (bucket->events[i].time < earliest)
                earliest = bucket->events[i].time;
    }
    if (engine->reminders && engine->reminders->time < earliest) {
        remind(engine);
        return advance(engine);
    }
    engine->now = earliest;
    if (!level)
        return true;
    uint32_t count = bucket->count;
    bucket->count = 0;
    engine->filled[level] &= ~((uint64_t)1 << digit);
    /* All of them go to lower levels, so this bucket is not written to. */
    for (uint32_t i = 0; i < count; i++)
        fth_sim_insert(engine, bucket->events[i]);
    return true;
}

static int compare_keys(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

/* Keys are an order and a place, so that equal orders stay as they are. */
static void sort_many(struct fth_sim_sorting *sorting, struct fth_sim_event *events, uint32_t count)
{
    if (sorting->limit < count) {
        sorting->limit = count * 2;
        sorting->keys = fth_resize(sorting->keys, sorting->limit, sizeof *sorting->keys);
        sorting->events = fth_resize(sorting->events, sorting->limit, sizeof *sorting->events);
    }
    for (uint32_t i = 0; i < count; i++)
        sorting->keys[i] = (uint64_t)events[i].target->order << 32 | i;
    qsort(sorting->keys, count, sizeof *sorting->keys, compare_keys);
    memcpy(sorting->events, events, count * sizeof *events);
    for (uint32_t i = 0; i < count; i++)
        events[i] = sorting->events[(uint32_t)sorting->keys[i]];
}

/* The events of a round in the order of their targets. Mostly they are in it, or there are few. */
static void sort(struct fth_sim_engine *engine, struct fth_sim_event *events, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct fth_sim_event event = events[i];
        uint32_t at = i, order = event.target->order;
        for (; at && events[at - 1].target->order > order; at--) {
            if (count > FEW) {
                sort_many(&engine->sorting, events, count);
                return;
            }
            events[at] = events[at - 1];
        }
        events[at] = event;
    }
}

void fth_sim_in_this_round(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    fth_sim_after(engine, 0, target);
    struct fth_sim_event *events = engine->buckets[0][engine->now & (FTH_SIM_BUCKETS - 1)].events;
    uint32_t at = engine->buckets[0][engine->now & (FTH_SIM_BUCKETS - 1)].count - 1;
    struct fth_sim_event event = events[at];
    for (; at > engine->next && (at > engine->end || events[at - 1].target->order > target->order);
         at--)
        events[at] = events[at - 1];
    events[at] = event;
    engine->end++;
}

void fth_sim_engine_run(struct fth_sim_engine *engine)
{
    while (advance(engine)) {
        unsigned digit = (uint64_t)engine->now & (FTH_SIM_BUCKETS - 1);
        struct fth_sim_bucket *bucket = &engine->buckets[0][digit];
        /* Events without a delay come to the end of this bucket while it is worked off: the next
         * round. */
        engine->end = 0;
        for (engine->round = 0; engine->end < bucket->count; engine->round++) {
            engine->next = engine->end;
            engine->end = bucket->count;
            sort(engine, bucket->events + engine->next, engine->end - engine->next);
            while (engine->next < engine->end) {
                struct fth_sim_target *target = bucket->events[engine->next++].target;
                engine->order = target->order;
                engine->events++;
                target->happen(engine, target);
            }
        }
        bucket->count = 0;
        engine->filled[0] &= ~((uint64_t)1 << digit);
        if (engine->look && fth_sim_effort(engine) >= engine->next_look &&
            !engine->look(engine->look_context, engine))
            return;
    }
}
