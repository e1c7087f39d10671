/* Inner header of the cmd room: `fathom tune`. */
#ifndef FTH_CMD_TUNE_TUNE_COMMAND_H
#define FTH_CMD_TUNE_TUNE_COMMAND_H

#include "cmd/shared/page_options.h"
#include "cmd/shared/surveying.h"
#include "cmd/tune/output_files.h"
#include "tune/tune.h"

#include <limits.h>

enum { FTH_CMD_TUNE_VARIABLES = 8 };

/* What a choice becomes: variables for the environment, and lines of the hints file that one of
 * them names. */
struct fth_cmd_tuned {
    struct fth_tune_hints variables;
    struct fth_tune_hints hints; /* none: no hints file is needed */
};
void fth_cmd_tuned_make(struct fth_cmd_tuned *tuned, const struct fth_tune_choice *choice,
                        const struct fth_tune_hints *before, const char *hints_path);
void fth_cmd_tuned_free(struct fth_cmd_tuned *tuned);
/* Words in front of the program's command, which need the program `fathom`; none: NULL. To be
 * freed, not what they point to. */
char **fth_cmd_tuned_words(const struct fth_tune_choice *choice, const struct fth_tune_run *run,
                           const char *fathom);
/* The text of the hints file; to be freed. */
char *fth_cmd_tuned_lines(const struct fth_cmd_tuned *tuned);

struct fth_cmd_tune_live;
struct fth_cmd_tuning {
    char **command;
    const char *before_run; /* a command of the shell, before each run; NULL: none */
    const char *output;     /* what the files of the winner are called, without their ends */
    const char *cluster;
    bool own_cluster, quiet, force;
    struct fth_cmd_page page;
    struct fth_tune_search search;
    struct fth_cmd_tune_live *live; /* of --live; NULL: the command is run */
    /* While it goes on. */
    char folder[PATH_MAX]; /* private: the trace, hints that are tried, the output of runs */
    char *trace_path, *log_path, *hints_path;
    struct fth_tune_hints before;   /* hints of the environment */
    struct fth_cmd_outputs outputs; /* of unchanged runs, if there are models */
    char *outputs_error;            /* why they cannot be compared; NULL: they can */
    struct timespec run_began;      /* by fth_cmd_outputs_now */
    /* What came of it. */
    struct fth_tune_run run;
    struct fth_tune_choices choices;
    char **models; /* of our file system, weakest first: `run` has them, too */
    size_t model_count;
    const char *no_models; /* why there are none; NULL: there are */
    char *weakest;         /* model that is enough by the verdict; NULL: none is known */
    struct fth_tune_judgement judgement;
    char *not_simulated;    /* why something was not; NULL: all was */
    char *files[2], *apply; /* what was written for the winner, and how it is applied */
};

/* Runs the program, recorded; -1: *error. */
int fth_cmd_tune_record(struct fth_cmd_tuning *tuning, struct fth_error **error);
/* Runs it once, not recorded: of the search. */
fth_tune_measure fth_cmd_tune_measure;
/* Looks at what the recorded run left, for runs on our file system to be compared with. */
void fth_cmd_tune_keep_outputs(struct fth_cmd_tuning *tuning);

/* Before anything runs: can the files of the winner be written? Then, writes them. */
int fth_cmd_tune_check_files(struct fth_cmd_tuning *tuning, struct fth_error **error);
int fth_cmd_tune_write_files(struct fth_cmd_tuning *tuning, struct fth_error **error);

int fth_cmd_tune_show(struct fth_cmd_tuning *tuning, struct fth_error **error);

#endif
