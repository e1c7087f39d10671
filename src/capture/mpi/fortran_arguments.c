/* Fortran and MPI: the libraries with the Fortran functions, and what their arguments mean to C.
 *
 * Those libraries call the C functions (MPICH's Fortran calls MPI_Send or PMPI_Send) or what is
 * below them (Open MPI's). What they call is theirs, so they count as inside of MPI and their
 * references are not bound: one call of the application is one record. A program that was linked
 * with a static Fortran library has no references to its functions; then what they call is
 * recorded, once, too. */
#include "capture/mpi/fortran_arguments.h"

#include "calls.h"
#include "capture/mpi/profiling_interface.h"
#include "interpose/reach/bind.h"
#include "interpose/reach/libraries.h"

#include <dlfcn.h>
#include <string.h>

static void *(*from_fortran[FTH_MPI_CLASSES])(int integer); /* MPI_Comm_f2c, ... */

/* MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE of Fortran: addresses, or where addresses stand. */
enum { BLOCKS = 8, VARIABLES = 4 };
static struct {
    void *blocks[BLOCKS];
    void **variables[VARIABLES];
} sentinels;

/* ---- libraries ---- */

static void look_up_conversions(void *library)
{
    static const struct {
        uint32_t handle_class;
        const char *function;
    } functions[] = {
        {FTH_CLASS_comm, "PMPI_Comm_f2c"},
        {FTH_CLASS_datatype, "PMPI_Type_f2c"},
        {FTH_CLASS_op, "PMPI_Op_f2c"},
        {FTH_CLASS_win, "PMPI_Win_f2c"},
        {FTH_CLASS_request, "PMPI_Request_f2c"},
        {FTH_CLASS_message, "PMPI_Message_f2c"},
        {FTH_CLASS_group, "PMPI_Group_f2c"},
        {FTH_CLASS_info, "PMPI_Info_f2c"},
        {FTH_CLASS_errhandler, "PMPI_Errhandler_f2c"},
        {FTH_CLASS_session, "PMPI_Session_f2c"},
        {FTH_CLASS_mpi_file, "PMPI_File_f2c"},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        from_fortran[functions[i].handle_class] =
            (void *(*)(int))dlsym(library, functions[i].function);
}

/* The one that the library uses: a program may hold it (a copy relocation, a common block). */
static void *variable(void *library, const char *name)
{
    void *global = dlsym(RTLD_DEFAULT, name);
    return global ? global : dlsym(library, name);
}

/* Open MPI has common blocks; the standard has variables of C that hold the addresses, which MPICH
 * fills when Fortran is first used. */
static void look_up_sentinels(void *library)
{
    static const char *const blocks[] = {
        "mpi_fortran_status_ignore_",   "mpi_fortran_status_ignore__",
        "mpi_fortran_status_ignore",    "MPI_FORTRAN_STATUS_IGNORE",
        "mpi_fortran_statuses_ignore_", "mpi_fortran_statuses_ignore__",
        "mpi_fortran_statuses_ignore",  "MPI_FORTRAN_STATUSES_IGNORE"};
    static const char *const variables[] = {"MPI_F_STATUS_IGNORE", "MPI_F_STATUSES_IGNORE",
                                            "MPI_F08_STATUS_IGNORE", "MPI_F08_STATUSES_IGNORE"};
    for (size_t i = 0; i < BLOCKS; i++)
        sentinels.blocks[i] = variable(library, blocks[i]);
    for (size_t i = 0; i < VARIABLES; i++)
        sentinels.variables[i] = variable(library, variables[i]);
}

/* Called by libfathom.so for each of the libraries, after the one of C has been attached: that is
 * one that they need. */
FTH_PUBLIC fth_attach_function fth_attach_fortran;
bool fth_attach_fortran(void *library, const char *path)
{
    struct fth_bound_library bound = {.handle = library,
                                      .inside = (void *)fth_pmpi.Comm_rank,
                                      .prefix = "mpi_",
                                      .calls = fth_fortran_calls,
                                      .count = fth_fortran_call_count};
    (void)path;
    look_up_conversions(library);
    look_up_sentinels(library);
    return fth_bind(&bound) >= 0;
}

/* ---- arguments ---- */

/* Where handles are integers in C, they are the same in Fortran. */
void *fth_fortran_handle(uint32_t handle_class, const void *integer)
{
    int value = *(const int *)integer;
    if (fth_mpi_abi.width[handle_class] == 4 || !from_fortran[handle_class])
        return fth_mpi_handle((uint32_t)value);
    return from_fortran[handle_class](value);
}

static int64_t followed(int64_t n)
{
    return n < FTH_MPI_MOST ? n : FTH_MPI_MOST;
}

void fth_fortran_handles(struct fth_fortran_handles *own, uint32_t handle_class,
                         const void *integers, int64_t n)
{
    size_t width = fth_mpi_abi.width[handle_class];
    for (int64_t i = 0; i < followed(n); i++) {
        uint64_t handle = (uintptr_t)fth_fortran_handle(handle_class, (const int *)integers + i);
        memcpy((char *)own->list + (size_t)i * width, &handle, width);
    }
}

void fth_fortran_logicals(struct fth_fortran_integers *own, const void *logicals, int64_t n)
{
    for (int64_t i = 0; i < followed(n); i++)
        own->list[i] = ((const int *)logicals)[i] != 0;
}

static bool is_null_request(uint64_t handle)
{
    return !handle || handle == fth_mpi_abi.null[FTH_CLASS_request];
}

static bool is_done(int64_t i, const struct fth_mpi_handles *before, const void *now)
{
    uint64_t handle = 0;
    size_t width = fth_mpi_abi.width[FTH_CLASS_request];
    if (i < 0 || i >= before->count || is_null_request(before->handles[i]))
        return false;
    memcpy(&handle, (const char *)now + (size_t)i * width, width);
    return is_null_request(handle);
}

static bool are_done(const int *indices, int64_t n, int base, const struct fth_mpi_handles *before,
                     const void *now)
{
    for (int64_t i = 0; i < n; i++)
        if (!is_done(indices[i] - base, before, now))
            return false;
    return n > 0;
}

/* Fortran counts from 1. MPICH 4.0's mpi_f08 forgets it and gives the indices of C: what counts are
 * the requests that are null now. For persistent ones, which never are, it is as it was the last
 * time. */
void fth_fortran_indices(int *own, const void *indices, int64_t n,
                         const struct fth_mpi_handles *before, const void *now)
{
    static int usual_base = 1;
    const int *from = indices;
    int base = __atomic_load_n(&usual_base, __ATOMIC_RELAXED);
    bool from_one = are_done(from, followed(n), 1, before, now),
         from_zero = are_done(from, followed(n), 0, before, now);
    if (from_one != from_zero) {
        base = from_one ? 1 : 0;
        __atomic_store_n(&usual_base, base, __ATOMIC_RELAXED);
    }
    for (int64_t i = 0; i < followed(n); i++)
        own[i] = from[i] > 0 ? from[i] - base : from[i];
}

const char *fth_fortran_text(struct fth_fortran_text *own, const void *text, size_t length)
{
    const char *at = text;
    size_t left = (uint32_t)length;
    for (; left && *at == ' '; left--)
        at++;
    while (left && at[left - 1] == ' ')
        left--;
    if (left > FTH_FORTRAN_LONGEST)
        left = FTH_FORTRAN_LONGEST;
    memcpy(own->text, at, left);
    own->text[left] = 0;
    return own->text;
}

MPI_Status *fth_fortran_status(void *status)
{
    for (size_t i = 0; i < BLOCKS; i++)
        if (status == sentinels.blocks[i])
            return (MPI_Status *)fth_mpi_abi.status_ignore;
    for (size_t i = 0; i < VARIABLES; i++)
        if (sentinels.variables[i] && status == *sentinels.variables[i])
            return (MPI_Status *)fth_mpi_abi.status_ignore;
    return status;
}
