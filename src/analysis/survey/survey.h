/* A survey: goes once through the calls of all selected processes, and hands each of them to every
 * pass when it and all that happened inside of it are known. Of the selection only processes and
 * --where count: a call is looked at if the expression holds for it, or for a call around it.
 *
 * Calls come to a pass with those around them, and with sums of what was below. Paths are numbers:
 * of a process while its calls are gone through, of the run when it is merged. What comes again is
 * not given again: calls of one signature, in calls of the same ones, on the same file, differ in
 * their times, numbers of bytes and places only, and passes get them as one frame with their sums
 * (sites.h), unless a pass wants each of them. Processes are gone through by several threads at
 * once; they are merged one at a time, in order of their numbers, so that the outcome does not
 * depend on who was faster.
 *
 * Memory: what passes keep, the paths, and the calls that are open. It does not grow with calls. */
#ifndef FTH_ANALYSIS_SURVEY_H
#define FTH_ANALYSIS_SURVEY_H

#include "analysis/extents/access_sizes.h"
#include "analysis/extents/offset_classes.h"
#include "analysis/select/select.h"
#include "analysis/survey/thresholds.h"
#include "analysis/calls/call_classes.h"
#include "base/indexed.h"
#include "base/progress.h"
#include "model/calls/again.h"
#include "table/finding.h"
#include "table/table.h"

#include <fathom/access.h>
#include <fathom/files.h>

#define FTH_NO_FILE UINT32_MAX

/* Data calls of one direction. */
struct fth_moved {
    uint64_t calls, bytes;
    int64_t time; /* ns */
    uint64_t first,
        behind; /* bytes of the file from the first to the one behind the last; equal: not known */
};

/* A call, or several that are alike. What is of text or of handles was turned into numbers: it
 * outlives the call. */
struct fth_frame {
    const struct fth_frame *around; /* NULL: none. Passes ask fth_frame_around */
    bool left_out;                  /* by --where: passes are not given it */
    const struct fth_function *function;
    const struct fth_call_class *class;
    enum fth_activity activity;
    bool device; /* something that a device did meanwhile: no time of a thread */
    size_t proc;
    uint32_t thread, depth;
    /* of several: of the longest, of the first and of the last */
    uint64_t number, first_number, last_number;
    struct { /* ns */
        int64_t start, end;
        int64_t inside;      /* ns of calls directly inside of it */
        int64_t messages;    /* ns of calls inside of it that pass messages */
        int64_t began, last; /* of several: when the first and the last began */
        int64_t all, own;    /* ns of these calls; and without those directly inside of them */
        /* of accesses in a row (`each`): ns of the first, and when those behind it were. Those are
         * so far apart in memory, and so are the numbers of the calls */
        int64_t first;
        const struct fth_again_time *behind;
        uint32_t apart;
    } times;
    struct {             /* that it is about */
        uint32_t number; /* that it is about, of the process; FTH_NO_FILE */
        uint32_t other;  /* a second one: of rename where to, of a copy the other end */
        uint32_t about;  /* of a call that is no I/O, and asks how I/O on this file stands */
        /* where the path that its handle was opened by led through symbolic links, if that was
         * noted, which comes behind the opening; FTH_NO_FILE: to `number` */
        uint32_t behind_links;
        uint32_t other_behind; /* the same of `other`, of a copy */
        int64_t other_first;   /* of a copy, the byte that it begins at there; -1: not known */
        bool to_others;        /* a pipe, a socket, a terminal (fth_handle_meets_others) */
        bool object;       /* about something in the file (a dataset), not the file as a whole */
        unsigned access;   /* of the handle that it is about: FTH_ACCESS_... */
        unsigned creation; /* how that was opened: enum fth_creation_flag */
        bool synced;       /* what is written through that handle is synced at once (O_SYNC) */
        bool direct;       /* what is accessed through that handle avoids the cache (O_DIRECT) */
        uint64_t handle;   /* number of that handle in its process, or FTH_NO_CALL */
        uint64_t servers;  /* that its file is in stripes over; 0: not known, or none */
        /* that its file wants to be accessed in: stripe, or block of a file system of the
         * network; 0: not known, or it does not matter */
        uint64_t block;
    } file;
    bool failed, collective, reads, writes;
    bool copies;          /* what it reads it also writes, and the other way round */
    int64_t error_number; /* of one that failed, as fth_call.error_number; else 0 */
    const char *error_name;
    bool locks;       /* asks for a lock of the file; if it failed, it was refused */
    bool unlocks;     /* gives one up */
    bool only_starts; /* of a sync: others finish it (fth_sync_only_starts) */
    /* of a call that a group makes, or on a file that it opened: 0: no group; -1: of unknown
     * size */
    int64_t group_size;
    struct {             /* of a data call; else 0 */
        uint64_t bytes;  /* moved (asked for while it is not known) */
        uint64_t asked;  /* requested, of each of several; 0: not known */
        uint64_t mapped; /* of a map that it makes safe */
        /* of its ranges: how many, and from where to where; 0 where they are not known. Of more
         * than FTH_MANY_RANGES, where they are is not looked at, and their bytes say how many
         * there are if the rest is like the first of them */
        uint64_t ranges, first, behind;
        bool unplaced; /* it moved bytes, and nobody knows where in the file these are */
        bool appends;  /* it wrote to the end of the file, wherever that was */
        /* of each range, and from one to the next (0 of a single one); length 0: they differ, or
         * are not known. Of several calls, those of the first */
        uint64_t length, stride;
        /* its bytes were accessed through a file view of MPI that is not contiguous, or with such a
         * datatype */
        bool through_view;
        /* Data calls on the system's files inside of it at any depth: [0] reads, [1] writes. */
        struct fth_moved below[2];
        int64_t step;   /* and how many bytes each is behind the one before */
        uint64_t alike; /* those that became one data call of the system with as many bytes */
        struct fth_speed best; /* of large ones */
    } data;
    /* I/O that a library does for itself: inside a call that is neither I/O nor the completion of
     * it (MPI_Init) */
    bool of_library;
    /* of what sets something up: hash of what it is made of, the same where all its arguments are;
     * else 0 */
    uint64_t made_of;
    /* When it is over: how many calls it stands for. Of several, `number`, `start` and `end` are
     * those of the longest (of equals the first), `inside`, `messages`, `bytes`, `mapped`, `ranges`
     * and `below` those of all of them, `first` and `behind` of any. */
    uint64_t calls;
    /* One of several operations that a call starts at once (lio_listio): the call and its time
     * come by themselves, so here are 0 calls in no time. `each` gets it as 1 call. */
    bool is_part;
};
enum { FTH_MANY_RANGES = 1 << 12 };

