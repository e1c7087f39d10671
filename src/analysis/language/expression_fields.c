/* What expressions can ask of a call. */
#include "analysis/language/expression_parts.h"

#include <fathom/files.h>

#include <string.h>

#define FIELD(name)                                                                                \
    static bool name(const struct fth_subject *subject, size_t number,                             \
                     struct fth_field_value *value)
#define UNUSED (void)number, (void)value

static bool give_number(struct fth_field_value *value, int64_t number)
{
    value->number = number;
    return true;
}

static bool give_text(struct fth_field_value *value, const char *text)
{
    value->text = text;
    return text != NULL;
}

/* ---- whose ---- */

static const struct fth_process *process_of(const struct fth_subject *subject)
{
    return fth_trace_process(subject->trace, subject->call->proc);
}

FIELD(get_rank)
{
    (void)number;
    return give_number(value, process_of(subject)->rank) && value->number != FTH_NO_RANK;
}

FIELD(get_world)
{
    (void)number;
    return give_number(value, process_of(subject)->world) && value->number != FTH_NO_WORLD;
}

FIELD(get_proc)
{
    (void)number;
    return give_number(value, (int64_t)subject->call->proc);
}

FIELD(get_host)
{
    (void)number;
    return give_text(value, process_of(subject)->host);
}

FIELD(get_program)
{
    (void)number;
    return give_text(value, process_of(subject)->executable);
}

FIELD(get_thread)
{
    (void)number;
    return give_number(value, subject->call->thread);
}

FIELD(get_number)
{
    (void)number;
    return give_number(value, (int64_t)subject->call->number);
}

/* ---- what ---- */

FIELD(get_layer)
{
    (void)number;
    return give_text(value, subject->call->function->layer);
}

FIELD(get_func)
{
    (void)number;
    return give_text(value, subject->call->function->name);
}

FIELD(get_kind)
{
    (void)number;
    return give_text(value, subject->call->function->kind);
}

FIELD(get_file)
{
    (void)number;
    return give_text(value, subject->call->file);
}

FIELD(get_object)
{
    (void)number;
    return give_text(value, subject->call->object);
}

FIELD(get_source)
{
    (void)number;
    return give_text(value, subject->call->source);
}

FIELD(get_filesystem)
{
    struct fth_file file;
    (void)number;
    return subject->call->file && subject->call->file[0] == '/' &&
           fth_trace_file(subject->trace, subject->call->proc, subject->call->file, &file) &&
           give_text(value, file.system->type);
}

FIELD(get_error)
{
    (void)number;
    return give_text(value, subject->call->error_name);
}

FIELD(get_errno)
{
    (void)number;
    return give_number(value, subject->call->error_number) && value->number != 0;
}

/* ---- how much, where, when ---- */

static bool give_bytes(struct fth_field_value *value, uint64_t bytes)
{
    return bytes <= INT64_MAX && give_number(value, (int64_t)bytes);
}

FIELD(get_bytes)
{
    (void)number;
    return subject->call->bytes_known && give_bytes(value, subject->call->bytes);
}

FIELD(get_asked)
{
    (void)number;
    return (subject->call->reads || subject->call->writes) &&
           give_bytes(value, subject->call->bytes_asked);
}

FIELD(get_offset)
{
    struct fth_range range;
    (void)number;
    if (!subject->accesses || !fth_accesses_range(subject->accesses, &range))
        return false;
    fth_accesses_rewind(subject->accesses);
    return give_bytes(value, range.offset);
}

FIELD(get_start)
{
    (void)number;
    return give_number(value, subject->call->start);
}

FIELD(get_end)
{
    (void)number;
    return give_number(value, subject->call->end);
}

FIELD(get_duration)
{
    (void)number;
    return give_number(value, subject->call->end - subject->call->start);
}

FIELD(get_rate)
{
    int64_t time = subject->call->end - subject->call->start;
    double rate;
    if (!get_bytes(subject, number, value) || time <= 0)
        return false;
    rate = (double)value->number * 1e9 / (double)time;
    return rate < 9e18 && give_number(value, (int64_t)rate);
}

