/* Starting in the middle of a thread: what its calls before some block have done to its state is
 * composed from its grammars (trace/state/effect.h) and read from the marks of a few blocks
 * (trace/state/cell_marks.h); none of them is decoded. Inner header of the model room. */
#ifndef FTH_MODEL_CALLS_SEEK_H
#define FTH_MODEL_CALLS_SEEK_H

#include "model/reading/thread.h"
#include "trace/state/cell_marks.h"
#include "trace/state/rule_effects.h"

/* Of one process, for one thread after the other. */
struct fth_seeker {
    const struct fth_trace *trace;
    const struct fth_model_process *process;
    struct fth_process_names *names;
    struct fth_cells cells;
    struct fth_effect **calls; /* by number of the signature among those of all shares */
    uint32_t signature_count;
    /* the piece that is being composed */
    struct fth_share *share;
    const struct fth_piece *piece;
    struct fth_rules *rules;
    struct fth_rule_effects effects;
};
/* `shares`: all of the process. Everything must outlive the seeker. */
void fth_seeker_open(struct fth_seeker *seeker, const struct fth_trace *trace,
                     const struct fth_model_process *process, struct fth_process_names *names,
                     const struct fth_share *shares, size_t share_count);
void fth_seeker_close(struct fth_seeker *seeker);

/* The blocks of a thread, from 0 through all its stretches. */
uint64_t fth_thread_blocks(const struct fth_stretch *stretches, size_t count);
/* Puts the reader, which has just been opened, before the first call of this block; *calls: how
 * many calls of the thread are before it. 1; 0: that takes going through all the calls before it,
 * and the reader is at the beginning; -1: *error. */
int fth_seek_block(struct fth_seeker *seeker, struct fth_thread_reader *reader, uint64_t block,
                   uint64_t *calls, struct fth_error **error);
/* Puts the reader, which has just been opened, before a call that no other call is around, so that
 * every call that ends at this time (ns) or later is still to come, and few others. *calls: how
 * many are before it. 0; -1: *error. */
int fth_seek_time(struct fth_seeker *seeker, struct fth_thread_reader *reader, int64_t time,
                  uint64_t *calls, struct fth_error **error);

#endif
