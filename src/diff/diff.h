/* Two sides, A and B, of one run or several each: what differs between them, and whether that is
 * more than noise. All figures are those of the statistics (analysis/tables/stats_table.h) and of
 * the report; here they are only matched and compared.
 *
 * What a program does is the same in each run, so a number of calls or bytes that differs is a
 * difference. Times are not, nor is how often a process polls: these are judged by the spread of
 * the runs of a side. Of one run each it is not known: what differs by more than a limit (struct
 * fth_diff_settings) may differ, and no more is said.
 *
 * Lifetime: runs, and the traces that they were made of, outlive the comparison. */
#ifndef FTH_DIFF_DIFF_H
#define FTH_DIFF_DIFF_H

#include "analysis/survey/survey.h"
#include "analysis/tables/stats_table.h"
#include "diff/hints.h"
#include "diff/signatures.h"

/* ---- a run ---- */

/* A fact of the configuration: "command", "ls -l". */
struct fth_diff_fact {
    char *name, *value;
};

struct fth_diff_run {
    const char *path; /* of its trace */
    const struct fth_trace *trace;
    const struct fth_selection *selection;
    struct fth_stats *stats;
    struct fth_results results; /* of the passes of a report, and of fth_pass_unsteady */
    struct fth_diff_hints hints;
    struct fth_diff_signatures signatures;
    struct fth_incomplete incomplete;
    size_t fact_count;
    struct fth_diff_fact *facts;
    int64_t elapsed; /* ns that the run took */
    int64_t whole;   /* ns that its processes lasted, added up */
    size_t processes, ranks;
};
/* The rest of it, where the others down to `hints` are there. */
void fth_diff_describe(struct fth_diff_run *run);
void fth_diff_run_free(struct fth_diff_run *run);

/* ---- what is compared ---- */

/* Shares from 0 to 1. */
struct fth_diff_settings {
    double noise; /* of one run each: what differs by less of the larger value is noise */
    double least; /* what differs by less of the larger value is small */
    double level; /* of the test where there are several runs */
};
#define FTH_DIFF_SETTINGS                                                                          \
    {                                                                                              \
        .noise = 0.5, .least = 0.01, .level = 0.05                                                 \
    }

enum fth_diff_verdict {
    FTH_DIFF_SAME,
    FTH_DIFF_NOISE, /* or nobody can say whether it is */
    FTH_DIFF_SMALL,
    FTH_DIFF_MAYBE, /* it differs by much; there are too few runs to know whether that is noise */
    FTH_DIFF_DIFFERS,
};
#define FTH_DIFF_NO_TEST (-1.0)

/* A figure of both sides. */
struct fth_diff_value {
    int64_t a, b; /* medians */
    double p;     /* of the test of Mann and Whitney; FTH_DIFF_NO_TEST: none was made */
    enum fth_diff_verdict verdict;
    bool large; /* b and a are far enough apart to matter, if they are more than noise */
};

enum fth_diff_quantity {
    FTH_DIFF_CALLS,
    FTH_DIFF_READ,
    FTH_DIFF_WRITTEN,
    FTH_DIFF_TIME,
    FTH_DIFF_SHOWN, /* those before are shown */
    FTH_DIFF_OPENS = FTH_DIFF_SHOWN,
    FTH_DIFF_UNSTEADY,      /* of the calls: those whose number depends on timing */
    FTH_DIFF_UNSTEADY_READ, /* of the bytes: those whose number does */
    FTH_DIFF_UNSTEADY_WRITTEN,
    FTH_DIFF_QUANTITIES,
};

enum fth_diff_presence { FTH_DIFF_IN_BOTH, FTH_DIFF_NEW, FTH_DIFF_GONE, FTH_DIFF_RENAMED };

/* A layer, a function, a file, or a rank (or all processes of a program outside MPI). */
struct fth_diff_row {
    char *name;
    char *was;           /* the name of a renamed file in A; else NULL */
    const char *layer;   /* of a function */
    int64_t world, rank; /* FTH_NO_RANK: none */
    bool quiet;          /* a file that nobody asked for (analysis/select/noise.h) */
    bool temporary;      /* a file with letters in its name that nobody chose */
    uint32_t there[2];   /* in so many runs of each side */
    int64_t *figures;    /* by quantity, and run: first those of A */
    enum fth_diff_presence presence;
    struct fth_diff_value values[FTH_DIFF_SHOWN];
    bool differs; /* one of them, or its presence */
};

