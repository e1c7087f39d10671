/* Situations that are alike: whatever is asked of one of them and a third one, of another process,
 * the answer is the same for the other. A process that goes from one synchronization to the next
 * has few different ones in between. Inner header of the verify room. */
#ifndef FTH_VERIFY_JUDGE_ALIKE_H
#define FTH_VERIFY_JUDGE_ALIKE_H

#include "verify/gather/run_accesses.h"
#include "verify/judge/carriers.h"

struct fth_alike {
    uint32_t *of; /* by situation: the number of those that are like it, from 0 on */
    uint32_t count;
};

/* The order of the runs is settled, and the carriers are whole. O(situations x log). */
struct fth_alike fth_alike_find(const struct fth_runs *runs,
                                const struct fth_run_accesses *accesses,
                                const struct fth_carriers *carriers);
/* Those that two judges, who know different orders, hold for alike. */
struct fth_alike fth_alike_of_both(const struct fth_alike *one, const struct fth_alike *other,
                                   size_t situation_count);
void fth_alike_free(struct fth_alike *alike);

#endif
