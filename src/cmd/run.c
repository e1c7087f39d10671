/* The spill folder, run.json and the merge. */
#include "cmd/run.h"

#include "base/progress.h"
#include "base/sink.h"
#include "trace/format.h"
#include "trace/spill.h"
#include "trace/spill_files.h"
#include "views/words.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    LONGEST_SPILL = 200, /* the tracer keeps it in a fixed place */
    PATIENCE = 100,      /* ms for processes that are about to end */
    BETWEEN_LOOKS = 5,   /* ms */
};

static const char json_name[] = "run.json", fresh_name[] = "run.json.new";

/* ---- texts and paths ---- */

json_t *fth_run_text(const char *text)
{
    json_t *plain = json_string(text);
    if (plain)
        return plain;
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    for (size_t left = strlen(text), length; left; text += length, left -= length) {
        length = fth_utf8_length(text, left);
        if (length) {
            fth_sink_bytes(&sink, text, length);
            continue;
        }
        unsigned char byte = (unsigned char)*text;
        fth_sink_char(&sink, (char)(0xc0 | byte >> 6));
        fth_sink_char(&sink, (char)(0x80 | (byte & 0x3f)));
        length = 1;
    }
    json_t *made = json_stringn(sink.bytes, sink.used);
    fth_sink_close_memory(&sink);
    return made ? made : json_null();
}

/* Drops "." and doubled slashes, and takes ".." literally, in an absolute path. A slash at the end
 * stays. */
static void tidy(char *path)
{
    bool folder = path[strlen(path) - 1] == '/';
    char *to = path;
    for (const char *from = path; *from;) {
        size_t length = strcspn(++from, "/");
        if (length == 2 && strncmp(from, "..", 2) == 0) {
            while (to > path && *--to != '/')
                ;
        } else if (length && !(length == 1 && *from == '.')) {
            *to++ = '/';
            memmove(to, from, length);
            to += length;
        }
        from += length;
    }
    if (to == path || folder)
        *to++ = '/';
    *to = 0;
}

char *fth_run_absolute(const char *path)
{
    char *here = *path == '/' ? strdup("") : getcwd(NULL, 0), *absolute = NULL;
    if (here && asprintf(&absolute, "%s/%s", here, path) >= 0)
        tidy(absolute);
    free(here);
    return absolute;
}

/* ---- the output ---- */

static int check_existing(const char *output, struct fth_error **error)
{
    char magic[8];
    struct stat status;
    if (stat(output, &status) != 0)
        return 0;
    if (S_ISDIR(status.st_mode))
        return fth_fail(error, "cannot write the trace '%s': it is a folder", output);
    if (!S_ISREG(status.st_mode))
        return fth_fail(error, "cannot write the trace '%s': it is not a plain file", output);
    int file = open(output, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, magic, sizeof magic);
    if (file >= 0)
        close(file);
    if (length > 0 &&
        (length < (ssize_t)sizeof magic || memcmp(magic, FTH_TRACE_MAGIC, sizeof magic) != 0))
        return fth_fail(error, "'%s' exists and is not a trace: choose another name with --output",
                        output);
    return 0;
}

int fth_run_check_output(const char *output, struct fth_error **error)
{
    char *probe;
    if (check_existing(output, error))
        return -1;
    if (asprintf(&probe, "%s.XXXXXX", output) < 0)
        return fth_fail(error, "out of memory");
    int file = mkostemp(probe, O_CLOEXEC);
    int result = file < 0 ? fth_fail_errno(error, "cannot write the trace '%s'", output) : 0;
    if (file >= 0) {
        close(file);
        unlink(probe);
    }
    free(probe);
    return result;
}

/* ---- the spill folder ---- */

void fth_run_forget_spill(struct fth_cmd_run *run)
{
    free(run->spill);
    free(run->parts);
    run->spill = run->parts = NULL;
}

static int name_parts(struct fth_cmd_run *run, struct fth_error **error)
{
    const char *name = strrchr(run->spill, '-') + 1;
    if (asprintf(&run->parts, "%s.%s.part", run->output, name) >= 0)
        return 0;
    run->parts = NULL;
    return fth_fail(error, "out of memory");
}

const char *fth_run_default_parent(void)
{
    const char *parent = getenv("TMPDIR");
    return parent && *parent ? parent : "/tmp";
}

