/* The samples of a run for its page. */
#ifndef FTH_CMD_SHARED_SAMPLING_H
#define FTH_CMD_SHARED_SAMPLING_H

#include "analysis/select/select.h"
#include "base/sink.h"

/* Writes what `fathom samples --json --counter '*'` prints of the trace, whose name is `path`;
 * nothing where it has no samples of what is selected. `most_values`: of all counters, the others
 * have none; 0: all. 0, or -1 with *error set. */
int fth_cmd_pack_samples(struct fth_sink *to, struct fth_trace *trace, const char *path,
                         const struct fth_selection *selection, size_t most_values,
                         struct fth_error **error);

#endif
