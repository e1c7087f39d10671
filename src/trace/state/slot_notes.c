/* What slots are bound to, as the tracer's own notes in the stream of calls say. */
#include "trace/state/state.h"

#include "base/memory.h"
#include "trace/record/builtin.h"
#include "trace/record/spill.h"

#include <limits.h>

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
    *binding_of(&state->bindings[class_index], (uint32_t)slot) =
        (struct fth_binding){.path = path > 0 ? (uint32_t)path : 0,
                             .number = (int64_t)((uint64_t)number + (uint64_t)slot),
                             .bound = true};
    if (slot < FTH_CURSOR_LIMIT && state->cursors[class_index])
        state->cursors[class_index][slot] = (struct fth_cursor_state){0, 0};
    if (slot < FTH_CURSOR_LIMIT && state->trails)
        fth_trails_forget(state->trails, (uint32_t)class_index, (int32_t)slot);
}

/* The number at the end of the name. */
static struct fth_start_note start_of(const struct fth_thread_state *state, const int64_t *values)
{
    size_t length;
    const char *name = fth_state_text(state, values[3], &length);
    size_t first = length;
    uint64_t number = 0;
    while (first > 0 && name[first - 1] >= '0' && name[first - 1] <= '9')
        first--;
    while (first < length)
        number = number * 10 + (uint64_t)(name[first++] - '0');
    return (struct fth_start_note){number, values[1] == FTH_START_FOLLOWED};
}

static bool is_text(const char *text, size_t length, const char *other)
{
    return length == strlen(other) && memcmp(text, other, length) == 0;
}

static bool begins_with(const char *text, size_t length, const char *beginning)
{
    return length > strlen(beginning) && memcmp(text, beginning, strlen(beginning)) == 0;
}

static struct fth_note_name read_name(const struct fth_thread_state *state, int64_t text)
{
    static const struct {
        const char *beginning;
        enum fth_note_about about;
    } others[] = {{FTH_PATH_OF, FTH_NOTE_OF_PATH},
                  {FTH_FILE_OF, FTH_NOTE_OF_FILE},
                  {FTH_SIZE_OF, FTH_NOTE_OF_SIZE}};
    size_t length;
    const char *name = fth_state_text(state, text, &length);
    if (is_text(name, length, FTH_START_CLASS))
        return (struct fth_note_name){text, FTH_NOTE_OF_START, -1};
    if (is_text(name, length, FTH_FLAGS_CLASS))
        return (struct fth_note_name){text, FTH_NOTE_OF_FLAGS,
                                      fth_class_of_name(state->catalog, "fd", 2)};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t skipped = strlen(others[i].beginning);
        if (begins_with(name, length, others[i].beginning))
            return (struct fth_note_name){
                text, others[i].about,
                fth_class_of_name(state->catalog, name + skipped, length - skipped)};
    }
    return (struct fth_note_name){text, FTH_NOTE_OF_SLOT,
                                  fth_class_of_name(state->catalog, name, length)};
}

/* Most notes have one of a few names. */
static const struct fth_note_name *name_of_note(struct fth_thread_state *state, int64_t text)
{
    struct fth_note_name *known = &state->names->notes[(uint64_t)text % FTH_NOTE_NAMES];
    if (known->about == FTH_NOTE_OF_NOTHING || known->text != text)
        *known = read_name(state, text);
    return known;
}

/* The binding that is about to be changed; or NULL. */
static struct fth_binding *changed(struct fth_thread_state *state, int class_index, int64_t slot)
{
    if (!fth_state_binding(state, class_index, slot))
        return NULL;
    state->version = ++state->names->versions;
    return &state->bindings[class_index].slots[slot];
}

static void bind(struct fth_thread_state *state, const int64_t *values)
{
    const struct fth_note_name *name = name_of_note(state, values[0]);
    struct fth_binding *binding = NULL;
    switch (name->about) {
    case FTH_NOTE_OF_START:
        state->start = start_of(state, values);
        return;
    case FTH_NOTE_OF_FLAGS:
        if (values[2] >= 0 && values[2] < INT_MAX)
            binding = changed(state, name->class_index, values[1]);
        if (binding)
            binding->flags = (int)values[2] + 1;
        return;
    case FTH_NOTE_OF_PATH:
        binding = changed(state, name->class_index, values[1]);
        if (binding)
            binding->real_path = values[3] > 0 ? (uint32_t)values[3] : 0;
        return;
    case FTH_NOTE_OF_FILE:
        binding = changed(state, name->class_index, values[1]);
        if (binding) {
            binding->inode = values[2];
            binding->device = values[3] > 0 ? (uint32_t)values[3] : 0;
        }
        return;
    case FTH_NOTE_OF_SIZE:
        if (FTH_IS_PLACE(values[2]))
            binding = changed(state, name->class_index, values[1]);
        if (binding)
            binding->size = values[2] + 1;
        return;
    default:
        fth_state_bind(state, name->class_index, values[1], values[2], values[3]);
    }
}

bool fth_state_take_note(struct fth_thread_state *state, const struct fth_meaning *meaning,
                         const int64_t *values)
{
    state->start = (struct fth_start_note){0};
    if (meaning->note.stood) { /* it may be about a call of which contents are noted, too */
        state->stood = (struct fth_stood_note){true, values[0]};
        return true;
    }
    state->contents = (struct fth_contents_note){0};
    state->stood = (struct fth_stood_note){0};
    if (meaning->note.binds)
        bind(state, values);
    else if (meaning->note.cwd)
        state->cwd = values[0] > 0 ? (uint32_t)values[0] : 0;
    else
        state->contents = (struct fth_contents_note){(uint64_t)values[0], values[1]};
    return true;
}
