/* The generator: turns the catalogue into C when Fathom is built, and rows of users into plug-ins
 * (`fathom wrap`). */
#ifndef FTH_CATALOG_GENERATE_H
#define FTH_CATALOG_GENERATE_H

#include "catalog/catalog.h"
#include "catalog/values.h"

#include <stdio.h>

/* How a handle is reached from a parameter or result of this type. */
enum handle_form {
    FORM_DESCRIPTOR, /* int */
    FORM_STREAM,     /* FILE * */
    FORM_DIRECTORY,  /* DIR * */
    FORM_FOREIGN,    /* what MPI makes of it */
    FORM_LIBRARY,    /* an integer or an address of any other library that is bound */
};
enum handle_form form_of(const struct fth_catalog *catalog, const struct fth_row *row,
                         const struct fth_field *field);
bool is_of_mpi(const struct fth_row *row);
/* Is its layer one of these: FTH_LAYER_...? */
bool layer_is(const struct fth_catalog *catalog, const struct fth_row *row, unsigned is);
/* Position of a class among those of files, -1: it is none. */
int ordinal_of(const struct fth_catalog *catalog, int class_index);
/* "FTH_CONTEXT_name" is about layers and files; the bits of the latter are those of
 * capture/record/runtime.h. */
enum { FTH_CONTEXT_FILE = 1 << 29, FTH_CONTEXT_UNBUFFERED = 1 << 30 };
unsigned files_of_context(const struct fth_catalog *catalog, const struct fth_row *row);
/* The other bits are those of layers, in order of rows. 0: there are too many. */
enum { MOST_LAYERS = 29 };
unsigned layer_bit(const struct fth_catalog *catalog, const char *layer);

/* Bits of the values that may leave signatures: as literals, or as steps. */
unsigned leaving_values(const struct fth_catalog *catalog, const struct fth_row *row,
                        bool as_steps);
/* Does it make or give up handles that have a path or a name? */
bool binds(const struct fth_catalog *catalog, const struct fth_row *row);
/* Does it move bytes to or from the buffer of a stream of the C library? */
bool moves_stream(const struct fth_catalog *catalog, const struct fth_row *row);
/* How it may be watched instead of recorded (FTH_WATCHED_... of catalog/values.h); 0: never. */
unsigned watched_as(const struct fth_row *row);
/* Parameters that are called like the variables of wrappers get other names, in wrappers only. */
void rename_parameters(struct fth_catalog *catalog);

/* The wrapper of one row. `bound`: the wrapper of a library that is bound when it is seen, not
 * preloaded. */
void write_entry_of_fortran(FILE *out, const struct fth_row *row);
void write_wrapper(FILE *out, const struct fth_catalog *catalog, const struct fth_row *row,
                   bool bound);
/* The same for who makes the system call of this name by its number. */
void write_wrapper_by_number(FILE *out, const struct fth_catalog *catalog,
                             const struct fth_row *row);
/* Those of a library that is bound when it is seen, with the tables that bind them. False: too many
 * functions are asked in it. */
bool write_bound_wrappers(FILE *out, const struct fth_catalog *catalog,
                          const struct fth_library *library);
/* `struct x` named in prototypes, declared once. */
void declare_structs(FILE *out, const struct fth_catalog *catalog);
/* The pointer to a function of the library that wrappers ask. */
void write_asked_function(FILE *out, const struct fth_row *row);
/* The wrappers of a row for Fortran, and the entries of the table that binds them to their
 * symbols. */
bool has_fortran(const struct fth_row *row);
void write_fortran_wrappers(FILE *out, const struct fth_catalog *catalog,
                            const struct fth_row *row);
void write_fortran_names(FILE *out, const struct fth_catalog *catalog, const struct fth_row *row);

/* Are the rows that the catalogue adds to a given one a plug-in? Those of one library that is
 * bound, not too many. Returns 0, or -1 and *error, a sentence about `file`. */
int check_plugin(const struct fth_catalog *catalog, const char *file, struct fth_error **error);
/* The whole source of a plug-in: of these rows, which `text` says, from `file`. */
void write_plugin(FILE *out, const struct fth_catalog *catalog, const char *file, const char *text,
                  size_t length);

/* The whole catalogue as tables. */
void write_packed(FILE *out, const struct fth_catalog *catalog);

/* What is said of layers, as a table. */
void write_layers(FILE *out, const struct fth_catalog *catalog);
/* Do the layers that are not given ones name functions that they have? Returns 0, or -1 and
 * *error. */
int check_layers(const struct fth_catalog *catalog, struct fth_error **error);

/* Says which catalogue numbers the functions. */
uint64_t hash_catalog(const struct fth_catalog *catalog);

bool is_data_call(const struct fth_row *row);
/* The library that the row's function is bound in when it is seen; NULL: its wrapper is
 * preloaded. */
const struct fth_library *bound_library(const struct fth_catalog *catalog,
                                        const struct fth_row *row);

#endif
