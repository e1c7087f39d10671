/* The functions of a trace: its catalogue, as its readers see it. */
#include "model/reading/model.h"

#include "base/memory.h"
#include "base/text.h"
#include "catalog/consistency_meaning.h"
#include "model/reading/trace_functions.h"
#include "trace/record/builtin.h"

#include <inttypes.h>
#include <string.h>

/* Rows stand at the place of their number. */
static int spread_rows(struct fth_trace *trace, struct fth_error **error)
{
    struct fth_catalog *catalog = &trace->catalog;
    int64_t most = -1;
    for (size_t i = 0; i < catalog->row_count; i++) {
        if (catalog->rows[i].id < 0 || catalog->rows[i].id > 65535)
            return fth_fail(error, "function '%s' has the number %" PRId64, catalog->rows[i].name,
                            catalog->rows[i].id);
        if (catalog->rows[i].id > most)
            most = catalog->rows[i].id;
    }
    struct fth_row *rows = fth_new((size_t)(most + 1), sizeof *rows);
    for (size_t i = 0; i < catalog->row_count; i++) {
        struct fth_row *row = &rows[catalog->rows[i].id];
        if (row->name) {
            free(rows);
            return fth_fail(error, "two functions have the number %" PRId64, catalog->rows[i].id);
        }
        *row = catalog->rows[i];
    }
    free(catalog->rows);
    trace->listed = fth_new(catalog->row_count, sizeof(struct fth_function *));
    catalog->rows = rows;
    catalog->row_count = (size_t)(most + 1);
    trace->functions = fth_new(catalog->row_count, sizeof *trace->functions);
    return 0;
}

/* Of those that neither read nor write the ones with a list of what they start (lio_listio). */
static bool starts_operations(const struct fth_row *row)
{
    return (fth_kind_reads(row->kind) || fth_kind_writes(row->kind) ||
            fth_field_with_role(row, FTH_ROLE_AIO_LIST) >= 0) &&
           (row->flags & (FTH_CALL_NONBLOCKING | FTH_CALL_BEGIN));
}

static bool makes_inside(const struct fth_field *field)
{
    return field->role == FTH_ROLE_NEW && field->in_field >= 0;
}

/* What names a file is about that file. What is only given a handle makes something in its file
 * (`new CLASS in HANDLE`), or deletes or renames something there: no function deletes or renames a
 * file by a handle of it. */
static bool is_inside_file(const struct fth_row *row)
{
    bool makes = makes_inside(&row->result), uses = false;
    if (fth_field_with_role(row, FTH_ROLE_PATH) >= 0 || row->flags & FTH_CALL_COPIES)
        return false;
    for (size_t i = 0; i < row->field_count; i++) {
        makes |= makes_inside(&row->fields[i]);
        uses |= row->fields[i].role == FTH_ROLE_USE;
    }
    bool changes = strcmp(row->kind, "delete") == 0 || strcmp(row->kind, "name") == 0;
    bool resizes = strcmp(row->kind, "truncate") == 0 && row->builds; /* the extent of a dataset */
    return makes || resizes || (changes && uses);
}

const struct fth_layer *fth_trace_layer(const struct fth_trace *trace, const char *name)
{
    const struct fth_layer *own = fth_builtin_layer(name);
    return own ? own : fth_catalog_layer(&trace->catalog, name);
}

const struct fth_row *fth_trace_row(const struct fth_trace *trace,
                                    const struct fth_function *function)
{
    return &trace->catalog.rows[function - trace->functions];
}

