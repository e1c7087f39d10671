/* Any bytes are either a log of strace, what the reader of Darshan's logs prints, the files of a
 * trace of Recorder with @@@@ between them, or an error that says where; and what is imported can
 * be merged, whatever stands in the log, to a trace that is read to its end. For libFuzzer; the
 * test fuzz.import builds and runs it. */
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

static char folder[64], output[96];
static char recorder[64]; /* a folder of Recorder */

/* In memory where that can be had. */
static void make_folder(void)
{
    snprintf(folder, sizeof folder, "%s/fuzz-import-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(folder))
        abort();
    snprintf(output, sizeof output, "%s/trace", folder);
}

static void remove_files(const char *of)
{
    DIR *directory = opendir(of);
    for (const struct dirent *entry; directory && (entry = readdir(directory));)
        unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    rmdir(of);
}

static void remove_recorder(void)
{
    remove_files(recorder);
}

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

/* In the folder of Recorder; its files are there after the first time. */
static int import_recorder(const uint8_t *bytes, size_t length, struct fth_imported_run *run,
                           struct fth_imported *imported, struct fth_progress *progress,
                           struct fth_error **error)
{
    static const char *const names[] = {"recorder.mt", "0.mt", "0.itf"};
    if (!*recorder) {
        snprintf(recorder, sizeof recorder, "%s/fuzz-recorder-XXXXXX",
                 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
        if (!mkdtemp(recorder))
            abort();
        atexit(remove_recorder);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const uint8_t *end = memmem(bytes, length, "@@@@", 4);
        size_t part = end ? (size_t)(end - bytes) : length;
        char path[96];
        snprintf(path, sizeof path, "%s/%s", recorder, names[i]);
        FILE *file = fopen(path, "w");
        if (!file || fwrite(bytes, 1, part, file) != part || fclose(file))
            abort();
        bytes += end ? part + 4 : part;
        length -= end ? part + 4 : part;
    }
    return fth_importer_recorder.import(recorder, run, imported, progress, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char darshan[] = "fathom-darshan";
    /* the resolution of Recorder, 1e-6, as it is in its first file */
    static const uint8_t resolution[] = {0x8d, 0xed, 0xb5, 0xa0, 0xf7, 0xc6, 0xb0, 0x3e};
    struct fth_error *error = NULL;
    struct fth_imported imported = {0};
    struct fth_progress progress;
    char path[64];
    int log = memfd_create("log", 0);
    if (log < 0 || write(log, bytes, length) != (ssize_t)length)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", log);
    make_folder();
    struct fth_imported_run run = {.folder = {.path = folder, .error = &error}};
    fth_progress_begin(&progress, "reading", 0);
    bool is_darshan =
        length >= sizeof darshan - 1 && memcmp(bytes, darshan, sizeof darshan - 1) == 0;
    bool is_recorder =
        length >= sizeof resolution && memcmp(bytes, resolution, sizeof resolution) == 0;
    int result = is_darshan ? import_darshan(path, &run, &imported, &progress, &error)
                 : is_recorder
                     ? import_recorder(bytes, length, &run, &imported, &progress, &error)
                     : fth_importer_strace.import(path, &run, &imported, &progress, &error);
    fth_progress_end(&progress);
    if ((result == 0) != (error == NULL))
        abort();
    if (!result)
        merge(&run, imported.calls);
    fth_imported_free(&imported);
    fth_error_free(error);
    remove_files(folder);
    close(log);
    return 0;
}
