/* The budget of the recording: what all processes of a node may leave in the spill folder together
 * (--budget). Inner header of the capture room. */
#ifndef FTH_CAPTURE_PROCESS_BUDGET_H
#define FTH_CAPTURE_PROCESS_BUDGET_H

#include "interpose/interpose.h"

/* Of this recording, from the settings. */
void fth_budget_start(void);
/* So many bytes more are taken. False: they are not to be had. */
bool fth_budget_take(uint64_t bytes) FTH_PUBLIC;
/* What was taken is not used after all. */
void fth_budget_give(uint64_t bytes);
/* Could so much be taken? */
bool fth_budget_has(uint64_t bytes);
/* Are so many eighths of it used? From six on calls are added up; the rest is for processes,
 * streams and sums. */
bool fth_budget_is_short(unsigned eighths);

#endif
