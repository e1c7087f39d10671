/* What the files of `fathom instrument` share. */
#ifndef FTH_CMD_INSTRUMENT_INSTRUMENT_COMMAND_H
#define FTH_CMD_INSTRUMENT_INSTRUMENT_COMMAND_H

#include "instrument/instrument.h"

#include <stdbool.h>
#include <stdio.h>

/* The file in every folder that it makes. */
#define FTH_INSTRUMENT_MARK "instrument.json"

struct fth_cmd_instrumenting {
    const struct fth_instrument_setup *setup;
    struct fth_instrument_trees trees;
    char *folder; /* absolute */
    bool force, quiet;
};

/* ---- instrument_make.c: the copies, with their probes, built ---- */

int fth_cmd_instrument_make(struct fth_cmd_instrumenting *instrumenting, bool in_json,
                            struct fth_error **error);

/* Makes the plug-in of the rows that are in the folder. */
int fth_cmd_instrument_plugin(const struct fth_cmd_instrumenting *instrumenting,
                              struct fth_error **error);

/* ---- instrument_runs.c: what runs on them ---- */

/* The runs of this name, NULL: all; on the original sources, or the instrumented ones, recorded. */
int fth_cmd_instrument_runs(struct fth_cmd_instrumenting *instrumenting, const char *name,
                            bool original, bool in_json, struct fth_error **error);

/* ---- run_in_folder.c: other programs ---- */

/* Runs words in a folder; what they print goes to the file `log`. Returns the exit status, 128 and
 * more for a signal; or -1 and *error: it could not be started. */
int fth_cmd_run_in_folder(char *const *words, const char *folder, const char *log,
                          struct fth_error **error);
/* The last lines of a log, for people. */
void fth_cmd_run_show_log(const char *log);

#endif
