/* The parts of a network, by number: nodes and edges. A part stands for its kind, a pattern, until
 * something is sent through it. */
#include "sim/network/flow.h"

#include "base/memory.h"

#include <string.h>

/* One that is like it and has done nothing stands for all parts that nothing was sent through;
 * those that follow one another are mostly of a few kinds. */
static struct fth_sim_component *pattern_of(struct fth_sim_network *network, const char *name,
                                            enum fth_sim_kind kind,
                                            const struct fth_sim_speed *speed)
{
    enum { LAST = 8 };
    for (uint32_t i = network->pattern_count; i && i + LAST > network->pattern_count; i--) {
        struct fth_sim_component *pattern = network->patterns[i - 1];
        if (pattern->name == name && pattern->kind == kind &&
            !memcmp(&pattern->speed, speed, sizeof *speed))
            return pattern;
    }
    struct fth_sim_component *pattern = fth_sim_new_line(network->engine, sizeof *pattern);
    uint64_t slowest = speed->throughput;
    if (speed->local && speed->local < slowest)
        slowest = speed->local;
    pattern->done.happen = fth_sim_component_done;
    pattern->network = network;
    pattern->speed = *speed;
    pattern->limit = speed->latency + fth_sim_time_of(fth_sim_full_packet(network), slowest);
    if (!pattern->limit)
        pattern->limit = 1; /* what takes no time is never under way */
    pattern->name = name;
    pattern->kind = kind;
    FTH_GROW(network->patterns, network->pattern_count);
    network->patterns[network->pattern_count++] = pattern;
    return pattern;
}

uint32_t fth_sim_network_add(struct fth_sim_network *network, const char *name,
                             enum fth_sim_kind kind, const struct fth_sim_speed *speed)
{
    network->targets++;
    FTH_GROW(network->components, network->component_count);
    network->components[network->component_count] = pattern_of(network, name, kind, speed);
    return network->component_count++;
}

struct fth_sim_component *fth_sim_network_use(const struct fth_sim_network *network,
                                              uint32_t number)
{
    struct fth_sim_component **component = &network->components[number];
    if ((*component)->done.order)
        return *component;
    struct fth_sim_component *used = fth_sim_new_line(network->engine, sizeof *used);
    *used = **component;
    used->done.order = number + 1;
    return *component = used;
}
