/* What is asked of a dataspace, and its end. */
#include "model/ranges/dataspace.h"

#include <stdlib.h>

void fth_space_drop(struct fth_space *space)
{
    if (!space)
        return;
    fth_selection_drop(space->selection);
    free(space->name);
    free(space);
}

const int64_t *fth_space_extent(const struct fth_space *space)
{
    return space->is_known ? space->extent : NULL;
}

unsigned fth_space_rank(const struct fth_space *space)
{
    return space->rank;
}

const struct fth_made_selection *fth_space_selection(const struct fth_space *space)
{
    return space->selection;
}

struct fth_made_selection *fth_space_placed(struct fth_accesses *accesses,
                                            const struct fth_space *space)
{
    bool moves = space->is_moved && space->selection->rank == space->rank;
    return moves ? fth_selection_shift(space->selection, space->offset, &accesses->selection.means)
                 : fth_selection_share(space->selection);
}
