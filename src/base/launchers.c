/* Which launcher is it, and what does it give a rank? */
#include "base/launchers.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The first whose variables are there counts: torchrun is itself started by one of the others,
 * mpirun by srun. Of Slurm only the variables of a step: in a batch script, those of the job say
 * nothing about the process. */
const struct fth_launcher fth_launchers[] = {
    {.name = "torchrun",
     .programs = "torchrun",
     .rank = "RANK",
     .size = "WORLD_SIZE",
     .local_size = "LOCAL_WORLD_SIZE",
     .job = {"TORCHELASTIC_RUN_ID"}},
    {.name = "Open MPI",
     .programs = "mpirun mpiexec mpirun.openmpi mpiexec.openmpi orterun orted",
     .rank = "OMPI_COMM_WORLD_RANK",
     .size = "OMPI_COMM_WORLD_SIZE",
     .local_size = "OMPI_COMM_WORLD_LOCAL_SIZE",
     .job = {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"},
     .agents = {"OMPI_MCA_orte_launch_agent", "PRTE_MCA_prte_launch_agent"},
     .starts_mpi = true},
    {.name = "MVAPICH2",
     .programs = "mpirun_rsh mpispawn",
     .rank = "MV2_COMM_WORLD_RANK",
     .size = "MV2_COMM_WORLD_SIZE",
     .local_size = "MV2_COMM_WORLD_LOCAL_SIZE",
     .starts_mpi = true},
    {.name = "Hydra", /* of MPICH and Intel MPI */
     .programs = "mpirun.mpich mpiexec.mpich mpiexec.hydra hydra_* pmi_proxy",
     .rank = "PMI_RANK",
     .size = "PMI_SIZE",
     .local_size = "MPI_LOCALNRANKS",
     .starts_mpi = true},
    {.name = "PALS", /* of HPE Cray */
     .programs = "pals*",
     .rank = "PALS_RANKID",
     .local_size = "PALS_LOCAL_SIZE",
     .job = {"PALS_APID"},
     .starts_mpi = true},
    {.name = "jsrun", /* of IBM */
     .programs = "jsrun jsmd jslauncher",
     .rank = "JSM_NAMESPACE_RANK",
     .size = "JSM_NAMESPACE_SIZE",
     .local_size = "JSM_NAMESPACE_LOCAL_SIZE",
     .starts_mpi = true},
    {.name = "Flux",
     .programs = "flux flux-broker flux-shell",
     .rank = "FLUX_TASK_RANK",
     .size = "FLUX_JOB_SIZE",
     .job = {"FLUX_JOB_ID"},
     .starts_mpi = true},
    {.name = "Slurm",
     .programs = "srun slurmstepd",
     .rank = "SLURM_PROCID",
     .size = "SLURM_STEP_NUM_TASKS",
     .local_size = "SLURM_STEP_TASKS_PER_NODE",
     .node = "SLURM_NODEID",
     .job = {"SLURM_JOB_ID", "SLURM_STEP_ID"},
     .starts_mpi = true},
    /* without a size: Open MPI's variables are there, too, where MPI is started */
    {.name = "PRRTE",
     .programs = "prun prterun prted prte",
     .rank = "PMIX_RANK",
     .job = {"PMIX_NAMESPACE"},
     .starts_mpi = true},
    {.name = "ALPS", /* of Cray; without a size */
     .programs = "aprun apinit apshepherd",
     .rank = "ALPS_APP_PE",
     .job = {"ALPS_APP_ID"},
     .starts_mpi = true},
};
const unsigned fth_launcher_count = sizeof fth_launchers / sizeof *fth_launchers;

/* ---- programs ---- */

enum { LONGEST_COMM = 15 /* bytes of a name that Linux keeps */ };

/* Is `name` the word, or does it begin as "word*" says? */
static bool is_word(const char *word, size_t length, const char *name)
{
    if (word[length - 1] == '*')
        return strncmp(name, word, length - 1) == 0;
    bool is_cut = strlen(name) == LONGEST_COMM && length > LONGEST_COMM;
    return strncmp(name, word, is_cut ? LONGEST_COMM : length) == 0 && (is_cut || !name[length]);
}

bool fth_is_launcher(const char *program)
{
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    for (unsigned i = 0; i < fth_launcher_count; i++)
        for (const char *word = fth_launchers[i].programs; *word;) {
            size_t length = strcspn(word, " ");
            if (is_word(word, length, name))
                return true;
            word += length + strspn(word + length, " ");
        }
    return false;
}

/* ---- ranks ---- */

static bool read_number(const char *variable, int32_t *number)
{
    const char *text = variable ? getenv(variable) : NULL;
    char *end;
    if (!text || *text < '0' || *text > '9')
        return false;
    long long value = strtoll(text, &end, 10);
    *number = (int32_t)value;
    return *end == 0 && value <= INT32_MAX;
}

/* "4", or one number for each node: "4(x2),3". */
int32_t fth_launcher_local_size(const struct fth_launcher *launcher)
{
    const char *at = launcher->local_size ? getenv(launcher->local_size) : NULL;
    int32_t node = 0;
    read_number(launcher->node, &node);
    while (at && *at >= '0' && *at <= '9') {
        char *end;
        long long number = strtoll(at, &end, 10), times = 1;
        if (strncmp(end, "(x", 2) == 0) {
            times = strtoll(end + 2, &end, 10);
            end += *end == ')';
        }
        if (node < times)
            return number <= INT32_MAX ? (int32_t)number : 0;
        node -= (int32_t)(times > 0 ? times : 0);
        at = end + (*end == ',');
    }
    return 0;
}

bool fth_launch_read(const struct fth_launcher *launcher, struct fth_launch *launch)
{
    *launch = (struct fth_launch){.launcher = launcher};
    if (!read_number(launcher->rank, &launch->rank) ||
        !read_number(launcher->size, &launch->size) || launch->rank >= launch->size)
        return false;
    launch->local_size = fth_launcher_local_size(launcher);
    if (launch->local_size < 1 || launch->local_size > launch->size)
        launch->local_size = 0;
    return true;
}

bool fth_launch_find(struct fth_launch *launch)
{
    for (unsigned i = 0; i < fth_launcher_count; i++)
        if (fth_launch_read(&fth_launchers[i], launch))
            return true;
    return false;
}
