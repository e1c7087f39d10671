/* A test mode: with FATHOM_REFERENCE=FOLDER every recorded call is also written down in full,
 * before anything of it is predicted, named by number or packed. tests/e2e/reference compares that
 * with the trace, call by call. Inner header of the capture room.
 *
 * A stream's file there is IMAGE.N.reference. Its lines, up to the first zero byte:
 *
 *     t NUMBER HEX       a string or a list: calls from here on mean these bytes by the number
 *     c THREAD TID FUNCTION DEPTH FLAGS BEGIN END ASKED VALUE...
 *                        a call, in order of exit, in ticks; a note of the tracer itself begins at
 *                        0. ASKED: the bytes that it asked for, or the
 *                        position that a seek reached. Values are those of the draft, positions as
 *                        the program passed them. */
#ifndef FTH_CAPTURE_RECORD_REFERENCE_H
#define FTH_CAPTURE_RECORD_REFERENCE_H

#include "capture/record/runtime.h"

extern bool fth_reference_is_kept;
/* Calls shorter than this are left out while a reference is kept: fth_least_ticks sends all calls
 * the rare way then. */
extern uint64_t fth_reference_least_ticks;

/* After the filters have been read. */
void fth_reference_start(void);

void fth_reference_text(struct fth_recorder *recorder, int64_t number, const void *bytes,
                        size_t length);
/* The call is about to be recorded, which changes the draft; and: it was, or it was lost and does
 * not count. */
void fth_reference_call(const struct fth_draft *draft);
void fth_reference_settle(struct fth_recorder *recorder, bool recorded);

struct fth_stream;
/* The stream comes to its end in this process. */
void fth_reference_close(struct fth_stream *stream);

#endif
