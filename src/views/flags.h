/* Numbers that people know by name: flags as the catalogue in the trace names them, and error
 * numbers. */
#ifndef FTH_VIEWS_FLAGS_H
#define FTH_VIEWS_FLAGS_H

#include "base/sink.h"

#include <fathom/trace.h>

/* "O_WRONLY|O_CREAT": the value of a parameter with the role `flags NAME`. false: nothing known,
 * nothing was written. */
bool fth_views_put_flags(struct fth_sink *sink, const struct fth_trace *trace, const char *name,
                         int64_t value);
/* " ENOENT" for a failed call; nothing for error numbers that are not those of errno (MPI). */
void fth_views_put_errno(struct fth_sink *sink, const struct fth_call *call);

#endif
