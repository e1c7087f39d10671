/* What the hints of a template say: files, their dimensions, variables and attributes, and which
 * part of a variable each process reads or writes. Inner header of the room gen. */
#ifndef FTH_GEN_DATA_MODEL_H
#define FTH_GEN_DATA_MODEL_H

#include "base/intern.h"
#include "gen/template/formula.h"
#include "gen/template/template_hints.h"

enum { FTH_GEN_MOST_DIMENSIONS = 32 };

enum fth_gen_library {
    FTH_GEN_POSIX,
    FTH_GEN_MPIIO,
    FTH_GEN_PNETCDF,
    FTH_GEN_HDF5,
    FTH_GEN_NETCDF,
    FTH_GEN_LIBRARIES,
};
enum fth_gen_language { FTH_GEN_C, FTH_GEN_CXX, FTH_GEN_FORTRAN, FTH_GEN_LANGUAGES };

/* A basic type, and what libraries and languages call it. */
struct fth_gen_type {
    const char *name;
    unsigned bytes;
    const char *in_c, *in_fortran;
    const char *mpi, *mpi_fortran;
    const char *hdf5, *hdf5_fortran;
    const char *netcdf, *netcdf_suffix; /* NC_DOUBLE, double */
};
/* NULL: there is none of this name. */
const struct fth_gen_type *fth_gen_type_find(const char *name);
/* "byte, char, short ..." */
const char *fth_gen_type_names(void);
/* "c", "c++", "fortran"; FTH_GEN_LANGUAGES: there is none of this name. */
const char *fth_gen_language_name(enum fth_gen_language language);
enum fth_gen_language fth_gen_language_named(const char *name);
const char *fth_gen_library_name(enum fth_gen_library library);
const char *fth_gen_library_title(enum fth_gen_library library); /* "NetCDF-4" */

/* A number of a hint: its text, which the compiler of the template takes, and its formula. */
struct fth_gen_number {
    const char *text;
    const struct fth_formula *formula; /* NULL: it is none that can be computed here */
    struct fth_hint_place place;
};

struct fth_gen_member {
    const char *name;
    const struct fth_gen_type *type;
    uint64_t length; /* of an array; 1: none */
};
struct fth_gen_compound {
    const char *name;
    struct fth_hint_place place;
    struct fth_gen_member *members;
    uint32_t member_count;
};

struct fth_gen_dimension {
    const char *name;
    struct fth_hint_place place;
    struct fth_gen_number length;
    bool unlimited, known;
    int64_t value; /* if it is known */
};

struct fth_gen_variable {
    const char *name;
    struct fth_hint_place place;
    const struct fth_gen_type *type;         /* NULL: a compound */
    const struct fth_gen_compound *compound; /* NULL: a basic type */
    uint32_t file;
    uint32_t *dimensions; /* by number, in the order of the hint */
    uint32_t dimension_count;
    bool is_written, is_read;
    /* Of one that grows, in a library with chunks: elements of a chunk, the slowest dimension
     * first, and why, as a sentence. NULL: lengths are not known. */
    uint64_t *chunk;
    char *chunk_reason;
};

struct fth_gen_attribute {
    const char *name;
    struct fth_hint_place place;
    int64_t variable; /* by number; -1: of the file */
    const struct fth_gen_type *type;
    const char **values; /* of type char: one text in quotes */
    uint32_t value_count;
};

/* Which processes a piece is of: those with these ranks; all, if first is NULL. */
struct fth_gen_piece {
    struct fth_gen_number first, last;
    bool all;
    struct fth_gen_number *start, *count; /* by dimension, in the order of the hint */
};

struct fth_gen_choice {
    bool collective, nonblocking;
    bool two_phase, sieving; /* asked of MPI-IO; else it is left to its own judgement */
    uint64_t buffer_bytes;   /* of collective buffering; 0: left to the library */
    char *reason;            /* a sentence */
    char *weighed;           /* lines for --explain */
};

struct fth_gen_access {
    bool writes;
    struct fth_hint_place place;
    uint32_t variable, file;
    struct fth_gen_piece *pieces; /* one for all, or several for ranks */
    uint32_t piece_count;
    struct fth_gen_number *grid, *stride; /* compact: processes and distances by dimension; NULL */
    const char *buffer;
    struct fth_gen_number *memory, *memory_start; /* of the array around the buffer; NULL: none */
    uint32_t memory_count;
    struct fth_gen_choice choice;
};

