/* Datatypes of MPI: from a constructor's arguments to a tree, its bounds, and where its bytes are.
 * Inner header of the model room. */
#ifndef FTH_MODEL_RANGES_DATATYPE_H
#define FTH_MODEL_RANGES_DATATYPE_H

#include "fathom/access.h"
#include "model/reading/constants.h"
#include "model/ranges/layout.h"

enum { FTH_DATATYPE_LISTS = 4 };

/* What stands behind the public structure. Never changed once it is made; parts are shared. */
struct fth_made_datatype {
    struct fth_datatype tree;
    size_t references;
    const struct fth_layout *layout;
    int64_t upper_bound;
    int64_t alignment; /* bytes that an element of a structure is aligned to */
    unsigned depth;    /* of the tree below it */
    bool bounded;      /* its bounds were given, not derived (MPI 4.1, 5.1.7) */
};

/* The arguments of a constructor, by their kind, each in order. */
struct fth_constructor {
    enum fth_datatype_form form;
    const char *name;
    size_t integer_count, list_count, part_count;
    int64_t integers[4];
    struct {
        const int64_t *numbers;
        size_t count;
    } lists[FTH_DATATYPE_LISTS];
    struct fth_made_datatype *const *parts; /* NULL: one that is not known */
};

/* "vector" and its kin; false: no constructor has this name. */
bool fth_datatype_form_of(const char *word, enum fth_datatype_form *form);
/* NULL: not predefined. The caller owns a reference. */
struct fth_made_datatype *fth_datatype_named(const char *name);
/* NULL: the arguments make none. The order and distribution of arrays are those of the ABI of
 * `constants`. The caller owns a reference. */
struct fth_made_datatype *fth_datatype_make(const struct fth_constructor *constructor,
                                            const struct fth_mpi_constants *constants);
struct fth_made_datatype *fth_datatype_share(struct fth_made_datatype *type);
void fth_datatype_drop(struct fth_made_datatype *type); /* NULL is allowed */

#endif