/* The call around it, if that is looked at, too; NULL: none. */
static inline const struct fth_frame *fth_frame_around(const struct fth_frame *frame)
{
    return frame->around && !frame->around->left_out ? frame->around : NULL;
}
/* Is it about something that several processes may share? */
static inline bool fth_frame_has_group(const struct fth_frame *frame)
{
    return frame->group_size > 1 || frame->group_size < 0;
}
/* Does it sync whatever was written to any file (sync)? */
static inline bool fth_frame_syncs_all(const struct fth_frame *frame)
{
    return frame->class->kind == FTH_CALLS_SYNC && !frame->function->parameter_count;
}
/* The outermost call of I/O that this one is inside of, itself if there is none. */
const struct fth_frame *fth_frame_asked(const struct fth_frame *frame);
/* The innermost call of I/O around this one, on another layer; NULL: none. */
const struct fth_frame *fth_frame_above(const struct fth_frame *frame);

/* A file of the run. */
struct fth_survey_file {
    const char *path;
    const char *host; /* whose file it is, where nodes have files of their own; else NULL */
    bool placed;      /* `place` is known */
    struct fth_file place;
    bool noise; /* of the system, of libraries, of the launcher */
};

/* How long the threads of a process were there, as far as that was recorded: from the first call of
 * each to the end of its last one; the one that made the first call of all as long as the
 * process. Threads that a call of MPI started and that do no work there were as long as their
 * calls: what they wait for is nobody's time. */
/* Rows of time that passed outside of recorded calls of processes that were only watched then. */
#define FTH_TIME_NOT_KNOWN "not known (only watched)"

struct fth_survey_lifetime {
    size_t threads;        /* that made recorded calls; rows of devices are none */
    size_t threads_of_mpi; /* beside these: of the MPI library, without work */
    int64_t time;          /* ns, of all of them */
    bool cut;              /* calls are missing from some moment on: only what was before counts */
    size_t unended; /* processes that were killed, or whose end is missing: nothing counts behind
                       their last calls */
};

struct fth_run_files; /* run_files.h */

struct fth_survey {
    struct fth_trace *trace;
    const struct fth_selection *selection;
    const struct fth_thresholds *thresholds;
    const struct fth_call_classes *classes;
    size_t file_count; /* of those processes that were merged */
    const struct fth_survey_file *files;
    size_t process_count, rank_count;            /* that are selected */
    const struct fth_survey_lifetime *lifetimes; /* by processes: of those that were gone through */
    struct fth_survey_lifetime lifetime;         /* of all of them, when passes finish */
    int64_t whole;                               /* ns that these processes lasted, added up */
    int64_t working; /* without what MPI took to start and to end: what shares of findings are of */
};

