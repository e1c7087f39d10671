/* Goes through a body and the calls of its processes in step, and fits a linear expression to each
 * number: base + stride * turn, summed over the loops around it. Arithmetic is modulo 2^64. */
#include "proxy/body_fit.h"

#include "base/memory.h"

#include <string.h>

/* Of two parameters p and q of a function: p - p0 = ratio * (q - q0)? */
struct fth_parameter_pair {
    bool wrong;
    bool *known;
    int64_t *ratios;
};

struct fitting {
    struct fth_body *body;
    struct fth_proxy_calls kept;
    size_t member;
    uint64_t number; /* of the next call */
    bool collects;   /* the second time */
    struct fth_error **error;
};

struct frame {
    struct fth_body_function *function;
    int64_t *turns; /* of loops */
    int64_t *bases; /* of values */
};

static int64_t plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t times(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* ---- a number ---- */

static void note_number(struct fitting *fitting, struct frame *frame, uint32_t index,
                        int64_t number)
{
    struct fth_body_value *value = &frame->function->values[index];
    size_t place = fitting->member * frame->function->loop_count;
    int64_t expected = frame->bases[index];
    int unknown = -1;
    bool first = true;
    for (int loop = value->item->inside; loop >= 0; loop = frame->function->loops[loop].outer) {
        int64_t turn = frame->turns[loop];
        if (!turn)
            continue;
        first = false;
        if (value->known[place + (size_t)loop])
            expected = plus(expected, times(value->strides[place + (size_t)loop], turn));
        else
            unknown = loop;
    }
    if (first) {
        frame->bases[index] = number;
    } else if (unknown >= 0) { /* its second turn, and the first of all loops inside */
        value->known[place + (size_t)unknown] = true;
        value->strides[place + (size_t)unknown] = minus(number, expected);
    } else if (number != expected) {
        fth_value_make_series(fitting->body, value);
    }
}

void fth_number_series_add(struct fth_number_series *series, int64_t number)
{
    struct fth_number_run *last = series->count ? &series->runs[series->count - 1] : NULL;
    if (last && last->count == 1)
        last->stride = minus(number, last->start);
    if (last && number == plus(last->start, times(last->stride, (int64_t)last->count))) {
        last->count++;
        return;
    }
    /* Two numbers make a run of any stride: the second may begin a better one. */
    if (last && last->count == 2 && last->stride) {
        int64_t second = plus(last->start, last->stride);
        last->count = 1;
        last->stride = 0;
        FTH_GROW(series->runs, series->count);
        series->runs[series->count++] = (struct fth_number_run){second, minus(number, second), 2};
        return;
    }
    FTH_GROW(series->runs, series->count);
    series->runs[series->count++] = (struct fth_number_run){number, 0, 1};
}

static void note(struct fitting *fitting, struct frame *frame, const struct fth_item *item,
                 const int64_t *numbers)
{
    for (uint32_t i = 0; i < item->value_count; i++) {
        uint32_t index = item->first_value + i;
        struct fth_body_value *value = &frame->function->values[index];
        if (!fth_value_is_series(fitting->body, value)) {
            note_number(fitting, frame, index, numbers[value->number]);
            continue;
        }
        if (!fitting->collects || item->kind != FTH_ITEM_STATEMENT)
            continue;
        if (!value->series)
            value->series = fth_new(fitting->body->member_count, sizeof *value->series);
        fth_number_series_add(&value->series[fitting->member], numbers[value->number]);
    }
}

/* ---- the end of a function ---- */

static void note_pair(struct fitting *fitting, const struct frame *frame,
                      struct fth_parameter_pair *pair, uint32_t p, uint32_t q)
{
    const struct fth_body_function *function = frame->function;
    size_t m = fitting->member;
    int64_t of_p = minus(frame->bases[p], function->values[p].bases[m]),
            of_q = minus(frame->bases[q], function->values[q].bases[m]);
    if (!of_q || of_q == -1) {
        if (!of_q) {
            pair->wrong |= of_p != 0;
            return;
        }
        of_q = 1;
        of_p = minus(0, of_p);
    }
    int64_t ratio = of_p / of_q;
    if (of_p % of_q || (pair->known[m] && pair->ratios[m] != ratio))
        pair->wrong = true;
    pair->known[m] = true;
    pair->ratios[m] = ratio;
}

static bool is_parameter(const struct fth_body *body, const struct fth_body_value *value)
{
    return value->is_parameter && !fth_value_is_series(body, value);
}

static bool have_same_makers(const struct fth_body *body, const struct fth_body_value *one,
                             const struct fth_body_value *other)
{
    return !body->makers || body->makers[fth_value_statement(body, one)] ==
                                body->makers[fth_value_statement(body, other)];
}

static void find_parameters(struct fth_body *body)
{
    for (uint32_t i = 1; i < body->function_count; i++) {
        struct fth_body_function *function = &body->functions[i];
        for (uint32_t k = 0; k < function->value_count; k++)
            if (is_parameter(body, &function->values[k]))
                function->parameters[function->parameter_count++] = k;
        uint32_t count = function->parameter_count;
        function->pairs = fth_new((size_t)count * count + 1, sizeof *function->pairs);
        for (uint32_t k = 0; k < count * count; k++) {
            function->pairs[k].wrong =
                !have_same_makers(body, &function->values[function->parameters[k / count]],
                                  &function->values[function->parameters[k % count]]);
            function->pairs[k].known = fth_new(body->member_count, sizeof(bool));
            function->pairs[k].ratios = fth_new(body->member_count, sizeof(int64_t));
        }
    }
}

static void note_pairs(struct fitting *fitting, const struct frame *frame)
{
    const struct fth_body_function *function = frame->function;
    uint32_t count = function->parameter_count;
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t q = 0; q < count; q++)
            if (p != q && !function->pairs[p * count + q].wrong)
                note_pair(fitting, frame, &function->pairs[p * count + q], function->parameters[p],
                          function->parameters[q]);
}

