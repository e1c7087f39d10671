/* Which operations of several processes belong together. Inner header of the order room. */
#ifndef FTH_ORDER_MATCH_MATCH_H
#define FTH_ORDER_MATCH_MATCH_H

#include "base/intern.h"
#include "order/build/operations.h"

/* Members of a communicator, window or file: processes and their members, by place. Of an
 * intercommunicator first those of one side, then of the other. */
struct fth_group {
    uint32_t *procs, *members;
    uint32_t size, split; /* split: where the other side begins; == size: one side only */
};

/* Pairs whose edges wait until it is known that the threads that use a channel are ordered. */
struct fth_pair {
    uint32_t from_proc, from, to_proc, to;
};
struct fth_channel_threads {
    struct fth_pair *pairs;
    size_t count;
    bool settled;
};

/* A call that releases or acquires, and nobody knows to whom or from whom. */
struct fth_unfollowed {
    uint32_t means;           /* of matching->unfollowed_means */
    uint32_t proc, operation; /* FTH_NO_OPERATION: the end of the process */
    /* of a call that uses a name: its events, in place of the operation's; timeline
     * FTH_NO_TIMELINE: none */
    bool is_named;
    struct fth_event release, acquire;
    int64_t start, end;
    bool releases, acquires;
};

/* When a process was made by another one. */
struct fth_birth_of {
    struct fth_moment moment; /* begin of the call */
    bool is_known;
    bool is_exec;  /* it is what that one became */
    bool is_plain; /* a program that has all descriptors which do not close on exec */
};

struct fth_matching {
    struct fth_order_operations *processes;
    size_t process_count;
    struct fth_clocks *clocks;
    /* edges of collective calls as barriers that are none in `clocks`; NULL: not asked for */
    struct fth_clocks *barriers;
    struct fth_order_options options;
    struct fth_group *groups;
    size_t group_count;
    /* whose collectives several threads of a process call; FTH_NO_GROUP: settled */
    uint32_t *threaded_groups;
    size_t threaded_count;
    struct fth_channel_threads *shared;
    size_t shared_count;
    struct fth_side *sides; /* of intercommunicators */
    size_t side_count;
    struct fth_spawn *spawns; /* whose children are not known yet */
    size_t spawn_count;
    struct fth_meeting_side *meetings; /* who meet others at ports */
    size_t meeting_count;
    bool has_joins;              /* those who meet by a socket are among them */
    struct fth_birth_of *births; /* by process; fth_match_processes */
    struct fth_unfollowed *unfollowed;
    size_t unfollowed_count;
    struct fth_intern unfollowed_means;
    /* Reports what is wrong with an operation. */
    void (*find)(void *context, enum fth_order_finding_kind kind, size_t proc,
                 const struct fth_order_operation *operation, const char *why);
    void *context;
};

/* Finds out which members are the same communicator, and adds the edges of their collectives. */
void fth_match_groups(struct fth_matching *matching);
/* All that a process did came before. */
void fth_match_after_end(const struct fth_matching *matching, size_t proc, struct fth_event to);
/* Adds the edges between processes that made each other, and waited for each other. */
void fth_match_processes(struct fth_matching *matching, const struct fth_trace *trace);
/* Adds those of threads that were created, joined, or met at barriers. */
void fth_match_threads(struct fth_matching *matching);
/* A lock that was acquired or given up, and on what. */
struct fth_lock_entry {
    const char *path; /* NULL: the lock is one of threads, or of a window */
    uint32_t file;    /* its number, whatever its names are; FTH_NO_FILE: not known */
    uint32_t group;   /* of a window, else FTH_NO_GROUP */
    const struct fth_order_lock *lock;
    uint32_t proc;
    /* Of a lock that several processes have (match_shared_locks.c): the same number for all of
     * them, from 1; and if `is_made`, what gives it up in place of the begin of the operation. */
    uint32_t description;
    struct fth_event event;
    bool is_made;
};
struct fth_lock_entries {
    struct fth_lock_entry *all;
    size_t count;
    struct fth_order_lock **made; /* that entries point to, whatever becomes of these */
    size_t made_count;
};
struct fth_holders;
/* Entries of one file with those of descriptions that several processes have in place of what each
 * of these did; in no order. */
struct fth_lock_entries fth_match_shared_locks(struct fth_matching *matching,
                                               const struct fth_trace *trace,
                                               const struct fth_holders *holders,
                                               const struct fth_lock_entry *entries, size_t count);
void fth_match_free_entries(struct fth_lock_entries *entries);
/* Of entries of one file: locks that exec passes on to another program (match_kept_locks.c). */
void fth_match_kept_locks(struct fth_matching *matching, const struct fth_trace *trace,
                          const struct fth_lock_entry *entries, size_t count);
/* Of entries of one file: leaves out those of open file descriptions that another process may have
 * as well, and returns how many are left, in their order. */
size_t fth_match_without_shared_descriptions(const struct fth_trace *trace,
                                             struct fth_lock_entry *entries, size_t count);
/* Adds those of locks on files, of threads, and of windows. After fth_match_groups. */
void fth_match_locks(struct fth_matching *matching, const struct fth_trace *trace);
/* Names of files that one process changes and another one looks for. */
void fth_match_names(struct fth_matching *matching);
/* What else processes may use as flags, that one changes and another one asks for. */
void fth_match_flags(struct fth_matching *matching);
/* One-sided accesses. After fth_match_groups. */
void fth_match_remotes(struct fth_matching *matching);
const char *fth_match_means(const struct fth_matching *matching, uint32_t number);
/* `means` is copied. */
void fth_match_unfollowed(struct fth_matching *matching, const char *means,
                          struct fth_unfollowed call);
