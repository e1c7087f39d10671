/* All calls of one window in each phase, which is one of equal parts of the run. The window begins
 * with the phase, and ends where a process has made its share of calls. A call that goes on behind
 * its phase is kept in any case, as it is in the window of the next one. */
#include "overview/gathering.h"

#include "base/memory.h"

enum {
    MOST_CALLS = 4096, /* of a window, shared among processes, each of which has */
    LEAST_CALLS = 4,
};

static int64_t phase_begin(const struct fth_overview *overview, uint32_t phase)
{
    int64_t length = overview->end - overview->begin;
    return overview->begin + length / FTH_OVERVIEW_PHASES * phase +
           length % FTH_OVERVIEW_PHASES * phase / FTH_OVERVIEW_PHASES;
}

void fth_overview_begin_windows(struct fth_overview_windows *windows,
                                const struct fth_overview *overview, size_t processes)
{
    windows->room = MOST_CALLS / (processes ? processes : 1);
    if (windows->room < LEAST_CALLS)
        windows->room = LEAST_CALLS;
    for (uint32_t phase = 0; phase < FTH_OVERVIEW_PHASES; phase++) {
        windows->begins[phase] = phase_begin(overview, phase);
        windows->ends[phase] = phase_begin(overview, phase + 1);
    }
}

void fth_overview_put_in_window(struct fth_overview_windows *windows,
                                const struct fth_overview_call *call)
{
    while (windows->phase + 1 < FTH_OVERVIEW_PHASES &&
           call->start >= windows->begins[windows->phase + 1]) {
        windows->phase++;
        windows->taken = 0;
    }
    uint32_t phase = windows->phase;
    bool goes_on = phase + 1 < FTH_OVERVIEW_PHASES && call->end >= windows->begins[phase + 1];
    if (windows->taken == windows->room) {
        if (call->start < windows->ends[phase])
            windows->ends[phase] = call->start;
        if (!goes_on)
            return;
    } else {
        windows->taken++;
    }
    FTH_GROW(windows->calls, windows->count);
    windows->calls[windows->count++] = *call;
}

void fth_overview_merge_windows(struct fth_overview_windows *into,
                                const struct fth_overview_windows *from)
{
    for (uint32_t phase = 0; phase < FTH_OVERVIEW_PHASES; phase++)
        if (from->ends[phase] < into->ends[phase])
            into->ends[phase] = from->ends[phase];
    for (size_t i = 0; i < from->count; i++) {
        FTH_GROW(into->calls, into->count);
        into->calls[into->count++] = from->calls[i];
    }
}
