/* Records become calls: see the header. Arguments stand in the order of the function's parameters,
 * so the catalogue says what each one is. Results are only kept of opens. So the bytes that were
 * asked for stand for those that were moved, and it is not known which other calls failed. What
 * else a call had to tell (handles of MPI and HDF5, structures) was not kept: such calls are
 * regions, with their names and times. */
#include "import/recorder/recorder_calls.h"

#include "trace/record/builtin.h"
#include "trace/record/spill.h"
#include "trace/state/state.h"

#include <stdio.h>
#include <string.h>

/* Of which records have all that a call has to tell. */
static const char *const known[] = {
    "open",    "open64",  "creat",     "creat64",  "close",   "read",   "write",
    "pread",   "pread64", "pwrite",    "pwrite64", "readv",   "writev", "lseek",
    "lseek64", "fsync",   "fdatasync", "fopen",    "fopen64", "fclose", "fread",
    "fwrite",  "fseek",   "mkdir",     "rmdir",    "chdir",   "unlink", "rename",
    "chmod",   "access",  "ftruncate", "truncate", "remove",  "link",
};
/* These make, or change, descriptors that are not followed. */
static const char *const makes_others[] = {"dup", "dup2", "pipe", "fdopen", "fcntl", "tmpfile"};

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* ---- values ---- */

static bool number(struct fth_recorder_text text, int64_t *value)
{
    char digits[24];
    int end = 0;
    long long read;
    if (text.length == 0 || text.length >= sizeof digits)
        return false;
    memcpy(digits, text.text, text.length);
    digits[text.length] = 0;
    if (sscanf(digits, "%lld%n", &read, &end) != 1 || (uint32_t)end != text.length)
        return false;
    *value = read;
    return true;
}

/* Of a descriptor, whether it is one of POSIX or that of a stream. */
static int64_t slot_of(const struct fth_recorder_process *process, int64_t descriptor)
{
    return descriptor >= 0 && descriptor < FTH_SLOT_LIMIT && process->open[descriptor]
               ? descriptor
               : FTH_SLOT_UNKNOWN;
}

static int64_t text_value(struct fth_recorder_process *process, struct fth_recorder_text text)
{
    return fth_imported_stream_text(process->stream, text.text, text.length);
}

static int64_t made(const struct fth_recorder_record *record, const struct fth_value_plan *plan)
{
    if (record->result < 0)
        return FTH_FAILED_UNREPORTED;
    if (plan->part == FTH_PART_NUMBER)
        return record->result < FTH_SLOT_LIMIT ? 0 : record->result - FTH_SLOT_UNKNOWN;
    return record->result < FTH_SLOT_LIMIT ? record->result : FTH_SLOT_UNKNOWN;
}

/* What the call asked for: of a call without this, nothing. */
struct asked {
    int64_t bytes, distance, whence;
};

static int64_t result_of(const struct fth_recorder_record *record, const struct fth_row *row,
                         const struct fth_value_plan *plan, const struct asked *asked)
{
    switch (row->result.role) {
    case FTH_ROLE_NEW:
        return made(record, plan);
    case FTH_ROLE_MOVED:
    case FTH_ROLE_RESULT_ITEMS:
        return asked->bytes;
    case FTH_ROLE_POSITION:
        return asked->whence == SEEK_SET ? asked->distance : FTH_ABSENT;
    default:
        return FTH_ABSENT;
    }
}

/* False: the argument is not what the function takes. */
static bool take_value(struct fth_recorder_process *process, const struct fth_field *field,
                       struct fth_recorder_text text, struct asked *asked, int64_t *value)
{
    *value = FTH_ABSENT;
    switch (field->role) {
    case FTH_ROLE_PATH:
    case FTH_ROLE_STRING:
        *value = text_value(process, text);
        return true;
    case FTH_ROLE_DATA: /* of a number nothing is kept */
        return true;
    case FTH_ROLE_USE:
    case FTH_ROLE_CLOSE:
        if (!number(text, value))
            return false;
        *value = slot_of(process, *value);
        return true;
    case FTH_ROLE_BYTES:
    case FTH_ROLE_IOV:
    case FTH_ROLE_ITEMS:
    case FTH_ROLE_SIZE:
        if (!number(text, value) || *value < 0 ||
            __builtin_mul_overflow(asked->bytes, *value, &asked->bytes))
            return false;
        return true;
    case FTH_ROLE_OFFSET:
        return number(text, value);
    case FTH_ROLE_DISTANCE:
        return number(text, &asked->distance) && (*value = asked->distance, true);
    case FTH_ROLE_WHENCE:
        return number(text, &asked->whence) && (*value = asked->whence, true);
    case FTH_ROLE_FLAGS:
    case FTH_ROLE_MODE:
        return number(text, value);
    case FTH_ROLE_ARGUMENT:
        number(text, value); /* a pointer is none */
        return true;
    default:
        return true;
    }
}

