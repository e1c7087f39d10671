/* Lines of hints of a proposed template. Inner header of the room gen. */
#ifndef FTH_GEN_TEMPLATE_LINES_H
#define FTH_GEN_TEMPLATE_LINES_H

#include "gen/infer/proposal.h"

void fth_gen_write_dimensions(FILE *to, const struct fth_gen_proposed_file *of);
void fth_gen_write_variables(FILE *to, const struct fth_gen_proposed_file *of, bool fortran);
/* Of all pieces of all ranks. */
void fth_gen_write_access(FILE *to, const struct fth_gen_recorded *recorded, const char *indent,
                          const struct fth_gen_proposed_access *access,
                          const struct fth_gen_proposed_variable *variable, bool fortran);
/* Elements of a buffer that is large enough for each access of a variable. */
int64_t fth_gen_buffer_length(const struct fth_gen_layout *layout, uint32_t variable);

#endif
