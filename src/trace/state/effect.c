/* Cells, expressions of them, and how effects compose. */
#include "trace/state/effect.h"

#include "base/memory.h"

/* ---- cells ---- */

uint32_t fth_cell_number(struct fth_cells *cells, struct fth_state_cell cell)
{
    return fth_intern(&cells->known, &cell, sizeof cell);
}

struct fth_state_cell fth_cell_of(const struct fth_cells *cells, uint32_t number)
{
    size_t length;
    struct fth_state_cell cell;
    memcpy(&cell, fth_interned(&cells->known, number, &length), sizeof cell);
    return cell;
}

void fth_cells_free(struct fth_cells *cells)
{
    free(cells->trails);
    fth_intern_free(&cells->known);
}

/* ---- expressions ---- */

static int64_t sum(int64_t one, int64_t other)
{
    return (int64_t)((uint64_t)one + (uint64_t)other);
}

bool fth_expression_value(const struct fth_cell_expression *expression, int64_t value,
                          int64_t *worth)
{
    int64_t least, most;
    *worth = sum(value, expression->add);
    if (expression->kind == FTH_IS_UNKNOWN)
        return false;
    if (expression->kind == FTH_IS_CONSTANT) {
        *worth = expression->add;
        return true;
    }
    return expression->least > expression->most ||
           (!__builtin_add_overflow(value, expression->least, &least) && FTH_IS_PLACE(least) &&
            !__builtin_add_overflow(value, expression->most, &most) && FTH_IS_PLACE(most));
}

/* `then` starts from what `first` is. */
static struct fth_cell_expression follow(const struct fth_cell_expression *first,
                                         const struct fth_cell_expression *then)
{
    struct fth_cell_expression both = *first;
    int64_t least, most, add;
    if (first->kind == FTH_IS_CONSTANT) {
        both = fth_constant(0);
        if (!fth_expression_value(then, first->add, &both.add))
            both.kind = FTH_IS_UNKNOWN;
        return both;
    }
    both.add = sum(first->add, then->add);
    if (then->least > then->most)
        return both;
    if (__builtin_add_overflow(first->add, then->least, &least) ||
        __builtin_add_overflow(first->add, then->most, &most) ||
        __builtin_add_overflow(first->add, then->add, &add)) {
        both.kind = FTH_IS_UNKNOWN;
        return both;
    }
    both.least = least < both.least ? least : both.least;
    both.most = most > both.most ? most : both.most;
    return both;
}

/* ---- effects ---- */

void fth_effect_free(struct fth_effect *effect)
{
    free(effect->cells);
    *effect = (struct fth_effect){0};
}

/* ---- composing ---- */

static void make_room(struct fth_composition *composition, uint32_t cell)
{
    if (cell < composition->room)
        return;
    uint32_t room = composition->room, more = room;
    composition->cells = fth_reach(composition->cells, &more, cell, sizeof *composition->cells);
    more = room;
    composition->is_touched = fth_reach(composition->is_touched, &more, cell, 1);
    more = room;
    composition->touched =
        fth_reach(composition->touched, &more, cell, sizeof *composition->touched);
    composition->room = more;
}

static void add_summary(struct fth_run_summary *to, const struct fth_run_summary *more)
{
    if (more->alone_length) {
        to->alone_length = to->length + more->alone_length;
        to->alone_calls = to->calls + more->alone_calls;
    }
    if (more->calls)
        to->last_depth = more->last_depth;
    to->length += more->length;
    to->calls += more->calls;
    to->opaque |= more->opaque;
}

void fth_compose(struct fth_composition *composition, const struct fth_effect *effect)
{
    composition->next = fth_reach(composition->next, &composition->next_room, effect->count,
                                  sizeof *composition->next);
    for (uint32_t i = 0; i < effect->count; i++) {
        const struct fth_cell_expression *then = &effect->cells[i].is;
        struct fth_cell_effect *next = &composition->next[i];
        make_room(composition, effect->cells[i].cell);
        *next = effect->cells[i];
        if (then->kind != FTH_IS_START) {
            next->is.place += composition->summary.length;
            continue;
        }
        make_room(composition, then->cell);
        if (composition->is_touched[then->cell])
            next->is = follow(&composition->cells[then->cell], then);
    }
    for (uint32_t i = 0; i < effect->count; i++) {
        uint32_t cell = composition->next[i].cell;
        if (!composition->is_touched[cell])
            composition->touched[composition->touched_count++] = cell;
        composition->is_touched[cell] = 1;
        composition->cells[cell] = composition->next[i].is;
    }
    add_summary(&composition->summary, &effect->summary);
}

void fth_composition_empty(struct fth_composition *composition)
{
    for (uint32_t i = 0; i < composition->touched_count; i++)
        composition->is_touched[composition->touched[i]] = 0;
    composition->touched_count = 0;
    composition->summary = (struct fth_run_summary){0};
}

void fth_composition_take(struct fth_composition *composition, struct fth_effect *effect)
{
    effect->summary = composition->summary;
    effect->count = composition->touched_count;
    effect->cells = fth_new(effect->count, sizeof *effect->cells);
    for (uint32_t i = 0; i < effect->count; i++)
        effect->cells[i] = (struct fth_cell_effect){composition->touched[i],
                                                    composition->cells[composition->touched[i]]};
    fth_composition_empty(composition);
}

void fth_compose_power(struct fth_composition *composition, const struct fth_effect *effect,
                       uint64_t times, struct fth_composition *spare)
{
    struct fth_effect power = {0};
    const struct fth_effect *doubled = effect;
    for (; times; times >>= 1) {
        if (times & 1)
            fth_compose(composition, doubled);
        if (times == 1)
            break;
        fth_compose(spare, doubled);
        fth_compose(spare, doubled);
        fth_effect_free(&power);
        fth_composition_take(spare, &power);
        doubled = &power;
    }
    fth_effect_free(&power);
}

void fth_composition_free(struct fth_composition *composition)
{
    free(composition->cells);
    free(composition->is_touched);
    free(composition->touched);
    free(composition->next);
    *composition = (struct fth_composition){0};
}
