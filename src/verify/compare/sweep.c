/* Single ranges in order of their offsets: each pair is found where the earlier one of the two
 * begins. Two reads are no conflict, so reads are never held against reads. */
#include "verify/compare/sweep.h"

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
        for (size_t j = i + 1; j < writes->count && writes->units[j].start < write->end; j++)
            meet(sweep, write, &writes->units[j]);
        while (read < reads->count && reads->units[read].start < write->start)
            read++;
        for (size_t j = read; j < reads->count && reads->units[j].start < write->end; j++)
            meet(sweep, write, &reads->units[j]);
    }
}

void fth_sweep_reads(struct fth_sweep *sweep, size_t from, size_t to)
{
    const struct fth_units *writes = &sweep->file->writes, *reads = &sweep->file->reads;
    size_t write = from < to ? fth_units_from(writes, reads->units[from].start) : 0;
    for (size_t i = from; i < to; i++) {
        const struct fth_sweep_unit *unit = &reads->units[i];
        while (write < writes->count && writes->units[write].start <= unit->start)
            write++;
        for (size_t j = write; j < writes->count && writes->units[j].start < unit->end; j++)
            meet(sweep, unit, &writes->units[j]);
    }
}
