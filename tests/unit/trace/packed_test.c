/* What is packed comes back to the byte: grammars, edits of shapes, coded numbers, facts of
 * processes. What is damaged is refused, or gives something, and takes no more than it may. */
#include "trace/grammar/packed_rules.h"

#include "../shortest.h"
#include "base/memory.h"
#include "trace/columns/number_coder.h"
#include "trace/columns/times.h"
#include "trace/file/packed_facts.h"
#include "trace/file/shape_edits.h"
#include "trace/grammar/grammar.h"
#include "trace/grammar/rules.h"
#include "trace/record/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- grammars ---- */

enum { NODES = 8192, MOST_TEXT = 1 << 20 };

/* Who passes over packed rules learns the same as who reads the rules, unless there are lists. Cut
 * anywhere, they do not pass. */
static bool passes_as_read(const struct fth_bytes *packed, const uint8_t *text, size_t length)
{
    struct fth_rules_extent extent, cut_extent;
    struct fth_rules *rules = fth_rules_read(text, length, UINT32_MAX / 2, NULL);
    bool passes = fth_rules_pass(packed->data, packed->length, &extent), same = rules != NULL;
    if (passes && rules)
        same = extent.length == fth_rules_length(rules) &&
               extent.terminals == fth_rules_terminals(rules);
    same &= rules && passes == !fth_rules_are_counted(rules);
    for (size_t cut = 0; cut < packed->length; cut += 1 + packed->length / 20)
        same &= !fth_rules_pass(packed->data, cut, &cut_extent);
    fth_rules_free(rules);
    return same;
}

/* Packs the grammar and unpacks it: does it come back? Cut anywhere, it is refused, or another. */
static bool comes_back(struct fth_grammar *grammar)
{
    struct fth_bytes packed = {0}, again = {0};
    static uint8_t text[MOST_TEXT];
    size_t length = (size_t)(fth_grammar_write(grammar, text) - text);
    fth_rules_pack(text, length, &packed);
    bool same = fth_rules_unpack(packed.data, packed.length, &again) && again.length == length &&
                memcmp(again.data, text, length) == 0 && passes_as_read(&packed, text, length);
    for (size_t cut = 0; cut < packed.length; cut += 1 + packed.length / 20) {
        again.length = 0;
        fth_rules_unpack(packed.data, cut, &again);
    }
    fth_bytes_free(&packed);
    fth_bytes_free(&again);
    return same;
}

/* One for all cases. */
static struct fth_grammar *empty_grammar(void)
{
    static struct fth_grammar *grammar;
    if (!grammar)
        grammar = fth_grammar_place(fth_new(fth_grammar_bytes(NODES, 64), 1), NODES, 64);
    fth_grammar_reset(grammar);
    return grammar;
}

static void check_calls(const uint32_t *symbols, size_t count)
{
    struct fth_grammar *grammar = empty_grammar();
    for (size_t i = 0; i < count; i++)
        fth_grammar_append(grammar, symbols[i]);
    assert_true(comes_back(grammar));
}

static void small_grammars_come_back(void **state)
{
    (void)state;
    check_calls(NULL, 0);
    check_calls((const uint32_t[]){5}, 1);
    check_calls((const uint32_t[1000]){0}, 1000);                      /* a run */
    check_calls((const uint32_t[]){1, 2, 1, 2, 1, 2}, 6);              /* a loop */
    check_calls((const uint32_t[]){1, 2, 1, 2, 3, 1, 2, 1, 2, 3}, 10); /* a loop in a loop */
}

/* Draws a program of so many steps, each of some calls. */
static struct fth_grammar *draw_program(uint32_t seed, uint32_t steps, bool print)
{
    struct fth_grammar *grammar = empty_grammar();
    srand(seed);
    for (uint32_t i = 0; i < steps; i++)
        for (int k = 0, turns = rand() % 4, first = rand() % 200; k <= turns; k++) {
            uint32_t symbol = (uint32_t)(first + k * (rand() % 2));
            fth_grammar_append(grammar, symbol);
            if (print)
                print_error("%u ", symbol);
        }
    return grammar;
}

static bool program_comes_back(uint32_t seed, uint32_t steps)
{
    return comes_back(draw_program(seed, steps, false));
}

