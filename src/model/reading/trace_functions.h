/* What the catalogue of a trace says beside its functions: layers, and the names of flags and
 * commands. */
#ifndef FTH_MODEL_READING_TRACE_FUNCTIONS_H
#define FTH_MODEL_READING_TRACE_FUNCTIONS_H

#include "catalog/catalog.h"
#include "fathom/trace.h"

/* Of Fathom's own layers what Fathom says, also where the trace is older; of those that a plug-in
 * has added what the trace says. NULL: there is no such layer. */
const struct fth_layer *fth_trace_layer(const struct fth_trace *trace, const char *name);

/* The row of a function of this trace. */
const struct fth_row *fth_trace_row(const struct fth_trace *trace,
                                    const struct fth_function *function);

/* What the bits or values of the parameters with the role `flags NAME` are called in this process,
 * or NULL. */
const struct fth_flags *fth_trace_flags(const struct fth_trace *trace, size_t proc,
                                        const char *name);
/* The name of 0 among flags of how something is opened (O_RDONLY), where no bit of `value` says how
 * it is accessed: 0 has no bit that would show it. NULL: a bit does, or 0 says nothing of that. */
const char *fth_flags_access_of_zero(const struct fth_flags *flags, int64_t value);

/* Of a call with a command (fcntl) the name of that; NULL: it has none, or none with a name. */
const char *fth_command_of(const struct fth_trace *trace, const struct fth_call *call);
/* Does this command of fcntl or lockf only ask whether there is a lock? false for NULL. */
bool fth_command_asks_lock(const char *command);
/* Does a call of the kind `sync` only start what others finish? It is nonblocking, or its flags say
 * so (docs/catalog.md). Else what it makes safe is on disk when it returns. */
bool fth_sync_only_starts(const struct fth_trace *trace, const struct fth_call *call);
/* Does this command of fcntl make a copy of the descriptor, which the call returns? false for
 * NULL. */
bool fth_command_copies(const char *command);

#endif
