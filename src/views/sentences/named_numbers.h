/* Numbers that people know by name: flags as the catalogue in the trace names them, and error
 * numbers. */
#ifndef FTH_VIEWS_NAMED_NUMBERS_H
#define FTH_VIEWS_NAMED_NUMBERS_H

#include "base/sink.h"

#include <fathom/trace.h>

/* "O_WRONLY|O_CREAT": the value of a parameter with the role `flags NAME` in a call of this
 * process. false: nothing known, nothing was written. */
bool fth_views_put_flags(struct fth_sink *sink, const struct fth_trace *trace, size_t proc,
                         const char *name, int64_t value);
/* " ENOENT", " MPI_ERR_IO" for a failed call. */
void fth_views_put_error(struct fth_sink *sink, const struct fth_call *call);
/* Is it a name as in C (MPI_COMM_WORLD), and not a path? */
bool fth_views_is_symbol(const char *text);

#endif
