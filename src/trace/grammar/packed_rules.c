/* Packing and unpacking the rules of a grammar: see packed_rules.h. */
#include "trace/grammar/packed_rules.h"

#include "base/memory.h"

/* The distance to what is expected, and what is expected next. */
static uint64_t distance_to(uint32_t terminal, uint32_t *expected)
{
    int64_t distance = (int64_t)terminal - *expected;
    *expected = terminal + 1;
    return fth_zigzag(distance);
}

/* ---- packing ---- */

/* A rule, whose runs are read from the text where they stand. */
struct packing {
    const uint8_t *at;    /* what is left of it */
    uint32_t count, left; /* its runs; those to be gone through */
    uint32_t number;      /* + 1; 0: it has none yet */
};

/* Behind so many varints. */
static const uint8_t *pass_varints(const uint8_t *at, const uint8_t *end, uint64_t count)
{
    for (; count && at < end; at++)
        count -= *at < 0x80;
    return at;
}

static void find_rules(struct packing *rules, uint32_t count, struct fth_view *view)
{
    for (uint32_t i = 0; i < count; i++) {
        rules[i].count = rules[i].left = (uint32_t)fth_view_varint(view);
        rules[i].at = view->at;
        view->at = pass_varints(view->at, view->end, 2 * (uint64_t)rules[i].count);
    }
}

void fth_rules_pack(const uint8_t *text, size_t length, struct fth_bytes *to)
{
    struct fth_view view = fth_view_of(text, length);
    uint32_t expected = 0, begun = 1, depth = 1, count = (uint32_t)fth_view_varint(&view);
    struct packing *rules = fth_new(count, sizeof *rules);
    uint32_t *stack = fth_new(count, sizeof *stack); /* the innermost one last; rule 0 first */
    find_rules(rules, count, &view);
    fth_bytes_varint(to, count);
    fth_bytes_varint(to, rules[0].count);
    rules[0].number = begun;
    while (depth) {
        struct packing *rule = &rules[stack[depth - 1]];
        if (!rule->left--) {
            depth--;
            continue;
        }
        struct fth_view run = fth_view_of(rule->at, (size_t)(view.end - rule->at));
        uint64_t symbol = fth_view_varint(&run), times = fth_view_varint(&run);
        struct packing *named = symbol & 1 ? &rules[symbol >> 1] : NULL;
        rule->at = run.at;
        if (!named)
            fth_bytes_varint(to, 2 * distance_to((uint32_t)(symbol >> 1), &expected));
        else
            fth_bytes_varint(to, 2 * (uint64_t)(named->number ? begun + 1 - named->number : 0) + 1);
        fth_bytes_varint(to, times);
        if (!named || named->number)
            continue;
        fth_bytes_varint(to, named->count);
        named->number = ++begun;
        stack[depth++] = (uint32_t)(symbol >> 1);
    }
    fth_bytes_put(to, view.at, fth_view_left(&view)); /* lists */
    free(rules);
    free(stack);
}

/* ---- measuring ---- */

/* A rule that is being gone through: runs that are left of it, its length so far, and how often the
 * rule inside it comes. */
struct passed_rule {
    uint32_t rule, left, times;
    uint64_t length;
};
struct passing {
    struct fth_view view;
    uint32_t most, count, expected;
    uint64_t *lengths; /* of rules that were gone through; 0 of others */
    struct passed_rule *stack;
    uint32_t depth;
    struct fth_rules_extent *extent;
};

static bool pass_into(struct passing *passing)
{
    uint64_t runs = fth_view_count(&passing->view, 2);
    if (passing->view.failed || passing->count == passing->most || runs > UINT32_MAX)
        return false;
    passing->stack[passing->depth++] =
        (struct passed_rule){.rule = passing->count++, .left = (uint32_t)runs};
    return true;
}

static bool lengthen(struct passed_rule *rule, uint64_t length, uint32_t times)
{
    const uint64_t most = UINT64_C(1) << 62;
    if (length == 0 || length > most / times || rule->length > most - length * times)
        return false;
    rule->length += length * times;
    return true;
}

/* The innermost rule ends: it is in the one around it. */
static bool pass_out(struct passing *passing)
{
    const struct passed_rule *rule = &passing->stack[--passing->depth];
    passing->lengths[rule->rule] = rule->length;
    if (!passing->depth)
        return true;
    struct passed_rule *around = &passing->stack[passing->depth - 1];
    return lengthen(around, rule->length, around->times);
}

static bool pass_terminal(struct passing *passing, struct passed_rule *rule, uint64_t value)
{
    uint64_t terminal = (uint64_t)fth_unzigzag(value) + passing->expected;
    if (terminal >= UINT32_MAX / 2)
        return false;
    passing->expected = (uint32_t)terminal + 1;
    if (terminal >= passing->extent->terminals)
        passing->extent->terminals = passing->expected;
    return lengthen(rule, 1, rule->times);
}

static bool pass_run(struct passing *passing, struct passed_rule *rule)
{
    uint64_t head = fth_view_varint(&passing->view), times = fth_view_varint(&passing->view);
    uint64_t value = head >> 1;
    if (times == 0 || times > UINT32_MAX)
        return false;
    rule->left--;
    rule->times = (uint32_t)times;
    if (!(head & 1))
        return pass_terminal(passing, rule, value);
    if (value == 0)
        return pass_into(passing);
    return value <= passing->count &&
           lengthen(rule, passing->lengths[passing->count - value], rule->times);
}

