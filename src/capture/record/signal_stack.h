/* Stacks of signal handlers may be as small as the system allows (sigaltstack): what is left beside
 * the frame of the signal may do for a call, but not for recording it. Inner header of the capture
 * room. */
#ifndef FTH_CAPTURE_RECORD_SIGNAL_STACK_H
#define FTH_CAPTURE_RECORD_SIGNAL_STACK_H

#include "capture/record/runtime.h"

/* Asks the system which one this thread has now. */
void fth_signal_stack_known(struct fth_recorder *recorder);
/* Is the frame on such a stack, near its end? For threads without a recorder, which may not have
 * been asked for. Counts the call as lost. */
bool fth_is_tight(uintptr_t frame);

#endif
