/* Filters of system calls (seccomp) that a program sets up: ours would end it, too. */
#ifndef FTH_INTERPOSE_OWN_SANDBOX_H
#define FTH_INTERPOSE_OWN_SANDBOX_H

#include <stdbool.h>

/* The user has stepped aside: it makes no system calls any more, and its wrappers do nothing. */
extern bool fth_aside;
/* A filter of system calls has been set up: a call that is not needed is not made. */
extern bool fth_is_filtered;
/* Around the program's calls. */
void fth_before_prctl(int option, unsigned long argument);
void fth_after_prctl(int option, bool worked);
void fth_before_seccomp(unsigned operation);
void fth_after_seccomp(unsigned operation, bool worked);
/* Has one been set up by a system call that nobody saw? Asked before a rare one of ours is made. */
bool fth_finds_filter(void);
/* Was there one when the program began? To be asked after fth_finds_filter. */
bool fth_begins_filtered(void);

#endif
