/* Single ranges in rows: a program that opens a file again and again and accesses the same bytes
 * each time has as many situations there as it opens the file, and pairs of them for each pair of
 * openings. */
#include "verify/compare/access_sweep.h"

#include "base/memory.h"

#include <stdlib.h>

enum { FEWEST_OF_ROW = 16 };

/* Two accesses of its kind conflict, and one of them comes first, whatever else they are; of writes
 * to the end of the file none makes a pair with another one of its process. */
static bool is_plain(const struct fth_situation *situation)
{
    bool appends = fth_is_append(situation);
    return (appends || (situation->region == FTH_REGION_BYTES && !situation->unsure)) &&
           !situation->removes && !situation->by_shared_pointer;
}

/* Two accesses that take turns with one open file are no pair: those of a row have different ones,
 * in order, or none of them has one. */
static bool have_descriptions_apart(const struct fth_situation *last,
                                    const struct fth_situation *next)
{
    if (!last->description || !next->description)
        return !last->description && !next->description;
    return last->description < next->description ||
           (fth_is_append(last) && last->description == next->description);
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
    return is_plain(last) && is_plain(next) && last->region == next->region &&
           last->writes == next->writes && last->proc == next->proc &&
           last->thread == next->thread && last->atomic == next->atomic &&
           have_descriptions_apart(last, next) && last->last_call < next->first_call &&
           last->began <= next->began;
}

/* What it is asked for of the one, of another process, is so of the other one, too, or it is so
 * because it came later. */
static bool is_even_with(const struct fth_situation *last, const struct fth_situation *next)
{
    return last->chain == next->chain && last->opening == next->opening &&
           last->handle == next->handle && last->opener == next->opener &&
           last->begin.timeline == next->begin.timeline && last->begin.step <= next->begin.step &&
           last->end.step <= next->end.step && last->ended <= next->ended &&
           last->start <= next->start;
}

static bool is_even(const struct fth_situation *situation)
{
    return situation->carrier == FTH_NO_CALL && !situation->contents && !situation->atomic &&
           situation->end.step != FTH_NEVER && situation->begin.timeline == situation->end.timeline;
}

static bool are_even(const struct fth_conflict_row *row, const struct fth_situation *situations)
{
    for (size_t i = 0; i < row->count; i++) {
        const struct fth_situation *situation = &situations[row->units[i].situation];
        if (!is_even(situation) ||
            (i && !is_even_with(&situations[row->units[i - 1].situation], situation)))
            return false;
    }
    return true;
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
            (struct fth_conflict_row){.units = &units->units[first], .count = behind - first};
        struct fth_conflict_row *row = &units->rows[units->row_count - 1];
        row->is_even = are_even(row, situations);
        for (size_t i = first; i < behind; i++) {
            units->units[i].row = (uint32_t)units->row_count;
            row->is_unsure |= situations[units->units[i].situation].unsure;
        }
    }
    return any;
}

static int by_situation(const void *a, const void *b)
{
    const struct fth_sweep_unit *one = a, *other = b;
    return one->situation < other->situation ? -1 : one->situation > other->situation;
}

/* Behind the last unit of the same bytes as this one. */
static size_t end_of_place(const struct fth_units *units, size_t from)
{
    const struct fth_sweep_unit *first = &units->units[from];
    size_t to = from + 1;
    while (to < units->count && units->units[to].start == first->start &&
           units->units[to].end == first->end)
        to++;
    return to;
}

void fth_units_find_rows_in_order(struct fth_units *units, const struct fth_situation *situations)
{
    for (size_t from = 0, to; from < units->count; from = to) {
        to = end_of_place(units, from);
        if (to - from >= FEWEST_OF_ROW)
            find_rows(units, from, to, situations);
    }
}

void fth_units_find_rows(struct fth_units *units, const struct fth_situation *situations)
{
    for (size_t from = 0, to; from < units->count; from = to) {
        const struct fth_sweep_unit *first = &units->units[from];
        to = end_of_place(units, from);
        if (to - from < FEWEST_OF_ROW)
            continue;
        qsort_r(&units->units[from], to - from, sizeof *first, by_thread, (void *)situations);
        if (!find_rows(units, from, to, situations))
            qsort(&units->units[from], to - from, sizeof *first, by_situation);
    }
}

static bool comes_behind(const struct fth_conflict_row *a, const struct fth_conflict_row *b)
{
    return a->units[a->count - 1].situation < b->units->situation;
}

/* ---- rows that share open files ---- */

struct sharer {
    uint32_t description;
    struct fth_conflict_row *row;
};

static int by_description(const void *a, const void *b)
{
    const struct sharer *one = a, *other = b;
    return one->description < other->description ? -1 : one->description > other->description;
}

static size_t add_sharers(struct sharer **sharers, size_t count, const struct fth_units *units,
                          const struct fth_situation *situations)
{
    for (size_t i = 0; i < units->count; i++) {
        const struct fth_sweep_unit *unit = &units->units[i];
        uint32_t description = situations[unit->situation].description;
        if (!unit->row || !description)
            continue;
        FTH_GROW(*sharers, count);
        (*sharers)[count++] = (struct sharer){description, &units->rows[unit->row - 1]};
    }
    return count;
}

/* Of writes to the end of the file none makes a pair with another one of its process. */
static bool may_be_pairs(const struct fth_conflict_row *a, const struct fth_conflict_row *b,
                         const struct fth_situation *situations)
{
    const struct fth_situation *one = &situations[a->units->situation],
                               *other = &situations[b->units->situation];
    return a != b && !(fth_is_append(one) && fth_is_append(other) && one->proc == other->proc);
}

void fth_rows_settle(struct fth_conflict_file *file)
{
    struct sharer *sharers = NULL;
    size_t count = add_sharers(&sharers, 0, &file->writes, file->situations);
    count = add_sharers(&sharers, count, &file->reads, file->situations);
    count = add_sharers(&sharers, count, &file->open, file->situations);
    if (count)
        qsort(sharers, count, sizeof *sharers, by_description);
    for (size_t from = 0, to; from < count; from = to) {
        bool share = false;
        for (to = from + 1; to < count && sharers[to].description == sharers[from].description;)
            share |= may_be_pairs(sharers[from].row, sharers[to++].row, file->situations);
        for (size_t i = from; share && i < to; i++)
            sharers[i].row->shares = true;
    }
    free(sharers);
}

/* Does no access of the one row take turns with one of the other row? */
static bool are_apart(const struct fth_conflict_row *a, const struct fth_conflict_row *b,
                      const struct fth_situation *situations)
{
    const struct fth_situation *a_last = &situations[a->units[a->count - 1].situation],
                               *b_last = &situations[b->units[b->count - 1].situation];
    return a->units == b->units || !(a->shares && b->shares) || !a_last->description ||
           !b_last->description ||
           a_last->description < situations[b->units->situation].description ||
           b_last->description < situations[a->units->situation].description;
}

bool fth_rows_meet(const struct fth_sweep *sweep, const struct fth_conflict_row *a,
                   const struct fth_conflict_row *b)
{
    const struct fth_situation *one = &sweep->file->situations[a->units->situation],
                               *other = &sweep->file->situations[b->units->situation];
    bool appends = fth_is_append(one) && fth_is_append(other);
    if (!are_apart(a, b, sweep->file->situations) || (!appends && (a->is_unsure || b->is_unsure)))
        return false;
    if (one->proc == other->proc)
        return one->thread == other->thread;
    return sweep->listener->takes_rows_apart && a->is_even && b->is_even &&
           (comes_behind(a, b) || comes_behind(b, a));
}
