/* Findings about patterns of access: pieces that are small, that are not aligned, and bytes that
 * are accessed more than once. */
#include "analysis/passes/tuning_hints.h"
#include "analysis/passes/patterns.h"
#include "base/saturating.h"
#include "trace/record/builtin.h"

#include <stdio.h>
#include <string.h>

/* Buffers of streams are not smaller than the first unless somebody makes them so, and mostly the
 * second. */
enum { SMALLEST_BUFFER = 512, USUAL_BUFFER = 4096 };

static struct fth_finding *add_finding(const struct fth_patterns_run *run,
                                       struct fth_results *results,
                                       const struct fth_pattern_key *key,
                                       const struct fth_example *example, uint64_t processes,
                                       const char *kind, const char *title, int64_t severity)
{
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, key->file, example, kind, title, severity);
    fth_finding_spread(finding, processes);
    finding->classes = FTH_CLASSES_MOVING;
    return finding;
}

static struct fth_finding *add_small(const struct fth_patterns_run *run,
                                     struct fth_results *results, const struct fth_pattern_key *key,
                                     const struct fth_patterns *shared, const char *kind,
                                     const char *title, int64_t severity)
{
    return add_finding(run, results, key, &shared->worst_small.example, shared->small_users, kind,
                       title, severity);
}

/* About reads alone. */
static struct fth_finding *add_reading(const struct fth_patterns_run *run,
                                       struct fth_results *results,
                                       const struct fth_pattern_key *key,
                                       const struct fth_patterns *shared, const char *kind,
                                       const char *title, int64_t severity)
{
    struct fth_finding *finding = fth_finding_write(run->survey, results, key->file,
                                                    &shared->read_example, kind, title, severity);
    fth_finding_spread(finding, shared->readers);
    finding->classes = FTH_CALLS_BIT(FTH_CALLS_READ);
    return finding;
}

/* What small accesses cost beyond their bytes. */
static int64_t cost_of_number(const struct fth_patterns_run *run,
                              const struct fth_small_accesses *small)
{
    int64_t needed = fth_saturating_sum(fth_speed_time(&run->best[0], small->bytes[0]),
                                        fth_speed_time(&run->best[1], small->bytes[1]));
    return small->time > needed ? small->time - needed : 0;
}

/* "200 small reads of 4.00 KiB": "small" where there are others. */
struct accesses_phrase {
    char text[160];
};
static struct accesses_phrase accesses_of(const struct fth_pattern *all)
{
    const struct fth_small_accesses *small = fth_pattern_small(all);
    uint64_t count = fth_small_count(small);
    struct accesses_phrase phrase;
    snprintf(phrase.text, sizeof phrase.text, "%s %s%s %s", FTH_COUNT(count),
             count < fth_pattern_accesses(all) ? "small " : "",
             !small->count[0]   ? "writes"
             : !small->count[1] ? "reads"
                                : "accesses",
             FTH_SIZES(&small->sizes));
    return phrase;
}

/* What leaves the buffers of streams in small pieces: because they are emptied early, or because
 * they are small, or none. Those that a closing empties are not small for want of a larger
 * buffer. */
static void find_small_buffer(const struct fth_patterns_run *run, struct fth_results *results,
                              const struct fth_pattern_key *key, const struct fth_patterns *shared,
                              int64_t severity)
{
    const struct fth_small_accesses *small = fth_pattern_small(&shared->all);
    uint64_t count = fth_small_count(small);
    bool flushed = 2 * small->flushed > count, reads = !small->count[1];
    if (2 * small->closed > count)
        return;
    struct fth_finding *finding = add_small(run, results, key, shared, "small_stdio_buffer",
                                            !flushed ? "stdio buffers are small"
                                            : reads  ? "stdio buffers are discarded early"
                                                     : "stdio buffers are flushed early",
                                            severity);
    fth_finding_say(finding, "%s %s the buffers of streams one by one%s.",
                    accesses_of(&shared->all).text, reads ? "fill" : "come from",
                    !flushed ? ""
                    : reads  ? ", because of seeks (fseek)"
                             : ", because they are flushed (fflush, fseek)");
    fth_finding_advise(
        finding, "%s",
        flushed && reads ? "Seek less often: read records in the order in which they are in the "
                           "file, or use pread."
        : flushed
            ? "Call fflush and fseek less often: closing a stream and exiting flush it as well."
        : fth_sizes_median(&small->sizes) < SMALLEST_BUFFER
            ? "The stream is unbuffered or line-buffered (setvbuf with _IONBF or _IOLBF, stderr). "
              "Unless that is on purpose, as for a log that has to survive a crash, call "
              "setvbuf(stream, NULL, _IOFBF, BUFSIZ) before the first use."
            : fth_tuning_hint(run->survey, results, &shared->worst_small.example, key->file,
                              fth_layer_that_is(FTH_LAYER_STREAMS), FTH_HINT_BUFFER));
}

