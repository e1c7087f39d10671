/* Values for people. What a plan entry means is in catalog/values.h. */
#include "model/reading/shown_values.h"

#include "base/arena.h"
#include "base/memory.h"
#include "catalog/values.h"
#include "trace/state/call_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTHING_RECEIVED = -32766 }; /* source and tag of a request that received nothing */

/* ---- texts ---- */

void fth_texts_free(struct fth_texts *texts)
{
    free(texts->made);
    free(texts->objects);
    fth_arena_free(&texts->arena);
    for (uint32_t i = 0; i < texts->identity_keys.count; i++)
        free(texts->identities[i]);
    free(texts->identities);
    fth_intern_free(&texts->identity_keys);
    *texts = (struct fth_texts){0};
}

/* The bytes of a text, or NULL: there is none. */
static const uint8_t *bytes_of(const struct fth_showing *showing, int64_t text, size_t *length)
{
    const struct fth_intern *texts = &showing->texts->names->texts;
    return text > 0 && text < texts->count ? fth_interned(texts, (uint32_t)text, length) : NULL;
}

static const struct fth_text nothing_to_say = {0};

static const struct fth_object_text no_object = {0};

static const struct fth_object_text *object_of(const struct fth_texts *texts,
                                               const struct fth_text *text)
{
    return text->object ? &texts->objects[text->object - 1] : &no_object;
}

static void name_object(struct fth_texts *texts, struct fth_text *text, const char *object)
{
    size_t size = strlen(text->text) + strlen(object) + 2;
    char *name = fth_arena_take(&texts->arena, size);
    snprintf(name, size, "%s%s%s", text->text, *text->text ? ":" : "", object);
    FTH_GROW(texts->objects, texts->object_count);
    texts->objects[texts->object_count++] = (struct fth_object_text){object, *name ? name : NULL};
    text->object = texts->object_count & FTH_MOST_OBJECT_TEXTS;
}

static const struct fth_text *make_text(const struct fth_showing *showing, int64_t text)
{
    struct fth_texts *texts = showing->texts;
    size_t length, limit = texts->limit;
    const uint8_t *bytes = bytes_of(showing, text, &length);
    if (!bytes)
        return &nothing_to_say;
    if ((size_t)text >= limit) {
        texts->limit = (size_t)text * 2 + 16;
        texts->made = fth_resize(texts->made, texts->limit, sizeof *texts->made);
        memset(texts->made + limit, 0, (texts->limit - limit) * sizeof *texts->made);
    }
    char *made = fth_arena_take(&texts->arena, length + 1);
    if (length)
        memcpy(made, bytes, length);
    made[length] = 0;
    size_t path_length = strlen(made);
    texts->made[text] = (struct fth_text){.text = made, .whole = *made == '/', .is_empty = !*made};
    if (path_length < length)
        name_object(texts, &texts->made[text], made + path_length + 1);
    return &texts->made[text];
}

/* Until the next text is made. */
static inline const struct fth_text *both_of(const struct fth_showing *showing, int64_t text)
{
    const struct fth_texts *texts = showing->texts;
    bool made = text > 0 && (size_t)text < texts->limit && texts->made[text].text;
    return made ? &texts->made[text] : make_text(showing, text);
}

static inline const char *text_of(const struct fth_showing *showing, int64_t text)
{
    return both_of(showing, text)->text;
}

/* Of a handle that is bound to it; NULL: it has none. */
static const char *handle_name(const struct fth_showing *showing, int64_t text)
{
    const struct fth_text *bound = both_of(showing, text);
    if (bound->object)
        return object_of(showing->texts, bound)->name;
    return bound->is_empty ? NULL : bound->text;
}

/* Sums that damaged traces may overflow. */
static int64_t add(int64_t one, int64_t other)
{
    return (int64_t)((uint64_t)one + (uint64_t)other);
}

static const struct fth_value nothing = {.type = FTH_VALUE_NONE};

/* ---- one value ---- */

