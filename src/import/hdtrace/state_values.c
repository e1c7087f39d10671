/* Values of a state: see the header. What has no attribute is not known. */
#ifdef FATHOM_EXPAT
#include "import/hdtrace/state_values.h"

#include "base/memory.h"
#include "trace/record/builtin.h"
#include "trace/record/spill.h"
#include "trace/state/state.h"

#include <stdio.h>
#include <string.h>

enum { MOST_INTEGERS = 4096 }; /* of a list */

struct valuing {
    struct fth_traced_reading *reading;
    struct fth_project_xml *xml;
    const struct fth_traced_state *state;
    const struct fth_row *row;
    const char *const *names; /* of the attributes of its fields */
};

/* ---- attributes ---- */

static const char *name_of(const struct valuing *valuing, const struct fth_field *field)
{
    return valuing->names[field - valuing->row->fields];
}

static const char *attribute(const struct valuing *valuing, const struct fth_field *field)
{
    const char *text = fth_traced_attribute(valuing->state, name_of(valuing, field));
    /* some states of HDTrace call it so */
    return !text && field->role == FTH_ROLE_ROOT ? fth_traced_attribute(valuing->state, "root")
                                                 : text;
}

static int64_t integer(const struct valuing *valuing, const char *text, int64_t otherwise)
{
    int64_t value = otherwise;
    if (text && !fth_project_integer(text, &value))
        fth_project_refuse(valuing->xml, "'%.40s' is no number", text);
    return value;
}

/* The next word of a list; false: there are no more. */
static bool next_word(const char **list, char word[24])
{
    size_t length;
    *list += strspn(*list, " ");
    length = strcspn(*list, " ");
    snprintf(word, 24, "%.*s", (int)(length > 23 ? 23 : length), *list);
    *list += length;
    return length > 0;
}

/* ---- handles ---- */

static const char *class_name(int class_index)
{
    return fth_builtin_catalog()->classes[class_index].name;
}

/* Descriptors have their numbers as slots. */
static int64_t slot_of(const struct valuing *valuing, int class_index, int64_t id)
{
    struct fth_traced_process *process = valuing->reading->process;
    const int64_t key[] = {class_index, id};
    if (id < 0)
        return FTH_SLOT_UNKNOWN;
    if (!strcmp(class_name(class_index), "fd"))
        return id < FTH_SLOT_LIMIT ? id : FTH_SLOT_UNKNOWN;
    uint32_t *slot = fth_keyed_get(&process->slots, key, sizeof key);
    if (!*slot && process->class_slots[class_index] < FTH_SLOT_LIMIT)
        *slot = ++process->class_slots[class_index];
    return *slot ? (int64_t)*slot - 1 : FTH_SLOT_UNKNOWN;
}

static struct fth_traced_handle *handle_at(const struct valuing *valuing, int class_index,
                                           int64_t slot)
{
    const int64_t key[] = {class_index, slot};
    return fth_keyed_get(&valuing->reading->process->handles, key, sizeof key);
}

static void set_text(const struct valuing *valuing, struct fth_traced_handle *handle,
                     const void *text, size_t length)
{
    handle->text = 1 + fth_intern(&valuing->reading->process->texts, text, length);
    handle->generation++;
    handle->flags = -1;
}

/* A file, an object by itself, or an object in a file: then its name follows the path. */
static void set_described(const struct valuing *valuing, struct fth_traced_handle *handle,
                          const char *file, const char *name)
{
    struct fth_bytes text = {0};
    if (file)
        fth_bytes_put(&text, file, strlen(file) + (name ? 1 : 0));
    if (name)
        fth_bytes_put(&text, name, strlen(name));
    set_text(valuing, handle, text.data ? text.data : (const uint8_t *)"", text.length);
    fth_bytes_free(&text);
}

/* What the project says of the id. */
static void ask_project(const struct valuing *valuing, int class_index, int64_t id,
                        struct fth_traced_handle *handle)
{
    struct fth_traced_reading *reading = valuing->reading;
    const char *class = class_name(class_index);
    char *name =
        !strcmp(class, "comm")       ? fth_traced_project_comm(&reading->project, reading->node, id)
        : !strcmp(class, "datatype") ? fth_traced_project_type(&reading->project, reading->node, id)
                                     : NULL;
    if (name)
        set_text(valuing, handle, name, strlen(name));
    free(name);
}

