/* The same program again and again, each time with other values: of the cluster's keys, of methods,
 * of the number of processes. All combinations are points, which are simulated side by side in as
 * many processes as there are processors. Several `fathom` may share them: each simulates its own,
 * and one shows them all. */
#ifndef FTH_SIM_RESULTS_PARAMETER_SWEEP_H
#define FTH_SIM_RESULTS_PARAMETER_SWEEP_H

#include "sim/replay/replay.h"
#include "sim/run/run.h"
#include "table/table.h"

enum { FTH_SIM_AXES = 8, FTH_SIM_MOST_POINTS = 1 << 20 };

/* One key, and the values that it goes through. */
struct fth_sim_axis {
    char *key;
    char **values;
    uint32_t count;
};

struct fth_sim_sweep {
    struct fth_sim_axis axes[FTH_SIM_AXES];
    uint32_t axis_count;
    const char *program_path, *cluster_path;
    uint32_t processes; /* 0: as the program says */
    const struct fth_sim_method *const *methods;
    size_t method_count;
    const struct fth_sim_replay_options *replay;
    uint64_t most_events; /* of a point; 0: as many as it takes */
    uint32_t part,
        parts;        /* which points are simulated here: those of this part of so many; 0: all */
    uint32_t workers; /* processes; 0: as many as there are processors */
};

/* What came of a point: plain memory, which may be sent. */
struct fth_sim_point {
    bool is_done;
    int64_t time, end; /* end: of the process that ended last */
    uint64_t events;
    uint32_t unfinished;
    char busiest[64];
    double share;
    char wrong[256];
};

/* "servers=1..64", "stripe=64K,1M", "node edge.latency=1 us,20 us", "bcast=Pipelined,Direct",
 * "processes=2,4,8". */
int fth_sim_sweep_add(struct fth_sim_sweep *sweep, const char *text, struct fth_error **error);
void fth_sim_sweep_free(struct fth_sim_sweep *sweep);

/* The part that simulates a point: in each turn every part gets one, in each turn from another part
 * on. So each part gets its share of every value of every key; from the same part on, two parts
 * would have one of the two values of the last key each. */
uint32_t fth_sim_sweep_part_of(uint64_t number, uint32_t parts);

/* How many points there are; 0: too many, *error is set. */
uint64_t fth_sim_sweep_count(const struct fth_sim_sweep *sweep, struct fth_error **error);
/* Whether the cluster of any point can be read, as far as the first 4096 of them. -1: a key is
 * wrong, or all its values are; *error is that of the first point. */
int fth_sim_sweep_check(const struct fth_sim_sweep *sweep, uint64_t count,
                        struct fth_error **error);
/* All points, of which those of this part were simulated; in memory that is shared with workers, to
 * be given back with fth_sim_sweep_forget. NULL: *error. */
struct fth_sim_point *fth_sim_sweep_run(const struct fth_sim_sweep *sweep, uint64_t count,
                                        struct fth_error **error);
void fth_sim_sweep_forget(struct fth_sim_point *points, uint64_t count);
/* Simulates the first point, and takes what came of it. -1: *error. */
struct fth_sim_outcome;
int fth_sim_sweep_one(const struct fth_sim_sweep *sweep, struct fth_sim_outcome *outcome,
                      struct fth_error **error);
/* A row for each point, those of the last axis first: its values, time, end of the last process,
 * events, what was busiest, what was wrong. NULL: *error. */
struct fth_table *fth_sim_sweep_table(const struct fth_sim_sweep *sweep,
                                      const struct fth_sim_point *points, uint64_t count,
                                      struct fth_error **error);

#endif
