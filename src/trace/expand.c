/* Rules of a grammar and a cursor over them.
 *
 * How often a rule is used follows from who names it, and how often; of a symbol whose runs have their lengths in a list, it is the list's sum,
 * whatever the order of its counts. So the length of the whole is known without expanding anything. */
#include "trace/expand.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <inttypes.h>

enum {
    MOST_LISTS_AT_ONCE = 64 /* counts for each terminal: loops that may begin in one place */
};

struct list {
    uint32_t symbol;
    bool open; /* it stands elsewhere */
    const struct fth_count_column *column;
};

struct rule {
    uint32_t first, count; /* runs */
    uint32_t height;       /* rules inside one another, this one included; 0: not known yet */
    bool counted;          /* a list says how long it is */
    uint64_t length, worth;
};

struct fth_rules {
    struct rule *rules;
    struct fth_rule_run *runs;
    uint32_t *order;   /* rules, each after those it names */
    uint64_t *weights; /* of terminals; NULL: 1 each */
    uint64_t *worths;  /* of terminals; NULL: 0 each */
    uint32_t count, run_count, terminals;
    struct list *lists;               /* in ascending order of symbols */
    struct fth_count_column *columns; /* those that came with the rules */
    uint32_t list_count, column_count;
    uint64_t length;
};

static int read_runs(struct fth_rules *rules, struct fth_view *view, uint32_t terminals,
                     struct fth_error **error)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < rules->count; i++) {
        uint64_t count = fth_view_count(view, 2);
        rules->rules[i] = (struct rule){.first = used, .count = (uint32_t)count};
        for (uint64_t k = 0; k < count; k++) {
            uint64_t symbol = fth_view_varint(view), times = fth_view_varint(view);
            if (view->failed || times > UINT32_MAX || symbol > UINT32_MAX ||
                symbol >> 1 >= (symbol & 1 ? rules->count : terminals) ||
                (times == 0 && count == 1 && i != 0))
                return fth_fail(error, "rule %u is damaged", i);
            rules->runs[used++] = (struct fth_rule_run){(uint32_t)symbol, (uint32_t)times, 0};
        }
    }
    rules->run_count = used;
    return view->failed ? fth_fail(error, "it is cut") : 0;
}

/* ---- lists ---- */

static int by_symbol(const void *one, const void *other)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return a < b ? -1 : a > b;
}

static struct list *list_of(const struct fth_rules *rules, uint32_t symbol)
{
    uint32_t first = 0, end = rules->list_count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (rules->lists[middle].symbol < symbol)
            first = middle + 1;
        else
            end = middle;
    }
    return first < rules->list_count && rules->lists[first].symbol == symbol ? &rules->lists[first]
                                                                             : NULL;
}

/* One for each symbol that has runs of length 0. */
static void find_lists(struct fth_rules *rules)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < rules->run_count; i++)
        found += rules->runs[i].times == 0;
    if (!found)
        return;
    uint32_t *symbols = fth_new(found, sizeof *symbols);
    found = 0;
    for (uint32_t i = 0; i < rules->run_count; i++)
        if (rules->runs[i].times == 0)
            symbols[found++] = rules->runs[i].symbol;
    qsort(symbols, found, sizeof *symbols, by_symbol);
    rules->lists = fth_new(found, sizeof *rules->lists);
    for (uint32_t i = 0; i < found; i++)
        if (i == 0 || symbols[i] != symbols[i - 1])
            rules->lists[rules->list_count++] = (struct list){.symbol = symbols[i], .open = true};
    free(symbols);
    for (uint32_t i = 0; i < rules->run_count; i++)
        if (rules->runs[i].times == 0)
            rules->runs[i].list = (uint32_t)(list_of(rules, rules->runs[i].symbol) - rules->lists);
}

/* Those that stand behind the rules. */
static int read_lists(struct fth_rules *rules, struct fth_view *view, struct fth_error **error)
{
    if (view->at == view->end)
        return 0;
    uint64_t count = fth_view_count(view, 4);
    if (count == 0 || count > rules->list_count)
        return fth_fail(error, "it is cut or too long");
    rules->columns = fth_new(count, sizeof *rules->columns);
    for (; rules->column_count < count; rules->column_count++) {
        uint64_t symbol = fth_view_varint(view);
        struct list *list = symbol <= UINT32_MAX ? list_of(rules, (uint32_t)symbol) : NULL;
        struct fth_count_column *column = &rules->columns[rules->column_count];
        if (view->failed || !list || !list->open || !fth_count_column_read(column, view)) {
            fth_count_column_free(column);
            return fth_fail(error, "list %u is damaged", rules->column_count);
        }
        list->column = column;
        list->open = false;
    }
    return view->failed || view->at != view->end ? fth_fail(error, "it is cut or too long") : 0;
}

