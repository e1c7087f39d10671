/* Open regions of threads (<fathom/mark.h>, open_regions.c). Inner header of the capture room. */
#ifndef FTH_CAPTURE_WRAP_OPEN_REGIONS_H
#define FTH_CAPTURE_WRAP_OPEN_REGIONS_H

#include "capture/record/runtime.h"

/* The thread, or the program, ends: its regions are recorded. */
void fth_regions_end_all(struct fth_recorder *recorder);
/* A longjmp goes to a function with this stack pointer: regions of functions that it leaves have
 * ended. */
void fth_regions_left(struct fth_recorder *recorder, uintptr_t stack);

/* A function is a region of its own, entered and left; the name must stay. `stack`: the frame of
 * what the function calls for that. */
void fth_region_enter(const void *function, const char *name, uintptr_t stack) FTH_PUBLIC;
void fth_region_leave(const void *function, uintptr_t stack) FTH_PUBLIC;

#endif