/* ---- what is around ---- */

FIELD(get_depth)
{
    (void)number;
    return give_number(value, subject->call->depth);
}

/* The call around, `out` calls further out than the next one; NULL: there is none. The call itself
 * is the last of what is open. */
static const struct fth_open_call *around(const struct fth_subject *subject, size_t out)
{
    size_t count = 0;
    const struct fth_open_call *open =
        subject->around ? fth_analysis_around_open(subject->around, &count) : NULL;
    return open && out + 2 <= count ? &open[count - 2 - out] : NULL;
}

/* Farthest out is the call that started the thread. */
static const struct fth_function *function_around(const struct fth_subject *subject, size_t out)
{
    size_t count = 0;
    const struct fth_open_call *call = around(subject, out);
    const struct fth_open_call *open =
        subject->around ? fth_analysis_around_open(subject->around, &count) : NULL;
    return call ? call->function : out + 1 == count ? open[0].starter : NULL;
}

FIELD(get_inside)
{
    const struct fth_function *function = function_around(subject, number);
    return function && give_text(value, function->name);
}

FIELD(get_inside_layer)
{
    const struct fth_function *function = function_around(subject, number);
    return function && give_text(value, function->layer);
}

FIELD(get_parent)
{
    (void)number;
    return get_inside(subject, 0, value);
}

/* Calls around that are no regions are passed over. */
FIELD(get_region)
{
    const struct fth_open_call *call;
    for (size_t out = 0, seen = 0; (call = around(subject, out)); out++)
        if (call->region && seen++ == number)
            return give_text(value, call->region);
    return false;
}

/* ---- handles ---- */

FIELD(get_handle)
{
    (void)number;
    return subject->call->handle && give_bytes(value, subject->call->handle->number);
}

FIELD(get_class)
{
    (void)number;
    return subject->call->handle && give_text(value, subject->call->handle->handle_class);
}

FIELD(get_group_name)
{
    (void)number;
    return subject->call->group && give_text(value, subject->call->group->group_name);
}

FIELD(get_group_size)
{
    (void)number;
    return subject->call->group && give_number(value, subject->call->group->group_size) &&
           value->number >= 0;
}

/* ---- conditions ---- */

FIELD(reads)
{
    UNUSED;
    return subject->call->reads;
}

FIELD(writes)
{
    UNUSED;
    return subject->call->writes;
}

FIELD(collective)
{
    UNUSED;
    return subject->call->collective;
}

FIELD(nonblocking)
{
    UNUSED;
    return subject->call->function->nonblocking;
}

FIELD(failed)
{
    UNUSED;
    return subject->call->error_number != 0;
}

FIELD(fortran)
{
    UNUSED;
    return subject->call->from_fortran;
}

FIELD(launcher)
{
    UNUSED;
    return process_of(subject)->launcher;
}

/* ---- results ---- */

static bool give_value(struct fth_field_value *value, const struct fth_value *of)
{
    value->number = of->integer;
    value->text = of->text;
    return of->type != FTH_VALUE_NONE && of->type != FTH_VALUE_INTEGERS &&
           of->type != FTH_VALUE_TEXTS && of->type != FTH_VALUE_HANDLES;
}

FIELD(get_ret)
{
    (void)number;
    return give_value(value, &subject->call->result);
}

