/* Steps of one program at one level of the graph, as one box: ten thousand steps of a scatter are
 * one thing to look at. */
#ifndef FTH_WORKFLOW_BOXES_H
#define FTH_WORKFLOW_BOXES_H

#include "workflow/graph/data_flow.h"

struct fth_workflow_box {
    const char *program; /* of the workflow */
    uint32_t level, first_step, step_count;
    int64_t start, end; /* ns since 1970: of the first to start, of the last to end */
    int64_t running;    /* ns of its steps, added up */
    int64_t longest;    /* ns of one step */
    int64_t io, messages, waiting, own, unknown; /* as of a step; `own` with other calls */
    uint64_t read, written;
    uint32_t failed; /* steps that did not end with "exit 0" */
};

/* What goes from one box to another. */
struct fth_workflow_link {
    uint32_t from, to; /* boxes */
    enum fth_workflow_edge_kind kind;
    uint64_t bytes, files; /* of data */
    uint32_t file;         /* one of them: its number in the workflow */
    bool streams;
};

struct fth_workflow_boxes {
    uint32_t box_count, link_count;
    struct fth_workflow_box *boxes;  /* by level, then in order of their starts */
    struct fth_workflow_link *links; /* by `to`, then by `from` */
    uint32_t *first_link;            /* by box, and one behind: the links to it */
    uint32_t *of_step;               /* the box of each step; FTH_NO_STEP: none */
};

void fth_workflow_boxes_make(struct fth_workflow_boxes *boxes,
                             const struct fth_workflow_graph *graph);
void fth_workflow_boxes_free(struct fth_workflow_boxes *boxes);
/* "sort", "sort x 12"; to be freed. */
char *fth_workflow_box_label(const struct fth_workflow_box *box);

#endif
