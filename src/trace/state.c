/* The mirror of the recorder. */
#include "trace/state.h"

#include "base/memory.h"
#include "trace/container.h"
#include "trace/spill.h"

#include <limits.h>

/* ---- meanings ---- */

static int value_of_field(const struct fth_meaning *meaning, int field, enum fth_value_part part)
{
    for (int i = 0; i < meaning->value_count; i++)
        if (field != -3 && meaning->plan[i].field == field && meaning->plan[i].part == part)
            return i;
    return -1;
}

static int field_of_role(const struct fth_row *row, enum fth_role role)
{
    int field = fth_field_with_role(row, role);
    return field < 0 ? -3 : field;
}

static void find_path(struct fth_meaning *meaning)
{
    const struct fth_row *row = meaning->row;
    int field = field_of_role(row, FTH_ROLE_PATH);
    meaning->path = value_of_field(meaning, field, FTH_PART_TEXT);
    meaning->directory = -1;
    if (meaning->path < 0 || row->fields[field].at_field < 0)
        return;
    meaning->directory = value_of_field(meaning, row->fields[field].at_field, FTH_PART_SLOT);
    meaning->directory_class = row->fields[row->fields[field].at_field].class_index;
    if (meaning->handle == meaning->directory)
        meaning->handle = -1; /* openat is about the path, not about the directory */
}

/* The last single `out` of a call that tests or probes is its flag, or how many are complete; behind it stands what is so. */
static int find_completes(const struct fth_meaning *meaning)
{
    const struct fth_row *row = meaning->row;
    int found = -1;
    if (!fth_row_polls(row))
        return -1;
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].role == FTH_ROLE_OUT && !row->fields[i].array)
            found = value_of_field(meaning, (int)i, FTH_PART_INTEGER);
    return found;
}

static bool moves_cursor(enum fth_value_part part)
{
    return part == FTH_PART_OFFSET || part == FTH_PART_VIEW || part == FTH_PART_DISTANCE ||
           part == FTH_PART_POSITION || part == FTH_PART_MOVED;
}

static void find_meaning(const struct fth_catalog *catalog, const struct fth_row *row,
                         struct fth_meaning *meaning)
{
    meaning->row = row;
    meaning->value_count = fth_plan_values(catalog, row, meaning->plan);
    if (meaning->value_count < 0)
        meaning->value_count = 0;
    bool ours = strcmp(row->layer, "fathom") == 0;
    meaning->is_bind = ours && strcmp(row->name, "fathom_bind") == 0 && meaning->value_count == 4;
    meaning->is_cwd = ours && strcmp(row->name, "fathom_cwd") == 0 && meaning->value_count == 1;
    bool is_contents =
        ours && strcmp(row->name, "fathom_contents") == 0 && meaning->value_count == 2;
    meaning->is_note = meaning->is_bind || meaning->is_cwd || is_contents;
    meaning->reads = fth_kind_reads(row->kind);
    meaning->writes = fth_kind_writes(row->kind);
    meaning->buffered = fth_row_is_buffered(catalog, row);
    /* fdopen makes a handle of a file that is open already */
    meaning->opens = strcmp(row->kind, "open") == 0 && fth_field_with_role(row, FTH_ROLE_PATH) >= 0;
    meaning->advances = fth_field_with_role(row, FTH_ROLE_OFFSET) < 0;
    meaning->one_byte = row->result.role == FTH_ROLE_BYTE;
    meaning->handle =
        fth_plan_handle(catalog, row, meaning->plan, meaning->value_count, &meaning->handle_class);
    meaning->steppable = fth_plan_steps(catalog, row, meaning->plan, meaning->value_count);
    find_path(meaning);
    meaning->bytes = value_of_field(meaning, field_of_role(row, FTH_ROLE_BYTES), FTH_PART_INTEGER);
    meaning->size = value_of_field(meaning, field_of_role(row, FTH_ROLE_SIZE), FTH_PART_INTEGER);
    meaning->items = value_of_field(meaning, field_of_role(row, FTH_ROLE_ITEMS), FTH_PART_INTEGER);
    if (meaning->bytes < 0)
        meaning->bytes =
            value_of_field(meaning, field_of_role(row, FTH_ROLE_IOV), FTH_PART_INTEGER);
    meaning->starts = (meaning->reads || meaning->writes) && (row->flags & FTH_CALL_NONBLOCKING);
    meaning->begins = (row->flags & FTH_CALL_BEGIN) != 0;
    if (meaning->starts && meaning->bytes < 0)
        meaning->bytes =
            value_of_field(meaning, field_of_role(row, FTH_ROLE_AIO), FTH_PART_INTEGER);
    int count = field_of_role(row, FTH_ROLE_COUNT);
    meaning->count = value_of_field(meaning, count, FTH_PART_INTEGER);
    meaning->element = value_of_field(meaning, count, FTH_PART_ELEMENT);
    int whence = field_of_role(row, FTH_ROLE_WHENCE);
    meaning->whence = value_of_field(meaning, whence, FTH_PART_INTEGER);
    meaning->moved = meaning->result = meaning->view = -1;
    for (int i = 0; i < meaning->value_count; i++) {
        if (meaning->plan[i].part == FTH_PART_MOVED)
            meaning->moved = i;
        if (meaning->plan[i].part == FTH_PART_VIEW)
            meaning->view = i;
        if (meaning->plan[i].field == FTH_RESULT && meaning->result < 0)
            meaning->result = i;
    }
    for (int i = 0; i < meaning->value_count; i++) {
        if (moves_cursor(meaning->plan[i].part))
            meaning->steps[meaning->step_count++] = (uint8_t)i;
        if (fth_is_name(meaning->plan[i].part))
            meaning->names[meaning->name_count++] = (uint8_t)i;
    }
    meaning->completes = find_completes(meaning);
    meaning->ready = true;
}

