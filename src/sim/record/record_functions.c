/* Which function of MPI or of the system a command stands for in a trace. */
#include "sim/record/recorder_state.h"

#include <stdio.h>
#include <string.h>

static const char *const functions[FTH_SIM_VERBS] = {
    [FTH_SIM_SEND] = "MPI_Send",
    [FTH_SIM_RECV] = "MPI_Recv",
    [FTH_SIM_SENDRECV] = "MPI_Sendrecv",
    [FTH_SIM_PUT] = "MPI_Put",
    [FTH_SIM_GET] = "MPI_Get",
    [FTH_SIM_BARRIER] = "MPI_Barrier",
    [FTH_SIM_BCAST] = "MPI_Bcast",
    [FTH_SIM_REDUCE] = "MPI_Reduce",
    [FTH_SIM_ALLREDUCE] = "MPI_Allreduce",
    [FTH_SIM_GATHER] = "MPI_Gather",
    [FTH_SIM_SCATTER] = "MPI_Scatter",
    [FTH_SIM_ALLGATHER] = "MPI_Allgather",
    [FTH_SIM_ALLTOALL] = "MPI_Alltoall",
    [FTH_SIM_ALLTOALLV] = "MPI_Alltoallv",
    [FTH_SIM_REDUCE_SCATTER] = "MPI_Reduce_scatter_block",
    [FTH_SIM_SCAN] = "MPI_Scan",
    [FTH_SIM_EXSCAN] = "MPI_Exscan",
    [FTH_SIM_PROBE] = "MPI_Probe",
    [FTH_SIM_FILE_OPEN] = "open",
    [FTH_SIM_FILE_CLOSE] = "close",
    [FTH_SIM_FILE_LOOKUP] = "stat",
    [FTH_SIM_FILE_READ] = "pread",
    [FTH_SIM_FILE_WRITE] = "pwrite",
    [FTH_SIM_FILE_SYNC] = "fsync",
    [FTH_SIM_FILE_OPEN_ALL] = "MPI_File_open",
    [FTH_SIM_FILE_CLOSE_ALL] = "MPI_File_close",
    [FTH_SIM_FILE_READ_ALL] = "MPI_File_read_at_all",
    [FTH_SIM_FILE_WRITE_ALL] = "MPI_File_write_at_all",
};

uint32_t fth_sim_find_function(const struct fth_sim_recorder *recorder, const char *name)
{
    uint32_t number;
    return fth_intern_find(&recorder->names, name, strlen(name), &number) ? number : UINT32_MAX;
}

/* MPI_Send becomes MPI_Isend, MPI_Put MPI_Rput, MPI_File_write_at MPI_File_iwrite_at, and MPI_Send
 * MPI_Send_c when the count is too large for an int. */
uint32_t fth_sim_function_of(const struct fth_sim_recorder *recorder, const struct call *call)
{
    const struct fth_sim_command *command = &call->command;
    static const char file[] = "MPI_File_";
    const char *name = call->function ? call->function : functions[command->verb];
    char text[64];
    if (!name)
        return UINT32_MAX;
    bool begun = command->request && !strncmp(name, "MPI_", 4);
    if (begun && !strncmp(name, file, strlen(file)))
        snprintf(text, sizeof text, "%si%s", file, name + strlen(file));
    else if (begun)
        snprintf(text, sizeof text, "MPI_%c%c%s", fth_sim_is_one_sided(command->verb) ? 'R' : 'I',
                 name[4] + ('a' - 'A'), name + 5);
    else
        snprintf(text, sizeof text, "%s", name);
    if (call->bytes > INT32_MAX && !strncmp(text, "MPI_", 4) && command->verb != FTH_SIM_BARRIER)
        strcat(text, "_c");
    return fth_sim_find_function(recorder, text);
}

bool fth_sim_has_function(enum fth_sim_verb verb)
{
    return functions[verb] != NULL;
}
