/* All methods, by the names of their commands and their own. */
#include "sim/world/method.h"

#include <string.h>

static int no_operation(struct fth_sim_activity *activity, int step)
{
    (void)activity;
    (void)step;
    return FTH_SIM_OVER;
}

static int virtual_sync(struct fth_sim_activity *activity, int step)
{
    (void)step;
    fth_sim_gather_all(activity);
    return FTH_SIM_OVER;
}

/* What every collective command has. */
#define COMMON(verb)                                                                               \
    {verb, "VirtualSync", virtual_sync, NULL},                                                     \
    {                                                                                              \
        verb, "NoOperation", no_operation, NULL                                                    \
    }
static const struct fth_sim_method common[] = {
    COMMON(FTH_SIM_BARRIER),    COMMON(FTH_SIM_BCAST),    COMMON(FTH_SIM_REDUCE),
    COMMON(FTH_SIM_ALLREDUCE),  COMMON(FTH_SIM_GATHER),   COMMON(FTH_SIM_SCATTER),
    COMMON(FTH_SIM_ALLGATHER),  COMMON(FTH_SIM_ALLTOALL), COMMON(FTH_SIM_REDUCE_SCATTER),
    COMMON(FTH_SIM_SCAN),       COMMON(FTH_SIM_EXSCAN),   COMMON(FTH_SIM_ALLTOALLV),
    COMMON(FTH_SIM_NEIGHBOURS), {0, NULL, NULL, NULL},
};

static const struct fth_sim_method *const tables[] = {
    fth_sim_point_to_point, fth_sim_broadcasts, fth_sim_collectives,    fth_sim_reductions,
    fth_sim_exchanges,      fth_sim_tuned,      fth_sim_requests,       common,
    fth_sim_files,          fth_sim_two_phases, fth_sim_files_together, fth_sim_one_sided,
    fth_sim_files_alone};

const struct fth_sim_method *fth_sim_method_number(size_t index)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct fth_sim_method *method = tables[i]; method->name; method++)
            if (index-- == 0)
                return method;
    return NULL;
}

const struct fth_sim_method *fth_sim_method(enum fth_sim_verb verb, const char *name)
{
    const struct fth_sim_method *method;
    for (size_t i = 0; (method = fth_sim_method_number(i)); i++)
        if (method->verb == verb && (!name || !strcmp(method->name, name)))
            return method;
    return NULL;
}

static const struct {
    const char *name;
    const char *methods[FTH_SIM_VERBS];
} families[] = {
    {"Root",
     {[FTH_SIM_BARRIER] = "Direct",
      [FTH_SIM_BCAST] = "Direct",
      [FTH_SIM_REDUCE] = "Direct",
      [FTH_SIM_ALLREDUCE] = "Direct",
      [FTH_SIM_GATHER] = "Direct",
      [FTH_SIM_SCATTER] = "Direct",
      [FTH_SIM_ALLGATHER] = "GatherBroadcast",
      [FTH_SIM_ALLTOALL] = "Direct",
      [FTH_SIM_REDUCE_SCATTER] = "ReduceScatter",
      [FTH_SIM_SCAN] = "Linear",
      [FTH_SIM_EXSCAN] = "Linear"}},
    {"MPICH2",
     {[FTH_SIM_BARRIER] = "DisseminationBack",
      [FTH_SIM_BCAST] = "ScatterReadyRing",
      [FTH_SIM_REDUCE] = "HalvingTree",
      [FTH_SIM_ALLREDUCE] = "ReduceBroadcast",
      [FTH_SIM_GATHER] = "BinaryTree",
      [FTH_SIM_SCATTER] = "BinaryTreeReady",
      [FTH_SIM_ALLGATHER] = "Ring",
      [FTH_SIM_ALLTOALL] = "Pairwise",
      [FTH_SIM_REDUCE_SCATTER] = "HalvingNear",
      [FTH_SIM_SCAN] = "Doubling",
      [FTH_SIM_EXSCAN] = "Doubling",
      [FTH_SIM_FILE_CLOSE_ALL] = "None",
      [FTH_SIM_FILE_READ_ALL] = "TwoPhaseBuffers",
      [FTH_SIM_FILE_WRITE_ALL] = "TwoPhaseBuffers"}},
    {"Tuned",
     {[FTH_SIM_BARRIER] = "Dissemination",
      [FTH_SIM_BCAST] = "Tuned",
      [FTH_SIM_REDUCE] = "Tuned",
      [FTH_SIM_ALLREDUCE] = "Tuned",
      [FTH_SIM_GATHER] = "BinaryTree",
      [FTH_SIM_SCATTER] = "BinaryTree",
      [FTH_SIM_ALLGATHER] = "Tuned",
      [FTH_SIM_ALLTOALL] = "Tuned",
      [FTH_SIM_REDUCE_SCATTER] = "Tuned",
      [FTH_SIM_SCAN] = "Doubling",
      [FTH_SIM_EXSCAN] = "Doubling"}},
};
enum { FAMILIES = sizeof families / sizeof *families };
/* Families with one method for everything. */
static const char *const uniform[] = {"VirtualSync", "NoOperation"};
enum { UNIFORM = sizeof uniform / sizeof *uniform };

const char *fth_sim_family(size_t index)
{
    return index < FAMILIES             ? families[index].name
           : index < FAMILIES + UNIFORM ? uniform[index - FAMILIES]
                                        : NULL;
}

const struct fth_sim_method *fth_sim_method_of_family(const char *family, enum fth_sim_verb verb)
{
    if (!fth_sim_is_collective(verb))
        return NULL;
    for (size_t i = 0; i < FAMILIES; i++)
        if (!strcmp(families[i].name, family))
            return fth_sim_method(verb, families[i].methods[verb]); /* NULL: there is one for all */
    for (size_t i = 0; i < UNIFORM; i++)
        if (!strcmp(uniform[i], family))
            return fth_sim_method(verb, family);
    return NULL;
}
