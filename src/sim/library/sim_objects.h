/* Inner header of the sim room: the types behind <fathom/sim.h>, and the behaviour of its
 * functions when memory runs out. */
#ifndef FTH_SIM_LIBRARY_SIM_OBJECTS_H
#define FTH_SIM_LIBRARY_SIM_OBJECTS_H

#include "base/error.h"
#include "fathom/sim.h"
#include "sim/plan/cluster.h"
#include "sim/plan/program_commands.h"

#include <setjmp.h>

struct fth_cluster {
    struct fth_sim_cluster cluster;
};

struct fth_program {
    enum fth_program_source { FTH_PROGRAM_BUILT, FTH_PROGRAM_TEXT, FTH_PROGRAM_TRACE } source;
    uint32_t ranks;
    char *path; /* of a trace, which is read anew by each simulation; NULL: there is no file */
    struct fth_sim_program *program; /* of others */
};

/* Programs that are built command by command (built.c). Built ones can be looked through by several
 * threads. */
struct fth_sim_program *fth_sim_built_new(uint32_t ranks);
int64_t fth_sim_built_file(struct fth_sim_program *program, const struct fth_program_file *file,
                           struct fth_error **error);
int64_t fth_sim_built_split(struct fth_sim_program *program, const uint32_t *colors,
                            const uint32_t *keys);
int fth_sim_built_add(struct fth_sim_program *program, uint32_t rank,
                      const struct fth_command *command, struct fth_error **error);
/* Whether all that was begun has an end. -1: *error says what has none. */
int fth_sim_built_check(const struct fth_sim_program *program, struct fth_error **error);
void fth_sim_built_free(struct fth_sim_program *program);

/* From here to fth_sim_unguard this thread comes back to `escape` when there is no memory:
 *
 *     jmp_buf escape;
 *     if (fth_sim_guard(&escape, setjmp(escape), error))
 *         return NULL;
 *
 * What was taken in between stays taken. Returns whether it came back; *error is set then. */
bool fth_sim_guard(jmp_buf *escape, int is_back, struct fth_error **error);
void fth_sim_unguard(void);

#endif
