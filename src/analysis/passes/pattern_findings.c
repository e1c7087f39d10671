/* Findings about patterns of access: pieces that are small, that are not aligned, and bytes that are accessed more than once. */
#include "analysis/passes/patterns.h"

#include <string.h>

static struct fth_finding *tell(const struct fth_patterns_run *run, struct fth_results *results,
                                const struct fth_pattern_key *key,
                                const struct fth_patterns *shared, const char *kind,
                                const char *title, int64_t severity)
{
    struct fth_finding *finding =
        fth_tell(run->survey, results, key->file, &shared->worst.example, kind, title, severity);
    finding->ranks.total = shared->processes;
    return finding;
}

/* What small accesses cost beyond their bytes. */
static int64_t cost_of_number(const struct fth_patterns_run *run, const struct fth_pattern *pattern)
{
    int64_t needed = fth_speed_time(&run->best, pattern->bytes[0] + pattern->bytes[1]);
    return pattern->time > needed ? pattern->time - needed : 0;
}

#define OF_LIBRARIES                                                                               \
    "larger accesses, larger chunks and blocks (HDF5: chunks and their cache, "                    \
    "H5Pset_meta_block_size, H5Pset_page_buffer_size), or another way to ask it."

static void find_small(const struct fth_patterns_run *run, struct fth_results *results,
                       const struct fth_pattern_key *key, const struct fth_patterns *shared)
{
    const struct fth_pattern *all = &shared->all;
    uint64_t count = fth_pattern_accesses(all), median = fth_sizes_median(&all->sizes);
    double scattered = 1 - fth_share(all->consecutive, count);
    int64_t severity = cost_of_number(run, all);
    const char *layer = run->survey->works->layers[key->layer],
               *verb = all->count[1] > all->count[0] ? "writes" : "reads";
    const struct fth_function *asked = shared->worst.example.asked;
    if (2 * all->together > count ||
        (double)fth_pattern_accesses(&shared->worst) <
            fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
        (double)median >= fth_threshold_of(run->survey, FTH_THRESHOLD_SMALL) ||
        !fth_is_worth(run->survey, severity))
        return;
    if (key->of_stream) {
        struct fth_finding *finding = tell(run, results, key, shared, "small_stdio_buffer",
                                           "Buffers of stdio are small", severity);
        fth_finding_say(finding, "%s %s of about %s leave the buffers of streams one by one.",
                        FTH_COUNT(count), verb, FTH_BYTES(median));
        fth_finding_advise(finding, "A larger buffer, setvbuf(stream, NULL, _IOFBF, 1 << 20) "
                                    "before the first use, or fewer fflush.");
        return;
    }
    if (scattered >= fth_threshold_of(run->survey, FTH_THRESHOLD_SPREAD)) {
        bool alone =
            fth_share(all->alone, count) > 0.5 && shared->processes > 1 && shared->interlocked;
        struct fth_finding *finding =
            alone ? tell(run, results, key, shared, "independent_instead_of_collective",
                         "Independent instead of collective I/O", severity)
                  : tell(run, results, key, shared, "small_accesses",
                         "Many small accesses here and there", severity);
        fth_finding_say(finding,
                        "%s %s of about %s on layer %s by %s, %.0f %% of them not where the one "
                        "before ended%s.",
                        FTH_COUNT(count), verb, FTH_BYTES(median), layer,
                        FTH_SEVERAL(shared->processes, "process", "processes"), 100 * scattered,
                        alone ? "; the pieces of processes lie between one another, and each "
                                "process accesses its own by itself"
                              : "");
        if (alone)
            fth_finding_advise(
                finding, "Set a file view for the pieces of a process and use the collective call "
                         "(its name ends in _all): it makes few large accesses of all of them.");
        else if (strcmp(asked->layer, layer) != 0)
            fth_finding_advise(finding, "%s makes them for the program: " OF_LIBRARIES,
                               asked->name);
        else
            fth_finding_advise(
                finding, "%s",
                shared->processes > 1
                    ? "Collective I/O, or gather pieces in memory and access them together."
                    : "Gather pieces in memory and access them together, or change the layout so "
                      "that they lie in a row.");
        return;
    }
    struct fth_finding *finding =
        tell(run, results, key, shared, "small_in_a_row", "Many small accesses in a row", severity);
    fth_finding_say(finding, "%s %s of about %s on layer %s, each where the one before ended.",
                    FTH_COUNT(count), verb, FTH_BYTES(median), layer);
    if (strcmp(asked->layer, layer) != 0)
        fth_finding_advise(finding, "A library makes them (in %s ...): " OF_LIBRARIES, asked->name);
    else
        fth_finding_advise(finding, "A buffer in between: stdio, or one access of many pieces.");
}

