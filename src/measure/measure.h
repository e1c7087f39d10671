/* Measures the machine it runs on, and makes of it the parameters of the simulator's models: trials
 * are timed, lines are fitted to their medians, and lines become the parts of a cluster
 * (docs/fathom-measure.1.md). */
#ifndef FTH_MEASURE_MEASURE_H
#define FTH_MEASURE_MEASURE_H

#include "base/error.h"
#include "base/sink.h"
#include "table/table.h"

#include <stdbool.h>
#include <stdint.h>

/* What of timings parameters are fitted to: a quartile, or the mean. */
enum fth_measure_fit { FTH_FIT_FIRST, FTH_FIT_MEDIAN, FTH_FIT_THIRD, FTH_FIT_MEAN };

enum { FTH_MEASURE_LEAST_SIZE = 16 << 20 };

struct fth_measure_request {
    bool memory, network, disk; /* what to measure; the processor always is */
    const char *folder;         /* where the disk's file is made */
    /* of that file, a multiple of FTH_MEASURE_LEAST_SIZE; 0: as room and time allow */
    uint64_t size;
    int64_t budget; /* ns, for all of it */
    enum fth_measure_fit fit;
    int rank, size_of_run;   /* of what a launcher started; 0 and 1 without one */
    const char *mpi_library; /* NULL: the one that fits the launcher */
};

struct fth_measured;

/* On rank 0, which measures. NULL: *error is set. */
struct fth_measured *fth_measure(const struct fth_measure_request *request,
                                 struct fth_error **error);
/* On the other ranks: they help to measure the network. */
int fth_measure_follow(const struct fth_measure_request *request, struct fth_error **error);
void fth_measured_free(struct fth_measured *measured);

/* To be freed by the caller. What was timed; what it makes of the models' parameters; what is to be
 * known about both. */
struct fth_table *fth_measured_timings(const struct fth_measured *measured);
struct fth_table *fth_measured_parameters(const struct fth_measured *measured);
const char *fth_measured_note(const struct fth_measured *measured, size_t index); /* NULL: none */

/* The cluster, as `fathom simulate` reads it. */
void fth_measured_write(const struct fth_measured *measured, struct fth_sink *sink);

#endif
