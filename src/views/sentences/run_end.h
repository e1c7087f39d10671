/* How a run ended, if not as it should. Inner header of the views room. */
#ifndef FTH_VIEWS_RUN_END_H
#define FTH_VIEWS_RUN_END_H

#include "views/output/output.h"

#include <fathom/trace.h>

#include <stdbool.h>

/* "Ended with exit 137; 1 process was killed by a signal (rank 1: signal 9)", and what is known of
 * when: nothing of a run that ended well. */
void fth_views_put_end(struct fth_output *output, const struct fth_trace *trace);
/* The command failed, or a process did not end by itself. */
bool fth_views_ended_badly(const struct fth_trace *trace);

#endif