#define AROUND FTH_NEEDS_AROUND
#define HANDLES FTH_NEEDS_HANDLES
static const struct fth_expression_field fields[] = {
    {"rank", FTH_TYPE_NUMBER, 0, FTH_OF_PROCESS, get_rank},
    {"world", FTH_TYPE_NUMBER, 0, FTH_OF_PROCESS, get_world},
    {"proc", FTH_TYPE_NUMBER, 0, FTH_OF_PROCESS, get_proc},
    {"host", FTH_TYPE_TEXT, 0, FTH_OF_PROCESS, get_host},
    {"program", FTH_TYPE_PATH, 0, FTH_OF_PROCESS, get_program},
    {"launcher", FTH_TYPE_CONDITION, 0, FTH_OF_PROCESS, launcher},
    {"thread", FTH_TYPE_NUMBER, 0, FTH_OF_SITE, get_thread},
    {"number", FTH_TYPE_NUMBER, 0, FTH_OF_CALL, get_number},
    {"layer", FTH_TYPE_TEXT, 0, FTH_OF_FUNCTION, get_layer},
    {"func", FTH_TYPE_TEXT, 0, FTH_OF_FUNCTION, get_func},
    {"kind", FTH_TYPE_TEXT, 0, FTH_OF_FUNCTION, get_kind},
    {"file", FTH_TYPE_PATH, FTH_NEEDS_FILE, FTH_OF_FILE, get_file},
    {"filesystem", FTH_TYPE_TEXT, FTH_NEEDS_FILE, FTH_OF_FILE, get_filesystem},
    {"object", FTH_TYPE_PATH, 0, FTH_OF_CALL, get_object},
    {"source", FTH_TYPE_TEXT, 0, FTH_OF_CALL, get_source},
    {"reads", FTH_TYPE_CONDITION, 0, FTH_OF_SITE, reads},
    {"writes", FTH_TYPE_CONDITION, 0, FTH_OF_SITE, writes},
    {"bytes", FTH_TYPE_BYTES, 0, FTH_OF_CALL, get_bytes},
    {"asked", FTH_TYPE_BYTES, 0, FTH_OF_CALL, get_asked},
    {"offset", FTH_TYPE_BYTES, FTH_NEEDS_ACCESSES, FTH_OF_CALL, get_offset},
    {"rate", FTH_TYPE_BYTES, 0, FTH_OF_CALL, get_rate},
    {"start", FTH_TYPE_TIME, 0, FTH_OF_CALL, get_start},
    {"end", FTH_TYPE_TIME, 0, FTH_OF_CALL, get_end},
    {"duration", FTH_TYPE_TIME, 0, FTH_OF_CALL, get_duration},
    {"failed", FTH_TYPE_CONDITION, 0, FTH_OF_CALL, failed},
    {"error", FTH_TYPE_TEXT, 0, FTH_OF_CALL, get_error},
    {"errno", FTH_TYPE_NUMBER, 0, FTH_OF_CALL, get_errno},
    {"collective", FTH_TYPE_CONDITION, HANDLES, FTH_OF_SITE, collective},
    {"nonblocking", FTH_TYPE_CONDITION, 0, FTH_OF_FUNCTION, nonblocking},
    {"fortran", FTH_TYPE_CONDITION, 0, FTH_OF_CALL, fortran},
    {"depth", FTH_TYPE_NUMBER, 0, FTH_OF_SITE, get_depth},
    {"parent", FTH_TYPE_TEXT, AROUND, FTH_OF_SITE, get_parent},
    {"inside", FTH_TYPE_TEXTS, AROUND, FTH_OF_SITE, get_inside},
    {"inside_layer", FTH_TYPE_TEXTS, AROUND, FTH_OF_SITE, get_inside_layer},
    {"region", FTH_TYPE_TEXTS, AROUND, FTH_OF_CALL, get_region},
    {"handle", FTH_TYPE_NUMBER, HANDLES, FTH_OF_SITE, get_handle},
    {"class", FTH_TYPE_TEXT, HANDLES, FTH_OF_SITE, get_class},
    {"group_name", FTH_TYPE_TEXT, HANDLES, FTH_OF_SITE, get_group_name},
    {"group_size", FTH_TYPE_NUMBER, HANDLES, FTH_OF_SITE, get_group_size},
    {"ret", FTH_TYPE_ANY, 0, FTH_OF_CALL, get_ret},
};

const struct fth_expression_field *fth_expression_find(const char *name)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

const char *fth_expression_field(size_t index)
{
    return index < sizeof fields / sizeof *fields ? fields[index].name : NULL;
}

bool fth_expression_argument(const struct fth_call *call, const char *name,
                             struct fth_field_value *value)
{
    for (size_t i = 0; call->arguments && i < call->function->parameter_count; i++)
        if (strcmp(call->function->parameters[i].name, name) == 0)
            return give_value(value, &call->arguments[i]);
    return false;
}
