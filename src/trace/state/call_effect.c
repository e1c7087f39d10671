/* The effect of one call on what is known of its thread: what fth_state_resolve and the notes do
 * (state.c), on cells instead of numbers. */
#include "trace/state/effect.h"

#include "base/memory.h"

/* ---- trails ---- */

/* Where the value at `i` goes on from, if it is a step; `step`: by how much. */
static struct fth_state_cell trail_of(const struct fth_meaning *meaning,
                                      const struct fth_signature *signature, uint32_t i,
                                      int64_t *step)
{
    int64_t kept = signature->values[i];
    *step = kept >> 3;
    return (struct fth_state_cell){
        FTH_CELL_TRAIL, (uint32_t)meaning->about.handle_class,
        fth_trail_key(signature->function, i, fth_slot_of_cursor(meaning, signature->values)),
        (uint32_t)kept & (FTH_TRAILS - 1)};
}

void fth_cells_of_trails(struct fth_cells *cells, const struct fth_meaning *meaning,
                         const struct fth_signature *signature)
{
    int64_t step;
    for (uint32_t steps = signature->steps; steps; steps &= steps - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(steps), known = cells->known.count;
        uint32_t cell = fth_cell_number(cells, trail_of(meaning, signature, i, &step));
        if (cell < known)
            continue;
        FTH_GROW(cells->trails, cells->trail_count);
        cells->trails[cells->trail_count++] = cell;
    }
}

/* ---- a call on its cursor ---- */

/* The cursor of a constant place is set as fth_state_resolve does it; of another one it is noted
 * what must hold. */
static struct fth_cell_expression expected(struct fth_cell_expression end)
{
    if (end.kind == FTH_IS_CONSTANT)
        return fth_constant(FTH_IS_PLACE(end.add) ? end.add : 0);
    end.least = end.add < end.least ? end.add : end.least;
    end.most = end.add > end.most ? end.add : end.most;
    return end;
}

static bool is_literal(const struct fth_signature *signature, int value)
{
    return value >= 0 && signature->mask >> value & 1;
}

static bool is_step(const struct fth_signature *signature, int value)
{
    return value >= 0 && signature->steps >> value & 1;
}

/* Does its signature not say what it is? */
static bool is_open(const struct fth_signature *signature, int value)
{
    return value >= 0 && (signature->mask | signature->steps) >> value & 1;
}

/* Does the signature not say what the call asks for? */
static bool asks_openly(const struct fth_meaning *meaning, const struct fth_signature *signature,
                        int offset)
{
    if (fth_offset_is_of_aio(meaning, offset))
        return is_open(signature, offset + 1);
    return is_open(signature, meaning->asked.bytes) || is_open(signature, meaning->asked.size) ||
           is_open(signature, meaning->asked.items) || is_open(signature, meaning->asked.count) ||
           is_open(signature, meaning->asked.element);
}

static bool is_relative_step(const struct fth_meaning *meaning,
                             const struct fth_signature *signature, int distance)
{
    return is_step(signature, distance) && !fth_seek_is_absolute(meaning, signature->values);
}

static bool moves_by_result(const struct fth_meaning *meaning, int value)
{
    return meaning->advances && meaning->plan[value].field == FTH_RESULT;
}

unsigned fth_call_marks(const struct fth_meaning *meaning, const struct fth_signature *signature)
{
    unsigned marks = 0;
    if (!(signature->mask | signature->steps) || meaning->about.handle < 0 ||
        meaning->about.handle_class < 0)
        return 0;
    for (int step = 0; step < meaning->step_count; step++) {
        int i = meaning->steps[step];
        bool literal = is_literal(signature, i);
        switch (meaning->plan[i].part) {
        case FTH_PART_OFFSET:
            marks |= literal || asks_openly(meaning, signature, i) ? FTH_MARKS_END : 0;
            break;
        case FTH_PART_VIEW:
            marks |= literal ? FTH_MARKS_VIEW : 0;
            break;
        case FTH_PART_DISTANCE:
            marks |= literal || is_relative_step(meaning, signature, i) ||
                             is_open(signature, meaning->whence)
                         ? FTH_MARKS_END
                         : 0;
            break;
        case FTH_PART_POSITION:
            marks |= is_open(signature, i) ? FTH_MARKS_END : 0;
            break;
        case FTH_PART_MOVED:
            if (moves_by_result(meaning, i) &&
                (is_open(signature, i) || asks_openly(meaning, signature, -1)))
                marks |= FTH_MARKS_END;
            break;
        default:
            break;
        }
    }
    return marks;
}

/* What fth_state_resolve does, on cells instead of numbers: all values are known, but for those
 * that start from a cell. `places`: what offsets, places in views and distances are that are
 * steps. */
