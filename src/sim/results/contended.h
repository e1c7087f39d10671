/* Programs that run at the same time: what each takes alone and with the others, at which server
 * they meet, and servers for the files of each that keep them apart, the best of those that were
 * simulated. (Kim's IOPro, 2014, finds the server by comparing the times of servers in two runs.)
 */
#ifndef FTH_SIM_RESULTS_CONTENDED_H
#define FTH_SIM_RESULTS_CONTENDED_H

#include "sim/plan/programs_together.h"
#include "sim/replay/replay.h"
#include "sim/run/limits.h"
#include "sim/run/run.h"
#include "table/table.h"

enum { FTH_SIM_CONTENDERS = 16 };

struct fth_sim_contention {
    size_t count;
    const char *paths[FTH_SIM_CONTENDERS];                 /* programs and traces */
    struct fth_sim_server_set servers[FTH_SIM_CONTENDERS]; /* given; count 0: as they are */
    const struct fth_sim_cluster *cluster;
    const struct fth_sim_method *const *methods;
    size_t method_count;
    const struct fth_sim_replay_options *replay;
    const struct fth_sim_limits *limits; /* of one run */
    /* Of each that is a trace, before and after the run of all: what is to be said of it. */
    void (*opened)(const struct fth_sim_program *program);
    int (*ended)(struct fth_sim_program *program, struct fth_error **error);
};

/* A run of some or all of them. */
struct fth_sim_contended {
    struct fth_sim_server_set servers[FTH_SIM_CONTENDERS];
    uint32_t ranks[FTH_SIM_CONTENDERS];
    int64_t ends[FTH_SIM_CONTENDERS]; /* ns, of its last process; 0: it was not there */
    int64_t time;
    int64_t *busy;   /* ns, of the disk of each server */
    uint64_t *bytes; /* that each server moved: by server and program */
};

struct fth_sim_contention_result {
    size_t count;
    uint32_t server_count;
    struct fth_sim_contended alone[FTH_SIM_CONTENDERS], together;
    struct fth_sim_contended apart; /* the best that was tried; no `busy`: none was better */
    size_t tried;
    uint32_t met; /* the server; UINT32_MAX: none of which two or more use */
};

/* -1: *error. In any case to be freed. */
int fth_sim_contend(const struct fth_sim_contention *contention,
                    struct fth_sim_contention_result *result, struct fth_error **error);
void fth_sim_contention_free(struct fth_sim_contention_result *result);

/* How many times as long a program took; 1 where it takes no time. */
double fth_sim_slowdown(const struct fth_sim_contention_result *result,
                        const struct fth_sim_contended *run, size_t index);
/* A row for each program; and for each server and program that uses it. NULL: out of memory. */
struct fth_table *fth_sim_contenders_table(const struct fth_sim_contention *contention,
                                           const struct fth_sim_contention_result *result);
struct fth_table *fth_sim_met_servers_table(const struct fth_sim_contention *contention,
                                            const struct fth_sim_contention_result *result);
/* "1-7", "0", "6-7, 0"; to be freed. */
char *fth_sim_server_set_text(const struct fth_sim_server_set *set, uint32_t servers);

#endif
