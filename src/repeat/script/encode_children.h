/* Children of a process in its scripts: operations that begin them and wait for them. Inner header
 * of the repeat room. */
#ifndef FTH_REPEAT_ENCODE_CHILDREN_H
#define FTH_REPEAT_ENCODE_CHILDREN_H

#include "repeat/script/encoder.h"
#include "repeat/what/children.h"

/* The child that this call made, or waited for. */
void fth_encode_children_made(struct fth_encoder *encoder, struct fth_repeat_children *children,
                              const struct fth_call *call);
void fth_encode_children_reaped(struct fth_encoder *encoder, struct fth_repeat_children *children,
                                const struct fth_call *call);
/* Those that no known call made, and that had begun by then, ns. */
void fth_encode_children_until(struct fth_encoder *encoder, struct fth_repeat_children *children,
                               int64_t time);

#endif
