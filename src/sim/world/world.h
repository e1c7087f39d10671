/* Inner header of the sim room: processes, what they are doing, and the messages between them. */
#ifndef FTH_SIM_WORLD_WORLD_H
#define FTH_SIM_WORLD_WORLD_H

#include "sim/world/method.h"
#include "sim/engine/processor.h"
#include "sim/plan/cluster.h"
#include "sim/world/split.h"
#include "sim/world/warnings.h"
#include "sim/world/watch.h"

struct fth_sim_gates;
struct fth_sim_meeting;
struct fth_sim_storage;

/* A message between processes. It can be received by who asks for its source and tag with the same
 * method, inside the same command. */
struct fth_sim_letter {
    struct fth_sim_message message;
    struct fth_sim_letter *next;
    struct fth_sim_activity *sender; /* that waits for it to be sent */
    struct fth_sim_post *post;       /* that it belongs to */
    uint32_t from, to, tag;          /* processes */
    uint32_t communicator, instance;
    uint32_t line; /* of the program, that sent it */
    enum fth_sim_channel channel;
    bool is_complete;
    const struct fth_sim_method *method, *root;
};

/* A receive that waits. */
struct fth_sim_post {
    struct fth_sim_post *next;
    struct fth_sim_activity *activity;
    uint32_t from, tag;
    enum fth_sim_channel channel;
    bool looks; /* the message stays where it is */
};

/* A command that is being carried out, or part of one. */
struct fth_sim_activity {
    struct fth_sim_job job;
    struct fth_sim_target idle_ends;
    struct fth_sim_process *process;
    struct fth_sim_activity *parent;
    const struct fth_sim_method *method, *root;
    struct fth_sim_command command;
    int step;
    uint32_t pending;       /* operations of this step that are not over */
    uint32_t source, tag;   /* of what was received last */
    uint32_t instance;      /* which of its communicator's collective commands; 0: it is none */
    bool is_request, ready; /* ready: all of this step's operations were started */
    bool is_begun, is_done; /* begun: with a request, the process goes on in the meantime */
    struct fth_sim_activity *waiter;              /* for it, when it is begun */
    struct fth_sim_activity *next_begun, **begun; /* begun ones of the process */
    struct fth_sim_activity *next_gathered, *next_in_turn;
    int64_t since;               /* when it began */
    uint64_t received;           /* bytes of the last message, with what the protocol adds */
    uint32_t number;             /* of its request, for who watches */
    uint64_t state[2];           /* for the method */
    uint64_t reduced;            /* bytes that its processor reduces before the next step */
    int64_t reducing_since;      /* 0: it does not */
    struct fth_sim_extent *list; /* of a begun one: a copy of its ranges */
};

struct fth_sim_process {
    uint32_t rank, nic, socket; /* socket: of all sockets */
    uint32_t server;            /* of index_servers.h, that it asks */
    struct fth_sim_world *world;
    struct fth_sim_processor *processor;
    struct fth_sim_cursor cursor;
    struct fth_sim_activity *activity; /* of the program; NULL: it has come to its end */
    struct fth_sim_post *posts, **last_post;
    struct fth_sim_letter *letters, **last_letter; /* that nobody has asked for yet */
    struct fth_sim_activity *begun, **last_begun;  /* that were not waited for yet */
    int64_t end;
    struct fth_sim_split split;
    uint32_t moving;   /* messages that are on their way from it or to it, for split.c */
    bool has_begun_io; /* when the present command began */
    bool has_opened;   /* a file with MPI-IO */
    bool polls;        /* for messages */
    uint32_t begun_io; /* commands on files that were begun and are not done */
    uint32_t jobs;     /* that it has on its processor */
    int64_t moving_since, moved, moved_before, reduced, reduced_before;
};

/* Processes of a communicator one after the other as they are placed; one for all its groups. */
struct fth_sim_chain {
    uint32_t *order; /* like the members: ranks in their group by node */
    uint32_t *place; /* of each process: where in the order of its group */
};

