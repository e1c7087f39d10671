/* Runs what is asked for, and makes parameters of it: see the header. */
#include "measure/machine.h"

#include "base/memory.h"
#include "measure/memory_speed.h"
#include "measure/mpi_speed.h"
#include "measure/names_speed.h"
#include "measure/network_speed.h"

#include <signal.h>

/* Most of it is for what varies most. */
enum { PROCESSOR_SHARE = 1, MEMORY_SHARE = 3, NETWORK_SHARE = 6, NAMES_SHARE = 3, DISK_SHARE = 10 };

static int64_t share(const struct fth_measure_request *request, int shares)
{
    int all = PROCESSOR_SHARE + (request->memory ? MEMORY_SHARE : 0) +
              (request->network ? NETWORK_SHARE : 0) +
              (request->disk ? NAMES_SHARE + DISK_SHARE : 0);
    return request->budget / all * shares;
}

static int measure_processor(struct fth_measured *measured, struct fth_progress *progress,
                             struct fth_error **error)
{
    size_t first = measured->trials.count;
    fth_topology_read(&measured->topology);
    fth_measure_add_processor(&measured->trials);
    return fth_trials_run(&measured->trials, first, measured,
                          share(&measured->request, PROCESSOR_SHARE), progress, error);
}

/* Before anything else, so that other ranks are gone when the rest is measured. */
static int measure_network(struct fth_measured *measured, struct fth_progress *progress,
                           struct fth_error **error)
{
    int64_t budget = share(&measured->request, NETWORK_SHARE);
    return measured->request.size_of_run > 1
               ? fth_measure_mpi(measured, budget, progress, error)
               : fth_measure_sockets(&measured->trials, budget, progress, error);
}

static int measure_each(struct fth_measured *measured, struct fth_progress *progress,
                        struct fth_error **error)
{
    const struct fth_measure_request *request = &measured->request;
    struct fth_disk_request disk = {request->folder, request->size};
    if (request->network && measure_network(measured, progress, error))
        return -1;
    if (measure_processor(measured, progress, error))
        return -1;
    if (request->memory &&
        fth_measure_memory(&measured->trials, share(request, MEMORY_SHARE), progress, error))
        return -1;
    if (request->disk && fth_measure_names(&measured->trials, measured->partner,
                                           share(request, NAMES_SHARE), progress, error))
        return -1;
    if (request->disk && fth_measure_disk(&measured->trials, &disk, &measured->disk,
                                          share(request, DISK_SHARE), progress, error))
        return -1;
    return 0;
}

/* With another process that deletes what has names, started before anything else runs. */
static int measure_all(struct fth_measured *measured, struct fth_progress *progress,
                       struct fth_error **error)
{
    signal(SIGXFSZ, SIG_IGN); /* a limit of the shell is reported like a full disk */
    if (measured->request.disk &&
        !(measured->partner = fth_partner_start(measured->request.folder, error)))
        return -1;
    int result = measure_each(measured, progress, error);
    fth_partner_end(measured->partner);
    measured->partner = NULL;
    return result;
}

/* Quartiles that lie far apart say more about who else was there than about the machine. */
static void note_noise(struct fth_measured *measured)
{
    size_t noisy = 0, count = measured->trials.count;
    for (size_t i = 0; i < count; i++) {
        struct fth_quartiles quartiles = fth_timings_quartiles(&measured->trials.list[i].timings);
        noisy += quartiles.third > 1.5 * quartiles.first;
    }
    if (noisy > count / 4)
        fth_measured_say(measured,
                         "%zu of %zu timings vary by more than half between their quartiles: the "
                         "machine was busy; measure again when nothing else runs",
                         noisy, count);
}

struct fth_measured *fth_measure(const struct fth_measure_request *request,
                                 struct fth_error **error)
{
    struct fth_measured *measured = fth_new(1, sizeof *measured);
    measured->request = *request;
    measured->nodes = 1;
    struct fth_progress progress;
    fth_progress_begin(&progress, "measuring", (uint64_t)request->budget);
    int result = measure_all(measured, &progress, error);
    fth_progress_end(&progress);
    if (result) {
        fth_measured_free(measured);
        return NULL;
    }
    fth_fit_processor(measured);
    fth_fit_network(measured);
    fth_check_network(measured);
    if (request->disk)
        fth_fit_disk(measured);
    note_noise(measured);
    return measured;
}

int fth_measure_follow(const struct fth_measure_request *request, struct fth_error **error)
{
    if (request->network && fth_mpi_follow(request, error))
        return fth_fail_in(error, "rank %d", request->rank);
    return 0;
}
