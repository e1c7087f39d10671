/* Archives of OTF2 (Score-P, `fathom export --to otf2`), by the OTF2 library. That library trusts
 * its input and may crash, so it works in a child: what the child has written to the spill folder
 * counts only if it ends well, and it sends what else there is to say through a pipe. */
#include "import/shared/importer.h"

#ifdef FATHOM_OTF2
#include "base/memory.h"
#include "base/phrase.h"
#include "import/otf2/archive_events.h"
#include "trace/program/hides.h"
#include "trace/record/builtin.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- in the child ---- */

static char complaint[512];

static OTF2_ErrorCode complain(void *data, const char *file, uint64_t line, const char *function,
                               OTF2_ErrorCode code, const char *format, va_list arguments)
{
    (void)data;
    (void)file;
    (void)line;
    (void)function;
    if (code == OTF2_WARNING || code == OTF2_DEPRECATED || *complaint)
        return code;
    int length = snprintf(complaint, sizeof complaint, "%s: ", OTF2_Error_GetDescription(code));
    vsnprintf(complaint + length, sizeof complaint - (size_t)length, format, arguments);
    return code;
}

static int fail(struct fth_error **error, const char *path)
{
    return fth_fail(error, "'%s' is damaged: %s", path,
                    *complaint ? complaint : "the OTF2 library cannot read it");
}

static const char *host_of(const struct fth_archive *archive, uint32_t node)
{
    const struct fth_archive_node *of = fth_archive_find(&archive->nodes, node);
    return of ? fth_archive_text(archive, of->name) : "unknown";
}

static void begin_process(struct fth_archive_reading *reading, struct fth_archive_process *process,
                          uint32_t number, const struct fth_archive_group *group, uint64_t location)
{
    const struct fth_archive *archive = &reading->archive;
    const char *name = fth_archive_text(archive, group->name);
    int64_t pid = (int64_t)number + 1;
    process->facts =
        (struct fth_imported_process){.image = fth_imported_image(reading->run, pid),
                                      .pid = pid,
                                      .start = INT64_MAX,
                                      .last = INT64_MIN,
                                      .host = fth_text_copy(host_of(archive, group->node)),
                                      .exe = fth_text_copy(name)};
    process->facts.rank = fth_archive_rank(archive, location, &process->facts.size);
    process->facts.world = process->facts.rank >= 0;
    fth_bytes_put(&process->facts.arguments, name, strlen(name) + 1);
    process->class_slots =
        fth_new(fth_builtin_catalog()->class_count, sizeof *process->class_slots);
}

static void end_process(struct fth_archive_reading *reading, struct fth_archive_process *process)
{
    if (process->facts.start > process->facts.last) /* it has no events */
        process->facts.start = process->facts.last = reading->run->start;
    process->facts.ended = FTH_END_NOT_KNOWN;
    fth_imported_process_close(reading->run, &process->facts);
    fth_intern_free(&process->slots);
    free(process->slot);
    free(process->class_slots);
    *process = (struct fth_archive_process){0};
}

static int read_location(struct fth_archive_reading *reading, OTF2_Reader *reader,
                         OTF2_EvtReaderCallbacks *callbacks, const char *path,
                         const struct fth_archive_location *location, struct fth_error **error)
{
    uint64_t count;
    OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, location->number);
    reading->time = reading->run->start;
    reading->depth = 0;
    reading->stream = NULL;
    bool good =
        events &&
        OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, reading) == OTF2_SUCCESS &&
        OTF2_Reader_ReadAllLocalEvents(reader, events, &count) == OTF2_SUCCESS;
    while (reading->depth) /* what the archive does not leave */
        fth_archive_leave(reading, reading->time);
    if (reading->stream)
        fth_imported_stream_close(reading->stream);
    fth_intern_free(&reading->bound);
    reading->bound = (struct fth_intern){0};
    if (events)
        OTF2_Reader_CloseEvtReader(reader, events);
    return good && !*complaint ? 0 : fail(error, path);
}

