/* From when calls were to what is kept of that, and back: exactly, in bins, or as means
 * (time_mode.h). Everything is in units here.
 *
 * Where times are kept exactly, what is kept of a call is a gap and its duration, and which calls
 * are inside of it follows from when they were. Otherwise it must not: of a call with calls inside,
 * the distance from its entry to that of the first one inside is kept in place of its duration, so
 * that they stay inside. */
#ifndef FTH_TRACE_COLUMNS_TIMING_H
#define FTH_TRACE_COLUMNS_TIMING_H

#include "trace/columns/value_bins.h"
#include "trace/columns/time_means.h"
#include "trace/columns/columns.h"
#include "trace/record/traced_process.h"
#include "trace/record/time_mode.h"

/* The calls of a track that no call around them has come for yet. */
struct fth_nest {
    unsigned levels; /* depth of the last call */
    /* of the calls deeper than a level since the last one that was not: the first entry, and the
     * exit of the call before it */
    uint64_t entries[256], before[256];
};
static inline bool fth_nest_has(const struct fth_nest *nest, unsigned depth)
{
    return nest->levels > depth;
}
static inline void fth_nest_add(struct fth_nest *nest, unsigned depth, uint64_t before,
                                uint64_t entry)
{
    for (unsigned i = 0; i < depth; i++)
        if (i >= nest->levels) {
            nest->entries[i] = entry;
            nest->before[i] = before;
        } else if (entry < nest->entries[i]) {
            nest->entries[i] = entry;
        }
    nest->levels = depth;
}

/* A call as times see it. */
struct fth_timed_call {
    struct fth_time_keys keys;
    unsigned depth;
    bool note;  /* is about no call of the program */
    bool holds; /* deeper calls came right before it */
};

/* ---- writing ---- */

struct fth_timing {
    uint64_t kept; /* as in facts */
    struct fth_bins bins;
    struct fth_nest nest;
    /* as a reader will see them: the nest, and the exit of the last call */
    struct fth_nest shown_nest;
    uint64_t shown;
    struct fth_mean_writer means;
};
void fth_timing_close(struct fth_timing *timing);
/* Of a process that keeps times so. */
void fth_timing_begin_track(struct fth_timing *timing, uint64_t kept);
/* The first call of a block: times are exact where a block begins. */
static inline void fth_timing_begin_block(struct fth_timing *timing, uint64_t base)
{
    timing->shown = base;
}
/* `before`: exit of the call before. What is kept goes to `times`, or to the means. */
void fth_timing_put_kept(struct fth_timing *timing, const struct fth_timed_call *call,
                         uint64_t before, uint64_t entry, uint64_t exit, struct fth_times *times);
static inline void fth_timing_put(struct fth_timing *timing, const struct fth_timed_call *call,
                                  uint64_t before, uint64_t entry, uint64_t exit,
                                  struct fth_times *times)
{
    if (timing->kept == FTH_TIMES_EXACT)
        fth_times_call(times, call->keys, (call->holds ? exit : entry) - before, exit - entry);
    else
        fth_timing_put_kept(timing, call, before, entry, exit, times);
}

/* ---- reading ---- */

/* Mean gap and length by form, in 256ths of a unit. */
struct fth_pace {
    uint64_t gap[FTH_TIME_FORMS], length[FTH_TIME_FORMS];
};
struct fth_timing_reader {
    uint64_t kept;
    struct fth_bins bins;
    struct fth_nest nest;
    uint64_t now; /* exit of the last call */
    /* means: of the track */
    struct fth_pace *paces; /* by signature */
    uint32_t signatures;
    struct fth_means means;
    uint64_t calls; /* before this one */
    size_t behind;  /* the next one of the list */
    /* and of the block */
    uint64_t base, end, left; /* left: calls */
    uint64_t gaps, durations; /* weights that have passed */
    double gap_scale, duration_scale;
};
/* A track of a process that keeps times so; `means`: the frame of its table, if it has one. */
int fth_timing_read_track(struct fth_timing_reader *reader, uint64_t kept,
                          const struct fth_track *track, const uint8_t *means, uint32_t signatures,
                          struct fth_error **error);
/* Block `number` of the track; calls follow from its first one on. */
void fth_timing_read_block(struct fth_timing_reader *reader, const struct fth_track *track,
                           size_t number);
void fth_timing_reader_free(struct fth_timing_reader *reader);
/* The next call. False: the block does not have its times. */
bool fth_timing_read_kept(struct fth_timing_reader *reader, const struct fth_timed_call *call,
                          struct fth_times_reader *times, uint64_t *entry, uint64_t *exit);
static inline bool fth_timing_read(struct fth_timing_reader *reader,
                                   const struct fth_timed_call *call,
                                   struct fth_times_reader *times, uint64_t *entry, uint64_t *exit)
{
    if (reader->kept != FTH_TIMES_EXACT)
        return fth_timing_read_kept(reader, call, times, entry, exit);
    uint64_t gap, duration;
    if (!fth_times_next(times, call->keys, &gap, &duration))
        return false;
    *entry = reader->now + gap;
    *exit = *entry + duration;
    if (call->holds) {
        *exit = reader->now + gap;
        *entry = *exit - duration;
    }
    reader->now = *exit;
    return true;
}

enum { FTH_MOST_IN_TURN = 48 }; /* calls and notes of a round that are foreseen together */
/* When a call was, in units. */
struct fth_timed {
    uint64_t entry, exit;
};
/* When the next calls are, if they are of the same keys as this one, which holds none, and times
 * are exact: fills `timed`, and returns of how many. Nothing is taken. */
uint32_t fth_timing_foresee(const struct fth_timing_reader *reader, struct fth_time_keys keys,
                            struct fth_times_reader *times, struct fth_timed *timed, uint32_t most);
/* The same of calls of these keys in turn, of which a whole round, at least, comes; `timed` is
 * filled as far as the block has times. */
uint32_t fth_timing_foresee_turns(const struct fth_timing_reader *reader,
                                  const struct fth_time_keys *keys, uint32_t period,
                                  struct fth_times_reader *times, struct fth_timed *timed,
                                  uint32_t most);
/* Takes so many whole rounds of them, at least one. */
void fth_timing_take_turns(struct fth_timing_reader *reader, const struct fth_time_keys *keys,
                           uint32_t period, struct fth_times_reader *times,
                           const struct fth_timed *timed, uint32_t rounds);
/* Takes so many of them, at least one. */
void fth_timing_take(struct fth_timing_reader *reader, struct fth_time_keys keys,
                     struct fth_times_reader *times, const struct fth_timed *timed, uint32_t count);

#endif
