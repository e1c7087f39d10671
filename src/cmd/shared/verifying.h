/* The verdict on a run for its page, and what all verdicts ask. */
#ifndef FTH_CMD_SHARED_VERIFYING_H
#define FTH_CMD_SHARED_VERIFYING_H

#include "base/error.h"
#include "base/sink.h"
#include "verify/verify.h"

#include <fathom/trace.h>

/* Would fewer pairs be racy if all collective calls of MPI were barriers? Then
 * verdict->collectives_matter is set. The order of a run is found once, so this takes another one,
 * under the first model; it is taken only if calls of MPI-IO are racy. `traces` and `paths` of
 * `runs`. 0, or -1 with *error set. */
int fth_cmd_ask_collectives(const struct fth_runs *runs, struct fth_trace **traces,
                            const char **paths, const struct fth_consistencies *models,
                            const struct fth_verify_options *options, struct fth_verdict *verdict,
                            struct fth_error **error);

/* Verifies the run under all models, as `fathom verify TRACE` does, and writes the verdict as the
 * page wants it (docs/page.md). `path`: what the trace is called. `jobs`: threads, 0: one per
 * processor. `progress`: or NULL. 0, or -1 with *error set. */
int fth_cmd_pack_verdict(struct fth_sink *to, struct fth_trace *trace, const char *path,
                         unsigned jobs, struct fth_verify_progress *progress,
                         struct fth_error **error);

#endif
