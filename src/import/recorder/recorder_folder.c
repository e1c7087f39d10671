/* Traces of Recorder 2.1 and 2.2: each rank is a process, whose records become calls, one rank
 * after the other. */
#include "base/memory.h"
#include "base/phrase.h"
#include "import/recorder/recorder_calls.h"
#include "trace/program/hides.h"
#include "trace/state/state.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct reading {
    struct fth_recorder_trace trace;
    struct fth_imported_run *run;
    struct fth_imported *imported;
    struct fth_progress *progress;
    uint64_t regions;
    struct fth_error **error;
};

static int put_records(struct reading *reading, struct fth_recorder_process *process, int64_t rank)
{
    const struct fth_recorder_trace *trace = &reading->trace;
    for (size_t i = 0; i < trace->record_count && !reading->run->folder.failed; i++) {
        if (!fth_recorder_put(process, trace, &trace->records[i]))
            return fth_fail(reading->error,
                            "'%s/%lld.itf' is damaged: the arguments of record %zu are not those "
                            "of %s",
                            trace->folder, (long long)rank, i,
                            trace->functions[trace->records[i].function]);
        reading->imported->calls++;
        fth_progress_add(reading->progress, 1);
    }
    return 0;
}

static int take_rank(struct reading *reading, int64_t rank)
{
    struct fth_imported_run *run = reading->run;
    if (fth_recorder_trace_read(&reading->trace, rank, reading->error))
        return -1;
    struct fth_imported_process facts = {.image = fth_imported_image(run, rank + 1),
                                         .pid = rank + 1,
                                         .start = reading->trace.start,
                                         .last = reading->trace.end,
                                         .ended = FTH_END_NOT_KNOWN,
                                         .rank = rank,
                                         .size = reading->trace.ranks,
                                         .world = 1,
                                         .host = fth_text_copy("unknown"),
                                         .exe = fth_text_copy("unknown")};
    struct fth_recorder_process process = {
        .run = run,
        .stream = fth_imported_thread(run, &facts, facts.pid, facts.start),
        .start = reading->trace.start,
        .open = fth_new(FTH_SLOT_LIMIT, sizeof(bool))};
    int result = put_records(reading, &process, rank);
    if (reading->trace.end > run->end)
        run->end = reading->trace.end;
    reading->regions += process.regions;
    fth_imported_stream_close(process.stream);
    fth_imported_process_close(run, &facts);
    free(process.open);
    return result;
}

static void say_unseen(const struct reading *reading)
{
    struct fth_imported *imported = reading->imported;
    fth_imported_unseen(
        imported,
        fth_text_copy(FTH_TRACE_OF_RECORDER
                      "it has no results of calls but opens, so the bytes that reads and writes "
                      "asked for stand for those that they moved, and failed calls seem to have "
                      "succeeded. What stdio reads and writes below itself, programs, nodes, "
                      "numbers of processes, threads, and how processes "
                      "wait for each other are not in it"));
    fth_imported_unseen(imported,
                        fth_text_copy("blanks in names of files: Recorder writes _ for them"));
    if (reading->regions)
        fth_imported_unseen(
            imported,
            fth_text_format("%s shown as regions: the trace does not say what they did to files",
                            fth_phrase_several(reading->regions, "call is", "calls are").text));
    if (reading->trace.overlaps)
        fth_imported_unseen(
            imported,
            fth_text_format("when %s began, as calls of several threads overlap",
                            fth_phrase_several(reading->trace.overlaps, "call", "calls").text));
}

/* The earliest of all ranks, before any of their calls. */
static int find_start(struct reading *reading)
{
    struct fth_imported_run *run = reading->run;
    for (int64_t rank = 0; rank < reading->trace.ranks; rank++) {
        int64_t start;
        if (fth_recorder_trace_start(&reading->trace, rank, &start, reading->error))
            return -1;
        run->start = !rank || start < run->start ? start : run->start;
    }
    run->end = run->start;
    return 0;
}

/* Of the folder or its recorder.mt. To be freed. */
static char *folder_of(const char *path)
{
    static const char name[] = "/recorder.mt";
    size_t length = strlen(path), end = sizeof name - 1;
    if (strcmp(path, name + 1) == 0)
        return fth_text_copy(".");
    return length > end && strcmp(path + length - end, name) == 0
               ? fth_text_part(path, length - end)
               : fth_text_copy(path);
}

static int import(const char *path, struct fth_imported_run *run, struct fth_imported *imported,
                  struct fth_progress *progress, struct fth_error **error)
{
    struct reading reading = {
        .run = run, .imported = imported, .progress = progress, .error = error};
    char *folder = folder_of(path);
    int result = fth_recorder_trace_open(folder, &reading.trace, error);
    if (!result)
        result = find_start(&reading);
    for (int64_t rank = 0; !result && !run->folder.failed && rank < reading.trace.ranks; rank++)
        result = take_rank(&reading, rank);
    if (!result)
        say_unseen(&reading);
    fth_recorder_trace_close(&reading.trace);
    free(folder);
    return result || run->folder.failed ? -1 : 0;
}

static bool knows(const char *path)
{
    char *folder = folder_of(path);
    bool found = fth_imported_has_file(folder, "recorder.mt");
    free(folder);
    return found;
}

const struct fth_importer fth_importer_recorder = {
    .name = "recorder",
    .help = "A trace of Recorder 2.1 or 2.2: the folder with recorder.mt",
    .knows = knows,
    .import = import,
};
