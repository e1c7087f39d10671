/* What programs hand to the system in queues: operations of io_uring and libaio that begin and end
 * as calls of their own. Inner header of the capture room.
 *
 * All functions take what the program gave to a function of the library: that has just read it, or
 * is about to. They need no lock of the library; they may be called by several threads. */
#ifndef FTH_CAPTURE_WRAP_QUEUES_H
#define FTH_CAPTURE_WRAP_QUEUES_H

#include "capture/record/runtime.h"

/* An operation of the system that reads, writes or flushes a file. */
enum fth_queue_kind { FTH_QUEUE_READS, FTH_QUEUE_WRITES, FTH_QUEUE_SYNCS };
struct fth_queued {
    enum fth_queue_kind kind;
    int descriptor;
    int64_t offset, bytes;
    bool data_only; /* of a flush */
};

/* It has been handed over, or is about to be. False: it is not recorded. */
bool fth_queue_begins(const struct fth_queued *operation);
/* It is over; `result`: bytes moved, or minus an error number. */
void fth_queue_ends(const struct fth_queued *operation, int64_t result);

/* ---- liburing (queues_uring.c) ---- */

/* The ring is up, with these flags. */
void fth_uring_begins(const void *ring) FTH_PUBLIC;
void fth_uring_ends(const void *ring) FTH_PUBLIC;
/* Before and after a call of the library: what was prepared is about to be handed over; something
 * may have come back. */
void fth_uring_before(const void *ring) FTH_PUBLIC;
void fth_uring_after(const void *ring) FTH_PUBLIC;
/* Numbers of `files` stand for these descriptors in the ring. NULL: for none. */
void fth_uring_files(const void *ring, const int *files, unsigned count) FTH_PUBLIC;

/* In a forked child: locks that other threads held are free. */
void fth_uring_in_child(void);

/* ---- libaio (queues_aio.c) ---- */

/* The first `count` control blocks were handed over. */
void fth_aio_submitted(const void *blocks, long count) FTH_PUBLIC;
/* So many events came back. */
void fth_aio_returned(const void *events, long count) FTH_PUBLIC;

#endif
