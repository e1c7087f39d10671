/* Logs of Darshan are read by Darshan's own package for Python, in a process of its own: the format
 * changes with its versions, and its library trusts what it reads. The text of the program is in
 * this one (darshan_lines.py). It prints lines, which are checked here like any input. */
#include "import/darshan/darshan_log.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern const char fth_darshan_lines_program[];

enum {
    MOST_PROCESSES = 1 << 22,
    MOST_FIELDS = FTH_DARSHAN_COUNTERS + 8,
    NO_PYTHON = 127,
};
/* As those of a recording (trace/spill). */
#define MOST_TIME (1LL << 60)
#define MOST_SINCE_1970 (1LL << 62)

static const char *const module_names[] = {"POSIX", "MPI-IO", "STDIO"};

/* What is read, and where. */
struct reading {
    struct fth_darshan_log *log;
    const char *path;
    char *fields[MOST_FIELDS];
    int count;
    uint64_t line;
    struct fth_darshan_access next; /* what all accesses behind "trace" have in common */
    bool in_trace;
    struct fth_error **error;
};

static int fail(struct reading *reading)
{
    return fth_fail(reading->error,
                    "cannot read '%s': line %" PRIu64 " of what the package darshan says of it "
                    "is not valid",
                    reading->path, reading->line);
}

/* ---- fields ---- */

/* In its place: a backslash stands before n, t and itself. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++) {
        if (*at == '\\' && at[1]) {
            at++;
            *to++ = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at;
        } else {
            *to++ = *at;
        }
    }
    *to = 0;
}

static bool split(struct reading *reading, char *line)
{
    reading->count = 0;
    for (char *at = line; at;) {
        if (reading->count == MOST_FIELDS)
            return false;
        reading->fields[reading->count++] = at;
        at = strchr(at, '\t');
        if (at)
            *at++ = 0;
    }
    return true;
}

static bool number(const struct reading *reading, int field, int64_t least, int64_t most,
                   int64_t *value)
{
    char *end;
    if (field >= reading->count)
        return false;
    errno = 0;
    *value = strtoll(reading->fields[field], &end, 10);
    return end != reading->fields[field] && !*end && !errno && *value >= least && *value <= most;
}

static bool module_of(const struct reading *reading, enum fth_darshan_module *module)
{
    for (int i = 0; reading->count > 1 && i < FTH_DARSHAN_MODULES; i++)
        if (strcmp(reading->fields[1], module_names[i]) == 0) {
            *module = (enum fth_darshan_module)i;
            return true;
        }
    return false;
}

static bool is(const struct reading *reading, const char *kind, int count)
{
    return strcmp(reading->fields[0], kind) == 0 && reading->count == count;
}

/* ---- lines ---- */

static bool take_job(struct reading *reading)
{
    struct fth_darshan_log *log = reading->log;
    if (log->processes || !number(reading, 2, 1, MOST_PROCESSES, &log->processes) ||
        !number(reading, 3, 0, MOST_SINCE_1970, &log->start) ||
        !number(reading, 4, 0, MOST_SINCE_1970, &log->end) || log->end - log->start > MOST_TIME)
        return false;
    unescape(reading->fields[1]);
    log->version = fth_text_copy(reading->fields[1]);
    log->hosts = fth_new((size_t)log->processes, sizeof *log->hosts);
    return true;
}

static bool take_module(struct reading *reading)
{
    struct fth_darshan_log *log = reading->log;
    enum fth_darshan_module module;
    bool traces = strncmp(reading->fields[1], "DXT_", 4) == 0;
    if (module_of(reading, &module))
        log->has[module] = true;
    log->has_traces |= traces;
    log->is_partial |= traces && strcmp(reading->fields[2], "1") == 0;
    return true;
}

static bool take_file(struct reading *reading)
{
    struct fth_darshan_log *log = reading->log;
    if (log->file_count >= INT32_MAX)
        return false;
    unescape(reading->fields[1]);
    FTH_GROW(log->files, log->file_count);
    log->files[log->file_count++] = fth_text_copy(reading->fields[1]);
    return true;
}

static bool take_counters(struct reading *reading)
{
    struct fth_darshan_log *log = reading->log;
    struct fth_darshan_record record;
    if (!module_of(reading, &record.module) ||
        !number(reading, 2, -1, log->processes - 1, &record.rank) ||
        !number(reading, 3, FTH_DARSHAN_NO_FILE, (int64_t)log->file_count - 1, &record.file))
        return false;
    for (int i = 0; i < FTH_DARSHAN_COUNTERS; i++) {
        if (!number(reading, 4 + i, INT64_MIN, INT64_MAX, &record.counters[i]))
            return false;
        if (record.counters[i] < 0)
            record.counters[i] = -1;
    }
    FTH_GROW(log->records, log->record_count);
    log->records[log->record_count++] = record;
    return true;
}

static bool take_trace(struct reading *reading)
{
    struct fth_darshan_log *log = reading->log;
    int64_t rank, file;
    if (!number(reading, 2, 0, log->processes - 1, &rank) ||
        !number(reading, 3, FTH_DARSHAN_NO_FILE, (int64_t)log->file_count - 1, &file))
        return false;
    unescape(reading->fields[4]);
    if (!log->hosts[rank] && *reading->fields[4])
        log->hosts[rank] = fth_text_copy(reading->fields[4]);
    reading->next =
        (struct fth_darshan_access){.rank = (int32_t)rank,
                                    .file = (int32_t)file,
                                    .is_mpi = strcmp(reading->fields[1], "DXT_MPIIO") == 0};
    reading->in_trace = true;
    return true;
}

