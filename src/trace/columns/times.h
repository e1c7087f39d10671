/* The times of a block: for each of its calls a gap and a duration, which are numbers of some
 * units. As bytes; zstd comes behind.
 *
 * What programs do takes nearly the same time again and again: few values are frequent, and the
 * others are spread thinly. So the most frequent values get codes of 1, 2, 4 or 8 bits, several of
 * them in a byte, and the others, the *rare* ones, stand behind them as varints. Calls may be
 * arranged in groups that have frequent values of their own: those of one function, or of one
 * signature. Which arrangement and which codes are the smallest is tried now and then; between
 * trials what was found holds. */
#ifndef FTH_TRACE_COLUMNS_TIMES_H
#define FTH_TRACE_COLUMNS_TIMES_H

#include "base/bytes.h"
#include "base/error.h"

enum fth_arrangement {
    FTH_TIMES_IN_SEQUENCE,
    FTH_TIMES_BY_FUNCTION,
    FTH_TIMES_BY_SIGNATURE,
    FTH_ARRANGEMENTS
};
enum {
    FTH_TIME_COLUMNS = 2, /* gaps, durations */
    /* bytes of a call before compression: of its group, as frequent and as rare values */
    FTH_TIMES_MOST_RAW = 64,
    FTH_TIMES_CODED = 1, /* in place of how long a frame is: it is coded (times_coded.c) */
};

/* Which groups a call is in. */
struct fth_time_keys {
    uint32_t function, signature; /* signature: a terminal of the process */
};

/* A code of 1, 2, 4 or 8 bits is for at most so many values; 0 stands for a rare one. */
static inline unsigned fth_time_codes(unsigned width)
{
    return (1u << width) - 1;
}

/* ---- writing ---- */

/* Gathers the times of a block; used again and again. */
struct fth_times {
    struct fth_times_room *room; /* for a block; made when the first call comes */
    uint32_t calls;
    uint64_t *values[FTH_TIME_COLUMNS]; /* in the room, by call */
    uint32_t *keys[FTH_ARRANGEMENTS];
    /* what the last trial found, and how many calls and blocks ago that was */
    enum fth_arrangement arrangement;
    uint32_t tried_calls, blocks;
    /* [key * FTH_TIME_COLUMNS + column] of each arrangement: bits of the codes + 1; 0: not tried */
    uint8_t *widths[FTH_ARRANGEMENTS];
    uint32_t width_limits[FTH_ARRANGEMENTS];
};

void fth_times_make_room(struct fth_times *times);
static inline void fth_times_call(struct fth_times *times, struct fth_time_keys keys, uint64_t gap,
                                  uint64_t duration)
{
    if (!times->room)
        fth_times_make_room(times);
    uint32_t i = times->calls++;
    times->values[0][i] = gap;
    times->values[1][i] = duration;
    times->keys[FTH_TIMES_BY_FUNCTION][i] = keys.function;
    times->keys[FTH_TIMES_BY_SIGNATURE][i] = keys.signature;
}
/* Appends the block's frame to `to`, returns how long it is before compression, or FTH_TIMES_CODED,
 * and is empty again. */
uint64_t fth_times_pack(struct fth_times *times, struct fth_bytes *to);
/* What trials have found is of no use any more: another process. */
void fth_times_forget(struct fth_times *times);
void fth_times_free(struct fth_times *times);

/* Values of calls that are arranged in groups one after another, coded (number_coder.h). */
void fth_times_put_coded(struct fth_bytes *to, const uint64_t *const values[FTH_TIME_COLUMNS],
                         const uint32_t *group_calls, uint32_t groups);

/* ---- reading ---- */

/* The values that a group has left. */
struct fth_time_place {
    uint32_t next, end;
};
struct fth_times_reader {
    enum fth_arrangement arrangement;
    uint64_t *values[FTH_TIME_COLUMNS]; /* group after group */
    uint32_t room;                      /* for so many of them */
    uint32_t *rare;                     /* as many, while they are read */
    uint32_t *ends;                     /* of the groups */
    uint32_t groups, begun;
    struct fth_time_place *places; /* by key */
    uint32_t limit;
};

/* The decompressed frame of a block of so many calls. The reader is zero, or has read another
 * block, whose memory serves again. */
int fth_times_read(struct fth_times_reader *reader, const uint8_t *bytes, size_t length,
                   uint32_t calls, struct fth_error **error);
/* The same of one that is coded. */
int fth_times_read_coded(struct fth_times_reader *reader, const uint8_t *bytes, size_t length,
                         uint32_t calls, struct fth_error **error);
/* Before another block of so many calls. */
void fth_times_reader_begin(struct fth_times_reader *reader, uint32_t calls);
void fth_times_reader_free(struct fth_times_reader *reader);
/* A group whose first call has come. False: the block does not have it. */
bool fth_times_begin_group(struct fth_times_reader *reader, uint32_t key);

/* The group that the next call's times are in; NULL: the block does not have them. */
static inline struct fth_time_place *fth_times_place(struct fth_times_reader *reader,
                                                     struct fth_time_keys keys)
{
    uint32_t key = reader->arrangement == FTH_TIMES_IN_SEQUENCE   ? 0
                   : reader->arrangement == FTH_TIMES_BY_FUNCTION ? keys.function
                                                                  : keys.signature;
    if ((key >= reader->limit || !reader->places[key].end) && !fth_times_begin_group(reader, key))
        return NULL;
    return &reader->places[key];
}

/* The next call's times. False: the block does not have them. */
static inline bool fth_times_next(struct fth_times_reader *reader, struct fth_time_keys keys,
                                  uint64_t *gap, uint64_t *duration)
{
    struct fth_time_place *place = fth_times_place(reader, keys);
    if (!place || place->next == place->end)
        return false;
    *gap = reader->values[0][place->next];
    *duration = reader->values[1][place->next];
    place->next++;
    return true;
}

#endif
