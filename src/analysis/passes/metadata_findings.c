/* Findings about metadata: files that are opened again and again, or asked about more than they are
 * read and written, openings that take some processes much longer than others, and names
 * that are looked for without end. */
#include "analysis/passes/tuning_hints.h"
#include "base/saturating.h"
#include "analysis/passes/metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ns of all calls of metadata on a file. */
static int64_t metadata_of(const struct fth_metadata *shared)
{
    return fth_saturating_sum(shared->metadata_time, shared->only_asked_time);
}

/* What most of the time of metadata on a file goes to; "" if to nothing of this. */
struct most_phrase {
    char text[128];
};

static struct most_phrase most_of(const struct fth_metadata *shared)
{
    struct most_phrase phrase = {""};
    int64_t all = metadata_of(shared);
    bool deletes = 2 * shared->deleting_time > all, opens = 2 * shared->opening_time > all;
    double share =
        100 * (double)(deletes ? shared->deleting_time : shared->opening_time) / (double)all;
    if (deletes)
        snprintf(phrase.text, sizeof phrase.text, " %s take%s %.0f %% of that.",
                 FTH_SEVERAL(shared->deletions, "deletion", "deletions"),
                 shared->deletions == 1 ? "s" : "", share);
    else if (opens)
        snprintf(phrase.text, sizeof phrase.text, " Opening and closing take %.0f %% of that.",
                 share);
    return phrase;
}

/* Is metadata so large a share of the time of all calls on the file? */
static bool is_much(const struct fth_metadata_run *run, const struct fth_metadata *shared)
{
    return (double)metadata_of(shared) >=
           fth_threshold_of(run->survey, FTH_THRESHOLD_METADATA) * (double)shared->all_time;
}

/* Percent of that time. */
static double share_of_file(const struct fth_metadata *shared)
{
    return 100 * (double)metadata_of(shared) / (double)shared->all_time;
}

static const char to_keep[] =
    "keep it, and truncate or overwrite it (SQLite: PRAGMA journal_mode=TRUNCATE, PERSIST or WAL)";

/* Is it found? */
static bool find_reopened(const struct fth_metadata_run *run, struct fth_results *results,
                          uint32_t file, const struct fth_metadata *shared)
{
    if (!shared->reopeners || !shared->transfers || !is_much(run, shared) ||
        !fth_finding_is_worth(run->survey, shared->severity))
        return false;
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, file, &shared->reopening, "opened_again",
                          "A file is opened many times", shared->severity);
    fth_finding_spread(finding, shared->reopeners);
    fth_finding_say(finding,
                    "%s by %s, with %s in all. Metadata calls such as open and close take %.0f %% "
                    "of the time on the file.%s",
                    FTH_SEVERAL(shared->reopenings, "opening", "openings"),
                    FTH_SEVERAL(shared->reopeners, "process", "processes"),
                    FTH_SEVERAL(shared->transfers, "transfer", "transfers"), share_of_file(shared),
                    most_of(shared).text);
    finding->classes = FTH_CLASSES_METADATA;
    if (shared->deletions * 2 > shared->opens)
        fth_finding_advise(finding,
                           "The file is deleted in between. Either %s, or use larger transactions.",
                           to_keep);
    else
        fth_finding_advise(finding, "Open it once at the start and close it at the end.");
    return true;
}

/* Many calls of metadata on one file. */
static void find_heavy(const struct fth_metadata_run *run, struct fth_results *results,
                       uint32_t file, const struct fth_metadata *shared)
{
    if ((double)shared->metadata < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
        !shared->transfers || !is_much(run, shared) ||
        !fth_finding_is_worth(run->survey, shared->spared))
        return;
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, file, &shared->heaviest, "metadata_heavy",
                          "Metadata takes much of the time on a file", shared->spared);
    finding->classes = FTH_CLASSES_METADATA;
    fth_finding_spread(finding, shared->processes);
    fth_finding_say(
        finding,
        "%s (open, close, delete, stat ...) and %s: metadata takes %.0f %% "
        "of the time on the file.%s",
        FTH_SEVERAL(shared->metadata + shared->only_asked, "metadata call", "metadata calls"),
        FTH_SEVERAL(shared->transfers, "transfer", "transfers"), share_of_file(shared),
        most_of(shared).text);
    if (2 * shared->deleting_time > shared->metadata_time) {
        fth_finding_advise(finding, "Delete it less often: %s.", to_keep);
        return;
    }
    const char *layer = shared->heaviest.asked->layer,
               *kept = fth_tuning_hint_kept(run->survey, results, &shared->heaviest, file, layer);
    const char *advice =
        kept ? kept
        : shared->renamings * 2 >= shared->opens && shared->renamings
            ? "A new file takes this name each time: replace it less often."
        : shared->bytes && shared->bytes_read == shared->bytes
            ? "Query the contents of the file once and keep the results; skip what is not needed."
            : fth_tuning_hint(run->survey, results, &shared->heaviest, file, layer,
                              FTH_HINT_OBJECTS);
    fth_finding_advise(finding, "%s The metadata table lists the calls.", advice);
}

