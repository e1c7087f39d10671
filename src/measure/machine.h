/* Inner header: what was measured, and what follows from it for the models. */
#ifndef FTH_MEASURE_MACHINE_H
#define FTH_MEASURE_MACHINE_H

#include "measure/disk_speed.h"
#include "measure/fit.h"
#include "measure/measure.h"
#include "measure/processor_speed.h"
#include "sim/plan/cluster.h"
#include "sim/text/units.h"

/* Where two processes are that talk with each other. */
enum fth_placement { FTH_SAME_SOCKET, FTH_SAME_NODE, FTH_TWO_NODES, FTH_PLACEMENTS };
extern const char *const fth_placement_names[FTH_PLACEMENTS];

/* A parameter of the cluster. */
struct fth_machine_parameter {
    const char *part, *key; /* "nic edge", "latency"; part "": of the cluster itself */
    enum fth_sim_quantity quantity;
    double value;
    const char *word; /* instead of a value: the name of a model */
    bool measured;    /* else assumed */
    /* from the first to the third quartile of what it is fitted to, in parts of the median; less
     * than 0: not known */
    double spread;
    char reason[200]; /* what it follows from */
};

struct fth_measured {
    struct fth_measure_request request;
    struct fth_trials trials;
    struct fth_machine_topology topology;
    uint32_t nodes;
    const char *mpi; /* the library through which messages went; NULL: none */
    uint64_t eager;  /* its usual limit; 0: not known */
    struct fth_disk_setting disk;
    struct fth_partner *partner; /* where files have names; NULL: nothing of them is measured */
    struct fth_machine_parameter *parameters;
    size_t parameter_count;
    char **notes;
    size_t note_count;
};

void fth_measured_say(struct fth_measured *measured, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
struct fth_machine_parameter *fth_parameter_add(struct fth_measured *measured, const char *part,
                                                const char *key, enum fth_sim_quantity quantity,
                                                double value, bool is_measured, const char *reason,
                                                ...) __attribute__((format(printf, 7, 8)));
/* As configurations say it: "96.2 MiB/s". */
void fth_parameter_text(const struct fth_machine_parameter *parameter, char *text, size_t size);

/* Says how sure the parameter is, by the timings of that name: the mean over their sizes. */
void fth_parameter_spread(struct fth_measured *measured, struct fth_machine_parameter *parameter,
                          const char *kind, const char *name);
/* NULL: there is none. */
struct fth_machine_parameter *fth_parameter_find(const struct fth_measured *measured,
                                                 const char *part, const char *key);

/* What parameters are fitted to: that quartile of a trial's timings which is wanted, or their mean.
 * Of first quartiles the simulator, which knows no noise, becomes as fast as the machine is when
 * nothing comes in between, but no faster than it is most of the time; of means many operations
 * take as long together. */
double fth_measured_typical(const struct fth_measured *measured, struct fth_trial *trial);
/* Of the trials of that name, as points; to be freed. */
struct fth_point *fth_measured_points(struct fth_measured *measured, const char *kind,
                                      const char *name, size_t *count);
/* That of the first one; 0: there is none. */
double fth_measured_time(struct fth_measured *measured, const char *kind, const char *name);

/* Parameters from timings. */
void fth_fit_processor(struct fth_measured *measured);
void fth_fit_network(struct fth_measured *measured);
void fth_fit_disk(struct fth_measured *measured);

/* What is done with names, and by several at once; what MPI does around files. */
void fth_fit_names(struct fth_measured *measured);

/* As much of the cluster as two processes at that placement see, without servers. */
struct fth_sim_cluster fth_measured_cluster(const struct fth_measured *measured,
                                            enum fth_placement placement);
/* The page cache as a server of the node; behind the disk. */
void fth_fit_cache(struct fth_measured *measured);
/* How many operations the disk works on at the same time; *most: of so many at once; 0: not
 * known. */
uint32_t fth_measured_depth(struct fth_measured *measured, uint32_t *most);

/* Simulates the messages that were timed, on the cluster that the parameters make, and chooses the
 * packets with which that comes nearest. */
void fth_check_network(struct fth_measured *measured);

#endif
