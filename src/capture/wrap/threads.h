/* Threads that are started inside a recorded call. Inner header of the capture room. */
#ifndef FTH_CAPTURE_WRAP_THREADS_H
#define FTH_CAPTURE_WRAP_THREADS_H

#include "capture/record/runtime.h"

/* The number of the start that this thread is of; 0: of none. */
uint32_t fth_start_of_thread(void);
/* In a forked child: its only thread begins anew. */
void fth_threads_in_child(void);
/* Our pthread_create or thrd_create, for wrappers that stand before it; NULL: it is another
 * function. */
void *fth_maker_of_threads(const char *name);

#endif