static void bind(const struct valuing *valuing, int class_index, int64_t slot, int64_t number,
                 const struct fth_traced_handle *handle)
{
    struct fth_traced_reading *reading = valuing->reading;
    const int64_t key[] = {class_index, slot};
    uint32_t *known = fth_keyed_get(&reading->bound, key, sizeof key);
    size_t length = 0;
    if (*known == handle->generation)
        return;
    *known = handle->generation;
    const void *text = handle->text
                           ? fth_interned(&reading->process->texts, handle->text - 1, &length)
                           : (const uint8_t *)"";
    fth_imported_stream_bind(reading->stream, class_name(class_index), slot, number, text, length);
    if (handle->flags >= 0)
        fth_imported_stream_bind(reading->stream, FTH_FLAGS_CLASS, slot, handle->flags, "", 0);
}

static int64_t used(const struct valuing *valuing, int class_index, const char *name,
                    const char *text)
{
    const char *file = fth_traced_described(valuing->state, name, ".file"),
               *object = fth_traced_described(valuing->state, name, ".name");
    bool is_descriptor = !strcmp(class_name(class_index), "fd");
    if (text && !strcmp(text, "null"))
        return FTH_SLOT_NONE;
    int64_t id = integer(valuing, text, FTH_SLOT_UNKNOWN);
    if (text && id == -1 && is_descriptor)
        return FTH_SLOT_NO_DESCRIPTOR;
    int64_t slot = slot_of(valuing, class_index, id);
    if (slot < 0 || fth_builtin_catalog()->classes[class_index].form == FTH_CLASS_ANONYMOUS)
        return slot;
    struct fth_traced_handle *handle = handle_at(valuing, class_index, slot);
    if (file || object)
        set_described(valuing, handle, file, object);
    else if (!handle->generation)
        ask_project(valuing, class_index, id, handle);
    if (file && fth_traced_described(valuing->state, name, ".flags"))
        handle->flags = integer(valuing, fth_traced_described(valuing->state, name, ".flags"), -1);
    if (handle->generation)
        bind(valuing, class_index, slot, is_descriptor ? id - slot : 0, handle);
    return slot;
}

/* A path that the call gives is what the handle is bound to, until a use says it better. */
static int64_t made(const struct valuing *valuing, int class_index, const char *text)
{
    int path = fth_field_with_role(valuing->row, FTH_ROLE_PATH);
    const char *name = path >= 0 ? attribute(valuing, &valuing->row->fields[path]) : NULL;
    bool is_file = fth_builtin_catalog()->classes[class_index].form == FTH_CLASS_FILE;
    if (text && !strcmp(text, "null"))
        return FTH_SLOT_NONE;
    int64_t slot = slot_of(valuing, class_index, integer(valuing, text, FTH_SLOT_UNKNOWN));
    if (slot >= 0 && fth_builtin_catalog()->classes[class_index].form != FTH_CLASS_ANONYMOUS)
        set_described(valuing, handle_at(valuing, class_index, slot), is_file ? name : NULL, NULL);
    return slot;
}

/* ---- lists and texts ---- */

static int64_t text_value(const struct valuing *valuing, const char *text)
{
    return text ? fth_imported_stream_text(valuing->reading->stream, text, strlen(text)) : 0;
}

static int64_t texts_value(const struct valuing *valuing, const struct fth_field *field)
{
    struct fth_bytes texts = {0};
    uint32_t at = 0;
    const char *text;
    int64_t value = 0;
    while ((text = fth_traced_body(valuing->state, field->name, &at)))
        fth_bytes_put(&texts, text, strlen(text) + 1);
    if (texts.length)
        value = fth_imported_stream_text(valuing->reading->stream, texts.data, texts.length);
    fth_bytes_free(&texts);
    return value;
}

static bool are_handles(const struct fth_field *field)
{
    return field->role == FTH_ROLE_USE || field->role == FTH_ROLE_CLOSE ||
           field->role == FTH_ROLE_NEW;
}

static int64_t list_item(const struct valuing *valuing, const struct fth_field *field,
                         const char *word, size_t i)
{
    if (are_handles(field) && !strcmp(word, "null"))
        return FTH_SLOT_NONE;
    int64_t value = integer(valuing, word, 0);
    if (are_handles(field))
        return slot_of(valuing, field->class_index, value);
    /* slot, offset, bytes, operation */
    return field->role == FTH_ROLE_AIO_LIST && i % FTH_AIO_NUMBERS == 0 && value >= FTH_SLOT_LIMIT
               ? FTH_SLOT_UNKNOWN
               : value;
}

