/* Stacks of what is preloaded. */
#ifndef FTH_INTERPOSE_OWN_STACK_H
#define FTH_INTERPOSE_OWN_STACK_H

#include "interpose/interpose.h"

/* Does this work, which neither jumps away nor asks where it stands, on a stack of 16 KiB, while
 * signals wait; where none can be had, or we are on one, it is done here. All of that takes some
 * 100 bytes of the stack that we are on. */
void fth_on_own_stack(void (*work)(void *), void *argument);

/* The upper end of such a stack; NULL: there is no memory. */
char *fth_stack_take(void);
void fth_stack_give(char *top);

#endif
