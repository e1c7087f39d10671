/* Many files that are small, or on which much of the time is no transfer. What is known by layers
 * is added up for each file. */
#include "analysis/passes/metadata.h"
#include "base/saturating.h"

#include <stdio.h>

/* Files that are small, or on which much of the time is no transfer. */
struct storm {
    uint64_t files, read_files, opens, bytes, bytes_read;
    uint64_t measured, behind;  /* files whose last accessed byte is known; these, added up */
    uint64_t openers;           /* processes that open one of them, at most */
    int64_t opening, transfers; /* ns: of calls that open and close; that move bytes */
    int64_t longest;            /* of both, on one file */
    struct fth_example example;
    uint32_t example_file;
};

/* ns at the best speed of the run. */
static int64_t needed_for(const struct fth_metadata_run *run, uint64_t read, uint64_t all)
{
    return fth_saturating_sum(fth_speed_time(&run->best[0], read),
                              fth_speed_time(&run->best[1], all - read));
}

/* A file, whatever layers its calls are of. */
struct opened_file {
    uint64_t opens, openers, bytes, bytes_read, behind, transfers, lists;
    int64_t opening_time, transfer_time;
    struct fth_example example;
};

static bool is_in_storm(const struct fth_metadata_run *run, const struct opened_file *shared)
{
    /* the other end of a copy has bytes and no time */
    int64_t needed = needed_for(run, shared->bytes_read, shared->bytes),
            transfer = shared->transfer_time > needed ? shared->transfer_time : needed;
    return (double)shared->bytes < fth_threshold_of(run->survey, FTH_THRESHOLD_SMALL) ||
           (double)shared->opening_time >=
               fth_threshold_of(run->survey, FTH_THRESHOLD_METADATA) *
                   (double)fth_saturating_sum(shared->opening_time, transfer);
}

static bool is_folder(const struct opened_file *shared)
{
    return shared->lists && !shared->transfers;
}

/* By file alone: a stream on a descriptor is of two layers, and of one file. */
static struct fth_indexed gather_files(const struct fth_metadata_run *run)
{
    struct fth_indexed files = {.size = sizeof(struct opened_file)};
    for (uint32_t i = 0; i < run->files.count; i++) {
        const struct fth_metadata *of = fth_indexed_item(&run->files, i);
        struct opened_file *file =
            fth_indexed_get(&files, fth_indexed_at(&run->files, i)->number, 0);
        file->opens += of->opens;
        file->openers = of->openers > file->openers ? of->openers : file->openers;
        file->bytes += of->bytes;
        file->bytes_read += of->bytes_read;
        file->behind = of->behind > file->behind ? of->behind : file->behind;
        file->transfers += of->transfers;
        file->lists += of->operations[FTH_METADATA_LISTS];
        FTH_ADD_SATURATING(file->opening_time, of->opening_time);
        FTH_ADD_SATURATING(file->transfer_time, of->transfer_time);
        fth_example_merge(&file->example, &of->example);
    }
    return files;
}

/* Those that move `most` bytes at most. */
static struct storm sum_up(const struct fth_metadata_run *run, const struct fth_indexed *files,
                           uint64_t most)
{
    struct storm storm = {.example_file = FTH_NO_FILE};
    for (uint32_t i = 0; i < files->count; i++) {
        uint32_t file = fth_indexed_at(files, i)->number;
        const struct opened_file *shared = fth_indexed_item(files, i);
        if (run->survey->files[file].noise || !shared->opens || is_folder(shared) ||
            shared->bytes > most || !is_in_storm(run, shared))
            continue;
        storm.files++;
        storm.opens += shared->opens;
        storm.openers = shared->openers > storm.openers ? shared->openers : storm.openers;
        storm.bytes += shared->bytes;
        storm.bytes_read += shared->bytes_read;
        storm.measured += shared->behind || !shared->bytes;
        storm.behind += shared->behind;
        storm.read_files += 2 * shared->bytes_read > shared->bytes;
        FTH_ADD_SATURATING(storm.opening, shared->opening_time);
        FTH_ADD_SATURATING(storm.transfers, shared->transfer_time);
        int64_t costs = fth_saturating_sum(shared->opening_time, shared->transfer_time);
        storm.longest = costs > storm.longest ? costs : storm.longest;
        if (!storm.example.asked || shared->example.time > storm.example.time)
            storm.example_file = file;
        fth_example_merge(&storm.example, &shared->example);
    }
    return storm;
}

/* As far as they were accessed, on average. */
static bool is_small(const struct fth_metadata_run *run, const struct storm *storm)
{
    return storm->measured && (double)storm->behind / (double)storm->measured <
                                  fth_threshold_of(run->survey, FTH_THRESHOLD_SMALL);
}

/* " On average the first 4.00 KiB of each are accessed.": how large files are is not known. */
struct extent_phrase {
    char text[128];
};
static struct extent_phrase extent_of(const struct storm *storm)
{
    struct extent_phrase phrase = {""};
    if (storm->behind)
        snprintf(phrase.text, sizeof phrase.text,
                 " On average the first %s of each are accessed%s.",
                 FTH_BYTES(storm->behind / storm->measured),
                 storm->measured < storm->files ? ", where that is known" : "");
    return phrase;
}

void fth_metadata_find_many(const struct fth_metadata_run *run, struct fth_results *results)
{
    /* an archive that is made of them is none of them */
    struct fth_indexed files = gather_files(run);
    struct storm storm = sum_up(run, &files, sum_up(run, &files, UINT64_MAX).bytes / 3);
    fth_indexed_free(&files);
    int64_t all = storm.opening + storm.transfers,
            needed = needed_for(run, storm.bytes_read, storm.bytes);
    bool little = storm.files && (double)storm.bytes / (double)storm.files <
                                     fth_threshold_of(run->survey, FTH_THRESHOLD_SMALL);
    /* what moving few bytes takes beyond these is theirs, too */
    bool with_transfers = little && storm.transfers > needed;
    int64_t severity = with_transfers ? all - needed : storm.opening;
    if ((double)run->most_files < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
        (double)severity < fth_threshold_of(run->survey, FTH_THRESHOLD_METADATA) * (double)all ||
        !fth_finding_is_worth(run->survey, severity))
        return;
    struct fth_finding *finding = fth_finding_write(
        run->survey, results, storm.example_file, &storm.example, "many_files",
        is_small(run, &storm) ? "Many small files" : "Many files are opened", severity);
    finding->files.total = storm.files;
    finding->any_file = true;
    fth_finding_spread(finding, storm.openers);
    finding->classes = FTH_CALLS_BIT(FTH_CALLS_OPEN) | FTH_CALLS_BIT(FTH_CALLS_CLOSE);
    if (with_transfers)
        finding->classes |= FTH_CLASSES_MOVING;
    fth_finding_say(finding,
                    "%s are opened %s times.%s A file takes %s; opening and closing are %.0f %% of "
                    "that.",
                    FTH_SEVERAL(storm.files, "file", "files"), FTH_COUNT(storm.opens),
                    extent_of(&storm).text, FTH_EACH(all, storm.files, storm.longest),
                    100 * (double)storm.opening / (double)all);
    fth_finding_advise(
        finding, "%s",
        2 * storm.read_files > storm.files
            ? "Process several files at once (a process or thread per directory). If the files are "
              "read more often, put them into one container (HDF5, SQLite, SquashFS, an archive "
              "that is read as it is), or copy them to node-local storage."
            : "Use one container instead (HDF5, NetCDF, SQLite, an archive that is read as it is). "
              "Otherwise process several files at once, in separate directories, or use node-local "
              "storage.");
}