static void put_integer(const struct fth_showing *showing, struct fth_value *to,
                        const struct fth_field *field, int64_t integer)
{
    if (integer == FTH_ABSENT) {
        *to = nothing;
        return;
    }
    to->type = FTH_VALUE_INTEGER;
    to->integer = integer;
    to->text =
        fth_constant_name(showing->process->constants, showing->raw->meaning->row, field, integer);
}

/* A null handle without a name (a FILE pointer) is a null pointer. */
static void put_null_handle(const struct fth_showing *showing, struct fth_value *to,
                            int handle_class)
{
    *to = (struct fth_value){
        .type = FTH_VALUE_HANDLE,
        .integer = FTH_HANDLE_NULL,
        .text = fth_constant_null_handle(showing->trace->catalog.classes[handle_class].name)};
    if (!to->text)
        *to = nothing;
}

static struct fth_identity *make_identity(const struct fth_showing *showing,
                                          const struct fth_binding *binding)
{
    const char *device = text_of(showing, binding->device);
    char *links = NULL;
    struct fth_identity *identity = fth_new(1, sizeof *identity);
    *identity = (struct fth_identity){
        .inode = (uint64_t)binding->inode, .links = 1, .size = (uint64_t)binding->size};
    if (device)
        identity->device = strtoull(device, &links, 10);
    if (links && *links)
        identity->links = strtoull(links, NULL, 10);
    identity->path = text_of(showing, binding->real_path);
    return identity;
}

/* What the tracer has recorded of its file; NULL: nothing. Calls that have values in common share
 * it. */
static const struct fth_identity *identity_of(const struct fth_showing *showing,
                                              const struct fth_binding *binding)
{
    if (!binding || (!binding->real_path && !binding->inode && !binding->size))
        return NULL;
    struct fth_texts *texts = showing->texts;
    int64_t key[] = {binding->real_path, binding->device, binding->inode, binding->size};
    uint32_t known = texts->identity_keys.count;
    uint32_t at = fth_intern(&texts->identity_keys, key, sizeof key);
    if (at == known) {
        FTH_GROW(texts->identities, known);
        texts->identities[at] = make_identity(showing, binding);
    }
    return texts->identities[at];
}

static void put_handle(const struct fth_showing *showing, struct fth_value *to, int handle_class,
                       int64_t slot)
{
    if (slot == FTH_SLOT_NONE && handle_class >= 0) {
        put_null_handle(showing, to, handle_class);
        return;
    }
    if (slot == FTH_SLOT_NO_DESCRIPTOR) {
        *to = (struct fth_value){.type = FTH_VALUE_INTEGER, .integer = -1};
        return;
    }
    const struct fth_binding *binding = fth_state_binding(showing->state, handle_class, slot);
    bool numbered = binding && handle_class == showing->trace->descriptors;
    to->type = FTH_VALUE_HANDLE;
    to->integer = numbered ? binding->number : slot < 0 ? FTH_HANDLE_UNKNOWN : slot;
    to->flags = numbered ? (uint32_t)binding->flags : 0;
    to->identity = identity_of(showing, binding);
    to->text = binding ? handle_name(showing, binding->path) : NULL;
}

/* A handle that the call made: a descriptor's number, or the slot. */
static void put_made(const struct fth_showing *showing, struct fth_value *to,
                     const struct fth_field *field, int i)
{
    const struct fth_raw_call *raw = showing->raw;
    bool numbered =
        i + 1 < raw->meaning->value_count && raw->meaning->plan[i + 1].part == FTH_PART_NUMBER;
    if (raw->values[i] == FTH_SLOT_NONE) {
        put_null_handle(showing, to, field->class_index);
        return;
    }
    to->type = FTH_VALUE_HANDLE;
    to->integer = numbered ? add(raw->values[i], raw->values[i + 1]) : raw->values[i];
    to->text = NULL;
}

/* ---- several ---- */

static struct fth_value list_of(const struct fth_showing *showing, const int64_t *integers,
                                size_t count)
{
    int64_t *list = fth_arena_take(showing->arena, count * sizeof *list);
    memcpy(list, integers, count * sizeof *list);
    return (struct fth_value){.type = FTH_VALUE_INTEGERS, .count = count, .integers = list};
}

