/* Inner header of the sim room: a trace that is replayed, and its processes. */
#ifndef FTH_SIM_ACTOR_H
#define FTH_SIM_ACTOR_H

#include "base/intern.h"
#include "fathom/access.h"
#include "sim/replay/replay_groups.h"
#include "sim/replay/replay.h"
#include "sim/replay/replay_semantics.h"

/* Longer lists of ranges are taken for one range of as many bytes. */
enum { FTH_SIM_MOST_RANGES = 1 << 20 };
/* No call moves more, no file is longer, and no run lasts longer: a trace that says so would be
 * simulated forever. */
#define FTH_SIM_MOST_BYTES (UINT64_C(1) << 40)
#define FTH_SIM_MOST_POSITION (UINT64_C(1) << 60)
#define FTH_SIM_MOST_TIME INT64_C(1000000000000000)

/* What a request stands for. */
struct slot {
    bool pending;
    uint32_t persistent; /* the number of the command that each start is, plus 1; or 0 */
};

/* A message that a probe has matched, by its handle. */
struct matched {
    bool is_known;
    uint32_t communicator, from, tag;
};

/* A window of one-sided communication, by the number of its handle. */
struct window {
    enum fth_sim_group_kind kind;
    uint32_t communicator;
    uint32_t reaches, exposed; /* epochs between some of its members: so far */
    bool is_reaching,
        /* one is open in which this process reaches others; who have said that they are exposed */
        is_awaited;
};

/* An access that does not block: the call that started it, and its request in the program. */
struct operation {
    uint32_t thread;
    uint64_t number;
    uint32_t request;
};

/* A process of the run. */
struct actor {
    size_t proc;
    uint32_t rank;
    /* From its first command to its last; NULL before and after that. */
    struct fth_calls *calls;
    struct fth_accesses *accesses;
    bool is_there, ended; /* is_there: `proc` is known */
    bool idles; /* in calls that wait for others: one thread without MPI, which is what waits */
    uint32_t ranks, processors; /* of its node, where there are more of the former; else 1 and 1 */
    int64_t last;               /* when the call that was replayed last had returned */
    int64_t recorded;           /* how long what is replayed took, in ns */
    bool meets;                 /* some calls start or end MPI: their time is left out */
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
    struct matched *matched;
    uint32_t matched_limit;
    struct operation *operations; /* that have begun and are not over */
    uint32_t operation_count, begun;
    struct window *windows;
    uint32_t window_limit;
    uint32_t visits, visits_over; /* puts and gets: so far, that were waited for */
};

struct replay {
    struct fth_sim_program program;
    struct fth_sim_replay_options options;
    struct fth_trace *trace;
    struct fth_sim_semantics *semantics_table;
    size_t semantics_count;
    struct fth_intern names;        /* of files, by their numbers */
    struct fth_sim_spent *recorded; /* by verb: what commands took in the recorded run */
    struct fth_sim_file *files;
    uint32_t file_count, file_limit;
    bool is_mpi;
    struct fth_sim_groups groups;
    struct actor *actors;
    uint64_t (*losses)[FTH_SIM_LOSSES]; /* by the place of the function in `semantics_table` */
    struct fth_error *error;
};

/* The value of a parameter; without one, nothing. */
static inline const struct fth_value *fth_sim_value_of(const struct fth_call *call, int parameter)
{
    static const struct fth_value none;
    return parameter < 0 ? &none : &call->arguments[parameter];
}

/* The file of a call, also where a control block names it (aio_write); NULL: none. */
static inline const char *fth_sim_path_of(const struct fth_call *call)
{
    return call->file || !call->handle ? call->file : call->handle->path;
}

/* A call of this function was not replayed. */
static inline void fth_sim_lose(struct replay *replay, const struct fth_sim_semantics *semantics,
                                enum fth_sim_loss_kind why)
{
    replay->losses[semantics - replay->semantics_table][why]++;
}

