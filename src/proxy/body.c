/* From a grammar to functions, loops and calls. */
#include "proxy/body.h"

#include "base/memory.h"
#include "trace/grammar/rules.h"

#include <string.h>

struct building {
    struct fth_body *body;
    struct fth_rules *rules;
    bool *varies; /* of statements: numbers that differ within a process, at place[statement] */
    uint32_t *place;
    uint64_t *sizes; /* of rules, in lines */
};

const struct fth_known_form *fth_body_form(const struct fth_body *body, uint32_t statement)
{
    size_t maker = 0;
    while (!fth_body_makes(body, maker, statement))
        maker++;
    return fth_statement_form(body->members[maker], fth_body_sequence(body, maker), statement);
}

/* ---- which rules become functions ---- */

static void count_uses(struct building *building)
{
    const uint32_t *order = fth_rules_order(building->rules);
    for (uint32_t i = 0; i < fth_rules_size(building->rules); i++) {
        uint32_t count;
        const struct fth_rule_run *runs = fth_rule_runs(building->rules, order[i], &count);
        for (uint32_t k = 0; k < count; k++)
            if (runs[k].symbol & 1)
                building->body->functions[runs[k].symbol / 2].uses++;
    }
}

/* A function costs its lines, four around them and one for each use. */
static void choose_functions(struct building *building)
{
    const uint32_t *order = fth_rules_order(building->rules);
    for (uint32_t i = 0; i < fth_rules_size(building->rules); i++) {
        uint32_t count, rule = order[i];
        const struct fth_rule_run *runs = fth_rule_runs(building->rules, rule, &count);
        struct fth_body_function *function = &building->body->functions[rule];
        uint64_t size = 0;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t symbol = runs[k].symbol;
            bool stands_here = symbol & 1 && !building->body->functions[symbol / 2].uses;
            size += (stands_here ? building->sizes[symbol / 2] : 1) + (runs[k].times > 1);
        }
        building->sizes[rule] = size;
        if (function->uses == 1 || size * function->uses <= size + 4 + function->uses)
            function->uses = 0;
    }
}

/* ---- items ---- */

static int add_loop(struct fth_body_function *function, int outer, uint32_t times)
{
    if (times == 1)
        return -1;
    FTH_GROW(function->loops, function->loop_count);
    function->loops[function->loop_count] = (struct fth_loop){outer, times};
    return (int)function->loop_count++;
}

/* What is done once stands in the block itself, whether it is a rule or not. */
static void fill_block(struct building *building, struct fth_body_function *function,
                       struct fth_item *block, uint32_t rule)
{
    const struct fth_body *body = building->body;
    uint32_t count;
    const struct fth_rule_run *runs = fth_rule_runs(building->rules, rule, &count);
    for (uint32_t i = 0; i < count; i++) {
        struct fth_item item = {.number = runs[i].symbol / 2, .times = runs[i].times};
        bool is_rule = runs[i].symbol & 1, is_called = is_rule && body->functions[item.number].uses;
        if (is_rule && !is_called && item.times == 1) {
            fill_block(building, function, block, item.number);
            continue;
        }
        item.loop = add_loop(function, block->inside, item.times);
        item.inside = item.loop < 0 ? block->inside : item.loop;
        item.kind = !is_rule ? FTH_ITEM_STATEMENT : is_called ? FTH_ITEM_CALL : FTH_ITEM_BLOCK;
        if (item.kind == FTH_ITEM_BLOCK)
            fill_block(building, function, &item, item.number);
        else if (is_called)
            item.makers = body->functions[item.number].root.makers;
        else
            item.makers = body->makers ? body->makers[item.number] : 1;
        block->makers |= item.makers;
        FTH_GROW(block->items, block->item_count);
        block->items[block->item_count++] = item;
    }
}

/* ---- values ---- */

static void see_members(struct building *building)
{
    const struct fth_body *body = building->body;
    uint32_t statements = fth_body_sequence(body, 0)->symbols.count, places = 0;
    building->place = fth_new(statements + 1, sizeof *building->place);
    for (uint32_t i = 0; i < statements; i++) {
        building->place[i] = places;
        places += fth_body_form(body, i)->form.number_count;
    }
    building->varies = fth_new(places + 1, sizeof *building->varies);
    for (size_t m = 0; m < body->member_count; m++)
        for (uint32_t i = 0; i < statements; i++) {
            uint32_t count = fth_body_form(body, i)->form.number_count;
            for (uint32_t k = 0; k < count && fth_body_makes(body, m, i); k++)
                building->varies[building->place[i] + k] |=
                    fth_body_sequence(body, m)->statements[i].varies[k];
        }
}

static void add_value(struct building *building, struct fth_body_function *function,
                      struct fth_item *item, uint32_t number)
{
    size_t members = building->body->member_count;
    FTH_GROW(function->values, function->value_count);
    if (!item->value_count++)
        item->first_value = function->value_count;
    function->values[function->value_count++] = (struct fth_body_value){
        .item = item,
        .number = number,
        .leader = -1,
        .bases = fth_new(members, sizeof(int64_t)),
        .strides = fth_new(members * function->loop_count + 1, sizeof(int64_t)),
        .known = fth_new(members * function->loop_count + 1, sizeof(bool)),
    };
}

