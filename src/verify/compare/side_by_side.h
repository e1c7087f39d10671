/* Work that several threads share. Inner header of the verify room. */
#ifndef FTH_VERIFY_COMPARE_SIDE_BY_SIDE_H
#define FTH_VERIFY_COMPARE_SIDE_BY_SIDE_H

/* How many threads are meant: 0 is one for each processor. */
unsigned fth_thread_count(unsigned asked);
/* Calls `work` in so many threads, of which the caller's is one, and waits for all of them.
 * `thread`: 0, 1 ... There may be fewer, if the system has no more. */
void fth_side_by_side(unsigned threads, void (*work)(void *context, unsigned thread),
                      void *context);

#endif
