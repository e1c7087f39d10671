/* The steps of a workflow as programs of the simulator: their traces are replayed. Inner header of
 * src/workflow/simulated. */
#ifndef FTH_WORKFLOW_STEP_PROGRAMS_H
#define FTH_WORKFLOW_STEP_PROGRAMS_H

#include "base/intern.h"
#include "base/keyed.h"
#include "workflow/graph/data_flow.h"

#include <fathom/trace.h>

struct fth_sim_program;

/* A trace that steps are in. */
struct fth_step_trace {
    struct fth_trace *trace; /* NULL: it cannot be read, */
    char *why;               /* because of that */
    uint32_t *owners;        /* by process: its step, as the trace alone numbers them */
};

struct fth_step_program {
    struct fth_sim_program *program; /* NULL: the step takes as long as it did, */
    char *why;                       /* because of that */
    int64_t lead, tail; /* ns from the start of the step to that of its processes, and at its end */
    /* By file of the program: its number among those of all steps; is it written by one step, read
     * by one other, and deleted? */
    uint32_t *files;
    bool *passing;
};

/* Opened once; the programs are opened anew for each simulation, which uses them up. */
struct fth_step_programs {
    const struct fth_workflow_graph *graph;
    struct fth_keyed trace_numbers; /* by path: struct fth_step_trace */
    struct fth_keyed contents;      /* by step and file: the content that it uses first + 1 */
    struct fth_intern files;        /* of all steps */
    struct fth_step_program *list;  /* by step; scripts have none */
};

/* Is there a pipe from the one step to the other, which is taken to be written to until the first
 * one ends? Who reads it may come to its end, and to his own, shortly before that: when the first
 * one has closed it. */
bool fth_step_edge_is_pipe(const struct fth_workflow_graph *graph,
                           const struct fth_workflow_edge *edge);
void fth_step_programs_begin(struct fth_step_programs *programs,
                             const struct fth_workflow_graph *graph);
/* Opens them all. How many there are. */
uint32_t fth_step_programs_open(struct fth_step_programs *programs);
void fth_step_programs_close(struct fth_step_programs *programs);
void fth_step_programs_free(struct fth_step_programs *programs);

#endif
