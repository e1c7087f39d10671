/* <fathom/sim.h>: simulate parallel programs and their I/O on clusters, as `fathom simulate` does.
 * fathom-simulate(1) describes the models.
 *
 *     struct fth_cluster *cluster = fth_cluster_open("clusters/pvs.yaml", NULL, &error);
 *     struct fth_program *program = fth_program_new(2, &error);
 *     fth_program_add(program, 0, &(struct fth_command){.verb = FTH_VERB_SEND, .to = 1, .bytes = 1
 *     << 20}, &error);
 *     fth_program_add(program, 1, &(struct fth_command){.verb = FTH_VERB_RECV, .from = 0}, &error);
 *     struct fth_simulation *simulation = fth_simulate(cluster, program, NULL, &error);
 *     printf("%" PRId64 " ns\n", fth_simulation_sums(simulation)->time);
 *
 * A program contains the commands of each rank, a cluster describes the hardware, and a simulation
 * has the results. The same program on the same cluster always gives the same figures.
 *
 * Errors: a function that returns NULL or -1 sets *error to what is wrong, where, and what would be
 * right ("command 3 of rank 1, send: there is no rank 9, ranks are 0 to 7"); the caller frees it.
 * *error must be NULL before the call; `error` may be NULL. No function prints anything or exits.
 * When memory runs out, this is an error, too, but the memory that the call had allocated is not
 * freed.
 *
 * Thread-safety: there is no state outside these objects. A program belongs to one thread while
 * commands are added. Then any number of threads may simulate it at the same time, and share a
 * cluster; each gets its own simulation. The objects are independent, and may be freed in any
 * order. A thread that has written or read a trace keeps about 60 KiB for the next one until the
 * process ends.
 *
 * Times are nanoseconds, sizes bytes; ranks and files are counted from 0. */
#ifndef FATHOM_SIM_H
#define FATHOM_SIM_H

#include <fathom/trace.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- clusters ---- */

struct fth_cluster;

/* Reads a cluster from a YAML file, or from text. `settings` is NULL or a list that ends with NULL.
 * Each setting changes the value of a key, or adds a key: "servers.count=4", "mpi.bcast=Pipelined",
 * "network.node edge.latency=1 us". Errors name the line and column, or the setting. Also returns
 * NULL if the library was built without libyaml. */
struct fth_cluster *fth_cluster_open(const char *path, const char *const *settings,
                                     struct fth_error **error);
struct fth_cluster *fth_cluster_parse(const char *text, const char *const *settings,
                                      struct fth_error **error);
void fth_cluster_free(struct fth_cluster *cluster); /* NULL is allowed */

/* ---- programs ---- */

