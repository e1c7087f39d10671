/* Errors and files of the programs by hand: as careful as what is generated. */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stdio.h>

static inline void check(int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "%s\n", text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* A new file, with the text beside it that says what is in it. */
static inline void create(const char *path, int rank, MPI_Info info, MPI_File *file)
{
    char name[4096];
    if (rank == 0) {
        MPI_File_delete(path, MPI_INFO_NULL); /* there may be none */
        snprintf(name, sizeof name, "%s.layout", path);
        FILE *layout = fopen(name, "w");
        if (!layout || fprintf(layout, "doubles, row by row\n") < 0 || fclose(layout))
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    check(MPI_Barrier(MPI_COMM_WORLD));
    check(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, file));
}

#endif
