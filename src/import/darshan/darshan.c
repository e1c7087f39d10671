/* Logs of Darshan: the accesses of DXT become the calls of a trace, and the counters tables. What
 * neither tells is said here. */
#include "import/darshan/darshan.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "base/saturating.h"
#include "import/darshan/darshan_calls.h"
#include "import/darshan/darshan_tables.h"
#include "trace/program/hides.h"

#include <string.h>

/* ---- what it does not tell ---- */

/* All ranks, all files; what is not counted adds nothing. */
static int64_t sum(const struct fth_darshan_log *log, enum fth_darshan_module module,
                   enum fth_darshan_counter counter)
{
    int64_t all = 0;
    for (size_t i = 0; i < log->record_count; i++)
        if (log->records[i].module == module && log->records[i].counters[counter] > 0)
            all = fth_saturating_sum(all, log->records[i].counters[counter]);
    return all;
}

static void say_counted(const struct fth_darshan_log *log, struct fth_imported *imported)
{
    static const struct {
        enum fth_darshan_counter counter;
        const char *one, *many;
    } kinds[] = {{FTH_DARSHAN_OPENS, "open", "opens"},
                 {FTH_DARSHAN_SEEKS, "seek", "seeks"},
                 {FTH_DARSHAN_STATS, "stat", "stats"},
                 {FTH_DARSHAN_SYNCS, "sync", "syncs"}};
    char *all = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint64_t count = (uint64_t)sum(log, FTH_DARSHAN_POSIX, kinds[i].counter);
        if (!count)
            continue;
        char *before = all;
        all = fth_text_format("%s%s%s", before ? before : "", before ? ", " : "",
                              fth_phrase_several(count, kinds[i].one, kinds[i].many).text);
        free(before);
    }
    if (all)
        fth_imported_unseen(imported, fth_text_format("when, and in which order, these calls of "
                                                      "POSIX came that Darshan only counted: %s",
                                                      all));
    free(all);
}

/* DXT has its own limits of memory, and may have begun later or left out files. */
static void say_lost(const struct fth_darshan_log *log, struct fth_imported *imported)
{
    int64_t counted = fth_saturating_sum(sum(log, FTH_DARSHAN_POSIX, FTH_DARSHAN_READS),
                                         sum(log, FTH_DARSHAN_POSIX, FTH_DARSHAN_WRITES)),
            traced = 0;
    for (size_t i = 0; i < log->access_count; i++)
        traced += !log->accesses[i].is_mpi;
    if (counted > traced)
        fth_imported_unseen(
            imported, fth_text_format("%s of POSIX that Darshan counted, but DXT did not trace",
                                      fth_phrase_several((uint64_t)(counted - traced),
                                                         "read or write", "reads and writes")
                                          .text));
    if (log->is_partial)
        fth_imported_unseen(imported, fth_text_copy("accesses after DXT ran out of memory: Darshan "
                                                    "has marked the log as partial"));
}

static void say_streams(const struct fth_darshan_log *log, struct fth_imported *imported)
{
    int64_t read = sum(log, FTH_DARSHAN_STDIO, FTH_DARSHAN_BYTES_READ),
            written = sum(log, FTH_DARSHAN_STDIO, FTH_DARSHAN_BYTES_WRITTEN);
    if (read || written)
        fth_imported_unseen(
            imported,
            fth_text_format("reads (%s) and writes (%s) of stdio: DXT does not trace them",
                            fth_phrase_bytes((uint64_t)read).text,
                            fth_phrase_bytes((uint64_t)written).text));
}

