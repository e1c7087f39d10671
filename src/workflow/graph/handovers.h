/* What is between a step that wrote to a file and one that read it: what orders them, a close, the
 * end of a process or job, a new name; and which consistency model is enough for that. */
#ifndef FTH_WORKFLOW_HANDOVERS_H
#define FTH_WORKFLOW_HANDOVERS_H

#include "consistency/language.h"
#include "workflow/graph/data_flow.h"

enum fth_handover_order {
    FTH_ORDERED_BY_PROCESSES, /* recorded: who waited for the one started the other behind it */
    FTH_ORDERED_BY_JOBS,      /* the batch system had to wait for the job of the one */
    /* Traces of one node: the one was over when the other began. That this was not by chance is
     * taken for granted, as by fth_verify_options.order_by_files. */
    FTH_ORDERED_BY_CLOCK,
    FTH_NOT_ORDERED,  /* it was read before it was written to the end */
    FTH_ORDER_UNSEEN, /* nothing that was recorded orders them */
    FTH_ORDER_CLOCKS, /* they ran on different nodes, whose clocks may differ */
    FTH_ORDER_OLD,    /* a profile of version 1 does not tell */
    FTH_HANDOVER_ORDERS
};

struct fth_handover {
    enum fth_workflow_hazard hazard;
    uint32_t from, to, content; /* steps; of the graph */
    uint64_t bytes;             /* that were read, at most */
    enum fth_handover_order order;
    /* Between the last write and the first read, or change: the writer closed the file; its process
     * ended; so did its job; the file got another name, or one more (link); the second one opened
     * it behind that */
    bool closed, ended, job_ended, renamed, linked, opened;
    const char *enough; /* name of the weakest built-in model that is enough; NULL: not known */
};

struct fth_handovers {
    uint32_t count;
    struct fth_handover *list; /* by `from`, `to` and `content` */
    struct fth_consistencies *models;
};

/* Files only: what goes through pipes needs no file system. */
void fth_handovers_find(struct fth_handovers *handovers, const struct fth_workflow_graph *graph);
void fth_handovers_free(struct fth_handovers *handovers);
/* "recorded", "scheduler", "clock", "none", "unseen", "clocks", "old profile" */
const char *fth_handover_order_word(enum fth_handover_order order);
/* "read after write", "write after write", "write after read" */
const char *fth_handover_hazard_word(enum fth_workflow_hazard hazard);
/* Of two models by name the one that asks for more; NULL if either is. */
const char *fth_handovers_stronger(const struct fth_handovers *handovers, const char *one,
                                   const char *other);

#endif
