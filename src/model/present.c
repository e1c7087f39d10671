/* What a decoded call looks like to people: parameters with names instead of values in a row, descriptors and paths instead of slots.
 *
 * A trace repeats itself, so this does not begin anew for every call. What calls of one signature share is made when the first of them comes;
 * then only values that may differ from call to call are made: handles (what they are bound to changes), predicted positions, literals.
 * They are written in place, field by field: a structure that is put together elsewhere and copied costs more than all the rest. */
#include "model/present.h"

#include "base/memory.h"
#include "catalog/values.h"

/* What all calls of one signature have in common. */
struct fth_presented {
    struct fth_call call;
    int change_count;
    struct {
        int value, field; /* FTH_RESULT: the result */
    } changes[FTH_MOST_VALUES];
    bool has_path, has_result, result_is_code, moves_bytes;
    struct fth_value arguments[];
};

/* What is needed to show one call. */
struct showing {
    const struct fth_presenter *presenter;
    const struct fth_thread_reader *reader;
    struct fth_arena *arena;
    const struct fth_raw_call *raw;
};

static int find_descriptors(const struct fth_catalog *catalog)
{
    for (size_t i = 0; i < catalog->class_count; i++)
        if (strcmp(catalog->classes[i].name, "fd") == 0)
            return (int)i;
    return -1;
}

void fth_presenter_open(struct fth_presenter *presenter, const struct fth_trace *trace, size_t proc)
{
    *presenter = (struct fth_presenter){.trace = trace, .process = &trace->processes[proc], .proc = proc,
                                        .descriptors = find_descriptors(&trace->catalog)};
    presenter->known = fth_new(trace->part.signatures.count, sizeof(struct fth_presented *));
}

void fth_presenter_close(struct fth_presenter *presenter)
{
    for (uint32_t i = 0; presenter->known && i < presenter->trace->part.signatures.count; i++)
        free(presenter->known[i]);
    free(presenter->known);
    *presenter = (struct fth_presenter){0};
}

/* ---- strings, lists, paths ---- */

static bool is_string(const struct fth_presenter *presenter, int64_t string)
{
    return string > 0 && string < presenter->trace->part.strings.count;
}

static const char *text_of(const struct fth_presenter *presenter, int64_t string)
{
    return is_string(presenter, string) ? presenter->trace->texts[string] : NULL;
}

static const char *path_of_call(const struct showing *showing)
{
    const struct fth_meaning *meaning = showing->raw->meaning;
    const struct fth_thread_state *state = &showing->reader->state;
    if (meaning->handle >= 0) {
        const struct fth_binding *binding =
            fth_state_binding(state, meaning->handle_class, showing->raw->values[meaning->handle]);
        return binding ? text_of(showing->presenter, binding->path) : NULL;
    }
    struct fth_path_parts parts;
    if (!fth_call_path(state, meaning, showing->raw->values, showing->presenter->process->facts.directory, &parts))
        return NULL;
    char *path = fth_arena_take(showing->arena, parts.base_length + parts.path_length + 2);
    fth_path_join_at(&parts, path);
    return path;
}

/* ---- values ---- */

static void put_nothing(struct fth_value *to)
{
    *to = (struct fth_value){.type = FTH_VALUE_NONE};
}

static void put_integer(struct fth_value *to, int64_t integer)
{
    if (integer == FTH_ABSENT) {
        put_nothing(to);
        return;
    }
    to->type = FTH_VALUE_INTEGER;
    to->integer = integer;
}

static void put_handle(const struct showing *showing, struct fth_value *to, int handle_class, int64_t slot)
{
    if (slot == FTH_SLOT_NONE) {
        put_nothing(to);
        return;
    }
    const struct fth_binding *binding = fth_state_binding(&showing->reader->state, handle_class, slot);
    bool numbered = binding && handle_class == showing->presenter->descriptors;
    to->type = FTH_VALUE_HANDLE;
    to->integer = numbered ? binding->number : slot < 0 ? -1 : slot;
    to->text = binding ? text_of(showing->presenter, binding->path) : NULL;
}

/* Sums that damaged traces may overflow. */
static int64_t add(int64_t one, int64_t other)
{
    return (int64_t)((uint64_t)one + (uint64_t)other);
}

static void put_integers(const struct showing *showing, struct fth_value *to, const int64_t *integers, size_t count)
{
    int64_t *list = fth_arena_take(showing->arena, count * sizeof *list);
    memcpy(list, integers, count * sizeof *list);
    *to = (struct fth_value){.type = FTH_VALUE_INTEGERS, .count = count, .integers = list};
}

