/* What a run of calls does to what a reader knows of a thread (state.h), as a value. Effects of
 * runs that follow one another compose into the effect of both; so what a rule of a grammar does k
 * times is computed in O(log k), and what all calls before some place have done without looking at
 * them one by one (rule_effects.h). That is how a reader starts in the middle.
 *
 * What is known of a thread are *cells*: where a cursor stands, the last number of a name's place,
 * what a slot is bound to. What a run leaves in a cell is an *expression*: a constant, or what some
 * cell held before the run, or what a literal brought into a cell (its *mark*, which stands with
 * the block of that call: cell_marks.h), plus a constant. Cells that a run does not touch are not
 * in its effect. */
#ifndef FTH_TRACE_STATE_EFFECT_H
#define FTH_TRACE_STATE_EFFECT_H

#include "base/intern.h"
#include "trace/state/state.h"

/* ---- cells ---- */

enum fth_cell_kind {
    FTH_CELL_END,     /* of the cursor of a slot */
    FTH_CELL_VIEW,    /* the same */
    FTH_CELL_PLACE,   /* the last number of a place in names */
    FTH_CELL_BINDING, /* of a slot, or the working directory: which call bound it */
    FTH_CELL_NUMBER,  /* of that binding's name: as it was then */
    FTH_CELL_TRAIL,   /* where a trail stands (trails.h); 0 as long as others have its place */
};
#define FTH_CLASS_OF_CWD UINT32_MAX
struct fth_state_cell {
    uint32_t kind, class_index; /* of places 0 */
    uint32_t which;             /* slot, place, or key of a trail */
    uint32_t number;            /* of FTH_CELL_NUMBER and FTH_CELL_TRAIL: which */
};
/* Cells get numbers from 0, the same for all threads of a process. */
struct fth_cells {
    struct fth_intern known;
    uint32_t *trails; /* those that are trails */
    uint32_t trail_count;
};
/* All trails of a process's signatures must be known before the first effect is asked for: calls
 * make each other's trails 0. */
void fth_cells_of_trails(struct fth_cells *cells, const struct fth_meaning *meaning,
                         const struct fth_signature *signature);
uint32_t fth_cell_number(struct fth_cells *cells, struct fth_state_cell cell);
struct fth_state_cell fth_cell_of(const struct fth_cells *cells, uint32_t number);
void fth_cells_free(struct fth_cells *cells);

/* ---- expressions ---- */

enum fth_expression_kind {
    FTH_IS_CONSTANT,
    FTH_IS_START,   /* what `cell` held before the run */
    FTH_IS_MARK,    /* the mark of `cell` of the call at `place` */
    FTH_IS_UNKNOWN, /* cannot be said without looking at the calls */
};
struct fth_cell_expression {
    uint8_t kind;
    uint32_t cell;
    uint64_t place; /* calls of the run before that one; of a binding: before the call that bound */
    int64_t add;
    /* From the start or mark on, the cell was at least so much more and at most so much more
     * whenever it expected an access; if that leaves the places that there are (FTH_IS_PLACE), the
     * expression does not hold. least > most: it never did. */
    int64_t least, most;
};
static inline struct fth_cell_expression fth_constant(int64_t value)
{
    return (struct fth_cell_expression){
        .kind = FTH_IS_CONSTANT, .add = value, .least = INT64_MAX, .most = INT64_MIN};
}

static inline struct fth_cell_expression fth_start_of(uint32_t cell)
{
    return (struct fth_cell_expression){
        .kind = FTH_IS_START, .cell = cell, .least = INT64_MAX, .most = INT64_MIN};
}

static inline struct fth_cell_expression fth_mark_of(uint32_t cell)
{
    struct fth_cell_expression mark = fth_start_of(cell);
    mark.kind = FTH_IS_MARK;
    return mark;
}
static inline struct fth_cell_expression fth_expression_plus(struct fth_cell_expression expression,
                                                             int64_t add)
{
    expression.add = (int64_t)((uint64_t)expression.add + (uint64_t)add);
    return expression;
}
/* What the expression is worth when what it starts from is `value`. False: it does not hold. */
bool fth_expression_value(const struct fth_cell_expression *expression, int64_t value,
                          int64_t *worth);

/* ---- effects ---- */

struct fth_cell_effect {
    uint32_t cell;
    struct fth_cell_expression is;
};
/* What else a reader needs of the calls of a run. A note is no call here, but for `length`. */
struct fth_run_summary {
    uint64_t length, calls;
    uint32_t last_depth; /* of its last call, if it has calls */
    /* The last call at depth 0: length and calls up to it, with it; 0: none. */
    uint64_t alone_length, alone_calls;
    bool opaque; /* it touches cells that only literals show */
};
struct fth_effect {
    struct fth_run_summary summary;
    struct fth_cell_effect *cells;
    uint32_t count;
};
void fth_effect_free(struct fth_effect *effect);

/* A call as it stands in a trace. `templates`: of its names, in order; `numbers`: what is kept of
 * theirs, one after another. */
struct fth_stored_call {
    const struct fth_signature *signature;
    const struct fth_meaning *meaning;
    const struct fth_template *const *templates;
    const int64_t *numbers;
    /* a number by which the caller knows it again when it is what a binding came from */
    int64_t binding;
};
void fth_effect_of_call(struct fth_effect *effect, struct fth_cells *cells,
                        const struct fth_catalog *catalog, const struct fth_stored_call *call);

/* Does a call with this signature bring literals into its cursor's end, or its view, or more than
 * one cell into one? Where the slot is literal, nobody knows into which. */
enum { FTH_MARKS_END = 1, FTH_MARKS_VIEW = 2 };
unsigned fth_call_marks(const struct fth_meaning *meaning, const struct fth_signature *signature);

/* The effect of what has been composed so far; zeroed: of nothing. */
struct fth_composition {
    struct fth_run_summary summary;
    struct fth_cell_expression *cells; /* by number */
    uint8_t *is_touched;
    uint32_t room;
    uint32_t *touched, touched_count;
    struct fth_cell_effect *next; /* while one effect is being applied */
    uint32_t next_room;
};
/* Behind what is there. */
void fth_compose(struct fth_composition *composition, const struct fth_effect *effect);
/* `times` times, in O(log times) of the effect's cells. `spare` is another composition, empty
 * before and after. */
void fth_compose_power(struct fth_composition *composition, const struct fth_effect *effect,
                       uint64_t times, struct fth_composition *spare);
/* As an effect of its own; the composition is empty afterwards. */
void fth_composition_take(struct fth_composition *composition, struct fth_effect *effect);
void fth_composition_empty(struct fth_composition *composition);
void fth_composition_free(struct fth_composition *composition);

#endif
