/* Plug-ins as files: what `fathom wrap` has made, and what it says of itself without being
 * loaded. */
#ifndef FTH_TRACE_PROGRAM_PLUGIN_FILE_H
#define FTH_TRACE_PROGRAM_PLUGIN_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The rows in the plug-in `path`; *text (not terminated) is to be freed. Returns 0, or -1 with
 * *error: it cannot be read, is no plug-in, or another build of Fathom has made it, which
 * *is_foreign then says (may be NULL). */
int fth_plugin_read(const char *path, char **text, size_t *length, bool *is_foreign,
                    struct fth_error **error);

#endif
