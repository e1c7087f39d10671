/* `fathom generate --from`: the arrays and decompositions that the accesses of a recorded program
 * imply, as a template for `fathom generate`. */
#ifndef FTH_GEN_INFER_H
#define FTH_GEN_INFER_H

#include "base/error.h"
#include "fathom/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is expected of doing the I/O on a file in another way: a sentence. */
struct fth_gen_expectation {
    const char *path; /* NULL: it is about no single file */
    const char *text;
};

/* A file of the run that was read or written. */
struct fth_gen_inferred_file {
    char *path;
    uint64_t bytes;
    char *why;        /* there are no hints for it, because; NULL: there are */
    char **variables; /* sentences */
    size_t variable_count;
    bool gathered; /* of some of it, one process wrote what it had gathered, as far as is known */
};

struct fth_gen_inferred {
    char *text; /* of the template; NULL: there are hints for no file */
    size_t length;
    const char *library;
    int64_t processes;
    struct fth_gen_inferred_file *files; /* those with hints first */
    size_t file_count;
};

/* `library`: as the options of templates have it; NULL: what the program used. `language`: of the
 * template, "c", "c++" or "fortran". The expectations
 * stand in the template beside their files. -1: the trace cannot be read, and *error is set.
 * fth_gen_inferred_free either way. */
int fth_gen_infer(struct fth_trace *trace, const char *library, const char *language,
                  const struct fth_gen_expectation *expectations, size_t expectation_count,
                  struct fth_gen_inferred *inferred, struct fth_error **error);
/* Puts a comment in front of the template. */
void fth_gen_inferred_remark(struct fth_gen_inferred *inferred, const char *language,
                             const char *text);
void fth_gen_inferred_free(struct fth_gen_inferred *inferred);

#endif
