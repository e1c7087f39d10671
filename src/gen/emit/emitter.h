/* Generated code on its way out. Emitters write the code of a place without indentation; the writer
 * of the program puts it where the hints stood. Inner header of the room gen. */
#ifndef FTH_GEN_EMITTER_H
#define FTH_GEN_EMITTER_H

#include "gen/template/data_model.h"

#include <stdio.h>

struct fth_gen_writing {
    FILE *to;
    struct fth_gen_model *model;
    const struct fth_gen_file *file; /* that is being written about */
    bool after_writes; /* what this set does has to come behind what others have written */
};

/* A function of the generated program: written in front of it if the program has its name. */
struct fth_gen_helper {
    const char *name, *text;
};

/* What writes the calls of one library in one language. A file has been opened with
 * all its definitions before anything is accessed. */
struct fth_gen_emitter {
    const char *head;                     /* includes */
    const struct fth_gen_helper *helpers; /* each uses only those before it */
    size_t helper_count;
    /* The state of a file: of the program, not of a function. */
    void (*state)(const struct fth_gen_writing *writing);
    void (*open)(const struct fth_gen_writing *writing, const struct fth_gen_session *session);
    void (*dimension)(const struct fth_gen_writing *writing,
                      const struct fth_gen_dimension *dimension);
    void (*variable)(const struct fth_gen_writing *writing,
                     const struct fth_gen_variable *variable);
    void (*attribute)(const struct fth_gen_writing *writing,
                      const struct fth_gen_attribute *attribute);
    /* Definitions end: of a file that is made, or of one that was opened. */
    void (*defined)(const struct fth_gen_writing *writing, const struct fth_gen_session *session);
    void (*begin)(const struct fth_gen_writing *writing, const struct fth_gen_set *set);
    void (*access)(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                   uint32_t index);
    void (*end)(const struct fth_gen_writing *writing, const struct fth_gen_set *set);
    void (*close)(const struct fth_gen_writing *writing, const struct fth_gen_session *session);
};

extern const struct fth_gen_emitter fth_gen_c_posix, fth_gen_c_mpiio, fth_gen_c_pnetcdf,
    fth_gen_c_hdf5, fth_gen_c_netcdf;
extern const struct fth_gen_emitter fth_gen_fortran_posix, fth_gen_fortran_mpiio,
    fth_gen_fortran_pnetcdf, fth_gen_fortran_hdf5, fth_gen_fortran_netcdf;

/* A text of the template, with the lengths of dimensions in place of their names. It lives as long
 * as the hints. fth_gen_operand: in brackets where it is more than a word. */
const char *fth_gen_text(const struct fth_gen_writing *writing, const char *text);
const char *fth_gen_operand(const struct fth_gen_writing *writing, const char *text);
/* A text as it is, in brackets where it is more than a word: a buffer has no dimensions in it. */
const char *fth_gen_bracketed(const struct fth_gen_writing *writing, const char *text);
/* The length of a dimension; "0" if it is unlimited. */
const char *fth_gen_length(const struct fth_gen_writing *writing, uint32_t dimension);
/* Of a variable that grows: elements of a chunk in a dimension, the slowest being 0, and a sentence
 * about it. */
const char *fth_gen_chunk(const struct fth_gen_writing *writing,
                          const struct fth_gen_variable *variable, uint32_t index);
const char *fth_gen_chunk_reason(const struct fth_gen_variable *variable);
bool fth_gen_is_integer(const char *text);
/* A comment of the language, as lines that are not too long. */
void fth_gen_comment(const struct fth_gen_writing *writing, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* What MPI-IO is asked for a file, and why. */
struct fth_gen_info {
    const char *key;
    char value[32];
    const char *why;
};
size_t fth_gen_infos(const struct fth_gen_writing *writing, struct fth_gen_info infos[static 8]);

#endif