static int64_t list_value(const struct valuing *valuing, const struct fth_field *field,
                          const char *list)
{
    struct fth_bytes bytes = {0};
    char word[24];
    bool are_made =
        field->role == FTH_ROLE_NEW && fth_field_is_descriptor(fth_builtin_catalog(), field);
    if (!list)
        return 0;
    for (size_t i = 0; i < MOST_INTEGERS && next_word(&list, word); i++) {
        fth_bytes_signed(&bytes, list_item(valuing, field, word, i));
        if (are_made) /* how much its number is more than the slot */
            fth_bytes_signed(&bytes, 0);
    }
    int64_t value = fth_imported_stream_text(
        valuing->reading->stream, bytes.data ? bytes.data : (const uint8_t *)"", bytes.length);
    fth_bytes_free(&bytes);
    return value;
}

/* Bits of those that were null. */
static int64_t nulls_in(const char *list)
{
    uint64_t nulls = 0;
    char word[24];
    for (int i = 0; list && i < 64 && next_word(&list, word); i++)
        nulls |= !strcmp(word, "null") ? UINT64_C(1) << i : 0;
    return (int64_t)nulls;
}

static int64_t number_in(const struct valuing *valuing, const char *list, int place)
{
    char word[24] = "";
    for (int i = 0; list && i <= place; i++)
        if (!next_word(&list, word))
            return FTH_ABSENT;
    return list ? integer(valuing, word, FTH_ABSENT) : FTH_ABSENT;
}

/* ---- by part ---- */

/* Bytes of an element: `size` is that of all elements of the first count. */
static int64_t element(const struct valuing *valuing, int place)
{
    const struct fth_field *field = &valuing->row->fields[place];
    const char *own = fth_traced_described(valuing->state, name_of(valuing, field), ".element");
    bool is_first = fth_field_with_role(valuing->row, FTH_ROLE_COUNT) == place;
    int64_t count = integer(valuing, attribute(valuing, field), 0),
            size = integer(valuing, fth_traced_attribute(valuing->state, "size"), 0);
    if (own || !is_first)
        return integer(valuing, own, 1);
    return count > 0 && size >= 0 && size % count == 0 ? size / count : 1;
}

static int64_t slot_value(const struct valuing *valuing, const struct fth_field *field)
{
    const char *name = name_of(valuing, field), *text = attribute(valuing, field);
    char number[24];
    if (field->role == FTH_ROLE_NEW)
        return made(valuing, field->class_index, text);
    if (field->role != FTH_ROLE_AIO)
        return used(valuing, field->class_index, name, text);
    static int descriptors = -1;
    if (descriptors < 0)
        descriptors = fth_class_of_name(fth_builtin_catalog(), "fd", 2);
    if (!text || !next_word(&text, number))
        return FTH_SLOT_UNKNOWN;
    return used(valuing, descriptors, name, number);
}

static int64_t integer_value(const struct valuing *valuing, const struct fth_field *field)
{
    const char *text = attribute(valuing, field);
    if (field->role == FTH_ROLE_AIO)
        return number_in(valuing, text, 2);
    if (!text && (field->role == FTH_ROLE_BYTES || field->role == FTH_ROLE_IOV))
        text = fth_traced_attribute(valuing->state, "size");
    return integer(valuing, text, FTH_ABSENT);
}

/* Other writers give the size alone: that is what the access moved, as far as they tell. An empty
 * status says that it is not known. */
static int64_t moved(const struct valuing *valuing, const char *status)
{
    const char *size = fth_traced_attribute(valuing->state, "size");
    if (status || !size || fth_traced_attribute(valuing->state, "error"))
        return integer(valuing, status && *status ? status : NULL, FTH_ABSENT);
    valuing->reading->without_status++;
    return integer(valuing, size, FTH_ABSENT);
}

