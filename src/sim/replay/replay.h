/* Traces as programs: what a run did is done again on another machine. Calls of MPI and of files
 * become commands; what is between them is computed; calls that are no commands (one-sided
 * communication, names of files) are part of that. Calls are taken from the trace as the simulation
 * needs them, so that a process holds no more than it had open. */
#ifndef FTH_SIM_REPLAY_H
#define FTH_SIM_REPLAY_H

#include "base/error.h"
#include "sim/plan/program_commands.h"

#include <stddef.h>

enum fth_sim_replay_level {
    FTH_SIM_REPLAY_MPIIO, /* calls of MPI-IO where there are any, others of the system */
    FTH_SIM_REPLAY_POSIX, /* those of the system, also inside of MPI-IO */
};

struct fth_sim_replay_options {
    enum fth_sim_replay_level level;
    bool without_messages, without_files; /* what is left out takes no time */
    bool files_meet; /* without files: those who open, read or write one together meet there */
    /* that the recorded processors made in a second; 0: as many as those of the cluster */
    uint64_t instructions;
    /* Already open, outlives the program; NULL: the file of the path is opened. */
    struct fth_trace *trace;
    const bool *procs; /* by process of the trace: it is replayed; NULL: all of a run are */
    /* Whether what is done with a file takes as long as it did, as it stays where it is; NULL: all
     * files are those of the cluster. */
    bool (*stays)(const char *path);
    /* Reading from a pipe takes no time, but its end is a command that holds: who asks gives the
     * program an order. */
    bool pipes_hold;
    bool starts_count; /* how long MPI took to start and to end is part of the run, as recorded */
};

/* Calls that were taken for computation; or, without bytes, for a meeting only. */
enum fth_sim_loss_kind {
    FTH_SIM_LOST_GROUP,      /* on communicators whose members are not known */
    FTH_SIM_LOST_NEIGHBOURS, /* with neighbours that are not known */
    FTH_SIM_LOST_PLACE,      /* they moved bytes, nobody knows where */
    FTH_SIM_LOST_BYTES,      /* the same, but those who take part still meet in them */
    FTH_SIM_LOSSES
};
struct fth_sim_loss {
    const char *function;
    enum fth_sim_loss_kind why;
    uint64_t calls;
};

/* Whether a file begins as traces do. */
bool fth_sim_is_trace(const char *path);
/* NULL: *error says why. */
struct fth_sim_program *fth_sim_replay_open(const char *path,
                                            const struct fth_sim_replay_options *options,
                                            struct fth_error **error);
/* The recorded run. */
const struct fth_trace *fth_sim_replay_trace(const struct fth_sim_program *program);
/* How many of its processes did not come to their end, or lack calls; *how: how the first of them
 * ended. */
size_t fth_sim_replay_cut_off(const struct fth_sim_program *program, const char **how);
/* Ranks that were only watched in some phases (`fathom record --select`). */
size_t fth_sim_replay_watched(const struct fth_sim_program *program);
/* After the simulation: -1 when the trace turned out to be damaged. */
int fth_sim_replay_check(struct fth_sim_program *program, struct fth_error **error);
/* ns of the trace: when the first of the processes that are replayed started, and the last one
 * ended. */
void fth_sim_replay_span(const struct fth_sim_program *program, int64_t *start, int64_t *end);
/* What was lost, one after the other, by functions in the order of the trace; false: no more. */
bool fth_sim_replay_loss(const struct fth_sim_program *program, size_t index,
                         struct fth_sim_loss *loss);
/* After the simulation: what commands of this verb took in the recorded run; how long the process
 * took for which it was longest, without MPI_Init and MPI_Finalize and what the options leave out,
 * in ns. */
const struct fth_sim_spent *fth_sim_replay_recorded(const struct fth_sim_program *program,
                                                    enum fth_sim_verb verb);
int64_t fth_sim_replay_recorded_time(const struct fth_sim_program *program);
/* Does that leave out how long MPI took to start and to end? */
bool fth_sim_replay_leaves_out(const struct fth_sim_program *program);
void fth_sim_replay_free(struct fth_sim_program *program);

#endif
