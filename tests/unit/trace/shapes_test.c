/* Tables of numbers come back from a trace as they were, in any order, and patterns in them cost
 * little. */
#include "trace/file/shapes.h"

#include "base/memory.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef int64_t pattern(uint32_t thing);

static int64_t constant(uint32_t i)
{
    (void)i;
    return -7;
}
static int64_t of_rank(uint32_t i)
{
    return 1048576 * (int64_t)i + 5;
}
static int64_t west(uint32_t i)
{
    return i % 40 ? (int64_t)i - 1 : -2;
}
static int64_t north_around(uint32_t i)
{
    return (i + 25) % 1000;
}
static int64_t node(uint32_t i)
{
    return 1 + i / 64;
}
static int64_t place_in_node(uint32_t i)
{
    return 7 * (i % 64) + 1000 * (int64_t)(i / 64);
}
static int64_t butterfly(uint32_t i)
{
    return i ^ 8;
}
static int64_t step(uint32_t i)
{
    return i < 300 ? 1 : INT64_MIN;
}
static int64_t noise(uint32_t i)
{
    uint64_t mixed = (i + 1) * 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    return (int64_t)((mixed ^ mixed >> 27) * 0x94D049BB133111EBu >> 40);
}
static int64_t extremes(uint32_t i)
{
    return i % 3 ? INT64_MAX - i : INT64_MIN + i;
}

static pattern *const patterns[] = {constant,      of_rank,   west, north_around, node,
                                    place_in_node, butterfly, step, noise,        extremes};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

/* The shape of a thing: every fifth one, and those in the first column of a grid of 40, are of
 * others. */
static const char *shape_of(uint32_t i)
{
    return i % 40 == 0 ? "border" : "inside";
}

static void fill(struct fth_shapes *shapes, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        int64_t numbers[PATTERNS];
        for (int k = 0; k < PATTERNS; k++)
            numbers[k] = patterns[k](i);
        fth_shapes_add(shapes, shape_of(i), 6, numbers, PATTERNS);
    }
}

static void check(const struct fth_shapes *shapes, uint32_t count)
{
    struct fth_bytes bytes = {0};
    struct fth_shape_reader reader;
    struct fth_error *error = NULL;
    fth_shapes_write(shapes, NULL, &bytes);
    if (fth_shapes_read(&reader, NULL, bytes.data, bytes.length, count, &error))
        fail_msg("%s", fth_error_text(error));
    assert_int_equal(reader.count, count);
    for (uint32_t i = count; i-- > 0;) {
        int64_t numbers[PATTERNS];
        fth_shape_numbers(&reader, i, numbers);
        assert_memory_equal(reader.shapes[reader.shape_of[i]].bytes, shape_of(i), 6);
        for (int k = 0; k < PATTERNS; k++)
            if (numbers[k] != patterns[k](i))
                fail_msg("thing %u, column %d: %" PRId64 ", not %" PRId64, i, k, numbers[k],
                         patterns[k](i));
    }
    fth_shape_reader_free(&reader);
    for (size_t cut = 0; cut < bytes.length; cut += 1 + bytes.length / 300) {
        assert_int_equal(fth_shapes_read(&reader, NULL, bytes.data, cut, count, &error), -1);
        fth_error_free(error);
        error = NULL;
        fth_shape_reader_free(&reader);
    }
    fth_bytes_free(&bytes);
}

static void numbers_come_back(void **state)
{
    (void)state;
    const uint32_t counts[] = {0, 1, 2, 3, 40, 41, 1000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct fth_shapes shapes = {0};
        fill(&shapes, 0, counts[i]);
        check(&shapes, counts[i]);
        fth_shapes_free(&shapes);
    }
}

/* Absorbed pairwise, as in a tree, over messages. */
static void tables_are_absorbed_in_order(void **state)
{
    (void)state;
    enum { COUNT = 777 };
    static struct fth_shapes parts[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        fill(&parts[i], i, i + 1);
    for (uint32_t distance = 1; distance < COUNT; distance *= 2)
        for (uint32_t i = 0; i + distance < COUNT; i += 2 * distance) {
            struct fth_bytes message = {0};
            struct fth_shapes from;
            fth_shapes_send(&parts[i + distance], &message);
            struct fth_view view = fth_view_of(message.data, message.length);
            assert_true(fth_shapes_receive(&from, &view));
            uint32_t map[2];
            for (uint32_t k = 0; k < from.names.count; k++) {
                size_t length;
                const uint8_t *name = fth_interned(&from.names, k, &length);
                map[k] = fth_shapes_name(&parts[i], name, length);
            }
            fth_shapes_absorb(&parts[i], &from, map);
            fth_shapes_free(&from);
            fth_shapes_free(&parts[i + distance]);
            fth_bytes_free(&message);
        }
    check(&parts[0], COUNT);
    fth_shapes_free(&parts[0]);
}

static size_t size_of(pattern *one, uint32_t count)
{
    struct fth_shapes shapes = {0};
    struct fth_bytes bytes = {0};
    for (uint32_t i = 0; i < count; i++) {
        int64_t number = one(i);
        fth_shapes_add(&shapes, "thing", 5, &number, 1);
    }
    fth_shapes_write(&shapes, NULL, &bytes);
    size_t size = bytes.length;
    fth_bytes_free(&bytes);
    fth_shapes_free(&shapes);
    return size;
}

static void patterns_cost_little(void **state)
{
    (void)state;
    for (int k = 0; patterns[k] != noise; k++) {
        assert_in_range(size_of(patterns[k], 1000), 1, 64);
        assert_in_range(size_of(patterns[k], 60000), 1, 64);
    }
    assert_in_range(size_of(noise, 1000), 3000, 3100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(tables_are_absorbed_in_order),
        cmocka_unit_test(patterns_cost_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