static void end_function(struct fitting *fitting, const struct frame *frame)
{
    struct fth_body_function *function = frame->function;
    size_t m = fitting->member;
    if (fitting->collects) {
        note_pairs(fitting, frame);
        return;
    }
    for (uint32_t i = 0; i < function->value_count; i++) {
        struct fth_body_value *value = &function->values[i];
        if (!function->begun[m])
            value->bases[m] = frame->bases[i];
        else if (value->bases[m] != frame->bases[i] && !value->is_parameter) {
            value->is_parameter = true;
            value->first_step = minus(frame->bases[i], value->bases[m]);
        }
    }
    function->begun[m] = true;
}

/* ---- in step ---- */

static int next_call(struct fitting *fitting)
{
    const struct fth_sequence *sequence = fth_body_sequence(fitting->body, fitting->member);
    const struct fth_proxy_process *process = fitting->body->members[fitting->member];
    uint64_t bytes;
    do {
        int more = fth_program_calls_next(&fitting->kept, process->skips, &bytes, fitting->error);
        if (more < 0)
            return -1;
        if (!more)
            return fth_fail(fitting->error, "the calls of a process end early");
    } while (fitting->number++ < sequence->from);
    return 0;
}

static int run_function(struct fitting *fitting, uint32_t number, int64_t *bases);

static int run_statement(struct fitting *fitting, struct frame *frame, struct fth_item *item)
{
    if (!fth_body_makes(fitting->body, fitting->member, item->number))
        return 0;
    if (next_call(fitting))
        return -1;
    if (!fitting->collects) {
        item->gap += fitting->kept.gap;
        item->gap_count++;
    }
    note(fitting, frame, item, fitting->kept.reading.numbers);
    return 0;
}

static int run_call(struct fitting *fitting, struct frame *frame, struct fth_item *item)
{
    const struct fth_body_function *called = &fitting->body->functions[item->number];
    int64_t *bases = fth_new(called->value_count + 1, sizeof *bases);
    int result = run_function(fitting, item->number, bases);
    if (!result)
        note(fitting, frame, item, bases);
    free(bases);
    return result;
}

static int run_block(struct fitting *fitting, struct frame *frame, struct fth_item *block)
{
    int result = 0;
    for (uint32_t i = 0; i < block->item_count && !result; i++) {
        struct fth_item *item = &block->items[i];
        for (uint32_t turn = 0; turn < item->times && !result; turn++) {
            if (item->loop >= 0)
                frame->turns[item->loop] = turn;
            result = item->kind == FTH_ITEM_STATEMENT ? run_statement(fitting, frame, item)
                     : item->kind == FTH_ITEM_CALL    ? run_call(fitting, frame, item)
                                                      : run_block(fitting, frame, item);
        }
        if (item->loop >= 0)
            frame->turns[item->loop] = 0;
    }
    return result;
}

