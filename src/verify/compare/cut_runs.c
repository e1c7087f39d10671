/* Where cuts begin is sorted in blocks of one, two, four, eight ... of them, so that those of any
 * part of a run are counted in a few blocks, by halving in each. */
#include "verify/compare/cut_runs.h"

#include "base/memory.h"
#include "verify/gather/largest.h"

#include <string.h>

enum { MOST_CUTS = 1 << 20, MOST_LEVELS = 21 };

struct fth_cut_runs {
    size_t count, level_count;
    uint64_t *levels[MOST_LEVELS]; /* blocks of 1 << level cuts */
    struct fth_largest starts, complements;
    uint32_t *ends; /* by cut: of its run */
};

/* ---- runs ---- */

/* Two of a kind have the same verdict with what they are in no order with. */
static bool is_plain(const struct fth_situation *cut)
{
    return cut->region == FTH_REGION_BYTES && cut->writes && !cut->unsure && !cut->contents &&
           !cut->by_shared_pointer && !cut->description;
}

static bool comes_next(const struct fth_situation *situations, const struct fth_cut_call *last,
                       const struct fth_cut_call *next)
{
    const struct fth_situation *a = &situations[last->situation], *b = &situations[next->situation];
    return is_plain(a) && is_plain(b) && last->file == next->file && a->proc == b->proc &&
           a->thread == b->thread && a->chain == b->chain && last->situation < next->situation &&
           a->start <= b->start && last->start == a->cut_at && next->start == b->cut_at &&
           next->start < FTH_ENDLESS;
}

/* ---- counting ---- */

static void merge(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count,
                  uint64_t *to)
{
    for (size_t i = 0, j = 0; i < a_count || j < b_count;)
        *to++ = j == b_count || (i < a_count && a[i] <= b[j]) ? a[i++] : b[j++];
}

/* What does not fill a block of this size is not asked for. */
static uint64_t *level_of(const uint64_t *below, size_t half, size_t count)
{
    uint64_t *level = fth_new(count + 1, sizeof *level);
    for (size_t at = 0; at + 2 * half <= count; at += 2 * half)
        merge(below + at, half, below + at + half, half, level + at);
    return level;
}

struct fth_cut_runs *fth_cut_runs_new(const struct fth_situation *situations,
                                      const struct fth_cut_call *cuts, size_t count)
{
    struct fth_cut_runs *runs = fth_new(1, sizeof *runs);
    bool are_too_many = count > MOST_CUTS; /* each is a run of its own */
    runs->ends = fth_new(count + 1, sizeof *runs->ends);
    for (size_t i = count; i-- > 0;)
        runs->ends[i] =
            i + 1 < count && !are_too_many && comes_next(situations, &cuts[i], &cuts[i + 1])
                ? runs->ends[i + 1]
                : (uint32_t)i + 1;
    if (are_too_many)
        count = 0;
    runs->count = count;
    runs->starts = fth_largest_new(count);
    runs->complements = fth_largest_new(count);
    runs->levels[runs->level_count++] = fth_new(count + 1, sizeof **runs->levels);
    for (size_t i = 0; i < count; i++) {
        runs->levels[0][i] = cuts[i].start;
        fth_largest_put(&runs->starts, i, cuts[i].start);
        fth_largest_put(&runs->complements, i, ~cuts[i].start);
    }
    fth_largest_settle(&runs->starts);
    fth_largest_settle(&runs->complements);
    for (size_t half = 1; 2 * half <= count; half *= 2, runs->level_count++)
        runs->levels[runs->level_count] =
            level_of(runs->levels[runs->level_count - 1], half, count);
    return runs;
}

void fth_cut_runs_free(struct fth_cut_runs *runs)
{
    if (!runs)
        return;
    for (size_t i = 0; i < runs->level_count; i++)
        free(runs->levels[i]);
    fth_largest_free(&runs->starts);
    fth_largest_free(&runs->complements);
    free(runs->ends);
    free(runs);
}

size_t fth_cut_runs_end(const struct fth_cut_runs *runs, size_t at)
{
    return runs->ends[at];
}

/* Of values in order. */
static size_t count_below(const uint64_t *values, size_t count, uint64_t end)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (values[middle] < end)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t fth_cut_runs_below(const struct fth_cut_runs *runs, size_t from, size_t to, uint64_t end)
{
    uint64_t found = 0;
    while (from < to) {
        size_t level = 0;
        while (level + 1 < runs->level_count && from % ((size_t)2 << level) == 0 &&
               from + ((size_t)2 << level) <= to)
            level++;
        found += count_below(runs->levels[level] + from, (size_t)1 << level, end);
        from += (size_t)1 << level;
    }
    return found;
}

static size_t first_in(const struct fth_largest *largest, size_t from, size_t to, uint64_t than)
{
    size_t first = fth_largest_first(largest, from, than);
    return first < to ? first : to;
}

size_t fth_cut_runs_first_below(const struct fth_cut_runs *runs, size_t from, size_t to,
                                uint64_t end)
{
    return first_in(&runs->complements, from, to, ~end);
}

size_t fth_cut_runs_first_above(const struct fth_cut_runs *runs, size_t from, size_t to,
                                uint64_t start)
{
    return first_in(&runs->starts, from, to, start);
}
