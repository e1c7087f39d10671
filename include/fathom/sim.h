/* <fathom/sim.h>: simulate parallel programs and their I/O on clusters, as `fathom simulate` does
 * (fathom-simulate(1) has the models).
 *
 *     struct fth_cluster *cluster = fth_cluster_open("clusters/pvs.yaml", NULL, &error);
 *     struct fth_program *program = fth_program_new(2, &error);
 *     fth_program_add(program, 0, &(struct fth_command){.verb = FTH_VERB_SEND, .to = 1, .bytes = 1
 *     << 20}, &error);
 *     fth_program_add(program, 1, &(struct fth_command){.verb = FTH_VERB_RECV, .from = 0}, &error);
 *     struct fth_simulation *simulation = fth_simulate(cluster, program, NULL, &error);
 *     printf("%" PRId64 " ns\n", fth_simulation_sums(simulation)->time);
 *
 * A program says what each rank does, a cluster what it does it on, a simulation what came of it.
 * The same program on the same cluster gives the same figures, always and everywhere.
 *
 * Errors: a function that returns NULL or -1 has set *error to what is wrong, where, and what would
 * be right ("command 3 of rank 1, send: there is no rank 9, ranks are 0 to 7"); the caller frees
 * it. *error must be NULL before; `error` may be NULL. Nothing prints and nothing exits; a
 * simulation for which there is no memory is an error, too, but what it had taken until then is
 * lost to the process. Thread-safety: there is no state outside of these objects. A program belongs
 * to one thread while commands are added; then any number of threads may simulate it at the same
 * time, each gets a simulation of its own, and so with a cluster. All three are independent: they
 * may be freed in any order. A thread that has written or read a trace keeps some 60 KiB for the
 * next one until the process ends. Times are nanoseconds, sizes bytes, ranks and files are counted
 * from 0. */
#ifndef FATHOM_SIM_H
#define FATHOM_SIM_H

#include <fathom/trace.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- clusters ---- */

struct fth_cluster;

/* Reads a cluster from a YAML file, or from text. `settings`, NULL or a list that ends with NULL,
 * gives keys other values, also such as are not in the file: "servers.count=4",
 * "mpi.bcast=Pipelined", "network.node edge.latency=1 us". What is wrong is told with line and
 * column, or with the setting. NULL also when the library was built without libyaml. */
struct fth_cluster *fth_cluster_open(const char *path, const char *const *settings,
                                     struct fth_error **error);
struct fth_cluster *fth_cluster_parse(const char *text, const char *const *settings,
                                      struct fth_error **error);
void fth_cluster_free(struct fth_cluster *cluster); /* NULL is allowed */

/* ---- programs ---- */

enum fth_verb {
    /* `nanoseconds` alone on a processor of the cluster (a day at most), or `instructions`
     * (10^18) */
    FTH_VERB_COMPUTE,
    FTH_VERB_SEND,     /* `to`, `bytes`, `tag` */
    FTH_VERB_RECV,     /* `from`, `tag` */
    FTH_VERB_SENDRECV, /* `to`, `bytes`, `tag`; `from`, `from_tag` */
    FTH_VERB_PUT,      /* `to`, `bytes`: into its memory, it does nothing */
    FTH_VERB_GET,      /* `from`, `bytes` */
    FTH_VERB_PROBE,    /* `from`, `tag` */
    /* Of all members of a communicator. */
    FTH_VERB_BARRIER,
    FTH_VERB_BCAST,     /* `root`, `bytes` */
    FTH_VERB_REDUCE,    /* `root`, `bytes` */
    FTH_VERB_ALLREDUCE, /* `bytes` */
    FTH_VERB_GATHER,    /* `root`, `bytes` of each rank's part */
    FTH_VERB_SCATTER,   /* `root`, `bytes` of each rank's part */
    FTH_VERB_ALLGATHER, /* `bytes` of each rank's part, as in the next ones */
    FTH_VERB_ALLTOALL,
    FTH_VERB_REDUCE_SCATTER,
    FTH_VERB_SCAN,   /* `bytes` */
    FTH_VERB_EXSCAN, /* `bytes` */
    /* For commands that were begun with a `request`. */
    /* `request`, or all from `request` to `last_request`; 0: for all that there are */
    FTH_VERB_WAIT,
    FTH_VERB_WAITANY, /* the same, for one of them */
    FTH_VERB_TEST,    /* the same, for none: those that are done are over */
    /* Of one process, with a `file`. */
    FTH_VERB_FILE_OPEN,
    FTH_VERB_FILE_CLOSE,
    FTH_VERB_FILE_LOOKUP, /* something else that is done with its name: stat, unlink */
    /* `offset` and `bytes`; `count` of such ranges, `stride` apart; or `ranges` */
    FTH_VERB_FILE_READ,
    FTH_VERB_FILE_WRITE, /* the same */
    FTH_VERB_FILE_FLUSH, /* what was written is on the disks */
    /* Of all processes together. */
    FTH_VERB_FILE_OPEN_ALL,
    FTH_VERB_FILE_CLOSE_ALL,
    FTH_VERB_FILE_READ_ALL,
    FTH_VERB_FILE_WRITE_ALL,
    /* What follows in the rank's list, up to the end that belongs to it, `count` times; up to eight
     * inside one another. */
    FTH_VERB_REPEAT,
    FTH_VERB_END,
    FTH_VERBS
};

#define FTH_ANY_RANK UINT32_MAX  /* as `from`: whoever sends first */
#define FTH_ANY_TAG UINT32_MAX   /* of what is received */
#define FTH_EACH_RANK UINT32_MAX /* of fth_program_add */