/* Adds those of pipes. After fth_match_processes. */
void fth_match_pipes(struct fth_matching *matching, const struct fth_trace *trace);
/* Adds those of FIFOs that are opened, and of connections. After fth_match_processes. */
void fth_match_contacts(struct fth_matching *matching);
/* What others may know who find descriptors ready. After fth_match_processes. */
void fth_match_readiness(struct fth_matching *matching, const struct fth_trace *trace);
/* Adds those of what counts. After fth_match_processes. */
void fth_match_tallies(struct fth_matching *matching, const struct fth_trace *trace);
/* Adds the edges of messages. After fth_match_groups. */
void fth_match_messages(struct fth_matching *matching);
/* Those of a message in parts: a send of one process, and the receive that takes it. */
void fth_match_parts(const struct fth_matching *matching, uint32_t from_proc, uint32_t send,
                     uint32_t to_proc, uint32_t receive);
/* One call by each member of a group, by place; NULL: that member has none. */
struct fth_match_turn {
    struct fth_matching *matching;
    uint32_t group;
    const struct fth_order_operation **operations;
    struct fth_order_creation **creations;
    bool whole;                        /* nobody is missing */
    struct fth_order_operation *taken; /* that `operations` points to */
};

/* NULL: there is none. */
struct fth_member *fth_match_member(const struct fth_matching *matching, uint32_t proc,
                                    uint32_t member);
/* Adds the groups that a call makes, of which all creations are known. */
void fth_match_make(struct fth_match_turn *turn);
/* Finds out who the neighbours are of those who have just made a graph. */
void fth_match_graph(struct fth_match_turn *turn);
/* A group without members yet, `procs` and `members` of which the caller fills in, before
 * fth_match_place_members notes in the members of the newest group where they are. */
struct fth_group *fth_match_add_group(struct fth_matching *matching, uint32_t size, uint32_t split);
void fth_match_place_members(struct fth_matching *matching);
/* A group makes its side of an intercommunicator; `creations` by place. */
void fth_match_side(struct fth_matching *matching, uint32_t group,
                    struct fth_order_creation **creations);
void fth_match_free_sides(struct fth_matching *matching);
/* Makes the communicators of calls that only the members of a group make, as far as those are
 * known; false: there was none. */
bool fth_match_from_groups(struct fth_matching *matching);
/* Processes that a group starts, and the worlds that were started: false: none was found. */
void fth_match_spawn(struct fth_match_turn *turn);
bool fth_match_spawned(struct fth_matching *matching);
void fth_match_free_spawns(struct fth_matching *matching);
/* A group that meets another one at a port, and those that have met (or joined): false: none was
 * found. */
void fth_match_port(struct fth_match_turn *turn);
bool fth_match_met(struct fth_matching *matching);
void fth_match_free_meetings(struct fth_matching *matching);
/* Did something of this process certainly happen before that moment of another one? */
bool fth_match_is_earlier(const struct fth_order_operations *process, int64_t time,
                          const struct fth_order_operations *other, int64_t moment);
/* Places that a member of a topology hears of, in the order of its calls; -1: nobody. The caller
 * frees them. */
int64_t *fth_match_sources(const struct fth_topology *topology, uint32_t place, size_t *count);
/* Reports all groups, or an epoch of a process, to who asked for them; `procs` NULL: it is not
 * known who else is in it. */
void fth_match_report_groups(const struct fth_matching *matching);
void fth_match_report_epoch(const struct fth_matching *matching, uint32_t proc,
                            const struct fth_order_operation *operation, const uint32_t *procs,
                            uint32_t count);
/* Reports the call to who asked for it; NULL among `operations`: that member has none. */
void fth_match_report_together(const struct fth_matching *matching, const struct fth_group *group,
                               const struct fth_order_operation **operations);
/* Adds the edges of epochs of windows. After fth_match_groups. */
void fth_match_epochs(struct fth_matching *matching);
/* Adds the edges of one collective call, whose operations are given by place; NULL: it was not
 * recorded. */
void fth_match_collective(struct fth_matching *matching, uint32_t group,
                          const struct fth_order_operation **operations);
/* Does one begin before the other, by the clocks as they were computed last? */
bool fth_match_in_order(const struct fth_matching *matching, const struct fth_order_operation *one,
                        const struct fth_order_operation *other);
/* Of what several threads use they add the edges, as soon as the clocks computed so far have an
 * order of its calls; they return whether there were any. */
bool fth_match_threaded_groups(struct fth_matching *matching);
bool fth_match_threaded_channels(struct fth_matching *matching);
/* And report what stayed without order. */
void fth_match_report_threaded_groups(struct fth_matching *matching);
void fth_match_report_threaded_channels(struct fth_matching *matching);
/* The processes of a group of MPI, by rank; false: not known. The caller frees *procs. */
bool fth_match_node(const struct fth_matching *matching, size_t proc, uint32_t node,
                    uint32_t **procs, uint32_t *count);
void fth_match_free(struct fth_matching *matching);

#endif