static struct fth_value integers_value(const struct fth_showing *showing, int64_t string)
{
    size_t length, count = 0;
    const uint8_t *bytes = bytes_of(showing, string, &length);
    if (!bytes)
        return nothing;
    int64_t *integers = fth_arena_take(showing->arena, length * sizeof *integers);
    for (struct fth_view view = fth_view_of(bytes, length); view.at < view.end; count++) {
        integers[count] = fth_view_signed(&view);
        if (view.failed)
            break;
    }
    return (struct fth_value){.type = FTH_VALUE_INTEGERS, .count = count, .integers = integers};
}

static struct fth_value texts_value(const struct fth_showing *showing, int64_t string)
{
    size_t length, count = 0;
    if (!bytes_of(showing, string, &length))
        return nothing;
    const char *text = text_of(showing, string), **texts;
    for (size_t at = 0; at < length; at += strlen(text + at) + 1)
        count++;
    texts = fth_arena_take(showing->arena, count * sizeof *texts);
    count = 0;
    for (size_t at = 0; at < length; at += strlen(text + at) + 1)
        texts[count++] = text + at;
    return (struct fth_value){.type = FTH_VALUE_TEXTS, .count = count, .texts = texts};
}

/* The slots of a list become handles; those in `nulls` were null. */
static struct fth_value handles_value(const struct fth_showing *showing, int handle_class,
                                      struct fth_value list, uint64_t nulls)
{
    int64_t *numbers = fth_arena_take(showing->arena, list.count * sizeof *numbers);
    const char **texts = fth_arena_take(showing->arena, list.count * sizeof *texts);
    for (size_t i = 0; i < list.count; i++) {
        struct fth_value handle;
        bool is_null = i < 64 && (nulls >> i & 1);
        put_handle(showing, &handle, handle_class, is_null ? FTH_SLOT_NONE : list.integers[i]);
        numbers[i] = handle.type == FTH_VALUE_NONE ? FTH_HANDLE_NULL : handle.integer;
        texts[i] = handle.text;
    }
    return (struct fth_value){
        .type = FTH_VALUE_HANDLES, .count = list.count, .integers = numbers, .texts = texts};
}

/* Source and tag by turns; both may be special. */
static struct fth_value statuses_value(const struct fth_showing *showing, struct fth_value list)
{
    static const struct fth_field source = {.role = FTH_ROLE_PEER}, tag = {.role = FTH_ROLE_TAG};
    const struct fth_row *row = showing->raw->meaning->row;
    const char **texts = fth_arena_take(showing->arena, list.count * sizeof *texts);
    for (size_t i = 0; i < list.count; i++)
        texts[i] = list.integers[i] == NOTHING_RECEIVED                 ? ""
                   : i % 2 == 0 && list.integers[i] == FTH_STATUS_MOVED ? "bytes"
                   : i % 2 && list.integers[i - 1] == FTH_STATUS_MOVED
                       ? NULL
                       : fth_constant_name(showing->process->constants, row, i % 2 ? &tag : &source,
                                           list.integers[i]);
    list.texts = texts;
    return list;
}

/* Slot, offset, bytes and operation by turns: the slots become descriptors. */
static struct fth_value aio_value(const struct fth_showing *showing, struct fth_value list)
{
    int64_t *numbers = fth_arena_take(showing->arena, list.count * sizeof *numbers);
    memcpy(numbers, list.integers, list.count * sizeof *numbers);
    for (size_t i = 0; i < list.count; i += FTH_AIO_NUMBERS) {
        struct fth_value handle;
        put_handle(showing, &handle, showing->trace->descriptors, list.integers[i]);
        numbers[i] = handle.type == FTH_VALUE_HANDLE ? handle.integer : FTH_HANDLE_UNKNOWN;
    }
    list.integers = numbers;
    return list;
}