static void find_unaligned(const struct fth_patterns_run *run, struct fth_results *results,
                           const struct fth_pattern_key *key, const struct fth_patterns *shared)
{
    const struct fth_pattern *all = &shared->all;
    if ((double)all->placed < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
        fth_share(all->unaligned, all->placed) <
            fth_threshold_of(run->survey, FTH_THRESHOLD_SPREAD) ||
        !shared->writers || shared->processes < 2)
        return;
    int64_t severity = (int64_t)((double)all->time * fth_share(all->unaligned, all->placed) / 2);
    if (!fth_is_worth(run->survey, severity))
        return;
    uint64_t block = run->survey->files[key->file].place.stripe_size;
    block = block ? block : run->survey->files[key->file].place.system->block_size;
    struct fth_finding *finding =
        tell(run, results, key, shared, "unaligned", "Accesses are not aligned", severity);
    fth_finding_say(
        finding,
        "%.0f %% of %s begin within a block or stripe of %s: two of them may need the same one.",
        100 * fth_share(all->unaligned, all->placed),
        FTH_SEVERAL(all->placed, "access", "accesses"), FTH_BYTES(block));
    fth_finding_advise(
        finding, "Begin the parts of processes at multiples of it (H5Pset_alignment, "
                 "nc_set_alignment, striping_unit), or set the stripe size to that of the parts.");
}

/* Exact where bytes could be told apart, else what is so at least. */
static uint64_t read_again(const struct fth_patterns *shared)
{
    return shared->reuse.extents.vague ? shared->repeated : shared->reuse.counts.read_again;
}

static uint64_t read_by_others(const struct fth_patterns *shared)
{
    return shared->reuse.extents.vague ? shared->everybody : shared->reuse.read_by_others;
}

/* So much of the time of reads, and whether that is worth telling. */
static bool is_much(const struct fth_patterns_run *run, const struct fth_patterns *shared,
                    uint64_t bytes, int64_t *severity)
{
    double share = fth_share(bytes, shared->all.bytes[0]);
    *severity = (int64_t)((double)shared->all.read_time * share);
    return share >= fth_threshold_of(run->survey, FTH_THRESHOLD_SPREAD) &&
           fth_is_worth(run->survey, *severity);
}

static bool find_read_again(const struct fth_patterns_run *run, struct fth_results *results,
                            const struct fth_pattern_key *key, const struct fth_patterns *shared)
{
    uint64_t bytes = read_again(shared);
    int64_t severity;
    if (!is_much(run, shared, bytes, &severity) || (shared->writers && shared->processes > 1) ||
        (shared->writers && shared->reuse.extents.vague))
        return false; /* others may have written in between */
    struct fth_finding *finding =
        tell(run, results, key, shared, "read_again", "The same bytes are read again", severity);
    fth_finding_say(finding, "%s%s of %s were read before by the same process.",
                    shared->reuse.extents.vague ? "At least " : "", FTH_BYTES(bytes),
                    FTH_BYTES(shared->all.bytes[0]));
    fth_finding_advise(finding, "Keep them in memory.");
    return true;
}

static void find_read_by_all(const struct fth_patterns_run *run, struct fth_results *results,
                             const struct fth_pattern_key *key, const struct fth_patterns *shared)
{
    uint64_t bytes = read_by_others(shared);
    const struct fth_pattern *all = &shared->all;
    int64_t severity;
    if (!is_much(run, shared, bytes, &severity) || shared->readers < 2 || shared->writers ||
        !shared->interlocked || run->survey->rank_count < 2)
        return;
    struct fth_finding *finding = tell(run, results, key, shared, "read_by_all",
                                       "All processes read the same bytes", severity);
    uint64_t there_are = shared->reuse.extents.vague ? all->behind[0] - all->first[0]
                                                     : fth_reuse_coverage(&shared->reuse).read;
    fth_finding_say(finding, "%s read %s in all of %s that there are.",
                    FTH_SEVERAL(shared->readers, "process", "processes"), FTH_BYTES(all->bytes[0]),
                    FTH_BYTES(there_are));
    fth_finding_advise(
        finding,
        "Let one process read and send it to the others (MPI_Bcast), or a collective read.");
}

static void find_read_back(const struct fth_patterns_run *run, struct fth_results *results,
                           const struct fth_pattern_key *key, const struct fth_patterns *shared)
{
    uint64_t bytes = shared->reuse.counts.read_back;
    int64_t severity =
        (int64_t)((double)shared->all.read_time * fth_share(bytes, shared->all.bytes[0]));
    if (!bytes || shared->reuse.extents.vague || !fth_is_worth(run->survey, severity))
        return;
    struct fth_finding *finding =
        tell(run, results, key, shared, "read_back", "What was written is read back", severity);
    fth_finding_say(finding, "%s of %s that are read were written by the same process before.",
                    FTH_BYTES(bytes), FTH_BYTES(shared->all.bytes[0]));
    fth_finding_advise(finding, "Keep what is needed in memory, or on storage of the node.");
}

void fth_patterns_find(const struct fth_patterns_run *run, struct fth_results *results,
                       const struct fth_pattern_key *key, const struct fth_patterns *shared)
{
    find_small(run, results, key, shared);
    find_unaligned(run, results, key, shared);
    if (!find_read_again(run, results, key, shared))
        find_read_by_all(run, results, key, shared);
    find_read_back(run, results, key, shared);
}
