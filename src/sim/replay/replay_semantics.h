/* What functions of a trace mean for who replays it, from their rows: kinds, flags, roles. Inner
 * header of the sim room. */
#ifndef FTH_SIM_SEMANTICS_H
#define FTH_SIM_SEMANTICS_H

#include "fathom/trace.h"
#include "sim/plan/program_commands.h"

enum fth_sim_what {
    FTH_SIM_IS_NOTHING,
    FTH_SIM_IS_PROBE,
    FTH_SIM_IS_WINDOW, /* makes one */
    FTH_SIM_IS_VISIT,  /* puts or gets: `verb` */
    FTH_SIM_IS_EPOCH,  /* ends there; `verb` is a barrier where all come to it */
    FTH_SIM_IS_LOCK,   /* begins one, which costs nothing */
    /* of an epoch between some of the members: those who reach others start and complete it, */
    FTH_SIM_IS_START,
    FTH_SIM_IS_COMPLETE,
    FTH_SIM_IS_POST, /* those who are reached post it and wait for its end */
    FTH_SIM_IS_AWAIT,
    FTH_SIM_IS_MESSAGE, /* sends, receives, or both: `verb` */
    FTH_SIM_IS_TOGETHER,
    FTH_SIM_IS_ALL_OF_WORLD,      /* MPI up and down */
    FTH_SIM_IS_START_OF_REQUESTS, /* persistent ones */
    FTH_SIM_IS_WAIT,
    FTH_SIM_IS_FILE, /* open, close, sync, names: `verb`, of one process */
    FTH_SIM_IS_DATA,
};

enum { FTH_SIM_NO_PARAMETER = -1 };

struct fth_sim_semantics {
    const struct fth_function *function;
    enum fth_sim_what what;
    enum fth_sim_verb verb;
    enum fth_sim_name name; /* lookups: what is done with it */
    bool is_mpi, is_mpiio, is_test, makes_window, is_neighbours;
    /* for others, in each call; in those on a pipe, a socket or a terminal; for a lock of a file */
    bool waits, meets_others, locks;
    /* numbers of parameters */
    int peers[2], tags[2], count, last_count, last_datatype, root;
    int received, partitions; /* what comes from each; in how many parts a message goes */
    int message, new_message; /* matched by a probe; that it makes */
    int made, requests;       /* the request that it makes, those that it uses */
    int outs[2], indices;
};

/* What all functions of a trace mean; the caller frees it. */
struct fth_sim_semantics *fth_sim_all_semantics(const struct fth_trace *trace, size_t *count);
const struct fth_sim_semantics *
fth_sim_semantics_of(const struct fth_sim_semantics *semantics_table, size_t count,
                     const struct fth_function *function);

#endif
