/* What sentences call a process. */
#ifndef FTH_TRACE_PROCESS_NAME_H
#define FTH_TRACE_PROCESS_NAME_H

#include "base/sink.h"

#include <fathom/trace.h>

#include <stddef.h>

/* "rank 3", or "process 5 (bash)" of a process without a rank; `proc`: its number in the trace.
 * The name of the program is as it was recorded: it may have any bytes. */
void fth_process_put_name(struct fth_sink *sink, const struct fth_process *process, size_t proc);

#endif