/* The function whose calls make more than half of the small accesses; NULL: there is none. */
static const struct fth_maker *main_maker(const struct fth_small_accesses *small)
{
    for (int i = 0; i < FTH_MAKERS; i++)
        if (2 * small->makers.list[i].accesses > fth_small_count(small))
            return &small->makers.list[i];
    return NULL;
}

/* Most of the accesses are made inside of calls of another layer: whose? */
static const char *layer_above(const struct fth_patterns_run *run,
                               const struct fth_pattern_key *key, const struct fth_patterns *shared)
{
    const char *layer = run->survey->classes->layers[key->layer];
    const struct fth_maker *maker = main_maker(fth_pattern_small(&shared->all));
    const struct fth_function *asked = maker ? maker->function : shared->worst_small.example.asked;
    return strcmp(asked->layer, layer) != 0 ? asked->layer : NULL;
}

static void advise_above(const struct fth_patterns_run *run, struct fth_results *results,
                         const struct fth_pattern_key *key, const struct fth_patterns *shared,
                         struct fth_finding *finding, enum fth_hint hint)
{
    const struct fth_small_accesses *small = fth_pattern_small(&shared->all);
    const struct fth_maker *maker = main_maker(small);
    bool all = maker && maker->accesses == fth_small_count(small);
    const char *words = fth_tuning_hint(run->survey, results, &shared->worst_small.example,
                                        key->file, layer_above(run, key, shared), hint);
    if (maker && strcmp(maker->function->kind, "sync") == 0)
        fth_finding_advise(finding,
                           "%s makes %sthese accesses: it writes what was changed since the call "
                           "before. Call it less often.",
                           maker->function->name, all ? "" : "most of ");
    else if (maker)
        fth_finding_advise(finding, "%s makes %sthese accesses. %s", maker->function->name,
                           all ? "" : "most of ", words);
    else
        fth_finding_advise(finding, "%s", words);
}

/* Each write waits for the disk: that is what makes it slow. */
static bool are_synced(const struct fth_small_accesses *small)
{
    return 2 * small->synced > fth_small_count(small);
}

static const char *synced_text(const struct fth_small_accesses *small)
{
    return are_synced(small)
               ? " The file is open with O_SYNC or O_DSYNC: each write waits for the disk."
               : "";
}

static const char sync_less[] =
    "Write more at once, or without O_SYNC and call fdatasync after many writes.";

static void find_scattered(const struct fth_patterns_run *run, struct fth_results *results,
                           const struct fth_pattern_key *key, const struct fth_patterns *shared,
                           int64_t severity, double scattered)
{
    const struct fth_small_accesses *small = fth_pattern_small(&shared->all);
    const char *layer = run->survey->classes->layers[key->layer];
    bool alone = fth_share(small->alone, fth_small_count(small)) > 0.5 && shared->small_users > 1 &&
                 shared->interlocked && run->survey->rank_count > 1;
    bool together = alone || (shared->small_users > 1 && run->survey->rank_count > 1);
    struct fth_finding *finding =
        alone ? add_small(run, results, key, shared, "independent_instead_of_collective",
                          "Independent instead of collective I/O", severity)
              : add_small(run, results, key, shared, "small_accesses",
                          "Many small scattered accesses", severity);
    fth_finding_say(
        finding,
        "%s on layer %s by %s; %.0f %% of them do not begin where the one before ended%s.%s",
        accesses_of(&shared->all).text, layer,
        FTH_SEVERAL(shared->small_users, "process", "processes"), 100 * scattered,
        alone ? ". The pieces of the processes interleave, and each process accesses its own "
                "independently"
              : "",
        synced_text(small));
    if (are_synced(small))
        fth_finding_advise(finding, "%s", sync_less);
    else if (layer_above(run, key, shared))
        advise_above(run, results, key, shared, finding,
                     alone ? FTH_HINT_TOGETHER : FTH_HINT_LARGER);
    else
        fth_finding_advise(finding, "%s",
                           fth_tuning_hint(run->survey, results, &shared->worst_small.example,
                                           key->file, layer,
                                           together ? FTH_HINT_TOGETHER : FTH_HINT_LARGER));
}

