/* What the generated wrappers of liburing need: its types, as far as they are passed on. Its header
 * is not needed to build. */
#ifndef FTH_CAPTURE_WRAP_WRAP_URING_H
#define FTH_CAPTURE_WRAP_WRAP_URING_H

#include "capture/wrap/wrap_bound.h"

#include "capture/wrap/by_number.h"
#include "capture/wrap/queues.h"

/* A failure is minus an error number; errno says nothing. `result` is that of the generated
 * wrapper. */
#undef FTH_FAILED_UNREPORTED
#define FTH_FAILED_UNREPORTED (FTH_FAILED + (int64_t)(uint16_t)(-(int64_t)(result)))

/* What was prepared is about to be handed over; something may have come back. */
#define fth_before_io_uring_submit(ring, ...) fth_uring_before(ring)
#define fth_after_io_uring_submit(result, ring, ...) fth_uring_after(ring)
#define fth_before_io_uring_submit_and_wait(ring, ...) fth_uring_before(ring)
#define fth_after_io_uring_submit_and_wait(result, ring, ...) fth_uring_after(ring)
#define fth_before_io_uring_submit_and_wait_timeout(ring, ...) fth_uring_before(ring)
#define fth_after_io_uring_submit_and_wait_timeout(result, ring, ...) fth_uring_after(ring)
#define fth_before_io_uring_submit_and_get_events(ring, ...) fth_uring_before(ring)
#define fth_after_io_uring_submit_and_get_events(result, ring, ...) fth_uring_after(ring)
#define fth_before___io_uring_get_cqe(ring, ...) fth_uring_before(ring)
#define fth_after___io_uring_get_cqe(result, ring, ...) fth_uring_after(ring)
#define fth_before_io_uring_wait_cqes(ring, ...) fth_uring_before(ring)
#define fth_after_io_uring_wait_cqes(result, ring, ...) fth_uring_after(ring)
#define fth_before_io_uring_wait_cqe_timeout(ring, ...) fth_uring_before(ring)
#define fth_after_io_uring_wait_cqe_timeout(result, ring, ...) fth_uring_after(ring)
#define fth_before_io_uring_peek_batch_cqe(ring, ...) fth_uring_before(ring)
#define fth_after_io_uring_peek_batch_cqe(result, ring, ...) fth_uring_after(ring)
#define fth_before_io_uring_get_events(ring, ...) fth_uring_before(ring)
#define fth_after_io_uring_get_events(result, ring, ...) fth_uring_after(ring)

#define fth_before_io_uring_queue_init(...) fth_queue_of_library(true)
#define fth_after_io_uring_queue_init(result, entries, ring, flags) fth_uring_up(result, ring)
#define fth_before_io_uring_queue_init_params(...) fth_queue_of_library(true)
#define fth_after_io_uring_queue_init_params(result, entries, ring, params)                        \
    fth_uring_up(result, ring)
static inline void fth_uring_up(int result, const void *ring)
{
    fth_queue_of_library(false);
    if (result >= 0)
        fth_uring_begins(ring);
}

#define fth_before_io_uring_queue_exit(ring) fth_uring_ends(ring)
#define fth_after_io_uring_queue_exit(ring)

#define fth_before_io_uring_register_files(...)
#define fth_after_io_uring_register_files(result, ring, files, nr_files)                           \
    fth_uring_files(ring, (result) >= 0 ? (files) : NULL, nr_files)
#define fth_before_io_uring_unregister_files(...)
#define fth_after_io_uring_unregister_files(result, ring) fth_uring_files(ring, NULL, 0)

#endif
