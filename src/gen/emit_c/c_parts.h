/* What emitters of C and C++ share: numbers of an access as arrays, the state of a file, texts of
 * functions that several libraries use. Inner header of the room gen. */
#ifndef FTH_GEN_C_PARTS_H
#define FTH_GEN_C_PARTS_H

#include "gen/emit/emitter.h"

/* A number as an element of an array of this type, which C++ does not narrow. */
void fth_gen_c_element(const struct fth_gen_writing *writing, const char *type, const char *text);
/* start[] and count[], and those of the array in memory. `lengths`: lengths[] too. */
void fth_gen_c_arrays(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                      const char *type, bool lengths);
/* `const TYPE lengths[] = {...};`, with `slowest` in place of an unlimited one. */
void fth_gen_c_lengths(const struct fth_gen_writing *writing,
                       const struct fth_gen_variable *variable, const char *type,
                       const char *slowest);
/* `const TYPE io_chunk[] = {...};` of a variable that grows, with the reason in front. */
void fth_gen_c_chunk(const struct fth_gen_writing *writing, const struct fth_gen_variable *variable,
                     const char *type);
/* The comment in front of an access. */
void fth_gen_c_reason(const struct fth_gen_writing *writing, const struct fth_gen_access *access);
/* `MPI_Info info` and what it says; `name_of` is the macro that checks calls of MPI. false: there
 * is nothing to say, and no info. */
bool fth_gen_c_info(const struct fth_gen_writing *writing, const char *check);
/* A check that there are as many processes as the hints name, and io.rank. */
void fth_gen_c_processes(const struct fth_gen_writing *writing, const char *check);
/* "struct particle" or "double", as C or C++ calls the type. */
const char *fth_gen_c_type(const struct fth_gen_writing *writing,
                           const struct fth_gen_variable *variable);
/* Is the variable accessed, or defined, in this program? */
bool fth_gen_has_unlimited(const struct fth_gen_model *model,
                           const struct fth_gen_variable *variable);

/* Functions of generated programs. */
extern const char fth_gen_c_check_mpi[]; /* io_check_mpi, IO_CHECK_MPI */
extern const char fth_gen_c_need[];      /* io_need */
extern const char fth_gen_c_part_type[]; /* io_part */
extern const char fth_gen_c_items[];     /* io_items */
extern const char fth_gen_c_pack[];      /* io_copy */

#endif
