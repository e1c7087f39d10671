/* What is around the hints of a proposed template, in C (which is C++, too) and in Fortran. Inner
 * header of the room gen. */
#ifndef FTH_GEN_TEMPLATE_FRAMES_H
#define FTH_GEN_TEMPLATE_FRAMES_H

#include "gen/infer/proposal.h"

struct fth_gen_frame {
    bool fortran;
    const char *end_loop;
    /* Up to the first function of a file; `writes`: something is written. */
    void (*begin_program)(FILE *to, const struct fth_gen_recorded *recorded,
                          const struct fth_gen_proposed_file *files, size_t count, bool writes);
    void (*begin_file)(FILE *to, const struct fth_gen_proposed_file *of, bool loops);
    void (*quote)(FILE *to, const char *text);
    /* Memory for so many elements of a variable, what is in it, and its end. */
    void (*take)(FILE *to, const struct fth_gen_proposed_variable *variable, int64_t length);
    void (*fill)(FILE *to, const char *indent, const struct fth_gen_proposed_variable *variable,
                 int64_t length);
    void (*release)(FILE *to, const struct fth_gen_proposed_variable *variable);
    void (*begin_loop)(FILE *to, size_t steps);
    void (*end_file)(FILE *to, const struct fth_gen_proposed_file *of);
    void (*end_program)(FILE *to, const struct fth_gen_recorded *recorded,
                        const struct fth_gen_proposed_file *files, size_t count);
};

extern const struct fth_gen_frame fth_gen_c_frame, fth_gen_fortran_frame;

#endif
