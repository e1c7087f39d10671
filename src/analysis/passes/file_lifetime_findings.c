/* Findings about the life of files: written data that nobody reads before it is deleted, temporary
 * files on a network file system, files that are renamed before they are synced to disk, and files
 * that a library opens unasked. */
#include "analysis/passes/file_lifetimes.h"
#include "base/memory.h"
#include "base/saturating.h"

#include <string.h>

static bool is_program(const struct fth_file_lifetimes_run *run, const char *path)
{
    for (size_t proc = 0; proc < fth_trace_process_count(run->survey->trace); proc++)
        if (strcmp(fth_trace_process(run->survey->trace, proc)->executable, path) == 0)
            return true;
    return false;
}

/* Of the bytes that were written, at least so many were not read before the file was deleted. */
static uint64_t unread(const struct fth_file_life *all, const struct fth_fate *fate)
{
    uint64_t surplus = all->bytes[1] > all->bytes[0] ? all->bytes[1] - all->bytes[0] : 0;
    return fate->never_read > surplus ? fate->never_read : surplus;
}

static void find_never_read(const struct fth_file_lifetimes_run *run, struct fth_results *results,
                            uint32_t file, const struct fth_shared_file_life *shared,
                            const struct fth_fate *fate)
{
    const struct fth_file_life *all = &shared->all;
    uint64_t bytes = unread(all, fate);
    double share = fth_share(bytes, all->bytes[1]);
    int64_t severity = fth_saturating_integer((double)all->time[1] * share);
    if (!shared->deleters || shared->renamed || all->elsewhere ||
        share < fth_threshold_of(run->survey, FTH_THRESHOLD_SPREAD) ||
        !fth_finding_is_worth(run->survey, severity) ||
        is_program(run, run->survey->files[file].path))
        return;
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, file, &all->examples[1], "written_never_read",
                          "Written, never read, and deleted", severity);
    finding->classes = FTH_CALLS_BIT(FTH_CALLS_WRITE);
    fth_finding_spread(finding, shared->writers);
    fth_finding_say(finding,
                    "Of %s written to the file, %s are never read before the file is deleted.",
                    FTH_BYTES(all->bytes[1]), FTH_BYTES(bytes));
    fth_finding_advise(
        finding, "%s",
        shared->safety.sync_count
            ? "The data is synced to disk first, like a journal. Use larger "
              "transactions, or a log that is kept (SQLite: PRAGMA journal_mode=WAL)."
            : "Check whether this data is needed at all.");
}

static void find_file(const struct fth_file_lifetimes_run *run, struct fth_results *results,
                      uint32_t file, const struct fth_shared_file_life *shared,
                      const struct fth_fate *fate)
{
    const struct fth_file_life *all = &shared->all;
    find_never_read(run, results, file, shared, fate);
    const struct fth_survey_file *facts = &run->survey->files[file];
    bool on_network = facts->placed && facts->place.system->scope == FTH_SCOPE_SHARED;
    if (shared->deleters && all->calls[1] && on_network &&
        fth_finding_is_worth(run->survey, all->time[0] + all->time[1])) {
        struct fth_finding *finding = fth_finding_write(
            run->survey, results, file, &all->examples[1], "temporary_on_network",
            "A temporary file is on a network file system", all->time[0] + all->time[1]);
        finding->classes = FTH_CALLS_BIT(FTH_CALLS_READ) | FTH_CALLS_BIT(FTH_CALLS_WRITE);
        fth_finding_spread(finding, shared->movers);
        fth_finding_say(finding, "It is written (%s) and deleted again on %s.",
                        FTH_BYTES(all->bytes[1]), facts->place.system->type);
        fth_finding_advise(finding, "Put it on node-local storage (TMPDIR) or in memory.");
    }
}

/* What was at the name that a file was renamed to. */
static enum fth_presence renamed_over(struct fth_file_lifetimes_run *run,
                                      const struct fth_renaming *renaming)
{
    if (renaming->replaces)
        return FTH_WORTH_KEEPING;
    return renaming->unseen
               ? fth_presence_before(&run->presences, run->survey, renaming->to - 1, renaming->at)
               : FTH_MADE_HERE;
}

/* Which of the renamings were of what was not safe: now that all syncs are known. */
static void sum_up_renamings(const struct fth_file_lifetimes_run *run,
                             struct fth_shared_file_life *shared)
{
    for (size_t i = 0; i < shared->safety.renaming_count; i++) {
        const struct fth_renaming_by *by = &shared->safety.renamings[i];
        const struct fth_file_safety *safety = &by->renaming.safety;
        if (!fth_shared_safety_lacks(&shared->safety, &run->of_all, by))
            continue;
        if (!shared->renaming)
            shared->renaming = fth_new(1, sizeof *shared->renaming);
        struct fth_renaming *renaming = shared->renaming, before = *renaming;
        shared->renamed++;
        shared->synced_early |= safety->synced;
        *renaming = by->renaming;
        renaming->replaces |= before.replaces;
        renaming->unseen |= before.unseen;
        renaming->safety.streamed |= before.safety.streamed;
        fth_example_merge(&renaming->example, &before.example);
    }
}

