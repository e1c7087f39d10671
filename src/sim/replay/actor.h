/* Inner header of the sim room: a trace that is replayed, and its processes. */
#ifndef FTH_SIM_ACTOR_H
#define FTH_SIM_ACTOR_H

#include "base/intern.h"
#include "fathom/access.h"
#include "sim/replay/groups.h"
#include "sim/replay/replay.h"
#include "sim/replay/sense.h"

/* Longer lists of ranges are taken for one range of as many bytes. */
enum { FTH_SIM_MOST_RANGES = 1 << 20 };
/* No call moves more, no file is longer, and no run lasts longer: a trace that says so would be simulated forever. */
#define FTH_SIM_MOST_BYTES (UINT64_C(1) << 40)
#define FTH_SIM_MOST_POSITION (UINT64_C(1) << 60)
#define FTH_SIM_MOST_TIME INT64_C(1000000000000000)

/* What a request stands for. */
struct slot {
    bool pending;
    uint32_t persistent; /* the number of the command that each start is, plus 1; or 0 */
};

/* A process of the run. */
struct actor {
    size_t proc;
    uint32_t rank;
    struct fth_calls *calls;
    struct fth_accesses *accesses;
    bool ended;
    int64_t last;       /* when the call that was replayed last had returned */
    uint32_t *covering; /* by thread: the depth below a call that was replayed; 0: none is around */
    uint32_t thread_limit;
    struct fth_sim_command *queue;
    uint32_t queue_at, queue_end, queue_limit;
    struct fth_sim_extent *extents;
    uint32_t extent_limit;
    struct slot *slots;
    uint32_t slot_limit;
    struct fth_sim_command *persistent;
    uint32_t persistent_count;
};

struct replay {
    struct fth_sim_program program;
    struct fth_sim_replay_options options;
    struct fth_trace *trace;
    struct fth_sim_sense *senses;
    size_t sense_count;
    struct fth_intern names; /* of files, by their numbers */
    struct fth_sim_file *files;
    uint32_t file_count, file_limit;
    bool is_mpi;
    struct fth_sim_groups groups;
    struct actor *actors;
    struct fth_sim_replay_losses losses;
    struct fth_error *error;
};

/* Computation up to a time. */
void fth_sim_actor_compute(const struct replay *replay, struct actor *actor, int64_t until);
/* The commands that a call becomes. Whether what happens inside of it belongs to it. */
bool fth_sim_actor_call(struct replay *replay, struct actor *actor,
                        const struct fth_sim_sense *sense, const struct fth_access *access);

#endif
