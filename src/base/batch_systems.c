/* In which job of which batch system? */
#include "base/batch_systems.h"

#include <stddef.h>
#include <string.h>

const struct fth_batch_system fth_batch_systems[] = {
    {"Slurm", "SLURM_JOB_ID", "SLURM_ARRAY_JOB_ID", {"SLURM_ARRAY_TASK_ID"}, false},
    {"PBS", "PBS_JOBID", NULL, {"PBS_ARRAY_INDEX", "PBS_ARRAYID"}, false},
    {"LSF", "LSB_JOBID", NULL, {"LSB_JOBINDEX"}, true},
    {"Flux", "FLUX_JOB_ID", NULL, {NULL}, false},
    {"Cobalt", "COBALT_JOBID", NULL, {NULL}, false},
    {"PJM", "PJM_JOBID", NULL, {NULL}, false},
    {"Grid Engine", "JOB_ID", NULL, {"SGE_TASK_ID"}, true},
};
const unsigned fth_batch_system_count = sizeof fth_batch_systems / sizeof *fth_batch_systems;

bool fth_batch_is_variable(const char *name)
{
    for (unsigned i = 0; i < fth_batch_system_count; i++) {
        const struct fth_batch_system *system = &fth_batch_systems[i];
        const char *names[] = {system->job, system->array, system->tasks[0], system->tasks[1]};
        for (size_t j = 0; j < sizeof names / sizeof *names; j++)
            if (names[j] && !strcmp(names[j], name))
                return true;
    }
    return false;
}

static const char *value_of(fth_variable *variable, const void *context, const char *name)
{
    const char *value = name ? variable(context, name) : NULL;
    return value && *value ? value : NULL;
}

bool fth_batch_find(fth_variable *variable, const void *context, struct fth_batch_job *job)
{
    *job = (struct fth_batch_job){0};
    for (unsigned i = 0; i < fth_batch_system_count && !job->number; i++) {
        const struct fth_batch_system *system = &fth_batch_systems[i];
        const char *array = value_of(variable, context, system->array);
        job->system = system->name;
        job->number = value_of(variable, context, system->job);
        if (!job->number)
            job->number = array;
        for (unsigned j = 0; j < 2 && !job->task && job->number; j++)
            job->task = value_of(variable, context, system->tasks[j]);
        if (job->task && (!strcmp(job->task, "undefined") ||
                          (system->counts_from_one && !strcmp(job->task, "0"))))
            job->task = NULL;
        if (job->task && array)
            job->number = array;
    }
    return job->number;
}
