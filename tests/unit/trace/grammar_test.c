/* The grammar gives back what was put in, for loops, nests and noise, and folds what repeats. */
#include "trace/grammar/grammar.h"

#include "base/varint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 8192, COUNTS = 16384, MOST = 200000 };

static uint32_t input[MOST], output[MOST];
static size_t input_length, output_length;

struct rules {
    uint64_t count;
    const uint8_t *start[NODES], *end;
    uint64_t runs[NODES];
    uint64_t lists;
    struct {
        uint64_t symbol, left;
        const uint8_t *at;
    } list[COUNTS];
};

/* The next count of a symbol. */
static uint64_t next_count(struct rules *rules, uint64_t symbol)
{
    uint64_t count = 0, i = 0;
    while (i < rules->lists && rules->list[i].symbol != symbol)
        i++;
    assert_true(i < rules->lists && rules->list[i].left);
    rules->list[i].left--;
    uint64_t one = 0, step = 1;
    rules->list[i].at = fth_get_varint(rules->list[i].at, rules->end, &one);
    rules->list[i].at = fth_get_varint(rules->list[i].at, rules->end, &count);
    rules->list[i].at = fth_get_varint(rules->list[i].at, rules->end, &step);
    assert_true(one == 1 && step == 0);
    return count / 2;
}

static void expand(struct rules *rules, uint64_t rule)
{
    const uint8_t *at = rules->start[rule];
    for (uint64_t i = 0; i < rules->runs[rule]; i++) {
        uint64_t symbol = 0, length = 0;
        at = fth_get_varint(at, rules->end, &symbol);
        at = fth_get_varint(at, rules->end, &length);
        if (!length)
            length = next_count(rules, symbol);
        for (; length; length--)
            if (symbol & 1)
                expand(rules, symbol >> 1);
            else if (output_length < MOST)
                output[output_length++] = (uint32_t)(symbol >> 1);
    }
}

/* What was put in, up to where something else comes back. */
static void compare(void)
{
    enum { SHOWN = 40 };
    size_t at = 0;
    while (at < input_length && at < output_length && input[at] == output[at])
        at++;
    if (at == input_length && at == output_length)
        return;
    print_error("%zu terminals, the last ones before the difference:", input_length);
    for (size_t i = at > SHOWN ? at - SHOWN : 0; i < at; i++)
        print_error(" %u", input[i]);
    print_error("; then %u of %zu, and not %u of %zu\n", at < output_length ? output[at] : 0,
                output_length, at < input_length ? input[at] : 0, input_length);
    fail_msg("terminal %zu is another one, or one too many", at);
}

