/* Which consistency a run needs: its conflicts, the order between them, and what each model says of it. */
#ifndef FTH_VERIFY_VERIFY_H
#define FTH_VERIFY_VERIFY_H

#include "base/error.h"
#include "base/progress.h"
#include "verify/runs.h"
#include "verify/series.h"
#include "verify/consistency.h"

#include <fathom/trace.h>

struct fth_verify_options {
    struct fth_order_options order;
    unsigned threads; /* 0: one per processor */
    /* Two writes that are known to have written the same bytes to the same place are no conflict. */
    bool equal_contents;
    bool
        order_by_files; /* a run that was over, by the clock, before another one began was before it if both access a file: an assumption */
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

/* One of two calls of an example. */
struct fth_verdict_access {
    uint32_t proc, thread;
    uint64_t call;
    uint32_t chain; /* fth_verdict_chain */
    bool writes;
    int64_t start, end;
};

/* Violations that are alike: same file, same chains of calls, same hazard. */
struct fth_verdict_group {
    const char *file;
    enum fth_hazard hazard;
    bool unsure; /* of one of the two it is not known which bytes it accessed: they may be others */
    uint64_t pairs;
    struct fth_verdict_access first,
        second; /* of one such pair; `first` happened first, or, unordered, began first */
    uint64_t range_start, range_end; /* bytes that both access; FTH_ENDLESS: all from there on */
    char *missing, *repair;          /* sentences */
};

/* Calls that race for names and are alike: what they find depends on which comes first. */
struct fth_verdict_race {
    const char *name; /* absolute path, of the example */
    char *pattern;    /* the same, or with stars, what all of its names are like: "/d/part.*" */
    uint64_t names;
    bool listing; /* of the folder: what it finds there */
    uint64_t pairs;
    struct fth_verdict_access first,
        second; /* of one pair; `first` began first; `writes`: it changes names */
};

/* A file, and how often something was so with it. */
struct fth_verdict_file {
    const char *name;
    uint64_t times;
};

struct fth_verdict_model {
    const struct fth_consistency *model;
    bool is_on_ladder; /* it is weaker than another one, or another one is weaker */
    uint64_t
        conflict_pairs; /* of different processes, among the accesses that the model compares */
    uint64_t hazards[FTH_HAZARDS];
    uint64_t
        same_process_pairs; /* overlapping accesses of one process, at least one of them a write: ordered by nearly all file systems */
    uint64_t unordered_in_process; /* those of them that threads make with nothing in between */
    size_t thread_group_count;     /* of those, most pairs first: no violations, but races */
    struct fth_verdict_group *thread_groups;
    bool unrecorded_threads; /* what orders threads was not recorded, of some of those */
    uint64_t violations;
    uint64_t
        unsure; /* pairs that would be violations if they have a byte in common, which is not known */
    uint64_t
        unordered_appends; /* pairs of writes to the end that the model keeps apart, and that come in any order */
    uint64_t equal_pairs; /* not among the conflicts, as both wrote the same */
    size_t group_count;
    struct fth_verdict_group *groups; /* most pairs first */
};

/* What a model says of the run. */
enum fth_safety { FTH_SAFE, FTH_SAFETY_UNKNOWN, FTH_RACY };

static inline enum fth_safety fth_verdict_safety(const struct fth_verdict_model *model)
{
    if (model->violations)
        return FTH_RACY;
    return model->unsure ? FTH_SAFETY_UNKNOWN : FTH_SAFE;
}

struct fth_verdict {
    size_t model_count;
    struct fth_verdict_model *models;
    const struct fth_consistency
        *weakest;    /* on the ladder of `weaker than`, safe; NULL: none, or not asked for */
    bool racy;       /* under the strongest model of the ladder */
    bool unknown;    /* whether it is safe under that one */
    bool no_program; /* nothing but launchers was recorded: there is nothing to judge */
    bool collectives_synchronize; /* all collective calls of MPI were taken for barriers */
    uint64_t races; /* pairs of calls on names, of different processes, that nothing orders */
    size_t race_group_count;
    struct fth_verdict_race *race_groups; /* most pairs first */
    uint64_t accesses, files;
    uint64_t shared_files; /* that more than one process accessed */
    uint64_t contents; /* accesses of which it is known what they wrote, if that was asked for */
    uint64_t
        unknown_accesses; /* of which it is not known which bytes they access: any of the file; to files that somebody writes and another one uses */
    const char *unknown_why; /* of the first one; or NULL */
    uint64_t
        mapped; /* times that a file was mapped to be written: when what was done through memory is not seen */
    size_t unknown_file_count, mapped_file_count; /* of those; most times first */
    struct fth_verdict_file *unknown_files, *mapped_files;
    int64_t reading_time, ordering_time, comparing_time; /* ns, what it took */
    const struct fth_runs *runs;                         /* for their findings */
    char ***
        finding_places; /* by run and finding: where that call is made, or NULL; NULL: of no call it is known */
    struct fth_verdict_inside *inside;
};

/* Verifies runs under each of the models. NULL: *error is set. `models` and `runs` must outlive the verdict; runs are verified once. */
struct fth_verdict *fth_verify(struct fth_runs *runs, const struct fth_consistencies *models,
                               const struct fth_verify_options *options, struct fth_error **error);
void fth_verdict_free(struct fth_verdict *verdict);

/* The calls around an access, from the outermost one to itself: their functions, and where they are made or NULL. Returns how many; at most `limit` are filled, the innermost
 * ones. */
struct fth_verdict_link {
    const struct fth_function *function;
    const char *source;
};
size_t fth_verdict_chain(const struct fth_verdict *verdict, uint32_t chain,
                         struct fth_verdict_link *links, size_t limit);

#endif