static void put_list(const struct showing *showing, struct fth_value *to, const struct fth_field *field, int64_t string)
{
    size_t length, count = 0;
    if (!is_string(showing->presenter, string)) {
        put_nothing(to);
        return;
    }
    const uint8_t *bytes = fth_interned(&showing->presenter->trace->part.strings, (uint32_t)string, &length);
    int64_t *integers = fth_arena_take(showing->arena, length * sizeof *integers);
    for (struct fth_view view = fth_view_of(bytes, length); view.at < view.end; count++) {
        integers[count] = fth_view_signed(&view);
        if (view.failed)
            break;
    }
    if (field->role == FTH_ROLE_NEW && count == 4) { /* slots and what their numbers are more */
        integers[0] = add(integers[0], integers[1]);
        integers[1] = add(integers[2], integers[3]);
        count = 2;
    }
    *to = (struct fth_value){.type = FTH_VALUE_INTEGERS, .count = count, .integers = integers};
}

static void put_texts(const struct showing *showing, struct fth_value *to, int64_t string)
{
    size_t length, count = 0;
    if (!is_string(showing->presenter, string)) {
        put_nothing(to);
        return;
    }
    fth_interned(&showing->presenter->trace->part.strings, (uint32_t)string, &length);
    const char *text = text_of(showing->presenter, string), **texts;
    for (size_t at = 0; at < length; at += strlen(text + at) + 1)
        count++;
    texts = fth_arena_take(showing->arena, count * sizeof *texts);
    count = 0;
    for (size_t at = 0; at < length; at += strlen(text + at) + 1)
        texts[count++] = text + at;
    *to = (struct fth_value){.type = FTH_VALUE_TEXTS, .count = count, .texts = texts};
}

/* Is it the number of a handle, a result or what stands for one? Other values may be any number. */
static bool can_fail(const struct fth_value_plan *plan)
{
    return plan->field < 0 || (plan->part != FTH_PART_INTEGER && plan->part != FTH_PART_OFFSET &&
                               plan->part != FTH_PART_VIEW && plan->part != FTH_PART_DISTANCE);
}

static void put_slot(const struct showing *showing, struct fth_value *to, const struct fth_field *field, int i)
{
    const struct fth_raw_call *raw = showing->raw;
    int64_t value = raw->values[i];
    if (field->role == FTH_ROLE_NEW) {
        bool numbered = i + 1 < raw->meaning->value_count && raw->meaning->plan[i + 1].part == FTH_PART_NUMBER;
        to->type = FTH_VALUE_HANDLE;
        to->integer = numbered ? add(value, raw->values[i + 1]) : value;
        return;
    }
    if (field->role != FTH_ROLE_AIO) {
        put_handle(showing, to, field->class_index, value);
        return;
    }
    struct fth_value handle = {0};
    put_handle(showing, &handle, raw->meaning->handle_class, value);
    put_integers(showing, to, (int64_t[]){handle.integer, raw->values[i + 1], raw->values[i + 2]}, 3);
}

/* The parameter or the result that begins with value i of the plan. */
static void put_value(const struct showing *showing, struct fth_value *to, int i)
{
    const struct fth_raw_call *raw = showing->raw;
    const struct fth_value_plan *plan = &raw->meaning->plan[i];
    const struct fth_field *field = plan->field >= 0 ? &raw->meaning->row->fields[plan->field] : &raw->meaning->row->result;
    int64_t value = raw->values[i];
    if (FTH_IS_FAILURE(value) && can_fail(plan)) {
        *to = (struct fth_value){.type = FTH_VALUE_INTEGER, .integer = -1};
        return;
    }
    switch (plan->part) {
    case FTH_PART_SLOT:
        put_slot(showing, to, field, i);
        return;
    case FTH_PART_TEXT:
        put_nothing(to);
        to->text = text_of(showing->presenter, value);
        to->type = to->text ? FTH_VALUE_TEXT : FTH_VALUE_NONE;
        return;
    case FTH_PART_TEXTS:
        put_texts(showing, to, value);
        return;
    case FTH_PART_LIST:
        put_list(showing, to, field, value);
        return;
    case FTH_PART_SOURCE:
        if (value == FTH_ABSENT)
            put_nothing(to);
        else
            put_integers(showing, to, (int64_t[]){value, raw->values[i + 1]}, 2);
        return;
    default:
        put_integer(to, value);
    }
}

