/* What the generated wrappers of every library that is bound need. */
#ifndef FTH_CAPTURE_WRAP_WRAP_BOUND_H
#define FTH_CAPTURE_WRAP_WRAP_BOUND_H

#include "capture/follow/library_handles.h"
#include "capture/life/begin.h"
#include "capture/wrap/streams.h"
#include "interpose/reach/bind.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FTH_HERE (-100) /* AT_FDCWD */

/* The library's functions for Fortran are about to call the wrapper of this function. */
static inline void fth_from_fortran(uint32_t function)
{
    struct fth_recorder *recorder = fth_self;
    if (!recorder)
        recorder = fth_begin_rarely((uintptr_t)__builtin_frame_address(0));
    if (recorder && fth_wanted[function])
        recorder->from_fortran = true;
}

/* Did they? */
static inline void fth_take_language(struct fth_draft *draft)
{
    if (FTH_LIKELY(!draft->recorder->from_fortran))
        return;
    draft->recorder->from_fortran = false;
    draft->head |= (uint64_t)FTH_FROM_FORTRAN << 24;
}

/* Generated with the wrappers. */
extern const struct fth_bound_call fth_bound_calls[];
extern const unsigned fth_bound_call_count;
extern const char fth_bound_prefix[]; /* that the names of all functions have */
extern const char fth_bound_symbol[]; /* a function that the library defines itself */
extern const char fth_bound_stem[];
extern const char *const fth_bound_words_of_fortran[]; /* struct fth_bound_fortran */
extern const bool
    fth_bound_itself; /* are the library's references to its own functions bound, too? */
/* Functions of the library that wrappers ask, and where they find them; ends with a NULL name. */
struct fth_asked {
    const char *name;
    void **function;
};
extern const struct fth_asked fth_bound_asked[];

/* Binds the wrappers to the library (bound/attach_wrappers.c). */
bool fth_attach_wrappers(void *library);

#endif
