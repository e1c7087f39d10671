/* Discrete events in integer nanoseconds. An event is an instant and a target, something of a model
 * that has a function for what happens then. Events come in the order of their instants. Those of
 * one instant come in rounds: what is asked for without a delay belongs to the next round. In a
 * round targets come in the order of their numbers, those with equal ones in the order in which
 * they were asked for. So a run is the same wherever and however often it is done, and when an
 * event was asked for makes no difference, which is what lets a network work out several of them at
 * once (trains.h).
 *
 * The queue is a wheel of wheels (Varghese and Lauck 1987): an instant is a number of digits to the
 * base 64, and an event waits in the bucket of the highest digit in which its instant differs from
 * the present. When the lowest bucket that holds anything is reached, what is in it moves down. So
 * an event is moved a few times, and compared only with those of its instant, which are in the same
 * bucket at all times. bench/sim has the figures beside those of heaps. */
#ifndef FTH_SIM_ENGINE_ENGINE_H
#define FTH_SIM_ENGINE_ENGINE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct fth_sim_engine;

/* The first member of whatever events happen to. */
struct fth_sim_target {
    void (*happen)(struct fth_sim_engine *engine, struct fth_sim_target *target);
    uint32_t order; /* among targets of the same instant and round */
};

/* Something to be done at an instant, if anything else happens then or later: nobody waits for it,
 * and a run does not last longer because of it. */
struct fth_sim_reminder {
    struct fth_sim_target target;
    struct fth_sim_reminder *next;
    int64_t time;
    bool is_set;
};

struct fth_sim_event {
    int64_t time;
    struct fth_sim_target *target;
};

enum { FTH_SIM_DIGIT = 6, FTH_SIM_BUCKETS = 1 << FTH_SIM_DIGIT, FTH_SIM_LEVELS = 11 };

struct fth_sim_bucket {
    struct fth_sim_event *events;
    uint32_t count, limit;
};

struct fth_sim_engine {
    int64_t now;
    uint32_t round, order; /* of the present event */
    uint32_t next,
        /* in the present bucket: what follows in this round, and where the next round begins */
        end;
    uint64_t events;   /* that happened */
    uint64_t searched; /* entries of lists that were gone through for a message or a request */
    struct fth_sim_reminder *reminders; /* the next one first */
    uint64_t filled[FTH_SIM_LEVELS];
    struct fth_sim_bucket buckets[FTH_SIM_LEVELS][FTH_SIM_BUCKETS];
    struct fth_sim_sorting {
        uint64_t *keys;
        struct fth_sim_event *events;
        uint32_t limit;
    } sorting;              /* room for it */
    struct fth_arena arena; /* of what lives as long as the run */
    /* Asked between two instants when fth_sim_effort has reached `next_look`: false ends the run.
     * NULL: nobody is asked. */
    bool (*look)(void *context, struct fth_sim_engine *engine);
    void *look_context;
    uint64_t next_look;
};

/* How much was done, in events. Long lists of messages and requests may take more time than the
 * events that search them: so many entries of a list take about as long as an event. */
static inline uint64_t fth_sim_effort(const struct fth_sim_engine *engine)
{
    enum { ENTRIES = 32 };
    return engine->events + engine->searched / ENTRIES;
}

/* A zeroed engine is ready for use. */
void fth_sim_engine_free(struct fth_sim_engine *engine);

/* Zeroed memory that lives as long as the run. */
void *fth_sim_new(struct fth_sim_engine *engine, size_t bytes);

/* The same, from the beginning of a line of the cache on. */
void *fth_sim_new_line(struct fth_sim_engine *engine, size_t bytes);

/* How long `bytes` take at `throughput` bytes per second, in full nanoseconds. */
int64_t fth_sim_time_of(uint64_t bytes, uint64_t throughput);

/* Lets events happen until there are none. */
void fth_sim_engine_run(struct fth_sim_engine *engine);

/* Sets a reminder, or sets it anew; `time` is not before now. */
void fth_sim_remind(struct fth_sim_engine *engine, struct fth_sim_reminder *reminder, int64_t time);

void fth_sim_bucket_grow(struct fth_sim_bucket *bucket);

static inline void fth_sim_insert(struct fth_sim_engine *engine, struct fth_sim_event event)
{
    uint64_t difference = (uint64_t)(event.time ^ engine->now);
    unsigned level = difference ? (63 - (unsigned)__builtin_clzll(difference)) / FTH_SIM_DIGIT : 0;
    unsigned digit = (uint64_t)event.time >> level * FTH_SIM_DIGIT & (FTH_SIM_BUCKETS - 1);
    struct fth_sim_bucket *bucket = &engine->buckets[level][digit];
    if (bucket->count == bucket->limit)
        fth_sim_bucket_grow(bucket);
    bucket->events[bucket->count++] = event;
    engine->filled[level] |= (uint64_t)1 << digit;
}

/* `target` happens `delay` >= 0 nanoseconds from now. */
static inline void fth_sim_after(struct fth_sim_engine *engine, int64_t delay,
                                 struct fth_sim_target *target)
{
    fth_sim_insert(engine, (struct fth_sim_event){engine->now + delay, target});
}

/* Whether an event of the first round of `time` comes before the present one, or is it. */
static inline bool fth_sim_is_past(const struct fth_sim_engine *engine, int64_t time,
                                   uint32_t order)
{
    return time < engine->now ||
           (time == engine->now && (engine->round > 0 || order <= engine->order));
}

/* `target` happens in the present round, behind the present event as its order says. */
void fth_sim_in_this_round(struct fth_sim_engine *engine, struct fth_sim_target *target);

/* An event that turns out to be superseded is none: its target takes it back. */
static inline void fth_sim_uncount(struct fth_sim_engine *engine)
{
    engine->events--;
}

#endif
