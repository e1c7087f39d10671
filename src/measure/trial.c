/* Runs trials in turn: see the header. */
#include "measure/trial.h"

#include "base/memory.h"

#include <string.h>
#include <time.h>

/* So long should be what is timed at once: some thousand ticks of the clock. */
#define BATCH_TIME 1e5
enum { LEAST_ROUNDS = 3, MOST_ROUNDS = 100000, MOST_BATCH = 100000 };

int64_t fth_measure_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

void fth_trials_add(struct fth_trials *trials, const char *kind, const char *name, uint64_t bytes,
                    fth_kernel *kernel, uint32_t batch)
{
    FTH_GROW(trials->list, trials->count);
    trials->list[trials->count++] = (struct fth_trial){kind, name, bytes, kernel, batch, {0}, 0};
}

struct fth_trial *fth_trials_find(const struct fth_trials *trials, const char *kind,
                                  const char *name, uint64_t bytes)
{
    for (size_t i = 0; i < trials->count; i++) {
        struct fth_trial *trial = &trials->list[i];
        if (trial->bytes == bytes && !strcmp(trial->kind, kind) && !strcmp(trial->name, name))
            return trial;
    }
    return NULL;
}

/* Makes the batch longer until it takes long enough, also when it finds caches filled and nobody
 * comes in between: the shorter one of two counts. */
static int find_batch(struct fth_trial *trial, void *context, struct fth_error **error)
{
    for (trial->batch = 1; trial->batch < MOST_BATCH;) {
        double time, again;
        if (trial->kernel(trial, context, &time, error) ||
            trial->kernel(trial, context, &again, error))
            return -1;
        if (again < time)
            time = again;
        if (time >= BATCH_TIME / 2)
            return 0;
        double factor = time > 0 ? BATCH_TIME / time : 10;
        trial->batch = (uint32_t)(trial->batch * (factor < 2 ? 2 : factor > 10 ? 10 : factor));
    }
    return 0;
}

static int run_once(struct fth_trial *trial, void *context, struct fth_error **error)
{
    double time;
    if (!trial->batch && find_batch(trial, context, error))
        return -1;
    if (trial->kernel(trial, context, &time, error))
        return -1;
    fth_timings_add(&trial->timings, time / trial->batch);
    return 0;
}

int fth_trials_run(struct fth_trials *trials, size_t first, void *context, int64_t budget,
                   struct fth_progress *progress, struct fth_error **error)
{
    int64_t start = fth_measure_now(), shown = start;
    for (uint32_t round = 0; round < MOST_ROUNDS; round++)
        for (size_t i = first; i < trials->count; i++) {
            int64_t now = fth_measure_now();
            if (round >= LEAST_ROUNDS && now - start > budget)
                return 0;
            if (run_once(&trials->list[i], context, error))
                return -1;
            fth_progress_add(progress, (uint64_t)(now - shown));
            shown = now;
        }
    return 0;
}

void fth_trials_free(struct fth_trials *trials)
{
    for (size_t i = 0; i < trials->count; i++)
        fth_timings_free(&trials->list[i].timings);
    free(trials->list);
    *trials = (struct fth_trials){0};
}
