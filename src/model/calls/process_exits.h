/* How processes ended, as far as their parents' calls show. Inner header of the model room. */
#ifndef FTH_MODEL_CALLS_PROCESS_EXITS_H
#define FTH_MODEL_CALLS_PROCESS_EXITS_H

#include <fathom/trace.h>

/* When calls can be read: how those ended that did not say so, from those that waited for them. */
void fth_model_find_signals(struct fth_trace *trace);

#endif
