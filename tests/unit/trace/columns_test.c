/* A block's columns give back what was put in; what is damaged is refused or at least harmless. */
#include "trace/columns/compress.h"
#include "../shortest.h"
#include "trace/columns/columns.h"

#include "catalog/values.h"
#include "trace/record/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 5000, COLUMNS = 5 };

/* What goes in. */
static uint64_t gaps[MOST], durations[MOST];
static int64_t literals[COLUMNS][MOST];
static size_t calls;
static const uint32_t functions[COLUMNS] = {0, 7, 7, 65535, 300},
                      values[COLUMNS] = {0, 0, 30, 3, 1};

/* Signatures of functions that come by turns. */
static struct fth_time_keys keys_of(size_t i)
{
    return (struct fth_time_keys){(uint32_t)(i % 7 / 2), (uint32_t)(i % 7)};
}

static uint64_t random_number(unsigned bits)
{
    uint64_t number = (uint64_t)random() << 42 ^ (uint64_t)random() << 21 ^ (uint64_t)random();
    return bits ? number >> (64 - bits) : 0;
}

/* A literal of a column of one of many shapes. */
static int64_t literal_of(unsigned shape, size_t i)
{
    switch (shape) {
    case 0:
        return 42;
    case 1:
        return (int64_t)i * 4096 - 1000000;
    case 2:
        return (int64_t)random_number(64);
    case 3:
        return i % 2 ? INT64_MIN : INT64_MAX;
    case 4:
        return (int64_t)random_number(10) * 8 + 3;
    case 5:
        return INT64_MIN;
    case 6:
        return (int64_t)(i * i) - 17;
    default:
        return i % 3 ? (int64_t)FTH_ABSENT : -(int64_t)random_number(20);
    }
}

static void pack(unsigned seed, struct fth_bytes *frames, struct fth_block *block)
{
    static struct fth_columns columns;
    unsigned bits = seed % 65, shapes[COLUMNS];
    srandom(seed);
    for (int c = 0; c < COLUMNS; c++)
        shapes[c] = (unsigned)random() % 8;
    for (size_t i = 0; i < calls; i++) {
        gaps[i] = random_number(bits);
        durations[i] = random_number((bits * 7 + 3) % 65);
        fth_times_call(&columns.times, keys_of(i), gaps[i], durations[i]);
        for (int c = 0; c < COLUMNS; c++) {
            literals[c][i] = literal_of(shapes[c], i);
            fth_columns_literal(&columns, functions[c], values[c], literals[c][i]);
        }
    }
    frames->length = 0;
    block->calls = calls;
    fth_columns_pack(&columns, frames, block);
    assert_int_equal(frames->length, block->time_stored + block->literal_stored);
    assert_int_equal(columns.times.calls, 0);
    fth_columns_free(&columns);
    columns = (struct fth_columns){0};
}

static bool prints;

static bool has_call(struct fth_column_reader *reader, size_t i)
{
    uint64_t gap, duration;
    int64_t read[COLUMNS];
    bool holds = fth_times_next(&reader->times, keys_of(i), &gap, &duration) && gap == gaps[i] &&
                 duration == durations[i];
    for (int c = COLUMNS; holds && c-- > 0;)
        holds = fth_column_literal(reader, functions[c], values[c], &read[c]) &&
                read[c] == literals[c][i];
    if (!prints)
        return holds;
    print_error("  call %zu: %llu after the one before, for %llu; literals", i,
                (unsigned long long)gaps[i], (unsigned long long)durations[i]);
    for (int c = 0; c < COLUMNS; c++)
        print_error(" %lld", (long long)literals[c][i]);
    print_error("%s\n", holds ? "" : ": comes back as another one");
    return holds;
}

