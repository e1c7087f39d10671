/* What macros gave to streams, as operations of a replay. Inner header of the repeat room. */
#ifndef FTH_REPEAT_ENCODE_UNSEEN_H
#define FTH_REPEAT_ENCODE_UNSEEN_H

#include "repeat/script/encoder.h"

/* Writes to streams of the replay what came before this call. True: that is all the call is, as the
 * stream hands it to the system by itself. */
bool fth_encode_unseen(struct fth_encoder *encoder, const struct fth_call *call);

#endif