/* What became of the bytes of a file that were moved on the system. */
struct fth_fate {
    bool exact;          /* else the rest is 0 */
    uint64_t read_again; /* bytes, as struct fth_reuse_counts has them (passes/reuse.h) */
    bool may_be_cut;     /* after it was written: `read_back` is not known, and 0 */
    uint64_t read_back, written_again, passed_on;
    uint64_t covered, never_read; /* bytes of the file: written; and not read since */
};

/* Files that had hints of `fathom tune --live`. */
struct fth_tuned {
    size_t files;
    const char *function; /* whose calls say which; NULL: there are none */
};

/* What the critical path cannot know. */
struct fth_path_limits {
    int64_t length; /* ns of the path; 0: nobody asked for one */
    /* why waits of threads for one another are not known: what to record with, or "not part of a
     * log of strace"; NULL: they are recorded */
    const char *lacks_threads;
    int64_t unseen_waits; /* ns that its threads are taken to have waited in calls not recorded */
    int64_t unstarted; /* ns of it between the creation of threads and their first recorded calls */
};

/* What passes hand on, also to those behind them. */
struct fth_results {
    struct fth_survey_lifetime
        lifetime;         /* of all threads: what shares of the table of times are of */
    int64_t whole;        /* ns that all processes lasted; 0 beside `lifetime`: not asked */
    int64_t in_calls;     /* ns that threads spent in calls, each moment once; 0: not asked */
    int64_t path;         /* ns of the critical path, if the first table is its; else 0 */
    const char *imported; /* beside these: what the trace was imported from; NULL: recorded */
    struct fth_path_limits path_limits;
    const char *no_path; /* why there is none; NULL: there is one, or nobody asked for it */
    bool only_findings;  /* are asked for: tables with rows for each file stay empty */
    size_t table_count;
    struct fth_table **tables;
    struct fth_findings findings;
    struct fth_ledger *ledger; /* what findings are held against; NULL: nobody entered calls */
    double mpi_share; /* percent of `whole` that MPI took to start and to end (working.h) */
    /* of bool, by files of the run in which the same is opened again and again: that of what is set
     * up finds them */
    struct fth_indexed reopened;
    /* of struct fth_fate, by files of the run: that of patterns finds them */
    struct fth_indexed fates;
    struct fth_file_maps *file_maps;   /* passes/file_maps.h; NULL: not asked for */
    struct fth_offset_classes offsets; /* by function; none: not asked for */
    struct fth_tuned tuned;
};
/* One with rows for each file. */
struct fth_table *fth_results_table_of_files(const struct fth_results *results,
                                             const struct fth_shape *shape);
void fth_results_add(struct fth_results *results,
                     struct fth_table *table); /* which is theirs from now on */
/* Sets the shares of findings: of what `working` is of `whole`. */
void fth_results_share(struct fth_results *results, int64_t whole, int64_t working);
/* Holds findings against the calls that they are about: none claims more than these took. */
void fth_results_settle(struct fth_results *results, int64_t working,
                        const struct fth_thresholds *thresholds);
void fth_results_free(struct fth_results *results);

/* Frames about one file, each of several calls as `each` gets them, that took turns: the first call
 * of each, then the second of each ... Those in front may have one more. */
struct fth_frames_in_turn {
    uint32_t count, apart;
    struct fth_frame_in_turn {
        const struct fth_frame *first, *all; /* the first call by itself, and all of them */
        const struct fth_again_time *times;  /* `apart` behind one another */
    } frames[FTH_MOST_ROUND];
};
/* Call number `i` of it, as `each` would get it. */
struct fth_frame fth_frame_of_turn(const struct fth_frame_in_turn *frame, uint32_t apart,
                                   uint64_t i);

/* A pass: one file in passes/, and this table in it. State of the run and of processes is whatever
 * it likes; none is NULL. */
