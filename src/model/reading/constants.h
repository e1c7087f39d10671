/* Names of special values: what an integer stands for where its number alone would mislead. Inner
 * header of the model room. */
#ifndef FTH_MODEL_READING_CONSTANTS_H
#define FTH_MODEL_READING_CONSTANTS_H

#include "catalog/catalog.h"

/* The constants of one ABI of MPI; its libraries agree on them, those of other ABIs do not. */
struct fth_mpi_constants;

/* By what PROC says of the MPI library: the name of its ABI, a blank, what it says of itself. NULL:
 * no MPI, or none that is known. */
const struct fth_mpi_constants *fth_mpi_constants_of(const char *mpi);

/* "openmpi", "mpich", "standard"; NULL for NULL. */
const char *fth_mpi_abi_name(const struct fth_mpi_constants *constants);

/* "MPI_ANY_SOURCE", "SEEK_SET" ...; NULL: the value is nothing special. `constants` may be NULL. */
const char *fth_constant_name(const struct fth_mpi_constants *constants, const struct fth_row *row,
                              const struct fth_field *field, int64_t value);
/* "ENOENT", "MPI_ERR_IO" ...: what the result of a failed call stands for; NULL: not known. */
const char *fth_error_name(const struct fth_mpi_constants *constants, const struct fth_row *row,
                           int64_t number);
/* The null handle of a class: "MPI_COMM_NULL", "AT_FDCWD"; NULL: it has no name. */
const char *fth_constant_null_handle(const char *handle_class);
/* Flags whose bits every ABI has for itself; NULL: those of the catalogue. */
const struct fth_flags *fth_mpi_flags(const struct fth_mpi_constants *constants, const char *name);

#endif
