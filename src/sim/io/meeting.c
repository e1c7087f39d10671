/* Processes that do something together: see the header. */
#include "sim/io/storage.h"

#include "base/memory.h"
#include "sim/world/world.h"

#include <string.h>

static void free_phases(struct fth_sim_phases *phases)
{
    if (phases)
        free(phases->index);
    free(phases);
}

void fth_sim_meeting_free(struct fth_sim_meeting *meeting)
{
    for (uint32_t i = 0; i < meeting->count; i++)
        free(meeting->members[i].list);
    free_phases(meeting->phases);
    free(meeting);
}

static struct fth_sim_meeting *find(struct fth_sim_activity *activity)
{
    uint32_t communicator = activity->command.communicator, instance = activity->instance;
    uint32_t group = fth_sim_process_of(activity, 0), count = fth_sim_ranks(activity);
    struct fth_sim_meeting **at = &activity->process->world->meetings;
    for (; *at; at = &(*at)->next)
        if ((*at)->communicator == communicator && (*at)->group == group &&
            (*at)->instance == instance)
            return *at;
    *at = fth_new(1, sizeof **at + count * sizeof *(*at)->members);
    (*at)->communicator = communicator;
    (*at)->group = group;
    (*at)->instance = instance;
    (*at)->count = count;
    return *at;
}

static void take_ranges(struct fth_sim_member *member, const struct fth_sim_ranges *ranges)
{
    member->ranges = *ranges;
    if (!ranges->list)
        return;
    member->list = fth_new(ranges->count, sizeof *member->list);
    memcpy(member->list, ranges->list, ranges->count * sizeof *member->list);
    member->ranges.list = member->list;
}

struct fth_sim_meeting *fth_sim_meeting_enter(struct fth_sim_activity *activity)
{
    struct fth_sim_meeting *meeting = find(activity);
    struct fth_sim_member *member = &meeting->members[fth_sim_rank(activity)];
    member->activity = activity;
    take_ranges(member, &fth_sim_command(activity)->ranges);
    activity->pending++;
    if (++meeting->entered < meeting->count)
        return meeting;
    for (uint32_t i = 0; i < meeting->count; i++)
        fth_sim_operation_over(meeting->members[i].activity);
    return meeting;
}

void fth_sim_meeting_leave(struct fth_sim_activity *activity, struct fth_sim_meeting *meeting)
{
    if (++meeting->left < meeting->count)
        return;
    struct fth_sim_meeting **at = &activity->process->world->meetings;
    while (*at != meeting)
        at = &(*at)->next;
    *at = meeting->next;
    fth_sim_meeting_free(meeting);
}
