/* What a simulated program is warned of: see the source. */
#ifndef FTH_SIM_WORLD_WARNINGS_H
#define FTH_SIM_WORLD_WARNINGS_H

#include "sim/plan/program_commands.h"

#include <stddef.h>

struct fth_sim_process;
struct fth_sim_world;

/* A process comes to a collective command of the program, which is the one of that number on its
 * communicator. */
void fth_sim_sizes_note(struct fth_sim_process *process, const struct fth_sim_command *command,
                        uint32_t instance);

/* After the run: a warning for people, up to `size` characters; false: there are no so many. */
bool fth_sim_world_warning(const struct fth_sim_world *world, uint32_t number, char *text,
                           size_t size);

#endif
