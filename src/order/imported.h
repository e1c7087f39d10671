/* From what a trace was imported: what that lacks no option of a recording adds. */
#ifndef FTH_ORDER_IMPORTED_H
#define FTH_ORDER_IMPORTED_H

#include "fathom/trace.h"

/* With this a recording shows how threads wait for each other. */
#define FTH_LAYERS_OF_THREADS "--layers posix,stdio,process,ipc,mpi,mpiio,pthread"

/* "a log of strace"; NULL: it was recorded. */
const char *fth_order_imported(const struct fth_trace *trace);
/* Are calls of a layer of threads recorded, with which these wait for each other? */
bool fth_order_has_threads(const struct fth_trace *trace);
/* Why the trace does not show how threads wait for each other, for parentheses: what to record
 * with, or "not part of a log of strace". NULL: it does (fth_order_has_threads). */
const char *fth_order_lacks_threads(const struct fth_trace *trace);

#endif
