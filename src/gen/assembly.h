/* The program: the template, with code in place of its hints, and functions in front of it. Inner
 * header of the room gen. */
#ifndef FTH_GEN_ASSEMBLY_H
#define FTH_GEN_ASSEMBLY_H

#include "gen/data_model.h"

/* The text of the whole program, to be freed; *generated: lines that were added. NULL: the program
 * has names of the generated code, *error says where. */
char *fth_gen_assembly_text(struct fth_gen_model *model, size_t *length, uint32_t *generated,
                            struct fth_error **error);

#endif
