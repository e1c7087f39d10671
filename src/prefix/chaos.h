/* Waits at random, to test programs: what happens at one time comes in many orders. */
#ifndef FTH_PREFIX_CHAOS_H
#define FTH_PREFIX_CHAOS_H

/* Before anything is done with a file of ours, where the instance has a seed for it. Each process
 * has delays of its own, and longer ones for its first accesses. */
void fth_prefix_wait_at_random(void);

#endif
