/* From a decoded call to what <fathom/trace.h> shows of it. Inner header of the model room. */
#ifndef FTH_MODEL_CALLS_PRESENT_H
#define FTH_MODEL_CALLS_PRESENT_H

#include "base/arena.h"
#include "base/memory.h"
#include "model/reading/shown_values.h"

/* Is this value the same in all calls of a signature? */
static inline bool fth_is_constant(const struct fth_signature *signature, int i)
{
    return !((signature->mask | signature->steps) >> i & 1);
}
/* Are they about the same file, as long as what handles are bound to stays the same? */
static inline bool fth_is_file_bound(const struct fth_meaning *meaning,
                                     const struct fth_signature *signature)
{
    return meaning->about.handle >= 0 && fth_is_constant(signature, meaning->about.handle) &&
           (meaning->about.other < 0 || fth_is_constant(signature, meaning->about.other));
}

/* Shows the calls of one process. What calls of one signature have in common is made once; a call
 * costs what differs from its sisters. */
struct fth_presenter {
    const struct fth_trace *trace;
    const struct fth_model_process *process;
    size_t proc;
    struct fth_presented **known; /* by number of the signature */
    size_t signature_count, known_count;
    struct fth_presented **alike; /* by number of the signature without values, if not known */
    size_t common_count;
    struct fth_texts texts;
    struct fth_arena sources; /* where calls are made, as text */
    uint64_t turns;           /* that fth_kept_calls have had */
    /* the calls that come now were decoded before others, and nothing has been bound for them since
     * they were */
    bool late;
};

void fth_presenter_open(struct fth_presenter *presenter, const struct fth_trace *trace, size_t proc,
                        size_t signature_count, size_t common_count,
                        struct fth_process_names *names);
void fth_presenter_close(struct fth_presenter *presenter);

/* Fills *call, but for its number and parent. Its arguments live until the next call, and what they
 * point to until the arena is reset. `reader` has just given `raw`. */
void fth_present(struct fth_presenter *presenter, const struct fth_thread_reader *reader,
                 struct fth_arena *arena, const struct fth_raw_call *raw, struct fth_call *call);

/* Was a call of this signature shown under the bindings that are there now, and differs it from
 * this one in integers only, neither of them failing where the other may not? Then it may be shown
 * late, or again. */
bool fth_present_is_plain(const struct fth_presenter *presenter,
                          const struct fth_thread_reader *reader, const struct fth_raw_call *raw);
/* *call was one of the same signature, shown under the same bindings: brings what differs from call
 * to call. */
void fth_present_again(struct fth_presenter *presenter, const struct fth_thread_reader *reader,
                       struct fth_arena *arena, const struct fth_raw_call *raw,
                       struct fth_call *call);

/* ---- calls that are presented later ----
 *
 * Many calls may have to wait until the call around them is known. What is kept of one is its
 * times, those of its arguments that its sisters do not share, and what its handles are bound to
 * (once for all that find the same); and all else of it where results, paths or bytes differ,
 * too. */

#define FTH_NOT_WHOLE UINT32_MAX
struct fth_kept_call {
    struct fth_presented *common;
    int64_t start, end;
    /* its place among those that are kept whole, but for their arguments; or FTH_NOT_WHOLE */
    uint32_t whole;
    uint32_t values; /* the first of its arguments that change from call to call */
    uint32_t bound;  /* what its slots were bound to, if it has such slots */
};
struct fth_kept_bound {
    uint64_t version;
    const char *file, *object;
    uint32_t file_number, values;
};
/* Of one thread. All zero: there are none. */
struct fth_kept_calls {
    uint64_t turn; /* 0: none is kept yet */
    uint32_t thread;
    int64_t tid;
    struct fth_call *whole;
    struct fth_kept_bound *bound;
    struct fth_value *values;
    uint32_t whole_count, whole_limit;
    uint32_t bound_count, bound_limit;
    uint32_t value_count, value_limit;
    struct fth_arena arena; /* what the values point to */
};

/* An array of *limit items made long enough for one at `index`. Unlike with fth_reach, what is new
 * is not touched. */
static inline void *fth_present_room(void *items, uint32_t *limit, uint32_t index, size_t size)
{
    if (index < *limit)
        return items;
    *limit = index < UINT32_MAX / 4 ? index * 2 + 16 : UINT32_MAX;
    return fth_resize(items, *limit, size);
}

/* `reader` has just given `raw`. */
void fth_present_keep_call(struct fth_presenter *presenter, const struct fth_thread_reader *reader,
                           const struct fth_raw_call *raw, struct fth_kept_calls *kept,
                           struct fth_kept_call *call);
const struct fth_function *fth_kept_function(const struct fth_kept_call *call);
/* As fth_present would have done it then. Arguments live until a call of the same signature is
 * presented or kept, or `kept` is forgotten. */
void fth_present_kept(const struct fth_kept_calls *kept, const struct fth_kept_call *from,
                      struct fth_call *call);
void fth_kept_calls_forget(struct fth_kept_calls *kept);
void fth_kept_calls_free(struct fth_kept_calls *kept);

#endif
