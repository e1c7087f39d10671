/* What a call that starts several operations at once (lio_listio) starts: its control blocks, from
 * the numbers that the trace keeps of each. Inner header of the model room. */
#ifndef FTH_MODEL_CALLS_CONTROL_BLOCKS_H
#define FTH_MODEL_CALLS_CONTROL_BLOCKS_H

#include "model/reading/model.h"

struct fth_control_blocks {
    struct fth_control_block *list;
    size_t room;
};

/* Gives the call its blocks, which stay with `blocks` until the next call. */
void fth_control_blocks_put(struct fth_control_blocks *blocks, const struct fth_trace *trace,
                            struct fth_call *call);
/* The call has its handles: so have its blocks, and the handles have the bytes of these. */
void fth_control_blocks_put_handles(struct fth_control_blocks *blocks, const struct fth_call *call);
void fth_control_blocks_free(struct fth_control_blocks *blocks);

#endif