struct fth_meaning *fth_meanings_new(const struct fth_catalog *catalog)
{
    struct fth_meaning *meanings = fth_new(catalog->row_count, sizeof *meanings);
    for (size_t i = 0; i < catalog->row_count; i++)
        if (catalog->rows[i].name)
            find_meaning(catalog, &catalog->rows[i], &meanings[i]);
    return meanings;
}

struct fth_meaning *fth_builtin_meanings(void)
{
    static struct fth_meaning *meanings;
    if (!meanings)
        meanings = fth_new(fth_builtin_catalog()->row_count, sizeof *meanings);
    return meanings;
}

const struct fth_meaning *fth_builtin_meaning(uint32_t function)
{
    struct fth_meaning *meaning = &fth_builtin_meanings()[function];
    if (!meaning->ready)
        find_meaning(fth_builtin_catalog(), &fth_builtin_catalog()->rows[function], meaning);
    return meaning;
}

/* ---- state ---- */

void fth_process_names_init(struct fth_process_names *names)
{
    *names = (struct fth_process_names){0};
    fth_intern(&names->texts, FTH_NO_NAME, sizeof FTH_NO_NAME - 1);
}

void fth_process_names_free(struct fth_process_names *names)
{
    fth_intern_free(&names->texts);
    fth_intern_free(&names->places);
    fth_bytes_free(&names->scratch);
}

void fth_thread_state_init(struct fth_thread_state *state, const struct fth_catalog *catalog,
                           struct fth_process_names *names, struct fth_meaning *meanings)
{
    *state = (struct fth_thread_state){.catalog = catalog, .names = names, .meanings = meanings};
    state->version = ++names->versions;
    state->bindings = fth_new(catalog->class_count, sizeof *state->bindings);
    state->cursors = fth_new(catalog->class_count, sizeof *state->cursors);
}

void fth_thread_state_free(struct fth_thread_state *state)
{
    for (size_t i = 0; state->bindings && i < state->catalog->class_count; i++) {
        free(state->bindings[i].slots);
        free(state->cursors[i]);
    }
    free(state->bindings);
    free(state->cursors);
    free(state->trails);
    free(state->last.numbers);
    *state = (struct fth_thread_state){0};
}

struct fth_cursor_state *fth_state_cursor(struct fth_thread_state *state, int class_index,
                                          int64_t slot)
{
    if (slot < 0 || slot >= FTH_CURSOR_LIMIT)
        return NULL;
    struct fth_cursor_state **cursors = &state->cursors[class_index];
    if (!*cursors)
        *cursors = fth_new(FTH_CURSOR_LIMIT, sizeof **cursors);
    return &(*cursors)[slot];
}

int32_t fth_slot_of_cursor(const struct fth_meaning *meaning, const int64_t *values)
{
    if (meaning->handle < 0 || meaning->handle_class < 0)
        return -1;
    int64_t slot = values[meaning->handle];
    return slot >= 0 && slot < FTH_CURSOR_LIMIT ? (int32_t)slot : -1;
}

