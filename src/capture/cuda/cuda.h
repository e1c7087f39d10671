/* The parts of the recording of CUDA, for one another. */
#ifndef FTH_CAPTURE_CUDA_CUDA_H
#define FTH_CAPTURE_CUDA_CUDA_H

#include "capture/cuda/cupti_abi.h"

#include <stdbool.h>

extern struct fth_cupti fth_cupti;

/* ---- times (cupti_clock.c) ---- */

/* Notes what both clocks say now. False: CUPTI does not say. */
bool fth_cuda_clock_note(void);
/* A time of CUPTI in ticks of the process, by the line through the first note and the last. */
uint64_t fth_cuda_ticks(uint64_t ns);

/* ---- activities (activities.c) ---- */

/* The records of a buffer become calls. One thread at a time. */
void fth_cuda_take(uint8_t *buffer, size_t size, size_t used);

#endif