struct fth_pass {
    const char *name;
    void *(*begin)(const struct fth_survey *survey);
    void *(*open)(void *run, size_t proc);
    /* One call, or several that are alike. They come later than they were, but before any that is
     * unlike those of its signature: calls that open, close, name, delete, wait, begin or end
     * something come one by one (but see `rounds`). Of a call and those inside of it the inner ones
     * come first. NULL: `each` is enough. */
    void (*call)(void *process, const struct fth_frame *frame);
    /* No more calls. files[n] is the file of the run that is `n` in frames of this process. Frees
     * `process`. */
    void (*merge)(void *run, void *process, const uint32_t *files);
    /* Tables and findings; frees `run`. */
    void (*finish)(void *run, struct fth_results *results);
    /* Each data call on a file, and each that synchronizes one or all (sync: no file), that did
     * not fail, in order; it and all that is inside of it is known. What moves bytes between two
     * files is given once more as what it does to the second one, in no time. Several in a row
     * that nothing came between, with nothing inside of them, on a file that is not in stripes,
     * come as one frame: `bytes`, `ranges`, `first` and `behind` are those of the first, and the
     * others are as many bytes, `step` behind one another; `number`, `start` and `end` are those
     * of the longest, `time` and `own` of all. NULL: it wants no order. */
    void (*each)(void *process, const struct fth_frame *frame);
    /* The table of what it keeps of files, by their numbers, which is empty yet: what is in it of a
     * file is fetched from memory while calls about other files are gone through. NULL: it has
     * none. */
    struct fth_indexed *(*by_file)(void *process);
    /* All processes are merged, and it may go through some of them once more, on its own
     * (call_walk.h). Returns false and sets *error. NULL: once is enough. */
    bool (*again)(void *run, struct fth_run_files *files, struct fth_error **error);
    /* Frames that took turns on one file, as if `each` got their calls one by one. NULL: order does
     * not matter to it, and `each` gets these frames one after the other. */
    void (*turns)(void *process, const struct fth_frames_in_turn *turns);
    /* Rounds of calls come that open files and close them again, of which `count` is a round: may
     * `call` have those of each place of the round as one, one place after the other, behind what
     * `each` gets of them? Else they come one by one. NULL: they do. */
    bool (*rounds)(const void *process, const struct fth_frame *frames, uint32_t count);
};
/* For passes that may have all of them so: nothing that they keep of calls that open and close, of
 * those that move data, and of others, depends on how these follow one another. */
bool fth_pass_takes_rounds(const void *process, const struct fth_frame *frames, uint32_t count);
/* Call number `i` of a frame of several that `call` gets of such rounds. */
struct fth_frame fth_frame_of_round(const struct fth_frame *all, uint64_t i);

/* Calls that come again: one; or several, in no call and with none inside of them, whose sites take
 * turns. Call number i is of sites[i % period]. */
struct fth_calls_again {
    uint32_t count, period;
    const uint32_t *sites;
    const uint64_t *bytes; /* that a call of each site moves */
    const struct fth_again_time *times;
    const struct fth_rounds *opening; /* rounds of calls that do not come again by themselves, as
                                       * they open files, start messages ...; NULL: no such ones */
};

/* How a call may come again. */
enum fth_keeping {
    FTH_KEEP_NOT,       /* only call by call */
    FTH_KEEP_IN_ROUNDS, /* in rounds that are the same in all but times (fth_calls_again.opening) */
    FTH_KEEP,
};

/* Who wants the calls themselves, beside passes: of each process in order of entry, before what is
 * inside of them. */
struct fth_listener {
    void *context;
    void *(*open)(void *context,
                  size_t proc); /* by the thread that goes through its calls; never NULL */
    /* Returns false and sets *error: the survey ends. */
    bool (*call)(void *process, const struct fth_call *call, struct fth_error **error);
    /* The call that came last may come again, as this site, in the same calls and on the same file:
     * is it enough to know when, and how many bytes each moved? */
    enum fth_keeping (*keep)(void *process, uint32_t site);
    void (*again)(void *process, const struct fth_calls_again *calls);
    /* No more calls; one process at a time, in order of their numbers. Frees `process`. */
    void (*close)(void *context, void *process);
    /* This call comes next: what is known of its file may be fetched from memory. NULL: nothing
     * is. */
    void (*expect)(void *process, const struct fth_call *call);
    /* The calls come from these, until it is given NULL. NULL: it asks for none. */
    void (*follow)(void *process, struct fth_accesses *accesses);
    /* Ended with the call that came last, or was never closed, behind the last one. Those of rounds
     * that open files are like the handles of the last round of these that came call by call, and
     * are not given. NULL: it does not ask. */
    void (*ended)(void *process, const struct fth_handle *handle);
    /* The last `period` calls were a round, and those before them were the same: is it enough to
     * know when such rounds come? Each of the calls was asked for with `keep`. NULL: it is. */
    bool (*rounds)(void *process, uint32_t period);
};

/* threads 0: one for each processor. listener may be NULL. Returns false and sets *error. */
bool fth_analysis_survey(struct fth_trace *trace, const struct fth_selection *selection,
                         const struct fth_thresholds *thresholds,
                         const struct fth_pass *const *passes, size_t pass_count,
                         const struct fth_listener *listener, unsigned threads,
                         struct fth_progress *progress, struct fth_results *results,
                         struct fth_error **error);

#endif
