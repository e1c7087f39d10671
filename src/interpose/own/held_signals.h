/* Signals that wait while something of ours must not be interrupted. */
#ifndef FTH_INTERPOSE_OWN_HELD_SIGNALS_H
#define FTH_INTERPOSE_OWN_HELD_SIGNALS_H

#include "interpose/interpose.h"

/* Signals of this thread wait from here on, until they may go again: work that a handler must not
 * jump out of. Hand what the first returns to the second. */
uint64_t fth_signals_wait(void) FTH_PUBLIC;
void fth_signals_go(uint64_t before) FTH_PUBLIC;

#endif
