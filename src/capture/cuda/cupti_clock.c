/* CUPTI's clock against that of the process. */
#include "capture/cuda/cuda.h"
#include "capture/record/runtime.h"

struct fth_cupti fth_cupti; /* found by attach_cuda.c */

struct pair {
    uint64_t ticks, ns;
};
static struct pair first, last;

/* The instant of CUPTI's answer is the middle of asking for it; of a few tries, the shortest. */
bool fth_cuda_clock_note(void)
{
    enum { TRIES = 4 };
    uint64_t shortest = UINT64_MAX;
    struct pair best = {0};
    for (int i = 0; i < TRIES; i++) {
        uint64_t ns = 0, start = fth_ticks();
        if (fth_cupti.cuptiGetTimestamp(&ns) != 0 || !ns)
            return false;
        uint64_t took = fth_ticks() - start;
        if (took < shortest)
            best = (struct pair){start + took / 2, ns};
        if (took < shortest)
            shortest = took;
    }
    if (!first.ns)
        first = best;
    if (best.ns > last.ns)
        last = best;
    return true;
}

uint64_t fth_cuda_ticks(uint64_t ns)
{
    if (last.ns <= first.ns || last.ticks <= first.ticks)
        return first.ticks;
    __int128 from_first = (__int128)ns - first.ns;
    __int128 ticks = first.ticks + from_first * (last.ticks - first.ticks) / (last.ns - first.ns);
    return ticks < 0 ? 0 : ticks > INT64_MAX ? INT64_MAX : (uint64_t)ticks;
}