static void grammars_come_back(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 200; seed++) {
        uint32_t most = 1 + seed * 7 % 300;
        if (program_comes_back(seed, most))
            continue;
        print_error("seed %u, calls: ", seed);
        draw_program(seed, shortest_that_fails(program_comes_back, seed, most), true);
        fail_msg("the grammar of these calls does not come back");
    }
}

/* ---- edits ---- */

static bool edits_give(const uint8_t *before, size_t length_before, const uint8_t *bytes,
                       size_t length)
{
    struct fth_bytes edits = {0}, made = {0};
    fth_edits_put(&edits, before, length_before, bytes, length);
    struct fth_view view = fth_view_of(edits.data, edits.length);
    bool same = fth_edits_read(&view, before, length_before, length, &made) &&
                view.at == view.end && made.length == length &&
                (!length || memcmp(made.data, bytes, length) == 0);
    made.length = 0;
    view = fth_view_of(edits.data, edits.length);
    bool refuses = !length || !fth_edits_read(&view, before, length_before, length - 1, &made);
    fth_bytes_free(&edits);
    fth_bytes_free(&made);
    return same && refuses;
}

static void check_edits(const char *before, const char *after)
{
    assert_true(
        edits_give((const uint8_t *)before, strlen(before), (const uint8_t *)after, strlen(after)));
}

static void small_edits_come_back(void **state)
{
    (void)state;
    check_edits("", "");
    check_edits("", "new");
    check_edits("gone", "");
    check_edits("the same text", "the same text");
    check_edits("one word of a text", "one phrase of a text");
    check_edits("a piece is left out here", "a piece is out here");
}

static void edits_come_back(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 60; seed++) {
        uint8_t before[3000], bytes[4000];
        srand(seed);
        size_t length_before = (size_t)(rand() % 3000), length = 0;
        for (size_t i = 0; i < length_before; i++)
            before[i] = (uint8_t)(rand() % 5);
        for (size_t i = 0; i < length_before && length < sizeof bytes - 20; i++) {
            if (rand() % 200 == 0)
                i += (size_t)(rand() % 800);
            for (int k = rand() % 100 == 0 ? rand() % 20 : 0; k; k--)
                bytes[length++] = (uint8_t)rand();
            if (i < length_before)
                bytes[length++] = before[i];
        }
        if (!edits_give(before, length_before, bytes, length))
            fail_msg("seed %u: edits of %zu bytes to %zu bytes do not come back", seed,
                     length_before, length);
    }
}

/* ---- numbers ---- */