int fth_run_name_spill(struct fth_cmd_run *run, const char *parent, const char *name,
                       struct fth_error **error)
{
    if (!parent)
        parent = fth_run_default_parent();
    char *absolute = fth_run_absolute(parent);
    if (!absolute || asprintf(&run->spill, "%s/fathom-%s", absolute, name) < 0)
        run->spill = NULL;
    free(absolute);
    if (run->spill)
        tidy(run->spill);
    if (!run->spill)
        fth_fail(error, "cannot make a spill folder in '%s'", parent);
    else if (strlen(run->spill) > LONGEST_SPILL)
        fth_fail(error, "cannot make a spill folder in '%s': its name is too long", parent);
    else if (name_parts(run, error) == 0)
        return 0;
    fth_run_forget_spill(run);
    return -1;
}

int fth_run_make_spill(struct fth_cmd_run *run, const char *parent, struct fth_error **error)
{
    if (fth_run_name_spill(run, parent, "XXXXXX", error))
        return -1;
    free(run->parts);
    run->parts = NULL;
    if (!mkdtemp(run->spill))
        fth_fail_errno(error, "cannot make a spill folder in '%.*s'",
                       (int)(strrchr(run->spill, '/') - run->spill), run->spill);
    else if (name_parts(run, error) == 0)
        return 0;
    fth_run_forget_spill(run);
    return -1;
}

static char *path_in_spill(const char *spill, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", spill, name) < 0 ? NULL : path;
}

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), size = strlen(ending);
    return length > size && strcmp(name + length - size, ending) == 0;
}

static bool is_spill_file(const char *name)
{
    return ends_with(name, ".process") || ends_with(name, ".stream") ||
           ends_with(name, ".world") || /* where ranks of a node counted themselves */
           strcmp(name, json_name) == 0 || strcmp(name, fresh_name) == 0;
}

/* Calls `visit` for each file that recording has made. */
static void visit_spill(const struct fth_cmd_run *run,
                        void (*visit)(int folder, const char *name, void *context), void *context)
{
    DIR *folder = opendir(run->spill);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (is_spill_file(entry->d_name))
            visit(dirfd(folder), entry->d_name, context);
    closedir(folder);
}

static void remove_file(int folder, const char *name, void *context)
{
    (void)context;
    unlinkat(folder, name, 0);
}

void fth_run_remove_spill(const struct fth_cmd_run *run)
{
    char *records = path_in_spill(run->spill, "records"); /* of ranks: last, as others come by it */
    visit_spill(run, remove_file, NULL);
    if (records)
        unlink(records);
    free(records);
    rmdir(run->spill);
}

static void add_blocks(int folder, const char *name, void *context)
{
    struct stat status;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0)
        *(uint64_t *)context += (uint64_t)status.st_blocks * 512;
}

uint64_t fth_run_spill_bytes(const struct fth_cmd_run *run)
{
    uint64_t bytes = 0;
    visit_spill(run, add_blocks, &bytes);
    return bytes;
}

/* ---- processes ---- */

static bool read_process(int folder, const char *name, struct fth_spill_process *process)
{
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t length = file < 0 ? -1 : read(file, process, sizeof *process);
    if (file >= 0)
        close(file);
    return length == (ssize_t)sizeof *process && process->magic == FTH_SPILL_PROCESS_MAGIC;
}

static void look_for_living(int folder, const char *name, void *context)
{
    struct fth_spill_process process;
    bool *found = context;
    if (!*found && ends_with(name, ".process") && read_process(folder, name, &process))
        *found = process.ended != FTH_END_EXEC && fth_process_is_alive(process.pid);
}

bool fth_run_goes_on(const struct fth_cmd_run *run)
{
    bool found = false;
    visit_spill(run, look_for_living, &found);
    return found;
}

void fth_run_wait_for_stragglers(const struct fth_cmd_run *run)
{
    const struct timespec pause = {.tv_nsec = BETWEEN_LOOKS * 1000000};
    for (int waited = 0; waited < PATIENCE; waited += BETWEEN_LOOKS) {
        if (!fth_run_goes_on(run))
            return;
        nanosleep(&pause, NULL);
    }
}

struct killed {
    int64_t pid;
    int signal_number;
};

