/* Threads that are started inside a recorded call. Inner header of the capture room. */
#ifndef FTH_CAPTURE_THREADS_H
#define FTH_CAPTURE_THREADS_H

#include "capture/runtime.h"

/* The number of the start that this thread is of; 0: of none. */
uint32_t fth_start_of_thread(void);
/* In a forked child: its only thread begins anew. */
void fth_threads_in_child(void);
/* Notes that a thread is started inside the call that is open, or else that the thread of the
 * recorder, which has recorded nothing yet, is of that start (recorder.c). */
void fth_record_start(struct fth_recorder *recorder, bool is_made, uint32_t number);
/* Our pthread_create or thrd_create, for wrappers that stand before it; NULL: it is another
 * function. */
void *fth_maker_of_threads(const char *name);

#endif
