/* `fathom generate`: a template, a source with hints in place of I/O, becomes a program with calls
 * of an I/O library. Thread-safe for different templates. */
#ifndef FTH_GEN_GEN_H
#define FTH_GEN_GEN_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -1 for library and language, 0 for numbers: as the template says. */
struct fth_gen_options {
    const char *library;      /* posix, mpiio, pnetcdf, hdf5, netcdf4; NULL: as the template says */
    const char *language;     /* c, c++, fortran; NULL: by the template, or its name */
    int64_t processes, nodes; /* that choices are made for */
    const char *on;           /* a cluster of `fathom simulate` to choose for; NULL: none */
};

/* An access, and how it is made. */
struct fth_gen_explained {
    uint32_t line, column;
    char *variable, *reason, *weighed; /* weighed: lines */
    bool writes, collective, two_phase, nonblocking;
};

/* Bytes of the template, and the bytes of the program in their place; `end` is behind the last. */
struct fth_gen_part {
    size_t template_begin, template_end, begin, end;
};

struct fth_gen_program {
    char *text;
    size_t length;
    /* What was generated, in order; all else is as in the template, but for `use` of Fortran. */
    struct fth_gen_part *parts;
    size_t part_count;
    uint32_t hint_lines, generated_lines; /* that hints take in the template; that they became */
    const char *library, *language;
    struct fth_gen_explained *explained;
    size_t explained_count;
};

/* `path` names the template in messages and says the language of it by its ending; its text is not
 * read behind `length`. -1: *error has the place of the first mistake and a repair; `program` is
 * empty then. fth_gen_program_free either way. A text without hints stays as it is, byte for byte.
 */
int fth_gen_make(const char *path, const char *text, size_t length,
                 const struct fth_gen_options *options, struct fth_gen_program *program,
                 struct fth_error **error);
/* What the ending of a template's name says: "c", "c++" or "fortran". */
const char *fth_gen_language_of(const char *path);
void fth_gen_program_free(struct fth_gen_program *program);

#endif
