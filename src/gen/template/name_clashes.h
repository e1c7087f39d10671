/* Names that the program and the generated code would both use. Inner header of the room gen. */
#ifndef FTH_GEN_NAME_CLASHES_H
#define FTH_GEN_NAME_CLASHES_H

#include "gen/template/data_model.h"

/* Names of hints that become the same name, in a file or in the code. -1: *error has the place. */
int fth_gen_names_of_hints_check(const struct fth_gen_model *model, struct fth_error **error);
/* Names of the template, outside of its hints, that `front` or one of the `codes` of its sets has,
 * too. -1: *error has the place of the first one. Only names that begin with io are generated. */
int fth_gen_names_of_program_check(const struct fth_gen_model *model, const char *front,
                                   char *const *codes, struct fth_error **error);
/* Names in numbers of accesses that are a dimension, of another length than its name says, and of
 * the program, too, where the hints stand. -1: *error has the place. */
int fth_gen_names_of_dimensions_check(const struct fth_gen_model *model, struct fth_error **error);

#endif
