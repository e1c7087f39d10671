/* Inner header: what an overview is made with, from calls that come one after the other. */
#ifndef FTH_OVERVIEW_GATHERING_H
#define FTH_OVERVIEW_GATHERING_H

#include "base/intern.h"
#include "overview/lane_bins.h"
#include "overview/histograms.h"
#include "overview/latencies.h"
#include "overview/longest.h"
#include "overview/profile.h"

/* Calls of windows, one in each phase: of a process while its calls come, then of the run.
 * (phase_windows.c) */
struct fth_overview_windows {
    int64_t begins[FTH_OVERVIEW_PHASES], ends[FTH_OVERVIEW_PHASES];
    size_t room; /* calls of a phase, of each process; more of them if they go on behind it */
    size_t count;
    struct fth_overview_call *calls;
    uint32_t phase; /* of the last call */
    size_t taken;   /* in it */
};
void fth_overview_begin_windows(struct fth_overview_windows *windows,
                                const struct fth_overview *overview, size_t processes);
/* Calls come in order of entry. */
void fth_overview_put_in_window(struct fth_overview_windows *windows,
                                const struct fth_overview_call *call);
void fth_overview_merge_windows(struct fth_overview_windows *into,
                                const struct fth_overview_windows *from);

struct fth_overview_gathering {
    struct fth_overview_axis axis, parts;
    struct fth_overview_profile profile;
    struct fth_overview_histograms histograms;
    struct fth_overview_latencies latencies;
    struct fth_overview_windows windows; /* not of parts */
    size_t most_calls;                   /* that are kept; not of parts */
    struct fth_overview_longest longest; /* of parts: the calls of all processes */
    /* rows, classes, tree of calls and histograms are those of the whole, or not there */
    bool is_part;
    const struct fth_expression *expression; /* of --where; NULL: none */
    size_t *first_rows;                      /* by process, and one behind the last */
    size_t processes;                        /* that are selected */
    uint64_t calls;                          /* of these, as recorded; not of parts */
    struct fth_intern files, sources;
};

/* As a listener of a survey (struct fth_listener) has them: of one process, whose calls come in
 * order of entry. `overview` is a struct fth_overview. */
void *fth_overview_begin_process(void *overview, size_t proc);
bool fth_overview_take(void *process, const struct fth_call *call, struct fth_error **error);
void fth_overview_end_process(void *overview, void *process);

/* When the calls of a part have come. */
void fth_overview_finish_part(struct fth_overview *part);

/* The paths of its files, which may have become more. */
void fth_overview_list_files(struct fth_overview *overview);

/* As many bins as there is room for if all threads are busy on some layers all the time; a power of
 * two, at most so many. */
uint32_t fth_overview_bins_for(size_t rows, uint32_t most);

#endif
