/* A run on its way to a trace: what record and merge share. Its spill folder holds what the
 * processes write, and run.json, so that the folder alone is enough for a merge. */
#ifndef FTH_CMD_RUN_RUN_H
#define FTH_CMD_RUN_RUN_H

#include "base/error.h"
#include "trace/merge/merge.h"

#include <jansson.h>
#include <stdio.h>

struct fth_cmd_run {
    char *spill;           /* folder, absolute */
    uint64_t least_memory; /* FATHOM_MEMORY; 0: all of it is on disk */
    char *output;          /* trace, absolute */
    char *parts;  /* prefix of what MPI_Finalize merges: beside the output as it was at the start,
                     with a name of this run */
    json_t *meta; /* what travels in the trace */
    json_t *blind_spots;     /* array of objects, or of sentences of which no more is known */
    json_t *plugins;         /* see cmd/record/find_plugins.h; NULL: none */
    int64_t start, end;      /* ns since 1970; end 0: not over, or nobody knows */
    struct fth_ahead *ahead; /* what is merged already (run_ahead.h), for one merge; or NULL */
    bool is_checked;         /* the trace is opened by a reader before it gets its name */
    bool is_over; /* on this node: no process of it is left that could write into the folder */
};

/* The file in the spill folder that says what the run is; it is written over in place. */
#define FTH_RUN_JSON "run.json"
/* A link to the folder of the tracer, where the tracer's own path cannot be preloaded. */
#define FTH_RUN_TRACER "tracer"

/* Makes a private spill folder in `parent` (NULL: in $TMPDIR or /tmp), and the prefix of parts
 * beside the output. */
int fth_run_make_spill(struct fth_cmd_run *run, const char *parent, struct fth_error **error);
/* Keeps its small files in memory, where that can be had. */
void fth_run_use_memory(struct fth_cmd_run *run);
/* Moves these to disk, as the folder is kept: no process writes into them any more. */
void fth_run_leave_memory(const struct fth_cmd_run *run);
/* The same with a name that others share, fathom-NAME: says only what it is called; the folder may
 * be there. */
int fth_run_name_spill(struct fth_cmd_run *run, const char *parent, const char *name,
                       struct fth_error **error);
void fth_run_forget_spill(struct fth_cmd_run *run);
/* Removes it with what recording has left in it, and nothing else. */
void fth_run_remove_spill(const struct fth_cmd_run *run);
/* A spill folder, the run being loaded; or, where it cannot be, only run->spill and why. */
typedef void fth_run_visitor(const struct fth_cmd_run *run, const char *trouble, void *context);
/* Calls `visit` for each spill folder of this user in `parent` (NULL: where they are by
 * default). */
void fth_run_visit_left(const char *parent, fth_run_visitor *visit, void *context);
/* Does anything in its spill folder come from a recording? Others may call theirs so, too. */
bool fth_run_is_of_recording(const struct fth_cmd_run *run);
/* A spill folder without run.json: the sentence that says what is left and what can be done; to be
 * freed. NULL: nothing is there of a recording. */
char *fth_run_remains(const struct fth_cmd_run *run);
/* Calls `visit` for each process of this node that runs and records into it. */
void fth_run_visit_living(const struct fth_cmd_run *run, void (*visit)(pid_t pid, void *context),
                          void *context);
/* Does a process of it still run? */
bool fth_run_goes_on(const struct fth_cmd_run *run);
/* Has a process executed a program of which nothing has been seen yet? It may be about to start, or
 * cannot be recorded. */
bool fth_run_becomes_another(const struct fth_cmd_run *run);
/* Where spill folders are made by default. */
const char *fth_run_default_parent(void);
/* Is a file of this name one that processes have recorded into? */
bool fth_run_is_recorded(const char *name);
/* Is it one that recording makes in a spill folder? */
bool fth_run_is_spill_file(const char *name);
/* The page in which processes that can make no file count their calls, in the spill folder. Where
 * there is no room for it, nobody counts them. */
void fth_run_make_unkept(const struct fth_cmd_run *run);
/* The path of a file in the spill folder `spill`; to be freed. NULL: no memory. */
char *fth_run_path_in_spill(const char *spill, const char *name);
/* When nobody saw the end: the last time that a spill file was touched. */
int64_t fth_run_last_sign(const struct fth_cmd_run *run);
/* Bytes on disk of what is in it. */
uint64_t fth_run_spill_bytes(const struct fth_cmd_run *run);

/* run.json in the spill folder. */
int fth_run_save(const struct fth_cmd_run *run, struct fth_error **error);
bool fth_run_is_saved(const struct fth_cmd_run *run);
/* Only from a folder of the user's own. What it says of files elsewhere is not believed: `output`
 * is what the recording was to write, and `parts` is NULL where it is not what a recording into
 * this folder calls them. */
int fth_run_load(struct fth_cmd_run *run, const char *spill, struct fth_error **error);
void fth_run_free(struct fth_cmd_run *run);

/* The status of the command, as the last call of its process could not say: it was killed. */
void fth_run_note_killed(const struct fth_cmd_run *run, int64_t pid, int signal_number);
/* Gives processes that are about to end a moment for it; sets is_over if they have used it. */
void fth_run_wait_for_stragglers(struct fth_cmd_run *run);

/* Merges, with a progress bar; interrupted, it says how to go on. Afterwards the run's blind spots
 * are those of the trace. */
int fth_run_merge(const struct fth_cmd_run *run, struct fth_merge_report *report,
                  struct fth_error **error);

/* Where a trace goes that is asked for as `path`: absolute, and behind the links that it is. To be
 * freed. NULL: no memory, no working directory, or links in a circle. */
char *fth_run_output(const char *path);
/* Can the trace be written there? Checked by trying, so that no run is lost for want of it. An
 * existing file that is not a trace is not to be replaced. */
int fth_run_check_output(const char *output, struct fth_error **error);

/* Something that is not seen: the sentence is all that is known of it. Or a program of which
 * nothing will be. */
void fth_run_add_spot(const struct fth_cmd_run *run, const char *sentence);
void fth_run_add_program_spot(const struct fth_cmd_run *run, const char *program,
                              const char *sentence);
/* The run's blind spots as a merge takes them, and back as it leaves them. */
void fth_run_spots_of(const struct fth_cmd_run *run, struct fth_blind_spots *spots);
void fth_run_take_spots(const struct fth_cmd_run *run, const struct fth_blind_spots *spots);
/* Array of the sentences alone. */
json_t *fth_run_spot_sentences(const struct fth_cmd_run *run);

/* Texts of unknown encoding: bytes that are not UTF-8 are taken for Latin-1. */
json_t *fth_run_text(const char *text);

/* What is to be said after a merge: one line each, or an object, to which the command may add. The
 * trace is `shown` as the user knows it. */
void fth_run_say_blind_spots(const struct fth_cmd_run *run);
void fth_run_say_losses(const struct fth_cmd_run *run, const struct fth_merge_report *report,
                        bool quiet);
/* "5 processes", or "3 processes (5 images)" where some ran exec. Valid until it is asked for
 * again. */
const char *fth_run_processes(const struct fth_merge_report *report);
json_t *fth_run_report(const struct fth_cmd_run *run, const struct fth_merge_report *report,
                       const char *shown, bool spill_kept);
/* One line of JSON; frees `line`. */
void fth_run_print(FILE *file, json_t *line);

#endif
