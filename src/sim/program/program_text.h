/* Programs as text, a command on a line:
 *
 *     processes 4
 *     repeat 10 {
 *         compute 1 ms
 *         sendrecv to right from left size 64 KiB
 *         rank 0: bcast ...
 *     }
 *
 * docs/fathom-simulate.1.md has all of it. */
#ifndef FTH_SIM_PROGRAM_PROGRAM_TEXT_H
#define FTH_SIM_PROGRAM_PROGRAM_TEXT_H

#include "base/error.h"
#include "sim/plan/program_commands.h"

/* Reads a program; `processes` other than 0 is how many there are, whatever the text says. NULL:
 * *error has the line and column of what is wrong. */
struct fth_sim_program *fth_sim_program_read(const char *path, uint32_t processes,
                                             struct fth_error **error);
/* The same of a text that is in memory. */
struct fth_sim_program *fth_sim_program_parse(const char *text, uint32_t processes,
                                              struct fth_error **error);
void fth_sim_program_free(struct fth_sim_program *program);

#endif