static bool block_comes_back(unsigned seed, unsigned most)
{
    struct fth_bytes frames = {0};
    struct fth_block block = {0};
    struct fth_column_reader reader = {0};
    uint64_t gap, duration;
    int64_t literal;
    calls = seed % 100 == 99 ? MOST : 1 + seed % 50;
    calls = calls < most ? calls : most;
    pack(seed, &frames, &block);
    bool holds = true;
    for (int again = 0; again < 2; again++) { /* the second time in the memory of the first */
        holds = holds && fth_columns_unpack(&reader, frames.data, &block, NULL) == 0;
        for (size_t i = 0; holds && i < calls; i++)
            holds = has_call(&reader, i);
    }
    holds = holds && !fth_times_next(&reader.times, keys_of(0), &gap, &duration);
    for (int c = 0; c < COLUMNS; c++)
        holds = holds && !fth_column_literal(&reader, functions[c], values[c], &literal);
    holds = holds && !fth_column_literal(&reader, 1, 1, &literal);
    fth_column_reader_free(&reader);
    fth_bytes_free(&frames);
    return holds;
}

static void comes_back(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 300; seed++) {
        if (block_comes_back(seed, MOST))
            continue;
        unsigned most = shortest_that_fails(block_comes_back, seed, MOST);
        prints = true;
        block_comes_back(seed, most);
        fail_msg("this block comes back as another one: seed %u, %u calls", seed, most);
    }
}

/* Two calls of function 7 and one of function 9, which has the literal. */
static void three_calls_come_back(void **state)
{
    (void)state;
    const struct fth_time_keys seven = {7, 0}, nine = {9, 1};
    struct fth_columns columns = {0};
    struct fth_bytes frames = {0};
    struct fth_block block = {.calls = 3};
    struct fth_column_reader reader = {0};
    uint64_t gap, duration;
    int64_t literal;
    fth_times_call(&columns.times, seven, 100, 5);
    fth_times_call(&columns.times, nine, 20, 1000);
    fth_columns_literal(&columns, 9, 2, -4096);
    fth_times_call(&columns.times, seven, 3, 6);
    fth_columns_pack(&columns, &frames, &block);
    assert_int_equal(fth_columns_unpack(&reader, frames.data, &block, NULL), 0);
    assert_true(fth_times_next(&reader.times, seven, &gap, &duration));
    assert_true(gap == 100 && duration == 5);
    assert_true(fth_times_next(&reader.times, nine, &gap, &duration));
    assert_true(gap == 20 && duration == 1000);
    assert_true(fth_column_literal(&reader, 9, 2, &literal));
    assert_int_equal(literal, -4096);
    assert_true(fth_times_next(&reader.times, seven, &gap, &duration));
    assert_true(gap == 3 && duration == 6);
    assert_false(fth_times_next(&reader.times, seven, &gap, &duration));
    fth_column_reader_free(&reader);
    fth_columns_free(&columns);
    fth_bytes_free(&frames);
}

static void without_literals(void **state)
{
    (void)state;
    struct fth_columns columns = {0};
    struct fth_bytes frames = {0};
    struct fth_block block = {.calls = FTH_BLOCK_CALLS};
    struct fth_column_reader reader = {0};
    int64_t literal;
    for (int i = 0; i < FTH_BLOCK_CALLS; i++)
        fth_times_call(&columns.times, keys_of(0), 3, 5);
    fth_columns_pack(&columns, &frames, &block);
    assert_int_equal(block.literal_stored, 0);
    assert_true(frames.length < 100);
    assert_int_equal(fth_columns_unpack(&reader, frames.data, &block, NULL), 0);
    assert_false(fth_column_literal(&reader, 0, 0, &literal));
    fth_column_reader_free(&reader);
    fth_columns_free(&columns);
    fth_bytes_free(&frames);
}

/* Reads to the end, whatever comes of it. */
static void read_all(const uint8_t *frames, const struct fth_block *block)
{
    struct fth_column_reader reader = {0};
    struct fth_error *error = NULL;
    uint64_t gap, duration;
    int64_t literal;
    if (fth_columns_unpack(&reader, frames, block, &error) == 0)
        for (size_t i = 0;
             i < block->calls && fth_times_next(&reader.times, keys_of(i), &gap, &duration); i++)
            for (int c = 0; c < COLUMNS; c++)
                fth_column_literal(&reader, functions[c], values[c], &literal);
    else
        assert_non_null(error);
    fth_error_free(error);
    fth_column_reader_free(&reader);
}

