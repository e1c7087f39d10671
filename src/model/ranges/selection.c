/* Selections of elements: how they are made, and what is asked of one. Putting two together is in
 * combination.c. */
#include "model/ranges/selection.h"

#include "base/memory.h"

#include <string.h>

const char fth_selection_too_much[] = "it is made of too many pieces";
const char fth_selection_impossible[] = "its parameters are not valid";

/* ---- making ---- */

struct fth_made_selection *fth_selection_begin(enum fth_selection_form form, unsigned rank)
{
    struct fth_made_selection *made = fth_new(1, sizeof *made);
    *made = (struct fth_made_selection){.references = 1, .form = form, .rank = rank};
    return made;
}

struct fth_made_selection *fth_selection_all(unsigned rank)
{
    return fth_selection_begin(FTH_SELECTION_ALL, rank);
}

struct fth_made_selection *fth_selection_nothing(unsigned rank)
{
    return fth_selection_begin(FTH_SELECTION_NOTHING, rank);
}

struct fth_made_selection *fth_selection_unknown(const char *why)
{
    struct fth_made_selection *made = fth_selection_begin(FTH_SELECTION_UNKNOWN, 0);
    made->why = why;
    return made;
}

struct fth_made_selection *fth_selection_share(struct fth_made_selection *selection)
{
    if (selection)
        selection->references++;
    return selection;
}

void fth_selection_drop(struct fth_made_selection *selection)
{
    if (!selection || --selection->references)
        return;
    if (selection->means)
        selection->means->numbers += selection->taken;
    free(selection->numbers);
    free(selection);
}

static size_t numbers_each(const struct fth_made_selection *selection)
{
    return selection->form == FTH_SELECTION_SLABS ? 4 * (size_t)selection->rank : selection->rank;
}

/* Room for so many numbers in all selections; false: there is none left. */
bool fth_selection_take(struct fth_made_selection *for_this, uint64_t count,
                        struct fth_selection_means *means)
{
    if (means->numbers < count)
        return false;
    means->numbers -= count;
    for_this->means = means;
    for_this->taken += count;
    return true;
}

struct fth_made_selection *fth_selection_give_up(struct fth_made_selection *made, const char *why)
{
    fth_selection_drop(made);
    return fth_selection_unknown(why);
}

/* Room for one more piece at the end. */
int64_t *fth_selection_add_piece(struct fth_made_selection *to)
{
    size_t each = numbers_each(to);
    if (to->count == to->room) {
        to->room = to->room ? to->room * 2 : 1;
        to->numbers = fth_resize(to->numbers, to->room * each, sizeof *to->numbers);
    }
    return to->numbers + to->count++ * each;
}

/* The last element in this dimension has a place; counts and blocks are not 0 here. */
static bool can_be(int64_t start, int64_t stride, int64_t count, int64_t block)
{
    int64_t last;
    if (start < 0 || stride < 1)
        return false;
    if (count == FTH_WITHOUT_END)
        return block > 0 && stride >= block;
    if (block == FTH_WITHOUT_END)
        return count == 1;
    return count > 0 && block > 0 && (count == 1 || stride >= block) &&
           !__builtin_mul_overflow(count - 1, stride, &last) &&
           !__builtin_add_overflow(last, block, &last) &&
           !__builtin_add_overflow(last, start, &last);
}

