/* Single ranges in order of their offsets: each pair is found where the earlier one of the two
 * begins. Two reads are no conflict, so reads are never held against reads. */
#include "verify/compare/access_sweep.h"

size_t fth_units_from(const struct fth_units *units, uint64_t start)
{
    size_t low = 0, high = units->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (units->units[middle].start < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline void meet(struct fth_sweep *sweep, const struct fth_sweep_unit *a,
                        const struct fth_sweep_unit *b)
{
    if (a->situation > b->situation) {
        const struct fth_sweep_unit *swap = a;
        a = b;
        b = swap;
    }
    fth_sweep_add(sweep, a->situation, b->situation, a->times * b->times,
                  a->start > b->start ? a->start : b->start, a->end < b->end ? a->end : b->end,
                  a->call, b->call);
}

/* Units of two rows do not meet one by one: the rows do, where the first unit of the one comes to
 * the other one. Returns the place behind that; or `at` if this is no such unit. */
static size_t skip_row(struct fth_sweep *sweep, const struct fth_units *mine, size_t unit,
                       const struct fth_units *others, size_t at)
{
    const struct fth_sweep_unit *one = &mine->units[unit], *other = &others->units[at];
    if (!one->row || !other->row)
        return at;
    const struct fth_conflict_row *row = &mine->rows[one->row - 1],
                                  *behind = &others->rows[other->row - 1];
    if (!fth_rows_meet(sweep, row, behind))
        return at;
    if (row->units == one)
        sweep->listener->take_rows(
            sweep->listener->context,
            &(struct fth_conflict_rows){*row, *behind, other->start,
                                        one->end < other->end ? one->end : other->end});
    return (size_t)(behind->units - others->units) + behind->count;
}

static void meet_from(struct fth_sweep *sweep, const struct fth_units *mine, size_t unit,
                      const struct fth_units *others, size_t from)
{
    uint64_t end = mine->units[unit].end;
    for (size_t j = from; j < others->count && others->units[j].start < end;) {
        size_t behind = skip_row(sweep, mine, unit, others, j);
        if (behind == j)
            meet(sweep, &mine->units[unit], &others->units[behind++]);
        j = behind;
    }
}

void fth_sweep_writes(struct fth_sweep *sweep, size_t from, size_t to)
{
    const struct fth_units *writes = &sweep->file->writes, *reads = &sweep->file->reads;
    size_t read = from < to ? fth_units_from(reads, writes->units[from].start) : 0;
    for (size_t i = from; i < to; i++) {
        const struct fth_sweep_unit *write = &writes->units[i];
        if (write->times > 1)
            fth_sweep_add(sweep, write->situation, write->situation,
                          write->times * (write->times - 1) / 2, write->start, write->end,
                          write->call, write->call);
        if (!sweep->file->is_of_holes)
            meet_from(sweep, writes, i, writes, i + 1);
        while (read < reads->count && reads->units[read].start < write->start)
            read++;
        meet_from(sweep, writes, i, reads, read);
    }
}

void fth_sweep_reads(struct fth_sweep *sweep, size_t from, size_t to)
{
    const struct fth_units *writes = &sweep->file->writes, *reads = &sweep->file->reads;
    size_t write = from < to ? fth_units_from(writes, reads->units[from].start) : 0;
    for (size_t i = from; i < to; i++) {
        while (write < writes->count && writes->units[write].start <= reads->units[i].start)
            write++;
        meet_from(sweep, reads, i, writes, write);
    }
}