static struct fth_cursor_state *cursor_of(struct fth_thread_state *state,
                                          const struct fth_meaning *meaning, const int64_t *values)
{
    int32_t slot = fth_slot_of_cursor(meaning, values);
    return slot < 0 ? NULL : fth_state_cursor(state, meaning->handle_class, slot);
}

/* Sums that damaged traces may overflow. */
static int64_t add(int64_t one, int64_t other)
{
    return (int64_t)((uint64_t)one + (uint64_t)other);
}

static void expect(struct fth_cursor_state *cursor, int64_t end)
{
    if (cursor)
        cursor->end = FTH_IS_PLACE(end) ? end : 0;
}

int64_t fth_bytes_asked(const struct fth_meaning *meaning, const int64_t *values)
{
    if (meaning->bytes >= 0)
        return values[meaning->bytes];
    if (meaning->size >= 0 && meaning->items >= 0)
        return (int64_t)((uint64_t)values[meaning->size] * (uint64_t)values[meaning->items]);
    if (meaning->count >= 0 && meaning->element >= 0 && (meaning->reads || meaning->writes))
        return (int64_t)((uint64_t)values[meaning->count] * (uint64_t)values[meaning->element]);
    return meaning->one_byte ? 1 : 0;
}

static bool is_absolute(int64_t whence)
{
    return whence == 0 || whence == 600;
}

static bool is_relative(int64_t whence)
{
    return whence == 1 || whence == 602;
}

bool fth_offset_is_of_aio(const struct fth_meaning *meaning, int offset)
{
    return offset >= 0 && meaning->row->fields[meaning->plan[offset].field].role == FTH_ROLE_AIO;
}

int64_t fth_bytes_asked_at(const struct fth_meaning *meaning, const int64_t *values, int offset)
{
    return fth_offset_is_of_aio(meaning, offset) ? values[offset + 1]
                                                 : fth_bytes_asked(meaning, values);
}

static int64_t whence_of(const struct fth_meaning *meaning, const int64_t *values)
{
    return meaning->whence >= 0 ? values[meaning->whence] : 0;
}

bool fth_seek_is_absolute(const struct fth_meaning *meaning, const int64_t *values)
{
    return is_absolute(whence_of(meaning, values));
}

bool fth_seek_moves_cursor(const struct fth_meaning *meaning, const int64_t *values)
{
    int64_t whence = whence_of(meaning, values);
    return is_absolute(whence) || is_relative(whence);
}

int64_t *fth_state_trails(struct fth_thread_state *state, uint32_t key, uint32_t handle_class)
{
    if (!state->trails)
        state->trails = fth_new(1, sizeof *state->trails);
    return fth_trails_of(state->trails, key, handle_class);
}

/* Values that are steps become what they are; an offset among them is then no distance to where its cursor stands. */
static void take_steps(struct fth_thread_state *state, const struct fth_signature *signature,
                       const struct fth_meaning *meaning, int64_t *values)
{
    int32_t slot = fth_slot_of_cursor(meaning, values);
    for (uint32_t steps = signature->steps; steps; steps &= steps - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(steps);
        uint32_t key = fth_trail_key(signature->function, i, slot);
        values[i] =
            fth_step_take(fth_state_trails(state, key, (uint32_t)meaning->handle_class), values[i]);
    }
}

void fth_state_resolve(struct fth_thread_state *state, const struct fth_signature *signature,
                       int64_t *values)
{
    const struct fth_meaning *meaning = &state->meanings[signature->function];
    if (signature->steps)
        take_steps(state, signature, meaning, values);
    struct fth_cursor_state *cursor = cursor_of(state, meaning, values);
    uint32_t absolute = signature->mask | signature->steps;
    for (int step = 0; step < meaning->step_count; step++) {
        int i = meaning->steps[step];
        bool literal = absolute >> i & 1;
        switch (meaning->plan[i].part) {
        case FTH_PART_OFFSET:
            if (!literal && cursor)
                values[i] = add(values[i], cursor->end);
            expect(cursor, add(values[i], fth_bytes_asked_at(meaning, values, i)));
            break;
        case FTH_PART_VIEW:
            if (!literal && cursor)
                values[i] = add(values[i], cursor->view);
            if (cursor)
                cursor->view = values[i];
            break;
        case FTH_PART_DISTANCE: {
            int64_t whence = whence_of(meaning, values);
            if (is_absolute(whence)) {
                if (!literal && cursor)
                    values[i] = add(values[i], cursor->end);
                expect(cursor, values[i]);
            } else if (is_relative(whence) && cursor) {
                expect(cursor, add(cursor->end, values[i]));
            }
            break;
        }
        case FTH_PART_POSITION:
            if (FTH_IS_FAILURE(values[i]))
                break;
            if (cursor)
                values[i] = add(values[i], cursor->end);
            expect(cursor, values[i]);
            break;
        case FTH_PART_MOVED:
            if (FTH_IS_FAILURE(values[i]))
                break;
            values[i] = add(values[i], fth_bytes_asked(meaning, values));
            if (cursor && meaning->advances && meaning->plan[i].field == FTH_RESULT)
                expect(cursor, add(cursor->end, values[i]));
            break;
        default:
            break;
        }
    }
}

