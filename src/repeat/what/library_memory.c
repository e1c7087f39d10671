/* From selections and datatypes to memory: see the header. */
#include "repeat/what/library_memory.h"

#include "trace/record/builtin.h"

#include <string.h>

enum {
    WIDE_BUFFER = 64 << 20, /* bytes: a buffer may be so large, however little a call moves */
    MOST_SPREAD = 256,      /* bytes of a larger buffer for each byte that the call moves */
};

const char fth_repeat_too_wide[] = "its memory is far larger than what it moves";

bool fth_repeat_is_too_wide(uint64_t bytes, uint64_t moved)
{
    return bytes > WIDE_BUFFER && bytes / MOST_SPREAD > moved;
}

static bool has_map(const struct fth_call *call, const struct fth_row *row)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (!strncmp(row->fields[i].name, "imap", 4) &&
            call->arguments[i].type == FTH_VALUE_INTEGERS)
            return true;
    return false;
}

/* A selection in memory may be part of a larger array: of all of that, as large as its elements
 * are. */
static const char *bytes_of_array(const struct fth_elements *memory, uint64_t moved,
                                  uint64_t *bytes)
{
    if (!moved)
        return NULL;
    if (memory->form == FTH_SELECTION_UNKNOWN && !memory->why) /* one without holes */
        return NULL;
    if (memory->form == FTH_SELECTION_ALL)
        return NULL;
    if (memory->total <= 0 || (memory->rank && !memory->extent))
        return "the extent of its memory is not known";
    uint64_t needed = moved / (uint64_t)memory->total;
    for (unsigned d = 0; d < memory->rank; d++)
        if (memory->extent[d] < 0 ||
            __builtin_mul_overflow(needed, (uint64_t)memory->extent[d], &needed))
            return fth_repeat_too_wide;
    if (fth_repeat_is_too_wide(needed, moved))
        return fth_repeat_too_wide;
    *bytes = needed > *bytes ? needed : *bytes;
    return NULL;
}

const char *fth_repeat_array_bytes(const struct fth_access *access, const struct fth_row *row,
                                   uint64_t moved, uint64_t *bytes)
{
    if (has_map(&access->call, row))
        return "its memory has holes";
    const char *why = NULL;
    for (size_t i = 0; i < access->selected_count && !why; i++)
        why = bytes_of_array(&access->selected[i].memory, moved, bytes);
    return why;
}

/* H5T_VARIABLE is a size of -1. */
bool fth_repeat_sets_variable_size(const struct fth_call *call, const struct fth_row *row)
{
    return row->field_count == 2 && !strcmp(row->fields[0].name, "type_id") &&
           !strcmp(row->fields[1].name, "size") && call->arguments[1].type == FTH_VALUE_INTEGER &&
           call->arguments[1].integer == -1;
}

/* Older traces do not say so: then what Fathom says counts. */
bool fth_repeat_makes_sequence(const struct fth_row *row)
{
    if (strcmp(row->kind, "type") != 0 || row->result.role != FTH_ROLE_NEW || row->field_count != 1)
        return false;
    const struct fth_row *own =
        row->builds ? row : fth_catalog_find(fth_builtin_catalog(), row->name);
    return own && own->builds && !strcmp(own->builds, "sequence");
}
