/* A plug-in that stands on MPI: writes a file with it. */
#include "plugin.h"

#include <mpi.h>
#include <stddef.h>

static int run(const char *path)
{
    int rank, up;
    char byte = 'x';
    MPI_File file;
    MPI_Initialized(&up);
    if (!up)
        MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    for (int i = 0; i < 10; i++)
        MPI_File_write_at(file, 10 * rank + i, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return rank;
}

static void finish(void)
{
    MPI_Finalize();
}

struct plugin plugin = {run, finish};

/* Nobody needs dlsym to find one that reports itself. */
__attribute__((constructor)) static void report(void)
{
    if (report_plugin)
        report_plugin(&plugin);
}
