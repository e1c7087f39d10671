/* Which elements of an array a call reads or writes: regular blocks, or points, and what HDF5 makes
 * of two such selections. Inner header of the model room. */
#ifndef FTH_MODEL_RANGES_SELECTION_H
#define FTH_MODEL_RANGES_SELECTION_H

#include "fathom/access.h"

enum {
    FTH_WITHOUT_END = -1,                /* as a count or block: H5S_UNLIMITED */
    FTH_SELECTION_RANK = 1024,           /* most dimensions: NC_MAX_VAR_DIMS */
    FTH_SELECTION_MOST_PIECES = 1 << 16, /* blocks or points of one selection */
};

/* What following selections may still cost; traces may ask for any amount of it. */
struct fth_selection_means {
    uint64_t steps;   /* from the beginning on */
    uint64_t numbers; /* in all selections that are alive */
};

/* Shared, and changed by nobody but its one owner. `numbers`: for each slab start, stride, count
 * and block, `rank` numbers each; for each point its coordinates. */
struct fth_made_selection {
    size_t references;
    enum fth_selection_form form;
    const char *why; /* of an unknown one */
    unsigned rank;
    size_t count, room;
    int64_t *numbers;
    struct fth_selection_means *means; /* that the numbers were taken from */
    uint64_t taken;
};

/* H5S_seloper_t, the same in all versions. */
enum fth_selection_operator {
    FTH_SELECT_SET,
    FTH_SELECT_OR,
    FTH_SELECT_AND,
    FTH_SELECT_XOR,
    FTH_SELECT_NOTB, /* those of the first that are not in the second */
    FTH_SELECT_NOTA, /* those of the second that are not in the first */
    FTH_SELECT_APPEND,
    FTH_SELECT_PREPEND,
    FTH_SELECT_UNKNOWN,
};

/* Who gets a selection owns a reference. */
struct fth_made_selection *fth_selection_all(unsigned rank);
struct fth_made_selection *fth_selection_nothing(unsigned rank);
struct fth_made_selection *fth_selection_unknown(const char *why);
/* `rank` numbers each; without strides or blocks they are 1. Numbers that cannot be make an unknown
 * one. A count or block of -1 is unlimited. */
struct fth_made_selection *fth_selection_slab(unsigned rank, const int64_t *start,
                                              const int64_t *stride, const int64_t *count,
                                              const int64_t *block,
                                              struct fth_selection_means *means);
struct fth_made_selection *fth_selection_points(unsigned rank, const int64_t *coordinates,
                                                size_t count, struct fth_selection_means *means);
/* Takes over the reference to `one`. `extent`: of the array, or NULL where that is not known. When
 * there are no means left the result is unknown, as it is when the pieces become too many. */
struct fth_made_selection *fth_selection_combine(enum fth_selection_operator how,
                                                 struct fth_made_selection *one,
                                                 const struct fth_made_selection *other,
                                                 const int64_t *extent,
                                                 struct fth_selection_means *means);
/* The same elements, further by `distance` in each dimension. */
struct fth_made_selection *fth_selection_shift(const struct fth_made_selection *selection,
                                               const int64_t *distance,
                                               struct fth_selection_means *means);
/* -1: not known, or unlimited. */
int64_t fth_selection_elements(const struct fth_made_selection *selection, const int64_t *extent);
struct fth_made_selection *fth_selection_share(struct fth_made_selection *selection);
void fth_selection_drop(struct fth_made_selection *selection); /* NULL is allowed */

/* For those who make them: an empty one; room for so many numbers, of which the means may have no
 * more; room for one more piece; in place of it one that is unknown. */
extern const char fth_selection_too_much[], fth_selection_impossible[];
struct fth_made_selection *fth_selection_begin(enum fth_selection_form form, unsigned rank);
bool fth_selection_take(struct fth_made_selection *for_this, uint64_t count,
                        struct fth_selection_means *means);
int64_t *fth_selection_add_piece(struct fth_made_selection *to);
struct fth_made_selection *fth_selection_give_up(struct fth_made_selection *made, const char *why);

#endif