enum fth_verb {
    /* `nanoseconds` on an otherwise idle processor of the cluster (at most 10^14), or
     * `instructions` (at most 10^18) */
    FTH_VERB_COMPUTE,
    FTH_VERB_SEND,     /* `to`, `bytes`, `tag` */
    FTH_VERB_RECV,     /* `from`, `tag` */
    FTH_VERB_SENDRECV, /* `to`, `bytes`, `tag`; `from`, `from_tag` */
    FTH_VERB_PUT,      /* `to`, `bytes`; one-sided: the other process takes no part */
    FTH_VERB_GET,      /* `from`, `bytes`; one-sided */
    FTH_VERB_PROBE,    /* `from`, `tag` */
    /* Collective, for all members of a communicator. */
    FTH_VERB_BARRIER,
    FTH_VERB_BCAST,     /* `root`, `bytes` */
    FTH_VERB_REDUCE,    /* `root`, `bytes` */
    FTH_VERB_ALLREDUCE, /* `bytes` */
    FTH_VERB_GATHER,    /* `root`, `bytes` of each rank's part */
    FTH_VERB_SCATTER,   /* `root`, `bytes` of each rank's part */
    FTH_VERB_ALLGATHER, /* `bytes` of each rank's part; the same for the next two */
    FTH_VERB_ALLTOALL,
    FTH_VERB_REDUCE_SCATTER,
    FTH_VERB_SCAN,   /* `bytes` */
    FTH_VERB_EXSCAN, /* `bytes` */
    /* For commands that were begun with a `request`. */
    /* until `request`, or all from `request` to `last_request`, are complete; `request` 0: all open
     * requests */
    FTH_VERB_WAIT,
    FTH_VERB_WAITANY, /* the same, until one of them is complete */
    FTH_VERB_TEST,    /* the same, without waiting: completes those that are done */
    /* For one process, with a `file`. */
    FTH_VERB_FILE_OPEN,
    FTH_VERB_FILE_CLOSE,
    FTH_VERB_FILE_LOOKUP, /* any other operation on its name: stat, unlink */
    /* `offset` and `bytes`; `count` such ranges, whose starts are `stride` apart; or `ranges` */
    FTH_VERB_FILE_READ,
    FTH_VERB_FILE_WRITE, /* the same */
    FTH_VERB_FILE_FLUSH, /* ends when the written data is on the disks */
    /* Collective, for all processes. */
    FTH_VERB_FILE_OPEN_ALL,
    FTH_VERB_FILE_CLOSE_ALL,
    FTH_VERB_FILE_READ_ALL,
    FTH_VERB_FILE_WRITE_ALL,
    /* A loop: repeats the commands of the rank up to the matching FTH_VERB_END, `count` times. Up
     * to eight may be nested. */
    FTH_VERB_REPEAT,
    FTH_VERB_END,
    FTH_VERBS
};

#define FTH_ANY_RANK UINT32_MAX  /* for `from`: the first sender */
#define FTH_ANY_TAG UINT32_MAX   /* for received messages */
#define FTH_EACH_RANK UINT32_MAX /* for fth_program_add */

struct fth_command_range {
    uint64_t offset, bytes;
};

/* A command. Members that its verb does not use are ignored. */
struct fth_command {
    enum fth_verb verb;
    /* from fth_program_split; 0: all processes. Ranks are those within it */
    uint32_t communicator;
    uint32_t to, from, root; /* ranks; `from` may be FTH_ANY_RANK where it has a tag */
    /* from_tag: of what SENDRECV receives. Of what is received, both may be FTH_ANY_TAG */
    uint32_t tag, from_tag;
    uint64_t bytes; /* at most 2^60 */
    int64_t nanoseconds;
    uint64_t instructions;
    /* Not 0: the command is nonblocking, and a later command waits for this number, at most
     * 2^30. */
    uint32_t request, last_request;
    uint32_t file;           /* from fth_program_file */
    uint64_t offset, stride; /* bytes, at most 2^60 */
    uint64_t count;          /* of ranges, less than 2^32, 0: one; of iterations */
    /* `count` ranges, ascending, without overlaps; they are copied */
    const struct fth_command_range *ranges;
};

/* A file that a program uses. */
struct fth_program_file {
    const char *name; /* copied */
    uint64_t size;    /* initially */
    uint64_t stripe;  /* number of bytes on one server before the next; 0: that of the cluster */
    uint32_t servers; /* number of servers with parts of it; 0: all */
    uint32_t first;   /* number of the server with the first byte, modulo the number of servers */
};

struct fth_program;

/* An empty program of 1 to 2^24 processes. */
struct fth_program *fth_program_new(uint32_t ranks, struct fth_error **error);
/* Reads a program as `fathom simulate` does: text, Parabench (.pbl), or a trace, whose run is
 * replayed. `ranks`, if not 0, overrides the number of processes in a text; a trace has its own
 * number. */
struct fth_program *fth_program_open(const char *path, uint32_t ranks, struct fth_error **error);
struct fth_program *fth_program_parse(const char *text, uint32_t ranks, struct fth_error **error);
void fth_program_free(struct fth_program *program); /* NULL is allowed */
uint32_t fth_program_ranks(const struct fth_program *program);