bool fth_state_step(struct fth_thread_state *state, const struct fth_signature *signature,
                    uint32_t times, int64_t *step)
{
    const struct fth_meaning *meaning = &state->meanings[signature->function];
    const int64_t *values = signature->values;
    const struct fth_cursor_state *cursor = cursor_of(state, meaning, values);
    int64_t way, end;
    *step = 0;
    if (signature->mask || signature->steps || meaning->name_count)
        return false;
    for (int k = 0; k < meaning->step_count; k++) {
        int i = meaning->steps[k];
        bool is_offset = meaning->plan[i].part == FTH_PART_OFFSET;
        bool is_result = meaning->plan[i].part == FTH_PART_MOVED && !FTH_IS_FAILURE(values[i]);
        bool moves = is_offset || (meaning->advances && meaning->plan[i].field == FTH_RESULT);
        if ((!is_offset && !is_result) || (moves && *step))
            return false;
        if (moves)
            *step = add(values[i], fth_bytes_asked_at(meaning, values, is_offset ? i : -1));
    }
    if (!cursor)
        *step = 0;
    return !cursor || (FTH_IS_PLACE(cursor->end) && !__builtin_mul_overflow(*step, times, &way) &&
                       !__builtin_add_overflow(cursor->end, way, &end) && FTH_IS_PLACE(end));
}

void fth_state_go_on(struct fth_thread_state *state, const struct fth_signature *signature,
                     uint32_t times, int64_t step)
{
    const struct fth_meaning *meaning = &state->meanings[signature->function];
    struct fth_cursor_state *cursor = cursor_of(state, meaning, signature->values);
    if (cursor)
        cursor->end += step * times;
}

static const char *text_of(const struct fth_thread_state *state, int64_t text, size_t *length)
{
    if (text <= 0 || text >= state->names->texts.count) {
        *length = 0;
        return "";
    }
    return (const char *)fth_interned(&state->names->texts, (uint32_t)text, length);
}

uint32_t fth_state_name(struct fth_thread_state *state, const struct fth_template *template,
                        int64_t *numbers, bool literal)
{
    struct fth_bytes *text = &state->names->scratch;
    if (template->bytes[0] == FTH_TEMPLATE_NULL)
        return 0;
    fth_name_unpack(&state->last, template, numbers, literal);
    text->length = 0;
    fth_name_join(template, numbers, text);
    return fth_intern(&state->names->texts, text->data, text->length);
}

static struct fth_binding *binding_of(struct fth_bindings *bindings, uint32_t slot)
{
    bindings->slots = fth_reach(bindings->slots, &bindings->room, slot, sizeof *bindings->slots);
    return &bindings->slots[slot];
}

int fth_class_of_name(const struct fth_catalog *catalog, const void *name, size_t length)
{
    for (size_t i = 0; i < catalog->class_count; i++)
        if (strlen(catalog->classes[i].name) == length &&
            memcmp(catalog->classes[i].name, name, length) == 0)
            return (int)i;
    return -1;
}

void fth_state_bind(struct fth_thread_state *state, int class_index, int64_t slot, int64_t number,
                    int64_t path)
{
    if (slot < 0 || slot >= FTH_SLOT_LIMIT || class_index < 0)
        return;
    state->version = ++state->names->versions;
    *binding_of(&state->bindings[class_index], (uint32_t)slot) = (struct fth_binding){
        .path = path > 0 ? (uint32_t)path : 0, .number = add(number, slot), .bound = true};
    if (slot < FTH_CURSOR_LIMIT && state->cursors[class_index])
        state->cursors[class_index][slot] = (struct fth_cursor_state){0, 0};
    if (slot < FTH_CURSOR_LIMIT && state->trails)
        fth_trails_forget(state->trails, (uint32_t)class_index, (int32_t)slot);
}

