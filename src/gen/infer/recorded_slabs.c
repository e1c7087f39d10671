/* Regular blocks of an array become runs of its bytes: rows of blocks, those that touch joined. */
#include "base/memory.h"
#include "gen/infer/recorded.h"

/* Blocks of one slab: in dimension d there are count[d] blocks of block[d] elements. */
struct slab {
    const int64_t *start, *stride, *count, *block;
};

static bool add_run(struct fth_gen_recorded *recorded, struct fth_gen_recorded_rank *rank,
                    const struct fth_gen_run *run)
{
    if (!run->length)
        return true;
    if (recorded->run_count == FTH_GEN_MOST_RECORDED)
        return false;
    FTH_GROW(rank->runs, rank->run_count);
    rank->runs[rank->run_count++] = *run;
    recorded->run_count++;
    return true;
}

/* The index of element i of a dimension of a slab. */
static int64_t index_at(const struct slab *slab, unsigned d, int64_t i)
{
    return slab->start[d] + i / slab->block[d] * slab->stride[d] + i % slab->block[d];
}

/* All blocks of the last dimension, in a row of the others. */
static bool expand_row(struct fth_gen_recorded *recorded, const struct fth_gen_space *space,
                       const struct fth_gen_slabs *slabs, const struct slab *slab, int64_t row,
                       struct fth_gen_recorded_rank *rank)
{
    unsigned last = space->rank - 1;
    for (int64_t i = 0; i < slab->count[last]; i++) {
        int64_t at = slab->start[last] + i * slab->stride[last];
        const struct fth_gen_run run = {slabs->space, fth_gen_space_type(space),
                                        (uint64_t)(row * space->extent[last] + at) * space->item,
                                        (uint64_t)slab->block[last] * space->item};
        if (!add_run(recorded, rank, &run))
            return false;
    }
    return true;
}

static bool expand_slab(struct fth_gen_recorded *recorded, const struct fth_gen_space *space,
                        const struct fth_gen_slabs *slabs, const struct slab *slab,
                        struct fth_gen_recorded_rank *rank)
{
    int64_t rows = 1;
    for (unsigned d = 0; d + 1 < space->rank; d++)
        if (__builtin_mul_overflow(rows, slab->count[d] * slab->block[d], &rows) ||
            rows > FTH_GEN_MOST_RECORDED)
            return false;
    for (int64_t row = 0; row < rows; row++) {
        int64_t at = 0, left = row, below = rows;
        for (unsigned d = 0; d + 1 < space->rank; d++) {
            below /= slab->count[d] * slab->block[d];
            at = at * space->extent[d] + index_at(slab, d, left / below);
            left %= below;
        }
        if (!expand_row(recorded, space, slabs, slab, at, rank))
            return false;
    }
    return true;
}

static bool expand_all(struct fth_gen_recorded *recorded, const struct fth_gen_space *space,
                       const struct fth_gen_slabs *slabs, struct fth_gen_recorded_rank *rank)
{
    uint64_t length = space->item;
    for (unsigned d = 0; d < space->rank; d++)
        length *= (uint64_t)space->extent[d];
    const struct fth_gen_run run = {slabs->space, fth_gen_space_type(space), 0, length};
    return !length || add_run(recorded, rank, &run);
}

bool fth_gen_slabs_expand(struct fth_gen_recorded *recorded,
                          const struct fth_gen_recorded_file *file,
                          const struct fth_gen_slabs *slabs, struct fth_gen_recorded_rank *rank)
{
    const struct fth_gen_space *space = &file->spaces[slabs->space];
    if (!slabs->count || !space->rank)
        return expand_all(recorded, space, slabs, rank);
    for (size_t i = 0; i < slabs->count; i++) {
        const int64_t *numbers = slabs->numbers + i * 4 * space->rank;
        const struct slab slab = {numbers, numbers + space->rank, numbers + 2 * space->rank,
                                  numbers + 3 * space->rank};
        if (!expand_slab(recorded, space, slabs, &slab, rank))
            return false;
    }
    return true;
}
