/* Lists of counts of a grammar, and how often its rules are used. */
#include "trace/grammar/rule_nodes.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <inttypes.h>

enum {
    MOST_LISTS_AT_ONCE = 64 /* counts for each terminal: loops that may begin in one place */
};

static int by_symbol(const void *one, const void *other)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return a < b ? -1 : a > b;
}

static struct fth_rule_list *list_of(const struct fth_rules *rules, uint32_t symbol)
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
void fth_rule_lists_find(struct fth_rules *rules)
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
            rules->lists[rules->list_count++] =
                (struct fth_rule_list){.symbol = symbols[i], .open = true};
    free(symbols);
    for (uint32_t i = 0; i < rules->run_count; i++)
        if (rules->runs[i].times == 0)
            rules->runs[i].list = (uint32_t)(list_of(rules, rules->runs[i].symbol) - rules->lists);
}

/* Those that stand behind the rules. */
int fth_rule_lists_read(struct fth_rules *rules, struct fth_view *view, struct fth_error **error)
{
    if (view->at == view->end)
        return 0;
    uint64_t count = fth_view_count(view, 4);
    if (count == 0 || count > rules->list_count)
        return fth_fail(error, "it is truncated or too long");
    rules->columns = fth_new(count, sizeof *rules->columns);
    for (; rules->column_count < count; rules->column_count++) {
        uint64_t symbol = fth_view_varint(view);
        struct fth_rule_list *list = symbol <= UINT32_MAX ? list_of(rules, (uint32_t)symbol) : NULL;
        struct fth_count_column *column = &rules->columns[rules->column_count];
        if (view->failed || !list || !list->open || !fth_count_column_read(column, view)) {
            fth_count_column_free(column);
            return fth_fail(error, "list %u is damaged", rules->column_count);
        }
        list->column = column;
        list->open = false;
    }
    return view->failed || view->at != view->end ? fth_fail(error, "it is truncated or too long")
                                                 : 0;
}

/* What is counted on the way from the start rule down: how often each rule is used, how many counts
 * were taken from each list, and, unless it is NULL, how often each terminal came. */
struct counted {
    uint64_t *uses, *taken, *terminals;
    uint64_t length;
    bool overflow;
};

static void add_to(struct counted *counted, uint64_t *sum, uint64_t number)
{
    counted->overflow |= number > UINT64_C(1) << 62 || *sum > (UINT64_C(1) << 62) - number;
    *sum += number;
}

static void add_symbol(struct counted *counted, uint32_t symbol, uint64_t uses)
{
    if (symbol & 1) {
        add_to(counted, &counted->uses[symbol >> 1], uses);
        return;
    }
    add_to(counted, &counted->length, uses);
    if (counted->terminals)
        counted->terminals[symbol >> 1] += uses;
}

/* A rule comes when all that name it have been looked at. */
static void add_rule(struct counted *counted, const struct fth_rules *rules, uint32_t at)
{
    const struct fth_rule *rule = &rules->rules[at];
    const struct fth_rule_list *list = list_of(rules, at << 1 | 1);
    uint64_t times;
    if (list)
        add_to(counted, &counted->uses[at], list->column->sum);
    for (uint32_t k = 0; k < rule->count && !counted->overflow; k++) {
        const struct fth_rule_run *run = &rules->runs[rule->first + k];
        if (run->times == 0)
            add_to(counted, &counted->taken[run->list], counted->uses[at]);
        else if (__builtin_mul_overflow(counted->uses[at], run->times, &times))
            counted->overflow = true;
        else
            add_symbol(counted, run->symbol, times);
    }
}

static struct counted tally_up(const struct fth_rules *rules, uint64_t *terminals)
{
    struct counted counted = {.uses = fth_new(rules->count, sizeof(uint64_t)),
                              .taken = fth_new(rules->list_count, sizeof(uint64_t)),
                              .terminals = terminals};
    counted.uses[0] = 1;
    for (uint32_t i = rules->count; i-- > 0 && !counted.overflow;)
        add_rule(&counted, rules, rules->order[i]);
    for (uint32_t i = 0; i < rules->list_count && !counted.overflow; i++)
        if (!(rules->lists[i].symbol & 1))
            add_symbol(&counted, rules->lists[i].symbol, rules->lists[i].column->sum);
    return counted;
}

static void free_tally(struct counted *counted)
{
    free(counted->uses);
    free(counted->taken);
}

/* How long it is, and whether each list has as many counts as are taken from it. */
int fth_rules_measure(struct fth_rules *rules, struct fth_error **error)
{
    struct counted counted = tally_up(rules, NULL);
    uint64_t counts = 0;
    int status = counted.overflow ? fth_fail(error, "it is too long") : 0;
    for (uint32_t i = 0; i < rules->list_count && status == 0; i++) {
        counts += rules->lists[i].column->count;
        if (counted.taken[i] != rules->lists[i].column->count)
            status = fth_fail(error, "list %u has %" PRIu64 " counts instead of %" PRIu64, i,
                              rules->lists[i].column->count, counted.taken[i]);
    }
    if (status == 0 && counts / MOST_LISTS_AT_ONCE > counted.length)
        status = fth_fail(error, "it has more counts than calls");
    rules->length = counted.length;
    free_tally(&counted);
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
    return fth_rules_measure(rules, error);
}

uint32_t fth_rules_open_symbol(const struct fth_rules *rules, uint32_t i)
{
    const struct fth_rule_list *list = rules->lists;
    while (!list->open || i--)
        list++;
    return list->symbol;
}

bool fth_rules_are_counted(const struct fth_rules *rules)
{
    return rules->list_count != 0;
}

uint64_t fth_rules_length(const struct fth_rules *rules)
{
    return rules->length;
}

void fth_rules_count(const struct fth_rules *rules, uint64_t *counts)
{
    struct counted counted = tally_up(rules, counts);
    free_tally(&counted);
}
