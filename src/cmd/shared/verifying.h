/* The verdict on a run for its page. */
#ifndef FTH_CMD_SHARED_VERIFYING_H
#define FTH_CMD_SHARED_VERIFYING_H

#include "base/error.h"
#include "base/sink.h"
#include "verify/verify.h"

#include <fathom/trace.h>

/* Verifies the run under all models, as `fathom verify TRACE` does, and writes the verdict as the
 * page wants it (docs/page.md). `path`: what the trace is called. `jobs`: threads, 0: one per
 * processor. `progress`: or NULL. 0, or -1 with *error set. */
int fth_cmd_pack_verdict(struct fth_sink *to, struct fth_trace *trace, const char *path,
                         unsigned jobs, struct fth_verify_progress *progress,
                         struct fth_error **error);

#endif
