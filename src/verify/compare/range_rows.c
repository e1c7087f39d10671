/* Single ranges in rows: a program that opens a file again and again and accesses the same bytes
 * each time has as many situations there as it opens the file, and pairs of them for each pair of
 * openings. */
#include "verify/compare/access_sweep.h"

#include "base/memory.h"

#include <stdlib.h>

enum { FEWEST_OF_ROW = 16 };

/* Two accesses of its kind conflict, and one of them comes first, whatever else they are. */
static bool is_plain(const struct fth_situation *situation)
{
    return situation->region == FTH_REGION_BYTES && !situation->removes && !situation->unsure &&
           !situation->by_shared_pointer && !situation->description;
}

static int by_thread(const void *a, const void *b, void *context)
{
    const struct fth_situation *situations = context;
    const struct fth_sweep_unit *one = a, *other = b;
    const struct fth_situation *first = &situations[one->situation],
                               *second = &situations[other->situation];
    if (first->proc != second->proc)
        return first->proc < second->proc ? -1 : 1;
    if (first->thread != second->thread)
        return first->thread < second->thread ? -1 : 1;
    return one->situation < other->situation ? -1 : one->situation > other->situation;
}

static bool comes_next(const struct fth_situation *last, const struct fth_situation *next)
{
    return is_plain(last) && is_plain(next) && last->proc == next->proc &&
           last->thread == next->thread && last->atomic == next->atomic &&
           last->last_call < next->first_call && last->began <= next->began;
}

/* Of units of the same bytes, in order of threads and situations. Returns whether there is a long
 * row. */
static bool find_rows(struct fth_units *units, size_t from, size_t to,
                      const struct fth_situation *situations)
{
    bool any = false;
    for (size_t first = from, behind; first < to; first = behind) {
        behind = first + 1;
        while (behind < to && comes_next(&situations[units->units[behind - 1].situation],
                                         &situations[units->units[behind].situation]))
            behind++;
        if (behind - first < FEWEST_OF_ROW)
            continue;
        any = true;
        FTH_GROW(units->rows, units->row_count);
        units->rows[units->row_count++] =
            (struct fth_conflict_row){&units->units[first], behind - first};
        for (size_t i = first; i < behind; i++)
            units->units[i].row = (uint32_t)units->row_count;
    }
    return any;
}

static int by_situation(const void *a, const void *b)
{
    const struct fth_sweep_unit *one = a, *other = b;
    return one->situation < other->situation ? -1 : one->situation > other->situation;
}

void fth_units_find_rows(struct fth_units *units, const struct fth_situation *situations)
{
    for (size_t from = 0, to; from < units->count; from = to) {
        const struct fth_sweep_unit *first = &units->units[from];
        to = from + 1;
        while (to < units->count && units->units[to].start == first->start &&
               units->units[to].end == first->end)
            to++;
        if (to - from < FEWEST_OF_ROW)
            continue;
        qsort_r(&units->units[from], to - from, sizeof *first, by_thread, (void *)situations);
        if (!find_rows(units, from, to, situations))
            qsort(&units->units[from], to - from, sizeof *first, by_situation);
    }
}

bool fth_rows_are_of_one_thread(const struct fth_sweep *sweep, const struct fth_sweep_unit *a,
                                const struct fth_sweep_unit *b)
{
    const struct fth_situation *one = &sweep->file->situations[a->situation],
                               *other = &sweep->file->situations[b->situation];
    return one->proc == other->proc && one->thread == other->thread;
}