static void list_functions(struct fth_trace *trace)
{
    for (size_t i = 0; i < trace->catalog.row_count; i++) {
        const struct fth_row *row = &trace->catalog.rows[i];
        struct fth_function *function = &trace->functions[i];
        if (!row->name)
            continue;
        struct fth_parameter *parameters = fth_new(row->field_count, sizeof *parameters);
        for (size_t k = 0; k < row->field_count; k++)
            parameters[k] = (struct fth_parameter){row->fields[k].name, row->fields[k].type,
                                                   row->fields[k].role_words};
        unsigned means = fth_row_means(&trace->catalog, row, fth_trace_layer(trace, row->layer));
        *function = (struct fth_function){row->name,
                                          row->layer,
                                          row->kind,
                                          row->result.type,
                                          row->field_count,
                                          parameters,
                                          fth_row_is_buffered(&trace->catalog, row),
                                          starts_operations(row),
                                          (row->flags & FTH_CALL_COLLECTIVE) != 0,
                                          (row->flags & FTH_CALL_NONBLOCKING) != 0,
                                          (row->flags & FTH_CALL_COPIES) != 0,
                                          row->builds,
                                          row->orders,
                                          (row->flags & FTH_CALL_LINKS) != 0,
                                          is_inside_file(row),
                                          (means & FTH_MEANS_OPENS) != 0,
                                          (means & FTH_MEANS_CLOSES) != 0,
                                          (means & FTH_MEANS_SYNCS) != 0};
        if (!fth_layer_is(row->layer, FTH_LAYER_NOTES))
            trace->listed[trace->listed_count++] = function;
    }
}

int fth_model_read_catalog(struct fth_trace *trace, const uint8_t *bytes, size_t length,
                           struct fth_error **error)
{
    if (fth_catalog_parse(&trace->catalog, "catalogue", (const char *)bytes, length, error) ||
        spread_rows(trace, error))
        return -1;
    list_functions(trace);
    return 0;
}

/* ---- flags and commands ---- */

const struct fth_flags *fth_trace_flags(const struct fth_trace *trace, size_t proc,
                                        const char *name)
{
    const struct fth_flags *its_own = fth_mpi_flags(trace->processes[proc].constants, name);
    if (its_own)
        return its_own;
    for (size_t i = 0; i < trace->catalog.flags_count; i++)
        if (strcmp(trace->catalog.flags[i].name, name) == 0)
            return &trace->catalog.flags[i];
    return NULL;
}

const char *fth_command_of(const struct fth_trace *trace, const struct fth_call *call)
{
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const char *role = call->function->parameters[i].role;
        if (strncmp(role, "flags ", 6) != 0 || call->arguments[i].type != FTH_VALUE_INTEGER)
            continue;
        const struct fth_flags *flags = fth_trace_flags(trace, call->proc, role + 6);
        for (size_t k = 0; flags && k < flags->count; k++)
            if (flags->entries[k].value == call->arguments[i].integer)
                return flags->entries[k].name;
        return NULL;
    }
    return NULL;
}

bool fth_command_asks_lock(const char *command)
{
    static const char *const commands[] = {"F_GETLK", "F_OFD_GETLK", "F_TEST"};
    for (size_t i = 0; command && i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(command, commands[i]))
            return true;
    return false;
}

/* Of these flags some say what is waited for (SYNC_FILE_RANGE_WAIT_AFTER), and none of those is
 * given; or one says that nothing is (MS_ASYNC). */
static bool flags_wait_for_nothing(const struct fth_flags *flags, int64_t value)
{
    bool may_wait = false, waits = false;
    for (size_t i = 0; i < flags->count; i++) {
        const struct fth_flag *flag = &flags->entries[i];
        bool is_given = (value & flag->value) != 0;
        if (is_given && fth_text_ends(flag->name, "_ASYNC"))
            return true;
        bool is_wait = strstr(flag->name, "_WAIT_") != NULL;
        may_wait |= is_wait;
        waits |= is_wait && is_given;
    }
    return may_wait && !waits;
}

bool fth_sync_only_starts(const struct fth_trace *trace, const struct fth_call *call)
{
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const char *role = call->function->parameters[i].role;
        if (strncmp(role, "flags ", 6) != 0 || call->arguments[i].type != FTH_VALUE_INTEGER)
            continue;
        const struct fth_flags *flags = fth_trace_flags(trace, call->proc, role + 6);
        if (flags && flags_wait_for_nothing(flags, call->arguments[i].integer))
            return true;
    }
    return call->function->nonblocking;
}

bool fth_command_copies(const char *command)
{
    return command && (!strcmp(command, "F_DUPFD") || !strcmp(command, "F_DUPFD_CLOEXEC"));
}
