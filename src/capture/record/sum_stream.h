/* Sums of a stream whose calls are not kept any more, as the budget of the recording is short. The
 * code that adds up is that of the merge (trace/merge/walk_call.h), so the sums are those that the
 * trace would have had. Inner header of the capture room. */
#ifndef FTH_CAPTURE_RECORD_SUM_STREAM_H
#define FTH_CAPTURE_RECORD_SUM_STREAM_H

#include "capture/record/stream.h"

enum { FTH_SUMMED_FIRST = 16 << 10 }; /* bytes of its file at first */

/* The file is there from here on, for who reads that calls are added up. False: it cannot be. */
bool fth_summed_open(struct fth_stream *stream);
/* Adds what the live area holds to the sums, for the commit that comes next: what has no commit in
 * the end does not count, and can be added again. False: that cannot be done now. */
bool fth_summed_add(struct fth_recorder *recorder);
/* The file is not needed here any more, or has moved. */
void fth_summed_close(struct fth_stream *stream);
/* In a forked child: no other thread is at it. */
void fth_summed_in_child(void);

#endif
