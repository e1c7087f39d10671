/* A replay on the files of the run: `fathom replay --originals`. */
#ifndef FTH_CMD_REPLAY_ORIGINALS_H
#define FTH_CMD_REPLAY_ORIGINALS_H

#include "base/error.h"
#include "repeat/what/file_places.h"

#include <stdint.h>

/* Would the replay write to this file, or delete it, and is it there? Its length, bytes; -1: no. */
int64_t fth_replay_overwrites(const struct fth_repeat_place *place);

/* Touches nothing. Is there what the run found, and is nothing overwritten that may not be?
 * `overwrite`: everything may. -1 and *error: no. */
int fth_replay_check_originals(const struct fth_repeat_places *places, bool overwrite,
                               struct fth_error **error);

#endif
