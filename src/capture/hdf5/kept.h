/* Answers of HDF5 that stay true until somebody changes what was asked about: to ask costs HDF5
 * more than all the rest of a wrapper.
 *
 * An identifier has a place; two that have the same one take it from each other. Counters, which
 * only grow, say how often the object may have changed: an answer holds as long as they stand where
 * they stood before it was asked for. So what was asked for while another thread changed the object
 * does not hold. No locks: a place that is being written has no answers, and nobody else writes
 * there. */
#ifndef FTH_CAPTURE_HDF5_KEPT_H
#define FTH_CAPTURE_HDF5_KEPT_H

#include "capture/wrap/wrap_hdf5.h"

enum fth_hdf5_question {
    FTH_HDF5_RANK, /* of a dataspace, of a dataset */
    /* points of a selection, of a dataset, of an attribute; bytes of an element of a datatype */
    FTH_HDF5_AMOUNT,
    FTH_HDF5_QUESTIONS
};

/* False: there is no answer. */
bool fth_hdf5_kept(hid_t id, enum fth_hdf5_question question, int64_t *answer);
/* `changes`: fth_hdf5_changes before the library was asked. */
void fth_hdf5_keep(hid_t id, enum fth_hdf5_question question, uint64_t changes, int64_t answer);
uint64_t fth_hdf5_changes(hid_t id, enum fth_hdf5_question question);

#endif
