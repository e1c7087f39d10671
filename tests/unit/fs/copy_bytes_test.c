/* All lengths around the bounds of the ways to copy, at all distances from whole words: the bytes
 * are there, and none beside them is changed. */
#include "fs/client/copy_bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 64 << 10, BESIDE = 64 };

static uint8_t from[ROOM + 2 * BESIDE], to[ROOM + 2 * BESIDE];

static void check(size_t from_at, size_t to_at, size_t bytes)
{
    memset(to, 0xee, sizeof to);
    fth_copy_bytes(to + BESIDE + to_at, from + from_at, bytes);
    assert_memory_equal(to + BESIDE + to_at, from + from_at, bytes);
    for (size_t i = 0; i < BESIDE; i++) {
        assert_int_equal(to[to_at + i], 0xee);
        assert_int_equal(to[BESIDE + to_at + bytes + i], 0xee);
    }
}

static void copies_what_is_there(void **state)
{
    static const size_t lengths[] = {0,     1,     63,    64,    4096,  8191,  8192,  8193,  8255,
                                     12345, 16383, 16384, 16385, 16640, 24576, 32768, 50000, 65000};
    (void)state;
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (uint8_t)((i * 2654435761u) >> 13);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t from_at = 0; from_at < 34; from_at += 3)
            for (size_t to_at = 0; to_at < 34; to_at += 11)
                check(from_at, to_at, lengths[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_what_is_there)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