/* Threads of a process, one after the other. */
static int read_process(struct fth_archive_reading *reading, OTF2_Reader *reader,
                        OTF2_EvtReaderCallbacks *callbacks, const char *path, uint32_t number,
                        struct fth_error **error)
{
    const struct fth_archive *archive = &reading->archive;
    const struct fth_archive_group *group =
        (const struct fth_archive_group *)archive->groups.items + number;
    const struct fth_archive_location *locations = archive->locations.items;
    struct fth_archive_process process = {0};
    uint64_t ref;
    size_t length;
    int result = 0;
    memcpy(&ref, fth_interned(&archive->groups.numbers, number, &length), sizeof ref);
    for (uint32_t i = 0; !result && i < fth_archive_count(&archive->locations); i++) {
        if (locations[i].group != ref || !locations[i].is_thread || !group->is_process)
            continue;
        if (!process.facts.image)
            begin_process(reading, &process, number, group, locations[i].number);
        reading->process = &process;
        result = read_location(reading, reader, callbacks, path, &locations[i], error);
    }
    if (process.facts.image)
        end_process(reading, &process);
    return result;
}

static int read_definitions(struct fth_archive_reading *reading, OTF2_Reader *reader,
                            const char *path, struct fth_error **error)
{
    uint64_t count = 0, read;
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *callbacks = fth_archive_callbacks();
    bool good =
        definitions && OTF2_Reader_GetNumberOfGlobalDefinitions(reader, &count) == OTF2_SUCCESS &&
        OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &reading->archive) ==
            OTF2_SUCCESS &&
        OTF2_Reader_ReadGlobalDefinitions(reader, definitions, count, &read) == OTF2_SUCCESS;
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    return good && !*complaint ? 0 : fail(error, path);
}

/* Locations that are not read. */
static uint64_t count_others(const struct fth_archive *archive)
{
    const struct fth_archive_location *locations = archive->locations.items;
    uint64_t others = 0;
    for (uint32_t i = 0; i < fth_archive_count(&archive->locations); i++) {
        const struct fth_archive_group *group =
            fth_archive_find(&archive->groups, locations[i].group);
        others += !locations[i].is_thread || !group || !group->is_process;
    }
    return others;
}

static int read_events(struct fth_archive_reading *reading, OTF2_Reader *reader, const char *path,
                       struct fth_error **error)
{
    const struct fth_archive *archive = &reading->archive;
    const struct fth_archive_location *locations = archive->locations.items;
    OTF2_EvtReaderCallbacks *callbacks = fth_archive_event_callbacks();
    int result = 0;
    for (uint32_t i = 0; i < fth_archive_count(&archive->locations); i++)
        OTF2_Reader_SelectLocation(reader, locations[i].number);
    /* mappings of numbers, where locations have their own; there may be none */
    bool has_own = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
    if (OTF2_Reader_OpenEvtFiles(reader) != OTF2_SUCCESS)
        result = fail(error, path);
    for (uint32_t i = 0; has_own && !result && i < fth_archive_count(&archive->locations); i++) {
        uint64_t count;
        OTF2_DefReader *own = OTF2_Reader_GetDefReader(reader, locations[i].number);
        if (own && OTF2_Reader_ReadAllLocalDefinitions(reader, own, &count) == OTF2_SUCCESS)
            OTF2_Reader_CloseDefReader(reader, own);
    }
    for (uint32_t i = 0; !result && i < fth_archive_count(&archive->groups); i++)
        result = read_process(reading, reader, callbacks, path, i, error);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    return result;
}

static void say_unseen(const struct fth_archive_reading *reading)
{
    struct fth_imported *imported = reading->imported;
    uint64_t others = count_others(&reading->archive);
    fth_imported_unseen(
        imported, fth_text_copy(FTH_ARCHIVE_OF_OTF2
                                "which calls failed, offsets of accesses, "
                                "how processes began and ended, "
                                "numbers of descriptors, programs and process numbers are not in "
                                "it, nor are calls that its writer has left out"));
    if (!reading->archive.has_io)
        fth_imported_unseen(imported, fth_text_copy("files and bytes of calls: the archive has no "
                                                    "I/O records"));
    if (reading->without_record)
        fth_imported_unseen(
            imported,
            fth_text_format(
                "%s shown as regions: the archive does not say what they did to files",
                fth_phrase_several(reading->without_record, "call is", "calls are").text));
    if (reading->asynchronous)
        fth_imported_unseen(
            imported,
            fth_text_format(
                "what %s moved that do not block",
                fth_phrase_several(reading->asynchronous, "operation", "operations").text));
    if (others)
        fth_imported_unseen(
            imported, fth_text_format("%s that %s not a thread of a process (GPUs, metrics)",
                                      fth_phrase_several(others, "location", "locations").text,
                                      others == 1 ? "is" : "are"));
    if (reading->archive.realtime == INT64_MIN)
        fth_imported_unseen(imported, fth_text_copy("the date of the run: the archive has none"));
}

