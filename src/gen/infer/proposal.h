/* A template proposed for files of a recorded program: what its accesses imply, as hints in a
 * program that is ready to be generated from. Inner header of the room gen. */
#ifndef FTH_GEN_PROPOSAL_H
#define FTH_GEN_PROPOSAL_H

#include "gen/infer/infer.h"
#include "gen/infer/array_layout.h"

#include <stdio.h>

/* A file of which the arrays are known. */
struct fth_gen_proposed_file {
    const struct fth_gen_recorded_file *file;
    const char *shown; /* its path, as the template has it */
    char *stem;        /* of names; the same for no two */
    bool kept;         /* it is in the template */
    struct fth_gen_rounds rounds;
    struct fth_gen_layout layout;
};

/* One or two sentences for each variable, without a line break at the end. */
void fth_gen_describe(FILE *to, const struct fth_gen_recorded *recorded,
                      const struct fth_gen_proposed_file *of, uint32_t variable);
/* The whole template. */
void fth_gen_template_write(FILE *to, const struct fth_gen_recorded *recorded, const char *library,
                            enum fth_gen_language language,
                            const struct fth_gen_proposed_file *files, size_t count,
                            const struct fth_gen_expectation *expectations,
                            size_t expectation_count);
/* Text of a comment: what would end it, or is no letter, is left out. Lines are broken. */
void fth_gen_remark(FILE *to, const char *text, bool fortran);

#endif
