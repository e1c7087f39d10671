/* Which type of hints an element has, by what its call was given. */
#include "gen/infer/recorded.h"

#include <string.h>

/* Names of MPI beside those that generated programs use. */
static const struct {
    const char *mpi, *name;
} others[] = {
    {"MPI_LONG", "long"},
    {"MPI_INT64_T", "long"},
    {"MPI_LONG_LONG_INT", "long"},
    {"MPI_INT32_T", "int"},
    {"MPI_INT16_T", "short"},
    {"MPI_INT8_T", "byte"},
    {"MPI_DOUBLE_PRECISION", "double"},
    {"MPI_REAL", "float"},
    {"MPI_INTEGER", "int"},
};

static const char *const names[] = {"double", "float", "int", "long", "short", "char"};

static const struct fth_gen_type *type_by_name(const char *mpi)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct fth_gen_type *type = fth_gen_type_find(names[i]);
        if (!strcmp(type->mpi, mpi) || !strcmp(type->mpi_fortran, mpi))
            return type;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(others[i].mpi, mpi))
            return fth_gen_type_find(others[i].name);
    return NULL;
}

const struct fth_gen_type *fth_gen_type_of_mpi(const struct fth_datatype *datatype)
{
    const struct fth_datatype *leaf = datatype;
    while (leaf && leaf->form != FTH_DATATYPE_NAMED) {
        if (!leaf->part_count)
            return NULL;
        const struct fth_gen_type *first = fth_gen_type_of_mpi(leaf->parts[0]);
        for (size_t i = 1; i < leaf->part_count; i++)
            if (fth_gen_type_of_mpi(leaf->parts[i]) != first)
                return NULL;
        leaf = leaf->parts[0];
    }
    const struct fth_gen_type *type = leaf && leaf->name ? type_by_name(leaf->name) : NULL;
    return type && (int64_t)type->bytes == leaf->size ? type : NULL;
}

static const struct fth_gen_type *type_of_hdf5(const struct fth_call *call)
{
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const struct fth_value *value = &call->arguments[i];
        if (value->type != FTH_VALUE_HANDLE || !value->text)
            continue;
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            const struct fth_gen_type *type = fth_gen_type_find(names[j]);
            if (!strcmp(type->hdf5, value->text))
                return type;
        }
    }
    return NULL;
}

/* What a pointer of C points to: "const float *". */
static const struct fth_gen_type *pointed_to(const char *in_c)
{
    static const char *const all[] = {"double", "float", "int", "long", "short", "char", "byte"};
    const char *at = strncmp(in_c, "const ", 6) ? in_c : in_c + 6;
    const char *star = strchr(at, '*');
    size_t length = star ? (size_t)(star - at) : 0;
    while (length && at[length - 1] == ' ')
        length--;
    if (!length || star[1])
        return NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const struct fth_gen_type *type = fth_gen_type_find(all[i]);
        if (strlen(type->in_c) == length && !strncmp(type->in_c, at, length))
            return type;
    }
    bool is_long = length == strlen("long") && !strncmp(at, "long", length);
    return is_long ? fth_gen_type_find("long") : NULL;
}

/* Of the only parameter without a role that points to numbers: the buffer. */
static const struct fth_gen_type *type_of_buffer(const struct fth_function *function)
{
    const struct fth_gen_type *found = NULL;
    for (size_t i = 0; i < function->parameter_count; i++) {
        const struct fth_parameter *parameter = &function->parameters[i];
        const struct fth_gen_type *type = *parameter->role ? NULL : pointed_to(parameter->type);
        if (type && found)
            return NULL;
        found = type ? type : found;
    }
    return found;
}

const struct fth_gen_type *fth_gen_type_in_memory(const struct fth_access *access)
{
    const struct fth_gen_type *type = type_of_hdf5(&access->call);
    if (!type)
        type = fth_gen_type_of_mpi(access->datatype);
    return type ? type : type_of_buffer(access->call.function);
}

const struct fth_gen_type *fth_gen_type_of_netcdf(const char *name)
{
    static const char *const all[] = {"double", "float", "int", "long", "short", "char", "byte"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const struct fth_gen_type *type = fth_gen_type_find(all[i]);
        if (!strcmp(type->netcdf, name))
            return type;
    }
    return NULL;
}
