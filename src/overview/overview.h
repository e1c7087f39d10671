/* A run in little, for pictures of it: what each thread did in each of so many equal parts of the
 * time (bins), layer by layer, and the longest calls of each function and process as they were.
 *
 * Who draws it adds bins up: two neighbours are one bin of twice the length, so a picture of any
 * part of the run costs as much as it has pixels. Nothing is left out of bins, whatever its length:
 * what is shorter than a bin is in its sums.
 *
 * Bins are a power of two of nanoseconds long, so that those of any part of the run, at any depth,
 * are made of one another.
 *
 * Memory: bins with something in them, and FTH_OVERVIEW_CALLS calls at most. It does not grow with
 * calls. */
#ifndef FTH_OVERVIEW_OVERVIEW_H
#define FTH_OVERVIEW_OVERVIEW_H

#include "analysis/survey/survey.h"
#include "base/value_class.h"

enum {
    FTH_OVERVIEW_CALLS = 100000, /* of the run that are kept as they were */
    FTH_OVERVIEW_BINS = 8192,    /* of the run, at most; a power of two */
    /* the same where only what is looked at is handed on */
    FTH_OVERVIEW_FINE_BINS = 1 << 17,
    FTH_OVERVIEW_LEAST_BINS = 64,
    FTH_OVERVIEW_PARTS = 256,     /* of the run, in which the tree of calls is divided, at most */
    FTH_OVERVIEW_NODES = 1 << 16, /* of that tree, at most */
    FTH_OVERVIEW_PHASES = 20,     /* of the run: equal parts, each with a window of all its calls */
};
#define FTH_OVERVIEW_ROOT UINT32_MAX

/* Calls of one layer of one thread in one bin. Time and bytes of a call inside another one of the
 * same layer are part of that. */
struct fth_overview_bin {
    int64_t busy;           /* ns of the bin in these calls, what happened inside included */
    uint64_t calls;         /* that began in it */
    int64_t longest;        /* ns: the longest of those that began in it, beyond its end, too */
    uint64_t read, written; /* bytes; of a long call evenly over its time */
};

/* A layer of a thread. */
struct fth_overview_lane {
    uint32_t row;   /* of the overview */
    uint16_t layer; /* index in fth_call_classes.layers */
    size_t count;   /* of bins with something in them, in order of time */
    struct fth_overview_place {
        uint32_t number; /* of the bin */
        struct fth_overview_bin bin;
    } * places;
};

/* A function in the calls around it. Times are those of whole calls, what they call included. */
struct fth_overview_node {
    uint32_t parent;   /* a node before this one; FTH_OVERVIEW_ROOT: in no call */
    uint32_t function; /* of the trace */
    uint32_t source;   /* line that calls it, in `sources`, plus 1; 0: none, or not known */
    uint64_t failed;
    size_t part_count;                /* of those with something in them, in order of time */
    struct fth_overview_place *parts; /* bytes are those of its own calls */
    size_t share_count;
    struct fth_overview_share { /* by process */
        uint32_t proc;
        uint64_t calls;
        int64_t time; /* ns */
    } * shares;
};

/* Of a function: how many calls are in each of FTH_VALUE_CLASSES classes (base/value_class.h).
 * NULL: none. */
struct fth_overview_histogram {
    uint64_t *durations; /* ns */
    uint64_t *sizes;     /* bytes moved by data calls, where they are known */
};

struct fth_overview_call {
    int64_t start, end; /* ns since the start of the run */
    uint64_t number;    /* within its thread */
    uint64_t bytes;     /* moved; 0: none, or not known */
    uint32_t row;
    uint32_t function; /* of the trace */
    uint32_t file;     /* of the overview; FTH_NO_FILE */
    uint32_t source;   /* likewise plus 1; 0: none, or not known; not of parts */
    uint32_t rank;     /* how many calls of its function are longer, of those that are kept;
                          UINT32_MAX: it is kept for another reason */
    uint16_t depth;
    bool failed;
    bool evidence; /* of a finding */
};

