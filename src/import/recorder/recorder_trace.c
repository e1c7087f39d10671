/* Folders of Recorder: see the header. All numbers are little-endian. A record is
 *
 *     status    1 byte: 0, or 0x80 and a bit for each argument that differs from another record's
 *     start     4 bytes, in units of the resolution since the rank began; end: the same
 *     result    4 bytes
 *     function  1 byte: its line in recorder.mt; where the status is not 0, how many records lie
 *               between this one and the one whose function and other arguments it has
 *     arguments each behind a blank; then a newline
 *
 * A damaged file is an error that names the byte: the number of records has to be that of N.mt, and
 * the last one ends where the file does. */
#include "import/recorder/recorder_trace.h"

#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    HEAD_OF_RUN = 24,    /* of recorder.mt: resolution, ranks, how records are kept, window */
    HEAD_OF_RANK = 1064, /* of N.mt: start, end, files, records, and what is of no use here */
    HEAD_OF_RECORD = 14,
    AS_TEXT = 0,
    AS_BINARY = 1,
    COMPRESSED = 2,
    MOST_RANKS = 1 << 22,
    IS_COMPRESSED = 0x80,
    MOST_CHANGED = 7, /* arguments that a status can tell of */
};
#define MOST_BYTES (4LL << 30)
/* As times of a recording (trace/spill). */
#define MOST_SECONDS 4e9
#define MOST_RUN 1e9

/* ---- files ---- */