static void find_in_a_row(const struct fth_patterns_run *run, struct fth_results *results,
                          const struct fth_pattern_key *key, const struct fth_patterns *shared,
                          int64_t severity)
{
    const struct fth_small_accesses *small = fth_pattern_small(&shared->all);
    const char *layer = run->survey->classes->layers[key->layer];
    struct fth_finding *finding = add_small(run, results, key, shared, "small_in_a_row",
                                            "Many small consecutive accesses", severity);
    uint64_t elsewhere = fth_small_count(small) - small->consecutive;
    fth_finding_say(finding, "%s on layer %s; %s%s %s where the one before ended.%s",
                    accesses_of(&shared->all).text, layer, elsewhere ? "all but " : "",
                    elsewhere ? FTH_COUNT(elsewhere) : "each", elsewhere ? "begin" : "begins",
                    synced_text(small));
    if (are_synced(small))
        fth_finding_advise(finding, "%s", sync_less);
    else if (layer_above(run, key, shared))
        advise_above(run, results, key, shared, finding, FTH_HINT_LARGER);
    else
        fth_finding_advise(finding, "%s",
                           fth_sizes_median(&small->sizes) < USUAL_BUFFER
                               ? "Use a buffer (stdio), or one call for many pieces (writev)."
                               : "Use a larger buffer in the program: 1 MiB or more per call.");
}

static void find_small(const struct fth_patterns_run *run, struct fth_results *results,
                       const struct fth_pattern_key *key, const struct fth_patterns *shared)
{
    const struct fth_small_accesses *small = fth_pattern_small(&shared->all);
    uint64_t count = fth_small_count(small);
    double scattered = 1 - fth_share(small->consecutive, count);
    int64_t severity = cost_of_number(run, small);
    if (2 * small->together > count ||
        (double)shared->worst_small.accesses < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
        !fth_finding_is_worth(run->survey, severity))
        return;
    if (key->of_stream)
        find_small_buffer(run, results, key, shared, severity);
    else if (scattered >= fth_threshold_of(run->survey, FTH_THRESHOLD_SPREAD))
        find_scattered(run, results, key, shared, severity, scattered);
    else
        find_in_a_row(run, results, key, shared, severity);
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
    int64_t severity =
        fth_saturating_integer((double)all->time * fth_share(all->unaligned, all->placed) / 2);
    if (!fth_finding_is_worth(run->survey, severity))
        return;
    uint64_t block = run->survey->files[key->file].place.stripe_size;
    block = block ? block : run->survey->files[key->file].place.system->block_size;
    struct fth_finding *finding =
        add_finding(run, results, key, &shared->worst.example, shared->processes, "unaligned",
                    "Accesses are not aligned", severity);
    fth_finding_say(finding,
                    "%.0f %% of %s begin inside a block or stripe of %s, so that two accesses may "
                    "need the same one.",
                    100 * fth_share(all->unaligned, all->placed),
                    FTH_SEVERAL(all->placed, "access", "accesses"), FTH_BYTES(block));
    fth_finding_advise(finding, "%s",
                       fth_tuning_hint(run->survey, results, &shared->worst.example, key->file,
                                       shared->worst.example.asked->layer, FTH_HINT_ALIGNED));
}

/* Exact where bytes could be distinguished, else what is so at least. */
static uint64_t read_again(const struct fth_patterns *shared)
{
    return shared->reuse.extents.vague ? shared->repeated : shared->reuse.counts.read_again;
}

