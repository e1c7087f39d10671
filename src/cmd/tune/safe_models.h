/* Inner header of the cmd room: on which consistency of our file system the recorded program may
 * run. */
#ifndef FTH_CMD_TUNE_SAFE_MODELS_H
#define FTH_CMD_TUNE_SAFE_MODELS_H

#include "cmd/tune/tune_command.h"

/* Verifies the recorded run, if its files lie below one folder and their calls take time. Fills
 * tuning->models, weakest first, or tuning->no_models. -1: *error is set. */
int fth_cmd_tune_find_models(struct fth_cmd_tuning *tuning, struct fth_trace *trace,
                             struct fth_error **error);

#endif