bool fth_rules_pass(const uint8_t *packed, size_t length, struct fth_rules_extent *extent)
{
    struct passing passing = {.view = fth_view_of(packed, length), .extent = extent};
    uint64_t most = fth_view_count(&passing.view, 1);
    *extent = (struct fth_rules_extent){0};
    if (passing.view.failed || most == 0 || most > UINT32_MAX)
        return false;
    passing.most = (uint32_t)most;
    passing.lengths = fth_new(most, sizeof *passing.lengths);
    passing.stack = fth_new(most, sizeof *passing.stack);
    bool good = pass_into(&passing);
    while (good && passing.depth) {
        struct passed_rule *rule = &passing.stack[passing.depth - 1];
        good = rule->left ? pass_run(&passing, rule) : pass_out(&passing);
    }
    extent->length = passing.lengths[0];
    free(passing.lengths);
    free(passing.stack);
    return good && passing.count == passing.most && !passing.view.failed &&
           passing.view.at == passing.view.end;
}

/* ---- unpacking ---- */

/* A run as it is read; those of one rule stand one after another. */
struct read_run {
    uint32_t symbol, times;
};
struct read_rule {
    uint32_t first, count, read;
    uint32_t number; /* + 1; 0: it has none yet */
};
struct unpacking {
    struct fth_view view;
    uint32_t most, expected;
    struct read_rule *rules;
    uint32_t rule_count;
    struct read_run *runs; /* room for as many as the bytes can be */
    size_t run_count, run_limit;
    uint32_t *stack; /* rules that are being read, the innermost one last */
    uint32_t depth;
};

static bool begin_rule(struct unpacking *unpacking)
{
    uint64_t count = fth_view_varint(&unpacking->view);
    if (unpacking->view.failed || unpacking->rule_count == unpacking->most ||
        count > unpacking->run_limit - unpacking->run_count)
        return false;
    unpacking->rules[unpacking->rule_count] =
        (struct read_rule){.first = (uint32_t)unpacking->run_count, .count = (uint32_t)count};
    unpacking->run_count += count;
    unpacking->stack[unpacking->depth++] = unpacking->rule_count++;
    return true;
}

/* Runs of this rule until one names a rule that has not been read, or the rule ends. */
static bool read_runs(struct unpacking *unpacking, struct read_rule *rule)
{
    struct fth_view view = unpacking->view;
    struct read_run *runs = unpacking->runs + rule->first;
    uint32_t expected = unpacking->expected;
    bool good = true, begins = false;
    while (good && !begins && rule->read < rule->count) {
        uint64_t head = fth_view_varint(&view), times = fth_view_varint(&view), value = head >> 1;
        uint64_t symbol = value;
        if (!(head & 1)) {
            symbol = (uint64_t)fth_unzigzag(value) + expected;
            expected = (uint32_t)symbol + 1;
            good = symbol < UINT32_MAX / 2;
        } else {
            good = value <= unpacking->rule_count;
            begins = value == 0;
            symbol = unpacking->rule_count - value;
        }
        good = good && !view.failed && times <= UINT32_MAX;
        runs[rule->read++] = (struct read_run){(uint32_t)symbol << 1 | (head & 1), (uint32_t)times};
    }
    unpacking->view = view;
    unpacking->expected = expected;
    return good && (!begins || begin_rule(unpacking));
}

static bool read_rules(struct unpacking *unpacking)
{
    unpacking->run_limit = fth_view_left(&unpacking->view) / 2;
    uint64_t most = fth_view_count(&unpacking->view, 1);
    if (unpacking->view.failed || most == 0 || unpacking->run_limit > UINT32_MAX)
        return false;
    unpacking->most = (uint32_t)most;
    unpacking->rules = fth_new(most, sizeof *unpacking->rules);
    unpacking->stack = fth_new(most, sizeof *unpacking->stack);
    unpacking->runs = fth_new_rows(unpacking->run_limit, sizeof *unpacking->runs);
    if (!begin_rule(unpacking))
        return false;
    while (unpacking->depth) {
        struct read_rule *rule = &unpacking->rules[unpacking->stack[unpacking->depth - 1]];
        if (rule->read == rule->count)
            unpacking->depth--;
        else if (!read_runs(unpacking, rule))
            return false;
    }
    return unpacking->rule_count == most;
}

/* Rules get their numbers in order of their first use, rule after rule, as fth_grammar_write has
 * it. */
static void put_rules(struct unpacking *unpacking, struct fth_bytes *text)
{
    uint32_t *order = unpacking->stack, numbered = 1;
    order[0] = 0;
    unpacking->rules[0].number = 1;
    fth_bytes_varint(text, unpacking->rule_count);
    for (uint32_t i = 0; i < unpacking->rule_count; i++) {
        const struct read_rule *rule = &unpacking->rules[order[i]];
        const struct read_run *runs = unpacking->runs + rule->first;
        fth_bytes_varint(text, rule->count);
        uint8_t *to = fth_bytes_room(text, rule->count * (size_t)2 * FTH_VARINT_OF_32), *at = to;
        for (uint32_t k = 0; k < rule->count; k++) {
            uint32_t symbol = runs[k].symbol;
            struct read_rule *named = symbol & 1 ? &unpacking->rules[symbol >> 1] : NULL;
            if (named && !named->number) {
                order[numbered] = symbol >> 1;
                named->number = ++numbered;
            }
            at = fth_put_varint(at, named ? (named->number - 1) << 1 | 1 : symbol);
            at = fth_put_varint(at, runs[k].times);
        }
        text->length += (size_t)(at - to);
    }
}

bool fth_rules_unpack(const uint8_t *packed, size_t length, struct fth_bytes *text)
{
    struct unpacking unpacking = {.view = fth_view_of(packed, length)};
    bool good = read_rules(&unpacking);
    if (good) {
        put_rules(&unpacking, text);
        fth_bytes_put(text, unpacking.view.at, fth_view_left(&unpacking.view));
    }
    free(unpacking.rules);
    free(unpacking.runs);
    free(unpacking.stack);
    return good;
}