/* A rule that is nothing but another symbol is passed over: a chain of such rules would make a cursor walk far for each terminal. Every
 * other rule is at least two symbols, so that a terminal costs O(1) on the average. */
static void pass_over(struct fth_rules *rules, struct fth_rule_run *run)
{
    const struct rule *named = &rules->rules[run->symbol >> 1];
    const struct fth_rule_run *only = &rules->runs[named->first];
    if (run->times && named->count == 1 && only->times == 1)
        run->symbol = only->symbol;
}

/* Depth first, without recursion: a rule is done when all that it names are. */
static int order_rules(struct fth_rules *rules, struct fth_error **error)
{
    uint32_t *stack = fth_new(rules->count, sizeof *stack),
             *next = fth_new(rules->count, sizeof *next);
    uint8_t *open = fth_new(rules->count, 1);
    uint32_t depth = 0, done = 0;
    int status = 0;
    stack[depth++] = 0;
    open[0] = 1;
    while (depth && status == 0) {
        uint32_t at = stack[depth - 1];
        struct rule *rule = &rules->rules[at];
        if (next[at] == rule->count) {
            open[at] = 0;
            rule->height++;
            rules->order[done++] = at;
            depth--;
            continue;
        }
        struct fth_rule_run *run = &rules->runs[rule->first + next[at]];
        uint64_t length = 1;
        if (run->symbol & 1) {
            uint32_t named = run->symbol >> 1;
            if (open[named]) {
                status = fth_fail(error, "rule %u contains itself", named);
                break;
            }
            if (!rules->rules[named].height) {
                stack[depth++] = named;
                open[named] = 1;
                continue;
            }
            length = rules->rules[named].length;
            if (length == 0)
                status = fth_fail(error, "rule %u is empty", named);
            else if (rule->height < rules->rules[named].height)
                rule->height = rules->rules[named].height;
            pass_over(rules, run);
        }
        rule->counted |= run->times == 0 || fth_symbol_is_counted(rules, run->symbol);
        uint64_t times =
            run->times ? run->times : 1; /* or as often as its list says: see measure() */
        if (status == 0 && (length > (UINT64_C(1) << 62) / times ||
                            rule->length > (UINT64_C(1) << 62) - length * times))
            status = fth_fail(error, "rule %u is too long", at);
        if (status == 0)
            rule->length += length * times;
        next[at]++;
    }
    free(stack);
    free(next);
    free(open);
    /* Unused rules would make reading a grammar cost more than the calls that it gives. */
    return status == 0 && done < rules->count
               ? fth_fail(error, "%u of its rules are not used", rules->count - done)
               : status;
}

/* ---- how often ---- */

/* What is counted on the way from the start rule down: how often each rule is used, how many counts were taken from each list, and, unless it
 * is NULL, how often each terminal came. */
struct tally {
    uint64_t *uses, *taken, *terminals;
    uint64_t length;
    bool overflow;
};

static void add_to(struct tally *tally, uint64_t *sum, uint64_t number)
{
    tally->overflow |= number > UINT64_C(1) << 62 || *sum > (UINT64_C(1) << 62) - number;
    *sum += number;
}

static void add_symbol(struct tally *tally, uint32_t symbol, uint64_t uses)
{
    if (symbol & 1) {
        add_to(tally, &tally->uses[symbol >> 1], uses);
        return;
    }
    add_to(tally, &tally->length, uses);
    if (tally->terminals)
        tally->terminals[symbol >> 1] += uses;
}