/* What a set of the template becomes. */
struct fth_gen_set {
    const struct fth_hint_set *hints;
    uint32_t session;
    /* Numbers of what it defines or accesses. */
    uint32_t first, count;
    bool opens, ends_definition, closes;
};

struct fth_gen_file {
    const char *path; /* text of the template: a string, or an expression */
    struct fth_hint_place place;
    char name[16]; /* of its state in the generated code: io, io2 ... */
    enum fth_gen_library library;
    uint64_t align; /* bytes; 0: variables of raw files follow one another */
    bool has_unlimited;
    struct fth_intern dimensions, variables; /* names, by number of this file */
    uint32_t *dimension_numbers, *variable_numbers;
    bool creates, opened_again; /* one of its sessions makes it; there are several */
    bool two_phase, sieving, collective, has_collective, has_large; /* of all accesses */
    uint64_t buffer_bytes;
    int64_t least_processes; /* that the program needs; 0: any */
};

/* From opening a file to closing it. */
struct fth_gen_session {
    uint32_t file;
    bool creates, reads, writes;
    uint32_t first_set, last_set;
    uint32_t opening, defined, closing; /* sets; UINT32_MAX: none */
};

struct fth_gen_assumption {
    const char *name;
    struct fth_gen_number value;
};

/* What the command line says; where a template says otherwise, this counts. */
struct fth_gen_settings {
    int library, language; /* -1: as the template says */
    int64_t processes;     /* that choices are made for; 0: not said */
    int64_t nodes;
};

struct fth_gen_model {
    struct fth_hints *hints;
    struct fth_gen_settings settings;
    enum fth_gen_language language;
    const char *communicator;
    int64_t processes, nodes;            /* 0: not known */
    struct fth_gen_compound **compounds; /* of the hints' arena */
    struct fth_gen_dimension *dimensions;
    struct fth_gen_variable *variables;
    struct fth_gen_attribute *attributes;
    struct fth_gen_access *accesses;
    struct fth_gen_file *files;
    struct fth_gen_session *sessions;
    struct fth_gen_set *sets;
    struct fth_gen_assumption *assumptions;
    uint32_t compound_count, dimension_count, variable_count, attribute_count, access_count,
        file_count, session_count, set_count, assumption_count;
    struct fth_intern assumed;
    /* While formulas are read and computed. */
    struct fth_formula_scope scope;
    uint32_t scope_file; /* UINT32_MAX: none */
    int64_t rank, depth;
};

/* From hints to a model. -1: *error is set. fth_gen_model_free either way. */
int fth_gen_model_make(struct fth_gen_model *model, struct fth_hints *hints,
                       const struct fth_gen_settings *settings, struct fth_error **error);
void fth_gen_model_free(struct fth_gen_model *model);

/* The options of all sets, and the files that they name. */
int fth_gen_options_read(struct fth_gen_model *model, struct fth_error **error);

/* The value of a number for a rank; false: not known, because of *unknown, if that is not NULL. */
bool fth_gen_number_value(struct fth_gen_model *model, uint32_t file,
                          const struct fth_gen_number *number, int64_t rank, int64_t *value,
                          const char **unknown);
struct fth_gen_number fth_gen_number_read(struct fth_gen_model *model,
                                          const struct fth_hint_word *word);
/* What names in formulas mean. */
struct fth_formula_scope fth_gen_scope(struct fth_gen_model *model);
/* The dimension of a variable, with the slowest first, whichever the language. */
uint32_t fth_gen_dimension_at(const struct fth_gen_model *model,
                              const struct fth_gen_variable *variable, uint32_t index);
unsigned fth_gen_bytes_of(const struct fth_gen_variable *variable);
/* An access line of a set. */
int fth_gen_access_read(struct fth_gen_model *model, uint32_t session,
                        const struct fth_hint_set *set, const struct fth_hint_line *hint,
                        struct fth_error **error);
/* Sets *error: there is no such `what` among these names, with the nearest one. */
int fth_gen_no_such(struct fth_gen_model *model, const struct fth_hint_word *word, const char *what,
                    const struct fth_intern *names, struct fth_error **error);
/* The variable of a file by its name; -1: none, *error is set. */
int64_t fth_gen_variable_find(struct fth_gen_model *model, uint32_t file,
                              const struct fth_hint_word *word, struct fth_error **error);

#endif