/* Values but the result, which depends on what was asked for. */
static bool take_values(struct fth_recorder_process *process,
                        const struct fth_recorder_record *record, const struct fth_row *row,
                        const struct fth_value_plan *plan, int count, int64_t *values)
{
    struct asked asked = {.bytes = 1, .whence = -1};
    for (int i = 0; i < count; i++) {
        int field = plan[i].field;
        if (field == FTH_RESULT || field == FTH_ON_STREAM)
            continue;
        if ((uint32_t)field >= record->count) { /* as the mode of an open that makes nothing */
            values[i] = FTH_ABSENT;
            if (row->fields[field].role != FTH_ROLE_MODE)
                return false;
        } else if (plan[i].part == FTH_PART_NUMBER) {
            values[i] = 0;
        } else if (!take_value(process, &row->fields[field], record->arguments[field], &asked,
                               &values[i])) {
            return false;
        }
    }
    for (int i = 0; i < count; i++) {
        if (plan[i].field == FTH_RESULT)
            values[i] = result_of(record, row, &plan[i], &asked);
        else if (plan[i].field == FTH_ON_STREAM)
            values[i] = FTH_SLOT_UNKNOWN;
    }
    return true;
}

/* ---- calls ---- */

/* What is open behind the call. */
static void follow(struct fth_recorder_process *process, const struct fth_recorder_record *record,
                   const struct fth_row *row)
{
    int64_t closed;
    int field = fth_field_with_role(row, FTH_ROLE_CLOSE);
    if (row->result.role == FTH_ROLE_NEW && record->result >= 0 &&
        record->result < FTH_SLOT_LIMIT) {
        const struct fth_recorder_text *path = &record->arguments[0];
        process->open[record->result] = true;
        fth_imported_stream_bind(process->stream,
                                 fth_builtin_catalog()->classes[row->result.class_index].name,
                                 record->result, 0, path->text, path->length);
    }
    if (field >= 0 && number(record->arguments[field], &closed) && closed >= 0 &&
        closed < FTH_SLOT_LIMIT)
        process->open[closed] = false;
}

static void put_region(struct fth_recorder_process *process, const char *name,
                       const struct fth_recorder_record *record, struct fth_imported_call *call)
{
    int64_t descriptor;
    call->function = fth_imported_function("mark_region", strlen("mark_region"));
    int64_t values[FTH_MOST_VALUES] = {
        fth_imported_stream_text(process->stream, name, strlen(name))};
    fth_imported_stream_call(process->stream, call, values);
    process->regions++;
    if (is_one_of(name, makes_others, sizeof makes_others / sizeof *makes_others))
        for (uint32_t i = 0; i < record->count; i++)
            if (number(record->arguments[i], &descriptor) && descriptor >= 0 &&
                descriptor < FTH_SLOT_LIMIT && strcmp(name, "fcntl") != 0)
                process->open[descriptor] = i == 0 && process->open[descriptor];
}

bool fth_recorder_put(struct fth_recorder_process *process, const struct fth_recorder_trace *trace,
                      const struct fth_recorder_record *record)
{
    const char *name = trace->functions[record->function];
    uint32_t function = is_one_of(name, known, sizeof known / sizeof *known)
                            ? fth_imported_function(name, strlen(name))
                            : UINT32_MAX;
    struct fth_imported_call call = {
        .depth = record->depth,
        .holds = record->holds,
        .entry = fth_imported_ticks(process->run, process->start + record->start),
        .exit = fth_imported_ticks(process->run, process->start + record->end)};
    fth_imported_stream_begin(process->stream);
    if (function == UINT32_MAX) {
        put_region(process, name, record, &call);
        return true;
    }
    struct fth_value_plan plan[FTH_MOST_VALUES];
    int64_t values[FTH_MOST_VALUES];
    const struct fth_row *row = &fth_builtin_catalog()->rows[function];
    int count = fth_plan_values(fth_builtin_catalog(), row, plan);
    if (!take_values(process, record, row, plan, count, values))
        return false;
    call.function = function;
    fth_imported_stream_call(process->stream, &call, values);
    follow(process, record, row);
    return true;
}