enum fth_diff_by {
    FTH_DIFF_LAYERS,
    FTH_DIFF_FUNCTIONS,
    FTH_DIFF_FILES,
    FTH_DIFF_RANKS,
    FTH_DIFF_PARTS
};
struct fth_diff_part {
    size_t count;
    struct fth_diff_row *rows; /* those that differ most first, if they differ at all */
    size_t differing, small;   /* rows */
};

struct fth_diff_finding {
    const struct fth_finding *finding;
    const struct fth_diff_run *run; /* that it is of */
    bool came;                      /* else it went */
};

struct fth_diff_setting {
    const char *name, *a, *b; /* NULL: it is not there */
};

/* A signature of one side alone, or of both with other numbers of calls or other sizes. */
struct fth_diff_call {
    const struct fth_diff_signature *signature; /* of A, if it has it */
    bool in[2];                                 /* A, B: in any run */
    uint64_t calls[2];                          /* of the first run that has it */
};

/* Do A and B make the same calls? */
struct fth_diff_calls {
    size_t only[2]; /* signatures that all runs of this side have, and none of the other */
    size_t both;
    size_t equal; /* of both: as often in a run of B as in one of A, with the same sizes */
    size_t count;
    struct fth_diff_call *list; /* those that are not equal */
};

struct fth_diff {
    const struct fth_diff_settings *settings;
    const struct fth_diff_run *runs; /* first those of A */
    size_t counts[2];
    struct fth_diff_value elapsed;
    struct fth_diff_part parts[FTH_DIFF_PARTS];
    struct fth_diff_calls calls;
    struct fth_keyed names; /* of char *: what a path of a signature is compared by */
    size_t finding_count;
    struct fth_diff_finding *findings;
    size_t setting_count;
    struct fth_diff_setting *configuration;
    bool tests;             /* there are enough runs for the test to find a difference */
    bool has_p;             /* a difference that is shown was found by the test */
    bool differs;           /* anything does; not: may differ */
    char *other_program[2]; /* the programs, where A and B have none in common; else NULL */
};

void fth_diff_compare(struct fth_diff *diff, const struct fth_diff_settings *settings,
                      const struct fth_diff_run *runs, size_t a_count, size_t b_count);
void fth_diff_free(struct fth_diff *diff);

static inline size_t fth_diff_run_count(const struct fth_diff *diff)
{
    return diff->counts[0] + diff->counts[1];
}
static inline const int64_t *fth_diff_figures(const struct fth_diff *diff,
                                              const struct fth_diff_row *row,
                                              enum fth_diff_quantity quantity)
{
    return row->figures + (size_t)quantity * fth_diff_run_count(diff);
}

/* ---- inner parts of the room ---- */

/* Judges figures of both sides. `floor`: what differs by less is small, or noise. */
void fth_diff_judge_count(const struct fth_diff *diff, const int64_t *figures, int64_t floor,
                          struct fth_diff_value *value);
void fth_diff_judge_timed(const struct fth_diff *diff, const int64_t *figures, int64_t floor,
                          struct fth_diff_value *value);
/* Of all values that were tested: which of them differ, so that false ones are at most a share
 * `level` of these. */
void fth_diff_judge_together(const struct fth_diff *diff, struct fth_diff_value **values,
                             size_t count);
/* The least time that matters: of one process in so many, and of all of them. */
int64_t fth_diff_least_time(const struct fth_diff *diff, int64_t whole);

void fth_diff_gather(struct fth_diff *diff);        /* rows with their figures */
void fth_diff_match_files(struct fth_diff *diff);   /* renamed ones */
void fth_diff_compare_calls(struct fth_diff *diff); /* where files are matched */
void fth_diff_find_findings(struct fth_diff *diff);
void fth_diff_find_configuration(struct fth_diff *diff);

#endif