static uint64_t read_by_others(const struct fth_patterns *shared)
{
    return shared->reuse.extents.vague ? shared->everybody : shared->reuse.read_by_others;
}

/* Is it a large part of what is read, and enough time to talk about? */
static bool is_much(const struct fth_patterns_run *run, const struct fth_patterns *shared,
                    uint64_t bytes, int64_t time)
{
    return fth_share(bytes, shared->all.bytes[0]) >=
               fth_threshold_of(run->survey, FTH_THRESHOLD_SPREAD) &&
           fth_finding_is_worth(run->survey, time);
}

/* Of the time of all reads, by bytes: where it is not known which calls they were. */
static int64_t time_of_bytes(const struct fth_patterns *shared, uint64_t bytes)
{
    return fth_saturating_integer((double)shared->all.read_time *
                                  fth_share(bytes, shared->all.bytes[0]));
}

static void find_read_again(const struct fth_patterns_run *run, struct fth_results *results,
                            const struct fth_pattern_key *key, const struct fth_patterns *shared)
{
    uint64_t bytes = read_again(shared);
    bool vague = shared->reuse.extents.vague;
    int64_t severity = vague ? time_of_bytes(shared, bytes) : shared->reuse.counts.again_time;
    if (!is_much(run, shared, bytes, severity) || (shared->writers && shared->processes > 1) ||
        (shared->writers && vague))
        return; /* others may have written in between */
    struct fth_finding *finding = add_reading(run, results, key, shared, "read_again",
                                              "The same bytes are read again", severity);
    fth_finding_say(finding, "%s%s of the %s read had been read by the same process before.",
                    vague ? "At least " : "", FTH_BYTES(bytes), FTH_BYTES(shared->all.bytes[0]));
    fth_finding_advise(finding, "Keep this data in memory.");
}

static void find_read_by_all(const struct fth_patterns_run *run, struct fth_results *results,
                             const struct fth_pattern_key *key, const struct fth_patterns *shared)
{
    uint64_t bytes = read_by_others(shared);
    const struct fth_pattern *all = &shared->all;
    int64_t severity = time_of_bytes(shared, bytes);
    if (!is_much(run, shared, bytes, severity) || shared->readers < 2 || shared->writers ||
        !shared->interlocked || run->survey->rank_count < 2)
        return;
    struct fth_finding *finding = add_reading(run, results, key, shared, "read_by_all",
                                              "All processes read the same bytes", severity);
    uint64_t there_are = shared->reuse.extents.vague ? all->behind[0] - all->first[0]
                                                     : fth_reuse_coverage(&shared->reuse).read;
    fth_finding_say(finding, "%s read %s in all from %s of the file.",
                    FTH_SEVERAL(shared->readers, "process", "processes"), FTH_BYTES(all->bytes[0]),
                    FTH_BYTES(there_are));
    fth_finding_advise(finding,
                       "Let one process read and broadcast (MPI_Bcast), or use a collective read.");
}

static void find_read_back(const struct fth_patterns_run *run, struct fth_results *results,
                           const struct fth_pattern_key *key, const struct fth_patterns *shared)
{
    uint64_t bytes = shared->reuse.counts.read_back;
    int64_t severity = shared->reuse.counts.back_time;
    if (!bytes || shared->reuse.extents.vague || !fth_finding_is_worth(run->survey, severity))
        return;
    struct fth_finding *finding =
        add_reading(run, results, key, shared, "read_back", "Written data is read back", severity);
    bool more = shared->reuse.counts.read_again > 0;
    fth_finding_say(finding, "Of the %s read, %s had been written by the same process%s.",
                    FTH_BYTES(shared->all.bytes[0]), FTH_BYTES(bytes),
                    more ? " and not been read since (repeated reads are not counted here)" : "");
    fth_finding_advise(finding, "Keep the data in memory or on node-local storage.");
}

void fth_patterns_find(const struct fth_patterns_run *run, struct fth_results *results,
                       const struct fth_pattern_key *key, const struct fth_patterns *shared)
{
    find_small(run, results, key, shared);
    find_unaligned(run, results, key, shared);
    find_read_again(run, results, key, shared);
    find_read_by_all(run, results, key, shared);
    find_read_back(run, results, key, shared);
}
