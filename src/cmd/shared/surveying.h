/* What `fathom report` and `fathom view` find out about a run. */
#ifndef FTH_CMD_SHARED_SURVEYING_H
#define FTH_CMD_SHARED_SURVEYING_H

#include "analysis/survey/handle_list.h"
#include "analysis/survey/message_list.h"
#include "analysis/survey/survey.h"
#include "overview/overview.h"

struct fth_cmd_survey {
    const struct fth_selection *selection;
    struct fth_thresholds thresholds;
    unsigned jobs;                 /* threads; 0: one per processor */
    uint32_t most_bins;            /* of the overview; 0: none is made */
    struct fth_overview *overview; /* of the caller, to be freed */
    /* likewise, with an overview of a run of which the messages are followed; NULL: they are not
     * wanted */
    struct fth_message_list *messages;
    /* likewise, of a run all of whose calls are chosen; NULL: they are not wanted */
    struct fth_handle_list *handles;
    const struct fth_pass *further;      /* a pass beside those of a report; NULL: none */
    const struct fth_listener *listener; /* beside those of a report; NULL: none */
};

/* 0, or -1 with *error set. The overview is there in both cases. */
int fth_cmd_survey(struct fth_cmd_survey *asked, struct fth_trace *trace,
                   struct fth_results *results, struct fth_error **error);

#endif
