/* What a wrapper needs: the begin of a call, and all of the rest (record/runtime.h). */
#ifndef FTH_CAPTURE_LIFE_BEGIN_H
#define FTH_CAPTURE_LIFE_BEGIN_H

#include "capture/follow/handle_slots.h"
#include "capture/process/process.h"
#include "capture/record/runtime.h"
#include "interpose/reach/reals.h"

/* Starts recording in this process or thread if that is due. Returns the recorder, or NULL: do not
 * record this call. `stack`: frame of the wrapper, 0 when there is none. */
struct fth_recorder *fth_begin_rarely(uintptr_t stack) FTH_PUBLIC;

/* `context`: bit of the function's layer, and whether it is about a file, behind a buffer or not.
 * False: call the real function, record nothing. */
#define fth_begin(draft, function, context)                                                        \
    fth_begin_at(draft, function, context, (uintptr_t)__builtin_frame_address(0))
/* `stack`: the frame of the wrapper, not of this function: calls of one caller have the same
 * one. */
static inline bool fth_begin_at(struct fth_draft *draft, uint32_t function, uint32_t context,
                                uintptr_t stack)
{
    struct fth_recorder *recorder = fth_self;
    if (FTH_UNLIKELY(fth_wanted[function] <= FTH_COUNTED)) {
        if (fth_wanted[function] == FTH_NOT_WANTED)
            return false;
        if (FTH_LIKELY(recorder && *fth_alive && !recorder->busy)) {
            fth_watched_count(recorder, function);
            return false;
        }
    }
    if (FTH_UNLIKELY(!recorder || !*fth_alive || recorder->busy)) {
        recorder = fth_begin_rarely(stack);
        if (!recorder || !fth_wanted[function])
            return false;
        if (fth_wanted[function] == FTH_COUNTED) {
            fth_watched_count(recorder, function);
            return false;
        }
    }
    if (FTH_UNLIKELY(stack - recorder->signal_stack < FTH_TIGHT)) {
        recorder->live->lost++;
        return false;
    }
    if (FTH_UNLIKELY(recorder->depth)) {
        if (!fth_is_inside(stack, &recorder->frames[recorder->depth - 1]))
            fth_drop_stale_frames(recorder, stack);
        if (recorder->depth == FTH_FRAMES) {
            recorder->live->lost++;
            recorder->live->deep++;
            return false;
        }
    }
    uint32_t around = recorder->context;
    uint64_t flags = ((around & context & FTH_CONTEXT_LAYERS) ? FTH_INSIDE_SAME_LAYER : 0) |
                     (around >> 28 & (FTH_INSIDE_FILE_CALL | FTH_INSIDE_UNBUFFERED_CALL));
    draft->recorder = recorder;
    draft->stack = stack;
    draft->context = around;
    draft->head = function | (uint64_t)recorder->depth << 16 | flags << 24;
    draft->values = fth_values_at(recorder, recorder->depth);
    draft->count = 0;
    draft->predicted = -1;
    draft->cursor = NULL;
    draft->site = 0;
    draft->asked = draft->moved = 0;
    if (FTH_LIKELY(fth_wanted[function] != FTH_FOLLOWED)) {
        recorder->frames[recorder->depth++] =
            (struct fth_recorder_frame){stack, fth_returns_to(stack), around};
        recorder->context = around | context;
    }
    recorder->busy =
        /* what comes before the real function takes locks: a signal handler must not come to them
         * again */
        stack;
    return true;
}

#endif