/* A rule comes when all that name it have been looked at. */
static void add_rule(struct tally *tally, const struct fth_rules *rules, uint32_t at)
{
    const struct rule *rule = &rules->rules[at];
    const struct list *list = list_of(rules, at << 1 | 1);
    uint64_t times;
    if (list)
        add_to(tally, &tally->uses[at], list->column->sum);
    for (uint32_t k = 0; k < rule->count && !tally->overflow; k++) {
        const struct fth_rule_run *run = &rules->runs[rule->first + k];
        if (run->times == 0)
            add_to(tally, &tally->taken[run->list], tally->uses[at]);
        else if (__builtin_mul_overflow(tally->uses[at], run->times, &times))
            tally->overflow = true;
        else
            add_symbol(tally, run->symbol, times);
    }
}

static struct tally tally_up(const struct fth_rules *rules, uint64_t *terminals)
{
    struct tally tally = {.uses = fth_new(rules->count, sizeof(uint64_t)),
                          .taken = fth_new(rules->list_count, sizeof(uint64_t)),
                          .terminals = terminals};
    tally.uses[0] = 1;
    for (uint32_t i = rules->count; i-- > 0 && !tally.overflow;)
        add_rule(&tally, rules, rules->order[i]);
    for (uint32_t i = 0; i < rules->list_count && !tally.overflow; i++)
        if (!(rules->lists[i].symbol & 1))
            add_symbol(&tally, rules->lists[i].symbol, rules->lists[i].column->sum);
    return tally;
}

static void free_tally(struct tally *tally)
{
    free(tally->uses);
    free(tally->taken);
}

/* How long it is, and whether each list has as many counts as are taken from it. */
static int measure(struct fth_rules *rules, struct fth_error **error)
{
    struct tally tally = tally_up(rules, NULL);
    uint64_t counts = 0;
    int status = tally.overflow ? fth_fail(error, "it is too long") : 0;
    for (uint32_t i = 0; i < rules->list_count && status == 0; i++) {
        counts += rules->lists[i].column->count;
        if (tally.taken[i] != rules->lists[i].column->count)
            status = fth_fail(error, "list %u has %" PRIu64 " counts instead of %" PRIu64, i,
                              rules->lists[i].column->count, tally.taken[i]);
    }
    if (status == 0 && counts / MOST_LISTS_AT_ONCE > tally.length)
        status = fth_fail(error, "it has more counts than calls");
    rules->length = tally.length;
    free_tally(&tally);
    return status;
}

uint32_t fth_rules_open(const struct fth_rules *rules)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < rules->list_count; i++)
        open += rules->lists[i].open;
    return open;
}

int fth_rules_give(struct fth_rules *rules, const struct fth_count_column *lists,
                   struct fth_error **error)
{
    for (uint32_t i = 0; i < rules->list_count; i++)
        if (rules->lists[i].open)
            rules->lists[i].column = lists++;
    return measure(rules, error);
}

uint32_t fth_rules_open_symbol(const struct fth_rules *rules, uint32_t i)
{
    const struct list *list = rules->lists;
    while (!list->open || i--)
        list++;
    return list->symbol;
}

bool *fth_rules_reach(const struct fth_rules *rules, const bool *terminals)
{
    bool *reach = fth_new(rules->count, sizeof *reach);
    for (uint32_t i = 0; i < rules->count; i++) {
        const struct rule *rule = &rules->rules[rules->order[i]];
        for (uint32_t k = 0; k < rule->count; k++) {
            uint32_t symbol = rules->runs[rule->first + k].symbol;
            reach[rules->order[i]] |= symbol & 1 ? reach[symbol >> 1] : terminals[symbol >> 1];
        }
    }
    return reach;
}

bool fth_rules_are_counted(const struct fth_rules *rules)
{
    return rules->list_count != 0;
}

static int read_rules(struct fth_rules *rules, struct fth_view *view, uint32_t terminals,
                      struct fth_error **error)
{
    uint64_t count = fth_view_count(view, 1);
    if (view->failed || count == 0)
        return fth_fail(error, "it has no rules");
    rules->count = (uint32_t)count;
    rules->terminals = terminals;
    rules->rules = fth_new(count, sizeof *rules->rules);
    rules->order = fth_new(count, sizeof *rules->order);
    rules->runs = fth_new(fth_view_left(view) / 2 + 1, sizeof *rules->runs);
    if (read_runs(rules, view, terminals, error))
        return -1;
    find_lists(rules);
    if (order_rules(rules, error) || read_lists(rules, view, error))
        return -1;
    return fth_rules_open(rules) ? 0 : measure(rules, error);
}

