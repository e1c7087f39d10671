/* Selections of elements. What does not overlap stays as it was given, strides and all; where two selections meet they are taken apart into boxes. */
#include "model/selection.h"

#include "base/memory.h"

#include <string.h>

static const char too_much[] = "it is made of too many pieces";
static const char impossible[] = "its numbers cannot be";

/* ---- making ---- */

static struct fth_made_selection *make(enum fth_selection_form form, unsigned rank)
{
    struct fth_made_selection *made = fth_new(1, sizeof *made);
    *made = (struct fth_made_selection){.references = 1, .form = form, .rank = rank};
    return made;
}

struct fth_made_selection *fth_selection_all(unsigned rank)
{
    return make(FTH_SELECTION_ALL, rank);
}

struct fth_made_selection *fth_selection_nothing(unsigned rank)
{
    return make(FTH_SELECTION_NOTHING, rank);
}

struct fth_made_selection *fth_selection_unknown(const char *why)
{
    struct fth_made_selection *made = make(FTH_SELECTION_UNKNOWN, 0);
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
static bool take_numbers(struct fth_made_selection *for_this, uint64_t count,
                         struct fth_selection_means *means)
{
    if (means->numbers < count)
        return false;
    means->numbers -= count;
    for_this->means = means;
    for_this->taken += count;
    return true;
}

static struct fth_made_selection *give_up(struct fth_made_selection *made, const char *why)
{
    fth_selection_drop(made);
    return fth_selection_unknown(why);
}

/* Room for one more piece at the end. */
static int64_t *add_piece(struct fth_made_selection *to)
{
    size_t each = numbers_each(to);
    if (to->count == to->room) {
        to->room = to->room ? to->room * 2 : 1;
        to->numbers = fth_resize(to->numbers, to->room * each, sizeof *to->numbers);
    }
    return to->numbers + to->count++ * each;
}

static bool is_whole(int64_t number)
{
    return number == -1; /* H5S_UNLIMITED */
}

/* The last element in this dimension has a place; counts and blocks are not 0 here. */
static bool can_be(int64_t start, int64_t stride, int64_t count, int64_t block)
{
    int64_t last;
    if (start < 0 || stride < 1 || (is_whole(count) && is_whole(block)))
        return false;
    if (is_whole(count) || is_whole(block))
        return count == 1 || stride >= block;
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
    if (!rank) /* a scalar has one element, and no place to be told */
        return fth_selection_all(0);
    struct fth_made_selection *made = make(FTH_SELECTION_SLABS, rank);
    if (!take_numbers(made, 4 * (uint64_t)rank, means))
        return give_up(made, too_much);
    int64_t *piece = add_piece(made);
    for (unsigned i = 0; i < rank; i++) {
        piece[i] = start[i];
        piece[rank + i] = stride ? stride[i] : 1;
        piece[2 * rank + i] = count[i];
        piece[3 * rank + i] = block ? block[i] : 1;
        if (can_be(start[i], stride ? stride[i] : 1, count[i], block ? block[i] : 1))
            continue;
        return give_up(made, impossible);
    }
    return made;
}

struct fth_made_selection *fth_selection_points(unsigned rank, const int64_t *coordinates,
                                                size_t count, struct fth_selection_means *means)
{
    if (!count || !rank)
        return count ? fth_selection_all(0) : fth_selection_nothing(rank);
    if (count > FTH_SELECTION_MOST_PIECES)
        return fth_selection_unknown(too_much);
    for (size_t i = 0; i < count * rank; i++)
        if (coordinates[i] < 0)
            return fth_selection_unknown(impossible);
    struct fth_made_selection *made = make(FTH_SELECTION_POINTS, rank);
    if (!take_numbers(made, count * rank, means))
        return give_up(made, too_much);
    made->numbers = fth_new(count * rank, sizeof *made->numbers);
    memcpy(made->numbers, coordinates, count * rank * sizeof *made->numbers);
    made->count = made->room = count;
    return made;
}

/* ---- boxes: of each its first element in all dimensions, then behind its last one ---- */

struct boxes {
    unsigned rank;
    size_t count, room;
    int64_t *at;
    struct fth_selection_means *means;
    bool failed;
};

static void free_boxes(struct boxes *boxes)
{
    free(boxes->at);
    boxes->at = NULL;
    boxes->count = boxes->room = 0;
}

static const int64_t *box_of(const struct boxes *boxes, size_t i)
{
    return boxes->at + i * 2 * boxes->rank;
}

static bool take_steps(struct boxes *boxes)
{
    if (boxes->means->steps < boxes->rank) {
        boxes->failed = true;
        return false;
    }
    boxes->means->steps -= boxes->rank;
    return true;
}

static void add_box(struct boxes *boxes, const int64_t *box)
{
    if (boxes->failed || !take_steps(boxes))
        return;
    if (boxes->count == FTH_SELECTION_MOST_PIECES) {
        boxes->failed = true;
        return;
    }
    if (boxes->count == boxes->room) {
        boxes->room = boxes->room ? boxes->room * 2 : 16;
        boxes->at = fth_resize(boxes->at, boxes->room * 2 * boxes->rank, sizeof *boxes->at);
    }
    memcpy(boxes->at + boxes->count++ * 2 * boxes->rank, box, 2 * boxes->rank * sizeof *box);
}

/* From the first element of a slab to behind its last one. */
static void bounds_of(const int64_t *slab, unsigned rank, int64_t *box)
{
    const int64_t *stride = slab + rank, *count = stride + rank, *block = count + rank;
    for (unsigned i = 0; i < rank; i++) {
        bool endless = is_whole(count[i]) || is_whole(block[i]);
        box[i] = slab[i];
        box[rank + i] = endless ? INT64_MAX : slab[i] + (count[i] - 1) * stride[i] + block[i];
    }
}

static bool meet(const int64_t *one, const int64_t *other, unsigned rank)
{
    for (unsigned i = 0; i < rank; i++)
        if (one[i] >= other[rank + i] || other[i] >= one[rank + i])
            return false;
    return true;
}

/* The boxes of a slab, the last dimension first; blocks that touch are one. */
static void add_slab(struct boxes *boxes, const int64_t *slab)
{
    unsigned rank = boxes->rank;
    const int64_t *stride = slab + rank, *count = stride + rank, *block = count + rank;
    int64_t *box = fth_new(3 * (size_t)rank, sizeof *box), *turn = box + 2 * rank;
    unsigned i;
    bounds_of(slab, rank, box);
    do {
        for (i = 0; i < rank; i++) {
            bool dense = count[i] == 1 || stride[i] == block[i];
            if (dense || is_whole(block[i]))
                continue;
            if (is_whole(count[i])) {
                boxes->failed = true;
                break;
            }
            box[i] = slab[i] + turn[i] * stride[i];
            box[rank + i] = box[i] + block[i];
        }
        add_box(boxes, box);
        for (i = rank; i-- > 0;) {
            bool dense = count[i] == 1 || stride[i] == block[i] || is_whole(block[i]);
            if (!dense && ++turn[i] < count[i])
                break;
            turn[i] = 0;
        }
    } while (i != UINT32_MAX && !boxes->failed);
    free(box);
}

static void open_boxes(struct boxes *boxes, const struct fth_made_selection *selection,
                       const int64_t *extent, struct fth_selection_means *means)
{
    *boxes = (struct boxes){.rank = selection->rank, .means = means};
    for (size_t i = 0; selection->form == FTH_SELECTION_SLABS && i < selection->count; i++)
        add_slab(boxes, selection->numbers + i * numbers_each(selection));
    if (selection->form != FTH_SELECTION_ALL)
        return;
    int64_t *box = fth_new(2 * (size_t)boxes->rank, sizeof *box);
    bool empty = false;
    for (unsigned i = 0; i < boxes->rank; i++) {
        box[boxes->rank + i] = extent[i];
        empty = empty || extent[i] <= 0;
    }
    if (!empty)
        add_box(boxes, box);
    free(box);
}

/* What of a box is outside another one: cut off in each dimension what sticks out. */
static void add_outside(struct boxes *to, const int64_t *box, const int64_t *other)
{
    unsigned rank = to->rank;
    if (!meet(box, other, rank)) {
        add_box(to, box);
        return;
    }
    int64_t *rest = fth_new(4 * (size_t)rank, sizeof *rest), *part = rest + 2 * rank;
    memcpy(rest, box, 2 * rank * sizeof *rest);
    for (unsigned i = 0; i < rank; i++) {
        if (rest[i] < other[i]) {
            memcpy(part, rest, 2 * rank * sizeof *part);
            part[rank + i] = rest[i] = other[i];
            add_box(to, part);
        }
        if (rest[rank + i] > other[rank + i]) {
            memcpy(part, rest, 2 * rank * sizeof *part);
            part[i] = rest[rank + i] = other[rank + i];
            add_box(to, part);
        }
    }
    free(rest);
}

/* Adds what is in `one` and not in `other`. */
static void add_difference(struct boxes *to, const struct boxes *one, const struct boxes *other)
{
    struct boxes left = {.rank = to->rank, .means = to->means}, next = left;
    for (size_t i = 0; i < one->count; i++)
        add_box(&left, box_of(one, i));
    for (size_t k = 0; k < other->count && !left.failed; k++) {
        next = (struct boxes){.rank = to->rank, .means = to->means};
        for (size_t i = 0; i < left.count; i++)
            add_outside(&next, box_of(&left, i), box_of(other, k));
        next.failed = next.failed || left.failed;
        free_boxes(&left);
        left = next;
    }
    for (size_t i = 0; i < left.count; i++)
        add_box(to, box_of(&left, i));
    to->failed = to->failed || left.failed;
    free_boxes(&left);
}

static void add_common(struct boxes *to, const struct boxes *one, const struct boxes *other)
{
    unsigned rank = to->rank;
    int64_t *common = fth_new(2 * (size_t)rank, sizeof *common);
    for (size_t i = 0; i < one->count; i++)
        for (size_t k = 0; k < other->count && take_steps(to); k++) {
            const int64_t *a = box_of(one, i), *b = box_of(other, k);
            if (!meet(a, b, rank))
                continue;
            for (unsigned d = 0; d < rank; d++) {
                common[d] = a[d] > b[d] ? a[d] : b[d];
                common[rank + d] = a[rank + d] < b[rank + d] ? a[rank + d] : b[rank + d];
            }
            add_box(to, common);
        }
    free(common);
}

static struct fth_made_selection *selection_of(const struct boxes *boxes)
{
    unsigned rank = boxes->rank;
    if (boxes->failed)
        return fth_selection_unknown(too_much);
    if (!boxes->count)
        return fth_selection_nothing(rank);
    struct fth_made_selection *made = make(FTH_SELECTION_SLABS, rank);
    if (!take_numbers(made, 4 * (uint64_t)rank * boxes->count, boxes->means))
        return give_up(made, too_much);
    for (size_t i = 0; i < boxes->count; i++) {
        const int64_t *box = box_of(boxes, i);
        int64_t *piece = add_piece(made);
        for (unsigned d = 0; d < rank; d++) {
            bool endless = box[rank + d] == INT64_MAX;
            piece[d] = box[d];
            piece[rank + d] = piece[2 * rank + d] = 1;
            piece[3 * rank + d] = endless ? -1 : box[rank + d] - box[d];
        }
    }
    return made;
}

/* ---- two selections ---- */

/* `other` lies beside `one`, as where a program adds block after block: then nothing has to be taken apart. */
static bool append_apart(struct fth_made_selection *one, const struct fth_made_selection *other,
                         struct fth_selection_means *means)
{
    unsigned rank = one->rank;
    if (one->references > 1 || one->form != FTH_SELECTION_SLABS ||
        other->form != FTH_SELECTION_SLABS || other->count != 1 ||
        one->count >= FTH_SELECTION_MOST_PIECES || means->steps < one->count * rank)
        return false;
    means->steps -= one->count * rank;
    int64_t *bounds = fth_new(4 * (size_t)rank, sizeof *bounds);
    bool apart = true;
    bounds_of(other->numbers, rank, bounds);
    for (size_t i = 0; apart && i < one->count; i++) {
        bounds_of(one->numbers + i * 4 * rank, rank, bounds + 2 * rank);
        apart = !meet(bounds, bounds + 2 * rank, rank);
    }
    apart = apart && take_numbers(one, 4 * (uint64_t)rank, means);
    if (apart)
        memcpy(add_piece(one), other->numbers, 4 * rank * sizeof *other->numbers);
    free(bounds);
    return apart;
}

static struct fth_made_selection *combine_boxes(enum fth_selection_operator how,
                                                const struct fth_made_selection *one,
                                                const struct fth_made_selection *other,
                                                const int64_t *extent,
                                                struct fth_selection_means *means)
{
    struct boxes a, b, made = {.rank = one->rank, .means = means};
    open_boxes(&a, one, extent, means);
    open_boxes(&b, other, extent, means);
    made.failed = a.failed || b.failed;
    if (how == FTH_SELECT_AND)
        add_common(&made, &a, &b);
    for (size_t i = 0; how == FTH_SELECT_OR && i < a.count; i++)
        add_box(&made, box_of(&a, i));
    if (how == FTH_SELECT_XOR || how == FTH_SELECT_NOTB)
        add_difference(&made, &a, &b);
    if (how == FTH_SELECT_XOR || how == FTH_SELECT_NOTA || how == FTH_SELECT_OR)
        add_difference(&made, &b, &a);
    struct fth_made_selection *result = selection_of(&made);
    free_boxes(&a);
    free_boxes(&b);
    free_boxes(&made);
    return result;
}

static struct fth_made_selection *combine_points(enum fth_selection_operator how,
                                                 const struct fth_made_selection *one,
                                                 const struct fth_made_selection *other,
                                                 struct fth_selection_means *means)
{
    bool after = how == FTH_SELECT_APPEND;
    const struct fth_made_selection *first = after ? one : other, *last = after ? other : one;
    if (one->count + other->count > FTH_SELECTION_MOST_PIECES)
        return fth_selection_unknown(too_much);
    struct fth_made_selection *made =
        fth_selection_points(one->rank, first->numbers, first->count, means);
    if (made->form != FTH_SELECTION_POINTS)
        return made;
    if (!take_numbers(made, last->count * last->rank, means))
        return give_up(made, too_much);
    for (size_t i = 0; i < last->count; i++)
        memcpy(add_piece(made), last->numbers + i * last->rank, last->rank * sizeof *last->numbers);
    return made;
}

/* What needs no look at places: everything, or nothing, on one side. NULL: it needs one. */
static struct fth_made_selection *combine_simply(enum fth_selection_operator how,
                                                 struct fth_made_selection *one,
                                                 struct fth_made_selection *other)
{
    bool nothing = one->form == FTH_SELECTION_NOTHING;
    if (nothing || other->form == FTH_SELECTION_NOTHING) {
        struct fth_made_selection *some = nothing ? other : one;
        bool stays = how == FTH_SELECT_OR || how == FTH_SELECT_XOR || how == FTH_SELECT_APPEND ||
                     how == FTH_SELECT_PREPEND || (how == FTH_SELECT_NOTB && !nothing) ||
                     (how == FTH_SELECT_NOTA && nothing);
        return stays ? fth_selection_share(some) : fth_selection_nothing(one->rank);
    }
    bool all = one->form == FTH_SELECTION_ALL, also = other->form == FTH_SELECTION_ALL;
    if (!all && !also)
        return NULL;
    if (how == FTH_SELECT_OR)
        return fth_selection_share(all ? one : other);
    if (how == FTH_SELECT_AND)
        return fth_selection_share(all ? other : one);
    if ((all && how == FTH_SELECT_NOTA) || (also && how == FTH_SELECT_NOTB) || (all && also))
        return fth_selection_nothing(one->rank);
    return NULL;
}

static bool is_places(const struct fth_made_selection *selection)
{
    return selection->form == FTH_SELECTION_SLABS || selection->form == FTH_SELECTION_ALL;
}

struct fth_made_selection *fth_selection_combine(enum fth_selection_operator how,
                                                 struct fth_made_selection *one,
                                                 const struct fth_made_selection *with,
                                                 const int64_t *extent,
                                                 struct fth_selection_means *means)
{
    struct fth_made_selection *other = (struct fth_made_selection *)with, *made;
    bool ordered = how == FTH_SELECT_APPEND || how == FTH_SELECT_PREPEND;
    bool points = one->form == FTH_SELECTION_POINTS && other->form == FTH_SELECTION_POINTS;
    bool whole = one->form == FTH_SELECTION_ALL || other->form == FTH_SELECTION_ALL;
    if (how == FTH_SELECT_SET)
        made = fth_selection_share(other);
    else if (one->form == FTH_SELECTION_UNKNOWN || other->form == FTH_SELECTION_UNKNOWN)
        made = fth_selection_share(one->form == FTH_SELECTION_UNKNOWN ? one : other);
    else if (one->rank != other->rank || how > FTH_SELECT_PREPEND)
        made = fth_selection_unknown(impossible);
    else if ((made = combine_simply(how, one, other)))
        ;
    else if (ordered && points)
        made = combine_points(how, one, other, means);
    else if (ordered || !is_places(one) || !is_places(other))
        made = fth_selection_unknown(impossible);
    else if (how == FTH_SELECT_OR && append_apart(one, other, means))
        return one;
    else if (whole && !extent)
        made = fth_selection_unknown("the extent of its dataspace is not known");
    else
        made = combine_boxes(how, one, other, extent, means);
    fth_selection_drop(one);
    return made;
}

/* ---- what is asked of one ---- */

struct fth_made_selection *fth_selection_shift(const struct fth_made_selection *selection,
                                               const int64_t *distance,
                                               struct fth_selection_means *means)
{
    unsigned rank = selection->rank;
    struct fth_made_selection *made = make(selection->form, rank);
    size_t each = numbers_each(selection);
    made->why = selection->why;
    if (selection->count && !take_numbers(made, selection->count * each, means))
        return give_up(made, too_much);
    for (size_t i = 0; i < selection->count; i++) {
        const int64_t *from = selection->numbers + i * each;
        int64_t *piece = add_piece(made), *slab = piece;
        memcpy(piece, from, each * sizeof *piece);
        for (unsigned d = 0; d < rank; d++) {
            bool fits = !__builtin_add_overflow(from[d], distance[d], &piece[d]) && piece[d] >= 0;
            if (fits && (selection->form == FTH_SELECTION_POINTS ||
                         can_be(piece[d], slab[rank + d], slab[2 * rank + d], slab[3 * rank + d])))
                continue;
            return give_up(made, impossible);
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
