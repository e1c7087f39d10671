/* What can be gained at most by a template of `fathom generate --from`: the time of the calls that
 * it replaces, along the critical path. Inner header of the cmd room. */
#ifndef FTH_CMD_GENERATE_REPLACED_CALLS_H
#define FTH_CMD_GENERATE_REPLACED_CALLS_H

#include "base/error.h"
#include "fathom/trace.h"
#include "gen/infer/infer.h"

/* Calls on the files with hints, and of gatherings before one process writes. */
struct fth_cmd_replaced {
    int64_t most;    /* ns that the run would be shorter without them; -1: not known, because of */
    const char *why; /* this */
    int64_t length;  /* ns of the critical path */
    bool gathered;
};

int fth_cmd_replaced_find(struct fth_cmd_replaced *replaced, struct fth_trace *trace,
                          const struct fth_gen_inferred *inferred, struct fth_error **error);
/* A sentence or two; to be freed. */
char *fth_cmd_replaced_text(const struct fth_cmd_replaced *replaced);

#endif