/* The number at the end of the name. */
static struct fth_start_note start_of(const struct fth_thread_state *state, const int64_t *values)
{
    size_t length;
    const char *name = text_of(state, values[3], &length);
    size_t first = length;
    uint64_t number = 0;
    while (first > 0 && name[first - 1] >= '0' && name[first - 1] <= '9')
        first--;
    while (first < length)
        number = number * 10 + (uint64_t)(name[first++] - '0');
    return (struct fth_start_note){number, values[1] == FTH_START_FOLLOWED};
}

static void set_flags(struct fth_thread_state *state, int64_t slot, int64_t flags)
{
    int descriptors = fth_class_of_name(state->catalog, "fd", 2);
    if (!fth_state_binding(state, descriptors, slot) || flags < 0 || flags >= INT_MAX)
        return;
    state->bindings[descriptors].slots[slot].flags = (int)flags + 1;
    state->version = ++state->names->versions;
}

static bool is_text(const char *text, size_t length, const char *other)
{
    return length == strlen(other) && memcmp(text, other, length) == 0;
}

static bool begins_with(const char *text, size_t length, const char *beginning)
{
    return length > strlen(beginning) && memcmp(text, beginning, strlen(beginning)) == 0;
}

/* The binding that a note of another class, whose name begins so, is about; or NULL. */
static struct fth_binding *told_of(struct fth_thread_state *state, const char *name, size_t length,
                                   const char *beginning, int64_t slot)
{
    size_t skipped = strlen(beginning);
    if (!begins_with(name, length, beginning))
        return NULL;
    int class_index = fth_class_of_name(state->catalog, name + skipped, length - skipped);
    if (!fth_state_binding(state, class_index, slot))
        return NULL;
    state->version = ++state->names->versions;
    return &state->bindings[class_index].slots[slot];
}

static void set_file(struct fth_thread_state *state, const char *name, size_t length,
                     const int64_t *values)
{
    struct fth_binding *path = told_of(state, name, length, FTH_PATH_OF, values[1]);
    if (path)
        path->real_path = values[3] > 0 ? (uint32_t)values[3] : 0;
    struct fth_binding *file = told_of(state, name, length, FTH_FILE_OF, values[1]);
    if (file) {
        file->inode = values[2];
        file->device = values[3] > 0 ? (uint32_t)values[3] : 0;
    }
}

static void bind(struct fth_thread_state *state, const int64_t *values)
{
    size_t length;
    const char *name = text_of(state, values[0], &length);
    if (is_text(name, length, FTH_START_CLASS))
        state->start = start_of(state, values);
    if (is_text(name, length, FTH_FLAGS_CLASS))
        set_flags(state, values[1], values[2]);
    set_file(state, name, length, values);
    fth_state_bind(state, fth_class_of_name(state->catalog, name, length), values[1], values[2],
                   values[3]);
}

bool fth_state_take_note(struct fth_thread_state *state, const struct fth_meaning *meaning,
                         const int64_t *values)
{
    state->start = (struct fth_start_note){0};
    state->contents = (struct fth_contents_note){0};
    if (meaning->is_bind)
        bind(state, values);
    else if (meaning->is_cwd)
        state->cwd = values[0] > 0 ? (uint32_t)values[0] : 0;
    else
        state->contents = (struct fth_contents_note){(uint64_t)values[0], values[1]};
    return true;
}

/* ---- questions ---- */

bool fth_call_failed(const struct fth_meaning *meaning, const int64_t *values)
{
    if (meaning->result >= 0 && FTH_IS_FAILURE(values[meaning->result]))
        return values[meaning->result] != FTH_ENDED;
    return meaning->row->result.role == FTH_ROLE_CODE && meaning->result >= 0 &&
           values[meaning->result] != 0;
}

bool fth_call_waits(const struct fth_meaning *meaning, const struct fth_signature *signature)
{
    int flag = meaning->completes;
    return flag >= 0 && !((signature->mask | signature->steps) >> flag & 1) &&
           signature->values[flag] == 0;
}

/* Without arrays, and without a handle that comes of it, what differs is the flag and the status. */
bool fth_call_would_wait(const struct fth_meaning *meaning, const struct fth_signature *signature,
                         struct fth_signature *waiting)
{
    int flag = meaning->completes;
    if (flag < 0 || meaning->name_count || fth_field_with_role(meaning->row, FTH_ROLE_NEW) >= 0 ||
        (signature->mask | signature->steps) >> flag & 1 || signature->values[flag] == 0 ||
        fth_call_failed(meaning, signature->values))
        return false;
    *waiting = *signature;
    waiting->values[flag] = 0;
    for (unsigned i = 0; i < signature->count; i++)
        if ((meaning->plan[i].part == FTH_PART_SOURCE || meaning->plan[i].part == FTH_PART_TAG) &&
            !((signature->mask | signature->steps) >> i & 1))
            waiting->values[i] = FTH_ABSENT;
    return true;
}

