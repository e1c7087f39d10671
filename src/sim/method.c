/* All methods, by the names of their commands and their own. */
#include "sim/method.h"

#include <string.h>

const char *const fth_sim_verb_names[FTH_SIM_VERBS] = {
    [FTH_SIM_COMPUTE] = "compute",   [FTH_SIM_SEND] = "send",           [FTH_SIM_RECV] = "recv",
    [FTH_SIM_SENDRECV] = "sendrecv", [FTH_SIM_BARRIER] = "barrier",     [FTH_SIM_BCAST] = "bcast",
    [FTH_SIM_REDUCE] = "reduce",     [FTH_SIM_ALLREDUCE] = "allreduce", [FTH_SIM_GATHER] = "gather",
    [FTH_SIM_SCATTER] = "scatter",   [FTH_SIM_ALLGATHER] = "allgather",
};

static const struct fth_sim_method *const tables[] = {fth_sim_point_to_point, fth_sim_broadcasts,
                                                      fth_sim_collectives};

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
