/* The functions of libc that have wrappers. */
#ifndef FTH_INTERPOSE_REACH_REALS_H
#define FTH_INTERPOSE_REACH_REALS_H

#include "interpose/interpose.h"

/* What a wrapper of libc calls; ends the program with a message when there is none. */
void *fth_real(const char *name) FTH_PUBLIC;
/* Looks for all of them, now. */
void fth_find_reals(void);

#endif
