/* Which consistency a run needs: its conflicts, the order between them, and what each model says of
 * it. */
#ifndef FTH_VERIFY_VERIFY_H
#define FTH_VERIFY_VERIFY_H

#include "base/error.h"
#include "base/progress.h"
#include "verify/gather/runs.h"
#include "verify/gather/series.h"
#include "verify/gather/verify_progress.h"
#include "consistency/language.h"

#include <fathom/trace.h>

struct fth_verify_options {
    struct fth_order_options order;
    unsigned threads; /* 0: one per processor */
    /* Two writes that are known to have written the same bytes to the same place are no
     * conflict. */
    bool equal_contents;
    /* a run that was over, by the clock, before another one began was before it if both access a
     * file: an assumption */
    bool order_by_files;
    struct fth_verify_progress *progress; /* or NULL */
};

enum fth_hazard {
    FTH_READ_AFTER_WRITE,
    FTH_WRITE_AFTER_WRITE,
    FTH_WRITE_AFTER_READ,
    FTH_READ_AND_WRITE, /* not ordered */
    FTH_WRITE_AND_WRITE,
    FTH_HAZARDS,
};
/* "read after write". */
const char *fth_hazard_text(enum fth_hazard hazard);

/* What a call takes out of a file; to others that is a write. */
enum fth_removal {
    FTH_REMOVES_NOTHING,
    FTH_REMOVES_REST,  /* it truncates the file */
    FTH_REMOVES_BYTES, /* it makes a hole */
    FTH_REMOVES_PLACE, /* it moves what is behind: fallocate(FALLOC_FL_COLLAPSE_RANGE) */
};

/* One of two calls of an example. */
struct fth_verdict_access {
    uint32_t proc, thread;
    uint64_t call;
    uint32_t chain; /* fth_verdict_chain */
    bool writes;
    enum fth_removal removes;
    bool perhaps_nothing; /* it opened the file: nobody saw whether that was there before */
    int64_t start, end;
};

/* Violations that are alike: same file, same chains of calls, same hazard. */
struct fth_verdict_group {
    const char *file;
    const char *renamed; /* the name that the file was renamed to in the run; or NULL */
    enum fth_hazard hazard;
    bool unsure; /* it is not known to be a violation: */
    /* something may order the two that cannot be followed; else of one of them it is not known
     * which bytes it accessed: they may be others */
    bool by_means;
    /* what that is, or why it is not known; NULL where nothing is to be said */
    const char *why_unsure;
    uint64_t pairs;
    struct fth_verdict_access first,
        second; /* of one such pair; `first` happened first, or, unordered, began first */
    uint64_t range_start, range_end; /* bytes that both access; FTH_ENDLESS: all from there on */
    /* none: one of them found the end of the file at range_start, which is range_end */
    bool finds_end;
    /* only one does: it reads them, and the other one makes the file longer and leaves them out, so
     * that they are zeros from then on */
    bool leaves_out;
    char *missing, *repair; /* sentences */
};

/* Calls that race for names and are alike: what they find depends on which comes first. */
struct fth_verdict_race {
    const char *name; /* absolute path, of the example */
    char *pattern;    /* the same, or with stars, what all of its names are like: "/d/part.*" */
    uint64_t names;
    bool listing;            /* of the folder: what it finds there */
    bool of_names, of_sizes; /* what a call finds that depends on which comes first, of any pair */
    uint64_t pairs;
    struct fth_verdict_access first,
        second; /* of one pair; `first` began first; `writes`: it changes names */
};

/* A file, and how often something was so with it. */
struct fth_verdict_file {
    const char *name;
    uint64_t times;
};

/* What the accesses of single processes lack on file systems that want more of those
 * (fth_consistency.alone). */
struct fth_verdict_alone {
    uint64_t violations, unsure; /* pairs */
    /* of all these. Two calls of one thread that are FTH_READ_AND_WRITE are in order, but are
     * counted with others that are the other way round, so which one came first is not known */
    uint64_t hazards[FTH_HAZARDS];
    uint64_t range_start, range_end; /* of an example: a violation, if there is one */
    bool finds_end;                  /* as in groups */
    bool is_unsure;                  /* it is none */
    bool of_library; /* an MPI library or a launcher makes it, on a file that it keeps for itself */
    uint32_t x, y;   /* its situations */
    uint64_t x_call, y_call;
    const char *file, *renamed; /* as in groups */
    struct fth_verdict_access first, second;
};

