/* The loop of a simulation, and the queue of its events: see the header. */
#include "sim/engine.h"

#include "base/memory.h"

#include <string.h>

enum { FIRST_EVENTS = 16 };

void fth_sim_bucket_grow(struct fth_sim_bucket *bucket)
{
    bucket->limit = bucket->limit ? bucket->limit * 2 : FIRST_EVENTS;
    bucket->events = fth_resize(bucket->events, bucket->limit, sizeof *bucket->events);
}

void *fth_sim_new(struct fth_sim_engine *engine, size_t bytes)
{
    return memset(fth_arena_take(&engine->arena, bytes), 0, bytes);
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
    fth_arena_free(&engine->arena);
    *engine = (struct fth_sim_engine){0};
}

/* Moves the present to the earliest event of the lowest bucket that is not empty, until all events of an instant lie in one. */
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

void fth_sim_engine_run(struct fth_sim_engine *engine)
{
    while (advance(engine)) {
        unsigned digit = (uint64_t)engine->now & (FTH_SIM_BUCKETS - 1);
        struct fth_sim_bucket *bucket = &engine->buckets[0][digit];
        /* Events without a delay come to the end of this bucket while it is worked off. */
        for (uint32_t i = 0; i < bucket->count; i++) {
            struct fth_sim_target *target = bucket->events[i].target;
            engine->events++;
            target->happen(engine, target);
        }
        bucket->count = 0;
        engine->filled[0] &= ~((uint64_t)1 << digit);
    }
}
