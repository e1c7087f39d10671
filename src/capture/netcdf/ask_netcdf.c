/* What only NetCDF knows: the shape of a variable, and how large an element of it is. */
#include "capture/wrap/wrap_netcdf.h"
#include "interpose/reach/libraries.h"
#include "interpose/reach/static.h"

enum { MOST_DIMENSIONS = 1024 /* NC_MAX_VAR_DIMS */ };

static struct {
    int (*varndims)(int, int, int *);
    int (*vardimid)(int, int, int *);
    int (*dimlen)(int, int, size_t *);
    int (*vartype)(int, int, int *);
    int (*type)(int, int, char *, size_t *);
} inq;

FTH_PUBLIC fth_attach_function fth_attach;
bool fth_attach(void *library, const char *path)
{
    (void)path;
    inq.varndims = (__typeof__(inq.varndims))fth_library_symbol(library, "nc_inq_varndims");
    inq.vardimid = (__typeof__(inq.vardimid))fth_library_symbol(library, "nc_inq_vardimid");
    inq.dimlen = (__typeof__(inq.dimlen))fth_library_symbol(library, "nc_inq_dimlen");
    inq.vartype = (__typeof__(inq.vartype))fth_library_symbol(library, "nc_inq_vartype");
    inq.type = (__typeof__(inq.type))fth_library_symbol(library, "nc_inq_type");
    return fth_attach_wrappers(library);
}

int64_t fth_nc_rank(int ncid, int varid)
{
    int rank = -1, before = errno;
    if (!inq.varndims || inq.varndims(ncid, varid, &rank) != 0 || rank > MOST_DIMENSIONS)
        rank = -1;
    errno = before;
    return rank;
}

/* Of the variable's own type, in memory. */
static int64_t size_of_element(int ncid, int varid)
{
    int type, before = errno;
    size_t size = 0;
    bool is_known = inq.vartype && inq.type && inq.vartype(ncid, varid, &type) == 0 &&
                    inq.type(ncid, type, NULL, &size) == 0;
    errno = before;
    return is_known ? (int64_t)size : -1;
}

int64_t fth_nc_one(int ncid, int varid, size_t element)
{
    return element ? (int64_t)element : size_of_element(ncid, varid);
}

static int64_t product(int64_t bytes, const size_t *lengths, int64_t rank)
{
    for (int64_t i = 0; i < rank; i++)
        if (__builtin_mul_overflow(bytes, lengths[i], &bytes))
            return -1;
    return bytes;
}

int64_t fth_nc_block(int ncid, int varid, const size_t *count, size_t element)
{
    int64_t bytes = fth_nc_one(ncid, varid, element), rank = fth_nc_rank(ncid, varid);
    if (bytes < 0 || rank < 0)
        return -1;
    return count ? product(bytes, count, rank) : fth_nc_all(ncid, varid, element);
}

int64_t fth_nc_all(int ncid, int varid, size_t element)
{
    int dims[MOST_DIMENSIONS], before = errno;
    int64_t bytes = fth_nc_one(ncid, varid, element), rank = fth_nc_rank(ncid, varid);
    bool is_known = bytes >= 0 && rank >= 0 && inq.vardimid && inq.dimlen &&
                    inq.vardimid(ncid, varid, dims) == 0;
    for (int64_t i = 0; is_known && i < rank; i++) {
        size_t length;
        is_known = inq.dimlen(ncid, dims[i], &length) == 0 &&
                   !__builtin_mul_overflow(bytes, length, &bytes);
    }
    errno = before;
    return is_known ? bytes : -1;
}