/* Calls at a file position that processes or threads share, while nothing orders these with a seek
 * of another one: which bytes of the file they access is chance. */
struct fth_verdict_position_race {
    const char *file;
    uint64_t times; /* accesses there */
    /* threads of one process: why the trace does not show how they wait for each other; NULL: it
     * does, or they are processes */
    const char *unrecorded;
    struct fth_verdict_access first, second; /* a seek and an access; `first` began first */
};

struct fth_verdict_model {
    const struct fth_consistency *model;
    struct fth_verdict_alone *alone; /* as many as the model has */
    /* same_process_pairs that are in order, by what they are, as in fth_verdict_alone */
    uint64_t same_process[FTH_HAZARDS];
    bool is_on_ladder; /* it is weaker than another one, or another one is weaker */
    size_t rung;       /* there: how many are stronger */
    /* of different processes, among the accesses that the model compares */
    uint64_t conflict_pairs;
    uint64_t hazards[FTH_HAZARDS];
    /* overlapping accesses of one process, at least one of them a write: ordered by nearly all file
     * systems */
    uint64_t same_process_pairs;
    uint64_t unordered_in_process; /* those of them that threads make with nothing in between */
    size_t thread_group_count;     /* of those, most pairs first: no violations, but races */
    struct fth_verdict_group *thread_groups;
    /* what orders threads was not recorded, of some of those: why (order/imported.h); else NULL */
    const char *unrecorded_threads;
    bool racing_threads; /* it was, and nothing orders some of those */
    bool racing_places;  /* there are fth_verdict.placed_files, and it compares such accesses */
    /* there are fth_verdict.position_races whose order is known, and it compares such accesses */
    bool racing_positions;
    uint64_t violations;
    /* pairs that would be violations if they have a byte in common, which is not known, or if what
     * may order them does not */
    uint64_t unsure;
    uint64_t by_means; /* those of them that something may order which cannot be followed */
    bool partly_seen;  /* accesses that the model compares may be missing: fth_verdict.unseen */
    bool has_accesses; /* of the layers that it compares: else there is nothing to verify */
    /* pairs of writes to the end that the model keeps apart, and that come in any order */
    uint64_t unordered_appends;
    uint64_t equal_pairs; /* not among the conflicts, as both wrote the same */
    size_t group_count;
    struct fth_verdict_group *groups; /* most pairs first */
};

/* What the models say of one file that several processes accessed. */
struct fth_verdict_by_file {
    const char *name, *renamed;            /* as in groups */
    bool racy;                             /* under the strongest model of the ladder */
    bool unknown;                          /* whether it is safe under that one */
    const struct fth_consistency *weakest; /* that is enough for it; NULL: none */
};

/* What a model says of the run, from the best to the worst. Safe is said only of a run that was
 * seen as a whole. */
enum fth_safety { FTH_SAFE, FTH_SAFE_AS_SEEN, FTH_SAFETY_UNKNOWN, FTH_RACY };

static inline enum fth_safety fth_verdict_safety(const struct fth_verdict_model *model)
{
    if (model->violations)
        return FTH_RACY;
    if (model->unsure || model->racing_threads || model->racing_places || model->racing_positions)
        return FTH_SAFETY_UNKNOWN;
    return model->partly_seen || model->unrecorded_threads ? FTH_SAFE_AS_SEEN : FTH_SAFE;
}

/* What was not seen of a run, and may have accessed files that are compared. */
struct fth_verdict_unseen {
    uint32_t run;
    char *text;           /* "./writer is a static program: it does not load the tracer" */
    bool of_library_only; /* what the library does to files below itself was seen */
    bool below_library;   /* nothing else was not */
};

/* Means by which processes may be ordered, though it cannot be followed how. */
struct fth_verdict_means {
    const char *text;
    uint64_t pairs; /* of the model that has most of them */
};

