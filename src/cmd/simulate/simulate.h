/* Inner header of the cmd room: `fathom simulate`, one run or a sweep. */
#ifndef FTH_CMD_SIMULATE_SIMULATE_H
#define FTH_CMD_SIMULATE_SIMULATE_H

#include "cmd/shared/page_options.h"
#include "sim/replay/replay.h"
#include "sim/results/contended.h"
#include "sim/results/parameter_sweep.h"

#include <limits.h>

enum { FTH_CMD_MOST_METHODS = 128 };

/* What is asked for. */
struct fth_cmd_simulation {
    struct fth_cmd_page page;
    const char *program_path, *cluster_path, *trace_path;
    uint32_t processes;
    size_t top;
    const struct fth_sim_method *methods[FTH_CMD_MOST_METHODS];
    size_t method_count;
    struct fth_sim_replay_options replay;
    struct fth_sim_sweep sweep;
    uint64_t most_events;                                /* 0: as many as it takes */
    struct fth_sim_sweep against;                        /* one point: what is compared */
    const char *against_path;                            /* or its cluster */
    char cluster_file[PATH_MAX], against_file[PATH_MAX]; /* of those that come with Fathom */
    struct fth_sim_contention contention; /* all programs, `program_path` is the first */
    uint32_t most_placed;                 /* the last program of which --files-on says something */
    bool is_compared, lists_methods;
    bool top_chosen;
};

/* Takes COMMAND=METHOD, or the name of a family, for all commands that have a method of it. */
void fth_cmd_add_method(struct argp_state *state, struct fth_cmd_simulation *request,
                        const char *word);
void fth_cmd_add_methods_of(struct argp_state *state, struct fth_cmd_simulation *request,
                            const char *family);

/* Prints the methods of all commands. -1: *error is set. */
int fth_cmd_list_methods(const struct fth_cmd_simulation *request, struct fth_error **error);

/* Opens the page of it, which fth_cmd_close_page closes. */
int fth_cmd_open_simulation(struct fth_writer *writer, const struct fth_cmd_simulation *request,
                            struct fth_error **error);

/* Simulates all points, and shows them. -1: *error is set, also when some of them went wrong. */
int fth_cmd_sweep(const struct fth_cmd_simulation *request, struct fth_error **error);

/* One more program; servers for the files of one, "2=1-7". Reports what is wrong with options that
 * are for one program, or for several. */
void fth_cmd_add_program(struct argp_state *state, struct fth_cmd_simulation *request,
                         const char *path);
void fth_cmd_place_files(struct argp_state *state, struct fth_cmd_simulation *request,
                         const char *text);
void fth_cmd_check_programs(struct argp_state *state, const struct fth_cmd_simulation *request);
/* Simulates several programs at the same time, each alone, and apart; and shows that. -1: *error
 * is set. */
int fth_cmd_together(struct fth_cmd_simulation *request, const struct fth_sim_limits *limits,
                     struct fth_error **error);

/* Simulates twice, and shows what changed. -1: *error is set. */
int fth_cmd_against(const struct fth_cmd_simulation *request, struct fth_error **error);

#endif
