/* A grammar that was written is read back terminal by terminal; foreign and malicious ones are
 * refused, or cost no more than what they give. */
#include "trace/grammar/rules.h"

#include "base/bytes.h"
#include "trace/grammar/grammar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NODES = 8192, MOST = 100000 };

static uint32_t input[MOST];
static size_t input_length;

static void put(struct fth_grammar *grammar, uint32_t terminal)
{
    if (input_length == MOST || fth_grammar_full(grammar))
        return;
    input[input_length++] = terminal;
    fth_grammar_append(grammar, terminal);
}

static void random_nest(struct fth_grammar *grammar, int depth)
{
    int turns = rand() % 6, length = 1 + rand() % 5, body[5];
    for (int i = 0; i < length; i++)
        body[i] = rand() % 8;
    while (turns--)
        for (int i = 0; i < length; i++)
            if (depth && body[i] < 3)
                random_nest(grammar, depth - 1);
            else
                put(grammar, (uint32_t)(body[i] == 7 ? 8 + rand() % 50 : body[i]));
}

/* Something else came back: what was put in until there. */
static void fail_behind(size_t at, uint32_t terminal)
{
    enum { SHOWN = 40 };
    print_error("behind");
    for (size_t i = at > SHOWN ? at - SHOWN : 0; i < at; i++)
        print_error(" %u", input[i]);
    print_error("\n");
    fail_msg("terminal %zu of %zu is %u, not %u", at, input_length, terminal, input[at]);
}

/* A copy goes on from here by itself. */
static void check_copy(const struct fth_rule_cursor *cursor, size_t at)
{
    struct fth_rule_cursor copy = fth_rule_cursor_copy(cursor);
    uint32_t terminal = 0;
    for (size_t i = at; i < input_length && i < at + 50; i++) {
        assert_true(fth_rule_cursor_next(&copy, &terminal));
        if (terminal != input[i])
            fail_behind(i, terminal);
    }
    fth_rule_cursor_close(&copy);
}

static void check(const uint8_t *bytes, size_t length)
{
    uint64_t counts[64] = {0}, wanted[64] = {0};
    struct fth_rules *rules = fth_rules_read(bytes, length, 64, NULL);
    struct fth_rule_cursor cursor;
    uint32_t terminal = 0;
    assert_non_null(rules);
    assert_int_equal(fth_rules_length(rules), input_length);
    fth_rule_cursor_open(&cursor, rules);
    for (size_t i = 0; i < input_length; i++) {
        if (i % 100 == 7)
            check_copy(&cursor, i);
        assert_true(fth_rule_cursor_next(&cursor, &terminal));
        if (terminal != input[i])
            fail_behind(i, terminal);
        wanted[terminal]++;
    }
    assert_false(fth_rule_cursor_next(&cursor, &terminal));
    fth_rules_count(rules, counts);
    assert_memory_equal(counts, wanted, sizeof counts);
    fth_rule_cursor_close(&cursor);
    fth_rules_free(rules);
}

static void what_was_written_comes_back(void **state)
{
    (void)state;
    size_t size = (fth_grammar_bytes(NODES, 0) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, size);
    memset(memory, 0, size);
    struct fth_grammar *grammar = fth_grammar_place(memory, NODES, 0);
    uint8_t *bytes = malloc(MOST * 12);
    for (unsigned seed = 0; seed < 2000; seed++) {
        srand(seed);
        input_length = 0;
        fth_grammar_reset(grammar);
        for (int i = rand() % 12; i > 0; i--)
            random_nest(grammar, 3);
        check(bytes, (size_t)(fth_grammar_write(grammar, bytes) - bytes));
    }
    free(bytes);
    free(memory);
}

/* Run lengths have 32 bits; a program that makes one call more often than that gets a second
 * grammar. */
static void endless_loops_are_cut(void **state)
{
    (void)state;
    size_t size = (fth_grammar_bytes(NODES, 0) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, size);
    uint8_t bytes[1024];
    memset(memory, 0, size);
    struct fth_grammar *grammar = fth_grammar_place(memory, NODES, 0);
    uint64_t length = 0;
    for (int i = 0; i < 100 && !fth_grammar_full(grammar); i++) {
        fth_grammar_append_run(grammar, 5, 900000000);
        length += 900000000;
    }
    assert_true(fth_grammar_full(grammar));
    assert_true(length > UINT64_C(1) << 31);
    struct fth_rules *rules =
        fth_rules_read(bytes, (size_t)(fth_grammar_write(grammar, bytes) - bytes), 64, NULL);
    assert_non_null(rules);
    assert_int_equal(fth_rules_length(rules), length);
    fth_rules_free(rules);
    free(memory);
}