static int run_function(struct fitting *fitting, uint32_t number, int64_t *bases)
{
    struct fth_body_function *function = &fitting->body->functions[number];
    struct frame frame = {function, fth_new(function->loop_count + 1, sizeof(int64_t)), bases};
    int result = run_block(fitting, &frame, &function->root);
    if (!result)
        end_function(fitting, &frame);
    free(frame.turns);
    return result;
}

static int run_member(struct fitting *fitting, struct fth_trace *trace)
{
    const struct fth_proxy_process *process = fitting->body->members[fitting->member];
    int64_t *bases = fth_new(fitting->body->functions[0].value_count + 1, sizeof *bases);
    fitting->number = 0;
    int result = fth_kept_calls_open(&fitting->kept, trace, process->proc, process->thread,
                                     process->scope, NULL, fitting->error);
    if (!result) {
        result = run_function(fitting, 0, bases);
        fth_kept_calls_close(&fitting->kept);
    }
    free(bases);
    return result;
}

/* ---- parameters that follow from others ---- */

static uint64_t size_of_step(const struct fth_body_value *value)
{
    return value->first_step < 0 ? -(uint64_t)value->first_step : (uint64_t)value->first_step;
}

static void follow(const struct fth_body *body, struct fth_body_value *value,
                   const struct fth_body_value *leader, uint32_t leader_index,
                   const struct fth_parameter_pair *pair)
{
    value->leader = (int)leader_index;
    value->ratios = fth_new(body->member_count, sizeof *value->ratios);
    value->shifts = fth_new(body->member_count, sizeof *value->shifts);
    for (size_t m = 0; m < body->member_count; m++) {
        value->ratios[m] = pair->ratios[m];
        value->shifts[m] = minus(value->bases[m], times(pair->ratios[m], leader->bases[m]));
    }
}

/* The best parameter for p to follow: that with the smallest steps; -1: none fits. Of two with
 * equal steps the first one leads. */
static int best_leader(const struct fth_body_function *function, uint32_t p)
{
    uint32_t count = function->parameter_count;
    uint64_t own = size_of_step(&function->values[function->parameters[p]]), least = UINT64_MAX;
    int best = -1;
    for (uint32_t q = 0; q < count; q++) {
        const struct fth_body_value *leader = &function->values[function->parameters[q]];
        uint64_t step = size_of_step(leader);
        if (p == q || function->pairs[p * count + q].wrong || leader->leader >= 0)
            continue;
        if ((step < own || (step == own && q < p)) && step < least) {
            least = step;
            best = (int)q;
        }
    }
    return best;
}

static void choose_leaders(struct fth_body *body, struct fth_body_function *function)
{
    uint32_t count = function->parameter_count;
    for (uint32_t p = 0; p < count; p++) {
        int q = best_leader(function, p);
        if (q < 0)
            continue;
        uint32_t of_p = function->parameters[p], of_q = function->parameters[q];
        follow(body, &function->values[of_p], &function->values[of_q], of_q,
               &function->pairs[p * count + (uint32_t)q]);
    }
    /* Who leads follows nobody. */
    for (uint32_t p = 0; p < count; p++) {
        struct fth_body_value *value = &function->values[function->parameters[p]];
        if (value->leader >= 0 && function->values[value->leader].leader >= 0)
            value->leader = -1;
    }
}

static void free_pairs(struct fth_body_function *function)
{
    uint32_t count = function->parameter_count * function->parameter_count;
    for (uint32_t i = 0; function->pairs && i < count; i++) {
        free(function->pairs[i].known);
        free(function->pairs[i].ratios);
    }
    free(function->pairs);
    function->pairs = NULL;
}

int fth_body_fit(struct fth_body *body, struct fth_trace *trace, struct fth_error **error)
{
    struct fitting fitting = {.body = body, .error = error};
    int result = 0;
    for (int pass = 0; pass < 2; pass++) {
        fitting.collects = pass == 1;
        if (fitting.collects && !result)
            find_parameters(body);
        for (fitting.member = 0; fitting.member < body->member_count && !result; fitting.member++)
            result = run_member(&fitting, trace);
    }
    for (uint32_t i = 0; i < body->function_count; i++) {
        if (!result)
            choose_leaders(body, &body->functions[i]);
        free_pairs(&body->functions[i]);
    }
    return result;
}