static void note_killed(int folder, const char *name, void *context)
{
    const struct killed *killed = context;
    struct fth_spill_process process;
    if (!ends_with(name, ".process") || !read_process(folder, name, &process) ||
        process.pid != killed->pid || process.ended == FTH_END_EXEC)
        return;
    process.ended = FTH_END_SIGNAL;
    process.status = killed->signal_number;
    int file = openat(folder, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return;
    /* What was mapped stays as it is, but for these two. */
    if (pwrite(file, &process.ended, sizeof process.ended,
               offsetof(struct fth_spill_process, ended)) < 0 ||
        pwrite(file, &process.status, sizeof process.status,
               offsetof(struct fth_spill_process, status)) < 0)
        errno = 0; /* the trace will not say what ended the process */
    close(file);
}

void fth_run_note_killed(const struct fth_cmd_run *run, int64_t pid, int signal_number)
{
    struct killed killed = {pid, signal_number};
    visit_spill(run, note_killed, &killed);
}

/* ---- run.json ---- */

int fth_run_save(const struct fth_cmd_run *run, struct fth_error **error)
{
    json_t *all =
        json_pack("{s:o, s:o, s:I, s:I, s:O, s:O}", "output", fth_run_text(run->output), "parts",
                  fth_run_text(run->parts), "start", (json_int_t)run->start, "end",
                  (json_int_t)run->end, "blind_spots", run->blind_spots, "meta", run->meta);
    char *path = path_in_spill(run->spill, json_name),
         *fresh = path_in_spill(run->spill, fresh_name);
    int result = 0;
    if (!all || !path || !fresh)
        result = fth_fail(error, "out of memory");
    else if (json_dump_file(all, fresh, JSON_INDENT(1)) || rename(fresh, path))
        result = fth_fail_errno(error, "cannot write '%s'", path);
    free(path);
    free(fresh);
    json_decref(all);
    return result;
}

/* When nobody saw the end: the last time that a spill file was touched. */
static void take_latest(int folder, const char *name, void *context)
{
    struct stat status;
    int64_t *latest = context;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    int64_t changed = status.st_mtim.tv_sec * INT64_C(1000000000) + status.st_mtim.tv_nsec;
    if (changed > *latest)
        *latest = changed;
}

static void take_end_of_process(int folder, const char *name, void *context)
{
    struct fth_spill_process process;
    int64_t *latest = context;
    take_latest(folder, name, context);
    if (ends_with(name, ".process") && read_process(folder, name, &process) &&
        process.last.realtime > *latest)
        *latest = process.last.realtime;
}

static int read_json(struct fth_cmd_run *run, const char *path, struct fth_error **error)
{
    json_error_t problem;
    const char *output = NULL, *parts = NULL;
    json_int_t start = 0, end = 0;
    json_t *all = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
    if (!all)
        return access(path, F_OK)
                   ? fth_fail(error,
                              "'%s' is not the spill folder of a recording: it has no "
                              "run.json",
                              run->spill)
                   : fth_fail(error, "cannot read '%s': %s", path, problem.text);
    if (json_unpack_ex(all, &problem, 0, "{s:s, s:s, s:I, s:I, s:O, s:O}", "output", &output,
                       "parts", &parts, "start", &start, "end", &end, "blind_spots",
                       &run->blind_spots, "meta", &run->meta)) {
        json_decref(all);
        return fth_fail(error, "'%s' is not from a recording: %s", path, problem.text);
    }
    run->output = strdup(output);
    run->parts = strdup(parts);
    run->start = start;
    run->end = end;
    json_decref(all);
    return run->output && run->parts && json_is_array(run->blind_spots) && json_is_object(run->meta)
               ? 0
               : fth_fail(error, "'%s' is not from a recording", path);
}

bool fth_run_is_saved(const struct fth_cmd_run *run)
{
    char *path = path_in_spill(run->spill, json_name);
    bool saved = path && access(path, F_OK) == 0;
    free(path);
    return saved;
}

int fth_run_load(struct fth_cmd_run *run, const char *spill, struct fth_error **error)
{
    struct stat status;
    if (stat(spill, &status) != 0)
        return fth_fail_errno(error, "cannot open the spill folder '%s'", spill);
    if (!S_ISDIR(status.st_mode))
        return fth_fail(error, "'%s' is not a folder: merge wants the spill folder of a recording",
                        spill);
    run->spill = fth_run_absolute(spill);
    char *path = run->spill ? path_in_spill(run->spill, json_name) : NULL;
    int result = path ? read_json(run, path, error) : fth_fail(error, "out of memory");
    free(path);
    if (result == 0 && !run->end)
        visit_spill(run, take_end_of_process, &run->end);
    return result;
}

void fth_run_visit_left(const char *parent,
                        void (*visit)(const struct fth_cmd_run *run, void *context), void *context)
{
    parent = parent ? parent : fth_run_default_parent();
    DIR *folder = opendir(parent);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct stat status;
        struct fth_cmd_run run = {0};
        struct fth_error *error = NULL;
        char *path = strncmp(entry->d_name, "fathom-", 7) == 0 ? path_in_spill(parent, entry->d_name) : NULL;
        if (path && lstat(path, &status) == 0 && S_ISDIR(status.st_mode) &&
            status.st_uid == geteuid() && fth_run_load(&run, path, &error) == 0)
            visit(&run, context);
        fth_error_free(error);
        fth_run_free(&run);
        free(path);
    }
    closedir(folder);
}