static int by_time(const void *a, const void *b)
{
    const struct fth_first_opening *first = a, *second = b;
    return (first->time > second->time) - (first->time < second->time);
}

/* Making a file takes longer than opening it: leaves out the longest one that may have done so, and
 * one more for each time that the file was deleted. Returns how many are left, in order. */
static size_t compare_openings(const struct fth_metadata *shared)
{
    struct fth_first_opening *list = shared->first_openings;
    size_t count = shared->opener_count;
    uint64_t left_out = 0;
    qsort(list, count, sizeof *list, by_time);
    for (size_t i = count; i-- > 0 && left_out <= shared->deletions;)
        if (list[i].may_make) {
            memmove(&list[i], &list[i + 1], (--count - i) * sizeof *list);
            left_out++;
        }
    return count;
}

static void find_uneven(const struct fth_metadata_run *run, struct fth_results *results,
                        uint32_t file, const struct fth_metadata *shared)
{
    const struct fth_first_opening *list = shared->first_openings;
    if (shared->opener_count < 2 ||
        (double)shared->opener_count <
            fth_threshold_of(run->survey, FTH_THRESHOLD_STORM) * (double)run->survey->rank_count)
        return;
    size_t count = compare_openings(shared);
    if (count < 2)
        return;
    int64_t median = list[count / 2].time, longest = list[count - 1].time, severity = 0;
    for (size_t i = 0; i < count; i++)
        FTH_ADD_SATURATING(severity, list[i].time - list[0].time);
    if ((double)longest < fth_threshold_of(run->survey, FTH_THRESHOLD_UNEVEN) * (double)median ||
        !fth_finding_is_worth(run->survey, severity))
        return;
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, file, &list[count - 1].example, "uneven_opening",
                          "Opening a file takes much longer on some processes", severity);
    fth_finding_spread(finding, count);
    finding->classes = FTH_CALLS_BIT(FTH_CALLS_OPEN);
    fth_finding_say(finding, "%s open the file%s. This takes %s (median) and %s at most.",
                    FTH_SEVERAL(count, "process", "processes"),
                    count < shared->opener_count ? ", besides those that may have made it" : "",
                    FTH_TIME(median), FTH_TIME(longest));
    fth_finding_advise(finding, "Let fewer processes open it: open it collectively, or let one "
                                "process read and broadcast.");
}

/* So many times what is worth reporting is much. */
static const double much = 20;
/* From so many calls for each file on, it is asked for the same again and again. */
enum { again_and_again = 4 };

/* Calls on names and attributes of all files. */
struct census {
    uint64_t files, calls, missed, transfers, operations[FTH_METADATA_OPERATIONS];
    uint64_t processes;     /* that ask about one of them, at most */
    int64_t time, all_time; /* all: transfers, openings, syncs, locks and the like, too */
    struct fth_example heaviest;
};

/* Of the layers that ask for a file one counts it. */
static bool is_counted(const struct fth_metadata_run *run, uint32_t place)
{
    uint32_t first = fth_indexed_first(&run->files, fth_indexed_at(&run->files, place)->number);
    for (; first != UINT32_MAX; first = fth_indexed_next(&run->files, first)) {
        const struct fth_metadata *shared = fth_indexed_item(&run->files, first);
        if (shared->asked || shared->missed)
            return first == place;
    }
    return false;
}

static struct census take_census(const struct fth_metadata_run *run)
{
    struct census census = {0};
    for (uint32_t i = 0; i < run->files.count; i++) {
        uint32_t file = fth_indexed_at(&run->files, i)->number;
        const struct fth_metadata *shared = fth_indexed_item(&run->files, i);
        if (run->survey->files[file].noise)
            continue;
        census.files += is_counted(run, i);
        census.calls += shared->asked + shared->missed;
        if (shared->askers > census.processes)
            census.processes = shared->askers;
        census.missed += shared->missed;
        census.transfers += shared->transfers;
        for (int operation = 0; operation < FTH_METADATA_OPERATIONS; operation++)
            census.operations[operation] += shared->operations[operation];
        FTH_ADD_SATURATING(census.time,
                           fth_saturating_sum(shared->asked_time, shared->missed_time));
        FTH_ADD_SATURATING(census.all_time, shared->all_time);
        fth_example_merge(&census.heaviest, &shared->asking);
        fth_example_merge(&census.heaviest, &shared->missing);
    }
    return census;
}

/* "61,000 rename or link, 20 ask for attributes". */
struct operations_phrase {
    char text[256];
};

static struct operations_phrase operations_of(const struct census *census)
{
    static const char *const words[FTH_METADATA_OPERATIONS] = {
        [FTH_METADATA_ASKS] = "get attributes",   [FTH_METADATA_LISTS] = "list directories",
        [FTH_METADATA_OPENS] = "fail to open",    [FTH_METADATA_RENAMES] = "rename or link",
        [FTH_METADATA_MAKES] = "create names",    [FTH_METADATA_DELETES] = "delete",
        [FTH_METADATA_CHANGES] = "set attributes"};
    struct operations_phrase phrase = {""};
    size_t at = 0;
    bool is_written[FTH_METADATA_OPERATIONS] = {false};
    for (;;) {
        int most = -1;
        for (int operation = 0; operation < FTH_METADATA_OPERATIONS; operation++)
            if (!is_written[operation] && census->operations[operation] &&
                (most < 0 || census->operations[operation] > census->operations[most]))
                most = operation;
        if (most < 0)
            return phrase;
        is_written[most] = true;
        int length = snprintf(phrase.text + at, sizeof phrase.text - at, "%s%s %s", at ? ", " : "",
                              FTH_COUNT(census->operations[most]), words[most]);
        if (length < 0 || (size_t)length >= sizeof phrase.text - at)
            return phrase;
        at += (size_t)length;
    }
}

