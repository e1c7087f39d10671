/* Profiles: what a workflow needs to know of a trace, as a JSON file that is small enough to be
 * kept. It is made where the trace is, on the resources of its own job. */
#ifndef FTH_WORKFLOW_STEP_PROFILE_H
#define FTH_WORKFLOW_STEP_PROFILE_H

#include "base/error.h"
#include "base/sink.h"
#include "workflow/workflow.h"

#include <stddef.h>

/* Its "version". Older ones are read, too: 2 does not tell how long files were read and written; 1
 * has no processes either, and not when files were opened and closed. */
enum { FTH_PROFILE_VERSION = 3 };

/* Steps, files, uses and changes of names of this workflow. */
void fth_workflow_write_profile(const struct fth_workflow *workflow, struct fth_sink *sink);
/* Does the text begin like a profile? */
bool fth_workflow_is_profile(const char *text, size_t length);
/* Adds what is in the profile `path`. The file is untrusted: numbers out of range, and what it
 * lacks, are errors. -1: *error is set, and nothing was added. */
int fth_workflow_add_profile(struct fth_workflow *workflow, const char *path,
                             struct fth_error **error);

#endif