void fth_run_free(struct fth_cmd_run *run)
{
    free(run->spill);
    free(run->output);
    free(run->parts);
    json_decref(run->meta);
    json_decref(run->blind_spots);
    *run = (struct fth_cmd_run){0};
}

/* ---- the merge ---- */

static char interrupted_text[PATH_MAX + 200];

/* Somebody does not want to wait for the trace. */
static void interrupted(int number)
{
    if (write(STDERR_FILENO, interrupted_text, strlen(interrupted_text)) < 0)
        errno = 0;
    signal(number, SIG_DFL);
    raise(number);
}

/* Signals that were ignored stay so. */
static void catch_signals(const struct fth_cmd_run *run, bool caught)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    static bool taken[sizeof numbers / sizeof *numbers];
    snprintf(interrupted_text, sizeof interrupted_text,
             "\nfathom: interrupted; what was recorded is in %s; for the trace: fathom merge %s\n",
             run->spill, run->spill);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction now, ours = {.sa_handler = interrupted, .sa_flags = (int)SA_RESETHAND};
        if (caught && sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            taken[i] = sigaction(numbers[i], &ours, NULL) == 0;
        else if (!caught && taken[i])
            signal(numbers[i], SIG_DFL);
    }
}

static void show_progress(void *context, uint64_t done, uint64_t all)
{
    struct fth_progress *progress = context;
    progress->total = all;
    if (done > progress->done)
        fth_progress_add(progress, done - progress->done);
}

int fth_run_merge(const struct fth_cmd_run *run, struct fth_merge_report *report,
                  struct fth_error **error)
{
    size_t count = json_array_size(run->blind_spots);
    const char **blind_spots = calloc(count + 1, sizeof *blind_spots);
    char *meta = json_dumps(run->meta, JSON_COMPACT | JSON_REAL_PRECISION(15));
    int result = -1;
    if (!blind_spots || !meta) {
        fth_fail(error, "out of memory");
    } else {
        for (size_t i = 0; i < count; i++)
            blind_spots[i] = json_string_value(json_array_get(run->blind_spots, i));
        const struct fth_run facts = {
            .start_realtime = run->start,
            .end_realtime = run->end,
            .meta_json = meta,
            .resolution_ns =
                (uint64_t)json_integer_value(json_object_get(run->meta, "resolution_ns")),
            .parts = run->parts,
            .blind_spot_count = count,
            .blind_spots = blind_spots,
        };
        struct fth_progress progress;
        catch_signals(run, true);
        fth_progress_begin(&progress, "merging", 0);
        result =
            fth_merge(run->spill, run->output, &facts, report, show_progress, &progress, error);
        fth_progress_end(&progress);
        catch_signals(run, false);
        for (size_t i = 0; i < report->unseen_count; i++)
            json_array_append_new(run->blind_spots, fth_run_text(report->unseen[i]));
        fth_merge_report_free(report);
    }
    free(blind_spots);
    free(meta);
    return result;
}

/* ---- what is said afterwards ---- */

void fth_run_say_blind_spots(const struct fth_cmd_run *run)
{
    for (size_t i = 0; i < json_array_size(run->blind_spots); i++)
        fprintf(stderr, "fathom: not seen: %s\n",
                json_string_value(json_array_get(run->blind_spots, i)));
}

void fth_run_say_losses(const struct fth_merge_report *report, bool quiet)
{
    if (report->stopped)
        fprintf(stderr, "fathom: recording stopped early in %s: %s\n",
                fth_views_several(report->stopped, "process", "processes").text,
                report->stopped_why);
    if (report->lost && !quiet)
        fprintf(
            stderr,
            "fathom: lost: %s, made in signal handlers while another was being recorded, or too "
            "deep inside others\n",
            fth_views_several(report->lost, "call", "calls").text);
}
