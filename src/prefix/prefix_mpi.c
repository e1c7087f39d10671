/* Files of MPI. Their bytes may be moved by other ranks than those that asked for it, at times of
 * the library's own. So who publishes, in MPI_File_sync and MPI_File_close, does it on all ranks of
 * the handle, and who fetches, in MPI_File_sync and MPI_File_open, does it when all have published:
 * there is a barrier between them, on a communicator of ours. Handles are pointers or integers;
 * both are passed as integers of a register's size. */
#include "prefix/prefix_mpi.h"

#include "prefix/publishing.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FILES = 512 };

/* What is open, and the communicator of its ranks. */
static struct {
    intptr_t handle, ranks;
} files[FILES];

static struct {
    int (*dup)(intptr_t, intptr_t *), (*barrier)(intptr_t), (*free)(intptr_t *);
    int (*open)(intptr_t, const char *, int, intptr_t, intptr_t *), (*close)(intptr_t *),
        (*sync)(intptr_t), (*set_size)(intptr_t, int64_t), (*set_atomicity)(intptr_t, int);
    bool are_there;
} of_mpi;

/* ---- the library: behind us, or loaded for one part of the program alone ---- */

static int is_mpi(struct dl_phdr_info *object, size_t size, void *found)
{
    const char *slash = strrchr(object->dlpi_name, '/');
    const char *name = slash ? slash + 1 : object->dlpi_name;
    (void)size;
    if (strncmp(name, "libmpi.", 7) != 0 && strncmp(name, "libmpich.", 9) != 0)
        return 0;
    snprintf(found, PATH_MAX, "%s", object->dlpi_name);
    return 1;
}

static void *find(void *library, const char *name)
{
    char profiled[64];
    void *function = dlsym(RTLD_NEXT, name);
    snprintf(profiled, sizeof profiled, "P%s", name);
    return function || !library ? function : dlsym(library, profiled);
}

static bool find_mpi(void)
{
    char path[PATH_MAX];
    if (__atomic_load_n(&of_mpi.are_there, __ATOMIC_ACQUIRE))
        return true;
    void *library = dl_iterate_phdr(is_mpi, path) ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
#define FIND(field, name) of_mpi.field = (__typeof__(of_mpi.field))find(library, name)
    FIND(open, "MPI_File_open");
    FIND(close, "MPI_File_close");
    FIND(sync, "MPI_File_sync");
    FIND(set_size, "MPI_File_set_size");
    FIND(set_atomicity, "MPI_File_set_atomicity");
    FIND(dup, "PMPI_Comm_dup");
    FIND(barrier, "PMPI_Barrier");
    FIND(free, "PMPI_Comm_free");
    bool all = of_mpi.open && of_mpi.close && of_mpi.sync && of_mpi.set_size &&
               of_mpi.set_atomicity && of_mpi.dup && of_mpi.barrier && of_mpi.free;
    __atomic_store_n(&of_mpi.are_there, all, __ATOMIC_RELEASE);
    return all;
}

void *fth_prefix_mpi_function(const char *name)
{
    char path[PATH_MAX];
    return find(dl_iterate_phdr(is_mpi, path) ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL, name);
}

bool fth_prefix_mpi_is_on(void)
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

bool fth_prefix_mpi_publish(void)
{
    uint64_t signals = fth_prefix_enter();
    bool done = fth_prefix_publish_all();
    fth_prefix_leave(signals);
    return done;
}

void fth_prefix_mpi_fetch(void)
{
    uint64_t signals = fth_prefix_enter();
    fth_prefix_fetch_all();
    fth_prefix_leave(signals);
}

static void meet(intptr_t ranks)
{
    if (ranks)
        of_mpi.barrier(ranks);
    fth_prefix_mpi_fetch();
}

void fth_prefix_mpi_make_strict(void)
{
    uint64_t signals = fth_prefix_enter();
    fth_prefix_publish_all();
    for (size_t i = 0; i < fth_client.file_count; i++) {
        fth_client.files[i]->is_of_mpi = false;
        fth_client.files[i]->wants_query = true;
    }
    fth_prefix_leave(signals);
}

/* ---- functions, which stand before those of the library ---- */

#define PUBLIC __attribute__((visibility("default")))
PUBLIC int MPI_File_open(intptr_t ranks, const char *path, int mode, intptr_t hints,
                         intptr_t *handle);
PUBLIC int MPI_File_close(intptr_t *handle);
PUBLIC int MPI_File_sync(intptr_t handle);
PUBLIC int MPI_File_set_size(intptr_t handle, int64_t size);
PUBLIC int MPI_File_set_atomicity(intptr_t handle, int atomic);

int MPI_File_open(intptr_t ranks, const char *path, int mode, intptr_t hints, intptr_t *handle)
{
    intptr_t own = 0;
    if (!find_mpi())
        return FTH_MPI_FAILED;
    /* where the ranks cannot be met, the file is one like others */
    if (!fth_prefix_mpi_is_on() || of_mpi.dup(ranks, &own))
        return of_mpi.open(ranks, path, mode, hints, handle);
    fth_prefix_mpi_opens = true;
    int failed = of_mpi.open(ranks, path, mode, hints, handle);
    fth_prefix_mpi_opens = false;
    meet(own);
    if (failed)
        of_mpi.free(&own);
    else if (!keep(*handle, own))
        fth_prefix_mpi_make_strict();
    return failed;
}

int MPI_File_sync(intptr_t handle)
{
    if (!find_mpi())
        return FTH_MPI_FAILED;
    if (!fth_prefix_mpi_is_on())
        return of_mpi.sync(handle);
    bool done = fth_prefix_mpi_publish();
    int failed = of_mpi.sync(handle);
    meet(ranks_of(handle, false));
    return done ? failed : FTH_MPI_FAILED;
}

int MPI_File_close(intptr_t *handle)
{
    if (!find_mpi())
        return FTH_MPI_FAILED;
    if (!fth_prefix_mpi_is_on())
        return of_mpi.close(handle);
    intptr_t ranks = ranks_of(*handle, true);
    bool done = fth_prefix_mpi_publish();
    int failed = of_mpi.close(handle);
    meet(ranks);
    if (ranks)
        of_mpi.free(&ranks);
    return done ? failed : FTH_MPI_FAILED;
}

/* What others have written behind the new end comes before it. */
int MPI_File_set_size(intptr_t handle, int64_t size)
{
    if (!find_mpi())
        return FTH_MPI_FAILED;
    if (!fth_prefix_mpi_is_on())
        return of_mpi.set_size(handle, size);
    intptr_t ranks = ranks_of(handle, false);
    bool done = fth_prefix_mpi_publish();
    meet(ranks);
    int failed = of_mpi.set_size(handle, size);
    meet(ranks);
    return done ? failed : FTH_MPI_FAILED;
}

int MPI_File_set_atomicity(intptr_t handle, int atomic)
{
    if (!find_mpi())
        return FTH_MPI_FAILED;
    if (fth_prefix_mpi_is_on() && atomic) {
        fth_prefix_mpi_make_strict();
        meet(ranks_of(handle, false));
    }
    return of_mpi.set_atomicity(handle, atomic);
}
