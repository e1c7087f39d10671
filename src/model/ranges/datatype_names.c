/* Predefined datatypes: what they are made of in memory on the platforms that Fathom runs on (LP64,
 * x86-64 and aarch64), which is the same with all libraries of MPI. Default kinds of Fortran are
 * taken to be of 4 bytes. */
#include "model/ranges/datatype.h"

#include "base/memory.h"

#include <string.h>

struct named {
    const char *name;
    int size, extent, alignment;
    int second_at; /* of pairs with a hole: where the second element is */
};

static const struct named names[] = {
    {"MPI_BYTE", 1, 1, 1, 0},
    {"MPI_PACKED", 1, 1, 1, 0},
    {"MPI_CHAR", 1, 1, 1, 0},
    {"MPI_SIGNED_CHAR", 1, 1, 1, 0},
    {"MPI_UNSIGNED_CHAR", 1, 1, 1, 0},
    {"MPI_CHARACTER", 1, 1, 1, 0},
    {"MPI_SHORT", 2, 2, 2, 0},
    {"MPI_UNSIGNED_SHORT", 2, 2, 2, 0},
    {"MPI_INT", 4, 4, 4, 0},
    {"MPI_UNSIGNED", 4, 4, 4, 0},
    {"MPI_LONG", 8, 8, 8, 0},
    {"MPI_UNSIGNED_LONG", 8, 8, 8, 0},
    {"MPI_LONG_LONG", 8, 8, 8, 0},
    {"MPI_UNSIGNED_LONG_LONG", 8, 8, 8, 0},
    {"MPI_FLOAT", 4, 4, 4, 0},
    {"MPI_DOUBLE", 8, 8, 8, 0},
    {"MPI_LONG_DOUBLE", 16, 16, 16, 0},
    {"MPI_WCHAR", 4, 4, 4, 0},
    {"MPI_C_BOOL", 1, 1, 1, 0},
    {"MPI_CXX_BOOL", 1, 1, 1, 0},
    {"MPI_C_FLOAT_COMPLEX", 8, 8, 4, 0},
    {"MPI_CXX_FLOAT_COMPLEX", 8, 8, 4, 0},
    {"MPI_C_DOUBLE_COMPLEX", 16, 16, 8, 0},
    {"MPI_CXX_DOUBLE_COMPLEX", 16, 16, 8, 0},
    {"MPI_C_LONG_DOUBLE_COMPLEX", 32, 32, 16, 0},
    {"MPI_CXX_LONG_DOUBLE_COMPLEX", 32, 32, 16, 0},
    {"MPI_INT8_T", 1, 1, 1, 0},
    {"MPI_UINT8_T", 1, 1, 1, 0},
    {"MPI_INT16_T", 2, 2, 2, 0},
    {"MPI_UINT16_T", 2, 2, 2, 0},
    {"MPI_INT32_T", 4, 4, 4, 0},
    {"MPI_UINT32_T", 4, 4, 4, 0},
    {"MPI_INT64_T", 8, 8, 8, 0},
    {"MPI_UINT64_T", 8, 8, 8, 0},
    {"MPI_AINT", 8, 8, 8, 0},
    {"MPI_COUNT", 8, 8, 8, 0},
    {"MPI_OFFSET", 8, 8, 8, 0},
    {"MPI_LOGICAL", 4, 4, 4, 0},
    {"MPI_INTEGER", 4, 4, 4, 0},
    {"MPI_REAL", 4, 4, 4, 0},
    {"MPI_DOUBLE_PRECISION", 8, 8, 8, 0},
    {"MPI_COMPLEX", 8, 8, 4, 0},
    {"MPI_DOUBLE_COMPLEX", 16, 16, 8, 0},
    {"MPI_LOGICAL1", 1, 1, 1, 0},
    {"MPI_LOGICAL2", 2, 2, 2, 0},
    {"MPI_LOGICAL4", 4, 4, 4, 0},
    {"MPI_LOGICAL8", 8, 8, 8, 0},
    {"MPI_LOGICAL16", 16, 16, 16, 0},
    {"MPI_INTEGER1", 1, 1, 1, 0},
    {"MPI_INTEGER2", 2, 2, 2, 0},
    {"MPI_INTEGER4", 4, 4, 4, 0},
    {"MPI_INTEGER8", 8, 8, 8, 0},
    {"MPI_INTEGER16", 16, 16, 16, 0},
    {"MPI_REAL2", 2, 2, 2, 0},
    {"MPI_REAL4", 4, 4, 4, 0},
    {"MPI_REAL8", 8, 8, 8, 0},
    {"MPI_REAL16", 16, 16, 16, 0},
    {"MPI_COMPLEX4", 4, 4, 2, 0},
    {"MPI_COMPLEX8", 8, 8, 4, 0},
    {"MPI_COMPLEX16", 16, 16, 8, 0},
    {"MPI_COMPLEX32", 32, 32, 16, 0},
    {"MPI_2INT", 8, 8, 4, 0},
    {"MPI_2INTEGER", 8, 8, 4, 0},
    {"MPI_2REAL", 8, 8, 4, 0},
    {"MPI_2DOUBLE_PRECISION", 16, 16, 8, 0},
    {"MPI_2COMPLEX", 16, 16, 4, 0},
    {"MPI_2DOUBLE_COMPLEX", 32, 32, 8, 0},
    {"MPI_FLOAT_INT", 8, 8, 4, 0},
    {"MPI_DOUBLE_INT", 12, 16, 8, 0},
    {"MPI_LONG_INT", 12, 16, 8, 0},
    {"MPI_SHORT_INT", 6, 8, 4, 4},
    {"MPI_LONG_DOUBLE_INT", 20, 32, 16, 0},
};
enum { NAMES = sizeof names / sizeof *names };

static const struct fth_layout *layout_of(const struct named *named)
{
    if (!named->second_at)
        return fth_layout_dense(0, named->size);
    const struct fth_layout *both[] = {
        fth_layout_dense(0, named->size - (named->extent - named->second_at)),
        fth_layout_dense(named->second_at, named->extent - named->second_at)};
    return fth_layout_list(both, 2);
}

static void make(struct fth_made_datatype *type, const struct named *named)
{
    *type = (struct fth_made_datatype){.tree = {.form = FTH_DATATYPE_NAMED,
                                                .name = named->name,
                                                .size = named->size,
                                                .extent = named->extent},
                                       .layout = layout_of(named),
                                       .upper_bound = named->extent,
                                       .alignment = named->alignment};
    type->tree.true_upper_bound = type->layout->high;
}

struct fth_made_datatype *fth_datatype_named(const char *name)
{
    for (size_t i = 0; i < NAMES; i++) {
        if (strcmp(names[i].name, name) != 0)
            continue;
        struct fth_made_datatype *type = fth_new(1, sizeof *type);
        make(type, &names[i]);
        type->references = 1;
        return type;
    }
    return NULL;
}