/* Computation up to a time. */
void fth_sim_actor_compute(const struct replay *replay, struct actor *actor, int64_t until);
/* Waiting up to a time, which is as long on each machine and takes no processor. */
void fth_sim_actor_idle(const struct replay *replay, struct actor *actor, int64_t until);
/* What was computed before the call, which itself takes no time; the same, and a barrier for the
 * call, or a command. */
void fth_sim_actor_leave_out(struct replay *replay, struct actor *actor,
                             const struct fth_call *call);
/* A command that holds. */
void fth_sim_actor_hold(struct actor *actor);
void fth_sim_actor_meet(const struct replay *replay, struct actor *actor,
                        const struct fth_call *call);
void fth_sim_actor_act(const struct replay *replay, struct actor *actor,
                       const struct fth_call *call, const struct fth_sim_command *command);
/* What the communicator of a call is to the process. */
const struct fth_sim_replay_group *fth_sim_actor_place(const struct replay *replay,
                                                       const struct actor *actor,
                                                       const struct fth_call *call);
/* Bytes of so many of a datatype, 0 where that is not known or absurd; of the first count and
 * datatype of a call, those of what is sent. */
uint64_t fth_sim_product(int64_t count, const struct fth_datatype *datatype);
uint64_t fth_sim_bytes_of(const struct fth_sim_semantics *semantics,
                          const struct fth_access *access);
bool fth_sim_is_named(const struct fth_value *value, const char *name);
/* Collective calls (replay_collectives.c). */
void fth_sim_actor_together(struct replay *replay, struct actor *actor,
                            const struct fth_sim_semantics *semantics,
                            const struct fth_access *access);
/* Requests (replay_requests.c): the command of a call, which is begun, or kept as that of a
 * persistent request, when the call makes one; these are started; some are waited for. */
void fth_sim_actor_issue(const struct replay *replay, struct actor *actor,
                         const struct fth_sim_semantics *semantics, const struct fth_call *call,
                         const struct fth_sim_command *command);
void fth_sim_actor_start(const struct replay *replay, struct actor *actor,
                         const struct fth_sim_semantics *semantics, const struct fth_call *call);
void fth_sim_actor_wait(const struct replay *replay, struct actor *actor,
                        const struct fth_sim_semantics *semantics, const struct fth_call *call);
/* Calls on files (data.c): whether they are replayed. Accesses that are over with this call are
 * waited for. */
bool fth_sim_actor_file(struct replay *replay, struct actor *actor,
                        const struct fth_sim_semantics *semantics, const struct fth_call *call);
bool fth_sim_actor_data(struct replay *replay, struct actor *actor,
                        const struct fth_sim_semantics *semantics, const struct fth_access *access);
void fth_sim_actor_end_operations(struct replay *replay, struct actor *actor,
                                  const struct fth_access *access);
/* One-sided communication (windows.c): a window is made; whether the communicator of a call's one
 * is known; a put or get begins; all of them are waited for, and where all come to it, so are they:
 * whether the window is known. */
void fth_sim_actor_new_window(struct replay *replay, struct actor *actor,
                              const struct fth_call *call);
bool fth_sim_actor_window(struct actor *actor, const struct fth_call *call, uint32_t *communicator);
void fth_sim_actor_visit(struct replay *replay, struct actor *actor, const struct fth_call *call,
                         const struct fth_sim_command *command);
/* An epoch between some of the members begins or ends. */
void fth_sim_actor_epoch(struct replay *replay, struct actor *actor,
                         const struct fth_sim_semantics *semantics, const struct fth_call *call);
bool fth_sim_actor_end_epoch(struct replay *replay, struct actor *actor,
                             const struct fth_sim_semantics *semantics,
                             const struct fth_call *call);
/* The commands that a call becomes. Whether what happens inside of it belongs to it. */
bool fth_sim_actor_call(struct replay *replay, struct actor *actor,
                        const struct fth_sim_semantics *semantics, const struct fth_access *access);

#endif
