/* Standard streams lead where their descriptor leads. Inner header of the repeat room. */
#ifndef FTH_REPEAT_ENCODE_STANDARD_H
#define FTH_REPEAT_ENCODE_STANDARD_H

#include "repeat/script/encoder.h"

/* Does the replay have the stream, and what it stands on now? */
bool fth_encoder_has_stream(const struct fth_encoder *encoder, int64_t slot);
/* Does the stream stand on a descriptor that leads to nothing in the replay now? */
bool fth_encoder_is_cut_off(const struct fth_encoder *encoder, int64_t slot);

/* Opens the stream on its descriptor, which the replay has. False: there is no such slot. */
bool fth_encode_standard_stream(struct fth_encoder *encoder, const struct fth_call *call,
                                int64_t slot, int64_t descriptor);
/* A call, `is_encoded` or left out, made a standard descriptor lead to what the replay does not
 * have, or closed it: what its stream still has in its buffer goes nowhere. Before the call is
 * noted; behind its own operation. */
void fth_encode_standard_cut_off(struct fth_encoder *encoder, const struct fth_call *call,
                                 const struct fth_recipe *recipe, bool is_encoded);

#endif
