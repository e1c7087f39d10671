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
static struct fth_binding *binding_of_note(struct fth_thread_state *state, const char *name,
                                           size_t length, const char *beginning, int64_t slot)
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
    struct fth_binding *path = binding_of_note(state, name, length, FTH_PATH_OF, values[1]);
    if (path)
        path->real_path = values[3] > 0 ? (uint32_t)values[3] : 0;
    struct fth_binding *file = binding_of_note(state, name, length, FTH_FILE_OF, values[1]);
    if (file) {
        file->inode = values[2];
        file->device = values[3] > 0 ? (uint32_t)values[3] : 0;
    }
}

static void bind(struct fth_thread_state *state, const int64_t *values)
{
    size_t length;
    const char *name = fth_state_text(state, values[0], &length);
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
