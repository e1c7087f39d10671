/* From a decoded call to what <fathom/trace.h> shows of it. Inner header of the model room. */
#ifndef FTH_MODEL_PRESENT_H
#define FTH_MODEL_PRESENT_H

#include "base/arena.h"
#include "model/values.h"

/* Shows the calls of one process. What calls of one signature have in common is made once; a call costs what differs from its
 * sisters. */
struct fth_presenter {
    const struct fth_trace *trace;
    const struct fth_model_process *process;
    size_t proc;
    struct fth_presented **known; /* by number of the signature */
    size_t signature_count;
    struct fth_texts texts;
    struct fth_arena sources; /* where calls are made, as text */
};

void fth_presenter_open(struct fth_presenter *presenter, const struct fth_trace *trace, size_t proc,
                        size_t signature_count, const struct fth_process_names *names);
void fth_presenter_close(struct fth_presenter *presenter);

/* Fills *call, but for its number and parent. Its arguments live until the next call of the same signature, and what they point to until the
 * arena is reset. `reader` has just given `raw`. */
void fth_present(struct fth_presenter *presenter, const struct fth_thread_reader *reader,
                 struct fth_arena *arena, const struct fth_raw_call *raw, struct fth_call *call);

#endif