static void move_cursor(const struct fth_stored_call *call,
                        const struct fth_cell_expression *places, struct fth_cell_expression *end,
                        struct fth_cell_expression *view)
{
    const struct fth_meaning *meaning = call->meaning;
    const int64_t *values = call->signature->values;
    for (int step = 0; step < meaning->step_count; step++) {
        int i = meaning->steps[step];
        bool is_given = is_step(call->signature, i);
        switch (meaning->plan[i].part) {
        case FTH_PART_OFFSET:
            *end = is_given ? places[i] : fth_expression_plus(*end, values[i]);
            *end = expected(fth_expression_plus(*end, fth_bytes_asked_at(meaning, values, i)));
            break;
        case FTH_PART_VIEW:
            *view = is_given ? places[i] : fth_expression_plus(*view, values[i]);
            break;
        case FTH_PART_DISTANCE:
            if (fth_seek_moves_cursor(meaning, values))
                *end = expected(is_given ? places[i] : fth_expression_plus(*end, values[i]));
            break;
        case FTH_PART_POSITION:
            if (!FTH_IS_FAILURE(values[i]))
                *end = expected(fth_expression_plus(*end, values[i]));
            break;
        case FTH_PART_MOVED:
            if (!FTH_IS_FAILURE(values[i]) && moves_by_result(meaning, i))
                *end = expected(fth_expression_plus(fth_expression_plus(*end, values[i]),
                                                    fth_bytes_asked(meaning, values)));
            break;
        default:
            break;
        }
    }
}

static void put(struct fth_effect *effect, uint32_t cell, struct fth_cell_expression is)
{
    for (uint32_t i = 0; i < effect->count; i++)
        if (effect->cells[i].cell == cell) {
            effect->cells[i].is = is;
            return;
        }
    FTH_GROW(effect->cells, effect->count);
    effect->cells[effect->count++] = (struct fth_cell_effect){cell, is};
}

static const struct fth_cell_expression *found(const struct fth_effect *effect, uint32_t cell)
{
    for (uint32_t i = 0; i < effect->count; i++)
        if (effect->cells[i].cell == cell)
            return &effect->cells[i].is;
    return NULL;
}

/* Trails go on by their steps; those that had their place before stand at 0. */
static void act_on_trails(struct fth_effect *effect, struct fth_cells *cells,
                          const struct fth_stored_call *call, struct fth_cell_expression *places)
{
    effect->summary.opaque |=
        call->signature->steps && is_open(call->signature, call->meaning->about.handle);
    for (uint32_t steps = call->signature->steps; steps; steps &= steps - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(steps);
        int64_t step;
        struct fth_state_cell trail = trail_of(call->meaning, call->signature, i, &step);
        uint32_t cell = fth_cell_number(cells, trail);
        const struct fth_cell_expression *before = found(effect, cell);
        places[i] = fth_expression_plus(before ? *before : fth_start_of(cell), step);
        for (uint32_t k = 0; k < cells->trail_count; k++) {
            uint32_t key = fth_cell_of(cells, cells->trails[k]).which;
            if (key != trail.which && fth_trail_place(key) == fth_trail_place(trail.which))
                put(effect, cells->trails[k], fth_constant(0));
        }
        put(effect, cell, places[i]);
    }
}

static void act_on_cursor(struct fth_effect *effect, struct fth_cells *cells,
                          const struct fth_stored_call *call)
{
    struct fth_cell_expression places[FTH_MOST_VALUES];
    act_on_trails(effect, cells, call, places);
    const struct fth_meaning *meaning = call->meaning;
    if (!meaning->step_count || meaning->about.handle < 0 || meaning->about.handle_class < 0)
        return;
    int64_t slot = call->signature->values[meaning->about.handle];
    effect->summary.opaque |= is_open(call->signature, meaning->about.handle);
    if (effect->summary.opaque || slot < 0 || slot >= FTH_CURSOR_LIMIT)
        return;
    struct fth_state_cell cell = {FTH_CELL_END, (uint32_t)meaning->about.handle_class,
                                  (uint32_t)slot, 0};
    uint32_t at_end = fth_cell_number(cells, cell);
    cell.kind = FTH_CELL_VIEW;
    uint32_t at_view = fth_cell_number(cells, cell);
    struct fth_cell_expression end = fth_start_of(at_end), view = fth_start_of(at_view);
    unsigned marks = fth_call_marks(meaning, call->signature);
    move_cursor(call, places, &end, &view);
    end = marks & FTH_MARKS_END ? fth_mark_of(at_end) : end;
    view = marks & FTH_MARKS_VIEW ? fth_mark_of(at_view) : view;
    if (end.kind != FTH_IS_START || end.cell != at_end || end.add || end.least <= end.most)
        put(effect, at_end, end);
    if (view.kind != FTH_IS_START || view.cell != at_view || view.add)
        put(effect, at_view, view);
}

