/* How commands are carried out. A method is a function that is called for each step of a command:
 * it starts what belongs to the step (messages, receives, other commands, all at the same time) and
 * says which step follows when all of that is over. A step costs a few instructions on the
 * processor of the process. Which method a command has is chosen by name. */
#ifndef FTH_SIM_WORLD_METHOD_H
#define FTH_SIM_WORLD_METHOD_H

#include "sim/plan/program_commands.h"

#include <stddef.h>

struct fth_sim_activity;

enum { FTH_SIM_MESSAGE_HEADER = 8 }; /* what point-to-point messages have beside their bytes */
enum { FTH_SIM_OVER = -1 }; /* instead of a step: the command is over when what was started is */

struct fth_sim_method {
    enum fth_sim_verb verb;
    const char *name;
    int (*step)(struct fth_sim_activity *activity, int step);
    /* Methods whose messages can meet have the same; NULL: only its own can. */
    const void *protocol;
};

/* Who calls, and what for. */
const struct fth_sim_command *fth_sim_command(const struct fth_sim_activity *activity);
/* In the command's communicator: the own rank, and how many there are. */
uint32_t fth_sim_rank(const struct fth_sim_activity *activity);
uint32_t fth_sim_ranks(const struct fth_sim_activity *activity);
/* Messages up to this size are sent without asking. */
uint64_t fth_sim_eager(const struct fth_sim_activity *activity);
/* What the last step received: from whom, with which tag, and whether it was a request to send. */
uint32_t fth_sim_source(const struct fth_sim_activity *activity);
uint32_t fth_sim_tag(const struct fth_sim_activity *activity);
bool fth_sim_is_request(const struct fth_sim_activity *activity);
/* Two numbers that a method may keep from step to step; 0 at the start. */
uint64_t *fth_sim_state(struct fth_sim_activity *activity);

/* What messages are for, so that an answer is not taken for a message. Who receives messages
 * receives requests, too. */
enum fth_sim_channel { FTH_SIM_MESSAGE, FTH_SIM_REQUEST, FTH_SIM_ANSWER, FTH_SIM_PAYLOAD };

/* What a step starts. */
void fth_sim_send(struct fth_sim_activity *activity, uint32_t to, uint64_t bytes, uint32_t tag,
                  enum fth_sim_channel channel);
/* The same, and it is there at once: the network has nothing to do with it. */
void fth_sim_send_at_once(struct fth_sim_activity *activity, uint32_t to, uint64_t bytes,
                          uint32_t tag, enum fth_sim_channel channel);
void fth_sim_receive(struct fth_sim_activity *activity, uint32_t from, uint32_t tag,
                     enum fth_sim_channel channel);
/* Waits until there is a message that a receive would get, and leaves it there. */
void fth_sim_look_for(struct fth_sim_activity *activity, uint32_t from, uint32_t tag);
void fth_sim_call(struct fth_sim_activity *activity, const struct fth_sim_command *command);
/* The same by a method other than the chosen one. */
void fth_sim_call_by(struct fth_sim_activity *activity, const struct fth_sim_command *command,
                     const struct fth_sim_method *method);
/* When all of the step is over, and before the next one, the processor of the process reduces so
 * many bytes that came with what was there. */
void fth_sim_reduce(struct fth_sim_activity *activity, uint64_t bytes);
/* Waits for the last member of the communicator who comes to this; nothing has to go through the
 * network. */
void fth_sim_gather_all(struct fth_sim_activity *activity);

/* Whether two ranks of the communicator are on the same node. */
bool fth_sim_are_on_one_node(const struct fth_sim_activity *activity, uint32_t one, uint32_t other);

/* The members of the communicator in a chain, who are together on a node next to each other, the
 * root and its node first: the place of a rank in it, and the rank at a place. */
uint32_t fth_sim_chain_place(struct fth_sim_activity *activity, uint32_t rank);
uint32_t fth_sim_chain_rank(struct fth_sim_activity *activity, uint32_t place);

/* The method of that name; with NULL as a name, the one that is used when none is chosen. NULL:
 * there is none. */
const struct fth_sim_method *fth_sim_method(enum fth_sim_verb verb, const char *name);
/* All methods, one after the other; NULL: no more. */
const struct fth_sim_method *fth_sim_method_number(size_t index);

/* Families of methods, which have one for each collective command: "Root", everything goes through
 * one process; "MPICH2", what Kunkel (2013) modelled after MPICH 2; "Tuned", chosen by the sizes of
 * messages and groups as MPICH does it; "VirtualSync", all meet and nobody sends anything;
 * "NoOperation", nothing is done at all. NULL: there is no such family, or it has no method for the
 * command. */
const struct fth_sim_method *fth_sim_method_of_family(const char *family, enum fth_sim_verb verb);
/* Their names, one after the other; NULL: no more. */
const char *fth_sim_family(size_t index);

/* Methods by commands: up to one without a name. */
extern const struct fth_sim_method fth_sim_point_to_point[], fth_sim_broadcasts[],
    fth_sim_collectives[], fth_sim_reductions[], fth_sim_exchanges[], fth_sim_tuned[],
    fth_sim_requests[], fth_sim_files[], fth_sim_two_phases[], fth_sim_files_together[],
    fth_sim_files_alone[], fth_sim_one_sided[];

#endif
