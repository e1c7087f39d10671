/* Loads MPI: see the header. */
#include "measure/mpi_library.h"

#include "base/launchers.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* By their ABI: Open MPI, and MPICH with all that keep to its ABI (Intel MPI, MVAPICH, Cray). */
static const char *const open_mpi[] = {"libmpi.so.40", "libmpi.so", NULL};
static const char *const mpich[] = {"libmpi.so.12", "libmpich.so.12", "libmpi.so", NULL};

static void *load(const char *path, struct fth_error **error)
{
    /* Plug-ins of Open MPI look for its symbols in what is global. */
    enum { HOW = RTLD_NOW | RTLD_GLOBAL };
    struct fth_launch launch;
    bool is_open_mpi = fth_launch_find(&launch) && strcmp(launch.launcher->name, "Open MPI") == 0;
    const char *const *names = is_open_mpi ? open_mpi : mpich;
    void *library = path ? dlopen(path, HOW) : NULL;
    for (; !path && *names && !library; names++)
        library = dlopen(*names, HOW);
    if (!library)
        fth_fail(
            error,
            "a launcher started this process, but its MPI library cannot be loaded (%s); use --mpi",
            dlerror());
    return library;
}

static int find_functions(struct fth_mpi *mpi, void *library, struct fth_error **error)
{
    const struct {
        const char *name;
        void *function;
    } wanted[] = {{"MPI_Init", &mpi->init},
                  {"MPI_Finalize", &mpi->finalize},
                  {"MPI_Comm_rank", &mpi->rank},
                  {"MPI_Comm_size", &mpi->size},
                  {"MPI_Send", &mpi->send},
                  {"MPI_Recv", &mpi->receive},
                  {"MPI_Sendrecv", &mpi->exchange},
                  {"MPI_Iprobe", &mpi->probe},
                  {"MPI_File_open", &mpi->file_open},
                  {"MPI_File_close", &mpi->file_close},
                  {"MPI_File_write_at", &mpi->file_write_at}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *symbol = dlsym(library, wanted[i].name);
        if (!symbol)
            return fth_fail(error, "the MPI library has no %s; select another one with --mpi",
                            wanted[i].name);
        memcpy(wanted[i].function, &symbol, sizeof symbol);
    }
    return 0;
}

static void find_constants(struct fth_mpi *mpi, void *library)
{
    mpi->world = dlsym(library, "ompi_mpi_comm_world");
    mpi->byte = dlsym(library, "ompi_mpi_byte");
    mpi->self = dlsym(library, "ompi_mpi_comm_self");
    mpi->no_info = dlsym(library, "ompi_mpi_info_null");
    if (mpi->world && mpi->byte) {
        mpi->name = "Open MPI";
        mpi->eager = 64 << 10;
        return;
    }
    mpi->world = (void *)0x44000000;
    mpi->self = (void *)0x44000001;
    mpi->byte = (void *)0x4c00010d;
    mpi->no_info = (void *)0x1c000000;
    mpi->no_status = (void *)1;
    mpi->name = "MPICH";
    mpi->eager = 128 << 10;
}

int fth_mpi_begin(struct fth_mpi *mpi, const char *path, int rank, int size,
                  struct fth_error **error)
{
    *mpi = (struct fth_mpi){0};
    void *library = load(path, error);
    if (!library || find_functions(mpi, library, error))
        return -1;
    find_constants(mpi, library);
    int its_rank = -1, its_size = -1;
    mpi->init(NULL, NULL);
    mpi->rank(mpi->world, &its_rank);
    mpi->size(mpi->world, &its_size);
    if (its_size == size && its_rank == rank)
        return 0;
    mpi->finalize();
    return fth_fail(error,
                    "the launcher started %d processes, but %s sees %d: it belongs to another MPI; "
                    "select the right one with --mpi",
                    size, mpi->name, its_size);
}
