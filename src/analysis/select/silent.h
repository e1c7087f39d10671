/* Processes that were started and of which no call was recorded, like one that only computes, or
 * becomes a static program: a trace has no place for them. */
#ifndef FTH_ANALYSIS_SELECT_SILENT_H
#define FTH_ANALYSIS_SELECT_SILENT_H

#include "analysis/select/select.h"

struct fth_silent {
    uint64_t processes;
    bool at_least; /* calls like system and popen may have started more */
};
/* From the sums that the trace has, whichever calls are selected; of a damaged one what can be read
 * counts. None are known where only some processes are selected. */
struct fth_silent fth_analysis_silent(const struct fth_selection *selection,
                                      struct fth_trace *trace);

#endif
