/* Tuning a program from outside: what can be set in the libraries and file systems under it
 * (parameters.c), which of that is worth trying for a run that was recorded (tuned_run.c,
 * choices.c, predict.c), a search that takes few runs (search.c), and what they show
 * (tune_verdict.c). Who runs the program is the caller.
 *
 * Texts of settings are those of the table or of the choices that hold them; choices live until
 * fth_tune_choices_free. Not thread-safe. */
#ifndef FTH_TUNE_TUNE_H
#define FTH_TUNE_TUNE_H

#include "analysis/survey/survey.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- parameters ---- */

enum fth_tune_library {
    FTH_TUNE_ROMIO, /* MPI-IO of MPICH and its descendants; a component of Open MPI */
    FTH_TUNE_OMPIO, /* MPI-IO of Open MPI */
    FTH_TUNE_HDF5,
    FTH_TUNE_PNETCDF,
    FTH_TUNE_FATHOM_FS, /* our own file system */
    FTH_TUNE_LIBRARIES
};

/* How a library gets it. */
enum fth_tune_way {
    FTH_TUNE_HINT,         /* a line of the file that ROMIO_HINTS names */
    FTH_TUNE_VARIABLE,     /* a variable of the environment */
    FTH_TUNE_PNETCDF_HINT, /* an entry of the variable PNETCDF_HINTS */
    FTH_TUNE_COMMAND,      /* words in front of the program's command */
};

/* Which calls of a run a parameter has an effect on: bits of what the run must have. */
enum fth_tune_effect {
    FTH_TUNE_ON_WRITES_TOGETHER = 1, /* collective ones */
    FTH_TUNE_ON_READS_TOGETHER = 2,
    FTH_TUNE_ON_PIECES_WRITTEN = 4, /* several pieces in one call */
    FTH_TUNE_ON_PIECES_READ = 8,
    FTH_TUNE_ON_STRIPES = 16, /* files over several servers */
    FTH_TUNE_ON_HDF5 = 32,
    FTH_TUNE_ON_PNETCDF = 64,
    FTH_TUNE_ON_FILES = 128, /* of the program, below one folder (fth_tune_run.models) */
};

/* The consistency of our file system: `fathom fs run --model`. */
#define FTH_TUNE_MODEL "model"

enum { FTH_TUNE_VALUES = 6, FTH_TUNE_KINDS = 8 };

struct fth_tune_parameter {
    const char *name; /* as the library calls it */
    enum fth_tune_library library;
    enum fth_tune_way way;
    unsigned effects; /* any of these */
    bool is_mode;     /* chooses how accesses are made; others: how large, how many */
    /* "half", "all": of the ranks; "romio": its component; none: those that the run has */
    const char *values[FTH_TUNE_VALUES];
    const char *with, *with_value;     /* another key that it takes; or NULL */
    const char *kinds[FTH_TUNE_KINDS]; /* of findings for which it is worth trying */
    const char *source;                /* where the library documents it */
    bool at_open; /* it can be another one for each file, when that is opened */
};
extern const struct fth_tune_parameter fth_tune_parameters[];
extern const size_t fth_tune_parameter_count;

/* ---- the run that was recorded ---- */

struct fth_tune_run {
    const struct fth_trace *trace;
    const struct fth_findings *findings;
    uint32_t ranks;
    enum fth_tune_library library; /* of its MPI-IO; FTH_TUNE_LIBRARIES: unknown, or none */
    bool has_romio_too;            /* Open MPI: ROMIO can be chosen instead, by the name */
    char romio[16];                /* "romio321" */
    unsigned effects;              /* enum fth_tune_effect: what its calls allow */
    int64_t file_time;             /* ns in outermost calls of MPI-IO, all processes together */
    int64_t whole;                 /* ns that the processes lasted, added up */
    uint64_t file_calls;
    char **fixed; /* keys that the program sets itself, which win over hints from outside */
    size_t fixed_count;
    char *folder; /* below which all files lie that the program writes; NULL: there is none, */
    const char *no_folder;     /* because */
    int64_t own_time;          /* ns in calls of the system and libc on the program's files */
    bool only_at_open;         /* only what is `at_open` takes part */
    const char *const *models; /* of consistency that it is safe under, by the caller; the first is
                                * tried first; ended by NULL, or NULL */
};

/* A pass for fth_analysis_survey: which calls there are; its table has one row. */
extern const struct fth_pass fth_tune_pass;
/* The run, from the results with that table, from processes of the trace, and from the environment.
 * `hints`: of the program, "cb_nodes=4". Trace and results outlive it. */
void fth_tune_describe(struct fth_tune_run *run, const struct fth_trace *trace,
                       const struct fth_results *results, char *const *hints, size_t hint_count);
void fth_tune_run_free(struct fth_tune_run *run);

/* ---- what is set before ---- */

