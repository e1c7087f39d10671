/* A dataspace of HDF5, or a dataset: its extent and its selection. Inner header of the model
 * room. */
#ifndef FTH_MODEL_RANGES_DATASPACE_H
#define FTH_MODEL_RANGES_DATASPACE_H

#include "model/ranges/following.h"
#include "model/ranges/selection.h"

enum { FTH_SPACE_RANK = 32 /* H5S_MAX_RANK */ };

struct fth_space {
    bool is_dataset;
    char *name;    /* of a dataset: its file and its path in there, or NULL */
    bool is_known; /* its extent */
    unsigned rank;
    int64_t extent[FTH_SPACE_RANK], offset[FTH_SPACE_RANK];
    bool is_moved;                        /* by the offset */
    struct fth_made_selection *selection; /* of a dataspace */
};

/* Of a dataspace; NULL: it is a dataset. */
const struct fth_made_selection *fth_space_selection(const struct fth_space *space);
/* The same where its offset puts it; a new reference. */
struct fth_made_selection *fth_space_placed(struct fth_accesses *accesses,
                                            const struct fth_space *space);
const int64_t *fth_space_extent(const struct fth_space *space); /* NULL: not known */
unsigned fth_space_rank(const struct fth_space *space);
void fth_space_drop(struct fth_space *space); /* NULL is allowed */

#endif
