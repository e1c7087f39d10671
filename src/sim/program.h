/* What processes do: commands, one after the other. A program says for each rank which comes next; nobody keeps a list of all of them,
 * so that a loop costs nothing and a million ranks little. */
#ifndef FTH_SIM_PROGRAM_H
#define FTH_SIM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum fth_sim_verb {
    FTH_SIM_COMPUTE,
    FTH_SIM_SEND,
    FTH_SIM_RECV,
    FTH_SIM_SENDRECV,
    FTH_SIM_BARRIER,
    FTH_SIM_BCAST,
    FTH_SIM_REDUCE,
    FTH_SIM_ALLREDUCE,
    FTH_SIM_GATHER,
    FTH_SIM_SCATTER,
    FTH_SIM_ALLGATHER,
    FTH_SIM_VERBS
};
extern const char *const fth_sim_verb_names[FTH_SIM_VERBS];

#define FTH_SIM_ANY UINT32_MAX

struct fth_sim_command {
    enum fth_sim_verb verb;
    uint32_t to, from; /* ranks; FTH_SIM_ANY as a source: whoever comes first */
    uint32_t tag, from_tag;
    uint32_t root;
    uint64_t bytes;      /* of the message; of gather, scatter and allgather: of each rank's part */
    int64_t nanoseconds; /* compute: alone on a processor of the cluster */
    uint64_t instructions;
    uint32_t line; /* of the program; 0: none */
};

/* How far a process has come; zeroed at the start. */
enum { FTH_SIM_LOOPS = 8 };
struct fth_sim_cursor {
    uint32_t at, depth;
    uint64_t turns[FTH_SIM_LOOPS];
};

struct fth_sim_program {
    uint32_t ranks;
    /* The next command of a rank; false: it has come to its end. */
    bool (*next)(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *command);
};

#endif