static void say_unseen(const struct fth_darshan_log *log, const struct fth_darshan_doubts *doubts,
                       struct fth_imported *imported)
{
    fth_imported_unseen(
        imported,
        fth_text_copy(FTH_LOG_OF_DARSHAN
                      "it has reads and writes, with their bytes and times. Which functions made "
                      "them (pread and pwrite stand for all of POSIX), opens, closes, other calls, "
                      "failed calls, numbers of processes and descriptors, and how processes wait "
                      "for each other are not in it"));
    fth_imported_unseen(
        imported,
        fth_text_copy("where accesses of POSIX are if a file was open twice or for appending: "
                      "Darshan follows one position for each file, from 0"));
    say_counted(log, imported);
    say_lost(log, imported);
    say_streams(log, imported);
    if (doubts->regions)
        fth_imported_unseen(
            imported, fth_text_format(
                          "with which functions of MPI-IO %s made (of the file, Darshan counted "
                          "several kinds): shown as regions",
                          fth_phrase_several(doubts->regions, "access was", "accesses were").text));
    if (doubts->overlaps)
        fth_imported_unseen(
            imported,
            fth_text_format("which threads %s has: accesses that overlap in time are shown as "
                            "those of different threads",
                            fth_phrase_several(doubts->overlaps, "process", "processes").text));
}

/* ---- the importer ---- */

/* Darshan joins the words with blanks. */
static void take_command(const char *command, struct fth_imported *imported)
{
    while (command && *command) {
        size_t length = strcspn(command, " ");
        if (length) {
            fth_bytes_put(&imported->command, command, length);
            fth_bytes_put(&imported->command, "", 1);
        }
        command += length + (command[length] == ' ');
    }
}

int fth_darshan_make_trace(const char *path, struct fth_darshan_log *log,
                           struct fth_imported_run *run, struct fth_imported *imported,
                           struct fth_error **error)
{
    struct fth_darshan_doubts doubts = {0};
    if (!log->access_count)
        return fth_fail(error,
                        "'%s' has no accesses of DXT, so there are no calls to make a trace of "
                        "(--counters shows what Darshan counted)",
                        path);
    run->start = log->start;
    run->end = log->end > log->start ? log->end : log->start;
    for (size_t i = 0; i < log->access_count; i++)
        if (log->start + log->accesses[i].end > run->end)
            run->end = log->start + log->accesses[i].end;
    take_command(log->command, imported);
    if (fth_darshan_make_calls(path, log, run, imported, &doubts, error))
        return -1;
    say_unseen(log, &doubts, imported);
    return 0;
}

static int import(const char *path, struct fth_imported_run *run, struct fth_imported *imported,
                  struct fth_progress *progress, struct fth_error **error)
{
    struct fth_darshan_log log;
    int result = fth_darshan_log_read(path, &log, &run->folder.failed, progress, error);
    if (!result)
        result = fth_darshan_make_trace(path, &log, run, imported, error);
    fth_darshan_log_free(&log);
    return result;
}

static int count(const char *path, struct fth_imported_counters *counters,
                 struct fth_progress *progress, struct fth_error **error)
{
    struct fth_darshan_log log;
    bool never = false;
    int result = fth_darshan_log_read(path, &log, &never, progress, error);
    if (!result) {
        counters->command = fth_text_copy(log.command ? log.command : "");
        counters->processes = log.processes;
        counters->start = log.start;
        counters->end = log.end;
        result = fth_darshan_make_tables(&log, counters, error);
    }
    fth_darshan_log_free(&log);
    return result;
}

/* A text of the version, and a number in the order of bytes of its machine. */
static bool knows(const char *path)
{
    static const char little[] = "\x37\x35\x64\0\0\0\0", big[] = "\0\0\0\0\0\x64\x35\x37";
    char bytes[16];
    return fth_imported_beginning(path, bytes, sizeof bytes) == sizeof bytes &&
           (memcmp(bytes + 8, little, 8) == 0 || memcmp(bytes + 8, big, 8) == 0);
}

static const char *const extensions[] = {".darshan", ".darshan_partial", NULL};

const struct fth_importer fth_importer_darshan = {
    .name = "darshan",
    .help = "A log of Darshan with DXT: a file with the extension .darshan",
    .knows = knows,
    .extensions = extensions,
    .import = import,
    .count = count,
};
