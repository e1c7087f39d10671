/* What the player must know of MPI, whichever it is: its library, its predefined handles, how large
 * handles are. */
#include "base/launchers.h"
#include "capture/mpi/abi.h"
#include "player/player.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By their ABI: Open MPI, and MPICH with all that keep to its ABI (Intel MPI, MVAPICH, Cray). */
static const char *const open_mpi[] = {"libmpi.so.40", "libmpi.so", NULL};
static const char *const mpich[] = {"libmpi.so.12", "libmpich.so.12", "libmpi.so", NULL};

static struct {
    void *library;
    enum { OPEN_MPI, MPICH, STANDARD } abi;
    int (*barrier)(uintptr_t comm);
    int (*barrier_nonblocking)(uintptr_t comm, int64_t *request);
    int (*barrier_persistent)(uintptr_t comm, uintptr_t info, int64_t *request); /* of MPI 4 */
    int (*wait_all)(int count, void *requests, void *statuses);
    int (*set_errors)(uintptr_t comm, uintptr_t handler);
    int (*set_file_errors)(uintptr_t file, uintptr_t handler);
    int (*abort)(uintptr_t comm, int code);
} mpi;

static void *symbol(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    return found ? found : dlsym(mpi.library, name);
}

static void find(const char *name, void *function)
{
    void *found = symbol(name);
    if (!found)
        fth_player_fail("the MPI library has no %s; select another one with --mpi", name);
    memcpy(function, &found, sizeof found);
}

static void abort_all(void)
{
    if (fth_player.in_mpi)
        mpi.abort((uintptr_t)fth_player_predefined("MPI_COMM_WORLD"), 1);
}

static void recognise(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (path && !strncmp(slash ? slash + 1 : path, "libmpi_abi.", 11))
        mpi.abi = STANDARD;
    else
        mpi.abi = dlsym(mpi.library, "ompi_mpi_comm_world") ? OPEN_MPI : MPICH;
}

void fth_player_load_mpi(const char *path)
{
    enum { HOW = RTLD_NOW | RTLD_GLOBAL }; /* plug-ins of Open MPI look for its symbols there */
    struct fth_launch launch;
    bool is_open_mpi = fth_launch_find(&launch) && !strcmp(launch.launcher->name, "Open MPI");
    const char *const *names = is_open_mpi ? open_mpi : mpich;
    mpi.library = path ? dlopen(path, HOW) : NULL;
    for (; !path && *names && !mpi.library; names++)
        mpi.library = dlopen(*names, HOW);
    if (!mpi.library)
        fth_player_fail("the MPI library of the launcher cannot be loaded (%s); name it with --mpi",
                        dlerror());
    recognise(path);
    static const char *const names_of_abis[] = {"openmpi", "mpich", "standard"};
    if (strcmp(fth_player.plan->abi, names_of_abis[mpi.abi]) != 0)
        fth_player_fail("the run used an MPI with the ABI '%s', and this is one of '%s': use the "
                        "launcher of that, or name its library with --mpi",
                        fth_player.plan->abi, names_of_abis[mpi.abi]);
    fth_player.abort = abort_all;
    find("MPI_Barrier", &mpi.barrier);
    find("MPI_Ibarrier", &mpi.barrier_nonblocking);
    find("MPI_Waitall", &mpi.wait_all);
    find("MPI_Comm_set_errhandler", &mpi.set_errors);
    find("MPI_File_set_errhandler", &mpi.set_file_errors);
    find("MPI_Abort", &mpi.abort);
}

int64_t fth_player_predefined(const char *name)
{
    for (unsigned i = 0; i < fth_mpi_predefined_count; i++) {
        const struct fth_mpi_predefined *one = &fth_mpi_predefined[i];
        if (strcmp(one->name, name) != 0)
            continue;
        if (mpi.abi == OPEN_MPI)
            return one->openmpi ? (int64_t)(uintptr_t)symbol(one->openmpi) : 0;
        return mpi.abi == MPICH ? (int64_t)one->mpich : (int64_t)one->standard;
    }
    return 0;
}

/* Files are pointers everywhere. */
unsigned fth_player_handle_width(unsigned handle_class)
{
    (void)handle_class;
    return mpi.abi == MPICH ? 4 : 8;
}

int64_t fth_player_in_place(void)
{
    return mpi.abi == MPICH ? -1 : 1;
}

void fth_player_meet_all(void)
{
    uintptr_t world = (uintptr_t)fth_player_predefined("MPI_COMM_WORLD");
    uintptr_t handler = (uintptr_t)fth_player_predefined("MPI_ERRORS_RETURN");
    fth_player.in_mpi = true;
    mpi.set_errors(world, handler);
    mpi.barrier(world);
    fth_player.base = fth_player_now();
}

int fth_player_barrier(int64_t comm, enum fth_script_meeting meeting, int64_t *request)
{
    if (meeting == FTH_SCRIPT_BLOCKING)
        return mpi.barrier((uintptr_t)comm);
    if (meeting == FTH_SCRIPT_NONBLOCKING)
        return mpi.barrier_nonblocking((uintptr_t)comm, request);
    if (!mpi.barrier_persistent)
        find("MPI_Barrier_init", &mpi.barrier_persistent);
    return mpi.barrier_persistent((uintptr_t)comm,
                                  (uintptr_t)fth_player_predefined("MPI_INFO_NULL"), request);
}

int fth_player_wait_all(int64_t *slots, const int64_t *numbers, size_t count)
{
    enum { STATUS = 64 }; /* larger than that of any MPI */
    unsigned width = fth_player_handle_width(0);
    char *requests = calloc(count, 8), *statuses = calloc(count, STATUS);
    if (!requests || !statuses)
        fth_player_fail("out of memory");
    for (size_t i = 0; i < count; i++)
        memcpy(requests + i * width, &slots[numbers[i]], width);
    int code = mpi.wait_all((int)count, requests, statuses);
    for (size_t i = 0; i < count; i++)
        memcpy(&slots[numbers[i]], requests + i * width, width);
    free(requests);
    free(statuses);
    return code;
}
