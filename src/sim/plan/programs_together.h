/* Several programs as one: each has its own processes, one behind the other, its own communicators
 * and its own files. So they run on one cluster at the same time, and meet at its servers, networks
 * and processors. */
#ifndef FTH_SIM_PLAN_PROGRAMS_TOGETHER_H
#define FTH_SIM_PLAN_PROGRAMS_TOGETHER_H

#include "base/error.h"
#include "sim/plan/program_commands.h"

#include <stddef.h>

/* Servers one behind the other, modulo the number that there are. */
struct fth_sim_server_set {
    uint32_t first, count; /* count 0: no set, servers are as the program says */
};

struct fth_sim_contender {
    struct fth_sim_program *program;   /* outlives the one that it becomes part of */
    struct fth_sim_server_set servers; /* for its files */
    /* By file of the program: a number, so that files of several programs with the same number are
     * one; NULL: its files are its own. All numbers from 0 on are used. */
    const uint32_t *files;
    const bool *skipped; /* by file: whatever is done with it takes no time; NULL: none of them */
    bool is_absent; /* its processes are there, and do nothing: who is alone has the same nodes */
};

/* NULL: they have too many processes, *error says so. */
struct fth_sim_program *fth_sim_together_new(const struct fth_sim_contender *contenders,
                                             size_t count, struct fth_error **error);
void fth_sim_together_free(struct fth_sim_program *together);

/* The first process, or file, of a program; of `count`: how many there are. */
uint32_t fth_sim_together_rank(const struct fth_sim_program *together, size_t index);
uint32_t fth_sim_together_file(const struct fth_sim_program *together, size_t index);

#endif
