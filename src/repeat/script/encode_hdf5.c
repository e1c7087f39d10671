/* HDF5: see the header. */
#include "repeat/script/encode_hdf5.h"

#include "base/text.h"
#include "repeat/what/library_memory.h"
#include "repeat/what/ways_of_hdf5.h"

#include <string.h>

enum {
    LARGEST_VALUE = 1 << 16,  /* bytes of one value of a datatype, which a message of HDF5 holds */
    LARGEST_ITEM = 16,        /* bytes of what a call counts that fills memory */
    LARGEST_ROOM = 256 << 20, /* bytes of memory that a question is answered in */
};

static bool gives_value(const struct fth_row *row)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].role == FTH_ROLE_NONE &&
            fth_text_begins(row->fields[i].type, "const ") && strstr(row->fields[i].type, "void"))
            return true;
    return false;
}

/* ---- datatypes that are pointers in memory ---- */

static bool holds_pointers(struct fth_encoder *encoder, const struct fth_call *call,
                           const struct fth_recipe *recipe, size_t number)
{
    const struct fth_value *value = &call->arguments[number];
    unsigned handle_class = fth_recipe_class(encoder->recipes, &recipe->row->fields[number]);
    if (recipe->row->fields[number].role != FTH_ROLE_USE || value->type != FTH_VALUE_HANDLE)
        return false;
    if (value->integer >= 0 && value->integer < encoder->now.limits[handle_class] &&
        encoder->now.slots[handle_class][value->integer] == FTH_ALIVE_MARKED)
        return true;
    return value->text && fth_text_begins(value->text, "H5T_STD_REF");
}

static void mark(struct fth_encoder *encoder, unsigned handle_class, const struct fth_value *value)
{
    if (value->type == FTH_VALUE_HANDLE &&
        fth_alive_has(&encoder->now, handle_class, value->integer))
        encoder->now.slots[handle_class][value->integer] = FTH_ALIVE_MARKED;
}

void fth_encode_hdf5_follow(struct fth_encoder *encoder, const struct fth_call *call,
                            const struct fth_recipe *recipe)
{
    const struct fth_row *row = recipe->row;
    bool has = fth_repeat_makes_sequence(row);
    if (fth_repeat_sets_variable_size(call, row))
        mark(encoder, fth_recipe_class(encoder->recipes, &row->fields[0]), &call->arguments[0]);
    for (size_t i = 0; i < row->field_count && !has; i++)
        has = holds_pointers(encoder, call, recipe, i);
    if (!has || call->error_number)
        return;
    if (recipe->script.result_class)
        mark(encoder, recipe->script.result_class, &call->result);
    for (size_t i = 0; i < row->field_count; i++)
        if (!strcmp(row->fields[i].name, "parent_id"))
            mark(encoder, fth_recipe_class(encoder->recipes, &row->fields[i]), &call->arguments[i]);
}

static bool gives_pointers(struct fth_encoder *encoder, const struct fth_call *call,
                           const struct fth_recipe *recipe)
{
    for (size_t i = 0; i < recipe->row->field_count; i++)
        if (strstr(recipe->row->fields[i].name, "type") && holds_pointers(encoder, call, recipe, i))
            return gives_value(recipe->row);
    return false;
}

/* ---- names of files ---- */

/* Property lists and links name files by strings, which no place is known of: relative ones are in
 * the replay's folder, if they do not lead out of it. */
static bool leads_elsewhere(const struct fth_call *call, const struct fth_row *row)
{
    bool is_list = !strcmp(row->kind, "info");
    for (size_t i = 0; i < row->field_count; i++) {
        const char *text = call->arguments[i].text;
        if (row->fields[i].role != FTH_ROLE_STRING || !text ||
            (!is_list && !strstr(row->fields[i].name, "file")))
            continue;
        if (*text == '/' || strstr(text, "..") || strchr(text, '%') || strchr(text, '$'))
            return true;
    }
    return false;
}

const char *fth_encode_hdf5_check(struct fth_encoder *encoder, const struct fth_call *call,
                                  const struct fth_recipe *recipe)
{
    if (gives_pointers(encoder, call, recipe))
        return "its datatype has parts of variable length, which are pointers in memory";
    if (leads_elsewhere(call, recipe->row))
        return "it names a file that may be none of the replay";
    return NULL;
}

/* ---- what the trace does not have ---- */

static const char *data_needs(struct fth_encoder *encoder, const struct fth_access *access,
                              const struct fth_recipe *recipe)
{
    const struct fth_call *call = &access->call;
    uint64_t bytes = call->bytes_asked == FTH_NO_BYTES ? 0 : call->bytes_asked;
    if (call->bytes_known && call->bytes > bytes)
        bytes = call->bytes;
    if (call->bytes_asked == FTH_NO_BYTES && !call->bytes_known && !call->error_number)
        return "the trace does not say how much memory it accesses";
    if (call->error_number)
        return "it failed, and what memory it would have accessed is not known";
    const char *why = fth_repeat_array_bytes(access, recipe->row, bytes, &bytes);
    return why ? why : fth_encoder_needs(encoder, bytes);
}

/* Memory for an answer: a structure, or as much as the program had for it. -1: it had none. */
static int64_t room_for_answer(struct fth_encoder *encoder, const struct fth_call *call,
                               const struct fth_row *row, const char **why)
{
    uint64_t items = 0;
    bool has_room = false;
    for (size_t i = 0; i < row->field_count; i++)
        if (fth_repeat_is_room(&row->fields[i]) && call->arguments[i].type == FTH_VALUE_INTEGER) {
            has_room = true;
            if ((uint64_t)call->arguments[i].integer > items)
                items = (uint64_t)call->arguments[i].integer;
        }
    if (items > LARGEST_ROOM / LARGEST_ITEM)
        *why = "it has more memory for an answer than a replay gives it";
    else
        *why = fth_encoder_needs(encoder, items * LARGEST_ITEM);
    return has_room && !items ? FTH_SCRIPT_ABSENT : 0;
}

static int64_t ordinal(struct fth_encoder *encoder)
{
    const int64_t value = encoder->ordinals++;
    return fth_encoder_blob(encoder, &value, sizeof value);
}

int64_t fth_encode_hdf5_unkept(struct fth_encoder *encoder, const struct fth_access *access,
                               const struct fth_recipe *recipe, size_t number, const char **why)
{
    static const double share = 0.75; /* of HDF5: how chunks leave a cache */
    int64_t bits;
    switch (fth_repeat_unkept_of(recipe->row, number)) {
    case FTH_REPEAT_DATA:
        *why = data_needs(encoder, access, recipe);
        return 0;
    case FTH_REPEAT_VALUE:
        *why = fth_encoder_needs(encoder, LARGEST_VALUE);
        return 0;
    case FTH_REPEAT_RESULT:
        return room_for_answer(encoder, &access->call, recipe->row, why);
    case FTH_REPEAT_ORDINAL:
        return ordinal(encoder);
    case FTH_REPEAT_SHARE:
        memcpy(&bits, &share, sizeof bits);
        return bits;
    case FTH_REPEAT_NULL:
        return recipe->script.parameters[number].form == FTH_SCRIPT_TEXT
                   ? fth_encoder_text(encoder, "")
                   : 0;
    case FTH_REPEAT_CALLBACK:
    case FTH_REPEAT_MISSING:
        break;
    }
    return 0;
}
