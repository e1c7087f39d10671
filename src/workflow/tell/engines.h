/* A shell that records what it runs, for schedulers and engines of workflows that let their user
 * choose the shell of a step: one script for all of them, and what makes each of them use it. */
#ifndef FTH_WORKFLOW_ENGINES_H
#define FTH_WORKFLOW_ENGINES_H

#include "base/sink.h"

#include <stddef.h>

struct fth_workflow_engine {
    const char *name, *title;
    const char *shell; /* that runs the steps of this engine */
    const char *use;   /* lines of a comment: how to use the script, here called fathom-sh */
    /* with which versions; NULL: it is as its documents say, and nobody has tried it */
    const char *tried;
};
extern const struct fth_workflow_engine fth_workflow_engines[];
extern const size_t fth_workflow_engine_count;

/* The script. `fathom`: the path of the program that it calls. */
void fth_workflow_write_wrapper(const struct fth_workflow_engine *engine, const char *fathom,
                                struct fth_sink *sink);

#endif
