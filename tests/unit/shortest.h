/* For tests that draw cases from seeds. A case is drawn step by step, so that fewer steps of the
 * same seed are the beginning of the same case: of one that fails the shortest beginning that fails
 * is what a reader wants to see. */
#ifndef FTH_TEST_SHORTEST_H
#define FTH_TEST_SHORTEST_H

#include <stdbool.h>
#include <stdint.h>

typedef bool fth_test_holds(uint32_t seed, uint32_t steps);

/* A case of `most` steps fails: the least number of steps with which it does. */
static inline uint32_t shortest_that_fails(fth_test_holds *holds, uint32_t seed, uint32_t most)
{
    uint32_t steps = 1;
    while (steps < most && holds(seed, steps))
        steps++;
    return steps;
}

#endif
