/* Groups of processes: see the header. */
#include "sim/plan/communicator.h"

#include "base/memory.h"

struct member {
    uint32_t color, key, process;
};

static int compare(const void *one, const void *other)
{
    const struct member *a = one, *b = other;
    if (a->color != b->color)
        return a->color < b->color ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

void fth_sim_communicator_split(struct fth_sim_communicator *communicator, uint32_t processes,
                                const uint32_t *colors, const uint32_t *keys)
{
    struct member *members = fth_new(processes, sizeof *members);
    for (uint32_t i = 0; i < processes; i++)
        members[i] = (struct member){colors[i], keys ? keys[i] : 0, i};
    qsort(members, processes, sizeof *members, compare);
    *communicator = (struct fth_sim_communicator){
        .members = fth_new(processes, sizeof(uint32_t)),
        .first = fth_new(processes, sizeof(uint32_t)),
        .size = fth_new(processes, sizeof(uint32_t)),
        .rank = fth_new(processes, sizeof(uint32_t)),
    };
    for (uint32_t i = 0, first = 0; i < processes; first = i) {
        for (; i < processes && members[i].color == members[first].color; i++)
            communicator->members[i] = members[i].process;
        if (members[first].color == FTH_SIM_NO_COLOR)
            break;
        for (uint32_t j = first; j < i; j++) {
            uint32_t process = members[j].process;
            communicator->first[process] = first;
            communicator->size[process] = i - first;
            communicator->rank[process] = j - first;
        }
    }
    free(members);
}

void fth_sim_communicator_free(struct fth_sim_communicator *communicator)
{
    free(communicator->members);
    free(communicator->first);
    free(communicator->size);
    free(communicator->rank);
    *communicator = (struct fth_sim_communicator){0};
}
