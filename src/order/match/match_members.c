/* Groups of processes that have a communicator, and who is a member of them. */
#include "base/memory.h"
#include "order/match/match.h"

#include <string.h>

struct fth_member *fth_match_member(const struct fth_matching *matching, uint32_t proc,
                                    uint32_t member)
{
    if (proc >= matching->process_count || member >= matching->processes[proc].mpi.member_count)
        return NULL;
    return &matching->processes[proc].mpi.members[member];
}

/* The caller fills in procs and members, which are FTH_NO_GROUP and FTH_NO_MEMBER, and calls
 * place_members. */
struct fth_group *fth_match_add_group(struct fth_matching *matching, uint32_t size, uint32_t split)
{
    FTH_GROW(matching->groups, matching->group_count);
    struct fth_group *group = &matching->groups[matching->group_count++];
    group->size = size;
    group->split = split;
    group->procs = fth_resize(NULL, size + !size, sizeof *group->procs);
    group->members = fth_resize(NULL, size + !size, sizeof *group->members);
    memset(group->procs, 0xff, size * sizeof *group->procs);
    memset(group->members, 0xff, size * sizeof *group->members);
    return group;
}

/* A program to which MPI reported another rank, or size, has another communicator than we think:
 * then it is not known. */
static bool is_reported_otherwise(const struct fth_matching *matching,
                                  const struct fth_group *group)
{
    for (uint32_t i = 0; i < group->size; i++) {
        const struct fth_member *member =
            fth_match_member(matching, group->procs[i], group->members[i]);
        uint32_t base = i < group->split ? 0 : group->split;
        int64_t size = i < group->split ? group->split : group->size - group->split;
        if (member && ((member->rank >= 0 && member->rank != i - base) ||
                       (member->size >= 0 && member->size != size)))
            return true;
    }
    return false;
}

void fth_match_place_members(struct fth_matching *matching)
{
    struct fth_group *group = &matching->groups[matching->group_count - 1];
    if (is_reported_otherwise(matching, group)) {
        group->size = group->split = 0;
        return;
    }
    for (uint32_t i = 0; i < group->size; i++) {
        struct fth_member *member = fth_match_member(matching, group->procs[i], group->members[i]);
        if (!member || member->group != FTH_NO_GROUP)
            continue;
        member->group = (uint32_t)matching->group_count - 1;
        member->place = i;
    }
}
