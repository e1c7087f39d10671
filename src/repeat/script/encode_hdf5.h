/* What calls of HDF5 need beside their arguments in the trace. Inner header of the repeat room. */
#ifndef FTH_REPEAT_ENCODE_HDF5_H
#define FTH_REPEAT_ENCODE_HDF5_H

#include "repeat/script/encoder.h"

/* NULL, or why the call cannot be made: it would follow pointers that the replay has not, or touch
 * files that are none of the replay. */
const char *fth_encode_hdf5_check(struct fth_encoder *encoder, const struct fth_call *call,
                                  const struct fth_recipe *recipe);
/* The call is made: handles of datatypes with pointers are marked, and what is made with them. */
void fth_encode_hdf5_follow(struct fth_encoder *encoder, const struct fth_call *call,
                            const struct fth_recipe *recipe);
/* An argument that the trace does not have. *why: there is none. */
int64_t fth_encode_hdf5_unkept(struct fth_encoder *encoder, const struct fth_access *access,
                               const struct fth_recipe *recipe, size_t number, const char **why);

#endif
