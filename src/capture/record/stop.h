/* Recording stops, and all recorders of this process with it. Inner header of the capture room. */
#ifndef FTH_CAPTURE_RECORD_STOP_H
#define FTH_CAPTURE_RECORD_STOP_H

#include "capture/record/runtime.h"
#include "interpose/own/own_memory.h"

/* All that were made, linked by next_made, and those that no thread has; under this lock. */
extern struct fth_lock fth_recorders_lock;
extern struct fth_recorder *fth_recorders;

/* Recording stops here, because of `error` (an errno); the program goes on. No recorder finds room
 * from now on. */
void fth_recording_stops(int error);

/* What went wrong ends the recording, unless it will pass; returns false. */
bool fth_recording_fails(int error);
/* The same where there is no memory: behind a filter of system calls none is asked for, and
 * recording has ended. */
bool fth_recording_lacks_memory(void);

#endif