struct fth_sim_world {
    struct fth_sim_engine engine;
    struct fth_sim_network *network;
    struct fth_sim_fabric *fabric;
    struct fth_sim_storage *storage; /* NULL: there is none */
    const struct fth_sim_cluster *cluster;
    const struct fth_sim_program *program;
    const struct fth_sim_method *methods[FTH_SIM_VERBS];
    /* Of a command that stands in the program: the method that carries it out with all that stands
     * around it. */
    const struct fth_sim_method *(*around)(const struct fth_sim_world *world,
                                           enum fth_sim_verb verb);
    /* Notified when a process has come to its end; NULL: nobody waits for that. */
    void (*ended)(struct fth_sim_process *process);
    /* Of one that comes to a command that holds: does it stay there? It is started again then. */
    bool (*holds)(struct fth_sim_process *process);
    struct fth_sim_gates *gates; /* of the order of the program; NULL: it has none */
    struct fth_sim_process *processes;
    struct fth_sim_processor *processors;
    struct fth_sim_watch watch; /* without a context: nobody watches */
    uint32_t node_count;
    uint32_t **instances; /* by communicator and process: collective commands so far */
    struct fth_sim_chain *chains;
    struct fth_sim_gathering *gatherings;
    struct fth_sim_meeting *meetings; /* that are going on, the oldest first */
    struct fth_sim_sizes *sizes;      /* of warnings.c; NULL: no collective command came so far */
    /* What is free to be used again. */
    struct fth_sim_letter *free_letters;
    struct fth_sim_post *free_posts;
    struct fth_sim_visit *free_visits;
    struct fth_sim_activity *free_activities;
    uint64_t messages, message_bytes;
    struct fth_sim_spent spent[FTH_SIM_VERBS];
};

/* A message from a process, or to it, begins its way; it has left it, or come to it. */
static inline void fth_sim_moves(struct fth_sim_process *process)
{
    if (!process->moving++)
        process->moving_since = process->world->engine.now;
}
static inline void fth_sim_moved(struct fth_sim_process *process)
{
    if (!--process->moving)
        process->moved += process->world->engine.now - process->moving_since;
}

extern const struct fth_sim_network_user fth_sim_mail;

/* An operation of the activity's step is over. */
void fth_sim_operation_over(struct fth_sim_activity *activity);
/* The first command of a process. */
void fth_sim_process_start(struct fth_sim_process *process);
/* Carries out a command without the process waiting for it. */
void fth_sim_begin_request(struct fth_sim_process *process, const struct fth_sim_command *command,
                           uint32_t number);
/* Nobody waits for a begun activity any more. */
void fth_sim_forget_request(struct fth_sim_activity *activity);
void fth_sim_free_activity(struct fth_sim_activity *activity);
/* At the end: what activities hold beside themselves. */
void fth_sim_forget_lists(struct fth_sim_process *process);

static inline const struct fth_sim_communicator *
fth_sim_group(const struct fth_sim_activity *activity)
{
    uint32_t number = activity->command.communicator;
    return number ? &activity->process->world->program->communicators[number - 1] : NULL;
}
/* From ranks of the activity's communicator to processes, and back. */
static inline uint32_t fth_sim_process_of(const struct fth_sim_activity *activity, uint32_t rank)
{
    const struct fth_sim_communicator *group = fth_sim_group(activity);
    return group ? group->members[group->first[activity->process->rank] + rank] : rank;
}
static inline uint32_t fth_sim_rank_of(const struct fth_sim_activity *activity, uint32_t process)
{
    const struct fth_sim_communicator *group = fth_sim_group(activity);
    return group ? group->rank[process] : process;
}

/* What a process that has not come to its end waits for, for people; up to `size` characters. */
void fth_sim_describe_wait(const struct fth_sim_process *process, char *text, size_t size);
void fth_sim_groups_free(struct fth_sim_world *world);

#endif
