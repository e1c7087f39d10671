/* Trials: kernels that are timed, each with a size. All of them are run in turn, round after round,
 * until the time is used: so what else happens on the machine for a moment does not hit one kernel
 * alone (Kunkel 2013, section 3.1.2). */
#ifndef FTH_MEASURE_TRIAL_H
#define FTH_MEASURE_TRIAL_H

#include "base/error.h"
#include "base/progress.h"
#include "measure/statistics.h"

#include <stddef.h>

struct fth_trial;

/* Runs a kernel `batch` times; what needs no timing is done before. -1: *error is set. */
typedef int fth_kernel(struct fth_trial *trial, void *context, double *nanoseconds,
                       struct fth_error **error);

struct fth_trial {
    const char *kind, *name; /* "memory", "copy" */
    uint64_t bytes;          /* of an operation */
    fth_kernel *kernel;
    uint32_t batch; /* operations that are timed together; 0: found out */
    struct fth_timings timings;
    double simulated; /* ns, by the models with the parameters that follow; 0: not known */
};

/* All trials of all kinds. Begins zeroed. */
struct fth_trials {
    struct fth_trial *list;
    size_t count;
};

void fth_trials_add(struct fth_trials *trials, const char *kind, const char *name, uint64_t bytes,
                    fth_kernel *kernel, uint32_t batch);
/* The one of that name and size; NULL: there is none. */
struct fth_trial *fth_trials_find(const struct fth_trials *trials, const char *kind,
                                  const char *name, uint64_t bytes);
/* Runs those from `first` on for `budget` ns, but each at least three times. */
int fth_trials_run(struct fth_trials *trials, size_t first, void *context, int64_t budget,
                   struct fth_progress *progress, struct fth_error **error);
void fth_trials_free(struct fth_trials *trials);

/* The monotonic clock, in ns. */
int64_t fth_measure_now(void);

#endif
