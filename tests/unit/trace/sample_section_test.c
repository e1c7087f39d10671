/* The table of samples: rows, halving, and its bytes, whole and damaged. */
#include "trace/file/sample_section.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { INTERVAL = 1000 };

static struct fth_sample_series like(const char *name, enum fth_series_kind kind)
{
    return (struct fth_sample_series){.name = (char *)(uintptr_t)name,
                                      .instance = (char *)(uintptr_t) "",
                                      .kind = kind,
                                      .unit = FTH_SERIES_BYTES};
}

/* A gauge that counts samples, a rate that grows by 3 in each, and from sample `late` on, to the
 * one before `gone`, another gauge of 7. */
static void fill(struct fth_samples *samples, uint32_t count, uint32_t late, uint32_t gone)
{
    struct fth_sample_series gauge = like("gauge", FTH_SERIES_GAUGE),
                             rate = like("rate", FTH_SERIES_RATE),
                             other = like("late", FTH_SERIES_GAUGE);
    fth_samples_init(samples, "host", INTERVAL, 5000);
    fth_samples_note(samples, "nothing of that");
    size_t one = fth_samples_series(samples, &gauge), two = fth_samples_series(samples, &rate);
    size_t three = SIZE_MAX;
    for (uint32_t i = 0; i < count; i++) {
        fth_samples_begin(samples, 5000 + INTERVAL * ((int64_t)i + 1));
        fth_samples_value(samples, one, i);
        fth_samples_value(samples, two, 3);
        if (i == late)
            three = fth_samples_series(samples, &other);
        if (i >= late && i < gone)
            fth_samples_value(samples, three, 7);
        fth_samples_end(samples);
    }
    fth_samples_finish(samples);
}

static void read_back(struct fth_read_samples *read, const struct fth_bytes *bytes)
{
    struct fth_error *error = NULL;
    if (fth_samples_read(read, bytes->data, bytes->length, &error))
        fail_msg("%s", fth_error_text(error));
}

static void rows_are_samples(void **state)
{
    (void)state;
    struct fth_samples samples;
    struct fth_bytes bytes = {0};
    struct fth_read_samples read;
    fill(&samples, 10, 4, 8);
    fth_samples_write(&samples, &bytes);
    read_back(&read, &bytes);
    assert_string_equal(read.host, "host");
    assert_int_equal(read.interval, INTERVAL);
    assert_int_equal(read.halvings, 0);
    assert_int_equal(read.note_count, 1);
    assert_string_equal(read.texts[1], "nothing of that");
    assert_int_equal(read.rows, 10);
    assert_int_equal(read.start, 5000);
    assert_int_equal(read.times[9], 15000);
    assert_int_equal(read.series_count, 3);
    for (int i = 0; i < 10; i++)
        assert_int_equal(fth_series_next(&read.series[0].columns[0]), i);
    for (int i = 0; i < 10; i++)
        assert_int_equal(fth_series_next(&read.series[1].columns[0]), 3);
    assert_string_equal(read.series[2].name, "late");
    assert_int_equal(read.series[2].first, 4);
    assert_int_equal(read.series[2].count, 4);
    fth_read_samples_free(&read);
    fth_samples_free(&samples);
    fth_bytes_free(&bytes);
}

/* However many samples there are, the table has a limit, and nothing is lost of sums, least and
 * most. */