/* The next three are for programs from fth_program_new. */

/* Returns the number of a new file; -1: it has no name, or another file has this name. */
int64_t fth_program_file(struct fth_program *program, const struct fth_program_file *file,
                         struct fth_error **error);
/* Returns the number of a new communicator. Each process has a color, and processes of the same
 * color form a group, in the order of their keys (NULL: of their ranks). Processes with
 * FTH_NO_COLOR are in no group. This takes no simulated time. */
#define FTH_NO_COLOR UINT32_MAX
int64_t fth_program_split(struct fth_program *program, const uint32_t *colors, const uint32_t *keys,
                          struct fth_error **error);
/* Appends a command to those of a rank, or of each rank. -1: it is not valid, and was not added. */
int fth_program_add(struct fth_program *program, uint32_t rank, const struct fth_command *command,
                    struct fth_error **error);

/* ---- simulations ---- */

struct fth_simulation;

/* Simulates a program on a cluster. If `trace` is not NULL, a trace of the simulated run is written
 * to the file of this name, for `fathom report` and <fathom/trace.h>. Processes that wait forever
 * are not an error (fth_simulation_waits). NULL: the program does not fit the cluster, a loop in it
 * lacks its FTH_VERB_END, a trace is damaged, or memory ran out. */
struct fth_simulation *fth_simulate(const struct fth_cluster *cluster,
                                    const struct fth_program *program, const char *trace,
                                    struct fth_error **error);
void fth_simulation_free(struct fth_simulation *simulation); /* NULL is allowed */

/* Figures of the whole run. */
struct fth_simulation_sums {
    int64_t time;               /* of the last event, including writes of caches after the end */
    int64_t end;                /* of the last process that ended */
    uint32_t ranks, unfinished; /* unfinished: number of processes that wait forever */
    uint64_t events, messages, message_bytes;
};
const struct fth_simulation_sums *fth_simulation_sums(const struct fth_simulation *simulation);

/* When a rank ended, ns; -1: it waits forever, or there is no such rank. */
int64_t fth_simulation_end(const struct fth_simulation *simulation, uint32_t rank);
/* What a rank waits for ("in recv (command 2), for a message from rank 3"); NULL: it ended, or
 * there is no such rank. Valid as long as the simulation, as all results are. */
const char *fth_simulation_wait(const struct fth_simulation *simulation, uint32_t rank);
/* Processes that wait for each other in a cycle, or for a process that has ended; NULL: all
 * ended. */
const char *fth_simulation_waits(const struct fth_simulation *simulation);

/* A resource and its use. */
enum fth_component_kind {
    FTH_COMPONENT_PROCESSORS, /* all those of a node */
    FTH_COMPONENT_NETWORK,    /* a node, network interface or edge; its name is that of its kind */
    FTH_COMPONENT_DISK,
};
struct fth_component {
    const char *name; /* "node edge", "disk of server 3" */
    enum fth_component_kind kind;
    /* Busy time: if everything else were infinitely fast, the run would still take that long. The
     * processors of a node, at most as many as its processes, count as if they shared their work
     * evenly. */
    int64_t busy;
    uint64_t operations; /* packets, or operations of a disk; 0 for processors */
    uint64_t bytes;      /* transferred; 0 for processors */
    /* Number of waiting packets or operations: average over the run, and maximum. 0 for processors
     * and for disks of burst buffers, where it is unknown. */
    double queue;
    uint64_t longest_queue;
};
/* In a fixed order, from 0 to count - 1; NULL beyond that. They are valid as long as the
 * simulation. */
size_t fth_simulation_component_count(const struct fth_simulation *simulation);
const struct fth_component *fth_simulation_component(const struct fth_simulation *simulation,
                                                     size_t index);
/* The one with the longest busy time (the first of several): the run cannot take less on these
 * resources. NULL: none was busy. */
const struct fth_component *fth_simulation_busiest(const struct fth_simulation *simulation);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
