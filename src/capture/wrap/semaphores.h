/* Semaphores of POSIX. Inner header of the capture room. */
#ifndef FTH_CAPTURE_WRAP_SEMAPHORES_H
#define FTH_CAPTURE_WRAP_SEMAPHORES_H

/* Those that were found in memory may be others from now on. */
void fth_after_munmap(int result);
static inline void fth_before_munmap(void)
{
}

#endif