struct fth_tune_hints {
    struct fth_tune_hint {
        char *key, *value;
    } * list;
    size_t count;
};
/* A hints file of ROMIO: lines with a key and a value, # begins a comment. -1: *error. */
int fth_tune_hints_read(struct fth_tune_hints *hints, const char *path, struct fth_error **error);
const char *fth_tune_hints_get(const struct fth_tune_hints *hints, const char *key);
void fth_tune_hints_set(struct fth_tune_hints *hints, const char *key, const char *value);
void fth_tune_hints_free(struct fth_tune_hints *hints);

/* ---- choices ---- */

struct fth_tune_setting {
    const struct fth_tune_parameter *parameter;
    const char *value;
};
enum { FTH_TUNE_SETTINGS = 12 };
struct fth_tune_choice {
    struct fth_tune_setting settings[FTH_TUNE_SETTINGS];
    size_t count;
    uint32_t mode;     /* the same number: they differ only in how large, how many */
    size_t speaks;     /* findings that speak for it */
    int64_t simulated; /* ns that the simulated run takes with it; -1: not known */
    /* What was measured, by the search. */
    int64_t tried; /* ns of the run that tried it; 0: none */
    bool too_slow; /* it was ended */
    char *refused; /* why its run does not count; NULL: it does */
};
struct fth_tune_choices {
    struct fth_tune_choice *list;
    size_t count;
    char **texts; /* of values that are made */
    size_t text_count;
};
/* A run whose MPI-IO, or calls on files, take less than this share of the time cannot become faster
 * by more. */
#define FTH_TUNE_LEAST_SHARE 0.01
/* All combinations of parameters that have an effect on this run, but for those that only say what
 * is set already (`before`, and the environment). */
void fth_tune_choices_make(struct fth_tune_choices *choices, const struct fth_tune_run *run,
                           const struct fth_tune_hints *before);
/* How choices are simulated. */
struct fth_tune_simulation {
    const char *trace_path, *cluster_path;
    unsigned cores;       /* of each node; 0: as the cluster has it */
    uint64_t most_events; /* of each simulation */
    int64_t most_time;    /* ns, of all of them; each mode is simulated once nevertheless */
};
/* Simulates the recorded run with each of them, first each mode once. -1: *error says why something
 * was not simulated; that stays unknown. */
int fth_tune_predict(struct fth_tune_choices *choices, const struct fth_tune_run *run,
                     const struct fth_tune_simulation *simulation, struct fth_error **error);
/* The most promising first: by the simulation; where it does not tell, by findings that speak for
 * them. */
void fth_tune_choices_sort(struct fth_tune_choices *choices);
/* "romio_cb_write=enable cb_nodes=4"; to be freed. */
char *fth_tune_choice_text(const struct fth_tune_choice *choice);
const char *fth_tune_choice_get(const struct fth_tune_choice *choice, const char *parameter);
void fth_tune_choices_free(struct fth_tune_choices *choices);

/* ---- the search ---- */

enum fth_tune_outcome { FTH_TUNE_RAN, FTH_TUNE_TOO_SLOW, FTH_TUNE_REFUSED, FTH_TUNE_FAILED };
/* Runs the program once; `choice` NULL: unchanged. RAN: *time is set, in ns; TOO_SLOW: it took
 * longer than `most` and was ended; REFUSED: with this choice it does not do what it should, *error
 * says what, and the search goes on without it; FAILED: *error is set, the search ends. `most` 0:
 * as long as it takes. */
typedef enum fth_tune_outcome fth_tune_measure(void *context, const struct fth_tune_choice *choice,
                                               int64_t most, int64_t *time,
                                               struct fth_error **error);

enum { FTH_TUNE_PAIRS = 3, FTH_TUNE_LEAST_RUNS = 9, FTH_TUNE_MOST_RUNS = 10000 };
struct fth_tune_search {
    fth_tune_measure *measure;
    void *context;
    size_t runs; /* at most, with those that were made before */
    size_t made; /* so many were */
    bool all;    /* every choice is tried, whatever `runs` says */
    /* What came of it. */
    struct fth_tune_choice *best; /* that was tried; NULL: none was */
    int64_t unchanged[2 + FTH_TUNE_PAIRS],
        changed[1 + FTH_TUNE_PAIRS]; /* ns; of `best`, in pairs */
    size_t unchanged_count, changed_count;
};
int fth_tune_search(struct fth_tune_search *search, struct fth_tune_choices *choices,
                    struct fth_error **error);

/* ---- the verdict ---- */

enum fth_tune_verdict {
    FTH_TUNE_HELPS,
    FTH_TUNE_NOT_SURE, /* the pairs differ, but that may be noise */
    FTH_TUNE_NOTHING_HELPS,
    FTH_TUNE_NOTHING_TO_TRY
};
struct fth_tune_judgement {
    enum fth_tune_verdict verdict;
    int64_t unchanged, changed; /* medians, ns */
    double p;                   /* that runs so much faster come by chance; 1: not tested */
};
struct fth_tune_judgement fth_tune_judge(const struct fth_tune_search *search);

#endif
