/* The parameters of a cluster: nodes with sockets and cores, and a network. What they do is in
 * other files; this is what a configuration says (docs/fathom-simulate.1.md). */
#ifndef FTH_SIM_PLAN_CLUSTER_H
#define FTH_SIM_PLAN_CLUSTER_H

#include "consistency/model_moments.h"
#include "holders/lock_tokens.h"
#include "sim/engine/disk.h"
#include "sim/network/fabric.h"
#include "sim/network/network.h"
#include "sim/plan/program_commands.h"

struct fth_sim_cache;
struct fth_sim_method;

enum { FTH_SIM_MOST_NODES = 1 << 24 };

/* How disks of one kind are. */
struct fth_sim_disk_kind {
    const struct fth_sim_disk_model *model; /* NULL: there are none */
    struct fth_sim_disk_speed speed;
};

/* How what somebody wrote is made known to others, and who asks for it. */
enum fth_sim_consistency {
    FTH_SIM_NO_CONSISTENCY, /* it costs nothing */
    FTH_SIM_BY_LOCKS,       /* token_managers.h */
    FTH_SIM_BY_MODEL,       /* tunable_consistency.c */
};

/* Servers of files, each with a disk. */
struct fth_sim_servers {
    uint32_t count;
    bool shared; /* they are on the nodes of processes, in turn; else each has a node of its own */
    bool in_kernel; /* and whoever is on the same node reaches them without the network */
    uint32_t apart; /* so many of shared ones, the last, have a node of their own nevertheless */
    const struct fth_sim_cache *cache;
    uint64_t memory;     /* bytes of each cache */
    uint64_t background; /* WriteBack: bytes that may wait; */
    int64_t expire;      /* so long, in ns */
    /* What each access costs the processor of who makes it: ns, and at how many bytes per second it
     * copies (0: at once). */
    int64_t write_call, read_call;
    uint64_t write_copy, read_copy;
    /* The same of what is done with names, and of flushes, in ns. */
    int64_t open_call, create_call, close_call, stat_call, rename_call, delete_call, sync_call;
    bool writers_in_turn;                   /* those of a file: one after the other */
    bool names_in_turn;                     /* those who create, rename and delete */
    int64_t writers_handoff, names_handoff; /* ns until who has waited goes on */
    uint64_t granularity;                   /* of operations of the disk, at most */
    uint64_t stripe;                        /* of files of which nobody says it */
    uint32_t at_once;                       /* operations that the disk is given at once */
    int64_t lookup;                         /* how long it takes to do something with a name */
    enum fth_sim_consistency consistency;
    struct fth_moments moments; /* of the model */
    int64_t tell;               /* how long it takes to note, or report, who has written what */
    /* Locks: the same of the manager of a node; tokens are for such blocks. */
    int64_t node_tell;
    uint64_t token_block;
    enum fth_grant grant;
    enum fth_give give;
    uint64_t kept;         /* bytes of each read cache; 0: there is none */
    uint64_t block, ahead; /* bytes: read caches keep such blocks, so much is read ahead */
    uint32_t forwarders; /* nodes through which clients talk to servers; 0: they do it themselves */
};

/* Where what is written stays until servers have it: io/buffers.h. */
struct fth_sim_buffers {
    uint32_t count; /* each on a node of its own; 0: there are none, or */
    bool local;     /* each node of processes has one */
    bool in_memory; /* of the processes themselves, and goes to servers at the end */
    uint64_t capacity;
    uint32_t at_once;     /* pieces that a buffer sends to servers at the same time */
    bool sync_to_servers; /* a sync ends when servers have it; else when the buffer has */
    struct fth_sim_disk_kind disk;
};

/* The servers of `fathom fs`, who know who has which bytes of the buffers: io/index_servers.h. */
struct fth_sim_instance {
    uint32_t per_node; /* servers of each node of processes; 0: files are not on such an instance */
    /* ns of a processor: of the process that asks; of its server, and of each other one, for a
     * request and for each range in it; of both where one server asks another. */
    int64_t ask, request, range, pass_on;
};

/* Nodes that are alike, up to `last`, from where the kind before ends. */
struct fth_sim_kind_of_node {
    uint32_t last, sockets, cores;
    uint64_t instructions;
};
enum { FTH_SIM_KINDS = 16 };

struct fth_sim_cluster {
    char name[64];
    uint32_t nodes, sockets; /* sockets per node */
    uint32_t cores;          /* per socket; 0: as many as processes are put there */
    uint64_t instructions;   /* per second and core */
    uint64_t packet, overhead,
        frame; /* bytes: of a message at most, more in its first packet, in each */
    struct fth_sim_kind_of_node kinds[FTH_SIM_KINDS];
    uint32_t kind_count; /* 0: all are as the cluster says */
    bool in_blocks;      /* ranks fill one node after the other; else they go round the nodes */
    /* NIC - socket - node - switch, with edges between them; sockets and nodes without a name are
     * left out. Between switches, between groups of a dragonfly (without a name: as in a group). */
    struct fth_sim_part nic, nic_edge, socket, socket_edge, node, node_edge, hub, hub_edge,
        far_edge;
    struct fth_sim_shape shape;
    bool is_analytical;         /* NICs */
    uint64_t eager;             /* messages up to this size are sent without asking */
    uint64_t step_instructions; /* what a step of a command costs */
    uint64_t reduction; /* bytes per second that a processor reduces; 0: one for each instruction */
    uint32_t cb_nodes;  /* aggregators of collective accesses to files; 0: all processes */
    uint64_t cb_buffer; /* bytes that each takes at a time; 0: 16 MiB */
    bool polls;         /* who waits for a message keeps its processor busy */
    /* What MPI's library costs the processor of who opens, closes, accesses files with it, beside
     * what the system does, in ns. */
    int64_t first_file_open, file_open, file_close, file_access; /* first: more than later ones */
    struct fth_sim_servers servers;
    struct fth_sim_disk_kind disk; /* of each server */
    struct fth_sim_buffers buffers;
    struct fth_sim_instance instance;
    const struct fth_sim_method *methods[FTH_SIM_VERBS]; /* NULL: the one that is usual */
};

/* Whether clusters can be read (it takes libyaml). */
extern const bool fth_sim_reads_clusters;

/* Reads a cluster from a file, to be given back with fth_sim_cluster_free after everything that was
 * built from it. What is wrong is reported with its line and column. -1: *error is set. */
int fth_sim_cluster_read(struct fth_sim_cluster *cluster, const char *path,
                         struct fth_error **error);

/* The same with other values: keys are paths like "servers.count" or "network.node
 * edge.latency". */
struct fth_sim_setting {
    const char *key, *value;
    const char *place; /* where it was said, for errors: "--sweep servers=64" */
};
int fth_sim_cluster_read_with(struct fth_sim_cluster *cluster, const char *path,
                              const struct fth_sim_setting *settings, size_t count,
                              struct fth_error **error);

/* The same of a text that is in memory. */
int fth_sim_cluster_parse_with(struct fth_sim_cluster *cluster, const char *text,
                               const struct fth_sim_setting *settings, size_t count,
                               struct fth_error **error);

void fth_sim_cluster_free(struct fth_sim_cluster *cluster);

#endif
