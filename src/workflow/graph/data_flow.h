/* Which step needs what of which other one: the data that went between them, through renamed files,
 * copies, archives and pipes, and the order in which scripts started them. */
#ifndef FTH_WORKFLOW_DATA_FLOW_H
#define FTH_WORKFLOW_DATA_FLOW_H

#include "workflow/workflow.h"

/* What one step read of what another one wrote, of one file; or that it renamed, deleted or
 * replaced what the other had written or read: then `bytes` is 0. */
struct fth_workflow_flow {
    uint32_t from, to, content;
    uint64_t bytes; /* at most; 0: not known how many (a map of memory, a program that is run) */
};

/* What a file was from the time that it was made until it was cut to nothing or replaced. */
struct fth_workflow_content {
    uint32_t file;             /* its last name */
    uint32_t writers, readers; /* steps; who only made it counts if nobody wrote to it */
    uint32_t writer, reader;   /* the first of them, or FTH_NO_STEP */
    uint64_t written, read;    /* bytes that were moved */
    int64_t complete;          /* end of the last write; FTH_NEVER: it was there before */
    int64_t first_read, last_read;
    bool deleted;
    bool pipe;
    bool crowded; /* it was changed behind so many steps that not all passings are there */
};

/* Which content a use read and wrote, or FTH_NO_STEP; and how many steps in turn had written to it
 * by then, itself included if it wrote. */
struct fth_workflow_moved {
    uint32_t read, read_version, written, written_version;
};

/* Does it only pass from one step to one other? What is read while it is written is a pipe with a
 * name, or does the work of one. */
static inline bool fth_workflow_is_passing(const struct fth_workflow_content *content)
{
    return !content->pipe && content->writers == 1 && content->readers == 1 &&
           content->writer != content->reader && content->deleted &&
           content->first_read >= content->complete;
}

enum fth_workflow_edge_kind {
    FTH_EDGE_DATA,  /* a file orders them */
    FTH_EDGE_JOB,   /* the batch system had to wait for its job */
    FTH_EDGE_ORDER, /* it began when the other had ended: from times alone */
};

struct fth_workflow_edge {
    uint32_t from, to;
    enum fth_workflow_edge_kind kind;
    uint32_t first_flow, flow_count; /* of data: in `flows` */
    uint64_t bytes;
    /* it began before the other had ended: data went on while both ran */
    bool streams;
};

/* What the second of two uses of a file, and no pipe, does with what the first one did. */
enum fth_workflow_hazard { FTH_PASSING_READ, FTH_PASSING_OVERWRITE, FTH_PASSING_CHANGE };

struct fth_workflow_passing {
    /* the second one reads what the first one wrote; writes or makes anew where it wrote, or where
     * it read: perhaps to other bytes of the file */
    enum fth_workflow_hazard hazard;
    uint32_t first, second, content; /* uses; of the graph */
    uint64_t bytes;                  /* that were read, at most */
    bool renamed;                    /* it got another name in between */
    bool linked;                     /* it got one more name, which the second one used */
};

/* Did the one end first? Who waits for another one may be seen to end shortly before that: when it
 * has closed what is waited for. */
static inline bool fth_workflow_ends_behind(const struct fth_workflow_step *step,
                                            const struct fth_workflow_step *other)
{
    enum { SHORTLY = 20 }; /* this part of its length */
    return other->end - (other->end - other->start) / SHORTLY <= step->end;
}

struct fth_workflow_graph {
    const struct fth_workflow *workflow;
    uint32_t flow_count, edge_count, content_count, passing_count;
    struct fth_workflow_passing *passings;
    struct fth_workflow_flow *flows; /* by `to`, then by `from` */
    struct fth_workflow_edge *edges; /* by `to`, by kind */
    uint32_t *first_edge;            /* by step, and one behind: its edges in `edges` */
    struct fth_workflow_content *contents;
    struct fth_workflow_moved *moved; /* by use of the workflow */
    uint32_t *level; /* by step: the longest way of data from a step that needs none */
    uint32_t *job;   /* by step: its job in the workflow, or FTH_NO_STEP */
    bool *job_meant; /* by job: it has steps here, or such a job needs it */
    bool *shown;     /* by step: a step, or a script that moved data */
};

/* The workflow outlives it. */
void fth_workflow_graph_make(struct fth_workflow_graph *graph, const struct fth_workflow *workflow);
/* Does data of a pipe, or of a file, go along it? */
bool fth_workflow_edge_has(const struct fth_workflow_graph *graph,
                           const struct fth_workflow_edge *edge, bool pipe);
/* "data", "scheduler", "order" */
const char *fth_workflow_edge_word(enum fth_workflow_edge_kind kind);
void fth_workflow_graph_free(struct fth_workflow_graph *graph);

#endif