struct fth_command_range {
    uint64_t offset, bytes;
};

/* A command. What its verb does not name is not looked at. */
struct fth_command {
    enum fth_verb verb;
    /* of fth_program_split; 0: all processes. Ranks in here are those in it */
    uint32_t communicator;
    uint32_t to, from, root;
    uint32_t tag, from_tag;
    uint64_t bytes;
    int64_t nanoseconds;
    uint64_t instructions;
    /* Other than 0: the command is only begun, and goes on while the process does other things,
     * until somebody waits for this number. */
    uint32_t request, last_request;
    uint32_t file; /* of fth_program_file */
    uint64_t offset, stride;
    uint64_t count; /* of ranges, 0: one; of turns */
    /* `count` of them, ascending, no byte in two of them; they are copied */
    const struct fth_command_range *ranges;
};

/* A file that a program works with. */
struct fth_program_file {
    const char *name; /* is copied */
    uint64_t size;    /* at the start */
    /* so many bytes on one server, then so many on the next; 0: as the cluster has it */
    uint64_t stripe;
    uint32_t servers; /* that it is spread over; 0: all */
    uint32_t first;   /* of them: the one with its first byte */
};

struct fth_program;

/* A program of 1 to 2^24 processes that do nothing yet. */
struct fth_program *fth_program_new(uint32_t ranks, struct fth_error **error);
/* Reads a program as `fathom simulate` does: text, Parabench (.pbl), or a trace, of which the run
 * is done again; the last can be simulated, not added to. `ranks` other than 0 is how many there
 * are, whatever the text says; a trace has its own. */
struct fth_program *fth_program_open(const char *path, uint32_t ranks, struct fth_error **error);
struct fth_program *fth_program_parse(const char *text, uint32_t ranks, struct fth_error **error);
void fth_program_free(struct fth_program *program); /* NULL is allowed */
uint32_t fth_program_ranks(const struct fth_program *program);

/* The three below are for programs of fth_program_new. */

/* The number of a new file; -1: it has no name, or one that another has. */
int64_t fth_program_file(struct fth_program *program, const struct fth_program_file *file,
                         struct fth_error **error);
/* The number of a new communicator: processes of one color, a number for each, are together, in the
 * order of their keys (NULL: of their ranks); those with FTH_NO_COLOR are in none. It costs
 * nothing. */
#define FTH_NO_COLOR UINT32_MAX
int64_t fth_program_split(struct fth_program *program, const uint32_t *colors, const uint32_t *keys,
                          struct fth_error **error);
/* A command at the end of what a rank does, or of what each does. -1: something about it is wrong,
 * and nothing was added. */
int fth_program_add(struct fth_program *program, uint32_t rank, const struct fth_command *command,
                    struct fth_error **error);

/* ---- simulations ---- */

struct fth_simulation;

/* Simulates a program on a cluster. `trace`, unless it is NULL, names a file that a trace of the
 * simulated run is written to, for `fathom report` and <fathom/trace.h>. Processes that wait
 * forever are no error: fth_simulation_waits. NULL: the program does not fit the cluster, a repeat
 * of it has no end, a trace is damaged, or there is no memory. */
struct fth_simulation *fth_simulate(const struct fth_cluster *cluster,
                                    const struct fth_program *program, const char *trace,
                                    struct fth_error **error);
void fth_simulation_free(struct fth_simulation *simulation); /* NULL is allowed */

/* Of the whole run. */
struct fth_simulation_sums {
    int64_t time; /* until nothing happens any more: also the last cache has written */
    int64_t end;  /* of the process that came to its end last */
    uint32_t ranks, unfinished; /* unfinished: processes that wait forever */
    uint64_t events, messages, message_bytes;
};
const struct fth_simulation_sums *fth_simulation_sums(const struct fth_simulation *simulation);

/* When a rank came to its end; -1: it waits forever. */
int64_t fth_simulation_end(const struct fth_simulation *simulation, uint32_t rank);
/* What a rank waits for ("in recv (command 2), for a message from rank 3"); NULL: it came to its
 * end. */
const char *fth_simulation_wait(const struct fth_simulation *simulation, uint32_t rank);
/* Who waits for whom in a circle, or for one that has come to its end; NULL: all came to their
 * ends. */
const char *fth_simulation_waits(const struct fth_simulation *simulation);

/* A resource and what it did. */
enum fth_component_kind {
    FTH_COMPONENT_PROCESSORS, /* those of a node, together */
    FTH_COMPONENT_NETWORK,    /* a node, a network interface or an edge, by the name of its kind */
    FTH_COMPONENT_DISK,
};
struct fth_component {
    const char *name; /* "node edge", "disk of server 3" */
    enum fth_component_kind kind;
    /* It has to work that long: were all else infinitely fast, the run would take it. Of
     * processors: when as many as there are processes on the node share it evenly. */
    int64_t busy;
    uint64_t operations; /* packets, or operations of the disk; of processors 0 */
    uint64_t bytes;      /* that went through it; of processors 0 */
    /* Packets, or operations, that waited for it, on average over the run and at most; of
     * processors, and of disks of burst buffers, not known: 0. */
    double queue;
    uint64_t longest_queue;
};
/* In a fixed order, 0 to count - 1; they live as long as the simulation. */
size_t fth_simulation_component_count(const struct fth_simulation *simulation);
const struct fth_component *fth_simulation_component(const struct fth_simulation *simulation,
                                                     size_t index);
/* The one that was busy longest, the first of them: the run cannot be faster on these resources.
 * NULL: none was. */
const struct fth_component *fth_simulation_busiest(const struct fth_simulation *simulation);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
