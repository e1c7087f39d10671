/* A row of pieces, in leaves: lists that are short enough to be moved. */
#include "analysis/extents/extents_row.h"

#include "base/memory.h"

#include <string.h>

enum {
    LEAF = 128, /* pieces */
    FREE = 4,   /* pieces of each file that need no room */
    MOST_PIECES = 1 << 16,
};

/* ---- room ---- */

static int64_t cost_of(uint64_t pieces)
{
    return pieces > FREE ? (int64_t)(pieces - FREE) : 0;
}

void fth_extents_count(struct fth_extents *extents, uint64_t more, uint64_t less)
{
    *extents->room += cost_of(extents->pieces);
    extents->pieces = extents->pieces + more - less;
    *extents->room -= cost_of(extents->pieces);
    extents->vague |= (more > less && *extents->room < 0) || extents->pieces > MOST_PIECES;
}

/* ---- a leaf ---- */

struct pieces {
    uint32_t count;
    struct fth_extent list[2 * LEAF + 4];
};

static void put(struct pieces *pieces, uint64_t first, uint64_t behind, uint64_t marks)
{
    struct fth_extent *last = pieces->count ? &pieces->list[pieces->count - 1] : NULL;
    if (first >= behind || !marks)
        return;
    if (last && last->behind == first && last->marks == marks)
        last->behind = behind;
    else
        pieces->list[pieces->count++] = (struct fth_extent){first, behind, marks};
}

static void put_marked(struct pieces *pieces, const struct fth_marking *marking_of, uint64_t first,
                       uint64_t behind, uint64_t marks)
{
    if (first < behind)
        put(pieces, first, behind,
            marking_of->marking(marking_of->context, marks, (behind - first) * marking_of->times));
}