static void find_renamed(const struct fth_file_lifetimes_run *run, struct fth_results *results,
                         uint32_t file, const struct fth_shared_file_life *shared,
                         enum fth_presence before)
{
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, file, &shared->renaming->example,
                          "renamed_before_sync", "Renamed before it was synced to disk", 0);
    fth_finding_spread(finding, shared->renamed);
    bool was_there = before == FTH_WORTH_KEEPING || before == FTH_FOUND;
    bool is_known = before != FTH_NOT_SEEN && before != FTH_PERHAPS_MADE;
    bool matters = shared->synced_early || was_there || !is_known;
    finding->wrong = matters;
    finding->behind = !shared->synced_early; /* who asks for no safety may not want it */
    finding->aside = !matters;
    fth_finding_say(
        finding,
        "The file is written and then renamed to %s %s. After a crash the file of the new name may "
        "be empty or incomplete%s.%s",
        run->survey->files[shared->renaming->to - 1].path,
        shared->synced_early ? "after an fsync that came before the last bytes were written"
                             : "without an fsync in between",
        was_there ? ", and the old file is gone" : "",
        is_known ? ""
        : before == FTH_NOT_SEEN
            ? " Whether an older file was replaced is not known: no call looked for this name "
              "before."
            : " Whether an older file was replaced is not known: the call that opened this name "
              "first may have made it.");
    fth_finding_advise(finding, "%s",
                       shared->synced_early && shared->renaming->safety.streamed
                           ? "Flush the buffers first: fflush(stream), fsync(fileno(stream)), "
                             "fclose(stream), and then rename."
                       : shared->synced_early
                           ? "Call fsync(descriptor) behind the last write, before rename."
                           : "Call fsync(descriptor) before rename.");
}

/* First those that take away most: their text is that of the finding. */
static void find_all_renamed(struct fth_file_lifetimes_run *run, struct fth_results *results)
{
    static const enum fth_presence ranks[] = {FTH_WORTH_KEEPING, FTH_FOUND,     FTH_NOT_SEEN,
                                              FTH_PERHAPS_MADE,  FTH_MADE_HERE, FTH_MISSING};
    for (size_t rank = 0; rank < sizeof ranks / sizeof *ranks; rank++)
        for (uint32_t i = 0; i < run->files.count; i++) {
            uint32_t file = fth_indexed_at(&run->files, i)->number;
            const struct fth_shared_file_life *shared = fth_indexed_item(&run->files, i);
            if (run->survey->files[file].noise || !shared->renamed)
                continue;
            enum fth_presence before = renamed_over(run, shared->renaming);
            if (before == ranks[rank])
                find_renamed(run, results, file, shared, before);
        }
}

/* Files that calls on other files open, one finding for each function that does so. */
static void find_unexpected(const struct fth_file_lifetimes_run *run, struct fth_results *results)
{
    for (size_t function = 0; function < run->survey->classes->count; function++) {
        const struct fth_function *in = fth_trace_function(run->survey->trace, function);
        struct fth_finding *finding = NULL;
        uint64_t times = 0;
        for (uint32_t i = 0; i < run->files.count; i++) {
            const struct fth_shared_file_life *shared = fth_indexed_item(&run->files, i);
            const struct fth_unexpected_openings *unexpected = shared->all.unexpected;
            if (!unexpected || unexpected->in != in ||
                (double)unexpected->count < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY))
                continue;
            if (!finding)
                finding = fth_finding_write(run->survey, results, FTH_NO_FILE, &unexpected->example,
                                            "unexpected_file",
                                            "A library opens files that it was not asked for", 0);
            FTH_ADD_SATURATING(finding->severity, unexpected->time);
            times += unexpected->count;
            fth_finding_spread(finding, shared->finders);
            fth_finding_write_file(finding, run->survey, fth_indexed_at(&run->files, i)->number);
        }
        if (!finding)
            continue;
        finding->classes = FTH_CALLS_BIT(FTH_CALLS_OPEN);
        fth_finding_say(finding, "They are opened %s times inside calls of %s on other files.",
                        FTH_COUNT(times), in->name);
        fth_finding_advise(
            finding,
            "Look for a setting of the library that prevents this, or try a newer version.");
        if (!fth_finding_is_worth(run->survey, finding->severity))
            fth_finding_drop(&results->findings);
    }
}

void fth_file_lifetimes_find(struct fth_file_lifetimes_run *run, struct fth_results *results)
{
    for (uint32_t i = 0; i < run->files.count; i++) {
        uint32_t file = fth_indexed_at(&run->files, i)->number;
        struct fth_shared_file_life *shared = fth_indexed_item(&run->files, i);
        if (run->survey->files[file].noise)
            continue;
        sum_up_renamings(run, shared);
        const struct fth_fate fate = fth_file_lifetimes_fate(results, file);
        find_file(run, results, file, shared, &fate);
    }
    find_all_renamed(run, results);
    find_unexpected(run, results);
}