struct fth_overview {
    struct fth_trace *trace;
    struct fth_call_classes *classes;
    int64_t begin, end; /* ns since the start of the run: what bins divide */
    int64_t origin;     /* of the run that it is a part of: its begin */
    int64_t bin_width;  /* ns; a power of two */
    uint32_t bin_count; /* of a run a power of two; the last ones may lie behind its end */
    size_t row_count;   /* threads of selected processes, by process */
    struct fth_overview_row {
        uint32_t proc, thread;
    } * rows;
    size_t lane_count; /* by row, then by layer */
    struct fth_overview_lane *lanes;
    size_t call_count; /* by row, then in order of entry */
    struct fth_overview_call *calls;
    bool all_calls; /* these are all there are */
    size_t window_count;
    struct fth_overview_span { /* ns since the start of the run; all calls in it are there */
        int64_t begin, end;
    } windows[FTH_OVERVIEW_PHASES];
    int64_t part_width; /* ns: of the parts of nodes, which begin with the bins */
    uint32_t part_count;
    size_t node_count; /* a parent before its children */
    struct fth_overview_node *nodes;
    size_t histogram_count; /* by function */
    const struct fth_overview_histogram *histograms;
    /* by layer, then by part: classes of ns of the calls that began in it; NULL: none */
    uint64_t *const *latencies;
    size_t file_count;
    const char **files; /* paths that these calls are about; they live as long as the overview */
    size_t source_count;
    const char **sources; /* lines of source that make calls, likewise */

    struct fth_overview_gathering *gathering;
};

/* Of at most so many bins, a power of two. *listener is for the survey that fills it, of the same
 * trace and selection, which outlive it. */
struct fth_overview *fth_overview_new(struct fth_trace *trace,
                                      const struct fth_selection *selection, uint32_t most_bins,
                                      struct fth_listener *listener);
/* When the survey is over. */
void fth_overview_finish(struct fth_overview *overview);
void fth_overview_free(struct fth_overview *overview);

/* ---- calls for a page of limited size ---- */

/* Adds the evidence of findings, and one window for each phase, if there are calls that are not
 * here; the calls get their ranks. 0, or -1 with *error set. */
int fth_overview_add_exact(struct fth_overview *overview, const struct fth_findings *findings,
                           struct fth_error **error);
/* *chosen is the overview with fewer calls: the evidence, so many of each function, and windows
 * that are halved so many times. It needs the overview, and fth_overview_chosen_free. */
void fth_overview_choose(const struct fth_overview *overview, uint32_t each, unsigned halvings,
                         struct fth_overview *chosen);
void fth_overview_chosen_free(struct fth_overview *chosen);

/* ---- parts of a run ---- */

/* So many bins of this width from `begin` on. */
struct fth_overview_window {
    int64_t begin, width;
    uint32_t bin_count;
    const bool *rows; /* by row of the run: whether it is wanted; NULL: all of them */
};
/* The part is made of the bins of `whole`, without calls: its bins begin where bins of `whole` do,
 * and are as wide as 1, 2, 4 ... of them. `whole` must outlive it. */
struct fth_overview *fth_overview_cut(const struct fth_overview *whole,
                                      const struct fth_overview_window *window);
/* Are its bins made of bins of `whole`? */
bool fth_overview_covers(const struct fth_overview *whole,
                         const struct fth_overview_window *window);
/* The whole in wider bins, at most so many, with its calls, tree and histograms. `whole` must
 * outlive it. */
struct fth_overview *fth_overview_coarse(const struct fth_overview *whole, uint32_t most_bins);

/* How long a reading may go on. */
struct fth_overview_limit {
    uint64_t calls;                 /* of all processes that may be read */
    size_t kept;                    /* that may be kept */
    bool (*is_over)(void *context); /* asked now and then: nobody waits for it any more */
    void *context;
};
/* The part as the calls of the trace say: processes are sought in, and read from there to the end
 * of the window. NULL: nobody waits for it, or it has more calls than that (*error stays NULL); or
 * *error is set. Rows of one process come together. `whole` must outlive it; several threads may
 * ask at once. */
struct fth_overview *fth_overview_read(const struct fth_overview *whole,
                                       const struct fth_overview_window *window,
                                       const struct fth_overview_limit *limit,
                                       struct fth_error **error);

#endif
