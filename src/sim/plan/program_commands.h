/* The commands of processes, one after the other. A program yields the next command of each
 * rank; nobody keeps a list of all of them, so a loop costs nothing and a million ranks cost
 * little. */
#ifndef FTH_SIM_PLAN_PROGRAM_COMMANDS_H
#define FTH_SIM_PLAN_PROGRAM_COMMANDS_H

#include "sim/plan/begin_order.h"
#include "sim/plan/communicator.h"
#include "sim/plan/ranges.h"

#include <stdbool.h>
#include <stdint.h>

enum fth_sim_verb {
    FTH_SIM_COMPUTE,
    FTH_SIM_IDLE, /* for so many nanoseconds, without a processor */
    FTH_SIM_SEND,
    FTH_SIM_RECV,
    FTH_SIM_SENDRECV,
    FTH_SIM_PUT, /* into the memory of another process, who does nothing; out of it */
    FTH_SIM_GET,
    /* each of a list of processes is notified that something is so: an epoch of a window begins, or
     * ends */
    FTH_SIM_NOTIFY,
    FTH_SIM_AWAIT, /* until each of them has notified it */
    FTH_SIM_BARRIER,
    FTH_SIM_BCAST,
    FTH_SIM_REDUCE,
    FTH_SIM_ALLREDUCE,
    FTH_SIM_GATHER,
    FTH_SIM_SCATTER,
    FTH_SIM_ALLGATHER,
    FTH_SIM_ALLTOALL,
    FTH_SIM_ALLTOALLV,
    FTH_SIM_NEIGHBOURS, /* everybody with those that he names */
    FTH_SIM_REDUCE_SCATTER,
    FTH_SIM_SCAN,
    FTH_SIM_EXSCAN,
    FTH_SIM_PROBE,   /* until there is a message that could be received */
    FTH_SIM_WAIT,    /* for all requests of the command, which are over then */
    FTH_SIM_WAITANY, /* for one of them */
    FTH_SIM_TEST,    /* for none: those that are done are over */
    /* Of one process, with files. */
    FTH_SIM_FILE_OPEN,
    FTH_SIM_FILE_CLOSE,
    FTH_SIM_FILE_LOOKUP, /* something else that is done with its name: stat, unlink */
    FTH_SIM_FILE_READ,
    FTH_SIM_FILE_WRITE,
    FTH_SIM_FILE_SYNC,
    /* Of all of them together. */
    FTH_SIM_FILE_OPEN_ALL,
    FTH_SIM_FILE_CLOSE_ALL,
    FTH_SIM_FILE_READ_ALL,
    FTH_SIM_FILE_WRITE_ALL,
    FTH_SIM_VERBS
};
extern const char *const fth_sim_verb_names[FTH_SIM_VERBS];

/* Whether all members of a communicator do it together. */
static inline bool fth_sim_is_collective(enum fth_sim_verb verb)
{
    return (verb >= FTH_SIM_BARRIER && verb <= FTH_SIM_EXSCAN) ||
           (verb >= FTH_SIM_FILE_OPEN_ALL && verb <= FTH_SIM_FILE_WRITE_ALL);
}

/* Whether the process at the other end does nothing. */
static inline bool fth_sim_is_one_sided(enum fth_sim_verb verb)
{
    return verb == FTH_SIM_PUT || verb == FTH_SIM_GET;
}

/* What is done with a file, by one process or by all together. */
static inline bool fth_sim_opens(enum fth_sim_verb verb)
{
    return verb == FTH_SIM_FILE_OPEN || verb == FTH_SIM_FILE_OPEN_ALL;
}
static inline bool fth_sim_closes(enum fth_sim_verb verb)
{
    return verb == FTH_SIM_FILE_CLOSE || verb == FTH_SIM_FILE_CLOSE_ALL;
}
static inline bool fth_sim_reads(enum fth_sim_verb verb)
{
    return verb == FTH_SIM_FILE_READ || verb == FTH_SIM_FILE_READ_ALL;
}
static inline bool fth_sim_writes(enum fth_sim_verb verb)
{
    return verb == FTH_SIM_FILE_WRITE || verb == FTH_SIM_FILE_WRITE_ALL;
}