static bool take_access(struct reading *reading, bool writes)
{
    struct fth_darshan_log *log = reading->log;
    struct fth_darshan_access access = reading->next;
    if (!reading->in_trace || !number(reading, 1, INT64_MIN, INT64_MAX, &access.offset) ||
        !number(reading, 2, 0, INT64_MAX, &access.bytes) ||
        !number(reading, 3, -MOST_TIME, MOST_TIME, &access.start) ||
        !number(reading, 4, -MOST_TIME, MOST_TIME, &access.end) ||
        (access.offset < 0 && !access.is_mpi))
        return false;
    access.writes = writes;
    access.start = access.start < 0 ? 0 : access.start;
    access.end = access.end < access.start ? access.start : access.end;
    FTH_GROW(log->accesses, log->access_count);
    log->accesses[log->access_count++] = access;
    return true;
}

/* Of a line that is not the last one. */
static bool take(struct reading *reading)
{
    if (is(reading, "r", 5) || is(reading, "w", 5))
        return take_access(reading, *reading->fields[0] == 'w');
    if (is(reading, "job", 5))
        return take_job(reading);
    if (!reading->log->processes)
        return false;
    if (is(reading, "command", 2)) {
        unescape(reading->fields[1]);
        free(reading->log->command);
        reading->log->command = fth_text_copy(reading->fields[1]);
        return true;
    }
    if (is(reading, "module", 3))
        return take_module(reading);
    if (is(reading, "file", 2))
        return take_file(reading);
    if (is(reading, "counters", 4 + FTH_DARSHAN_COUNTERS))
        return take_counters(reading);
    return is(reading, "trace", 5) && take_trace(reading);
}

static int refuse(struct reading *reading)
{
    unescape(reading->fields[1]);
    return fth_fail(reading->error, "cannot read '%s': %s", reading->path, reading->fields[1]);
}

/* 0: the log was read to its end; 1: the lines stop before that; -1: *error. */
static int take_lines(struct reading *reading, FILE *from, const bool *stopped,
                      struct fth_progress *progress)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    int result = 1;
    while (result == 1 && !*stopped && (length = getline(&line, &room, from)) > 0) {
        reading->line++;
        fth_progress_add(progress, 1);
        if (line[length - 1] != '\n')
            break;
        line[length - 1] = 0;
        if (strlen(line) + 1 != (size_t)length || !split(reading, line) ||
            (reading->line == 1) != (is(reading, "fathom-darshan", 2)))
            result = fail(reading);
        else if (is(reading, "end", 1) && reading->log->processes)
            result = 0;
        else if (is(reading, "fail", 2))
            result = refuse(reading);
        else if (reading->line > 1 && !take(reading))
            result = fail(reading);
    }
    free(line);
    return result;
}

int fth_darshan_log_parse(const char *path, int lines, struct fth_darshan_log *log, bool *stopped,
                          struct fth_progress *progress, struct fth_error **error)
{
    struct reading reading = {.log = log, .path = path, .error = error};
    *log = (struct fth_darshan_log){0};
    FILE *from = fdopen(lines, "r");
    if (!from) {
        close(lines);
        return fth_fail_errno(error, "cannot read '%s'", path);
    }
    int result = take_lines(&reading, from, stopped, progress);
    fclose(from);
    return result;
}

/* ---- the other process ---- */

/* What the library of Darshan says is not for users: where it fails, this program says so. */
static pid_t start_reader(const char *path, int out)
{
    pid_t child = fork();
    if (child)
        return child;
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    execlp("python3", "python3", "-c", fth_darshan_lines_program, path, (char *)NULL);
    _exit(NO_PYTHON);
}

static int judge(const char *path, int result, int status, struct fth_error **error)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_PYTHON)
        return fth_fail(error,
                        "cannot read '%s': there is no python3, whose package darshan reads "
                        "such logs (pip install darshan)",
                        path);
    if (result > 0)
        return fth_fail(error, "'%s' is damaged: the package darshan ended while it read it", path);
    return result;
}

int fth_darshan_log_read(const char *path, struct fth_darshan_log *log, bool *stopped,
                         struct fth_progress *progress, struct fth_error **error)
{
    int ends[2], status = 0;
    *log = (struct fth_darshan_log){0};
    if (access(path, R_OK) != 0)
        return fth_fail_errno(error, "cannot open '%s'", path);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fth_fail_errno(error, "cannot make a pipe");
    fflush(NULL);
    pid_t child = start_reader(path, ends[1]);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return fth_fail_errno(error, "cannot make a process");
    }
    int result = fth_darshan_log_parse(path, ends[0], log, stopped, progress, error);
    if (result)
        kill(child, SIGTERM); /* it may still read */
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return judge(path, result, status, error);
}

void fth_darshan_log_free(struct fth_darshan_log *log)
{
    for (int64_t i = 0; log->hosts && i < log->processes; i++)
        free(log->hosts[i]);
    for (size_t i = 0; i < log->file_count; i++)
        free(log->files[i]);
    free(log->hosts);
    free(log->files);
    free(log->records);
    free(log->accesses);
    free(log->version);
    free(log->command);
    *log = (struct fth_darshan_log){0};
}
