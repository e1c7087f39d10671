/* Layouts: making them small, and walking through them. */
#include "model/ranges/layout.h"

#include "base/memory.h"

#include <string.h>

static bool add(int64_t one, int64_t other, int64_t *sum)
{
    return !__builtin_add_overflow(one, other, sum);
}

/* to + count * step, if it is a number */
static bool add_steps(int64_t to, int64_t count, int64_t step, int64_t *sum)
{
    int64_t product;
    return !__builtin_mul_overflow(count, step, &product) && add(to, product, sum);
}

/* ---- making ---- */

static struct fth_layout *make(enum fth_layout_form form, size_t pieces)
{
    struct fth_layout *made = fth_new(1, sizeof *made + pieces * sizeof(struct fth_layout_piece));
    made->form = form;
    made->references = 1;
    made->height = 1;
    return made;
}

const struct fth_layout *fth_layout_share(const struct fth_layout *layout)
{
    if (layout)
        ((struct fth_layout *)layout)->references++;
    return layout;
}

void fth_layout_drop(const struct fth_layout *layout)
{
    if (!layout || --((struct fth_layout *)layout)->references)
        return;
    fth_layout_drop(layout->inner);
    for (int64_t i = 0; layout->form == FTH_LAYOUT_LISTED && i < layout->count; i++)
        fth_layout_drop(layout->pieces[i].inner);
    free((struct fth_layout *)layout);
}

struct fth_layout *fth_layout_dense(int64_t at, int64_t size)
{
    int64_t high;
    if (size < 0 || !add(at, size, &high))
        return NULL;
    struct fth_layout *made = make(FTH_LAYOUT_DENSE, 0);
    made->at = size ? at : 0;
    made->size = size;
    made->low = made->at;
    made->high = size ? high : 0;
    return made;
}

/* The same layout somewhere else. */
static struct fth_layout *move(const struct fth_layout *from, int64_t by)
{
    int64_t at, low, high;
    if (!add(from->at, by, &at) || !add(from->low, by, &low) || !add(from->high, by, &high))
        return NULL;
    size_t pieces = from->form == FTH_LAYOUT_LISTED ? (size_t)from->count : 0;
    struct fth_layout *made = make(from->form, pieces);
    memcpy(made, from, sizeof *made + pieces * sizeof *made->pieces);
    made->references = 1;
    made->at = at;
    made->low = low;
    made->high = high;
    fth_layout_share(made->inner);
    for (size_t i = 0; i < pieces; i++)
        fth_layout_share(made->pieces[i].inner);
    return made;
}

static bool is_dense(const struct fth_layout *layout)
{
    return layout->form == FTH_LAYOUT_DENSE;
}

struct fth_layout *fth_layout_repeat(const struct fth_layout *inner, int64_t at, int64_t stride,
                                     int64_t count)
{
    int64_t size, last, low, high;
    if (!inner || count < 0)
        return NULL;
    if (!count || !inner->size)
        return fth_layout_dense(0, 0);
    if (count == 1)
        return move(inner, at);
    if (__builtin_mul_overflow(inner->size, count, &size) ||
        !add_steps(at, count - 1, stride, &last))
        return NULL;
    if (is_dense(inner) && stride == inner->size)
        return add(at, inner->at, &at) ? fth_layout_dense(at, size) : NULL;
    if (inner->height >= FTH_LAYOUT_HEIGHT || !add(inner->low, at < last ? at : last, &low) ||
        !add(inner->high, at < last ? last : at, &high))
        return NULL;
    struct fth_layout *made = make(FTH_LAYOUT_REPEATED, 0);
    made->height = inner->height + 1;
    made->at = at;
    made->size = size;
    made->low = low;
    made->high = high;
    made->stride = stride;
    made->count = count;
    made->inner = fth_layout_share(inner);
    return made;
}

struct fth_layout *fth_layout_list(const struct fth_layout **inner, size_t count)
{
    struct fth_layout *made = make(FTH_LAYOUT_LISTED, count);
    bool fits = true;
    for (size_t i = 0; i < count; i++) {
        const struct fth_layout *piece = inner[i];
        if (!piece || !piece->size || piece->height >= FTH_LAYOUT_HEIGHT) {
            fits = fits && piece && !piece->size;
            fth_layout_drop(piece);
            continue;
        }
        if (!made->count || piece->low < made->low)
            made->low = piece->low;
        if (!made->count || piece->high > made->high)
            made->high = piece->high;
        if (piece->height >= made->height)
            made->height = piece->height + 1;
        made->pieces[made->count++] = (struct fth_layout_piece){made->size, piece};
        fits = fits && add(made->size, piece->size, &made->size);
    }
    if (!fits || made->count < 2) {
        struct fth_layout *only = !fits         ? NULL
                                  : made->count ? move(made->pieces[0].inner, 0)
                                                : fth_layout_dense(0, 0);
        fth_layout_drop(made);
        return only;
    }
    return made;
}