/* The first piece that ends behind a place. */
static uint32_t piece_at(const struct fth_leaf *leaf, uint64_t place)
{
    uint32_t low = 0, high = leaf->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (leaf->pieces[middle].behind > place)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Most files have few pieces: room begins with one. */
static void make_room(struct fth_leaf *leaf, uint32_t count)
{
    if (count <= leaf->limit)
        return;
    leaf->limit = leaf->limit ? leaf->limit : 1;
    while (leaf->limit < count)
        leaf->limit *= 2;
    leaf->pieces = fth_resize(leaf->pieces, leaf->limit, sizeof *leaf->pieces);
}

static void replace(struct fth_leaf *leaf, uint32_t from, uint32_t to, const struct pieces *by)
{
    uint32_t count = leaf->count - (to - from) + by->count;
    make_room(leaf, count);
    if (leaf->count > to)
        memmove(leaf->pieces + from + by->count, leaf->pieces + to,
                (leaf->count - to) * sizeof *leaf->pieces);
    if (by->count)
        memcpy(leaf->pieces + from, by->list, by->count * sizeof *by->list);
    leaf->count = count;
}

/* Puts what becomes of the pieces from *from on to those before the one that it returns. The
 * neighbours on both sides are put again: they may become one piece with what is between them. */
static uint32_t put_leaf(struct pieces *pieces, const struct fth_leaf *leaf,
                         const struct fth_marking *marking_of, uint64_t first, uint64_t behind,
                         uint32_t *from)
{
    uint32_t at = piece_at(leaf, first);
    uint64_t done = first;
    *from = at ? at - 1 : at;
    if (*from < at)
        put(pieces, leaf->pieces[*from].first, leaf->pieces[*from].behind,
            leaf->pieces[*from].marks);
    for (; at < leaf->count && leaf->pieces[at].first < behind; at++) {
        const struct fth_extent *piece = &leaf->pieces[at];
        uint64_t begin = piece->first > first ? piece->first : first,
                 end = piece->behind < behind ? piece->behind : behind;
        put(pieces, piece->first, begin, piece->marks);
        put_marked(pieces, marking_of, done, begin, 0);
        put_marked(pieces, marking_of, begin, end, piece->marks);
        put(pieces, end, piece->behind, piece->marks);
        done = end;
    }
    put_marked(pieces, marking_of, done, behind, 0);
    if (at < leaf->count) {
        put(pieces, leaf->pieces[at].first, leaf->pieces[at].behind, leaf->pieces[at].marks);
        at++;
    }
    fth_extents_count(marking_of->extents, pieces->count, at - *from);
    return at;
}

static void mark_leaf(struct fth_leaf *leaf, const struct fth_marking *marking_of, uint64_t first,
                      uint64_t behind)
{
    struct pieces pieces;
    pieces.count = 0;
    uint32_t from, to = put_leaf(&pieces, leaf, marking_of, first, behind, &from);
    replace(leaf, from, to, &pieces);
}

/* ---- a row ---- */

static void add_leaf(struct fth_band *band, size_t at, struct fth_leaf leaf)
{
    FTH_GROW(band->leaves, band->leaf_count);
    memmove(&band->leaves[at + 1], &band->leaves[at],
            (band->leaf_count - at) * sizeof *band->leaves);
    band->leaves[at] = leaf;
    band->leaf_count++;
}

static void take_leaf(struct fth_band *band, size_t at)
{
    free(band->leaves[at].pieces);
    memmove(&band->leaves[at], &band->leaves[at + 1],
            (band->leaf_count - at - 1) * sizeof *band->leaves);
    band->leaf_count--;
}

static void split_leaf(struct fth_band *band, size_t at)
{
    while (band->leaves[at].count > LEAF) {
        struct fth_leaf *leaf = &band->leaves[at], upper = {0};
        uint32_t kept = leaf->count > 2 * LEAF ? leaf->count - LEAF : leaf->count / 2;
        struct pieces moved;
        moved.count = leaf->count - kept;
        memcpy(moved.list, leaf->pieces + kept, moved.count * sizeof *moved.list);
        upper.low = moved.list[0].first;
        replace(&upper, 0, 0, &moved);
        leaf->count = kept;
        add_leaf(band, at + 1, upper);
    }
}

static void join_leaves(struct fth_extents *extents, struct fth_band *band, size_t at)
{
    struct fth_leaf *leaf = &band->leaves[at];
    if (at + 1 == band->leaf_count || leaf->count + leaf[1].count > LEAF / 2)
        return;
    struct pieces all;
    all.count = 0;
    for (uint32_t i = 0; i < leaf->count + leaf[1].count; i++) {
        const struct fth_extent *piece =
            i < leaf->count ? &leaf->pieces[i] : &leaf[1].pieces[i - leaf->count];
        put(&all, piece->first, piece->behind, piece->marks);
    }
    fth_extents_count(extents, all.count, leaf->count + leaf[1].count);
    replace(leaf, 0, leaf->count, &all);
    take_leaf(band, at + 1);
}

static size_t leaf_at(const struct fth_band *band, uint64_t place)
{
    size_t low = 0, high = band->leaf_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (band->leaves[middle].low <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void fth_row_mark(struct fth_band *band, const struct fth_marking *marking_of, uint64_t first,
                  uint64_t behind)
{
    size_t from = leaf_at(band, first), at = from;
    while (first < behind && !marking_of->extents->vague) {
        uint64_t end = at + 1 < band->leaf_count && band->leaves[at + 1].low < behind
                           ? band->leaves[at + 1].low
                           : behind;
        mark_leaf(&band->leaves[at], marking_of, first, end);
        first = end;
        at++;
    }
    while (at-- > from) {
        split_leaf(band, at);
        join_leaves(marking_of->extents, band, at);
    }
}

/* ---- whole rows ---- */

void fth_row_begin(struct fth_band *band)
{
    add_leaf(band, 0, (struct fth_leaf){0});
}

void fth_row_mark_single(const struct fth_marking *marking_of, uint64_t first, uint64_t behind)
{
    struct fth_extents *extents = marking_of->extents;
    const struct fth_leaf leaf = {.count = extents->single.marks != 0, .pieces = &extents->single};
    struct pieces pieces;
    pieces.count = 0;
    uint32_t from;
    put_leaf(&pieces, &leaf, marking_of, first, behind, &from);
    extents->single = pieces.count == 1 ? pieces.list[0] : (struct fth_extent){0};
    if (pieces.count <= 1)
        return;
    struct fth_band band = {.rows = 1};
    fth_row_begin(&band);
    replace(band.leaves, 0, 0, &pieces);
    FTH_GROW(extents->bands, extents->band_count);
    extents->bands[extents->band_count++] = band;
}

void fth_row_copy(struct fth_band *band, const struct fth_band *from)
{
    for (size_t i = 0; i < from->leaf_count; i++) {
        struct fth_leaf copy = from->leaves[i];
        copy.pieces = copy.limit ? fth_new(copy.limit, sizeof *copy.pieces) : NULL;
        if (copy.count)
            memcpy(copy.pieces, from->leaves[i].pieces, copy.count * sizeof *copy.pieces);
        add_leaf(band, band->leaf_count, copy);
    }
}

bool fth_row_equals(const struct fth_band *one, const struct fth_band *other)
{
    if (one->leaf_count != other->leaf_count)
        return false;
    for (size_t i = 0; i < one->leaf_count; i++)
        if (one->leaves[i].low != other->leaves[i].low ||
            one->leaves[i].count != other->leaves[i].count ||
            (one->leaves[i].count &&
             memcmp(one->leaves[i].pieces, other->leaves[i].pieces,
                    one->leaves[i].count * sizeof *one->leaves[i].pieces) != 0))
            return false;
    return true;
}

uint64_t fth_row_pieces(const struct fth_band *band)
{
    uint64_t pieces = 0;
    for (size_t i = 0; i < band->leaf_count; i++)
        pieces += band->leaves[i].count;
    return pieces;
}

void fth_row_free(struct fth_band *band)
{
    for (size_t i = 0; i < band->leaf_count; i++)
        free(band->leaves[i].pieces);
    free(band->leaves);
    band->leaves = NULL;
    band->leaf_count = 0;
}
