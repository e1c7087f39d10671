/* Numbers as text are what printf makes of them, in any room. */
#include "base/sink.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void same(const struct fth_sink *sink, const char *wanted)
{
    assert_false(sink->failed);
    assert_int_equal(sink->used, strlen(wanted));
    assert_memory_equal(sink->bytes, wanted, sink->used);
}

static void check(uint64_t value)
{
    char wanted[64], bytes[64];
    struct fth_sink sink;
    fth_sink_open(&sink, bytes, sizeof bytes);
    fth_sink_unsigned(&sink, value);
    snprintf(wanted, sizeof wanted, "%" PRIu64, value);
    same(&sink, wanted);
    fth_sink_open(&sink, bytes, strlen(wanted)); /* just enough */
    fth_sink_unsigned(&sink, value);
    same(&sink, wanted);
    fth_sink_open(&sink, bytes, strlen(wanted) - 1);
    fth_sink_unsigned(&sink, value);
    assert_true(sink.failed);
    fth_sink_open(&sink, bytes, sizeof bytes);
    fth_sink_integer(&sink, (int64_t)value);
    snprintf(wanted, sizeof wanted, "%" PRId64, (int64_t)value);
    same(&sink, wanted);
}

static void check_decimal(int64_t value, unsigned decimals)
{
    char wanted[64], digits[64], bytes[64];
    struct fth_sink sink;
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    int length = snprintf(digits, sizeof digits, "%0*" PRIu64, (int)decimals + 1, magnitude);
    int whole = length - (int)decimals;
    snprintf(wanted, sizeof wanted, "%s%.*s%s%s", value < 0 ? "-" : "", whole, digits,
             decimals ? "." : "", digits + whole);
    fth_sink_open(&sink, bytes, sizeof bytes);
    fth_sink_decimal(&sink, value, decimals);
    same(&sink, wanted);
}

/* Both sides of each power of ten and of two. */
static void numbers(void **state)
{
    (void)state;
    uint64_t power = 1;
    for (int i = 0; i < 20; i++, power *= 10)
        for (uint64_t d = 0; d < 3; d++)
            check(power + d - 1);
    for (unsigned bit = 0; bit < 64; bit++)
        for (uint64_t d = 0; d < 3; d++)
            check((UINT64_C(1) << bit) + d - 1);
    check(UINT64_MAX);
}

static void decimals(void **state)
{
    (void)state;
    const int64_t values[] = {0,          1,          9,           10,        999999999, 1000000000,
                              1000000001, 1234567890, 12000000034, INT64_MAX, INT64_MIN, -1};
    for (unsigned places = 0; places <= 18; places++)
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            check_decimal(values[i], places);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(decimals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