/* ---- a call's names ---- */

/* The last numbers move on; `name` is what the numbers of the `which`th name are then, literal ones
 * by their marks. */
static void act_on_names(struct fth_effect *effect, struct fth_cells *cells,
                         const struct fth_stored_call *call, int which,
                         struct fth_cell_expression name[FTH_NAME_NUMBERS])
{
    const int64_t *kept = call->numbers;
    for (int i = 0; i < call->meaning->name_count; i++) {
        const struct fth_template *template = call->templates[i];
        bool literal = is_literal(call->signature, call->meaning->names[i]);
        for (unsigned k = 0; k < template->count; k++) {
            int64_t number = literal ? 0 : *kept++;
            if (template->bytes[0] != FTH_TEMPLATE_NUMBERS)
                continue;
            uint32_t place = fth_cell_number(
                cells, (struct fth_state_cell){FTH_CELL_PLACE, 0, template->places[k], 0});
            const struct fth_cell_expression *before = found(effect, place);
            struct fth_cell_expression is = before ? *before : fth_start_of(place);
            /* A mark is the number after the whole call. */
            if (literal || is.kind == FTH_IS_MARK)
                is = fth_mark_of(place);
            else
                is = fth_expression_plus(is, number);
            put(effect, place, is);
            if (i == which)
                name[k] = is;
        }
    }
}

/* ---- notes ---- */

static void forget_cursor(struct fth_effect *effect, struct fth_cells *cells, uint32_t class_index,
                          uint32_t slot)
{
    if (slot >= FTH_CURSOR_LIMIT)
        return;
    for (uint32_t i = 0; i < cells->trail_count; i++) {
        struct fth_state_cell trail = fth_cell_of(cells, cells->trails[i]);
        if (trail.class_index == class_index && fth_trail_slot(trail.which) == (int32_t)slot)
            put(effect, cells->trails[i], fth_constant(0));
    }
    put(effect, fth_cell_number(cells, (struct fth_state_cell){FTH_CELL_END, class_index, slot, 0}),
        fth_constant(0));
    put(effect,
        fth_cell_number(cells, (struct fth_state_cell){FTH_CELL_VIEW, class_index, slot, 0}),
        fth_constant(0));
}

/* What is bound to what. The class is a name without numbers in it. */
static void act_on_bindings(struct fth_effect *effect, struct fth_cells *cells,
                            const struct fth_catalog *catalog, const struct fth_stored_call *call)
{
    const struct fth_signature *signature = call->signature;
    struct fth_cell_expression name[FTH_NAME_NUMBERS];
    bool is_cwd = call->meaning->note.cwd;
    int which = is_cwd ? 0 : 1;
    struct fth_state_cell cell = {FTH_CELL_BINDING, FTH_CLASS_OF_CWD, 0, 0};
    act_on_names(effect, cells, call, which, name);
    if (!is_cwd) {
        struct fth_bytes text = {0};
        const struct fth_template *template = call->templates[0];
        int64_t slot = signature->values[1];
        int class_index = -1;
        if (template->bytes[0] != FTH_TEMPLATE_NULL && template->count == 0)
            fth_name_join(template, NULL, &text);
        class_index = fth_class_of_name(catalog, text.data, text.length);
        fth_bytes_free(&text);
        effect->summary.opaque |= template->count || signature->steps || is_literal(signature, 1);
        if (effect->summary.opaque || slot < 0 || slot >= FTH_SLOT_LIMIT || class_index < 0)
            return;
        cell.class_index = (uint32_t)class_index;
        cell.which = (uint32_t)slot;
        forget_cursor(effect, cells, cell.class_index, cell.which);
    }
    put(effect, fth_cell_number(cells, cell), fth_constant(call->binding));
    const struct fth_template *path = call->templates[which];
    cell.kind = FTH_CELL_NUMBER;
    for (unsigned k = 0; k < path->count && path->bytes[0] == FTH_TEMPLATE_NUMBERS; k++) {
        cell.number = k;
        put(effect, fth_cell_number(cells, cell), name[k]);
    }
}

void fth_effect_of_call(struct fth_effect *effect, struct fth_cells *cells,
                        const struct fth_catalog *catalog, const struct fth_stored_call *call)
{
    const struct fth_meaning *meaning = call->meaning;
    bool note = meaning->note.any, alone = !note && call->signature->depth == 0;
    *effect = (struct fth_effect){.summary = {.length = 1,
                                              .calls = !note,
                                              .last_depth = call->signature->depth,
                                              .alone_length = alone,
                                              .alone_calls = alone}};
    if (meaning->note.binds || meaning->note.cwd)
        act_on_bindings(effect, cells, catalog, call);
    if (note)
        return;
    act_on_names(effect, cells, call, -1, NULL);
    act_on_cursor(effect, cells, call);
}