static struct fth_value list_value(const struct fth_showing *showing, const struct fth_field *field,
                                   int i)
{
    const struct fth_meaning *meaning = showing->raw->meaning;
    bool has_nulls = i + 1 < meaning->value_count && meaning->plan[i + 1].part == FTH_PART_NULLS;
    uint64_t nulls = has_nulls ? (uint64_t)showing->raw->values[i + 1] : 0;
    struct fth_value list = integers_value(showing, showing->raw->values[i]);
    const int64_t *made = list.integers;
    if (list.type == FTH_VALUE_NONE)
        return list;
    switch (field->role) {
    case FTH_ROLE_NEW:
        if (list.count == 4) /* slots and what their numbers are more */
            return list_of(showing, (int64_t[]){add(made[0], made[1]), add(made[2], made[3])}, 2);
        return handles_value(showing, field->class_index, list, nulls);
    case FTH_ROLE_USE:
    case FTH_ROLE_CLOSE:
        return handles_value(showing, field->class_index, list, nulls);
    case FTH_ROLE_STATUS:
        return statuses_value(showing, list);
    case FTH_ROLE_AIO_LIST:
        return aio_value(showing, list);
    default:
        return list;
    }
}

/* ---- by their place in the plan ---- */

/* Is it the number of a handle, a result or what stands for one? Other values may be any number. */
static bool can_fail(const struct fth_value_plan *plan)
{
    return plan->field < 0 || (plan->part != FTH_PART_INTEGER && plan->part != FTH_PART_OFFSET &&
                               plan->part != FTH_PART_VIEW && plan->part != FTH_PART_DISTANCE);
}

static void put_slot(const struct fth_showing *showing, struct fth_value *to,
                     const struct fth_field *field, int i)
{
    const int64_t *values = showing->raw->values;
    if (field->role == FTH_ROLE_NEW) {
        put_made(showing, to, field, i);
        return;
    }
    if (field->role != FTH_ROLE_AIO) {
        put_handle(showing, to, field->class_index, values[i]);
        return;
    }
    struct fth_value handle = {0};
    put_handle(showing, &handle, showing->raw->meaning->about.handle_class, values[i]);
    int64_t descriptor = handle.type == FTH_VALUE_NONE ? FTH_HANDLE_UNKNOWN : handle.integer;
    *to = list_of(showing, (int64_t[]){descriptor, values[i + 1], values[i + 2]}, 3);
    to->identity = handle.type == FTH_VALUE_HANDLE ? handle.identity : NULL;
    to->flags = handle.flags;
}

static void put_text(const struct fth_showing *showing, struct fth_value *to, int64_t string)
{
    *to = (struct fth_value){.text = text_of(showing, string)};
    to->type = to->text ? FTH_VALUE_TEXT : FTH_VALUE_NONE;
}

/* What no handle, no text and no result came of. */
static void put_failure(struct fth_value *to, const struct fth_value_plan *plan,
                        const struct fth_field *field)
{
    bool is_made = field->role == FTH_ROLE_NEW && plan->field >= 0;
    *to = is_made ? nothing : (struct fth_value){.type = FTH_VALUE_INTEGER, .integer = -1};
}

void fth_value_put(const struct fth_showing *showing, struct fth_value *to, int i)
{
    const struct fth_meaning *meaning = showing->raw->meaning;
    const struct fth_value_plan *plan = &meaning->plan[i];
    const struct fth_field *field =
        plan->field >= 0 ? &meaning->row->fields[plan->field] : &meaning->row->result;
    int64_t value = showing->raw->values[i];
    if (FTH_IS_FAILURE(value) && can_fail(plan)) {
        put_failure(to, plan, field);
        return;
    }
    switch (plan->part) {
    case FTH_PART_SLOT:
        put_slot(showing, to, field, i);
        return;
    case FTH_PART_TEXT:
        put_text(showing, to, value);
        return;
    case FTH_PART_TEXTS:
        *to = texts_value(showing, value);
        return;
    case FTH_PART_LIST:
        *to = list_value(showing, field, i);
        return;
    case FTH_PART_SOURCE:
        *to = value == FTH_ABSENT
                  ? nothing
                  : statuses_value(showing, list_of(showing, &showing->raw->values[i], 2));
        return;
    default:
        put_integer(showing, to, field, value);
    }
}