/* Whether it waits for what was begun, and is never begun itself. */
static inline bool fth_sim_is_wait(enum fth_sim_verb verb)
{
    return verb >= FTH_SIM_WAIT && verb <= FTH_SIM_TEST;
}

#define FTH_SIM_ANY UINT32_MAX
#define FTH_SIM_COMES UINT64_MAX /* instead of bytes: from there */

/* What is done with the name of a file. */
enum fth_sim_name {
    FTH_SIM_NAME_SOMEHOW,
    FTH_SIM_NAME_STAT,
    FTH_SIM_NAME_RENAME,
    FTH_SIM_NAME_DELETE,
};

/* Ranks are those of the command's communicator. */
struct fth_sim_command {
    enum fth_sim_verb verb;
    uint32_t communicator; /* 0: all processes, else the program's one before that number */
    uint32_t to, from;     /* FTH_SIM_ANY as a source: whoever comes first */
    uint32_t tag, from_tag;
    uint32_t root;
    /* of the message; of gather, scatter, allgather, alltoall and reduce_scatter: of
     * each rank's part */
    uint64_t bytes;
    int64_t nanoseconds; /* compute: alone on a processor of the cluster; idle */
    uint64_t instructions;
    /* A request other than 0: the command is only begun, and somebody waits for that number later.
     * WAIT and its like: for those from `request` up to `last_request`, 0 for all that there
     * are. */
    uint32_t request, last_request;
    uint32_t file;          /* of the program's files */
    enum fth_sim_name name; /* lookups */
    bool creates;           /* opens: the file is made when it is not there */
    bool is_mpiio;          /* files: MPI's library does it */
    /* Of the file; a list lives until the next command of the process. Of alltoallv a list of from
     * which rank (`offset`) how many bytes come, in the order of ranks; of neighbours of those to
     * which so many bytes go, and those from which something comes; of notify and await of
     * ranks. */
    struct fth_sim_ranges ranges;
    uint32_t line;    /* of the program; 0: none */
    bool holds;       /* nothing is done, but no earlier than the order of the program says */
    bool is_left_out; /* of what is reported beside the recorded run */
};

/* Commands of a kind, and how long they took, of all processes together. */
struct fth_sim_spent {
    uint64_t count;
    int64_t time; /* ns */
};

/* How far a process has come; zeroed at the start. */
enum { FTH_SIM_LOOPS = 8 };
struct fth_sim_cursor {
    uint32_t at, depth;
    uint64_t turns[FTH_SIM_LOOPS];
};

/* A file that a program works with. */
struct fth_sim_file {
    const char *name;
    uint64_t size; /* at the start */
    /* so many bytes on one server, then so many on the next; 0: as the cluster has it */
    uint64_t stripe;
    uint32_t servers;   /* that it is spread over; 0: all */
    uint32_t first;     /* of them: the one with its first byte */
    uint32_t cb_nodes;  /* aggregators of collective accesses; 0: as the cluster has it */
    uint64_t cb_buffer; /* bytes that each takes at a time; 0: as the cluster has it */
};

struct fth_sim_program {
    uint32_t ranks;
    /* what lines of its commands are: "call", "command"; NULL: lines of a text, 0 is none */
    const char *numbers;
    const struct fth_sim_communicator *communicators; /* beside that of all processes */
    uint32_t communicator_count;
    const struct fth_sim_file *files;
    uint32_t file_count;
    const struct fth_sim_begin_order *order; /* of groups of ranks; NULL: all begin at once */
    /* The next command of a rank; false: it has come to its end. */
    bool (*next)(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *command);
};

#endif
