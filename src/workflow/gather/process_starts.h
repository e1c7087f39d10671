/* Who started which process, and when who waited for it knew of its end: as the calls of the
 * parents tell. And which files they closed by putting others in their place, as shells do,
 * which pipes they made, and where they let two files exchange their names. */
#ifndef FTH_WORKFLOW_PROCESS_STARTS_H
#define FTH_WORKFLOW_PROCESS_STARTS_H

#include "analysis/survey/survey.h"
#include "workflow/gather/pipe_holders.h"
#include "workflow/workflow.h"

struct fth_process_starts {
    struct fth_trace *trace;
    uint32_t event_count, closing_count;
    struct fth_process_event *events;
    struct fth_process_closing *closings;
    struct fth_keyed pipes;          /* that were made in this trace, by name: "pipe:[4711]" */
    struct fth_pipe_holders holders; /* to be begun */
    struct fth_keyed swaps;          /* by struct fth_name_swap: renames that exchange two names */
};

/* Which process, and when it began, ns since the start of the run. */
struct fth_name_swap {
    uint64_t proc;
    int64_t time;
};

/* A call put another file where this one, which it could write, was open (dup2). */
struct fth_process_closing {
    uint32_t proc;
    char *path;
    int64_t time; /* ns since the start of the run: its end */
};

/* For a survey of all calls of `tree->trace`; the tree outlives it. */
struct fth_listener fth_process_starts_listener(struct fth_process_starts *tree);
/* Behind the survey: adds the processes of the trace to the workflow. numbers[proc]: the process
 * that runs program `proc`. Times of the trace begin at `epoch`, ns since 1970. */
void fth_process_starts_add(const struct fth_process_starts *tree, struct fth_workflow *workflow,
                            uint32_t *numbers, int64_t epoch);
/* Is it a program that took the place of the one before in its process? */
bool fth_process_took_place(struct fth_trace *trace, uint32_t proc);
void fth_process_starts_free(struct fth_process_starts *tree);

#endif
