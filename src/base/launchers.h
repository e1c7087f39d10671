/* Launchers: mpirun, srun and their like, which start the ranks of a run. One table has their
 * programs and the variables by which a rank knows who it is; one line there adds a launcher. The
 * preloaded part uses it, too: nothing here allocates, opens files or keeps a state, and every
 * function may be called by any number of threads while nobody changes the environment. */
#ifndef FTH_BASE_LAUNCHERS_H
#define FTH_BASE_LAUNCHERS_H

#include <stdbool.h>
#include <stdint.h>

struct fth_launcher {
    const char *name;     /* as people call it */
    const char *programs; /* with blanks between; "hydra_*": all that begin so */
    /* Names of variables of each rank; NULL: it has none. `local_size` is how many ranks are on
     * this node: a number, or one for each node, "4(x2),3", and `node` the number of this node. */
    const char *rank, *size, *local_size, *node;
    const char *job[2]; /* what distinguishes one of its runs from the next */
    /* What starts its daemons on other nodes: only where that is ours, ranks there are recorded. */
    const char *agents[2];
    bool starts_mpi;
};

extern const struct fth_launcher fth_launchers[];
extern const unsigned fth_launcher_count;

/* Is this a program of a launcher, or what it starts on nodes? Its path, its name, or the first 15
 * bytes of that (/proc/PID/comm). */
bool fth_is_launcher(const char *program);

/* What the variables of a launcher give this process. */
struct fth_launch {
    const struct fth_launcher *launcher;
    int32_t rank, size; /* 0 <= rank < size */
    int32_t local_size; /* 1 to size; 0: not known */
};

/* How many ranks are on this node; 0: not known. */
int32_t fth_launcher_local_size(const struct fth_launcher *launcher);
/* False: these variables are not there, or no numbers in range. */
bool fth_launch_read(const struct fth_launcher *launcher, struct fth_launch *launch);
/* By the first launcher of the table that has started this process; false: none has. */
bool fth_launch_find(struct fth_launch *launch);
#endif