static void table_is_halved(void **state)
{
    (void)state;
    static const uint32_t counts[] = {8191, 8192, 8193, 16384, 50000, 123457};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        struct fth_samples samples;
        struct fth_bytes bytes = {0};
        struct fth_read_samples read;
        fill(&samples, counts[k], 4001, 6001);
        assert_true(samples.rows < FTH_SAMPLES_MOST_ROWS);
        fth_samples_write(&samples, &bytes);
        read_back(&read, &bytes);
        uint32_t each = UINT32_C(1) << read.halvings;
        assert_int_equal(read.rows, (counts[k] + each - 1) / each);
        assert_int_equal(read.times[read.rows - 1], 5000 + (int64_t)counts[k] * INTERVAL);
        int64_t sum = 0;
        for (uint32_t row = 0; row < read.rows; row++) {
            int64_t first = (int64_t)row * each, last = first + each - 1;
            last = last < counts[k] ? last : (int64_t)counts[k] - 1;
            int64_t mean = fth_series_next(&read.series[0].columns[0]);
            assert_in_range(mean, first, last);
            sum += fth_series_next(&read.series[1].columns[0]);
            if (!read.halvings)
                continue;
            assert_int_equal(fth_series_next(&read.series[0].columns[1]), first);
            assert_int_equal(fth_series_next(&read.series[0].columns[2]), last);
            assert_int_equal(fth_series_next(&read.series[1].columns[1]), 3);
            assert_int_equal(fth_series_next(&read.series[1].columns[2]), 3);
        }
        assert_int_equal(sum, 3 * (int64_t)counts[k]);
        assert_int_equal(read.series[2].first, 4001 / each);
        assert_int_equal(read.series[2].count, 6000 / each - 4001 / each + 1);
        assert_int_equal(fth_series_next(&read.series[2].columns[0]), 7);
        fth_read_samples_free(&read);
        fth_samples_free(&samples);
        fth_bytes_free(&bytes);
    }
}

static void extremes_are_kept(void **state)
{
    (void)state;
    struct fth_samples samples;
    struct fth_sample_series rate = like("rate", FTH_SERIES_RATE);
    fth_samples_init(&samples, "host", INTERVAL, 0);
    size_t series = fth_samples_series(&samples, &rate);
    for (int i = 0; i < FTH_SAMPLES_MOST_ROWS; i++) { /* each second one takes twice as long */
        fth_samples_begin(&samples, (i / 2) * 3 * INTERVAL + (i % 2 ? 3 : 1) * INTERVAL);
        fth_samples_value(&samples, series, i % 2 ? 10 : 8);
        fth_samples_end(&samples);
    }
    assert_int_equal(samples.halvings, 1);
    assert_int_equal(samples.series[series].values[0], 18);
    assert_int_equal(samples.series[series].least[0], 5);
    assert_int_equal(samples.series[series].most[0], 8);
    fth_samples_free(&samples);
}

/* Cut anywhere, or with any byte another one: read or refused, and whoever is read is read to its
 * end. */
static void damage_is_reported(void **state)
{
    (void)state;
    struct fth_samples samples;
    struct fth_bytes bytes = {0};
    struct fth_read_samples read;
    fill(&samples, 20000, 100, 300);
    fth_samples_free(&samples);
    fill(&samples, 60, 10, 30);
    fth_samples_write(&samples, &bytes);
    for (size_t length = 0; length < bytes.length; length++) {
        struct fth_error *error = NULL;
        assert_int_equal(fth_samples_read(&read, bytes.data, length, &error), -1);
        assert_non_null(error);
        fth_error_free(error);
    }
    for (size_t at = 0; at < bytes.length; at++)
        for (int bit = 0; bit < 8; bit++) {
            struct fth_error *error = NULL;
            bytes.data[at] ^= (uint8_t)(1 << bit);
            if (fth_samples_read(&read, bytes.data, bytes.length, &error) == 0) {
                for (size_t i = 0; i < read.series_count; i++)
                    for (uint32_t k = 0; k < read.series[i].count; k++)
                        fth_series_next(&read.series[i].columns[0]);
                fth_read_samples_free(&read);
            }
            fth_error_free(error);
            bytes.data[at] ^= (uint8_t)(1 << bit);
        }
    fth_samples_free(&samples);
    fth_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_samples),
        cmocka_unit_test(table_is_halved),
        cmocka_unit_test(extremes_are_kept),
        cmocka_unit_test(damage_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