/* A grammar from numbers: rules, then per rule the number of runs and the runs. */
static struct fth_rules *read_numbers(const uint64_t *numbers, size_t count,
                                      struct fth_error **error)
{
    struct fth_bytes bytes = {0};
    for (size_t i = 0; i < count; i++)
        fth_bytes_varint(&bytes, numbers[i]);
    struct fth_rules *rules = fth_rules_read(bytes.data, bytes.length, 10, error);
    fth_bytes_free(&bytes);
    return rules;
}
#define READ(...)                                                                                  \
    read_numbers((const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8,     \
                 &error)
#define TERMINAL(t) ((uint64_t)(t)*2)
#define RULE(r) ((uint64_t)(r)*2 + 1)

static void assert_refused(struct fth_rules *rules, struct fth_error *error, const char *why)
{
    assert_null(rules);
    assert_non_null(error);
    assert_non_null(strstr(fth_error_text(error), why));
    fth_error_free(error);
}
#define REFUSED(why, ...)                                                                          \
    do {                                                                                           \
        struct fth_error *error = NULL;                                                            \
        struct fth_rules *rules = READ(__VA_ARGS__);                                               \
        assert_refused(rules, error, why);                                                         \
    } while (0)

static void foreign_ones_are_refused(void **state)
{
    (void)state;
    REFUSED("no rules", 0);
    REFUSED("no rules", 1ull << 60);
    REFUSED("damaged", 1, 1, TERMINAL(10), 1);
    REFUSED("damaged", 2, 1, RULE(1), 2, 1, TERMINAL(1), 0);
    REFUSED("damaged", 1, 1, TERMINAL(1), 1ull << 32);
    REFUSED("damaged", 1, 1, RULE(1), 1);
    REFUSED("damaged", 1, 1, UINT64_MAX, 1);
    REFUSED("truncated or too long", 1, 1, TERMINAL(1), 1, 0);
    REFUSED("truncated", 2, 1, TERMINAL(1), 1);
    REFUSED("contains itself", 1, 1, RULE(0), 2);
    REFUSED("contains itself", 3, 1, RULE(1), 1, 1, RULE(2), 1, 2, TERMINAL(1), 1, RULE(1), 1);
    REFUSED("is empty", 2, 1, RULE(1), 1, 0);
    REFUSED("not used", 2, 1, TERMINAL(1), 1, 1, TERMINAL(2), 1);
    REFUSED("too long", 4, 1, RULE(1), UINT32_MAX, 1, RULE(2), UINT32_MAX, 1, RULE(3), UINT32_MAX,
            1, TERMINAL(1), 5);
}

/* ---- lists of counts ---- */

#define POSITIVE(n) ((uint64_t)(n)*2) /* as a signed varint */

/* Rule 0 is terminal 1 as often as the list says, terminal 2 twice, and that again; so the list of
 * terminal 1 has two counts. */
#define LOOKS(...) 2, 1, RULE(1), 2, 2, TERMINAL(1), 0, TERMINAL(2), 2, __VA_ARGS__

static void lists_have_a_length(void **state)
{
    (void)state;
    struct fth_error *error = NULL;
    struct fth_rules *rules = READ(LOOKS(1, TERMINAL(1), 2, 1, 2, POSITIVE(7), POSITIVE(1)));
    assert_non_null(rules);
    assert_int_equal(fth_rules_length(rules), 7 + 2 + 8 + 2);
    fth_rules_free(rules);
}

static void foreign_lists_are_refused(void **state)
{
    (void)state;
    REFUSED("list 0 has 1 counts instead of 2", LOOKS(1, TERMINAL(1), 1, 1, 1, POSITIVE(7), 0));
    REFUSED("list 0 has 3 counts instead of 2", LOOKS(1, TERMINAL(1), 3, 1, 3, POSITIVE(7), 0));
    REFUSED("list 0 is damaged",
            LOOKS(1, TERMINAL(1), 2, 1, 3, POSITIVE(7), 0)); /* a line too long */
    REFUSED("list 0 is damaged", LOOKS(1, TERMINAL(1), 2, 1, 1, POSITIVE(7), 0)); /* too short */
    REFUSED("list 0 is damaged", LOOKS(1, TERMINAL(1), 2, 1, 2, POSITIVE(1ull << 32), 0));
    REFUSED("list 0 is damaged", LOOKS(1, TERMINAL(1), 2, 1, 2, POSITIVE(7), 1ull << 63));
    REFUSED("list 0 is damaged", LOOKS(1, TERMINAL(1), 2, 1, 2, 1, 0)); /* -1 */
    REFUSED("list 0 is damaged", LOOKS(1, TERMINAL(1), 2, 0, 0, 1, 0)); /* packed, 0 bytes wide */
    REFUSED("list 0 is damaged", LOOKS(1, TERMINAL(2), 2, 1, 2, POSITIVE(7), 0));
    REFUSED("truncated or too long", LOOKS(2, TERMINAL(1), 2, 1, 2, POSITIVE(7), 0));
    REFUSED("truncated or too long", LOOKS(1, TERMINAL(1), 2, 1, 2, POSITIVE(7), 0, 0));
    REFUSED("more counts than calls", 2, 1, RULE(1), 650, 2, TERMINAL(1), 0, TERMINAL(2), 0, 2,
            TERMINAL(1), 650, 1, 650, 0, 0, TERMINAL(2), 650, 1, 650, 0, 0);
    REFUSED("too long", 3, 2, RULE(1), 0, RULE(2), 0, 1, RULE(2), UINT32_MAX, 2, TERMINAL(1),
            UINT32_MAX, TERMINAL(2), 1, 1, RULE(1), 1, 1, 1, POSITIVE(1u << 31), 0);
}

/* Lists may stand elsewhere; then nothing is known until they are given. */
static void lists_can_be_given(void **state)
{
    (void)state;
    struct fth_error *error = NULL;
    struct fth_bytes bytes = {0};
    struct fth_count_column lists[2];
    /* a loop, in it terminal 3 and terminal 1, both as often as their lists say */
    struct fth_rules *rules = READ(2, 1, RULE(1), 0, 2, TERMINAL(3), 0, TERMINAL(1), 0, 1, RULE(1),
                                   1, 1, 1, POSITIVE(3), 0);
    assert_non_null(rules);
    assert_int_equal(fth_rules_open(rules), 2);
    assert_int_equal(fth_rules_open_symbol(rules, 0), TERMINAL(1));
    assert_int_equal(fth_rules_open_symbol(rules, 1), TERMINAL(3));
    fth_count_column_put(&bytes, (const uint32_t[]){4, 0, 90000}, 3);
    fth_count_column_put(&bytes, (const uint32_t[]){2, 2, 2}, 3);
    struct fth_view view = fth_view_of(bytes.data, bytes.length);
    assert_true(fth_count_column_read(&lists[0], &view) &&
                fth_count_column_read(&lists[1], &view) && view.at == view.end);
    assert_int_equal(fth_rules_give(rules, lists, &error), 0);
    assert_int_equal(fth_rules_length(rules), 4 + 90000 + 6);
    uint64_t counts[10] = {0};
    fth_rules_count(rules, counts);
    assert_int_equal(counts[1], 90004);
    assert_int_equal(counts[3], 6);
    static const uint32_t terminals[] = {3, 1, 3, 3, 1}, times[] = {2, 4, 2, 2, 90000};
    struct fth_rule_cursor cursor;
    uint32_t terminal, length;
    fth_rule_cursor_open(&cursor, rules);
    for (int i = 0; i < 5; i++) {
        assert_true(fth_rule_cursor_run(&cursor, &terminal, &length));
        assert_int_equal(terminal, terminals[i]);
        assert_int_equal(length, times[i]);
    }
    assert_false(fth_rule_cursor_run(&cursor, &terminal, &length));
    fth_rule_cursor_close(&cursor);
    fth_rules_free(rules);
    fth_count_column_free(&lists[0]);
    fth_count_column_free(&lists[1]);
    fth_bytes_free(&bytes);
}

/* Any list comes back, in any order of asking, and a loop that goes around once more each time
 * costs next to nothing. */
static void counts_come_back(void **state)
{
    (void)state;
    enum { LENGTH = 3000 };
    uint32_t counts[LENGTH], line = 0;
    for (unsigned kind = 0; kind < 5; kind++) {
        struct fth_bytes bytes = {0};
        struct fth_count_column column;
        uint64_t sum = 0;
        srand(kind);
        for (uint32_t i = 0; i < LENGTH; i++)
            counts[i] = (const uint32_t[]){7, i, UINT32_MAX - i, (uint32_t)rand(), i % 100}[kind];
        for (uint32_t i = 0; i < LENGTH; i++)
            sum += counts[i];
        fth_count_column_put(&bytes, counts, LENGTH);
        assert_true(bytes.length < (kind < 3 ? 20 : kind == 3 ? 4 * LENGTH + 20 : 200));
        struct fth_view view = fth_view_of(bytes.data, bytes.length);
        assert_true(fth_count_column_read(&column, &view));
        assert_ptr_equal(view.at, view.end);
        assert_int_equal(column.sum, sum);
        for (uint32_t i = 0; i < LENGTH; i++)
            assert_int_equal(fth_count_column_at(&column, i, &line), counts[i]);
        for (uint32_t i = LENGTH; i-- > 0;)
            assert_int_equal(fth_count_column_at(&column, i, &line), counts[i]);
        fth_count_column_free(&column);
        fth_bytes_free(&bytes);
    }
}

/* 2^60 calls in a few bytes are no harm by themselves. */
static void long_ones_are_read_lazily(void **state)
{
    (void)state;
    struct fth_error *error = NULL;
    uint64_t counts[10] = {0};
    uint32_t terminal = 0, times;
    struct fth_rule_cursor cursor;
    struct fth_rules *rules =
        READ(3, 1, RULE(1), 1u << 30, 1, RULE(2), 1u << 29, 2, TERMINAL(3), 1, TERMINAL(4), 1);
    assert_non_null(rules);
    assert_int_equal(fth_rules_length(rules), UINT64_C(1) << 60);
    fth_rules_count(rules, counts);
    assert_int_equal(counts[3], UINT64_C(1) << 59);
    fth_rule_cursor_open(&cursor, rules);
    for (int i = 0; i < 1000; i++) {
        assert_true(fth_rule_cursor_run(&cursor, &terminal, &times));
        assert_int_equal(terminal, 3 + i % 2);
    }
    fth_rule_cursor_close(&cursor);
    fth_rules_free(rules);
}

/* A chain of rules that are nothing but the next one must not be walked for each terminal: 10^5
 * turns of 10^5 steps would take minutes. */
static void chains_are_passed_over(void **state)
{
    (void)state;
    enum { LINKS = 100000 };
    struct fth_bytes bytes = {0};
    fth_bytes_varint(&bytes, LINKS);
    for (uint64_t i = 0; i < LINKS; i++) {
        fth_bytes_varint(&bytes, 1);
        fth_bytes_varint(&bytes, i + 1 < LINKS ? RULE(i + 1) : TERMINAL(7));
        fth_bytes_varint(&bytes, i == 0 ? LINKS : 1);
    }
    struct fth_rules *rules = fth_rules_read(bytes.data, bytes.length, 10, NULL);
    struct fth_rule_cursor cursor;
    uint32_t terminal = 0;
    assert_non_null(rules);
    assert_int_equal(fth_rules_length(rules), LINKS);
    fth_rule_cursor_open(&cursor, rules);
    for (int i = 0; i < LINKS; i++) {
        assert_true(fth_rule_cursor_next(&cursor, &terminal));
        assert_int_equal(terminal, 7);
    }
    assert_false(fth_rule_cursor_next(&cursor, &terminal));
    fth_rule_cursor_close(&cursor);
    fth_rules_free(rules);
    fth_bytes_free(&bytes);
}

/* Any bytes: refused, or as long as they say. */
static void noise_is_harmless(void **state)
{
    (void)state;
    uint8_t bytes[40];
    srand(3);
    for (int i = 0; i < 300000; i++) {
        size_t length = 1 + (size_t)rand() % sizeof bytes;
        for (size_t k = 0; k < length; k++)
            bytes[k] = (uint8_t)(rand() % 8);
        struct fth_rules *rules = fth_rules_read(bytes, length, 4, NULL);
        if (!rules || fth_rules_open(rules)) {
            fth_rules_free(rules);
            continue;
        }
        struct fth_rule_cursor cursor;
        uint32_t terminal = 0;
        uint64_t given = 0;
        fth_rule_cursor_open(&cursor, rules);
        while (given < 10000 && fth_rule_cursor_next(&cursor, &terminal))
            given++;
        assert_true(given == 10000 || given == fth_rules_length(rules));
        fth_rule_cursor_close(&cursor);
        fth_rules_free(rules);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_comes_back),
        cmocka_unit_test(foreign_ones_are_refused),
        cmocka_unit_test(long_ones_are_read_lazily),
        cmocka_unit_test(chains_are_passed_over),
        cmocka_unit_test(endless_loops_are_cut),
        cmocka_unit_test(noise_is_harmless),
        cmocka_unit_test(foreign_lists_are_refused),
        cmocka_unit_test(lists_can_be_given),
        cmocka_unit_test(counts_come_back),
        cmocka_unit_test(lists_have_a_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
