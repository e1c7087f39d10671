/* How many processors a node of a recorded run has. Known is that of the node where the recording
 * was started. */
#ifndef FTH_MODEL_HANDLES_NODE_PROCESSORS_H
#define FTH_MODEL_HANDLES_NODE_PROCESSORS_H

#include "fathom/trace.h"

#include <stdint.h>

/* 0: not known. `host` may be NULL. */
uint64_t fth_node_processors(const struct fth_trace *trace, const char *host);

/* ns that the command took of processors on that node; -1: not known. */
int64_t fth_node_processor_time(const struct fth_trace *trace, const char *host);

/* Bytes of a page of memory where the recording was made; of a trace that does not say, the most
 * that there may be. */
uint64_t fth_node_page(const struct fth_trace *trace);

#endif
