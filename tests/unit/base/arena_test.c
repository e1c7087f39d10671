/* Pieces of an arena do not overlap, whatever their sizes, and a reset makes room again. */
#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PIECES = 2000 };

static void pieces_are_apart(void **state)
{
    (void)state;
    struct fth_arena arena = {0};
    unsigned char *pieces[PIECES];
    size_t sizes[PIECES];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < PIECES; i++) {
            sizes[i] = (size_t)random() % (i % 100 ? 50 : 5000);
            pieces[i] = fth_arena_take(&arena, sizes[i]);
            assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
            memset(pieces[i], i & 0xff, sizes[i]);
        }
        for (int i = 0; i < PIECES; i++)
            for (size_t k = 0; k < sizes[i]; k++)
                assert_int_equal(pieces[i][k], i & 0xff);
        fth_arena_reset(&arena);
    }
    fth_arena_free(&arena);
}

static void empty_ones_work(void **state)
{
    (void)state;
    struct fth_arena arena = {0};
    fth_arena_reset(&arena);
    fth_arena_free(&arena);
    assert_non_null(fth_arena_take(&arena, 0));
    fth_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_are_apart),
                                       cmocka_unit_test(empty_ones_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
