/* Basic types, and what libraries and languages call them. */
#include "gen/template/data_model.h"

#include <string.h>

static const struct fth_gen_type types[] = {
    {"byte", 1, "signed char", "integer(1)", "MPI_SIGNED_CHAR", "MPI_INTEGER1", "H5T_NATIVE_SCHAR",
     "h5kind_to_type(1, H5_INTEGER_KIND)", "NC_BYTE", "schar"},
    {"char", 1, "char", "character", "MPI_CHAR", "MPI_CHARACTER", "H5T_NATIVE_CHAR",
     "H5T_NATIVE_CHARACTER", "NC_CHAR", "text"},
    {"short", 2, "short", "integer(2)", "MPI_SHORT", "MPI_INTEGER2", "H5T_NATIVE_SHORT",
     "h5kind_to_type(2, H5_INTEGER_KIND)", "NC_SHORT", "short"},
    {"int", 4, "int", "integer(4)", "MPI_INT", "MPI_INTEGER4", "H5T_NATIVE_INT",
     "h5kind_to_type(4, H5_INTEGER_KIND)", "NC_INT", "int"},
    {"long", 8, "long long", "integer(8)", "MPI_LONG_LONG", "MPI_INTEGER8", "H5T_NATIVE_LLONG",
     "h5kind_to_type(8, H5_INTEGER_KIND)", "NC_INT64", "longlong"},
    {"float", 4, "float", "real(4)", "MPI_FLOAT", "MPI_REAL4", "H5T_NATIVE_FLOAT",
     "h5kind_to_type(4, H5_REAL_KIND)", "NC_FLOAT", "float"},
    {"double", 8, "double", "real(8)", "MPI_DOUBLE", "MPI_REAL8", "H5T_NATIVE_DOUBLE",
     "h5kind_to_type(8, H5_REAL_KIND)", "NC_DOUBLE", "double"},
};

const struct fth_gen_type *fth_gen_type_find(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i].name, name))
            return &types[i];
    return NULL;
}

const char *fth_gen_type_names(void)
{
    return "byte, char, short, int, long, float, double";
}

const char *fth_gen_library_name(enum fth_gen_library library)
{
    static const char *const names[] = {"posix", "mpiio", "pnetcdf", "hdf5", "netcdf4"};
    return names[library];
}

const char *fth_gen_library_title(enum fth_gen_library library)
{
    static const char *const titles[] = {"POSIX", "MPI-IO", "PnetCDF", "HDF5", "NetCDF-4"};
    return titles[library];
}

const char *fth_gen_language_name(enum fth_gen_language language)
{
    static const char *const names[] = {"c", "c++", "fortran"};
    return names[language];
}

enum fth_gen_language fth_gen_language_named(const char *name)
{
    int language = 0;
    while (language < FTH_GEN_LANGUAGES &&
           strcmp(fth_gen_language_name((enum fth_gen_language)language), name) != 0)
        language++;
    return (enum fth_gen_language)language;
}