/* Each bit of coded times once the other way. */
static void flip_coded(const struct fth_bytes *frames, const struct fth_block *block)
{
    for (size_t at = 0; at < block->time_stored; at++)
        for (int k = 0; k < 8; k++) {
            frames->data[at] ^= (uint8_t)(1 << k);
            read_all(frames->data, block);
            frames->data[at] ^= (uint8_t)(1 << k);
        }
}

/* Each bit of the frame at `at`, times or literals, once the other way. */
static void flip_bits(const struct fth_bytes *frames, const struct fth_block *block,
                      bool in_literals)
{
    struct fth_bytes raw = {0}, damaged = {0};
    size_t length = in_literals ? block->literal_raw : block->time_raw;
    size_t stored = in_literals ? block->literal_stored : block->time_stored;
    const uint8_t *frame = frames->data + (in_literals ? block->time_stored : 0);
    fth_bytes_room(&raw, length);
    assert_int_equal(fth_decompress(frame, stored, raw.data, length, NULL), 0);
    for (size_t at = 0; at < length; at++)
        for (int k = 0; k < 8; k++) {
            struct fth_block changed = *block;
            raw.data[at] ^= (uint8_t)(1 << k);
            damaged.length = 0;
            if (in_literals)
                fth_bytes_put(&damaged, frames->data, block->time_stored);
            fth_compress(raw.data, length, &damaged);
            if (in_literals)
                changed.literal_stored = damaged.length - block->time_stored;
            else
                changed.time_stored = damaged.length;
            if (!in_literals)
                fth_bytes_put(&damaged, frames->data + block->time_stored, block->literal_stored);
            read_all(damaged.data, &changed);
            raw.data[at] ^= (uint8_t)(1 << k);
        }
    fth_bytes_free(&raw);
    fth_bytes_free(&damaged);
}

static void damage_is_harmless(void **state)
{
    (void)state;
    struct fth_bytes frames = {0};
    struct fth_block block = {0};
    calls = 40;
    for (unsigned seed = 2; seed < 10; seed += 3) {
        pack(seed, &frames, &block);
        if (block.time_raw == FTH_TIMES_CODED)
            flip_coded(&frames, &block);
        else
            flip_bits(&frames, &block, false);
        flip_bits(&frames, &block, true);
    }
    struct fth_block longer = block;
    longer.time_raw++;
    read_all(frames.data, &longer);
    fth_bytes_free(&frames);
}

/* A column without bytes that promises very many values takes no memory. */
static void promises_are_not_believed(void **state)
{
    (void)state;
    struct fth_bytes frames = {0}, raw = {0};
    struct fth_block block = {.calls = 10};
    struct fth_column_reader reader = {0};
    struct fth_error *error = NULL;
    fth_compress("\0", 1, &frames);
    block.time_stored = frames.length;
    block.time_raw = 1;
    const uint64_t head[] = {1, 1, UINT64_MAX / 8, 0, 0, 1, 8};
    for (int i = 0; i < 7; i++)
        fth_bytes_varint(&raw, head[i]);
    fth_compress(raw.data, raw.length, &frames);
    block.literal_raw = raw.length;
    block.literal_stored = frames.length - block.time_stored;
    assert_int_equal(fth_columns_unpack(&reader, frames.data, &block, &error), -1);
    fth_error_free(error);
    fth_column_reader_free(&reader);
    fth_bytes_free(&frames);
    fth_bytes_free(&raw);
}

/* Which arrangement and which width of codes a block has; reads it back. */
static void assert_packed(struct fth_times *times, const uint64_t (*expected)[2], size_t count,
                          enum fth_arrangement arrangement, unsigned width)
{
    struct fth_bytes packed = {0};
    struct fth_times_reader reader = {0};
    uint64_t raw_length = fth_times_pack(times, &packed), gap, duration;
    uint8_t *raw = malloc(raw_length);
    assert_int_equal(fth_decompress(packed.data, packed.length, raw, raw_length, NULL), 0);
    assert_int_equal(fth_times_read(&reader, raw, raw_length, (uint32_t)count, NULL), 0);
    assert_int_equal(reader.arrangement, arrangement);
    if (arrangement == FTH_TIMES_IN_SEQUENCE)
        assert_int_equal(raw[1], width);
    for (size_t i = 0; i < count; i++) {
        assert_true(fth_times_next(&reader, keys_of(i), &gap, &duration));
        assert_int_equal(gap, expected[i][0]);
        assert_int_equal(duration, expected[i][1]);
    }
    fth_times_reader_free(&reader);
    fth_bytes_free(&packed);
    free(raw);
    fth_times_free(times);
}

