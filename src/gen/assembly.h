/* The program: the template, with code in place of its hints, and functions in front of it. Inner
 * header of the room gen. */
#ifndef FTH_GEN_ASSEMBLY_H
#define FTH_GEN_ASSEMBLY_H

#include "gen/template/data_model.h"
#include "gen/gen.h"

/* The text of the whole program, to be freed; its length, generated lines and parts go to
 * `program`. NULL: the program has names of the generated code, *error says where. */
char *fth_gen_assembly_text(struct fth_gen_model *model, struct fth_gen_program *program,
                            struct fth_error **error);

#endif
