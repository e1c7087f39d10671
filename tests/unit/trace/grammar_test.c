/* The grammar gives back what was put in, for loops, nests and noise, and folds what repeats. */
#include "trace/grammar.h"

#include "base/varint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 8192, MOST = 200000 };

static uint32_t input[MOST], output[MOST];
static size_t input_length, output_length;

struct rules {
    uint64_t count;
    const uint8_t *start[NODES], *end;
    uint64_t runs[NODES];
};

static void expand(const struct rules *rules, uint64_t rule)
{
    const uint8_t *at = rules->start[rule];
    for (uint64_t i = 0; i < rules->runs[rule]; i++) {
        uint64_t symbol = 0, length = 0;
        at = fth_get_varint(at, rules->end, &symbol);
        at = fth_get_varint(at, rules->end, &length);
        while (length--)
            if (symbol & 1)
                expand(rules, symbol >> 1);
            else if (output_length < MOST)
                output[output_length++] = (uint32_t)(symbol >> 1);
    }
}

/* Writes the grammar, expands it, compares with the input; returns the bytes written. */
static size_t check(struct fth_grammar *grammar)
{
    uint8_t *buffer = malloc(fth_grammar_write_bound(grammar));
    struct rules *rules = calloc(1, sizeof *rules);
    size_t written = (size_t)(fth_grammar_write(grammar, buffer) - buffer);
    assert_true(written <= fth_grammar_write_bound(grammar));
    rules->end = buffer + written;
    const uint8_t *at = fth_get_varint(buffer, rules->end, &rules->count);
    for (uint64_t rule = 0; rule < rules->count; rule++) {
        uint64_t skipped;
        at = fth_get_varint(at, rules->end, &rules->runs[rule]);
        rules->start[rule] = at;
        for (uint64_t i = 0; i < 2 * rules->runs[rule]; i++)
            at = fth_get_varint(at, rules->end, &skipped);
    }
    assert_ptr_equal(at, rules->end);
    output_length = 0;
    expand(rules, 0);
    assert_int_equal(output_length, input_length);
    assert_memory_equal(output, input, input_length * sizeof *input);
    assert_int_equal(fth_grammar_length(grammar), input_length);
    free(rules);
    free(buffer);
    return written;
}

static void put(struct fth_grammar *grammar, uint32_t terminal)
{
    if (input_length == MOST || fth_grammar_full(grammar))
        return;
    input[input_length++] = terminal;
    fth_grammar_append(grammar, terminal);
}

static struct fth_grammar *fresh(void **memory)
{
    *memory = aligned_alloc(64, (fth_grammar_bytes(NODES) + 63) / 64 * 64);
    memset(*memory, 0, fth_grammar_bytes(NODES));
    input_length = 0;
    return fth_grammar_place(*memory, NODES);
}

static void loops_fold(void **state)
{
    (void)state;
    void *memory;
    struct fth_grammar *grammar = fresh(&memory);
    for (int i = 0; i < 10000; i++)
        for (uint32_t k = 0; k < 12; k++)
            put(grammar, k);
    assert_true(check(grammar) < 64);
    free(memory);
}

static void nested_loops_fold(void **state)
{
    (void)state;
    void *memory;
    struct fth_grammar *grammar = fresh(&memory);
    for (int i = 0; i < 50; i++) {
        put(grammar, 7);
        for (int j = 0; j < 40; j++) {
            put(grammar, 1);
            for (int k = 0; k < 30; k++) {
                put(grammar, 2);
                put(grammar, 3);
            }
        }
        put(grammar, 9);
    }
    assert_true(check(grammar) < 96);
    free(memory);
}

static void empty_and_single(void **state)
{
    (void)state;
    void *memory;
    struct fth_grammar *grammar = fresh(&memory);
    check(grammar);
    put(grammar, 5);
    check(grammar);
    free(memory);
}

/* A random program: nested loops of random bodies over few symbols, with noise. */
static void random_nest(struct fth_grammar *grammar, int depth)
{
    int turns = rand() % 6, length = 1 + rand() % 5, body[5];
    for (int i = 0; i < length; i++)
        body[i] = rand() % 8;
    while (turns--)
        for (int i = 0; i < length; i++) {
            if (depth && body[i] < 3)
                random_nest(grammar, depth - 1);
            else
                for (int k = body[i] == 4 ? rand() % 3 : 1; k > 0; k--)
                    put(grammar, (uint32_t)body[i]);
        }
}

static void random_programs(void **state)
{
    (void)state;
    void *memory;
    struct fth_grammar *grammar = fresh(&memory);
    for (unsigned seed = 0; seed < 3000; seed++) {
        srand(seed);
        input_length = 0;
        fth_grammar_reset(grammar);
        for (int i = 0; i < 10; i++) {
            random_nest(grammar, 3);
            if (rand() % 4 == 0)
                check(grammar);
        }
        check(grammar);
    }
    free(memory);
}

static void noise_fills_and_says_so(void **state)
{
    (void)state;
    void *memory;
    struct fth_grammar *grammar = fresh(&memory);
    srand(1);
    for (int i = 0; i < 100000 && !fth_grammar_full(grammar); i++)
        put(grammar, (uint32_t)rand() % 64);
    assert_true(fth_grammar_full(grammar));
    assert_true(input_length > NODES / 2);
    check(grammar);
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_and_single),        cmocka_unit_test(loops_fold),
        cmocka_unit_test(nested_loops_fold),       cmocka_unit_test(random_programs),
        cmocka_unit_test(noise_fills_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