struct fth_verdict {
    size_t model_count;
    struct fth_verdict_model *models;
    /* on the ladder of `weaker than`, safe, perhaps only as far as was seen; NULL: none, or not
     * asked for */
    const struct fth_consistency *weakest;
    bool racy;       /* under the strongest model of the ladder */
    bool unknown;    /* whether it is safe under that one */
    bool no_program; /* nothing but launchers was recorded: there is nothing to judge */
    /* no model of the ladder has accesses, another one has: nothing is known of file systems */
    bool libraries_only;
    bool no_calls; /* nor is there where programs were, but none of their calls */
    size_t by_file_count;
    struct fth_verdict_by_file *by_file; /* by name */
    size_t single_count;
    struct fth_verdict_by_file *single; /* the same of files that one process accessed */
    size_t unseen_count;
    struct fth_verdict_unseen *unseen;
    size_t means_count;
    struct fth_verdict_means *means; /* most pairs first */
    bool collectives_synchronize;    /* all collective calls of MPI were taken for barriers */
    /* else: fewer pairs would be violations under the first model if they were, and some of them
     * are calls of MPI-IO */
    bool collectives_matter;
    uint64_t races; /* pairs of calls on names, of different processes, that nothing orders */
    size_t race_group_count;
    struct fth_verdict_race *race_groups; /* most pairs first */
    uint64_t accesses, files;             /* files: those of which data was accessed, or cut off */
    uint64_t shared_files;                /* that more than one process accessed */
    uint64_t contents; /* accesses of which it is known what they wrote, if that was asked for */
    /* of which it is not known which bytes they access: any of the file; to files that somebody
     * writes and another one uses */
    uint64_t unknown_accesses;
    const char *unknown_why; /* of the first one; or NULL */
    /* times that a file was mapped to be written: when what was done through memory is not seen */
    uint64_t mapped;
    size_t unknown_file_count, mapped_file_count; /* of those; most times first */
    struct fth_verdict_file *unknown_files, *mapped_files;
    struct fth_verdict_position_race *position_races;
    size_t position_race_count;
    /* files of which processes, or threads, share a position, and how often each came in no order
     * with others: no two of them access the same byte, but who accesses which one is chance */
    struct fth_verdict_file *turn_files;
    size_t turn_file_count;
    /* the same of threads that may be in order: why that is not recorded, and the files */
    const char *vague_turns;
    struct fth_verdict_file *vague_turn_files;
    size_t vague_turn_file_count;
    /* files of which somebody sought the end, in no order with who changed the size, and went on
     * there; and how often: in another run these accesses may be to the same bytes */
    struct fth_verdict_file *placed_files;
    size_t placed_file_count;
    /* the same where threads of one process do so whose order was not recorded: why */
    const char *unrecorded_places;
    int64_t reading_time, ordering_time, comparing_time; /* ns, what it took */
    const struct fth_runs *runs;                         /* for their findings */
    /* by run and finding: where that call is made, or NULL; NULL: of no call it is known */
    char ***finding_places;
    struct fth_verdict_inside *inside;
};

/* Verifies runs under each of the models. NULL: *error is set. `models` and `runs` must outlive the
 * verdict; runs are verified once. */
struct fth_verdict *fth_verify(struct fth_runs *runs, const struct fth_consistencies *models,
                               const struct fth_verify_options *options, struct fth_error **error);
void fth_verdict_free(struct fth_verdict *verdict);
/* Of one of the file systems that keep the model. */
enum fth_safety fth_verdict_of_system(const struct fth_verdict_model *model, const char *system);
/* Of the whole run, under the strongest model of the ladder, or the only one that was asked for.
 * Where there is nothing to judge it is not known. */
enum fth_safety fth_verdict_of_run(const struct fth_verdict *verdict);

/* The calls around an access, from the outermost one to itself: their functions, and where they are
 * made or NULL. Returns how many; at most `limit` are filled, the innermost ones. */
struct fth_verdict_link {
    const struct fth_function *function;
    const char *source;
};
size_t fth_verdict_chain(const struct fth_verdict *verdict, uint32_t chain,
                         struct fth_verdict_link *links, size_t limit);

#endif
