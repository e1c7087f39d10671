/* Reading logs of strace: see the header. Files of threads are merged by a heap of their next
 * lines. */
#include "import/strace/strace_lines.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK_OF_ONE = 1 << 20, CHUNK_OF_MANY = 32 << 10, MOST_LINE = 64 << 20 };

struct source {
    char *name;
    int descriptor;
    int64_t thread;
    char *buffer;
    size_t at, filled, room;
    bool ended;
    uint64_t number; /* of the line */
    struct fth_strace_text line;
    bool is_cut;
    int64_t time, days; /* of the line; days: ns that were midnight before */
};

struct fth_strace_lines {
    struct source *sources;
    size_t count;
    size_t *heap; /* sources that have a line, the earliest first */
    size_t waiting;
    struct source *last; /* whose line was given */
    uint64_t bytes, read;
    size_t chunk;
};

static int add_source(struct fth_strace_lines *lines, const char *name, int64_t thread,
                      struct fth_error **error)
{
    struct stat facts;
    int descriptor = strcmp(name, "-") == 0 ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return fth_fail_errno(error, "cannot open '%s'", name);
    if (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode))
        lines->bytes += (uint64_t)facts.st_size;
    FTH_GROW(lines->sources, lines->count);
    lines->sources[lines->count++] =
        (struct source){.name = fth_text_copy(name), .descriptor = descriptor, .thread = thread};
    return 0;
}

/* ---- lines of one file ---- */

static int fill(struct fth_strace_lines *lines, struct source *source, struct fth_error **error)
{
    if (source->at) {
        memmove(source->buffer, source->buffer + source->at, source->filled - source->at);
        source->filled -= source->at;
        source->at = 0;
    }
    if (source->filled == source->room) {
        if (source->room >= MOST_LINE)
            return fth_fail(error, "%s:%llu: the line is longer than %d MiB", source->name,
                            (unsigned long long)source->number + 1, MOST_LINE >> 20);
        source->room = source->room ? source->room * 2 : lines->chunk;
        source->buffer = fth_resize(source->buffer, source->room, 1);
    }
    ssize_t got;
    do
        got = read(source->descriptor, source->buffer + source->filled,
                   source->room - source->filled);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return fth_fail_errno(error, "cannot read '%s'", source->name);
    source->ended = got == 0;
    source->filled += (size_t)got;
    lines->read += (uint64_t)got;
    return 0;
}

/* 1: source->line; 0: there is no more. */
static int next_of(struct fth_strace_lines *lines, struct source *source, struct fth_error **error)
{
    size_t looked = 0;
    if (!source->buffer && fill(lines, source, error))
        return -1;
    for (;;) {
        char *start = source->buffer + source->at;
        size_t length = source->filled - source->at;
        char *end = length > looked ? memchr(start + looked, '\n', length - looked) : NULL;
        if (end || (source->ended && length)) {
            source->is_cut = !end;
            source->line = (struct fth_strace_text){start, end ? end : start + length};
            source->at += end ? (size_t)(end - start) + 1 : length;
            if (source->line.end > source->line.at && source->line.end[-1] == '\r')
                source->line.end--;
            source->number++;
            return 1;
        }
        if (source->ended)
            return 0;
        looked = length;
        if (fill(lines, source, error))
            return -1;
    }
}

/* ---- several ---- */

static bool is_before(const struct fth_strace_lines *lines, size_t one, size_t other)
{
    const struct source *a = &lines->sources[one], *b = &lines->sources[other];
    return a->time != b->time ? a->time < b->time : one < other;
}

static void sift_down(struct fth_strace_lines *lines, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < lines->waiting; at = child) {
        if (child + 1 < lines->waiting &&
            is_before(lines, lines->heap[child + 1], lines->heap[child]))
            child++;
        if (!is_before(lines, lines->heap[child], lines->heap[at]))
            return;
        size_t kept = lines->heap[at];
        lines->heap[at] = lines->heap[child];
        lines->heap[child] = kept;
    }
}

static int64_t since_first_midnight(struct source *source, int64_t time)
{
    const int64_t day = INT64_C(86400) * 1000000000;
    if (time + source->days < source->time - day / 2)
        source->days += day;
    return source->time = time + source->days;
}

int64_t fth_strace_lines_of_day(struct fth_strace_lines *lines, int64_t time)
{
    return since_first_midnight(lines->last, time);
}

/* A line without a time goes with the one before it. */
static void take_time(struct source *source)
{
    int64_t time;
    bool is_of_day;
    if (fth_strace_line_time(source->line, &time, &is_of_day))
        source->time = is_of_day ? since_first_midnight(source, time) : time;
}

static int begin_all(struct fth_strace_lines *lines, struct fth_error **error)
{
    lines->heap = fth_new(lines->count + 1, sizeof *lines->heap);
    for (size_t i = 0; i < lines->count && lines->count > 1; i++) {
        int got = next_of(lines, &lines->sources[i], error);
        if (got < 0)
            return -1;
        if (!got)
            continue;
        take_time(&lines->sources[i]);
        lines->heap[lines->waiting++] = i;
    }
    for (size_t i = lines->waiting / 2; i-- > 0;)
        sift_down(lines, i);
    return 0;
}

