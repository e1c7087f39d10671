/* Where data stand: some bytes (or elements) as a tree of pieces, and walking through it. What MPI
 * calls a type map and HDF5 a selection is one of these: a piece without holes, a piece repeated at
 * a stride, or a list of pieces, each of pieces again. A layout of a billion pieces is two nodes,
 * and a walk through it keeps one place for each level of the tree, wherever it begins. Inner
 * header of the model room. */
#ifndef FTH_MODEL_RANGES_LAYOUT_H
#define FTH_MODEL_RANGES_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FTH_LAYOUT_HEIGHT = 32, /* levels of a tree; deeper ones are not made */
};

enum fth_layout_form { FTH_LAYOUT_DENSE, FTH_LAYOUT_REPEATED, FTH_LAYOUT_LISTED };

struct fth_layout_piece {
    int64_t before; /* bytes of the pieces before it */
    const struct fth_layout *inner;
};

/* Never changed once it is made; pieces are shared between trees. */
struct fth_layout {
    enum fth_layout_form form;
    unsigned height;
    size_t references;
    int64_t at;   /* where it begins: inner pieces are counted from there */
    int64_t size; /* bytes of data in it */
    int64_t low,
        high; /* where its first byte is, and behind its last one; 0 and 0 when there is none */
    int64_t stride; /* of repeated ones */
    int64_t count;  /* repetitions, or pieces in the list */
    const struct fth_layout *inner;
    struct fth_layout_piece pieces[];
};

/* All of these return NULL when numbers become too large to count with, or the tree too high, or
 * `inner` is NULL. Who gets one owns a reference. */
struct fth_layout *fth_layout_dense(int64_t at, int64_t size);
/* `inner`, `count` times, at `at`, `at` + stride ...; takes a reference of its own. */
struct fth_layout *fth_layout_repeat(const struct fth_layout *inner, int64_t at, int64_t stride,
                                     int64_t count);
/* Several, in order; takes over the references of the array. Those without data are left out. */
struct fth_layout *fth_layout_list(const struct fth_layout **inner, size_t count);
const struct fth_layout *fth_layout_share(const struct fth_layout *layout);
void fth_layout_drop(const struct fth_layout *layout); /* NULL is allowed */

/* ---- walking ---- */

struct fth_layout_walk {
    struct {
        const struct fth_layout *layout;
        int64_t base, index;
    } levels[FTH_LAYOUT_HEIGHT];
    unsigned level_count;
    /* the layout itself is repeated, again and again */
    const struct fth_layout *tile;
    int64_t tile_at, extent;
    int64_t left;       /* bytes to be given, with those of the piece */
    int64_t at, length; /* the piece that is next */
};

/* Begins behind the first `skip` bytes of data and ends `length` bytes of data later: `tile` stands
 * at `at`, again at `at` + extent, and so on. The tile must live as long as the walk. False: there
 * is no data in it, or places become too large or negative; then the walk is over. O(height). */
bool fth_layout_walk(struct fth_layout_walk *walk, const struct fth_layout *tile, int64_t at,
                     int64_t extent, int64_t skip, int64_t length);
/* One piece without holes at `at`. */
void fth_layout_walk_dense(struct fth_layout_walk *walk, int64_t at, int64_t length);
/* The next bytes without a hole, those that touch put together; false: no more. */
bool fth_layout_walk_next(struct fth_layout_walk *walk, int64_t *at, int64_t *length);

#endif
