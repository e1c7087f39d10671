/* Calls MPI by names alone, as bindings of other languages do: `names LIBRARY FILE`. */
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>

static void *library;

#define CALL(name, ...)                                                                            \
    do {                                                                                           \
        __typeof__(&name) function = (__typeof__(&name))dlsym(library, #name);                     \
        assert(function &&function(__VA_ARGS__) == 0);                                             \
    } while (0)

int main(int argc, char **argv)
{
    MPI_File file;
    assert(argc == 3);
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    assert(library && !dlsym(library, "MPI_No_such_function") && !dlsym(RTLD_DEFAULT, "MPI_Init"));
#ifdef OPEN_MPI
    MPI_Comm world = dlsym(library, "ompi_mpi_comm_world"); /* not our own, which <mpi.h> means */
    MPI_Datatype byte = dlsym(library, "ompi_mpi_byte");
    MPI_Info no_info = dlsym(library, "ompi_mpi_info_null");
#else
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Datatype byte = MPI_BYTE;
    MPI_Info no_info = MPI_INFO_NULL;
#endif
    CALL(MPI_Init, NULL, NULL);
    CALL(MPI_File_open, world, argv[2], MPI_MODE_CREATE | MPI_MODE_WRONLY, no_info, &file);
    for (int i = 0; i < 10; i++)
        CALL(MPI_File_write_at, file, i, "x", 1, byte, MPI_STATUS_IGNORE);
    CALL(MPI_File_close, &file);
    CALL(MPI_Finalize, );
    return 0;
}
