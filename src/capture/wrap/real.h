/* The real functions behind wrappers that are written by hand, each looked for once. Inner
 * header. */
#ifndef FTH_CAPTURE_WRAP_REAL_H
#define FTH_CAPTURE_WRAP_REAL_H

#include "calls.h"
#include "interpose/reach/reals.h"

static inline void *fth_find_real(void **known, const char *name)
{
    void *function = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (FTH_UNLIKELY(!function)) {
        function = fth_real(name);
        __atomic_store_n(known, function, __ATOMIC_RELAXED);
    }
    return function;
}
/* `real_NAME` is a static pointer of the file. */
#define REAL(name) ((__typeof__(&name))fth_find_real(&real_##name, #name))
#define FRAME ((uintptr_t)__builtin_frame_address(0))

/* The result of a call that fails with a negative one, which is its last value. */
static inline void fth_keep_status(struct fth_draft *call, int64_t result)
{
    fth_keep(call, result < 0 ? fth_failure(call) : result);
    fth_commit(call);
}

#endif
