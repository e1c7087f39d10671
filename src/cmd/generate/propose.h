/* `fathom generate --from TRACE`: a template from what a recorded program did. */
#ifndef FTH_CMD_PROPOSE_H
#define FTH_CMD_PROPOSE_H

#include "base/error.h"

#include <stdbool.h>

struct fth_cmd_proposing {
    const char *trace_path;
    const char *library;  /* NULL: what the program used */
    const char *language; /* NULL: by the ending of `output` */
    const char *output;   /* NULL: the standard output */
    bool force, json, explain;
};

/* Writes the template, and says of which files there is none, and why. 0, or -1 with *error set:
 * nothing was written. */
int fth_cmd_propose(const struct fth_cmd_proposing *asked, struct fth_error **error);

#endif
