/* Inner header: what an overview is made with, from calls that come one after the other. */
#ifndef FTH_OVERVIEW_GATHERING_H
#define FTH_OVERVIEW_GATHERING_H

#include "base/intern.h"
#include "overview/lane_bins.h"
#include "overview/histograms.h"
#include "overview/latencies.h"
#include "overview/profile.h"

struct fth_overview_gathering {
    struct fth_overview_axis axis, parts;
    struct fth_overview_profile profile;
    struct fth_overview_histograms histograms;
    struct fth_overview_latencies latencies;
    size_t most_calls; /* that are kept */
    /* rows, classes, tree of calls and histograms are those of the whole, or not there */
    bool is_part;
    const struct fth_expression *expression; /* of --where; NULL: none */
    size_t *first_rows;                      /* by process, and one behind the last */
    size_t processes;                        /* that are selected */
    struct fth_intern files;
};

/* As a listener of a survey (struct fth_listener) has them: of one process, whose calls come in
 * order of entry. `overview` is a struct fth_overview. */
void *fth_overview_begin_process(void *overview, size_t proc);
bool fth_overview_take(void *process, const struct fth_call *call, struct fth_error **error);
void fth_overview_end_process(void *overview, void *process);

/* As many bins as there is room for if all threads are busy on some layers all the time; a power of
 * two, at most so many. */
uint32_t fth_overview_bins_for(size_t rows, uint32_t most);

#endif
