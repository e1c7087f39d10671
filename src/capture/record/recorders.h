/* Recorders of threads. Inner header of the capture room. */
#ifndef FTH_CAPTURE_RECORD_RECORDERS_H
#define FTH_CAPTURE_RECORD_RECORDERS_H

#include "capture/record/runtime.h"

/* A recorder for this thread, with a stream; NULL when recording is not possible (said in the
 * process file). */
struct fth_recorder *fth_recorder_take(void);
/* The same for calls that are no thread's, reported after they were over: those of a device. The
 * first one begins not before `begin`. */
struct fth_recorder *fth_recorder_take_for(int64_t tid, uint64_t begin) FTH_PUBLIC;
/* A recorder for this thread that keeps nothing: its calls are counted for the process
 * (unkept_calls.h). NULL: there is no memory. */
struct fth_recorder *fth_recorder_take_nowhere(void);
/* The thread ends: its calls are sealed, the recorder is kept for another thread. */
void fth_recorder_release(struct fth_recorder *recorder);
/* Its thread has ended, and it is not handed on. */
void fth_recorder_drop(struct fth_recorder *recorder);
/* No recorder of this recording is used again; threads get others with the next one. True: none of
 * them was in the middle of its work. */
bool fth_recorders_retire(void);
/* Makes a retired recorder of this thread one of the recording that goes on now. False: that
 * failed, and it is retired as before. */
bool fth_recorder_renew(struct fth_recorder *recorder);
/* In a forked child: drops what belongs to the parent. */
void fth_recorder_drop_inherited(struct fth_recorder *recorder);

#endif
