/* More of a trace that is whole already. */
#ifndef FTH_TRACE_FILE_APPEND_H
#define FTH_TRACE_FILE_APPEND_H

#include "base/error.h"

#include <stddef.h>

/* Puts these sections behind those of the trace `path`, which is replaced in one step. */
int fth_trace_append(const char *path, const void *sections, size_t length,
                     struct fth_error **error);
/* Removes what a process that was killed while it did so has left. */
void fth_trace_append_forget(const char *path, long pid);

#endif