struct fth_made_selection *fth_selection_slab(unsigned rank, const int64_t *start,
                                              const int64_t *stride, const int64_t *count,
                                              const int64_t *block,
                                              struct fth_selection_means *means)
{
    for (unsigned i = 0; i < rank; i++)
        if (count[i] == 0 || (block && block[i] == 0))
            return fth_selection_nothing(rank);
    if (!rank) /* a scalar has one element, and no place to be given */
        return fth_selection_all(0);
    struct fth_made_selection *made = fth_selection_begin(FTH_SELECTION_SLABS, rank);
    if (!fth_selection_take(made, 4 * (uint64_t)rank, means))
        return fth_selection_give_up(made, fth_selection_too_much);
    int64_t *piece = fth_selection_add_piece(made);
    for (unsigned i = 0; i < rank; i++) {
        piece[i] = start[i];
        piece[rank + i] = stride ? stride[i] : 1;
        piece[2 * rank + i] = count[i];
        piece[3 * rank + i] = block ? block[i] : 1;
        if (can_be(start[i], stride ? stride[i] : 1, count[i], block ? block[i] : 1))
            continue;
        return fth_selection_give_up(made, fth_selection_impossible);
    }
    return made;
}

struct fth_made_selection *fth_selection_points(unsigned rank, const int64_t *coordinates,
                                                size_t count, struct fth_selection_means *means)
{
    if (!count || !rank)
        return count ? fth_selection_all(0) : fth_selection_nothing(rank);
    if (count > FTH_SELECTION_MOST_PIECES)
        return fth_selection_unknown(fth_selection_too_much);
    for (size_t i = 0; i < count * rank; i++)
        if (coordinates[i] < 0)
            return fth_selection_unknown(fth_selection_impossible);
    struct fth_made_selection *made = fth_selection_begin(FTH_SELECTION_POINTS, rank);
    if (!fth_selection_take(made, count * rank, means))
        return fth_selection_give_up(made, fth_selection_too_much);
    made->numbers = fth_new(count * rank, sizeof *made->numbers);
    memcpy(made->numbers, coordinates, count * rank * sizeof *made->numbers);
    made->count = made->room = count;
    return made;
}

/* ---- what is asked of one ---- */

struct fth_made_selection *fth_selection_shift(const struct fth_made_selection *selection,
                                               const int64_t *distance,
                                               struct fth_selection_means *means)
{
    unsigned rank = selection->rank;
    struct fth_made_selection *made = fth_selection_begin(selection->form, rank);
    size_t each = numbers_each(selection);
    made->why = selection->why;
    if (selection->count && !fth_selection_take(made, selection->count * each, means))
        return fth_selection_give_up(made, fth_selection_too_much);
    for (size_t i = 0; i < selection->count; i++) {
        const int64_t *from = selection->numbers + i * each;
        int64_t *piece = fth_selection_add_piece(made), *slab = piece;
        memcpy(piece, from, each * sizeof *piece);
        for (unsigned d = 0; d < rank; d++) {
            bool fits = !__builtin_add_overflow(from[d], distance[d], &piece[d]) && piece[d] >= 0;
            if (fits && (selection->form == FTH_SELECTION_POINTS ||
                         can_be(piece[d], slab[rank + d], slab[2 * rank + d], slab[3 * rank + d])))
                continue;
            return fth_selection_give_up(made, fth_selection_impossible);
        }
    }
    return made;
}

static int64_t product(const int64_t *numbers, unsigned count, int64_t of)
{
    for (unsigned i = 0; i < count; i++)
        if (numbers[i] < 0 || __builtin_mul_overflow(of, numbers[i], &of))
            return -1;
    return of;
}

int64_t fth_selection_elements(const struct fth_made_selection *selection, const int64_t *extent)
{
    unsigned rank = selection->rank;
    int64_t sum = 0;
    switch (selection->form) {
    case FTH_SELECTION_ALL:
        return extent ? product(extent, rank, 1) : -1;
    case FTH_SELECTION_NOTHING:
        return 0;
    case FTH_SELECTION_POINTS:
        return (int64_t)selection->count;
    case FTH_SELECTION_SLABS:
        for (size_t i = 0; i < selection->count; i++) {
            /* counts and blocks stand side by side */
            int64_t more = product(selection->numbers + (i * 4 + 2) * rank, 2 * rank, 1);
            if (more < 0 || __builtin_add_overflow(sum, more, &sum))
                return -1;
        }
        return sum;
    default:
        return -1;
    }
}
