/* Several `fathom record` that a launcher started, one per rank: `mpirun -n 4 fathom record ./app`.
 * Those of a node record into one spill folder, which has a file `records` with an entry for each
 * of them; whoever ends last makes the trace. None of them waits for another one to end, so one
 * that is killed holds up nobody. And as launchers kill all when one fails, a guard, a process in a
 * session of its own, makes the trace when all are gone and none has made it. */
#ifndef FTH_CMD_RUN_LAUNCHED_TOGETHER_H
#define FTH_CMD_RUN_LAUNCHED_TOGETHER_H

#include "cmd/run/launch.h"
#include "cmd/run/run.h"

struct fth_together {
    int64_t rank, size, local_size; /* as the launcher says */
    uint64_t key;                   /* of what the launcher has started here, not 0 */
    int records;                    /* the file, while we are among those of the folder; else -1 */
    int folder;                     /* with a shared lock while we live; the guard waits for it */
    int64_t place, since;           /* of our entry; when it was made */
    bool first_to_fail;             /* our command, of those that have ended */
};

/* Are we one of several? `together` is filled in any case. */
bool fth_together_find(struct fth_together *together);

/* Are we one of several that a launcher itself has started, so that we can share what is to be
 * done? `together` is filled in any case. */
bool fth_together_shares(struct fth_together *together);
/* How many of the processors that we may use are ours, if all on this node use them. At least 1. */
unsigned fth_together_processors(const struct fth_together *together);

/* Has a launcher itself started us, as another rank than the first? Where a rank runs a script that
 * calls us, it may mean its own trace. */
bool fth_together_is_spare(void);

/* "app.fathom" -> "app.WORD.fathom"; to be freed. */
char *fth_together_rename(const char *output, const char *word);

/* The value of FATHOM_APART, for the tracer; to be freed. */
char *fth_together_apart(const struct fth_together *together);

/* Sets the spill folder and the parts of the run, and enters us there. */
int fth_together_enter(struct fth_together *together, struct fth_cmd_run *run, const char *parent,
                       struct fth_error **error);
/* Makes run.json, or adds our blind spots to that of the first. */
int fth_together_save(const struct fth_together *together, const struct fth_cmd_run *run,
                      struct fth_error **error);

/* Starts the guard if we were the first to enter. It calls `make_trace` with the run as it is in
 * the folder. */
void fth_together_guard(struct fth_together *together, const struct fth_cmd_run *run,
                        void (*make_trace)(struct fth_cmd_run *run, void *context), void *context);
/* The trace is made, or cannot be. Removes the spill folder or leaves it; when we are killed
 * meanwhile, the guard removes the rest. */
void fth_together_done(struct fth_together *together, const struct fth_cmd_run *run,
                       bool removes_spill);

enum fth_together_end {
    FTH_OTHERS_GO_ON, /* they will see to the trace */
    FTH_ALL_ENDED,    /* the trace is ours to make; run and outcome are those of all now */
    FTH_NOTHING_RAN,  /* nobody's command could be started: there is nothing to make a trace of */
};
/* `ran`: our command was started, and this is what came of it. */
enum fth_together_end fth_together_leave(struct fth_together *together, struct fth_cmd_run *run,
                                         struct fth_outcome *outcome, bool ran);

#endif
