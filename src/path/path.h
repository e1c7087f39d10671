/* Where a run waits, and what its end depends on: wait states, imbalance, and the critical path
 * through calls and messages.
 *
 * All calls are gone through once. Of each thread stay its events (entries and exits of calls that
 * order threads, src/order/order.h), and what the time between two of them went to: which functions
 * on which files, and computing. Memory grows with these, not with other calls.
 *
 * A call waited if what it waited for (the other side of a message, the last of those that come to
 * a collective call) began after it did. The *critical path* is followed backwards from the end of
 * the last process: through the calls of a thread to one that waited, then on in the thread that it
 * waited for. Nothing that is not on it could have made the run shorter.
 *
 * Times of processes on different nodes have errors (fth_process.clock_error): waits shorter than
 * those are not counted. */
#ifndef FTH_PATH_PATH_H
#define FTH_PATH_PATH_H

#include "analysis/survey/message_list.h"
#include "analysis/survey/survey.h"
#include "base/progress.h"
#include "table/table.h"

enum fth_wait {
    FTH_WAIT_LATE_SENDER, /* a receive that began before the send */
    /* the same, while a message that this sender sent before was not received yet */
    FTH_WAIT_WRONG_ORDER,
    FTH_WAIT_LATE_RECEIVER,  /* a send that could not end before the receive began */
    FTH_WAIT_BARRIER,        /* the last one to come */
    FTH_WAIT_NXN,            /* the same, where all give and all get */
    FTH_WAIT_EARLY_REDUCE,   /* a root that waits for the others */
    FTH_WAIT_LATE_BROADCAST, /* others that wait for the root */
    FTH_WAIT_SCAN,           /* ranks that wait for lower ones */
    FTH_WAIT_COLLECTIVE_IO,  /* the last one to come to a collective call on a file */
    FTH_WAIT_WRITER,         /* in one, all have come: until those are done that reach the file */
    FTH_WAIT_COLLECTIVE,     /* other collective calls: that make communicators ... */
    FTH_WAIT_START,          /* in MPI_Init */
    FTH_WAIT_END,            /* in MPI_Finalize */
    FTH_WAIT_ONE_SIDED,      /* for the other side of an epoch of a window */
    FTH_WAIT_LOCK,           /* of a file, or between threads */
    /* for somebody to write, or to read; this kind and those below are how programs work together,
     * no loss */
    FTH_WAIT_PIPE,
    FTH_WAIT_THREAD, /* for another thread: its end, a signal */
    FTH_WAIT_CHILD,  /* for the end of a process */
    FTH_WAIT_OTHER,
    FTH_WAITS,
};
/* "late_sender", "Late sender" */
const char *fth_wait_name(enum fth_wait wait);
const char *fth_wait_title(enum fth_wait wait);

struct fth_path;

/* The listener is for fth_analysis_survey, which brings the calls: of whose processes it does not,
 * nothing is known. The selection, which may be a narrower one, says which processes' waits are
 * reported, and where the path begins. `trace` and `selection` must outlive the path. Never
 * NULL. */
struct fth_path *fth_path_new(struct fth_trace *trace, const struct fth_selection *selection,
                              struct fth_listener *listener);
/* Before the survey: find out, too, how long the run would be without the calls for which this
 * holds (FTH_PATH_WHAT_IF). It must outlive the path, and may not ask for accesses. */
void fth_path_choose(struct fth_path *path, const struct fth_expression *where);
/* Before the survey: list the messages, and other calls that belong
 * together. `list` is empty, and must outlive the path. */
void fth_path_list_messages(struct fth_path *path, struct fth_message_list *list);
/* Before fth_path_find: how often a rank must come last, and how much of the waits it must cause,
 * to be a straggler (0 to 1; default: that of the threshold `straggles`). */
void fth_path_straggles_from(struct fth_path *path, double share);
/* Before fth_path_find: findings will be asked for, and so many threads may look for them (0: as
 * many as there are processors). The outcome is the same for any number. */
void fth_path_expect_findings(struct fth_path *path, unsigned threads);
/* When all calls have been. Returns false and sets *error; all below may only be asked if it does
 * not. */
bool fth_path_find(struct fth_path *path, struct fth_error **error);
void fth_path_close(struct fth_path *path); /* NULL is allowed */

/* ---- tables; the caller frees them; docs/fathom-path.1.md has their columns ---- */

