/* What follows what. */
#include "analysis/passes/rhythm.h"

#define FTH_IN_A_ROW INT64_MIN

static void count_strided(struct fth_rhythm_counts *counts, int64_t distance, uint64_t calls)
{
    counts->strided += calls;
    if (distance > 0)
        counts->stride = !counts->stride || counts->stride == (uint64_t)distance
                             ? (uint64_t)distance
                             : UINT64_MAX;
}

/* Not nested. `strided`: it goes on as those before. */
static void count(struct fth_rhythm_counts *counts, const struct fth_rhythm *rhythm, uint64_t first,
                  bool strided, uint64_t calls)
{
    int64_t distance = (int64_t)(first - rhythm->last);
    if (first == rhythm->next)
        counts->consecutive += calls;
    else if (strided && distance)
        count_strided(counts, distance, calls);
    else if (first > rhythm->next)
        counts->monotonic += calls;
    else
        counts->random += calls;
}

/* The row is over. */
static void begin_row(struct fth_rhythm *rhythm, struct fth_rhythm_counts *counts, uint64_t first)
{
    int64_t jump = (int64_t)(first - rhythm->row_begins);
    if (rhythm->before == rhythm->row && jump == rhythm->jump) {
        counts->nested++;
        counts->in_rows += rhythm->row;
    } else {
        count(counts, rhythm, first, false, 1);
    }
    rhythm->before = rhythm->row;
    rhythm->jump = jump;
    rhythm->row = 1;
    rhythm->row_begins = first;
}

/* Two that are of no row, or the first two: they may begin one of another rhythm. */
static void begin_rhythm(struct fth_rhythm *rhythm, struct fth_rhythm_counts *counts,
                         uint64_t first, int64_t step, uint64_t calls)
{
    bool strided = rhythm->goes && (int64_t)(first - rhythm->last) == rhythm->distance;
    count(counts, rhythm, first, strided, calls);
    rhythm->goes = true;
    rhythm->step = step;
    rhythm->before = 0;
    rhythm->row = 1 + calls;
    rhythm->row_begins = rhythm->last;
}

void fth_rhythm_follow(struct fth_rhythm *rhythm, struct fth_rhythm_counts *counts, uint64_t first,
                       uint64_t length, uint64_t calls)
{
    int64_t distance = (int64_t)(first - rhythm->last);
    int64_t step = first == rhythm->next ? FTH_IN_A_ROW : distance;
    if (!rhythm->begun) {
        counts->consecutive += calls;
        rhythm->begun = true;
        rhythm->row = calls;
        rhythm->row_begins = first;
        distance = 0;
    } else if (rhythm->goes && step == rhythm->step) {
        count(counts, rhythm, first, true, calls);
        rhythm->row += calls;
    } else if (rhythm->row > 1) {
        begin_row(rhythm, counts, first);
    } else {
        begin_rhythm(rhythm, counts, first, step, calls);
    }
    rhythm->distance = distance;
    rhythm->last = first + (calls - 1) * (uint64_t)distance;
    rhythm->next = rhythm->last + length;
}

void fth_rhythm_add(struct fth_rhythm_counts *sum, const struct fth_rhythm_counts *more)
{
    sum->consecutive += more->consecutive;
    sum->strided += more->strided;
    sum->nested += more->nested;
    sum->monotonic += more->monotonic;
    sum->random += more->random;
    sum->in_rows += more->in_rows;
    if (more->stride)
        sum->stride = !sum->stride || sum->stride == more->stride ? more->stride : UINT64_MAX;
}
