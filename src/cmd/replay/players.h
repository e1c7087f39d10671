/* Runs the player of a replay, by itself or through a launcher, and reads what came of it. */
#ifndef FTH_CMD_REPLAY_PLAYERS_H
#define FTH_CMD_REPLAY_PLAYERS_H

#include "base/error.h"
#include "fathom/trace.h"
#include "player/player_script.h"
#include "repeat/script/script.h"

struct fth_replay_run {
    const char *folder;    /* of the scripts */
    char *const *launcher; /* words of the command, ended by NULL; NULL: one that fits the trace */
    const char *mpi;       /* the library, or NULL */
    const char *hdf5;      /* the same */
};

/* All processes together. */
struct fth_replayed {
    struct fth_script_outcome *outcomes; /* by function; freed by the caller */
    int64_t elapsed, late;               /* ns */
    int64_t processor;                   /* ns, of all processes */
};

/* Can the run be started? A launcher is looked for, with the number of ranks. -1 and *error. */
int fth_replay_check_players(const struct fth_trace *trace, const struct fth_replay_run *run,
                             uint32_t ranks, struct fth_error **error);
int fth_replay_run_players(const struct fth_trace *trace, const struct fth_replay_run *run,
                           const struct fth_repeat_summary *summary, struct fth_replayed *replayed,
                           struct fth_error **error);

#endif
