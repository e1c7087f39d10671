/* What is installed or built beside this program: the tracer, clusters, the Python package. */
#ifndef FTH_CMD_SHARED_INSTALLED_H
#define FTH_CMD_SHARED_INSTALLED_H

#include <argp.h>
#include <limits.h>
#include <stdbool.h>

/* Writes where `name` is in `folder`, a path from the folder of this program; NULL: in one of those
 * of libraries. false: it is not there. */
bool fth_cmd_installed(const char *folder, const char *name, char path[PATH_MAX]);

/* The cluster that --on names: a file, or else one of those that come with Fathom, as `pvs` or
 * `clusters/pvs.yaml`, whose path is written to `path`. What is neither is handed back as it is; if
 * it is no path, `state` gets an error that names those that there are. */
const char *fth_cmd_cluster(const struct argp_state *state, const char *given, char path[PATH_MAX]);

#endif
