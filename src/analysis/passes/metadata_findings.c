/* Findings about metadata: files that are opened again and again, or asked about more than they are read and written, openings that take some processes much longer than others, many
 * small files, and names that are looked for without end. */
#include "analysis/passes/knobs.h"
#include "analysis/passes/metadata.h"

#include <stdlib.h>
#include <string.h>

static void find_reopened(const struct fth_metadata_run *run, struct fth_results *results,
                          uint32_t file, const struct fth_metadata *shared)
{
    int64_t all = shared->metadata_time + shared->transfer_time;
    bool shows = all > 0 && (double)shared->metadata_time >=
                                fth_threshold_of(run->survey, FTH_THRESHOLD_METADATA) * (double)all;
    if (!shared->reopeners || !shared->transfers || !shows ||
        !fth_is_worth(run->survey, shared->severity))
        return;
    struct fth_finding *finding =
        fth_tell(run->survey, results, file, &shared->example, "opened_again",
                 "A file is opened again and again", shared->severity);
    finding->ranks.total = shared->reopeners;
    fth_finding_say(
        finding,
        "%s by %s, with %s in all; %.0f %% of the time on it is opening, closing and the like.",
        FTH_SEVERAL(shared->opens, "opening", "openings"),
        FTH_SEVERAL(shared->reopeners, "process", "processes"),
        FTH_SEVERAL(shared->transfers, "transfer", "transfers"),
        100 * (double)shared->metadata_time / (double)all);
    finding->works = FTH_WORKS_METADATA;
    fth_finding_advise(
        finding, "%s",
        shared->deletions * 2 > shared->opens
            ? "It is deleted in between: keep it, and truncate it or write over it (SQLite: PRAGMA "
              "journal_mode=TRUNCATE, or WAL), or need it less often (larger transactions)."
            : "Open it once at the start and close it at the end.");
}

/* Many calls of metadata on one file that is not opened again. */
static void find_heavy(const struct fth_metadata_run *run, struct fth_results *results,
                       uint32_t file, const struct fth_metadata *shared)
{
    int64_t all = shared->metadata_time + shared->transfer_time;
    if (shared->reopeners ||
        (double)shared->metadata < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
        !shared->transfers ||
        (double)shared->metadata_time <
            fth_threshold_of(run->survey, FTH_THRESHOLD_METADATA) * (double)all ||
        !fth_is_worth(run->survey, shared->spared))
        return;
    struct fth_finding *finding =
        fth_tell(run->survey, results, file, &shared->heaviest, "metadata_heavy",
                 "Much of the time on a file is metadata", shared->spared);
    finding->works = FTH_WORKS_METADATA;
    finding->ranks.total = shared->processes;
    fth_finding_say(
        finding,
        "%s that open, close, ask and set, and %s: %.0f %% of the time on the file is no transfer.",
        FTH_SEVERAL(shared->metadata, "call", "calls"),
        FTH_SEVERAL(shared->transfers, "transfer", "transfers"),
        100 * (double)shared->metadata_time / (double)all);
    const char *advice =
        shared->renamings * 2 >= shared->opens && shared->renamings
            ? "It is another file under its name each time: replace it less often."
        : shared->bytes && shared->bytes_read == shared->bytes
            ? "Ask for what is in the file once, and keep the answers; skip what is not needed."
            : fth_knob(run->survey, &shared->heaviest, shared->heaviest.asked->layer,
                       FTH_KNOB_OBJECTS);
    fth_finding_advise(finding, "%s The table of metadata tells which calls.", advice);
}

