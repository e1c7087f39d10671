/* How MPI comes up and goes down: attached to its library before the program begins, given rank and
 * world after MPI_Init, merged and left before MPI_Finalize. */
#include "base/hash.h"
#include "base/launchers.h"
#include "base/settings.h"
#include "capture/follow/library_handles.h"
#include "capture/mpi/profiling_interface.h"
#include "capture/process/environment.h"
#include "capture/process/process_file.h"
#include "capture/process/spill_folder.h"
#include "interpose/reach/bind.h"
#include "interpose/reach/libraries.h"
#include "interpose/reach/static.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LONGEST_NOTE = 256, MOST_STREAMS = 256 /* that are added up */ };

/* ---- attaching ---- */

static bool find_functions(void *library)
{
    bool complete = true;
#define FIND(function, ...)                                                                        \
    fth_pmpi.function =                                                                            \
        (__typeof__(fth_pmpi.function))fth_library_symbol(library, "PMPI_" #function);
#define FIND_OR_FAIL(function, ...)                                                                \
    FIND(function, __VA_ARGS__) complete = complete && fth_pmpi.function;
    FTH_PMPI_FUNCTIONS(FIND_OR_FAIL, FIND)
    return complete;
}

static void name_object(uint32_t handle_class, uint64_t handle, char *name, size_t size)
{
    int known = fth_mpi_find_predefined(handle_class, handle);
    if (known >= 0) /* few are: most programs make thousands of the others */
        snprintf(name, size, "%s", fth_mpi_predefined[known].name);
}

/* A handle that another library was given. */
static int32_t find_for_others(uint32_t handle_class, uintptr_t handle)
{
    return fth_mpi_find(handle_class, fth_mpi_value(handle_class, handle));
}

/* Called by libfathom.so, once, when it has found the library. */
FTH_PUBLIC fth_attach_function fth_attach;
bool fth_attach(void *library, const char *path)
{
    char why[LONGEST_NOTE];
    if (!fth_mpi_recognise(library, path, why, sizeof why)) {
        fth_process_note("unseen=", why);
        return false;
    }
    if (!find_functions(library)) {
        snprintf(why, sizeof why, "MPI calls of %s: it lacks the profiling interface", path);
        fth_process_note("unseen=", why);
        return false;
    }
    fth_name_object = name_object;
    fth_find_in_mpi = find_for_others;
    struct fth_bound_library bound = {.handle = library,
                                      .inside = (void *)fth_pmpi.Comm_rank,
                                      .prefix = fth_bound_prefix,
                                      .calls = fth_bound_calls,
                                      .count = fth_bound_call_count};
    return fth_bind(&bound) >= 0;
}

/* ---- up ---- */

/* With the program's own error handler a failure of our call would end the program. */
static bool duplicate_world(void)
{
    MPI_Comm world = fth_mpi_handle(fth_mpi_abi.comm_world);
    MPI_Errhandler quiet = fth_mpi_handle(fth_mpi_abi.errors_return);
    uint64_t theirs = 0, made = 0;
    if (fth_pmpi.Comm_get_errhandler(world, &theirs) != 0)
        return false;
    fth_pmpi.Comm_set_errhandler(world, quiet);
    bool done = fth_pmpi.Comm_dup(world, &made) == 0;
    fth_pmpi.Comm_set_errhandler(world, fth_mpi_handle(theirs));
    fth_pmpi.Errhandler_free(&theirs);
    if (done)
        fth_pmpi.Comm_set_errhandler(fth_mpi_handle(made), quiet);
    fth_mpi_world.comm = made;
    return done;
}

static uint64_t random_number(void)
{
    uint64_t number = 0;
    if (syscall(SYS_getrandom, &number, sizeof number, 0) != sizeof number)
        number = fth_clock_ns() ^ (uint64_t)getpid() << 40;
    return number | 1; /* 0: none */
}

/* A number that the ranks of this world share and no other world has. */
static uint64_t agree_on_world(void)
{
    uint64_t number = random_number();
    if (fth_pmpi.Bcast(&number, sizeof number, fth_mpi_handle(fth_mpi_abi.byte), 0,
                       fth_mpi_handle(fth_mpi_world.comm)) != 0)
        number = 0;
    return number;
}

/* Each rank was started by a `fathom record` of its own, and there may be ranks that were not:
 * nothing is done together. */
static bool is_apart(void)
{
    return fth_setting(FTH_SETTING_NAME(APART)) != NULL;
}

/* "NUMBER:RANK:SIZE": the world that the launcher made, and us in it. A program that starts ranks
 * by itself makes another world, or one in each rank. */
static uint64_t world_apart(int size)
{
    char *at;
    uint64_t number = strtoul(fth_setting(FTH_SETTING_NAME(APART)), &at, 10);
    uint64_t outer_rank = *at == ':' ? strtoul(at + 1, &at, 10) : 0;
    uint64_t outer_size = *at == ':' ? strtoul(at + 1, &at, 10) : (uint64_t)size;
    if (outer_size != (uint64_t)size)
        number += ((outer_rank + 1) << 40) ^ ((uint64_t)size << 1);
    return number;
}

/* The daemons of some launchers (Open MPI) on other nodes get the tracer only when we start them;
 * ranks without it would never join in. (Others pass the environment on to all nodes, or to
 * none.) */
static bool reaches_all_nodes(void)
{
    struct fth_launch launch;
    bool has_agents = false;
    for (unsigned i = 0; i < fth_launcher_count; i++) {
        const struct fth_launcher *launcher = &fth_launchers[i];
        if (!launcher->agents[0] || !fth_launch_read(launcher, &launch) || !launch.local_size ||
            launch.local_size == launch.size)
            continue;
        has_agents = true;
        for (size_t j = 0; j < 2 && launcher->agents[j]; j++) {
            const char *agent = getenv(launcher->agents[j]);
            if (agent && strstr(agent, " on-node "))
                return true;
        }
    }
    return !has_agents;
}

/* The number of Open MPI's job, which its ranks know without a message. */
static uint64_t world_of_job(void)
{
    return fth_hash_words(FTH_HASH_START, getenv("PMIX_NAMESPACE")) | 1;
}

/* The ranks of one node have a number already, and talk when it is worth it. */
static void come_together(void)
{
    struct fth_mpi_world *world = &fth_mpi_world;
    if (world->size == 1)
        world->number = random_number();
    world->is_up = fth_mpi_is_everybody_here(world);
    if (!world->is_up || world->on_one_node)
        return;
    world->is_up = duplicate_world();
    if (world->is_up)
        world->number = agree_on_world();
}

/* All ranks take part if the tracer is in all of them, also one that cannot record (its disk is
 * full): the others would wait for it. */
static void comes_up(int result)
{
    struct fth_mpi_quiet quiet;
    MPI_Comm world = fth_mpi_handle(fth_mpi_abi.comm_world);
    if (result != 0 || fth_mpi_world.is_up)
        return;
    fth_mpi_came_up();
    fth_mpi_quiet_begin(&quiet);
    if (fth_pmpi.Comm_rank(world, &fth_mpi_world.rank) == 0 &&
        fth_pmpi.Comm_size(world, &fth_mpi_world.size) == 0) {
        if (is_apart())
            fth_mpi_world.number = world_apart(fth_mpi_world.size);
        else if (!reaches_all_nodes())
            fth_mpi_world.number = world_of_job();
        else
            come_together();
        if (fth_process) {
            fth_process->rank = fth_mpi_world.rank;
            fth_process->size = fth_mpi_world.size;
            fth_process->world = fth_mpi_world.number;
        }
        fth_mpi_note_version();
        fth_mpi_meet();
        if (!fth_mpi_world.is_up &&
            /* of ranks that the tracer did not come up in nothing is expected */
            reaches_all_nodes())
            fth_process_note("apart=", "1");
    }
    fth_mpi_quiet_end(&quiet);
}

void fth_before_MPI_Init(void)
{
}

void fth_after_MPI_Init(int result)
{
    comes_up(result);
}

void fth_before_MPI_Init_thread(void)
{
}

void fth_after_MPI_Init_thread(int result)
{
    comes_up(result);
}

/* ---- down ---- */

/* Bytes in the streams of this process. */
static uint64_t spilled(void)
{
    uint64_t bytes = 0;
    struct stat status;
    char path[512];
    for (uint32_t i = 0; fth_process && i < fth_process->streams && i < MOST_STREAMS; i++) {
        snprintf(path, sizeof path, "%s/%016llx.%u.sealed", fth_spill_folder(),
                 (unsigned long long)fth_process->image, i);
        bytes += FTH_SPILL_LIVE_FIRST;
        bytes += stat(path, &status) == 0 ? (uint64_t)status.st_blocks * 512 : 0;
    }
    return bytes;
}

static bool is_to_merge(void)
{
    return !fth_mpi_world.on_one_node || (fth_mpi_is_worth_merging(spilled()) && duplicate_world());
}

void fth_before_MPI_Finalize(void)
{
    struct fth_mpi_quiet quiet;
    if (!fth_mpi_world.is_up)
        return;
    fth_mpi_meet();
    fth_mpi_meet_no_more();
    fth_mpi_world.is_up = false;
    fth_process_touch();
    fth_mpi_quiet_begin(&quiet);
    if (is_to_merge()) {
        fth_mpi_merge();
        fth_pmpi.Comm_free(&fth_mpi_world.comm);
    }
    fth_mpi_quiet_end(&quiet);
}

void fth_after_MPI_Finalize(int result)
{
    if (result == 0)
        fth_mpi_went_down();
}
