/* Answers queries about matched calls: which belong together, and who is in which communicator. */
#include "base/memory.h"
#include "order/match/match.h"

#include <stdlib.h>

void fth_match_report_together(const struct fth_matching *matching, const struct fth_group *group,
                               const struct fth_order_operation **operations)
{
    struct fth_order_member *members;
    size_t count = 0;
    if (!matching->options.together)
        return;
    members = fth_new(group->size + 1, sizeof *members);
    for (uint32_t i = 0; i < group->size; i++)
        if (operations[i])
            members[count++] = (struct fth_order_member){
                group->procs[i],
                operations[i]->begin.timeline - matching->processes[group->procs[i]].first_timeline,
                operations[i]->call, operations[i]->begin, operations[i]->end};
    matching->options.together(matching->options.together_context, members, count);
    free(members);
}

/* ---- groups ---- */

/* Of each member that has a topology which is known. */
struct reported_sources {
    int64_t **all;
    size_t *counts;
    bool *disordered;
};

static void find_sources(const struct fth_matching *matching, const struct fth_group *group,
                         struct reported_sources *sources)
{
    for (uint32_t i = 0; i < group->size; i++) {
        const struct fth_member *member =
            fth_match_member(matching, group->procs[i], group->members[i]);
        const struct fth_topology *topology = member ? member->topology : NULL;
        if (!topology || !topology->known)
            continue;
        sources->all[i] = fth_match_sources(topology, i, &sources->counts[i]);
        sources->disordered[i] = topology->disordered;
    }
}

static void report_group(const struct fth_matching *matching, const struct fth_group *group)
{
    uint64_t *handles = fth_new(group->size + 1, sizeof *handles);
    struct reported_sources sources = {fth_new(group->size + 1, sizeof *sources.all),
                                       fth_new(group->size + 1, sizeof *sources.counts),
                                       fth_new(group->size + 1, sizeof *sources.disordered)};
    for (uint32_t i = 0; i < group->size; i++) {
        const struct fth_member *member =
            fth_match_member(matching, group->procs[i], group->members[i]);
        handles[i] = member ? member->handle : UINT64_MAX;
    }
    find_sources(matching, group, &sources);
    matching->options.group(
        matching->options.group_context,
        &(struct fth_order_group){.size = group->size,
                                  .split = group->split,
                                  .procs = group->procs,
                                  .handles = handles,
                                  .sources = (const int64_t *const *)sources.all,
                                  .source_counts = sources.counts,
                                  .disordered = sources.disordered});
    for (uint32_t i = 0; i < group->size; i++)
        free(sources.all[i]);
    free(sources.all);
    free(sources.counts);
    free(sources.disordered);
    free(handles);
}

void fth_match_report_groups(const struct fth_matching *matching)
{
    for (size_t i = 0; matching->options.group && i < matching->group_count; i++)
        report_group(matching, &matching->groups[i]);
}

/* Who is in the epoch is not known where there are no processes. */
void fth_match_report_epoch(const struct fth_matching *matching, uint32_t proc,
                            const struct fth_order_operation *operation, const uint32_t *procs,
                            uint32_t count)
{
    const struct fth_member *window = fth_match_member(matching, proc, operation->member);
    if (!matching->options.epoch || !window)
        return;
    matching->options.epoch(
        matching->options.group_context,
        &(struct fth_order_epoch){.proc = proc,
                                  .window = window->handle,
                                  .reaches = operation->kind == FTH_SYNC_COMPLETE,
                                  .procs = procs,
                                  .count = count});
}