static void add_values(struct building *building, struct fth_body_function *function,
                       struct fth_item *block)
{
    const struct fth_body *body = building->body;
    for (uint32_t i = 0; i < block->item_count; i++) {
        struct fth_item *item = &block->items[i];
        if (item->kind == FTH_ITEM_BLOCK)
            add_values(building, function, item);
        if (item->kind == FTH_ITEM_STATEMENT) {
            uint32_t count = fth_body_form(body, item->number)->form.number_count;
            for (uint32_t k = 0; k < count; k++)
                if (building->varies[building->place[item->number] + k])
                    add_value(building, function, item, k);
        }
        if (item->kind == FTH_ITEM_CALL) {
            const struct fth_body_function *called = &body->functions[item->number];
            for (uint32_t k = 0; k < called->value_count; k++)
                if (!fth_value_is_series(body, &called->values[k]))
                    add_value(building, function, item, k);
        }
    }
}

/* The value of a statement that it stands for. */
static struct fth_body_value *bottom_of(const struct fth_body *body,
                                        const struct fth_body_value *value)
{
    while (value->item->kind == FTH_ITEM_CALL)
        value = &body->functions[value->item->number].values[value->number];
    return (struct fth_body_value *)value;
}

uint32_t fth_value_statement(const struct fth_body *body, const struct fth_body_value *value)
{
    return bottom_of(body, value)->item->number;
}

bool fth_value_is_series(const struct fth_body *body, const struct fth_body_value *value)
{
    return bottom_of(body, value)->follows_none;
}

void fth_value_make_series(struct fth_body *body, struct fth_body_value *value)
{
    bottom_of(body, value)->follows_none = true;
}

int fth_value_field(const struct fth_body *body, const struct fth_body_value *value,
                    const struct fth_form **form)
{
    value = bottom_of(body, value);
    *form = &fth_body_form(body, value->item->number)->form;
    for (size_t i = 0; i < (*form)->row->field_count; i++) {
        const struct fth_argument *argument = &(*form)->arguments[i];
        if (argument->written != FTH_WRITTEN_TABLE && value->number >= argument->first &&
            value->number < argument->first + argument->count)
            return (int)i;
    }
    return -1;
}

static void limit_parameters(struct fth_body *body, struct fth_body_function *function)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < function->value_count; i++)
        live += !fth_value_is_series(body, &function->values[i]);
    for (uint32_t i = function->value_count; i-- > 0 && live > FTH_MOST_PARAMETERS;)
        if (!fth_value_is_series(body, &function->values[i])) {
            fth_value_make_series(body, &function->values[i]);
            live--;
        }
}

static void build(struct building *building)
{
    struct fth_body *body = building->body;
    const uint32_t *order = fth_rules_order(building->rules);
    count_uses(building);
    choose_functions(building);
    see_members(building);
    for (uint32_t i = 0; i < body->function_count; i++) {
        struct fth_body_function *function = &body->functions[order[i]];
        if (!function->uses && order[i])
            continue;
        function->root = (struct fth_item){
            .kind = FTH_ITEM_BLOCK, .number = order[i], .times = 1, .loop = -1, .inside = -1};
        function->begun = fth_new(body->member_count, sizeof *function->begun);
        fill_block(building, function, &function->root, order[i]);
        add_values(building, function, &function->root);
        if (order[i])
            limit_parameters(body, function);
    }
}

int fth_body_build(struct fth_body *body, struct fth_error **error)
{
    const struct fth_sequence *sequence = fth_body_sequence(body, 0);
    struct building building = {.body = body};
    building.rules =
        fth_rules_read(sequence->grammar, sequence->grammar_length, sequence->symbols.count, error);
    if (!building.rules)
        return -1;
    body->function_count = fth_rules_size(building.rules);
    body->functions = fth_new(body->function_count + 1, sizeof *body->functions);
    building.sizes = fth_new(body->function_count + 1, sizeof *building.sizes);
    build(&building);
    free(building.sizes);
    free(building.varies);
    free(building.place);
    fth_rules_free(building.rules);
    return 0;
}

static void free_items(struct fth_item *block)
{
    for (uint32_t i = 0; i < block->item_count; i++)
        free_items(&block->items[i]);
    free(block->items);
}

static void free_value(const struct fth_body *body, struct fth_body_value *value)
{
    for (size_t m = 0; value->series && m < body->member_count; m++)
        free(value->series[m].runs);
    free(value->series);
    free(value->bases);
    free(value->strides);
    free(value->known);
    free(value->ratios);
    free(value->shifts);
}

void fth_body_free(struct fth_body *body)
{
    for (uint32_t i = 0; i < body->function_count; i++) {
        struct fth_body_function *function = &body->functions[i];
        for (uint32_t k = 0; k < function->value_count; k++)
            free_value(body, &function->values[k]);
        free(function->values);
        free(function->loops);
        free(function->begun);
        free_items(&function->root);
    }
    free(body->functions);
    free(body->members);
    free(body->makers);
}
