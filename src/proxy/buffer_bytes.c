/* From the datatypes of MPI, the selections in memory of HDF5, and the bytes that are moved. */
#include "proxy/buffer_bytes.h"

#include "repeat/what/library_memory.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ROOM = 1 << 30 };

static const char no_bytes[] = "the trace does not say how much memory it accesses";

static bool has_buffer(const struct fth_form *form)
{
    for (size_t i = 0; i < form->row->field_count; i++) {
        enum fth_written written = form->arguments[i].written;
        if (written == FTH_WRITTEN_BUFFER || written == FTH_WRITTEN_CONTENT ||
            written == FTH_WRITTEN_PIECES || written == FTH_WRITTEN_BLOCK)
            return true;
    }
    return false;
}

/* ---- MPI ---- */

static int64_t sum_of(const struct fth_value *list)
{
    int64_t sum = 0;
    for (size_t k = 0; k < list->count; k++)
        if (list->integers[k] > 0 && __builtin_add_overflow(sum, list->integers[k], &sum))
            return INT64_MAX;
    return sum;
}

static int64_t largest_of(const struct fth_value *list)
{
    int64_t largest = 0;
    for (size_t k = 0; k < list->count; k++)
        largest = list->integers[k] > largest ? list->integers[k] : largest;
    return largest;
}

/* The most elements of a datatype: one list of counts, for parts of the buffer one behind another;
 * or counts and displacements. */
static int64_t most_elements(const struct fth_call *call, const struct fth_row *row)
{
    int64_t most = -1, ends = 0, sum = 0;
    size_t lists = 0;
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_value *value = &call->arguments[i];
        if (row->fields[i].role == FTH_ROLE_COUNT && value->type == FTH_VALUE_INTEGER &&
            value->integer > most)
            most = value->integer;
        if (row->fields[i].role != FTH_ROLE_IN || value->type != FTH_VALUE_INTEGERS)
            continue;
        lists++;
        sum = sum_of(value);
        if (__builtin_add_overflow(ends, largest_of(value), &ends))
            ends = INT64_MAX;
    }
    int64_t of_lists = lists > 1 ? ends : sum;
    return most < 0 && !lists ? 1 : of_lists > most ? of_lists : most;
}

static const char *bytes_of_datatype(const struct fth_datatype *type, int64_t count, int64_t parts,
                                     uint64_t *bytes)
{
    int64_t span, moved;
    if (count < 1)
        return NULL;
    if (type->true_lower_bound < 0 || type->extent < 0)
        return "its datatype has bytes before the buffer";
    if (__builtin_mul_overflow(type->extent, count - 1, &span) ||
        __builtin_add_overflow(span, type->true_upper_bound, &span) ||
        __builtin_mul_overflow(span, parts, &span) ||
        __builtin_mul_overflow(type->size, count, &moved) ||
        __builtin_mul_overflow(moved, parts, &moved) || span < 0 ||
        fth_repeat_is_too_wide((uint64_t)span, (uint64_t)moved))
        return fth_repeat_too_wide;
    *bytes = (uint64_t)span > *bytes ? (uint64_t)span : *bytes;
    return NULL;
}

static const char *bytes_of_datatypes(struct fth_accesses *accesses, const struct fth_call *call,
                                      const struct fth_form *form,
                                      const struct fth_process *process, bool *known,
                                      uint64_t *bytes)
{
    const struct fth_row *row = form->row;
    bool of_all = !strcmp(row->kind, "collective") && process->size > 0;
    int64_t count = most_elements(call, row);
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_datatype *type =
            row->fields[i].role == FTH_ROLE_USE ? fth_accesses_datatype(accesses, (int)i) : NULL;
        if (!type)
            continue;
        *known = true;
        const char *why =
            bytes_of_datatype(type, count, of_all ? (int64_t)process->size : 1, bytes);
        if (why)
            return why;
    }
    return NULL;
}

/* ---- all ---- */

static void raise(uint64_t *bytes, int64_t to)
{
    if (to > 0 && (uint64_t)to > *bytes)
        *bytes = (uint64_t)to;
}

/* Of contents the length is kept; of an attribute it stands before them. */
static bool bytes_of_text(const struct fth_call *call, const struct fth_form *form, uint64_t *bytes)
{
    for (size_t i = 0; i < form->row->field_count; i++)
        if (form->arguments[i].written == FTH_WRITTEN_CONTENT &&
            call->arguments[i].type == FTH_VALUE_INTEGER) {
            raise(bytes, call->arguments[i].integer);
            return true;
        }
    for (size_t i = 1; i < form->row->field_count && !strcmp(form->row->kind, "attribute"); i++) {
        const struct fth_value *length = &call->arguments[i - 1];
        if (form->arguments[i].written != FTH_WRITTEN_BUFFER ||
            strcmp(form->row->fields[i].type, "const char *") != 0 ||
            length->type != FTH_VALUE_INTEGER || length->integer < 0)
            continue;
        raise(bytes, length->integer);
        return true;
    }
    return false;
}

/* Of memory that a stream keeps: its size stands behind it, or is BUFSIZ. */
static bool bytes_of_room(const struct fth_call *call, const struct fth_form *form, uint64_t *bytes)
{
    for (size_t i = 0; i < form->row->field_count; i++) {
        if (form->arguments[i].written != FTH_WRITTEN_ROOM)
            continue;
        raise(bytes, BUFSIZ);
        for (size_t k = i + 1; k < form->row->field_count; k++)
            if (!strcmp(form->row->fields[k].type, "size_t") &&
                call->arguments[k].type == FTH_VALUE_INTEGER)
                raise(bytes, call->arguments[k].integer);
        return true;
    }
    return false;
}

static bool moves_data(const struct fth_call *call)
{
    return call->reads || call->writes || !strcmp(call->function->kind, "collective");
}

const char *fth_buffer_bytes(struct fth_accesses *accesses, const struct fth_access *access,
                             const struct fth_form *form, const struct fth_process *process,
                             uint64_t *bytes)
{
    const struct fth_call *call = &access->call;
    bool known = call->bytes_asked != FTH_NO_BYTES || call->bytes_known;
    *bytes = 0;
    if (bytes_of_room(call, form, bytes))
        return *bytes > (uint64_t)MOST_ROOM ? "its stream has a buffer of more than 1 GiB" : NULL;
    if (!has_buffer(form))
        return NULL;
    if (call->bytes_asked != FTH_NO_BYTES)
        *bytes = call->bytes_asked;
    if (call->bytes_known && call->bytes > *bytes)
        *bytes = call->bytes;
    if (bytes_of_text(call, form, bytes))
        return NULL;
    const char *why = bytes_of_datatypes(accesses, call, form, process, &known, bytes);
    if (!why && !known && moves_data(call))
        why = no_bytes;
    return why ? why : fth_repeat_array_bytes(access, form->row, *bytes, bytes);
}
