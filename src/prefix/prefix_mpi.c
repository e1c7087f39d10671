/* Files of MPI. Their bytes may be moved by other ranks than those that asked for it, at times of the
 * library's own. So who publishes, in MPI_File_sync and MPI_File_close, does it on all ranks of the
 * handle, and who fetches, in MPI_File_sync and MPI_File_open, does it when all have published:
 * there is a barrier between them, on a communicator of ours. Handles are pointers or integers;
 * both are passed as integers of a register's size. */
#include "prefix/prefix_mpi.h"

#include "prefix/bytes_of_files.h"
#include "prefix/prefix_calls.h"

#include <dlfcn.h>
#include <stdint.h>

enum { FILES = 512 };

/* What is open, and the communicator of its ranks. */
static struct {
    intptr_t handle, ranks;
} files[FILES];

static struct {
    int (*dup)(intptr_t, intptr_t *), (*barrier)(intptr_t), (*free)(intptr_t *);
    bool are_there;
} of_mpi;

static __thread bool is_opening __attribute__((tls_model("initial-exec")));

bool fth_prefix_mpi_opens(void)
{
    return is_opening;
}

/* The library that this function of it is in. */
static bool find_mpi(const void *function)
{
    Dl_info info;
    if (of_mpi.are_there)
        return true;
    void *library = dladdr(function, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (!library)
        return false;
    of_mpi.dup = (__typeof__(of_mpi.dup))dlsym(library, "PMPI_Comm_dup");
    of_mpi.barrier = (__typeof__(of_mpi.barrier))dlsym(library, "PMPI_Barrier");
    of_mpi.free = (__typeof__(of_mpi.free))dlsym(library, "PMPI_Comm_free");
    of_mpi.are_there = of_mpi.dup && of_mpi.barrier && of_mpi.free;
    dlclose(library);
    return of_mpi.are_there;
}

static bool is_on(void)
{
    return fth_prefix.is_on && fth_prefix_publishes(NULL, FTH_OF_RANKS);
}

/* ---- handles ---- */

static bool keep(intptr_t handle, intptr_t ranks)
{
    uint64_t signals = fth_prefix_enter();
    int i = 0;
    while (i < FILES && files[i].handle)
        i++;
    if (i < FILES) {
        files[i].handle = handle;
        files[i].ranks = ranks;
    }
    fth_prefix_leave(signals);
    return i < FILES;
}

/* 0: none is known. */
static intptr_t ranks_of(intptr_t handle, bool forget)
{
    uint64_t signals = fth_prefix_enter();
    intptr_t ranks = 0;
    for (int i = 0; i < FILES; i++)
        if (files[i].handle == handle && handle) {
            ranks = files[i].ranks;
            files[i].handle = forget ? 0 : handle;
            break;
        }
    fth_prefix_leave(signals);
    return ranks;
}

/* ---- publishing, fetching ---- */

enum { ERROR = 16 /* MPI_ERR_OTHER of Open MPI; of MPICH 15 */ };

static bool publish(void)
{
    uint64_t signals = fth_prefix_enter();
    bool done = fth_prefix_publish_all();
    fth_prefix_leave(signals);
    return done;
}

static void fetch(void)
{
    uint64_t signals = fth_prefix_enter();
    fth_prefix_fetch_all();
    fth_prefix_leave(signals);
}

static void meet(intptr_t ranks)
{
    if (ranks)
        of_mpi.barrier(ranks);
    fetch();
}

/* From now on as other files: at each access. */
static void make_strict(void)
{
    uint64_t signals = fth_prefix_enter();
    fth_prefix_publish_all();
    for (size_t i = 0; i < fth_client.file_count; i++) {
        fth_client.files[i]->is_of_mpi = false;
        fth_client.files[i]->wants_query = true;
    }
    fth_prefix_leave(signals);
}

/* ---- functions ---- */

static int (*real_MPI_File_open)(intptr_t, const char *, int, intptr_t, intptr_t *),
    (*real_MPI_File_close)(intptr_t *), (*real_MPI_File_sync)(intptr_t),
    (*real_MPI_File_set_size)(intptr_t, int64_t), (*real_MPI_File_set_atomicity)(intptr_t, int);

/* Where the ranks cannot be met, the file is one like others. */
static int in_place_of_MPI_File_open(intptr_t ranks, const char *path, int mode, intptr_t hints,
                                     intptr_t *handle)
{
    intptr_t own = 0;
    if (!is_on() || !find_mpi((const void *)real_MPI_File_open) || of_mpi.dup(ranks, &own))
        return real_MPI_File_open(ranks, path, mode, hints, handle);
    is_opening = true;
    int failed = real_MPI_File_open(ranks, path, mode, hints, handle);
    is_opening = false;
    meet(own);
    if (failed)
        of_mpi.free(&own);
    else if (!keep(*handle, own))
        make_strict();
    return failed;
}

static int in_place_of_MPI_File_sync(intptr_t handle)
{
    if (!is_on())
        return real_MPI_File_sync(handle);
    bool done = publish();
    int failed = real_MPI_File_sync(handle);
    meet(ranks_of(handle, false));
    return done ? failed : ERROR;
}

static int in_place_of_MPI_File_close(intptr_t *handle)
{
    if (!is_on())
        return real_MPI_File_close(handle);
    intptr_t ranks = ranks_of(*handle, true);
    bool done = publish();
    int failed = real_MPI_File_close(handle);
    meet(ranks);
    if (ranks)
        of_mpi.free(&ranks);
    return done ? failed : ERROR;
}

/* What others have written behind the new end comes before it. */
static int in_place_of_MPI_File_set_size(intptr_t handle, int64_t size)
{
    if (!is_on())
        return real_MPI_File_set_size(handle, size);
    intptr_t ranks = ranks_of(handle, false);
    bool done = publish();
    meet(ranks);
    int failed = real_MPI_File_set_size(handle, size);
    meet(ranks);
    return done ? failed : ERROR;
}

static int in_place_of_MPI_File_set_atomicity(intptr_t handle, int atomic)
{
    if (is_on() && atomic) {
        make_strict();
        meet(ranks_of(handle, false));
    }
    return real_MPI_File_set_atomicity(handle, atomic);
}

const struct fth_prefix_call fth_prefix_mpi_calls[] = {
    FTH_PREFIX_ROW(MPI_File_open, MPI_File_open),
    FTH_PREFIX_ROW(MPI_File_close, MPI_File_close),
    FTH_PREFIX_ROW(MPI_File_sync, MPI_File_sync),
    FTH_PREFIX_ROW(MPI_File_set_size, MPI_File_set_size),
    FTH_PREFIX_ROW(MPI_File_set_atomicity, MPI_File_set_atomicity),
    {NULL, NULL, NULL}};