enum fth_path_table {
    FTH_PATH_LAYERS,  /* the critical path by layer ... */
    FTH_PATH_WHAT_IF, /* how long the run would be without the longest of what is on it */
    FTH_PATH_FUNCTIONS,
    FTH_PATH_FILES,
    FTH_PATH_RANKS,
    FTH_PATH_WAITS,     /* kind function rank: how often, how long */
    FTH_PATH_CAUSES,    /* kind rank: waits of others that it caused */
    FTH_PATH_IMBALANCE, /* functions and computing: time over the ranks */
    FTH_PATH_INTERVALS, /* the run in equal pieces: what time went to */
    FTH_PATH_PARTS,     /* the critical path from thread to thread */
    FTH_PATH_MESSAGES,  /* who sent whom how much, and how fast */
    FTH_PATH_TABLES,
};
struct fth_table *fth_path_table(const struct fth_path *path, enum fth_path_table which);

/* What is worth acting on: of what the processes lasted `worth` (0 to 1) or more. */
void fth_path_findings(const struct fth_path *path, double worth, struct fth_findings *findings);
/* Of these the one about writes to a pipe, which a run of one thread may have, too. */
void fth_path_find_written_pipe(const struct fth_path *path, struct fth_findings *findings);
/* Sets the gain of findings about calls that can be distinguished from others: what the run would
 * be shorter if, of the time of each of these calls, the share were gone that the severity is of
 * the time of all of them. O(findings x events). */
void fth_path_bound(const struct fth_path *path, struct fth_findings *findings);
/* Sets the shares of gains: of the length of the run without what MPI took to start and to end. */
void fth_path_weigh(const struct fth_path *path, struct fth_findings *findings);
/* All tables, and the findings, with their shares. */
void fth_path_results(const struct fth_path *path, double worth, struct fth_results *results);

/* ---- figures ---- */

struct fth_path_sums {
    /* ns of the critical path: the run, from the first begin of a selected process to the last end
     * of one */
    int64_t length;
    int64_t waiting; /* ns over all selected processes */
    int64_t whole;   /* ns that these lasted */
    int64_t working; /* and without what MPI took to start and to end (analysis/survey/working.h) */
    int64_t program; /* ns of the critical path without that */
    /* Collective calls to which ranks come at different times: */
    uint64_t instances;      /* with two members or more */
    uint64_t late_instances; /* at which somebody waited */
    int64_t late;            /* ns waited for the last one to come */
    int64_t late_compute;    /* of that: as it computed longer than who waited */
    int64_t late_io;         /* and as it did more I/O */
    /* of how much less one computed than the last, and how long one waited: -1 to 1, of so many
     * waits */
    double correlation;
    uint64_t correlated;
    int64_t straggler; /* the process that was the last again and again; -1: none */
    /* in so many of the instances, as it had more to do since they met before */
    uint64_t straggler_last;
    int64_t straggler_caused; /* ns waited for it there for that reason */
    /* waits between nodes are left out: nobody knows how their clocks differ */
    bool clocks_unknown;
    /* ns that threads are taken to have waited in calls that were not recorded (poll ...) */
    int64_t unseen;
    /* ns of the path between the creation of threads and their first recorded calls, in which it
     * stays with who made them */
    int64_t unstarted;
};
struct fth_path_sums fth_path_sums(const struct fth_path *path);

/* ---- what if ---- */

/* Time that went to one function. */
struct fth_path_work {
    const struct fth_function *function; /* NULL: computing */
    /* the outermost call of I/O around it, itself if there is none; NULL: no I/O */
    const struct fth_function *asked;
    const char *file; /* or NULL */
    bool io;          /* I/O, or inside such a call: no poll, no wait for a lock */
    bool chosen;      /* of a call for which fth_path_choose's expression holds, or inside one */
    bool starts_mpi;  /* it starts MPI, or ends it, or is inside such a call: in no finding */
};

struct fth_path_change {
    /* If not NULL: is this time gone? */
    bool (*gone)(void *context, const struct fth_path_work *work);
    void *context;
    double kept;    /* 0 to 1: of the time that is gone this share stays after all */
    unsigned waits; /* 1 << enum fth_wait: these are gone */
    /* where it is not known whether a thread computed or waited for a write, it waited */
    bool waits_unseen;
    bool balanced;    /* those that meet in a collective call have computed equally long before */
    bool balanced_io; /* and have done I/O equally long */
};
/* How long the run would be (ns, as fth_path_sums.length) if that were gone: all else takes as long
 * as it did and waits for what it waited for. A bound: no change of that kind makes the run shorter
 * than this, but for what happens to share a file system less. O(events). */
int64_t fth_path_without(const struct fth_path *path, const struct fth_path_change *change);

#endif