void fth_value_put_result(const struct fth_showing *showing, struct fth_value *to)
{
    const struct fth_meaning *meaning = showing->raw->meaning;
    const struct fth_field *result = &meaning->row->result;
    int64_t value = showing->raw->values[meaning->result];
    if (FTH_IS_FAILURE(value)) {
        bool is_pointer = result->role == FTH_ROLE_POINTER || result->role == FTH_ROLE_TEXT ||
                          (result->role == FTH_ROLE_NEW && strchr(result->type, '*'));
        *to = is_pointer ? nothing : (struct fth_value){.type = FTH_VALUE_INTEGER, .integer = -1};
        return;
    }
    if (result->role == FTH_ROLE_RESULT_ITEMS) {
        int64_t size = meaning->asked.size >= 0 ? showing->raw->values[meaning->asked.size] : 1;
        put_integer(showing, to, result, size > 0 ? value / size : 0);
        return;
    }
    fth_value_put(showing, to, meaning->result);
}

/* ---- the file ---- */

void fth_path_tidy(char *path)
{
    char *to = path;
    for (const char *from = path; *from; from++) {
        if (*from == '/' && from[1] == '/')
            continue;
        if (*from == '/' && from[1] == '.' && (from[2] == '/' || (!from[2] && to != path))) {
            from++;
            continue;
        }
        *to++ = *from;
    }
    *to = 0;
}

static uint32_t number_of(const struct fth_showing *showing, const char *path)
{
    return fth_intern(&showing->texts->names->texts, path, strlen(path));
}

/* What stands behind the path of an object is no part of it. */
static void put_bound_file(const struct fth_showing *showing, struct fth_call *call, int64_t text)
{
    const struct fth_text *bound = both_of(showing, text);
    call->object = object_of(showing->texts, bound)->object;
    if (!bound->text || bound->is_empty)
        return;
    call->file = bound->text;
    call->file_number = (uint32_t)text;
    if (!bound->object)
        return;
    if (!bound->path)
        showing->texts->made[text].path = number_of(showing, bound->text);
    call->file_number = bound->path;
}

static uint32_t tidied(const struct fth_showing *showing, const struct fth_path_parts *parts)
{
    char *path = fth_arena_take(showing->arena, parts->base_length + parts->path_length + 2);
    fth_path_join_at(parts, path);
    fth_path_tidy(path);
    return number_of(showing, path);
}

/* Of a path that begins at the root it is known what it becomes once it was seen. */
static void put_path(const struct fth_showing *showing, struct fth_call *call, int64_t text)
{
    const struct fth_text *given = both_of(showing, text);
    bool whole = given->whole;
    struct fth_path_parts parts;
    if (!whole || !given->path) {
        if (!fth_call_path(showing->state, showing->raw->meaning, showing->raw->values,
                           showing->process->facts.directory, &parts))
            return;
        call->file_number = tidied(showing, &parts);
        if (whole)
            showing->texts->made[text].path = call->file_number;
    } else {
        call->file_number = given->path;
    }
    call->file = text_of(showing, call->file_number);
}

static const char *other_file(const struct fth_showing *showing)
{
    const struct fth_meaning *meaning = showing->raw->meaning;
    const int64_t *values = showing->raw->values;
    struct fth_path_parts parts;
    if (fth_call_second_path(showing->state, meaning, values, showing->process->facts.directory,
                             &parts))
        return text_of(showing, tidied(showing, &parts));
    const struct fth_binding *binding =
        meaning->about.other < 0 ? NULL
                                 : fth_state_binding(showing->state, meaning->about.other_class,
                                                     values[meaning->about.other]);
    const char *path = binding ? text_of(showing, binding->path) : NULL;
    return path && *path ? path : NULL;
}

void fth_value_put_file(const struct fth_showing *showing, struct fth_call *call)
{
    const struct fth_meaning *meaning = showing->raw->meaning;
    const int64_t *values = showing->raw->values;
    call->file = call->object = NULL;
    call->file_number = 0;
    call->other_file = other_file(showing);
    if (meaning->about.handle >= 0) {
        const struct fth_binding *binding = fth_state_binding(
            showing->state, meaning->about.handle_class, values[meaning->about.handle]);
        if (binding)
            put_bound_file(showing, call, binding->path);
    } else if (meaning->about.path.value >= 0) {
        put_path(showing, call, values[meaning->about.path.value]);
    }
}