struct fth_rules *fth_rules_read(const uint8_t *bytes, size_t length, uint32_t terminals,
                                 struct fth_error **error)
{
    struct fth_view view = fth_view_of(bytes, length);
    struct fth_rules *rules = fth_new(1, sizeof *rules);
    if (read_rules(rules, &view, terminals, error) == 0)
        return rules;
    fth_rules_free(rules);
    return NULL;
}

void fth_rules_free(struct fth_rules *rules)
{
    if (!rules)
        return;
    free(rules->rules);
    free(rules->runs);
    free(rules->order);
    for (uint32_t i = 0; i < rules->column_count; i++)
        fth_count_column_free(&rules->columns[i]);
    free(rules->columns);
    free(rules->lists);
    free(rules->weights);
    free(rules->worths);
    free(rules);
}

uint64_t fth_rules_length(const struct fth_rules *rules)
{
    return rules->length;
}

uint32_t fth_rules_terminals(const struct fth_rules *rules)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < rules->run_count; i++)
        if (!(rules->runs[i].symbol & 1) && rules->runs[i].symbol >> 1 >= most)
            most = (rules->runs[i].symbol >> 1) + 1;
    return most;
}

static uint64_t weight_of(const struct fth_rules *rules, uint32_t symbol)
{
    return symbol & 1       ? rules->rules[symbol >> 1].length
           : rules->weights ? rules->weights[symbol >> 1]
                            : 1;
}

bool fth_rules_weigh(struct fth_rules *rules, const uint64_t *weights)
{
    rules->weights = fth_new(rules->terminals, sizeof *rules->weights);
    memcpy(rules->weights, weights, rules->terminals * sizeof *weights);
    for (uint32_t i = 0; i < rules->count; i++) {
        struct rule *rule = &rules->rules[rules->order[i]];
        rule->length = 0;
        for (uint32_t k = 0; k < rule->count; k++) {
            const struct fth_rule_run *run = &rules->runs[rule->first + k];
            uint64_t weight = weight_of(rules, run->symbol);
            if (weight > (UINT64_C(1) << 62) / run->times ||
                rule->length > (UINT64_C(1) << 62) - weight * run->times)
                return false;
            rule->length += weight * run->times;
        }
    }
    rules->length = rules->rules[0].length;
    return true;
}

uint32_t fth_rules_size(const struct fth_rules *rules)
{
    return rules->count;
}

const struct fth_rule_run *fth_rule_runs(const struct fth_rules *rules, uint32_t rule,
                                         uint32_t *count)
{
    *count = rules->rules[rule].count;
    return &rules->runs[rules->rules[rule].first];
}

bool fth_symbol_is_counted(const struct fth_rules *rules, uint32_t symbol)
{
    return symbol & 1 && rules->rules[symbol >> 1].counted;
}

uint64_t fth_symbol_length(const struct fth_rules *rules, uint32_t symbol)
{
    return symbol & 1 ? rules->rules[symbol >> 1].length : 1;
}

const uint32_t *fth_rules_order(const struct fth_rules *rules)
{
    return rules->order;
}

static uint64_t worth_of(const struct fth_rules *rules, uint32_t symbol)
{
    return symbol & 1      ? rules->rules[symbol >> 1].worth
           : rules->worths ? rules->worths[symbol >> 1]
                           : 0;
}

void fth_rules_value(struct fth_rules *rules, const uint64_t *worths)
{
    rules->worths = fth_new(rules->terminals, sizeof *rules->worths);
    memcpy(rules->worths, worths, rules->terminals * sizeof *worths);
    for (uint32_t i = 0; i < rules->count; i++) {
        struct rule *rule = &rules->rules[rules->order[i]];
        for (uint32_t k = 0; k < rule->count; k++) {
            const struct fth_rule_run *run = &rules->runs[rule->first + k];
            rule->worth += worth_of(rules, run->symbol) * run->times;
        }
    }
}

uint32_t fth_rules_at(const struct fth_rules *rules, uint64_t place, uint64_t *before)
{
    const struct fth_rule_run *run = &rules->runs[rules->rules[0].first];
    uint64_t sum = 0;
    for (;;) {
        uint64_t weight = weight_of(rules, run->symbol), times = place / weight;
        if (times >= run->times) {
            place -= weight * run->times;
            sum += worth_of(rules, run->symbol) * run->times;
            run++;
            continue;
        }
        place -= weight * times;
        sum += worth_of(rules, run->symbol) * times;
        if (!(run->symbol & 1))
            break;
        run = &rules->runs[rules->rules[run->symbol >> 1].first];
    }
    if (before)
        *before = sum;
    return run->symbol >> 1;
}