static int64_t value_of(const struct valuing *valuing, const struct fth_value_plan *plan)
{
    const struct fth_field *field = &valuing->row->fields[plan->field];
    const char *text = attribute(valuing, field);
    switch (plan->part) {
    case FTH_PART_SLOT:
        return slot_value(valuing, field);
    case FTH_PART_NUMBER: {
        int64_t id = integer(valuing, text, -1);
        return id < FTH_SLOT_LIMIT || id > INT64_MAX - 1 ? 0 : id - FTH_SLOT_UNKNOWN;
    }
    case FTH_PART_TEXT:
        return text_value(valuing, text);
    case FTH_PART_TEXTS:
        return texts_value(valuing, field);
    case FTH_PART_LIST:
        return list_value(valuing, field, text);
    case FTH_PART_NULLS:
        return nulls_in(text);
    case FTH_PART_ELEMENT:
        return element(valuing, plan->field);
    case FTH_PART_OFFSET:
        return field->role == FTH_ROLE_AIO ? number_in(valuing, text, 1)
                                           : integer(valuing, text, FTH_ABSENT);
    case FTH_PART_MOVED:
        return moved(valuing, text);
    case FTH_PART_SOURCE:
        return number_in(valuing, text, 0);
    case FTH_PART_TAG:
        return number_in(valuing, text, 1);
    default:
        return integer_value(valuing, field);
    }
}

/* What ends without a failure and without a value has found the end of a stream. */
static bool can_end(const struct fth_field *result)
{
    return result->role == FTH_ROLE_MOVED || result->role == FTH_ROLE_BYTE ||
           result->role == FTH_ROLE_TEXT || result->role == FTH_ROLE_LINE ||
           result->role == FTH_ROLE_RESULT_ITEMS;
}

/* Items are kept as bytes. */
static int64_t bytes_of_items(const struct valuing *valuing, int64_t items)
{
    int size = fth_field_with_role(valuing->row, FTH_ROLE_SIZE);
    int64_t bytes,
        each = size < 0 ? 1 : integer(valuing, attribute(valuing, &valuing->row->fields[size]), 1);
    return __builtin_mul_overflow(items, each, &bytes) ? FTH_ABSENT : bytes;
}

static int64_t result_of(const struct valuing *valuing, const struct fth_value_plan *plan)
{
    const struct fth_field *result = &valuing->row->result;
    const char *text = fth_traced_attribute(valuing->state, "result");
    const char *error = fth_traced_attribute(valuing->state, "error");
    if (plan->part == FTH_PART_NUMBER) {
        int64_t id = error ? 0 : integer(valuing, text, 0);
        return id < FTH_SLOT_LIMIT || id > INT64_MAX - 1 ? 0 : id - FTH_SLOT_UNKNOWN;
    }
    if (result->role == FTH_ROLE_CODE)
        return integer(valuing, text ? text : error, 0);
    if (error)
        return FTH_FAILED_WITH(integer(valuing, error, -1));
    if (plan->part == FTH_PART_SLOT)
        return made(valuing, result->class_index, text);
    int64_t value = integer(valuing, text, FTH_ABSENT);
    if (value == -1 && can_end(result))
        return FTH_ENDED;
    return result->role == FTH_ROLE_RESULT_ITEMS && text ? bytes_of_items(valuing, value) : value;
}

/* ---- all of them ---- */

bool fth_state_is_known(struct fth_traced_reading *reading, const struct fth_traced_state *state,
                        const struct fth_row *row)
{
    bool moves = fth_kind_reads(row->kind) || fth_kind_writes(row->kind);
    const struct valuing valuing = {reading, NULL, state, row,
                                    fth_traced_names(reading, state->function)};
    const char *size = fth_traced_attribute(state, "size");
    for (size_t i = 0; moves && i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        bool is_number = field->role == FTH_ROLE_COUNT || field->role == FTH_ROLE_SIZE ||
                         field->role == FTH_ROLE_ITEMS || field->role == FTH_ROLE_AIO;
        bool is_bytes = field->role == FTH_ROLE_BYTES || field->role == FTH_ROLE_IOV;
        if ((is_number || (is_bytes && !size)) && !attribute(&valuing, field))
            return false;
    }
    return true;
}

void fth_state_values(struct fth_traced_reading *reading, struct fth_project_xml *xml,
                      const struct fth_traced_state *state, const struct fth_row *row,
                      int64_t *values)
{
    struct fth_value_plan plan[FTH_MOST_VALUES];
    const struct valuing valuing = {reading, xml, state, row,
                                    fth_traced_names(reading, state->function)};
    int count = fth_plan_values(fth_builtin_catalog(), row, plan);
    for (int i = 0; i < count; i++) {
        if (plan[i].field == FTH_ON_STREAM)
            values[i] = used(&valuing, fth_class_of_name(fth_builtin_catalog(), "stream", 6),
                             "stream", fth_traced_attribute(state, "stream"));
        else if (plan[i].field == FTH_RESULT)
            values[i] = result_of(&valuing, &plan[i]);
        else
            values[i] = value_of(&valuing, &plan[i]);
    }
}
#endif
