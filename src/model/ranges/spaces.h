/* Dataspaces and datasets of a process whose calls are followed, and which elements its data calls
 * select. Inner header of the model room. */
#ifndef FTH_MODEL_RANGES_SPACES_H
#define FTH_MODEL_RANGES_SPACES_H

#include "model/ranges/dataspace.h"

/* What `builds` says in a row that is about dataspaces (docs/catalog.md). */
enum fth_space_operation {
    FTH_SPACE_NO_OPERATION,
    FTH_SPACE_SPACE,
    FTH_SPACE_SIMPLE,
    FTH_SPACE_DATASET,
    FTH_SPACE_OF_DATASET,
    FTH_SPACE_EXTENT,
    FTH_SPACE_EXTENT_COPY,
    FTH_SPACE_SHOWN_EXTENT,
    FTH_SPACE_ALL,
    FTH_SPACE_NOTHING,
    FTH_SPACE_HYPERSLAB,
    FTH_SPACE_POINTS,
    FTH_SPACE_COMBINATION,
    FTH_SPACE_SELECTION_COPY,
    FTH_SPACE_OFFSET,
    FTH_SPACE_ADJUSTED,
};
enum fth_space_operation fth_space_operation_of(const char *builds);

/* What a call that did not fail does to dataspaces. */
void fth_following_spaces(struct fth_accesses *accesses,
                          const struct fth_range_semantics *semantics);
/* Which elements it accesses: access->selected. */
void fth_following_selection(struct fth_accesses *accesses,
                             const struct fth_range_semantics *semantics);
void fth_selecting_forget(struct fth_accesses *accesses);

#endif
