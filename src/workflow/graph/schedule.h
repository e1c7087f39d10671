/* What the end of a workflow depended on, and how long its steps would take in another order. */
#ifndef FTH_WORKFLOW_SCHEDULE_H
#define FTH_WORKFLOW_SCHEDULE_H

#include "workflow/graph/data_flow.h"

/* A part of the critical path: this step held the workflow from `from` to `to`. Before it, nothing
 * that was recorded ran that it needed, for `waited` ns: the script, the queue, or what is not
 * recorded. */
struct fth_workflow_held {
    uint32_t step;
    int64_t from, to, waited;
    int64_t queued; /* of that: its job was in the queue of the batch system */
    /* why the part before it is on the path: FTH_NO_STEP if there is none */
    uint32_t before;
    enum fth_workflow_edge_kind kind;
    bool only_end; /* of a pipe to which that one wrote nothing */
    /* That one read what this one wrote to a pipe, which was full: this one waited for it. */
    bool full_pipe;
    /* The step that wrote to a pipe and waited longest until this one read; FTH_NO_STEP: none
     * waited longer for that than this one for its bytes. And how long, in ns. */
    uint32_t waiter;
    int64_t waiter_time;
};

struct fth_workflow_schedule {
    uint32_t held_count;
    struct fth_workflow_held *held; /* from the start to the end of the workflow */
    int64_t start, end;             /* ns since 1970: of all steps */
    int64_t running;                /* ns of all steps, added up */
    /* ns that the steps would take if only data ordered them: on as many processors as they like,
     * and on those of the machine (0: not known how many). Each step as long as it was, started as
     * soon as what it reads is there, in the recorded order. Steps that exchange data while they
     * run start no earlier than each other. */
    int64_t unlimited, possible;
};

/* Processors that a step kept busy on average, at most: time of its threads that is not known to be
 * waiting, over its length; 1 if it has none. */
double fth_workflow_step_busy(const struct fth_workflow_step *step);
void fth_workflow_schedule_make(struct fth_workflow_schedule *schedule,
                                const struct fth_workflow_graph *graph);
void fth_workflow_schedule_free(struct fth_workflow_schedule *schedule);

#endif