/* A zero stands behind the bytes. NULL: *error. */
static char *read_file(const char *path, size_t *length, struct fth_error **error)
{
    FILE *file = fopen(path, "rbe");
    if (!file) {
        fth_fail_errno(error, "cannot open '%s'", path);
        return NULL;
    }
    int64_t size = fseeko(file, 0, SEEK_END) == 0 ? ftello(file) : -1;
    char *bytes = NULL;
    if (size < 0 || size > MOST_BYTES || fseeko(file, 0, SEEK_SET) != 0) {
        fth_fail(error, "cannot read '%s': its size is not that of a file of Recorder", path);
    } else {
        bytes = fth_new((size_t)size + 1, 1);
        *length = fread(bytes, 1, (size_t)size, file);
        if (ferror(file)) {
            fth_fail_errno(error, "cannot read '%s'", path);
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

static int32_t integer_at(const char *bytes)
{
    int32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static double real_at(const char *bytes)
{
    double value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* ---- the run ---- */

static int take_functions(struct fth_recorder_trace *trace, const char *path,
                          struct fth_error **error)
{
    for (char *at = trace->names; *at;) {
        char *end = strchr(at, '\n');
        if (!end || end == at || trace->function_count == 256)
            return fth_fail(error, "'%s' is damaged: its list of functions", path);
        *end = 0;
        trace->functions[trace->function_count++] = at;
        at = end + 1;
    }
    if (!trace->function_count)
        return fth_fail(error,
                        "cannot read '%s': it has no names of functions; Recorder writes them "
                        "since version 2.1",
                        path);
    return 0;
}

static int take_run(struct fth_recorder_trace *trace, const char *path, const char *bytes,
                    size_t length, struct fth_error **error)
{
    if (length < HEAD_OF_RUN)
        return fth_fail(error, "'%s' is damaged: it ends in its head", path);
    trace->resolution = real_at(bytes);
    trace->ranks = integer_at(bytes + 8);
    int32_t kept = integer_at(bytes + 12);
    if (!(trace->resolution >= 1e-12 && trace->resolution <= 1) || trace->ranks < 1 ||
        trace->ranks > MOST_RANKS || kept < AS_TEXT || kept > COMPRESSED)
        return fth_fail(error, "'%s' is damaged, or not of Recorder 2.1 or 2.2", path);
    if (kept == AS_TEXT)
        return fth_fail(
            error, "cannot read '%s': its records are text (RECORDER_COMPRESSION_MODE=0)", path);
    trace->names = fth_text_part(bytes + HEAD_OF_RUN, length - HEAD_OF_RUN);
    return take_functions(trace, path, error);
}

int fth_recorder_trace_open(const char *folder, struct fth_recorder_trace *trace,
                            struct fth_error **error)
{
    size_t length;
    *trace = (struct fth_recorder_trace){.folder = folder};
    char *path = fth_text_format("%s/recorder.mt", folder);
    char *bytes = read_file(path, &length, error);
    int result = bytes ? take_run(trace, path, bytes, length, error) : -1;
    free(bytes);
    free(path);
    return result;
}

/* ---- records ---- */

static int64_t nanoseconds(double seconds)
{
    return (int64_t)llround(seconds * 1e9);
}

/* Arguments from `at` on, up to the newline; NULL: they are not valid. */
static const char *take_arguments(const char *at, const char *end,
                                  struct fth_recorder_record *record)
{
    record->count = 0;
    while (at < end && *at == ' ') {
        const char *start = ++at;
        while (at < end && *at != ' ' && *at != '\n')
            at++;
        if (record->count == FTH_RECORDER_ARGUMENTS)
            return NULL;
        record->arguments[record->count++] =
            (struct fth_recorder_text){start, (uint32_t)(at - start)};
    }
    return at < end && *at == '\n' ? at + 1 : NULL;
}

/* Function and arguments of another record, but for those that its status tells. */
static bool decompress(struct fth_recorder_record *record, unsigned status,
                       const struct fth_recorder_record *of)
{
    struct fth_recorder_record whole = *of;
    uint32_t changed = 0;
    for (uint32_t i = 0; i < MOST_CHANGED; i++)
        if (status >> i & 1) {
            if (i >= whole.count || changed == record->count)
                return false;
            whole.arguments[i] = record->arguments[changed++];
        }
    if (changed != record->count)
        return false;
    memcpy(record->arguments, whole.arguments, sizeof record->arguments);
    record->function = whole.function;
    record->count = whole.count;
    return true;
}

/* Behind the record; NULL: it is not valid. */
static const char *take_record(struct fth_recorder_trace *trace, const char *at, const char *end)
{
    struct fth_recorder_record *record = &trace->records[trace->record_count];
    if (end - at < HEAD_OF_RECORD)
        return NULL;
    unsigned status = (uint8_t)*at;
    int32_t start = integer_at(at + 1), stop = integer_at(at + 5);
    *record = (struct fth_recorder_record){.start = nanoseconds(start * trace->resolution),
                                           .end = nanoseconds(stop * trace->resolution),
                                           .result = integer_at(at + 9),
                                           .function = (uint8_t)at[13]};
    at = take_arguments(at + HEAD_OF_RECORD, end, record);
    if (!at || start < 0 || stop < start || (status && !(status & IS_COMPRESSED)))
        return NULL;
    if (status &&
        (record->function >= trace->record_count ||
         !decompress(record, status, &trace->records[trace->record_count - 1 - record->function])))
        return NULL;
    if (record->function >= trace->function_count)
        return NULL;
    trace->record_count++;
    return at;
}

static int take_records(struct fth_recorder_trace *trace, const char *path, size_t length,
                        size_t count, struct fth_error **error)
{
    const char *at = trace->bytes, *end = at + length;
    while (at < end) {
        const char *next = trace->record_count < count ? take_record(trace, at, end) : NULL;
        if (!next)
            return fth_fail(error, "'%s' is damaged: the record at byte %zu", path,
                            (size_t)(at - trace->bytes));
        at = next;
    }
    if (trace->record_count < count)
        return fth_fail(error, "'%s' is damaged: it has %zu of %zu records", path,
                        trace->record_count, count);
    return 0;
}

/* ---- which call was made in which ---- */

/* HDF5 calls MPI, and that the system. Calls of one library are not made in each other, as times
 * are too coarse to tell that from one after the other. */
static int layer_of(const struct fth_recorder_trace *trace,
                    const struct fth_recorder_record *record)
{
    const char *name = trace->functions[record->function];
    return strncmp(name, "H5", 2) == 0 ? 2 : strncmp(name, "MPI_", 4) == 0 ? 1 : 0;
}

/* From the last record on, as outer calls end after those in them. */
static void find_depths(struct fth_recorder_trace *trace)
{
    size_t stack[3], depth = 0;
    for (size_t i = trace->record_count; i-- > 0;) {
        struct fth_recorder_record *record = &trace->records[i];
        while (depth) {
            const struct fth_recorder_record *outer = &trace->records[stack[depth - 1]];
            if (layer_of(trace, outer) > layer_of(trace, record) && record->start >= outer->start &&
                record->end <= outer->end)
                break;
            trace->overlaps += record->end > outer->start && stack[depth - 1] == i + 1;
            depth--;
        }
        record->depth = (uint32_t)depth;
        if (depth && stack[depth - 1] == i + 1)
            trace->records[i + 1].holds = true;
        stack[depth++] = i;
    }
}

/* ---- a rank ---- */

static void forget_rank(struct fth_recorder_trace *trace)
{
    free(trace->bytes);
    free(trace->records);
    trace->bytes = NULL;
    trace->records = NULL;
    trace->record_count = 0;
}

/* What N.mt says. */
struct rank_facts {
    int64_t start, end;
    int32_t records;
};

static int take_facts(const struct fth_recorder_trace *trace, int64_t rank,
                      struct rank_facts *facts, struct fth_error **error)
{
    size_t length;
    char *path = fth_text_format("%s/%" PRId64 ".mt", trace->folder, rank);
    char *bytes = read_file(path, &length, error);
    bool is_whole = bytes && length >= HEAD_OF_RANK;
    double start = is_whole ? real_at(bytes) : -1, end = is_whole ? real_at(bytes + 8) : -1;
    int result = bytes ? 0 : -1;
    facts->records = is_whole ? integer_at(bytes + 20) : -1;
    if (bytes && (!(start >= 0 && end >= start && end <= MOST_SECONDS && end - start <= MOST_RUN) ||
                  facts->records < 0))
        result = fth_fail(error, "'%s' is damaged: its head", path);
    if (!result) {
        facts->start = nanoseconds(start);
        facts->end = nanoseconds(end);
    }
    free(bytes);
    free(path);
    return result;
}

int fth_recorder_trace_start(const struct fth_recorder_trace *trace, int64_t rank, int64_t *start,
                             struct fth_error **error)
{
    struct rank_facts facts;
    if (take_facts(trace, rank, &facts, error))
        return -1;
    *start = facts.start;
    return 0;
}

int fth_recorder_trace_read(struct fth_recorder_trace *trace, int64_t rank,
                            struct fth_error **error)
{
    struct rank_facts facts;
    size_t length;
    forget_rank(trace);
    if (take_facts(trace, rank, &facts, error))
        return -1;
    char *path = fth_text_format("%s/%" PRId64 ".itf", trace->folder, rank);
    int result = 0;
    size_t count = (size_t)facts.records;
    trace->start = facts.start;
    trace->end = facts.end;
    trace->bytes = read_file(path, &length, error);
    if (!trace->bytes)
        result = -1;
    else if (count > length / (HEAD_OF_RECORD + 1))
        result = fth_fail(error, "'%s' is damaged: it is too short for %zu records", path, count);
    if (!result) {
        trace->records = fth_new(count + 1, sizeof *trace->records);
        result = take_records(trace, path, length, count, error);
    }
    if (!result)
        find_depths(trace);
    free(path);
    return result;
}

void fth_recorder_trace_close(struct fth_recorder_trace *trace)
{
    forget_rank(trace);
    free(trace->names);
    *trace = (struct fth_recorder_trace){0};
}