/* Is the same asked again and again, and not for each file once? */
static bool is_again(const struct census *census)
{
    return census->calls >= (uint64_t)again_and_again * census->files;
}

static const char *less_of(const struct census *census)
{
    uint64_t changes =
        census->operations[FTH_METADATA_RENAMES] + census->operations[FTH_METADATA_MAKES] +
        census->operations[FTH_METADATA_DELETES] + census->operations[FTH_METADATA_CHANGES];
    if (2 * changes > census->calls)
        return "Use fewer files (a container: HDF5, SQLite, an archive), or create each file under "
               "its final name. Work on several directories at the same time.";
    if (2 * census->missed > census->calls)
        return is_again(census)
                   ? "The names are looked for again and again before they exist. Sleep longer "
                     "between two calls, be notified of new files (inotify), or let the one that "
                     "makes "
                     "them send a message."
                   : "Look in fewer places: shorten the search path, or put the right folder "
                     "first.";
    return is_again(census)
               ? "Look up each name once, and keep the result."
               : "Process several directories at once, or keep a list of the files (readdir "
                 "returns the type of an entry in d_type). Parallel file systems have tools for "
                 "this (lfs find).";
}

/* The function that takes most of the time, of those that ask for names and attributes. */
static const char *most_asked(const struct fth_metadata_run *run, const struct census *census)
{
    static const unsigned kinds = FTH_CALLS_BIT(FTH_CALLS_STAT) | FTH_CALLS_BIT(FTH_CALLS_NAME) |
                                  FTH_CALLS_BIT(FTH_CALLS_DELETE) |
                                  FTH_CALLS_BIT(FTH_CALLS_PERMISSION) |
                                  FTH_CALLS_BIT(FTH_CALLS_LIST);
    const char *name = census->heaviest.asked->name;
    int64_t most = 0;
    for (uint32_t i = 0; i < fth_keyed_count(&run->census); i++) {
        struct fth_census_key key;
        const struct fth_census *sum = fth_keyed_item(&run->census, i);
        memcpy(&key, fth_keyed_key(&run->census, i), sizeof key);
        if (key.by != FTH_BY_PROGRAM || sum->time <= most ||
            !(kinds >> run->survey->classes->list[key.function].kind & 1))
            continue;
        most = sum->time;
        name = fth_trace_function(run->survey->trace, key.function)->name;
    }
    return name;
}

/* Who looks for files, lists them, asks for their attributes or renames them may open none of
 * them. */
static void find_much(const struct fth_metadata_run *run, struct fth_results *results)
{
    const struct census census = take_census(run);
    if ((double)census.calls < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
        (double)census.time <
            fth_threshold_of(run->survey, FTH_THRESHOLD_METADATA) * (double)census.all_time ||
        !fth_finding_is_worth(run->survey, fth_saturating_integer((double)census.time / much)))
        return;
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, FTH_NO_FILE, &census.heaviest, "much_metadata",
                          "Names and attributes of files take much time", census.time);
    finding->any_file = true;
    finding->again = is_again(&census);
    finding->classes = FTH_CLASSES_METADATA;
    fth_finding_spread(finding, census.processes);
    fth_finding_say(
        finding,
        "%s (%s ...) look up, query or change names and attributes of %s: %s. %s of them "
        "%s. They take %.0f %% of the I/O time. Besides them the run has %s.",
        FTH_SEVERAL(census.calls, "call", "calls"), most_asked(run, &census),
        FTH_SEVERAL(census.files, "file", "files"), operations_of(&census).text,
        census.missed ? FTH_COUNT(census.missed) : "None", census.missed == 1 ? "fails" : "fail",
        100 * (double)census.time / (double)census.all_time,
        FTH_SEVERAL(census.transfers, "transfer", "transfers"));
    fth_finding_advise(finding, "%s", less_of(&census));
}

void fth_metadata_find(struct fth_metadata_run *run, struct fth_results *results)
{
    for (uint32_t i = 0; i < run->files.count; i++) {
        uint32_t file = fth_indexed_at(&run->files, i)->number;
        const struct fth_metadata *shared = fth_indexed_item(&run->files, i);
        if (run->survey->files[file].noise)
            continue;
        if (!find_reopened(run, results, file, shared) || 2 * shared->severity < shared->spared)
            find_heavy(run, results, file, shared);
        find_uneven(run, results, file, shared);
    }
    fth_metadata_find_many(run, results);
    find_much(run, results);
    fth_metadata_find_openings(run, results);
}