static void put_result(const struct showing *showing, struct fth_value *to)
{
    const struct fth_meaning *meaning = showing->raw->meaning;
    enum fth_role role = meaning->row->result.role;
    int64_t value = showing->raw->values[meaning->result];
    if (FTH_IS_FAILURE(value)) {
        bool is_pointer = role == FTH_ROLE_POINTER || role == FTH_ROLE_TEXT ||
                          (role == FTH_ROLE_NEW && strchr(meaning->row->result.type, '*'));
        *to = is_pointer ? (struct fth_value){.type = FTH_VALUE_NONE}
                         : (struct fth_value){.type = FTH_VALUE_INTEGER, .integer = -1};
        return;
    }
    if (role == FTH_ROLE_RESULT_ITEMS) {
        int64_t size = meaning->size >= 0 ? showing->raw->values[meaning->size] : 1;
        put_integer(to, size > 0 ? value / size : 0);
        return;
    }
    put_value(showing, to, meaning->result);
}

/* ---- what calls of a signature have in common ---- */

static bool belongs_to_one_before(enum fth_value_part part)
{
    return part == FTH_PART_NUMBER || part == FTH_PART_ELEMENT || part == FTH_PART_TAG;
}

/* Must this parameter be made for each call? Lists and texts stand in the arena of their call. */
static bool changes(const struct fth_meaning *meaning, const struct fth_signature *signature, int i)
{
    int field = meaning->plan[i].field;
    switch (meaning->plan[i].part) {
    case FTH_PART_INTEGER:
        return field == FTH_RESULT || signature->mask >> i & 1;
    case FTH_PART_TEXT:
        return field == FTH_RESULT;
    default:
        return true;
    }
}

static struct fth_presented *make_common(const struct showing *showing)
{
    const struct fth_presenter *presenter = showing->presenter;
    const struct fth_meaning *meaning = showing->raw->meaning;
    const struct fth_signature *signature = &presenter->trace->signatures[showing->raw->signature];
    size_t count = meaning->row->field_count;
    struct fth_presented *made = fth_new(1, sizeof *made + count * sizeof *made->arguments);
    int last_field = FTH_RESULT;
    for (int i = 0; i < meaning->value_count; i++) {
        int field = meaning->plan[i].field;
        bool more_of_same = field == last_field && field >= 0;
        last_field = field;
        if (field < 0 || belongs_to_one_before(meaning->plan[i].part) || more_of_same)
            continue;
        if (changes(meaning, signature, i)) {
            made->changes[made->change_count].value = i;
            made->changes[made->change_count++].field = field;
        } else {
            put_value(showing, &made->arguments[field], i);
        }
    }
    made->has_path = meaning->handle >= 0 || meaning->path >= 0;
    made->has_result = meaning->result >= 0;
    made->result_is_code = meaning->row->result.role == FTH_ROLE_CODE;
    made->moves_bytes = meaning->reads || meaning->writes;
    made->call = (struct fth_call){.proc = presenter->proc, .depth = signature->depth,
                                   .function = &presenter->trace->functions[signature->function],
                                   .arguments = made->arguments, .parent = FTH_NO_CALL,
                                   .reads = meaning->reads, .writes = meaning->writes};
    return made;
}

void fth_present(struct fth_presenter *presenter, const struct fth_thread_reader *reader, struct fth_arena *arena,
                 const struct fth_raw_call *raw, struct fth_call *call)
{
    const struct showing showing = {presenter, reader, arena, raw};
    struct fth_presented **known = &presenter->known[raw->signature];
    if (!*known)
        *known = make_common(&showing);
    struct fth_presented *common = *known;
    *call = common->call;
    call->thread = (uint32_t)reader->thread;
    call->tid = reader->tid;
    call->start = fth_model_time(presenter->process, raw->entry);
    call->end = fth_model_time(presenter->process, raw->exit);
    for (int i = 0; i < common->change_count; i++)
        put_value(&showing, &common->arguments[common->changes[i].field], common->changes[i].value);
    if (common->has_result) {
        int64_t result = raw->values[raw->meaning->result];
        put_result(&showing, &call->result);
        if (FTH_IS_FAILURE(result))
            call->error_number = result - FTH_FAILED;
        else if (common->result_is_code)
            call->error_number = result;
    }
    if (common->has_path)
        call->file = path_of_call(&showing);
    if (common->moves_bytes)
        call->bytes = fth_call_bytes(raw->meaning, raw->values);
}