static int read_archive(const char *path, struct fth_imported_run *run,
                        struct fth_imported *imported, struct fth_error **error)
{
    struct fth_archive_reading reading = {.run = run, .imported = imported};
    OTF2_Error_RegisterCallback(complain, NULL);
    fth_archive_open(&reading.archive);
    OTF2_Reader *reader = OTF2_Reader_Open(path);
    int result = reader ? read_definitions(&reading, reader, path, error) : fail(error, path);
    run->start = run->end = fth_archive_time(&reading.archive, reading.archive.offset);
    if (!result)
        result = read_events(&reading, reader, path, error);
    say_unseen(&reading);
    if (!result && !imported->calls)
        result = fth_fail(error, "'%s' has no calls", path);
    return result || run->folder.failed ? -1 : 0;
}

/* ---- between the two ---- */

static void put_texts(FILE *to, char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%s%c", texts[i], 0);
}

static void report(FILE *to, int result, const struct fth_imported_run *run,
                   const struct fth_imported *imported, const struct fth_error *error)
{
    fprintf(to, "%d %" PRId64 " %" PRId64 " %" PRIu64 "%c", result, run->start, run->end,
            imported->calls, 0);
    if (result)
        fprintf(to, "%s%c", error ? fth_error_text(error) : "it was interrupted", 0);
    else
        put_texts(to, imported->unseen, imported->unseen_count);
}

static int take_report(FILE *from, struct fth_imported_run *run, struct fth_imported *imported,
                       struct fth_error **error)
{
    char *text = NULL;
    size_t room = 0;
    int result = 1;
    if (getdelim(&text, &room, 0, from) < 0 ||
        sscanf(text, "%d %" SCNd64 " %" SCNd64 " %" SCNu64, &result, &run->start, &run->end,
               &imported->calls) != 4) {
        free(text);
        return 1; /* it has crashed */
    }
    while (getdelim(&text, &room, 0, from) >= 0) {
        if (result && !*error)
            fth_fail(error, "%s", text);
        else if (!result)
            fth_imported_unseen(imported, fth_text_copy(text));
    }
    free(text);
    return result ? -1 : 0;
}

static int read_apart(const char *path, struct fth_imported_run *run, struct fth_imported *imported,
                      struct fth_error **error)
{
    int ends[2], status;
    if (pipe(ends) != 0)
        return fth_fail_errno(error, "cannot make a pipe");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        FILE *to = fdopen(ends[1], "w");
        int result = read_archive(path, run, imported, error);
        report(to, result, run, imported, *error);
        fclose(to);
        _exit(0);
    }
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    int result = child < 0 ? fth_fail_errno(error, "cannot make a process")
                           : take_report(from, run, imported, error);
    fclose(from);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return result <= 0
               ? result
               : fth_fail(error, "'%s' is damaged: the OTF2 library ended while it read it", path);
}

/* The folder that `fathom export` writes has an archive of this name. */
static int import(const char *path, struct fth_imported_run *run, struct fth_imported *imported,
                  struct fth_progress *progress, struct fth_error **error)
{
    struct stat facts;
    bool is_folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    char *anchor = fth_text_format("%s%s", path, is_folder ? "/traces.otf2" : "");
    (void)progress;
    int result = read_apart(anchor, run, imported, error);
    free(anchor);
    return result;
}
#else
static int import(const char *path, struct fth_imported_run *run, struct fth_imported *imported,
                  struct fth_progress *progress, struct fth_error **error)
{
    (void)run;
    (void)imported;
    (void)progress;
    return fth_fail(error, "cannot read '%s': this fathom was built without the OTF2 library",
                    path);
}
#endif

/* The first chunk of an anchor file: its mark, the order of bytes, the name of the format. */
static bool knows(const char *path)
{
    char bytes[6];
    return fth_imported_has_file(path, "traces.otf2") ||
           (fth_imported_beginning(path, bytes, sizeof bytes) == sizeof bytes && bytes[0] == 3 &&
            memcmp(bytes + 2, "OTF2", 4) == 0);
}

static const char *const extensions[] = {".otf2", NULL};

const struct fth_importer fth_importer_otf2 = {
    .name = "otf2",
    .help = "An archive of OTF2 (Score-P): its file or folder with the extension .otf2",
    .knows = knows,
    .extensions = extensions,
    .import = import,
};
