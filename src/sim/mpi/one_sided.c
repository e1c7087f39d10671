/* One-sided communication: the memory of another process is written or read without its
 * participation. Written data travels with its request and is acknowledged; read data comes
 * with the answer. Messages without data, which match no others, announce the begin and the end
 * of an epoch. */
#include "sim/world/world.h"

enum { HEADER = 20 };

/* There and back. */
struct fth_sim_visit {
    struct fth_sim_message there, back;
    struct fth_sim_activity *activity;
    struct fth_sim_visit *next; /* of those that are free */
};

#define VISIT_OF(message, member)                                                                  \
    ((struct fth_sim_visit *)(void *)((char *)(message)-offsetof(struct fth_sim_visit, member)))

static void nothing(void *user, struct fth_sim_message *message)
{
    (void)user;
    (void)message;
}

static uint32_t peer_of(const struct fth_sim_activity *activity)
{
    const struct fth_sim_command *command = &activity->command;
    return command->verb == FTH_SIM_PUT ? command->to : command->from;
}

static uint32_t nic_of(const struct fth_sim_activity *activity)
{
    const struct fth_sim_world *world = activity->process->world;
    return world->processes[fth_sim_process_of(activity, peer_of(activity))].nic;
}

static void send(struct fth_sim_world *world, uint32_t from, uint32_t to,
                 struct fth_sim_message *message)
{
    world->messages++;
    world->message_bytes += message->bytes;
    fth_sim_network_send(world->network, from, to, message);
}

static void came_back(void *user, struct fth_sim_message *message)
{
    (void)user;
    struct fth_sim_visit *visit = VISIT_OF(message, back);
    struct fth_sim_activity *activity = visit->activity;
    struct fth_sim_world *world = activity->process->world;
    visit->next = world->free_visits;
    world->free_visits = visit;
    fth_sim_operation_over(activity);
}

static void is_there(void *user, struct fth_sim_message *message)
{
    static const struct fth_sim_network_user users = {
        .left = nothing, .announced = nothing, .arrived = came_back};
    (void)user;
    struct fth_sim_visit *visit = VISIT_OF(message, there);
    struct fth_sim_activity *activity = visit->activity;
    bool reads = activity->command.verb == FTH_SIM_GET;
    visit->back = (struct fth_sim_message){.bytes = HEADER + (reads ? activity->command.bytes : 0),
                                           .user = &users};
    send(activity->process->world, nic_of(activity), activity->process->nic, &visit->back);
}

static int visit(struct fth_sim_activity *activity, int step)
{
    static const struct fth_sim_network_user users = {
        .left = nothing, .announced = nothing, .arrived = is_there};
    struct fth_sim_world *world = activity->process->world;
    bool writes = activity->command.verb == FTH_SIM_PUT;
    (void)step;
    if (fth_sim_process_of(activity, peer_of(activity)) == activity->process->rank)
        return FTH_SIM_OVER; /* nothing has to go anywhere */
    struct fth_sim_visit *visit = world->free_visits;
    if (visit)
        world->free_visits = visit->next;
    else
        visit = fth_sim_new(&world->engine, sizeof *visit);
    *visit = (struct fth_sim_visit){.activity = activity};
    visit->there = (struct fth_sim_message){
        .bytes = HEADER + (writes ? activity->command.bytes : 0), .user = &users};
    activity->pending++;
    send(world, activity->process->nic, nic_of(activity), &visit->there);
    return FTH_SIM_OVER;
}

static const char epochs[] = "epochs";

static int notify(struct fth_sim_activity *activity, int step)
{
    const struct fth_sim_command *command = fth_sim_command(activity);
    (void)step;
    for (uint64_t i = 0; i < command->ranges.count; i++)
        fth_sim_send(activity, (uint32_t)fth_sim_range(&command->ranges, i).offset, HEADER,
                     command->tag, FTH_SIM_MESSAGE);
    return FTH_SIM_OVER;
}

static int await(struct fth_sim_activity *activity, int step)
{
    const struct fth_sim_command *command = fth_sim_command(activity);
    (void)step;
    for (uint64_t i = 0; i < command->ranges.count; i++)
        fth_sim_receive(activity, (uint32_t)fth_sim_range(&command->ranges, i).offset, command->tag,
                        FTH_SIM_MESSAGE);
    return FTH_SIM_OVER;
}

static int notify_virtually(struct fth_sim_activity *activity, int step)
{
    const struct fth_sim_command *command = fth_sim_command(activity);
    (void)step;
    for (uint64_t i = 0; i < command->ranges.count; i++)
        fth_sim_send_at_once(activity, (uint32_t)fth_sim_range(&command->ranges, i).offset, HEADER,
                             command->tag, FTH_SIM_MESSAGE);
    return FTH_SIM_OVER;
}

static int no_visit(struct fth_sim_activity *activity, int step)
{
    (void)activity;
    (void)step;
    return FTH_SIM_OVER;
}

const struct fth_sim_method fth_sim_one_sided[] = {
    {FTH_SIM_PUT, "Acknowledged", visit, NULL},
    {FTH_SIM_GET, "Acknowledged", visit, NULL},
    {FTH_SIM_NOTIFY, "Message", notify, epochs},
    {FTH_SIM_AWAIT, "Message", await, epochs},
    {FTH_SIM_PUT, "VirtualSync", no_visit, NULL},
    {FTH_SIM_GET, "VirtualSync", no_visit, NULL},
    {FTH_SIM_NOTIFY, "VirtualSync", notify_virtually, epochs},
    {0, NULL, NULL, NULL},
};