static int next_of_all(struct fth_strace_lines *lines, struct fth_error **error)
{
    if (lines->last) {
        int got = next_of(lines, lines->last, error);
        if (got < 0)
            return -1;
        if (got)
            take_time(lines->last);
        else
            lines->heap[0] = lines->heap[--lines->waiting];
        sift_down(lines, 0);
    }
    if (!lines->waiting)
        return 0;
    lines->last = &lines->sources[lines->heap[0]];
    return 1;
}

int fth_strace_lines_next(struct fth_strace_lines *lines, struct fth_strace_text *text,
                          int64_t *thread, struct fth_error **error)
{
    int got;
    if (lines->count == 1) {
        lines->last = &lines->sources[0];
        got = next_of(lines, lines->last, error);
    } else {
        got = next_of_all(lines, error);
    }
    if (got > 0) {
        *text = lines->last->line;
        *thread = lines->last->thread;
    }
    return got;
}

const char *fth_strace_lines_file(const struct fth_strace_lines *lines, uint64_t *number,
                                  bool *is_cut)
{
    *number = lines->last ? lines->last->number : 0;
    *is_cut = lines->last && lines->last->is_cut;
    return lines->last ? lines->last->name : "";
}

uint64_t fth_strace_lines_bytes(const struct fth_strace_lines *lines, uint64_t *read)
{
    *read = lines->read;
    return lines->bytes;
}

/* ---- which files ---- */

/* The number behind the last point of a name; -1: it has none. */
static int64_t number_of(const char *name)
{
    const char *point = strrchr(name, '.');
    char *end;
    if (!point || point[1] < '0' || point[1] > '9')
        return -1;
    errno = 0;
    long number = strtol(point + 1, &end, 10);
    return *end || errno || number > INT32_MAX ? -1 : number;
}

/* Files in `folder` whose names are `beginning`, a point and a number; any beginning, if it is
 * empty. */
static int add_folder(struct fth_strace_lines *lines, const char *folder, const char *beginning,
                      struct fth_error **error)
{
    DIR *directory = opendir(folder);
    size_t length = strlen(beginning);
    int result = 0;
    if (!directory)
        return fth_fail_errno(error, "cannot read the folder '%s'", folder);
    for (const struct dirent *entry; !result && (entry = readdir(directory));) {
        int64_t number = number_of(entry->d_name);
        const char *point = strrchr(entry->d_name, '.');
        if (number < 0 || (length && ((size_t)(point - entry->d_name) != length ||
                                      memcmp(entry->d_name, beginning, length) != 0)))
            continue;
        char *path = fth_text_format("%s/%s", folder, entry->d_name);
        result = add_source(lines, path, number, error);
        free(path);
    }
    closedir(directory);
    return result;
}

static int by_thread(const void *one, const void *other)
{
    const struct source *a = one, *b = other;
    return a->thread != b->thread ? (a->thread < b->thread ? -1 : 1) : strcmp(a->name, b->name);
}

static int find_files(struct fth_strace_lines *lines, const char *path, struct fth_error **error)
{
    struct stat facts;
    if (strcmp(path, "-") == 0)
        return add_source(lines, path, -1, error);
    bool is_there = stat(path, &facts) == 0;
    if (is_there && !S_ISDIR(facts.st_mode))
        return add_source(lines, path, -1, error);
    const char *slash = strrchr(path, '/');
    char *folder = is_there ? fth_text_copy(path)
                   : slash  ? fth_text_part(path, (size_t)(slash - path) + 1)
                            : fth_text_copy(".");
    int result = add_folder(lines, folder, is_there ? "" : slash ? slash + 1 : path, error);
    free(folder);
    if (!result && !lines->count)
        result = is_there ? fth_fail(error,
                                     "no file in '%s' has a name like those of strace -ff: "
                                     "LOG.PID",
                                     path)
                          : fth_fail(error,
                                     "cannot open '%s': No such file or directory, and there is "
                                     "no '%s.PID' of strace -ff",
                                     path, path);
    return result;
}

struct fth_strace_lines *fth_strace_lines_open(const char *path, struct fth_error **error)
{
    struct fth_strace_lines *lines = fth_new(1, sizeof *lines);
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    int result = find_files(lines, path, error);
    if (lines->count)
        qsort(lines->sources, lines->count, sizeof *lines->sources, by_thread);
    lines->chunk = lines->count == 1 ? CHUNK_OF_ONE : CHUNK_OF_MANY;
    if (result || begin_all(lines, error)) {
        fth_strace_lines_close(lines);
        return NULL;
    }
    return lines;
}

void fth_strace_lines_close(struct fth_strace_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        close(lines->sources[i].descriptor);
        free(lines->sources[i].name);
        free(lines->sources[i].buffer);
    }
    free(lines->sources);
    free(lines->heap);
    free(lines);
}