void fth_rules_count(const struct fth_rules *rules, uint64_t *counts)
{
    struct tally tally = tally_up(rules, counts);
    free_tally(&tally);
}

void fth_rule_cursor_open(struct fth_rule_cursor *cursor, const struct fth_rules *rules)
{
    *cursor = (struct fth_rule_cursor){.rules = rules};
    cursor->frames = fth_new((size_t)rules->rules[0].height + 1, sizeof *cursor->frames);
    cursor->places = fth_new(rules->list_count, sizeof *cursor->places);
    cursor->frames[0] = (struct fth_rule_frame){0, 0, 0};
    cursor->depth = 1;
}

void fth_rule_cursor_close(struct fth_rule_cursor *cursor)
{
    free(cursor->frames);
    free(cursor->places);
    cursor->frames = NULL;
    cursor->places = NULL;
}

/* How often the run comes: the next of its list, or as it says. */
static uint32_t times_of(struct fth_rule_cursor *cursor, const struct fth_rule_run *run)
{
    if (run->times)
        return run->times;
    struct fth_rule_place *place = &cursor->places[run->list];
    return fth_count_column_at(cursor->rules->lists[run->list].column, place->next++, &place->line);
}

bool fth_rule_cursor_run(struct fth_rule_cursor *cursor, uint32_t *terminal, uint32_t *times)
{
    const struct fth_rules *rules = cursor->rules;
    while (cursor->depth) {
        struct fth_rule_frame *frame = &cursor->frames[cursor->depth - 1];
        const struct rule *rule = &rules->rules[frame->rule];
        if (frame->run == rule->count) {
            cursor->depth--;
            continue;
        }
        const struct fth_rule_run *run = &rules->runs[rule->first + frame->run];
        if (!(run->symbol & 1)) {
            frame->run++;
            *terminal = run->symbol >> 1;
            *times = times_of(cursor, run);
            if (*times || cursor->with_empty)
                return true;
            continue;
        }
        if (frame->left == 0 && (frame->left = times_of(cursor, run)) == 0) {
            frame->run++;
            continue;
        }
        if (--frame->left == 0)
            frame->run++;
        cursor->frames[cursor->depth++] = (struct fth_rule_frame){run->symbol >> 1, 0, 0};
    }
    return false;
}

void fth_rule_cursor_skip(struct fth_rule_cursor *cursor, uint64_t count, fth_rule_visit *visit,
                          void *context)
{
    const struct fth_rules *rules = cursor->rules;
    while (count) {
        struct fth_rule_frame *frame = cursor->depth ? &cursor->frames[cursor->depth - 1] : NULL;
        if (cursor->times) {
            uint32_t times = count < cursor->times ? (uint32_t)count : cursor->times;
            visit(context, cursor->terminal << 1, times);
            cursor->times -= times;
            count -= times;
            continue;
        }
        if (!frame)
            return;
        if (frame->run == rules->rules[frame->rule].count) {
            cursor->depth--;
            continue;
        }
        const struct fth_rule_run *run = &rules->runs[rules->rules[frame->rule].first + frame->run];
        if (!(run->symbol & 1)) {
            frame->run++;
            cursor->terminal = run->symbol >> 1;
            cursor->times = times_of(cursor, run);
            continue;
        }
        if (frame->left == 0 && (frame->left = times_of(cursor, run)) == 0) {
            frame->run++;
            continue;
        }
        const struct rule *named = &rules->rules[run->symbol >> 1];
        uint64_t times = named->counted ? 0 : count / named->length;
        if (times) {
            times = times < frame->left ? times : frame->left;
            visit(context, run->symbol, times);
            count -= times * named->length;
            frame->left -= (uint32_t)times;
            frame->run += frame->left == 0;
            continue;
        }
        if (--frame->left == 0)
            frame->run++;
        cursor->frames[cursor->depth++] = (struct fth_rule_frame){run->symbol >> 1, 0, 0};
    }
}