uint64_t fth_call_bytes(const struct fth_meaning *meaning, const int64_t *values)
{
    if (!(meaning->reads || meaning->writes) || fth_call_failed(meaning, values))
        return 0;
    if (meaning->moved < 0 && !meaning->starts)
        return 0;
    int64_t moved = meaning->moved >= 0 ? values[meaning->moved] : fth_bytes_asked(meaning, values);
    return moved > 0 && !FTH_IS_FAILURE(moved) ? (uint64_t)moved : 0;
}

bool fth_bytes_asked_are_known(const struct fth_meaning *meaning, const int64_t *values)
{
    bool of_unknown_type = meaning->count >= 0 && meaning->element >= 0 &&
                           values[meaning->count] > 0 && values[meaning->element] <= 0;
    bool says = meaning->bytes >= 0 || (meaning->size >= 0 && meaning->items >= 0) ||
                (meaning->count >= 0 && meaning->element >= 0) || meaning->one_byte;
    return says && !of_unknown_type && fth_bytes_asked(meaning, values) >= 0;
}

bool fth_call_bytes_are_known(const struct fth_meaning *meaning, const int64_t *values)
{
    if (!(meaning->reads || meaning->writes) || meaning->begins)
        return false;
    if (meaning->moved >= 0 || fth_call_failed(meaning, values))
        return true;
    bool unknown_type =
        meaning->count >= 0 && values[meaning->count] > 0 && values[meaning->element] <= 0;
    return meaning->starts && !unknown_type;
}

bool fth_call_path(const struct fth_thread_state *state, const struct fth_meaning *meaning,
                   const int64_t *values, const char *process_directory,
                   struct fth_path_parts *parts)
{
    *parts = (struct fth_path_parts){.base = "", .path = ""};
    if (meaning->handle >= 0) {
        const struct fth_binding *binding =
            fth_state_binding(state, meaning->handle_class, values[meaning->handle]);
        if (!binding)
            return false;
        parts->path = text_of(state, binding->path, &parts->path_length);
        parts->path_length = strnlen(parts->path, parts->path_length); /* without an object */
        return parts->path_length > 0;
    }
    if (meaning->path < 0)
        return false;
    parts->path = text_of(state, values[meaning->path], &parts->path_length);
    if (parts->path_length == 0)
        return false;
    if (*parts->path == '/')
        return true;
    const struct fth_binding *directory =
        meaning->directory >= 0
            ? fth_state_binding(state, meaning->directory_class, values[meaning->directory])
            : NULL;
    bool is_here =
        meaning->directory < 0 || values[meaning->directory] == FTH_SLOT_NONE; /* AT_FDCWD */
    if (!directory && !is_here)
        return false;
    if (directory) {
        parts->base = text_of(state, directory->path, &parts->base_length);
    } else if (state->cwd) {
        parts->base = text_of(state, state->cwd, &parts->base_length);
    } else if (process_directory) {
        parts->base = process_directory;
        parts->base_length = strlen(process_directory);
    }
    while (parts->path_length > 2 && parts->path[0] == '.' && parts->path[1] == '/' &&
           parts->base_length) {
        parts->path += 2;
        parts->path_length -= 2;
        while (parts->path_length > 1 && *parts->path == '/') {
            parts->path++;
            parts->path_length--;
        }
    }
    return true;
}

static bool needs_slash(const struct fth_path_parts *parts)
{
    return parts->base_length && parts->base[parts->base_length - 1] != '/';
}

void fth_path_join_at(const struct fth_path_parts *parts, char *to)
{
    memcpy(to, parts->base, parts->base_length);
    to += parts->base_length;
    if (needs_slash(parts))
        *to++ = '/';
    memcpy(to, parts->path, parts->path_length);
    to[parts->path_length] = 0;
}

void fth_path_join(const struct fth_path_parts *parts, struct fth_bytes *to)
{
    to->length = 0;
    fth_path_join_at(parts,
                     (char *)fth_bytes_room(to, parts->base_length + parts->path_length + 2));
    to->length = parts->base_length + needs_slash(parts) + parts->path_length;
}
