/* Waits for descriptors: who finds one ready (poll, select, epoll) may know what another process
 * did before it made it so, also if no byte is read. Event loops wait often, so the calls are not
 * recorded unless they are asked for. That something was ready is, once for each call. */
#include "capture/wrap/readiness.h"

#include "calls.h"
#include "capture/life/begin.h"

/* Inside a call of a library it is its own matter. */
void fth_found_ready(int count)
{
    struct fth_draft call;
    struct fth_recorder *recorder = fth_self;
    if (count <= 0 || !fth_wanted[FTH_CALL_descriptors_ready] || (recorder && recorder->depth) ||
        !fth_begin_at(&call, FTH_CALL_descriptors_ready, FTH_CONTEXT_descriptors_ready,
                      (uintptr_t)__builtin_frame_address(0)))
        return;
    fth_start(&call);
    fth_end(&call);
    fth_keep(&call, count);
    fth_commit(&call);
}
