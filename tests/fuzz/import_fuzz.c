/* Any bytes are either a log of strace, what the reader of Darshan's logs prints, the files of a
 * trace of Recorder or of a project of HDTrace behind lines "=== NAME", or an error that says
 * where; and what is imported can be merged, whatever stands in it, to a trace that is read to its
 * end. For libFuzzer; the test fuzz.import builds and runs it. */
#include "fathom/access.h"
#include "import/darshan/darshan.h"
#include "import/import.h"
#include "trace/merge/merge.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static char folder[64], input[64], output[96];

/* ---- folders ---- */

/* In memory where that can be had. */
static void make_folder(char *name)
{
    snprintf(name, sizeof folder, "%s/fuzz-import-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(name))
        abort();
}

static void remove_folder(const char *name)
{
    DIR *directory = opendir(name);
    for (const struct dirent *entry; directory && (entry = readdir(directory));)
        unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    rmdir(name);
}

/* ---- the trace ---- */

/* The calls are as many as were imported, and those of each process in order. */
static void read_trace(uint64_t calls)
{
    struct fth_error *error = NULL;
    struct fth_trace *trace = fth_trace_open(output, &error);
    struct fth_access access;
    uint64_t read = 0;
    if (!trace) {
        fprintf(stderr, "%s\n", fth_error_text(error));
        abort();
    }
    for (size_t i = 0; i < fth_trace_process_count(trace); i++) {
        struct fth_calls *each = fth_calls_open(trace, i, &error);
        struct fth_accesses *accesses = fth_accesses_open(trace, i, each);
        int got;
        while ((got = fth_accesses_next(accesses, &access, &error)) > 0)
            read++;
        fth_accesses_close(accesses);
        fth_calls_close(each);
        if (got < 0)
            abort();
    }
    if (read != calls)
        abort();
    fth_trace_close(trace);
}

static void merge(const struct fth_imported_run *run, uint64_t calls)
{
    struct fth_merge_report report = {0};
    struct fth_error *error = NULL;
    const struct fth_merge_run facts = {.start_realtime = run->start,
                                        .end_realtime = run->end,
                                        .meta_json = "{}",
                                        .times = {.resolution_ns = 1}};
    if (fth_merge(folder, output, &facts, &report, NULL, NULL, &error)) {
        fprintf(stderr, "%s\n", fth_error_text(error));
        abort();
    }
    if (report.calls != calls)
        abort();
    fth_merge_report_free(&report);
    read_trace(calls);
}

/* ---- importers ---- */

typedef int importing(const char *path, struct fth_imported_run *run, struct fth_imported *imported,
                      struct fth_progress *progress, struct fth_error **error);

static void import(importing *importer, const char *path)
{
    struct fth_error *error = NULL;
    struct fth_imported imported = {0};
    struct fth_progress progress;
    make_folder(folder);
    snprintf(output, sizeof output, "%s/trace", folder);
    struct fth_imported_run run = {.folder = {.path = folder, .error = &error}};
    fth_progress_begin(&progress, "reading", 0);
    int result = importer(path, &run, &imported, &progress, &error);
    fth_progress_end(&progress);
    if ((result == 0) != (error == NULL))
        abort();
    if (!result)
        merge(&run, imported.calls);
    fth_imported_free(&imported);
    fth_error_free(error);
    remove_folder(folder);
}

enum { MOST_PROCESSES = 200 }; /* each has a file */

/* What is printed of a log of Darshan. */
static int import_darshan(const char *path, struct fth_imported_run *run,
                          struct fth_imported *imported, struct fth_progress *progress,
                          struct fth_error **error)
{
    struct fth_darshan_log log;
    int lines = open(path, O_RDONLY);
    int result = fth_darshan_log_parse(path, lines, &log, &run->folder.failed, progress, error);
    if (result > 0 || (!result && log.processes > MOST_PROCESSES))
        result = fth_fail(error, "cut off, or too large for this test");
    if (!result)
        result = fth_darshan_make_trace(path, &log, run, imported, error);
    fth_darshan_log_free(&log);
    return result;
}

/* ---- inputs ---- */

static void import_file(importing *importer, const uint8_t *bytes, size_t length)
{
    char path[64];
    int file = memfd_create("log", 0);
    if (file < 0 || write(file, bytes, length) != (ssize_t)length)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    import(importer, path);
    close(file);
}

static const char separator[] = "=== ";

static const char *next_file(const char *at, const char *end)
{
    return at < end ? memmem(at, (size_t)(end - at), separator, sizeof separator - 1) : NULL;
}

/* `name` is a line. */
static void write_file(const char *name, const char *end)
{
    char path[256];
    const char *line = memchr(name, '\n', (size_t)(end - name));
    int length = line ? (int)(line - name) : 0;
    if (length < 1 || length > 60 || memchr(name, '/', (size_t)length) || *name == '.')
        return;
    snprintf(path, sizeof path, "%s/%.*s", input, length, name);
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    fwrite(line + 1, 1, (size_t)(end - line - 1), file);
    fclose(file);
}

static void import_files(const uint8_t *bytes, size_t length)
{
    const char *end = (const char *)bytes + length, *next;
    char path[96];
    make_folder(input);
    for (const char *at = (const char *)bytes; at; at = next) {
        const char *name = at + sizeof separator - 1;
        next = next_file(name, end);
        write_file(name, next ? next : end);
    }
    snprintf(path, sizeof path, "%s/run.proj", input);
    if (fth_importer_recorder.knows(input))
        import(fth_importer_recorder.import, input);
    else
        import(fth_importer_hdtrace.import, path);
    remove_folder(input);
}

static bool begins(const uint8_t *bytes, size_t length, const char *with)
{
    return length >= strlen(with) && memcmp(bytes, with, strlen(with)) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (begins(bytes, length, separator))
        import_files(bytes, length);
    else if (begins(bytes, length, "fathom-darshan"))
        import_file(import_darshan, bytes, length);
    else
        import_file(fth_importer_strace.import, bytes, length);
    return 0;
}
