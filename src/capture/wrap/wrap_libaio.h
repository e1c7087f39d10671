/* What the generated wrappers of libaio need: its types, as far as they are passed on. Its header
 * is not needed to build. */
#ifndef FTH_CAPTURE_WRAP_WRAP_LIBAIO_H
#define FTH_CAPTURE_WRAP_WRAP_LIBAIO_H

#include "capture/wrap/wrap_bound.h"

#include "capture/wrap/by_number.h"
#include "capture/wrap/queues.h"

typedef struct io_context *io_context_t;

/* A failure is minus an error number; errno says nothing. `result` is that of the generated
 * wrapper. */
#undef FTH_FAILED_UNREPORTED
#define FTH_FAILED_UNREPORTED (FTH_FAILED + (int64_t)(uint16_t)(-(int64_t)(result)))

#define fth_before_io_submit(...) fth_queue_of_library(true)
#define fth_after_io_submit(result, ctx, nr, ios) fth_aio_after(result, ios)
static inline void fth_aio_after(int result, const void *blocks)
{
    fth_queue_of_library(false);
    fth_aio_submitted(blocks, result);
}

#define fth_before_io_getevents(...)
#define fth_after_io_getevents(result, ctx, min_nr, nr, events, timeout)                           \
    fth_aio_returned(events, result)
#define fth_before_io_pgetevents(...)
#define fth_after_io_pgetevents(result, ctx, min_nr, nr, events, timeout, sigmask)                 \
    fth_aio_returned(events, result)
#define fth_before_io_cancel(...)
#define fth_after_io_cancel(result, ctx, iocb, evt) fth_aio_returned(evt, (result) == 0)

#endif