/* Writes the grammar, expands it, compares with the input; returns the bytes written. */
static size_t check(struct fth_grammar *grammar)
{
    static struct rules read, *rules = &read;
    uint8_t *buffer = malloc(fth_grammar_write_bound(grammar));
    rules->lists = 0;
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
    if (at != rules->end)
        at = fth_get_varint(at, rules->end, &rules->lists);
    for (uint64_t i = 0; i < rules->lists; i++) {
        uint64_t skipped;
        at = fth_get_varint(at, rules->end, &rules->list[i].symbol);
        at = fth_get_varint(at, rules->end, &skipped);
        at = fth_get_varint(at, rules->end, &rules->list[i].left);
        assert_int_equal(skipped, rules->list[i].left);
        rules->list[i].at = at;
        for (uint64_t k = 0; k < 3 * rules->list[i].left; k++)
            at = fth_get_varint(at, rules->end, &skipped);
    }
    assert_ptr_equal(at, rules->end);
    output_length = 0;
    expand(rules, 0);
    for (uint64_t i = 0; i < rules->lists; i++)
        assert_int_equal(rules->list[i].left, 0);
    compare();
    assert_int_equal(fth_grammar_length(grammar), input_length);
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
    *memory = aligned_alloc(64, (fth_grammar_bytes(NODES, COUNTS) + 63) / 64 * 64);
    memset(*memory, 0, fth_grammar_bytes(NODES, COUNTS));
    input_length = 0;
    return fth_grammar_place(*memory, NODES, COUNTS);
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

/* Stretches without a rule in them that come again, whole, from their middle on or cut off. */
static void stretches_come_again(void **state)
{
    enum { STRETCHES = 20, LENGTH = 100, TIMES = 500 };
    static uint32_t stretches[STRETCHES][LENGTH];
    (void)state;
    void *memory;
    struct fth_grammar *grammar = fresh(&memory);
    srand(5);
    for (int i = 0; i < STRETCHES * LENGTH; i++)
        stretches[i / LENGTH][i % LENGTH] = (uint32_t)rand() % 500;
    for (int i = 0; i < TIMES; i++) {
        const uint32_t *stretch = stretches[rand() % STRETCHES];
        int from = rand() % 4 ? 0 : rand() % LENGTH, to = rand() % 4 ? LENGTH : rand() % LENGTH;
        for (int k = from; k < to; k++)
            put(grammar, stretch[k]);
        if (i % 100 == 0)
            check(grammar);
    }
    fth_grammar_finish(grammar);
    assert_true(input_length > TIMES * LENGTH / 2);
    assert_true(check(grammar) < (size_t)STRETCHES * LENGTH * 10);
    free(memory);
}

/* A loop that goes around once more than the last time, at the end of what came before. */
static void loops_at_the_end_stay_whole(void **state)
{
    enum { TURNS = 40 };
    (void)state;
    void *memory;
    struct fth_grammar *grammar = fresh(&memory);
    for (int turns = 2; turns < TURNS; turns++) {
        for (uint32_t k = 10; k < 30; k++)
            put(grammar, k);
        for (int i = 0; i < turns; i++)
            for (uint32_t k = 1; k < 4; k++)
                put(grammar, k);
    }
    fth_grammar_finish(grammar);
    assert_true(check(grammar) < 400);
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

static uint64_t rules_of(struct fth_grammar *grammar)
{
    uint8_t *buffer = malloc(fth_grammar_write_bound(grammar));
    uint64_t count = 0;
    fth_get_varint(buffer, fth_grammar_write(grammar, buffer), &count);
    free(buffer);
    return count;
}

/* Of what has no order only a part is folded, to see whether it has become worth it; then loops
 * fold again. */
static void noise_stays_as_it_is(void **state)
{
    enum { MANY = 1 << 17, NOISE = 60000, TURN = 100 };
    (void)state;
    void *memory = calloc(1, fth_grammar_bytes(MANY, COUNTS));
    struct fth_grammar *grammar = fth_grammar_place(memory, MANY, COUNTS);
    input_length = 0;
    srand(1);
    for (int i = 0; i < NOISE; i++)
        put(grammar, (uint32_t)rand() % 64);
    assert_true(rules_of(grammar) < NOISE / 16);
    size_t noise = check(grammar);
    for (int i = 0; i < 1000 * TURN; i++)
        put(grammar, (uint32_t)(i % TURN * 37 % 64));
    assert_true(check(grammar) < noise + 1000 * TURN);
    fth_grammar_finish(grammar);
    check(grammar);
    free(memory);
}

/* ---- counts ---- */

/* What a grammar without its counts looks like; `bytes` are as many as there are. */
static size_t shape(struct fth_grammar *grammar, uint8_t *bytes, size_t *runs)
{
    uint64_t count = 0, in_rule = 0, skipped;
    const uint8_t *end = fth_grammar_write(grammar, bytes);
    const uint8_t *at = fth_get_varint(bytes, end, &count);
    for (*runs = 0; count--; *runs += in_rule) {
        at = fth_get_varint(at, end, &in_rule);
        for (uint64_t i = 0; i < 2 * in_rule; i++)
            at = fth_get_varint(at, end, &skipped);
    }
    return (size_t)(at - bytes);
}

enum { POST = 1, LOOK = 2, DONE = 3, LOOK_AGAIN = 4, SUM = 5, WRITE = 6 };

static void many(struct fth_grammar *grammar, uint32_t terminal, int count)
{
    while (count-- > 0)
        put(grammar, terminal);
}

/* Two processes that look for messages, each as often as it must. */
static void lookers_are_alike(void **state)
{
    (void)state;
    void *memory;
    struct fth_grammar *grammar = fresh(&memory);
    static uint8_t bytes[2][NODES * 10 + COUNTS * 5];
    size_t lengths[2], runs;
    for (unsigned who = 0; who < 2; who++) {
        srand(who);
        input_length = 0;
        fth_grammar_reset(grammar);
        fth_grammar_count(grammar, LOOK);
        for (int i = 0; i < 300; i++) {
            put(grammar, POST);
            many(grammar, LOOK, rand() % 4 ? rand() % 300 : 0);
            fth_grammar_append_none(grammar, LOOK);
            put(grammar, DONE);
        }
        check(grammar);
        fth_grammar_finish(grammar);
        check(grammar);
        lengths[who] = shape(grammar, bytes[who], &runs);
        assert_true(runs <= 5);
    }
    assert_int_equal(lengths[0], lengths[1]);
    assert_memory_equal(bytes[0], bytes[1], lengths[0]);
    free(memory);
}

/* The same without a word about it, with as many calls as a long wait makes. */
static void long_waits_stay_small(void **state)
{
    (void)state;
    void *memory;
    struct fth_grammar *grammar = fresh(&memory);
    static uint8_t bytes[NODES * 10 + COUNTS * 5];
    size_t runs, most = 0, turns = 0;
    srand(1);
    for (uint64_t calls = 0; calls < 5000000; turns++) {
        int looks = 1 + rand() % 150;
        fth_grammar_append(grammar, POST);
        fth_grammar_append_run(grammar, LOOK, (uint32_t)looks);
        fth_grammar_append(grammar, DONE);
        calls += (uint64_t)looks + 2;
        shape(grammar, bytes, &runs);
        most = runs > most ? runs : most;
        if (fth_grammar_full(grammar))
            fth_grammar_reset(grammar);
    }
    assert_true(turns > 60000);
    assert_true(most < 200);
    free(memory);
}

/* Loops of several calls that end when they end, in each step of a loop; what is in them is
 * counted, too. */
static void loops_that_converge_fold(void **state)
{
    (void)state;
    void *memory;
    struct fth_grammar *grammar = fresh(&memory);
    static uint8_t bytes[NODES * 10 + COUNTS * 5];
    size_t runs;
    srand(3);
    for (int step = 0; step < 600; step++) {
        put(grammar, WRITE);
        for (int turns = 2 + rand() % 40; turns; turns--) {
            put(grammar, POST);
            many(grammar, LOOK, 1 + rand() % 9);
            put(grammar, DONE);
            put(grammar, SUM);
        }
        if (step % 100 == 0)
            check(grammar);
    }
    check(grammar);
    shape(grammar, bytes, &runs);
    assert_true(runs < 300);
    free(memory);
}

/* Who looks for two things by turns goes around as often as it must. */
static void looking_by_turns_folds(void **state)
{
    (void)state;
    void *memory;
    struct fth_grammar *grammar = fresh(&memory);
    static uint8_t bytes[NODES * 10 + COUNTS * 5];
    size_t runs;
    srand(4);
    fth_grammar_count(grammar, LOOK);
    fth_grammar_count(grammar, LOOK_AGAIN);
    for (int step = 0; step < 50; step++) {
        put(grammar, POST);
        for (int turns = 2 + rand() % 60; turns; turns--) {
            put(grammar, LOOK);
            put(grammar, LOOK_AGAIN);
        }
        put(grammar, DONE);
    }
    check(grammar);
    shape(grammar, bytes, &runs);
    assert_true(runs < 10);
    free(memory);
}

/* The same calls again, by a grammar that knows from the beginning what the first one found out. */
static void again(struct fth_grammar *grammar)
{
    enum { MOST_LOOPS = 64 };
    uint64_t loop, loops[MOST_LOOPS];
    uint32_t terminal, terminals[MOST_LOOPS], loop_count = 0, terminal_count = 0;
    for (uint32_t i = 0; i < fth_grammar_lists(grammar) && i < MOST_LOOPS; i++)
        if (fth_grammar_list_terminal(grammar, i, &terminal, &loop))
            terminals[terminal_count++] = terminal;
        else
            loops[loop_count++] = loop;
    fth_grammar_reset(grammar);
    for (uint32_t i = 0; i < terminal_count; i++)
        fth_grammar_count(grammar, terminals[i]);
    for (uint32_t i = 0; i < loop_count; i++)
        fth_grammar_know(grammar, loops[i]);
    for (size_t i = 0; i < input_length; i++)
        fth_grammar_append(grammar, input[i]);
    check(grammar);
    fth_grammar_finish(grammar);
    check(grammar);
}

/* Processes that go around a loop each in its own way have one grammar when they know that it is
 * such a loop. */
static void who_knows_is_alike(void **state)
{
    (void)state;
    void *memory;
    struct fth_grammar *grammar = fresh(&memory);
    static uint8_t bytes[2][NODES * 10 + COUNTS * 5];
    size_t lengths[2], runs;
    for (unsigned who = 0; who < 2; who++) {
        srand(who);
        input_length = 0;
        fth_grammar_reset(grammar);
        for (int step = 0; step < 40; step++) {
            for (int turns = 1 + rand() % 60; turns; turns--) {
                put(grammar, POST);
                many(grammar, WRITE, 3);
            }
            put(grammar, SUM);
        }
        fth_grammar_finish(grammar);
        again(grammar);
        lengths[who] = shape(grammar, bytes[who], &runs);
        assert_true(runs <= 6);
    }
    assert_int_equal(lengths[0], lengths[1]);
    assert_memory_equal(bytes[0], bytes[1], lengths[0]);
    free(memory);
}

/* Nested loops of any kind, with waits of any length in them. */
static void random_waits(void **state)
{
    (void)state;
    void *memory;
    struct fth_grammar *grammar = fresh(&memory);
    for (unsigned seed = 0; seed < 3000; seed++) {
        srand(seed);
        input_length = 0;
        fth_grammar_reset(grammar);
        for (uint32_t terminal = 0; terminal < 3; terminal++)
            if (rand() % 2)
                fth_grammar_count(grammar, terminal);
        for (int i = 0; i < 60; i++) {
            uint32_t body = (uint32_t)rand() % 4;
            for (int turns = rand() % 12; turns > 0; turns--) {
                many(grammar, body, 1 + rand() % 5);
                if (rand() % 3 == 0)
                    fth_grammar_append_none(grammar, (uint32_t)rand() % 4);
                many(grammar, (body + 1) % 4, 1);
                if (body == 2)
                    many(grammar, 5, rand() % 3);
            }
            if (seed % 3 == 0)
                random_nest(grammar, 2);
            if (rand() % 16 == 0)
                check(grammar);
        }
        fth_grammar_finish(grammar);
        check(grammar);
        if (!fth_grammar_full(grammar))
            again(grammar);
    }
    free(memory);
}

/* That a looker is counted late matters where the grammar is small, or most of it are its runs; in
 * noise it does not. */
static void late_counts_matter_where_they_are_much(void **state)
{
    enum { MANY = 1 << 17, NOISE = 40000, LOOKS = 20 };
    (void)state;
    void *memory = calloc(1, fth_grammar_bytes(MANY, COUNTS));
    struct fth_grammar *grammar = fth_grammar_place(memory, MANY, COUNTS);
    srand(1);
    for (int noise = 0; noise <= NOISE; noise += NOISE)
        for (int looks = LOOKS; looks <= NOISE / 4; looks += NOISE / 4 - LOOKS) {
            fth_grammar_reset(grammar);
            for (int i = 0; i < noise; i++)
                fth_grammar_append(grammar, 64 + (uint32_t)rand() % 4096);
            for (int i = 0; i < looks; i++) {
                fth_grammar_append_run(grammar, LOOK, 5);
                fth_grammar_append(grammar, 64 + (uint32_t)rand() % 4096);
            }
            fth_grammar_count(grammar, LOOK);
            assert_int_equal(fth_grammar_counts_late(grammar), !noise || looks > LOOKS);
        }
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_and_single),
        cmocka_unit_test(loops_fold),
        cmocka_unit_test(nested_loops_fold),
        cmocka_unit_test(random_programs),
        cmocka_unit_test(stretches_come_again),
        cmocka_unit_test(loops_at_the_end_stay_whole),
        cmocka_unit_test(noise_fills_and_says_so),
        cmocka_unit_test(noise_stays_as_it_is),
        cmocka_unit_test(lookers_are_alike),
        cmocka_unit_test(long_waits_stay_small),
        cmocka_unit_test(loops_that_converge_fold),
        cmocka_unit_test(looking_by_turns_folds),
        cmocka_unit_test(random_waits),
        cmocka_unit_test(who_knows_is_alike),
        cmocka_unit_test(late_counts_matter_where_they_are_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
