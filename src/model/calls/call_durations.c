/* How long the calls of a function took: what was kept of that where times are means, else what the
 * calls themselves say. */
#include "model/reading/model.h"

#include "trace/columns/time_means.h"

_Static_assert((int)FTH_DURATION_BINS == (int)FTH_HISTOGRAM, "bins of the trace");

/* What is known of a process so far. */
struct adding {
    uint32_t function;
    struct fth_durations *durations;
    size_t of_means; /* shares */
};

static void make_edges(const struct fth_model_process *process, struct fth_durations *durations)
{
    durations->edges[0] = 0;
    for (int i = 1; i <= FTH_DURATION_BINS; i++) {
        unsigned __int128 ticks = (unsigned __int128)process->shares[0].quantum << (i - 1);
        durations->edges[i] =
            fth_model_duration(process, ticks < UINT64_MAX ? (uint64_t)ticks : UINT64_MAX);
    }
}

static int add_track(struct adding *adding, const struct fth_part_process *stored,
                     const struct fth_track *track, const uint8_t *frame, struct fth_error **error)
{
    struct fth_means means;
    if (fth_means_read(&means, frame, track, stored->signature_count, error))
        return -1;
    for (uint32_t i = 0; i < means.count; i++)
        if (stored->terminals[means.items[i].signature].common->function == adding->function)
            fth_mean_add_to(&means.items[i], adding->durations->calls);
    fth_means_free(&means);
    return 0;
}

/* If its times are means. */
static int add_share(struct adding *adding, const struct fth_model_share *share,
                     struct fth_error **error)
{
    struct fth_part_process stored;
    if (fth_stored_part_process(share->part, share->index, &stored, error))
        return -1;
    const uint8_t *frame = share->part->processes[share->index].frames;
    int status = 0;
    bool of_means = stored.facts.times == FTH_TIMES_OF_MEANS;
    for (size_t i = 0; of_means && i < stored.track_count && status == 0; i++) {
        const struct fth_track *track = &stored.tracks[i];
        if (track->block_count)
            status = add_track(adding, &stored, track, frame + fth_track_block_bytes(track), error);
        frame += fth_track_bytes(track);
    }
    adding->of_means += of_means;
    fth_part_process_free(&stored);
    return status;
}

static int add_shares(struct adding *adding, const struct fth_model_process *process,
                      struct fth_error **error)
{
    bool same_units = true;
    for (size_t i = 0; i < process->share_count; i++) {
        if (add_share(adding, &process->shares[i], error))
            return -1;
        same_units &= process->shares[i].quantum == process->shares[0].quantum;
    }
    if (adding->of_means && (adding->of_means < process->share_count || !same_units))
        return fth_fail(error, "its times are kept in more than one way");
    return 0;
}

static int bin_of(const struct fth_durations *durations, int64_t duration)
{
    int bin = 0;
    while (bin + 1 < FTH_DURATION_BINS && duration >= durations->edges[bin + 1])
        bin++;
    return bin;
}

static int add_calls(struct adding *adding, struct fth_trace *trace, size_t proc,
                     struct fth_error **error)
{
    struct fth_calls *calls = fth_calls_open(trace, proc, error);
    struct fth_call call;
    int more = calls ? 1 : -1;
    while (more > 0 && (more = fth_calls_next(calls, &call, error)) > 0)
        if (call.function == &trace->functions[adding->function])
            adding->durations->calls[bin_of(adding->durations, call.end - call.start)]++;
    fth_calls_close(calls);
    return more;
}

bool fth_trace_durations(struct fth_trace *trace, size_t proc, const struct fth_function *function,
                         struct fth_durations *durations, struct fth_error **error)
{
    const struct fth_model_process *process = &trace->processes[proc];
    struct adding adding = {.function = (uint32_t)(function - trace->functions),
                            .durations = durations};
    *durations = (struct fth_durations){0};
    make_edges(process, durations);
    int status = add_shares(&adding, process, error);
    if (status == 0 && !adding.of_means)
        status = add_calls(&adding, trace, proc, error);
    if (status)
        fth_fail_in(error, "cannot read how long calls of process %zu took", proc);
    return status == 0;
}