/* What suits the values is found: nothing for one value, few bits for few values, groups where
 * functions differ. */
static void ways_are_found(void **state)
{
    (void)state;
    static uint64_t made[FTH_BLOCK_CALLS][2];
    struct fth_times times = {0};
    srandom(1);
    for (size_t i = 0; i < FTH_BLOCK_CALLS; i++)
        fth_times_call(&times, keys_of(i), made[i][0] = 7, made[i][1] = 1ull << 60);
    assert_packed(&times, (const uint64_t(*)[2])made, FTH_BLOCK_CALLS, FTH_TIMES_IN_SEQUENCE, 0);
    for (size_t i = 0; i < FTH_BLOCK_CALLS; i++)
        fth_times_call(&times, keys_of(i), made[i][0] = random() % 10 ? 2 : 300 + random_number(7),
                       made[i][1] = 5);
    assert_packed(&times, (const uint64_t(*)[2])made, FTH_BLOCK_CALLS, FTH_TIMES_IN_SEQUENCE, 1);
    for (size_t i = 0; i < FTH_BLOCK_CALLS; i++)
        fth_times_call(&times, keys_of(i), made[i][0] = random_number(14), made[i][1] = 5);
    assert_packed(&times, (const uint64_t(*)[2])made, FTH_BLOCK_CALLS, FTH_TIMES_IN_SEQUENCE, 0);
    for (size_t i = 0; i < FTH_BLOCK_CALLS; i++) {
        struct fth_time_keys keys = keys_of(i);
        made[i][0] = 1000 * keys.function + random_number(4);
        fth_times_call(&times, keys, made[i][0], made[i][1] = 5);
    }
    assert_packed(&times, (const uint64_t(*)[2])made, FTH_BLOCK_CALLS, FTH_TIMES_BY_FUNCTION, 4);
}

static void assert_compressed(const struct fth_bytes *raw, const struct fth_bytes *frame)
{
    uint8_t *back = malloc(raw->length);
    assert_int_equal(fth_decompress(frame->data, frame->length, back, raw->length, NULL), 0);
    assert_memory_equal(back, raw->data, raw->length);
    free(back);
}

/* Something like signatures: words and small numbers. */
static void put_words(struct fth_bytes *to, size_t length)
{
    static const char *const words[] = {"open", "write", "lseek", "close", "data.", "restart."};
    srandom(3);
    while (to->length < length) {
        const char *word = words[random() % 6];
        fth_bytes_text(to, word, strlen(word));
        fth_bytes_varint(to, random_number(10));
    }
}

/* Sections are compressed with more care than blocks, except long ones. */
static void sections_are_small(void **state)
{
    (void)state;
    for (int is_long = 0; is_long < 2; is_long++) {
        struct fth_bytes raw = {0}, section = {0}, block = {0};
        put_words(&raw, is_long ? 1 << 19 : 20000);
        fth_compress_section(raw.data, raw.length, &section);
        fth_compress(raw.data, raw.length, &block);
        assert_compressed(&raw, &section);
        assert_true(is_long ? section.length == block.length : section.length < block.length);
        fth_bytes_free(&raw);
        fth_bytes_free(&section);
        fth_bytes_free(&block);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_calls_come_back), cmocka_unit_test(comes_back),
        cmocka_unit_test(without_literals),      cmocka_unit_test(damage_is_harmless),
        cmocka_unit_test(ways_are_found),        cmocka_unit_test(promises_are_not_believed),
        cmocka_unit_test(sections_are_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