static int compare(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

static void find_uneven(const struct fth_metadata_run *run, struct fth_results *results,
                        uint32_t file, const struct fth_metadata *shared)
{
    if (shared->opener_count < 2 ||
        (double)shared->opener_count <
            fth_threshold_of(run->survey, FTH_THRESHOLD_STORM) * (double)run->survey->rank_count)
        return;
    qsort(shared->durations, shared->opener_count, sizeof *shared->durations, compare);
    int64_t median = shared->durations[shared->opener_count / 2],
            longest = shared->durations[shared->opener_count - 1], severity = 0;
    for (size_t i = 0; i < shared->opener_count; i++)
        severity += shared->durations[i] - shared->durations[0];
    if ((double)longest < fth_threshold_of(run->survey, FTH_THRESHOLD_UNEVEN) * (double)median ||
        !fth_is_worth(run->survey, severity))
        return;
    struct fth_finding *finding =
        fth_tell(run->survey, results, file, &shared->slowest_example, "uneven_opening",
                 "Opening takes some processes much longer", severity);
    finding->ranks.total = shared->opener_count;
    finding->works = FTH_WORK_BIT(FTH_WORK_OPEN);
    fth_finding_say(finding, "%s open the file; it takes %s in the middle and %s at most.",
                    FTH_SEVERAL(shared->opener_count, "process", "processes"), FTH_TIME(median),
                    FTH_TIME(longest));
    fth_finding_advise(
        finding,
        "Let fewer processes open it: a collective opening, or one process that reads and sends.");
}

/* Files that are small, or on which much of the time is no transfer: an archive that is made of them is none of them. */
struct storm {
    uint64_t files, read_files, opens, bytes;
    int64_t metadata, transfers;
    struct fth_example example;
    uint32_t example_file;
};

static bool is_in_storm(const struct fth_metadata_run *run, const struct fth_metadata *shared)
{
    /* the other end of a copy has bytes and no time */
    int64_t needed = fth_speed_time(&run->best, shared->bytes),
            transfer = shared->transfer_time > needed ? shared->transfer_time : needed;
    return (double)shared->bytes < fth_threshold_of(run->survey, FTH_THRESHOLD_SMALL) ||
           (double)shared->metadata_time >= fth_threshold_of(run->survey, FTH_THRESHOLD_METADATA) *
                                                (double)(shared->metadata_time + transfer);
}

static struct storm sum_up(const struct fth_metadata_run *run)
{
    struct storm storm = {.example_file = FTH_NO_FILE};
    for (uint32_t i = 0; i < run->files.count; i++) {
        uint32_t file = fth_indexed_at(&run->files, i)->number;
        const struct fth_metadata *shared = fth_indexed_item(&run->files, i);
        if (run->survey->files[file].noise || !shared->opens || !is_in_storm(run, shared))
            continue;
        storm.files++;
        storm.opens += shared->opens;
        storm.bytes += shared->bytes;
        storm.read_files += 2 * shared->bytes_read > shared->bytes;
        storm.metadata += shared->metadata_time;
        storm.transfers += shared->transfer_time;
        if (!storm.example.known || shared->example.time > storm.example.time)
            storm.example_file = file;
        fth_example_merge(&storm.example, &shared->example);
    }
    return storm;
}

static void find_storm(const struct fth_metadata_run *run, struct fth_results *results)
{
    struct storm storm = sum_up(run);
    int64_t all = storm.metadata + storm.transfers,
            needed = fth_speed_time(&run->best, storm.bytes);
    bool small = storm.files && (double)storm.bytes / (double)storm.files <
                                    fth_threshold_of(run->survey, FTH_THRESHOLD_SMALL);
    /* what reading or writing small files takes beyond their bytes is theirs, too */
    int64_t severity = small && storm.transfers > needed ? all - needed : storm.metadata;
    if ((double)run->most_files < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
        (double)severity < fth_threshold_of(run->survey, FTH_THRESHOLD_METADATA) * (double)all ||
        !fth_is_worth(run->survey, severity))
        return;
    struct fth_finding *finding = fth_tell(run->survey, results, storm.example_file, &storm.example,
                                           "many_files", "Many small files", severity);
    finding->files.total = storm.files;
    finding->any_file = true;
    fth_finding_say(
        finding,
        "%s of %s are opened %s times; each costs %s, %.0f %% of it for opening, closing "
        "and the like.",
        FTH_SEVERAL(storm.files, "file", "files"), FTH_BYTES(storm.bytes / storm.files),
        FTH_COUNT(storm.opens), FTH_TIME(all / (int64_t)storm.files),
        100 * (double)storm.metadata / (double)all);
    fth_finding_advise(
        finding, "%s",
        2 * storm.read_files > storm.files
            ? "Go through them several at once (a process or thread for each folder). If they are "
              "read more often: one container instead (HDF5, SQLite, SquashFS, an archive that is "
              "read as it is), or a copy on storage of the node."
            : "One container instead of them (HDF5, NetCDF, SQLite, an archive that is read as it "
              "is); else several at once in folders of their own, or storage of the node.");
}

/* The function that the program spends most time of metadata in. */
static const char *heaviest_function(const struct fth_metadata_run *run)
{
    const char *name = NULL;
    int64_t most = -1;
    for (uint32_t i = 0; i < fth_keyed_count(&run->census); i++) {
        struct fth_census_key key;
        const struct fth_census *census = fth_keyed_item(&run->census, i);
        memcpy(&key, fth_keyed_key(&run->census, i), sizeof key);
        if (key.by != FTH_BY_PROGRAM || census->time <= most)
            continue;
        most = census->time;
        name = fth_trace_function(run->survey->trace, key.function)->name;
    }
    return name;
}

/* So many times what is worth telling is much. */
static const double much = 20;

/* Metadata of all files together: who looks for files, lists them and asks for their attributes may open none of them. */
static void find_much(const struct fth_metadata_run *run, struct fth_results *results)
{
    uint64_t files = 0, calls = 0, missed = 0, transfers = 0;
    int64_t time = 0, transfer_time = 0;
    struct fth_example heaviest = {0};
    for (uint32_t i = 0; i < run->files.count; i++) {
        uint32_t file = fth_indexed_at(&run->files, i)->number;
        const struct fth_metadata *shared = fth_indexed_item(&run->files, i);
        if (run->survey->files[file].noise)
            continue;
        files++;
        calls += shared->metadata + shared->missed;
        missed += shared->missed;
        transfers += shared->transfers;
        time += shared->own_time + shared->missed_time;
        transfer_time += shared->transfer_time;
        fth_example_merge(&heaviest, &shared->heaviest);
        fth_example_merge(&heaviest, &shared->missing);
    }
    double all = (double)time + (double)transfer_time;
    if ((double)files < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
        (double)time < fth_threshold_of(run->survey, FTH_THRESHOLD_METADATA) * all ||
        !fth_is_worth(run->survey, (int64_t)((double)time / much)))
        return;
    struct fth_finding *finding =
        fth_tell(run->survey, results, FTH_NO_FILE, &heaviest, "much_metadata",
                 "Much time goes to names and attributes of files", time);
    finding->any_file = true;
    finding->works = FTH_WORKS_METADATA;
    fth_finding_say(finding,
                    "%s (%s ...) on %s, %s of them in vain, and %s: that is %.0f %% of the time of "
                    "I/O.",
                    FTH_SEVERAL(calls, "call", "calls"), heaviest_function(run),
                    FTH_SEVERAL(files, "file", "files"), missed ? FTH_COUNT(missed) : "none",
                    FTH_SEVERAL(transfers, "transfer", "transfers"), 100 * (double)time / all);
    fth_finding_advise(
        finding, "Ask for each name once and keep the answer (readdir tells folders from files, "
                 "too: d_type), go through several folders at once, or keep a list of the files; "
                 "on a parallel file system, the tool that comes with it (lfs find).");
}

void fth_metadata_find(struct fth_metadata_run *run, struct fth_results *results)
{
    for (uint32_t i = 0; i < run->files.count; i++) {
        uint32_t file = fth_indexed_at(&run->files, i)->number;
        const struct fth_metadata *shared = fth_indexed_item(&run->files, i);
        if (run->survey->files[file].noise)
            continue;
        find_reopened(run, results, file, shared);
        find_heavy(run, results, file, shared);
        find_uneven(run, results, file, shared);
    }
    find_storm(run, results);
    find_much(run, results);
}
