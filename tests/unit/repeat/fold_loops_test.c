/* Loops in scripts do what was put in, and what comes again takes no room. */
#include "repeat/script/fold_loops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

struct folded {
    struct fth_bytes put, got, expanded;
    struct fth_fold *fold;
};

static void open_fold(struct folded *folded)
{
    const struct fth_script_op loop = {
        .function = 7, .what = FTH_SCRIPT_LOOP, .count = 2, .flags = FTH_SCRIPT_SILENT};
    *folded = (struct folded){0};
    folded->fold = fth_fold_open(&loop, &folded->got);
}

static void call(struct folded *folded, unsigned function, unsigned count, int64_t first,
                 int64_t second)
{
    int64_t words[FTH_SCRIPT_OP_WORDS + 2] = {0};
    size_t all = FTH_SCRIPT_OP_WORDS + count;
    const struct fth_script_op op = {.function = (uint16_t)function,
                                     .count = (uint8_t)count,
                                     .words = (uint16_t)all,
                                     .expected = second};
    memcpy(words, &op, sizeof op);
    words[FTH_SCRIPT_OP_WORDS] = first;
    if (count > 1)
        words[FTH_SCRIPT_OP_WORDS + 1] = second;
    fth_bytes_put(&folded->put, words, all * sizeof *words);
    fth_fold_put(folded->fold, words, all);
}

static void expand(struct folded *folded, const int64_t *words, const int64_t *end)
{
    while (words < end) {
        const struct fth_script_op *op = (const void *)words;
        if (op->what != FTH_SCRIPT_LOOP) {
            fth_bytes_put(&folded->expanded, words, op->words * sizeof *words);
        } else {
            size_t count = (size_t)op->arguments[1];
            const int64_t *body = op->arguments + op->count;
            int64_t *copy = malloc(count * sizeof *copy);
            memcpy(copy, body, count * sizeof *copy);
            assert_int_equal(op->words, FTH_SCRIPT_LOOP_WORDS + 2 * count);
            for (int64_t i = 0; i < op->arguments[0]; i++) {
                expand(folded, copy, copy + count);
                for (size_t k = 0; k < count; k++)
                    copy[k] = (int64_t)((uint64_t)copy[k] + (uint64_t)body[count + k]);
            }
            free(copy);
        }
        words += op->words;
    }
    assert_ptr_equal(words, end);
}

/* It is what was put in, in so many bytes at most. */
static void close_fold(struct folded *folded, size_t most)
{
    fth_fold_end(folded->fold);
    fth_fold_close(folded->fold);
    expand(folded, (const void *)folded->got.data,
           (const void *)(folded->got.data + folded->got.length));
    assert_int_equal(folded->expanded.length, folded->put.length);
    if (folded->put.length)
        assert_memory_equal(folded->expanded.data, folded->put.data, folded->put.length);
    assert_true(folded->got.length <= most);
    fth_bytes_free(&folded->put);
    fth_bytes_free(&folded->got);
    fth_bytes_free(&folded->expanded);
}

static void test_strides(void **state)
{
    struct folded folded;
    (void)state;
    open_fold(&folded);
    for (int64_t i = 0; i < 10000; i++)
        call(&folded, 1, 2, 64 * i, -3 * i);
    close_fold(&folded, 200);
}

static void test_bodies(void **state)
{
    struct folded folded;
    (void)state;
    open_fold(&folded);
    call(&folded, 5, 1, 17, 0);
    for (int64_t i = 0; i < 10000; i++) {
        call(&folded, 1, 2, 4096 * i, i);
        call(&folded, 1, 2, 12, 5);
        call(&folded, 2, 1, INT64_MIN, i);
        call(&folded, 1, 2, INT64_MAX - i, 8 * i);
    }
    call(&folded, 1, 2, 3, 4); /* not what is due */
    close_fold(&folded, 2000);
}

static void test_loops_in_loops(void **state)
{
    struct folded folded;
    (void)state;
    open_fold(&folded);
    for (int64_t step = 0; step < 50; step++)
        for (int64_t file = 0; file < 20; file++) {
            call(&folded, 3, 1, file, 0);
            for (int64_t i = 0; i < 30; i++)
                call(&folded, 1, 2, step * 1000 + i * 8, file);
            call(&folded, 4, 1, file, step);
        }
    close_fold(&folded, 8000);
}

/* Loops whose number of turns differs, and calls without a rule. */
static void test_irregular(void **state)
{
    struct folded folded;
    uint64_t random = 1;
    (void)state;
    open_fold(&folded);
    for (int64_t i = 0; i < 20000; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        for (uint64_t k = 0; k < (random >> 33) % 9; k++)
            call(&folded, (unsigned)(random >> 40) % 3, 1 + (random >> 45) % 2, (int64_t)k,
                 (int64_t)(random >> 50) % 4);
    }
    close_fold(&folded, SIZE_MAX);
    open_fold(&folded);
    close_fold(&folded, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strides),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_loops_in_loops),
        cmocka_unit_test(test_irregular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