static uint64_t draw(void)
{
    uint64_t wide = (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();
    return wide >> rand() % 64;
}

static void numbers_come_back(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static uint64_t numbers[COUNT];
    struct fth_number_coder coder = {.writes = true};
    struct fth_number_model model = {0};
    struct fth_bytes bytes = {0};
    numbers[0] = UINT64_MAX;
    for (int i = 2; i < COUNT; i++)
        numbers[i] = i % 3 ? (uint64_t)i % 7 : draw();
    fth_bit_writer_open(&coder.bits, &bytes);
    for (int i = 0; i < COUNT; i++)
        fth_code_number(&coder, &model, numbers[i]);
    fth_bit_writer_close(&coder.bits);
    coder = (struct fth_number_coder){0};
    model = (struct fth_number_model){0};
    fth_bit_reader_open(&coder.bits, fth_view_of(bytes.data, bytes.length));
    for (int i = 0; i < COUNT; i++)
        if (fth_code_number(&coder, &model, 0) != numbers[i])
            fail_msg("number %d, %llu, does not come back", i, (unsigned long long)numbers[i]);
    assert_true(coder.bits.from.at == coder.bits.from.end);
    fth_bytes_free(&bytes);
}

/* What is always the same costs next to nothing, and what has no rule not more than its bits. */
static void numbers_cost_what_they_say(void **state)
{
    (void)state;
    for (int random = 0; random < 2; random++) {
        struct fth_number_coder coder = {.writes = true};
        struct fth_number_model model = {0};
        struct fth_bytes bytes = {0};
        fth_bit_writer_open(&coder.bits, &bytes);
        for (int i = 0; i < 8000; i++)
            fth_code_number(&coder, &model, random ? 256 + (uint64_t)rand() % 256 : 300);
        fth_bit_writer_close(&coder.bits);
        assert_true(bytes.length < (random ? 8300 : 6200));
        fth_bytes_free(&bytes);
    }
}

static void coded_times_come_back(void **state)
{
    (void)state;
    enum { CALLS = 1000, GROUPS = 7 };
    uint64_t gaps[CALLS], durations[CALLS];
    const uint64_t *const values[] = {gaps, durations};
    const uint32_t counts[GROUPS] = {1, 2, 400, 5, 300, 91, 201};
    struct fth_bytes bytes = {0};
    struct fth_times_reader reader = {0};
    struct fth_error *error = NULL;
    for (int i = 0; i < CALLS; i++) {
        gaps[i] = draw();
        durations[i] = i % 5 ? 3 : draw();
    }
    fth_times_put_coded(&bytes, values, counts, GROUPS);
    assert_int_equal(fth_times_read_coded(&reader, bytes.data, bytes.length, CALLS, &error), 0);
    assert_memory_equal(reader.values[0], gaps, sizeof gaps);
    assert_memory_equal(reader.values[1], durations, sizeof durations);
    assert_int_equal(reader.groups, GROUPS);
    fth_times_reader_free(&reader);
    for (uint32_t calls = CALLS - 1; calls <= CALLS + 1; calls += 2) {
        assert_int_equal(fth_times_read_coded(&reader, bytes.data, bytes.length, calls, &error),
                         -1);
        fth_error_free(error);
        error = NULL;
        fth_times_reader_free(&reader);
    }
    fth_bytes_free(&bytes);
}

/* Facts of alike processes, some with a number more, one with bytes behind that are no numbers. */
static void make_facts(struct fth_bytes *facts, unsigned number)
{
    uint64_t image = draw();
    unsigned numbers = number % 3 ? 300 : 40;
    fth_bytes_put(facts, &image, sizeof image);
    fth_bytes_varint(facts, number % 2);
    fth_bytes_varint(facts, 1000000 + number * 5000 + draw() % 100);
    fth_bytes_signed(facts, (int64_t)(draw() >> 20));
    fth_bytes_signed(facts, -(int64_t)(draw() >> 30));
    fth_bytes_varint(facts, 1000000000);
    fth_bytes_varint(facts, 2100);
    fth_bytes_varint(facts, 0);
    fth_bytes_signed(facts, 1700000000000000000 + number * 2300);
    for (unsigned i = 0; i < numbers + number % 2; i++)
        fth_bytes_varint(facts, i % 4 ? draw() % (i + 1) : i);
    for (int i = number == 5 ? 30 : 0; i; i--)
        fth_bytes_put(facts, &(uint8_t){(uint8_t)(i % 2 ? 0x80 : 0)}, 1);
}

static void facts_come_back(void **state)
{
    (void)state;
    enum { COUNT = 50 };
    struct fth_bytes facts[COUNT] = {{0}}, packed = {0}, *again;
    uint32_t count;
    size_t whole = 0;
    srand(1);
    for (unsigned i = 0; i < COUNT; i++) {
        make_facts(&facts[i], i);
        whole += facts[i].length;
    }
    fth_facts_pack(facts, COUNT, &packed);
    assert_true(packed.length < whole * 4 / 5);
    assert_true(fth_facts_unpack(packed.data, packed.length, FTH_TRACE_VERSION, &again, &count));
    assert_int_equal(count, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        assert_int_equal(again[i].length, facts[i].length);
        assert_memory_equal(again[i].data, facts[i].data, facts[i].length);
    }
    fth_facts_free(again, count);
    for (int i = 0; i < 200; i++) {
        size_t at = (size_t)rand() % packed.length, made = 0;
        uint8_t was = packed.data[at];
        packed.data[at] = (uint8_t)rand();
        fth_facts_unpack(packed.data, packed.length - (size_t)rand() % 3, FTH_TRACE_VERSION, &again,
                         &count);
        for (uint32_t k = 0; k < count; k++)
            made += again[k].length;
        assert_true(made <= FTH_SECTION_MOST_RAW(packed.length) + 100);
        fth_facts_free(again, count);
        packed.data[at] = was;
    }
    for (unsigned i = 0; i < COUNT; i++)
        fth_bytes_free(&facts[i]);
    fth_bytes_free(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_grammars_come_back), cmocka_unit_test(grammars_come_back),
        cmocka_unit_test(small_edits_come_back),    cmocka_unit_test(edits_come_back),
        cmocka_unit_test(numbers_come_back),        cmocka_unit_test(numbers_cost_what_they_say),
        cmocka_unit_test(coded_times_come_back),    cmocka_unit_test(facts_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
