/* What only PnetCDF knows: the shape of a variable; and only MPI: the size of a datatype. */
#include "calls.h"
#include "capture/follow/library_handles.h"
#include "capture/wrap/wrap_pnetcdf.h"
#include "interpose/reach/libraries.h"
#include "interpose/reach/static.h"

enum { MOST_DIMENSIONS = 1024 /* NC_MAX_VAR_DIMS */ };

static struct {
    int (*varndims)(int, int, int *);
    int (*vardimid)(int, int, int *);
    int (*dimlen)(int, int, MPI_Offset *);
} inq;

static int (*type_size)(MPI_Datatype, int *);

FTH_PUBLIC fth_attach_function fth_attach;
bool fth_attach(void *library, const char *path)
{
    (void)path;
    inq.varndims = (__typeof__(inq.varndims))fth_library_symbol(library, "ncmpi_inq_varndims");
    inq.vardimid = (__typeof__(inq.vardimid))fth_library_symbol(library, "ncmpi_inq_vardimid");
    inq.dimlen = (__typeof__(inq.dimlen))fth_library_symbol(library, "ncmpi_inq_dimlen");
    type_size = (__typeof__(type_size))fth_library_symbol(library, "PMPI_Type_size");
    return fth_attach_wrappers(library);
}

int64_t fth_pnc_rank(int ncid, int varid)
{
    int rank = -1, before = errno;
    if (!inq.varndims || inq.varndims(ncid, varid, &rank) != 0 || rank > MOST_DIMENSIONS)
        rank = -1;
    errno = before;
    return rank;
}

int64_t fth_pnc_common_rank(int ncid, int num, const int *varids)
{
    int64_t rank = num > 0 && varids ? fth_pnc_rank(ncid, varids[0]) : -1;
    for (int i = 1; i < num; i++)
        if (fth_pnc_rank(ncid, varids[i]) != rank)
            return -1;
    return rank;
}

static int64_t product(size_t element, const MPI_Offset *lengths, int64_t rank)
{
    int64_t bytes = rank < 0 ? -1 : (int64_t)element;
    for (int64_t i = 0; i < rank; i++)
        if (lengths[i] < 0 || __builtin_mul_overflow(bytes, lengths[i], &bytes))
            return -1;
    return bytes;
}

int64_t fth_pnc_block(int ncid, int varid, const MPI_Offset *count, size_t element)
{
    return count ? product(element, count, fth_pnc_rank(ncid, varid)) : -1;
}

static int64_t sum(int64_t bytes, int64_t more)
{
    return bytes < 0 || more < 0 || __builtin_add_overflow(bytes, more, &bytes) ? -1 : bytes;
}

int64_t fth_pnc_blocks(int ncid, int varid, int num, MPI_Offset *const *counts, size_t element)
{
    int64_t bytes = 0, rank = fth_pnc_rank(ncid, varid);
    for (int i = 0; i < num; i++) /* without counts each block is one element */
        bytes =
            sum(bytes, counts && counts[i] ? product(element, counts[i], rank) : (int64_t)element);
    return bytes;
}

int64_t fth_pnc_all(int ncid, int varid, size_t element)
{
    int dims[MOST_DIMENSIONS], before = errno;
    int64_t bytes = (int64_t)element, rank = fth_pnc_rank(ncid, varid);
    bool is_known = rank >= 0 && inq.vardimid && inq.dimlen && inq.vardimid(ncid, varid, dims) == 0;
    for (int64_t i = 0; is_known && i < rank; i++) {
        MPI_Offset length;
        is_known = inq.dimlen(ncid, dims[i], &length) == 0 &&
                   !__builtin_mul_overflow(bytes, length, &bytes);
    }
    errno = before;
    return is_known ? bytes : -1;
}

int64_t fth_pnc_several(int ncid, int num, const int *varids, MPI_Offset *const *counts,
                        size_t element)
{
    int64_t bytes = 0;
    for (int i = 0; varids && i < num; i++)
        bytes = sum(bytes, counts ? fth_pnc_block(ncid, varids[i], counts[i], element)
                                  : fth_pnc_all(ncid, varids[i], element));
    return bytes;
}

int64_t fth_pnc_bytes_of_type(MPI_Offset count, MPI_Datatype datatype)
{
    int size = 0, before = errno;
    int64_t bytes = -1;
    bool is_one = fth_library_find_in_mpi(FTH_CLASS_datatype, (uintptr_t)datatype) >= 0;
    if (count >= 0 && is_one && type_size && type_size(datatype, &size) == 0 &&
        __builtin_mul_overflow(count, (int64_t)size, &bytes))
        bytes = -1;
    errno = before;
    return bytes;
}
