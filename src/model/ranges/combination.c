/* What two selections make together. What does not overlap stays as it was given, strides and all;
 * where two selections meet they are taken apart into boxes. */
#include "base/memory.h"
#include "model/ranges/selection.h"

#include <string.h>

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
        bool endless = count[i] == FTH_WITHOUT_END || block[i] == FTH_WITHOUT_END;
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
            if (dense || block[i] == FTH_WITHOUT_END)
                continue;
            if (count[i] == FTH_WITHOUT_END) {
                boxes->failed = true;
                break;
            }
            box[i] = slab[i] + turn[i] * stride[i];
            box[rank + i] = box[i] + block[i];
        }
        add_box(boxes, box);
        for (i = rank; i-- > 0;) {
            bool dense = count[i] == 1 || stride[i] == block[i] || block[i] == FTH_WITHOUT_END;
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
        add_slab(boxes, selection->numbers + i * 4 * selection->rank);
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
        return fth_selection_unknown(fth_selection_too_much);
    if (!boxes->count)
        return fth_selection_nothing(rank);
    struct fth_made_selection *made = fth_selection_begin(FTH_SELECTION_SLABS, rank);
    if (!fth_selection_take(made, 4 * (uint64_t)rank * boxes->count, boxes->means))
        return fth_selection_give_up(made, fth_selection_too_much);
    for (size_t i = 0; i < boxes->count; i++) {
        const int64_t *box = box_of(boxes, i);
        int64_t *piece = fth_selection_add_piece(made);
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

/* `other` lies beside `one`, as where a program adds block after block: then nothing has to be
 * taken apart. */
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
    apart = apart && fth_selection_take(one, 4 * (uint64_t)rank, means);
    if (apart)
        memcpy(fth_selection_add_piece(one), other->numbers, 4 * rank * sizeof *other->numbers);
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
        return fth_selection_unknown(fth_selection_too_much);
    struct fth_made_selection *made =
        fth_selection_points(one->rank, first->numbers, first->count, means);
    if (made->form != FTH_SELECTION_POINTS)
        return made;
    if (!fth_selection_take(made, last->count * last->rank, means))
        return fth_selection_give_up(made, fth_selection_too_much);
    for (size_t i = 0; i < last->count; i++)
        memcpy(fth_selection_add_piece(made), last->numbers + i * last->rank,
               last->rank * sizeof *last->numbers);
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
        made = fth_selection_unknown(fth_selection_impossible);
    else if ((made = combine_simply(how, one, other)))
        ;
    else if (ordered && points)
        made = combine_points(how, one, other, means);
    else if (ordered || !is_places(one) || !is_places(other))
        made = fth_selection_unknown(fth_selection_impossible);
    else if (how == FTH_SELECT_OR && append_apart(one, other, means))
        return one;
    else if (whole && !extent)
        made = fth_selection_unknown("the extent of its dataspace is unknown");
    else
        made = combine_boxes(how, one, other, extent, means);
    fth_selection_drop(one);
    return made;
}
