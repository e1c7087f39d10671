/* The mirror of the recorder. */
#include "trace/state/state.h"

#include "base/memory.h"
#include "trace/record/builtin.h"
#include "trace/record/spill.h"

void fth_process_names_init(struct fth_process_names *names)
{
    *names = (struct fth_process_names){0};
    fth_intern(&names->texts, FTH_NO_NAME, sizeof FTH_NO_NAME - 1);
}

void fth_process_names_free(struct fth_process_names *names)
{
    fth_intern_free(&names->texts);
    fth_intern_free(&names->places);
    fth_known_names_free(&names->known);
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
    if (meaning->about.handle < 0 || meaning->about.handle_class < 0)
        return -1;
    int64_t slot = values[meaning->about.handle];
    return slot >= 0 && slot < FTH_CURSOR_LIMIT ? (int32_t)slot : -1;
}

static struct fth_cursor_state *cursor_of(struct fth_thread_state *state,
                                          const struct fth_meaning *meaning, const int64_t *values)
{
    int32_t slot = fth_slot_of_cursor(meaning, values);
    return slot < 0 ? NULL : fth_state_cursor(state, meaning->about.handle_class, slot);
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

static bool is_absolute(int64_t whence)
{
    return whence == 0 || whence == 600;
}

static bool is_relative(int64_t whence)
{
    return whence == 1 || whence == 602;
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

/* Values that are steps become what they are; an offset among them is then no distance to where its
 * cursor stands. */
static void take_steps(struct fth_thread_state *state, const struct fth_signature *signature,
                       const struct fth_meaning *meaning, int64_t *values)
{
    int32_t slot = fth_slot_of_cursor(meaning, values);
    for (uint32_t steps = signature->steps; steps; steps &= steps - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(steps);
        uint32_t key = fth_trail_key(signature->function, i, slot);
        values[i] = fth_step_take(
            fth_state_trails(state, key, (uint32_t)meaning->about.handle_class), values[i]);
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

bool fth_cursor_motion_of(const struct fth_meaning *meaning, const struct fth_signature *signature,
                          struct fth_cursor_motion *motion)
{
    const int64_t *values = signature->values;
    int ends = 0;
    *motion = (struct fth_cursor_motion){0};
    if (signature->mask || signature->steps)
        return false;
    for (int step = 0; step < meaning->step_count; step++) {
        int i = meaning->steps[step];
        int64_t end = values[i];
        switch (meaning->plan[i].part) {
        case FTH_PART_OFFSET:
            end = add(end, fth_bytes_asked_at(meaning, values, i));
            break;
        case FTH_PART_VIEW:
            motion->view = add(motion->view, values[i]);
            continue;
        case FTH_PART_DISTANCE:
            if (!fth_seek_moves_cursor(meaning, values))
                continue;
            break;
        case FTH_PART_POSITION:
            if (FTH_IS_FAILURE(end))
                continue;
            break;
        case FTH_PART_MOVED:
            if (FTH_IS_FAILURE(end) || !meaning->advances || meaning->plan[i].field != FTH_RESULT)
                continue;
            end = add(end, fth_bytes_asked(meaning, values));
            break;
        default:
            continue;
        }
        motion->end = end;
        ends++;
    }
    return ends <= 1;
}

void fth_state_move(struct fth_thread_state *state, int handle_class, int64_t slot,
                    const struct fth_cursor_motion *motion)
{
    struct fth_cursor_state *cursor = fth_state_cursor(state, handle_class, slot);
    expect(cursor, add(cursor ? cursor->end : 0, motion->end));
    if (cursor)
        cursor->view = add(cursor->view, motion->view);
}

bool fth_state_step(struct fth_thread_state *state, const struct fth_signature *signature,
                    const int64_t *values, uint32_t times, int64_t *step)
{
    const struct fth_meaning *meaning = &state->meanings[signature->function];
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
                     const int64_t *values, uint32_t times, int64_t step)
{
    const struct fth_meaning *meaning = &state->meanings[signature->function];
    struct fth_cursor_state *cursor = cursor_of(state, meaning, values);
    if (cursor)
        cursor->end += step * times;
}

const char *fth_state_text(const struct fth_thread_state *state, int64_t text, size_t *length)
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
    uint32_t *known = NULL;
    if (template->bytes[0] != FTH_TEMPLATE_LIST && template->count <= 1)
        known = fth_known_name(&state->names->known, template, template->count ? *numbers : 0);
    if (known && *known)
        return *known;
    text->length = 0;
    fth_name_join(template, numbers, text);
    uint32_t number = fth_intern(&state->names->texts, text->data, text->length);
    if (known)
        *known = number;
    return number;
}