/* ---- walking ---- */

static void push(struct fth_layout_walk *walk, const struct fth_layout *layout, int64_t base,
                 int64_t index)
{
    walk->levels[walk->level_count].layout = layout;
    walk->levels[walk->level_count].base = base;
    walk->levels[walk->level_count++].index = index;
}

/* The piece of a list that has byte `skip` of its data. */
static int64_t piece_with(const struct fth_layout *list, int64_t skip)
{
    int64_t first = 0, behind = list->count;
    while (behind - first > 1) {
        int64_t middle = first + (behind - first) / 2;
        if (list->pieces[middle].before <= skip)
            first = middle;
        else
            behind = middle;
    }
    return first;
}

/* Goes down to the dense piece that has byte `skip` of the layout's data. */
static void enter(struct fth_layout_walk *walk, const struct fth_layout *layout, int64_t base,
                  int64_t skip)
{
    for (;;) {
        base += layout->at;
        if (is_dense(layout)) {
            walk->at = base + skip;
            walk->length = layout->size - skip;
            return;
        }
        if (layout->form == FTH_LAYOUT_REPEATED) {
            int64_t index = skip / layout->inner->size;
            push(walk, layout, base, index);
            skip -= index * layout->inner->size;
            base += index * layout->stride;
            layout = layout->inner;
        } else {
            int64_t index = piece_with(layout, skip);
            push(walk, layout, base, index);
            skip -= layout->pieces[index].before;
            layout = layout->pieces[index].inner;
        }
    }
}

/* Goes to the dense piece behind the present one. */
static void step(struct fth_layout_walk *walk)
{
    while (walk->level_count) {
        const struct fth_layout *layout = walk->levels[walk->level_count - 1].layout;
        int64_t base = walk->levels[walk->level_count - 1].base;
        int64_t index = ++walk->levels[walk->level_count - 1].index;
        if (index == layout->count) {
            walk->level_count--;
            continue;
        }
        if (layout->form == FTH_LAYOUT_REPEATED)
            enter(walk, layout->inner, base + index * layout->stride, 0);
        else
            enter(walk, layout->pieces[index].inner, base, 0);
        return;
    }
    walk->tile_at += walk->extent;
    enter(walk, walk->tile, walk->tile_at, 0);
}

void fth_layout_walk_dense(struct fth_layout_walk *walk, int64_t at, int64_t length)
{
    walk->level_count = 0;
    walk->tile = NULL;
    walk->at = at;
    walk->length = walk->left = length;
}

/* Are all places of the tiles that the data are in numbers, from 0? */
static bool are_places(const struct fth_layout *tile, int64_t at, int64_t extent, int64_t first,
                       int64_t last)
{
    int64_t begin, end, low, high;
    return add_steps(at, first, extent, &begin) && add_steps(at, last, extent, &end) &&
           add(begin < end ? begin : end, tile->low, &low) &&
           add(begin < end ? end : begin, tile->high, &high) && low >= 0;
}

bool fth_layout_walk(struct fth_layout_walk *walk, const struct fth_layout *tile, int64_t at,
                     int64_t extent, int64_t skip, int64_t length)
{
    int64_t end;
    fth_layout_walk_dense(walk, 0, 0);
    if (!tile || !tile->size || skip < 0 || length < 0 || !add(skip, length, &end))
        return false;
    if (!length)
        return true;
    if (!are_places(tile, at, extent, skip / tile->size, (end - 1) / tile->size))
        return false;
    if (is_dense(tile) && tile->size == extent) {
        fth_layout_walk_dense(walk, at + tile->at + skip, length);
        return true;
    }
    walk->tile = tile;
    walk->extent = extent;
    walk->tile_at = at + skip / tile->size * extent;
    walk->left = length;
    enter(walk, tile, walk->tile_at, skip % tile->size);
    return true;
}

bool fth_layout_walk_next(struct fth_layout_walk *walk, int64_t *at, int64_t *length)
{
    if (!walk->left)
        return false;
    *at = walk->at;
    *length = 0;
    while (walk->left && walk->at == *at + *length) {
        int64_t taken = walk->length < walk->left ? walk->length : walk->left;
        *length += taken;
        walk->left -= taken;
        if (walk->left)
            step(walk);
    }
    return true;
}
