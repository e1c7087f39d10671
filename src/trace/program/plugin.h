/* Plug-ins as files: what `fathom wrap` has made, and what it says of itself without being
 * loaded. */
#ifndef FTH_TRACE_PROGRAM_PLUGIN_H
#define FTH_TRACE_PROGRAM_PLUGIN_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The rows in the plug-in `path`; *text (not terminated) is to be freed. Returns 0, or -1 with
 * *error: it cannot be read, is no plug-in, or another build of Fathom has made it, which
 * *is_foreign then says (may be NULL). */
int fth_plugin_read(const char *path, char **text, size_t *length, bool *is_foreign,
                    struct fth_error **error);

/* The rows of a plug-in become a part of the built-in catalogue (fth_builtin_catalog), behind those
 * that it has. Before anything is merged; in the order of FATHOM_WITH. `name` is for errors.
 * Returns 0, or -1 with *error and the catalogue as it was but for the rows before the error. */
int fth_builtin_extend(const char *name, const char *text, size_t length, struct fth_error **error);

#endif
