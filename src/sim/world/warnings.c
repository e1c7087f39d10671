/* What a program on a cluster is warned of, since its figures are those of something that nobody
 * means: more processes on a node than it has cores, and ranks that give one collective command
 * different sizes. Of the latter the last few thousand commands are remembered, those of which some
 * members may still come. */
#include "sim/world/warnings.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "sim/world/world.h"

#include <stdio.h>

enum { REMEMBERED = 4096 };

/* A collective command, as its first member gave it. */
struct given {
    uint32_t communicator, group, instance, rank;
    struct fth_sim_command command;
};

struct fth_sim_sizes {
    uint64_t count; /* of commands that differ from that of the first member */
    struct given first, other;
    struct given given[REMEMBERED];
};

static bool has_one_size(enum fth_sim_verb verb)
{
    return verb >= FTH_SIM_BARRIER && verb <= FTH_SIM_EXSCAN && verb != FTH_SIM_ALLTOALLV &&
           verb != FTH_SIM_NEIGHBOURS;
}

void fth_sim_sizes_note(struct fth_sim_process *process, const struct fth_sim_command *command,
                        uint32_t instance)
{
    struct fth_sim_world *world = process->world;
    /* What was recorded may well differ: of some calls each rank gives its own part. */
    if (world->program->numbers || !has_one_size(command->verb))
        return;
    if (!world->sizes)
        world->sizes = fth_new(1, sizeof *world->sizes);
    uint32_t number = command->communicator, group = 0;
    if (number)
        group = world->program->communicators[number - 1].first[process->rank];
    uint32_t place = (number * 61 + group * 31 + instance) % REMEMBERED;
    struct given *given = &world->sizes->given[place];
    struct given here = {number, group, instance, process->rank, *command};
    if (given->instance != instance || given->communicator != number || given->group != group) {
        *given = here;
        return;
    }
    if (given->command.bytes == command->bytes || given->command.verb != command->verb)
        return;
    if (world->sizes->count++)
        return;
    world->sizes->first = *given;
    world->sizes->other = here;
}

static void describe_sizes(const struct fth_sim_sizes *sizes, char *text, size_t size)
{
    const struct given *first = &sizes->first, *other = &sizes->other;
    snprintf(text, size,
             "ranks use different sizes in one collective command (%s): first %s has %s at rank %u "
             "(line %u) and %s at rank %u (line %u); each rank uses its own size",
             fth_phrase_several(sizes->count, "time", "times").text,
             fth_sim_verb_names[first->command.verb], fth_phrase_bytes(first->command.bytes).text,
             first->rank, first->command.line, fth_phrase_bytes(other->command.bytes).text,
             other->rank, other->command.line);
}

static uint32_t describe_oversubscription(const struct fth_sim_world *world, char *text,
                                          size_t size)
{
    const struct fth_sim_processor *worst = NULL;
    uint32_t oversubscribed = 0;
    for (uint32_t i = 0; i < world->node_count; i++) {
        const struct fth_sim_processor *processor = &world->processors[i];
        if (processor->processes <= processor->count)
            continue;
        oversubscribed++;
        if (!worst || processor->processes - processor->count > worst->processes - worst->count)
            worst = processor;
    }
    if (oversubscribed)
        snprintf(text, size, "%s more processes than cores, which they share: node %u has %u on %u",
                 oversubscribed == 1
                     ? "one node has"
                     : fth_phrase_several(oversubscribed, "node has", "nodes have").text,
                 (uint32_t)(worst - world->processors), worst->processes, worst->count);
    return oversubscribed;
}

bool fth_sim_world_warning(const struct fth_sim_world *world, uint32_t number, char *text,
                           size_t size)
{
    bool is_oversubscribed = describe_oversubscription(world, text, size);
    bool differs = world->sizes && world->sizes->count;
    if (is_oversubscribed && number == 0)
        return true;
    if (!differs || number != (is_oversubscribed ? 1u : 0u))
        return false;
    describe_sizes(world->sizes, text, size);
    return true;
}
