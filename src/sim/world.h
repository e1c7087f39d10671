/* Inner header of the sim room: processes, what they are doing, and the messages between them. */
#ifndef FTH_SIM_WORLD_H
#define FTH_SIM_WORLD_H

#include "sim/method.h"
#include "sim/processor.h"
#include "sim/run.h"

/* A message between processes. It can be received by who asks for its source and tag with the same method, inside the same command. */
struct fth_sim_letter {
    struct fth_sim_message message;
    struct fth_sim_letter *next;
    struct fth_sim_activity *sender; /* that waits for it to be sent */
    struct fth_sim_post *post;       /* that it belongs to */
    uint32_t from, to, tag;
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
};

/* A command that is being carried out, or part of one. */
struct fth_sim_activity {
    struct fth_sim_job job;
    struct fth_sim_process *process;
    struct fth_sim_activity *parent;
    const struct fth_sim_method *method, *root;
    struct fth_sim_command command;
    int step;
    uint32_t pending;       /* operations of this step that are not over */
    uint32_t source, tag;   /* of what was received last */
    bool is_request, ready; /* ready: all of this step's operations were started */
    uint64_t state[2];      /* for the method */
};

struct fth_sim_process {
    uint32_t rank, nic;
    struct fth_sim_world *world;
    struct fth_sim_processor *processor;
    struct fth_sim_cursor cursor;
    struct fth_sim_activity *activity; /* of the program; NULL: it has come to its end */
    struct fth_sim_post *posts, **last_post;
    struct fth_sim_letter *letters, **last_letter; /* that nobody has asked for yet */
    int64_t end;
};

struct fth_sim_world {
    struct fth_sim_engine engine;
    struct fth_sim_network *network;
    const struct fth_sim_cluster *cluster;
    const struct fth_sim_program *program;
    const struct fth_sim_method *methods[FTH_SIM_VERBS];
    struct fth_sim_process *processes;
    struct fth_sim_processor *processors;
    uint32_t node_count;
    /* What is free to be used again. */
    struct fth_sim_letter *free_letters;
    struct fth_sim_post *free_posts;
    struct fth_sim_activity *free_activities;
    uint64_t messages, message_bytes;
};

extern const struct fth_sim_network_user fth_sim_mail;

/* An operation of the activity's step is over. */
void fth_sim_operation_over(struct fth_sim_activity *activity);
/* The first command of a process. */
void fth_sim_process_start(struct fth_sim_process *process);
/* What a process waits for, for people; up to `size` characters. */
void fth_sim_describe_wait(const struct fth_sim_process *process, char *text, size_t size);

#endif
