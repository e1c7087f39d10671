/* Strings come apart into templates and numbers, and back. */
#include "trace/names/names.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Packs a sequence of names as a writer does and unpacks it as a reader does; how many different
 * (template, numbers) came of it. */
static uint32_t different(const char *const *names, size_t count, bool literal)
{
    struct fth_intern templates = {0}, kept = {0}, places = {0}, places_again = {0};
    struct fth_last_numbers writer = {0}, reader = {0};
    for (size_t i = 0; i < count; i++) {
        struct fth_bytes bytes = {0}, key = {0}, again = {0};
        struct fth_name name;
        struct fth_template template;
        fth_name_split((const uint8_t *)names[i], strlen(names[i]), false, &bytes, &name);
        uint32_t number = fth_intern(&templates, bytes.data, bytes.length);
        assert_true(fth_template_read(&template, bytes.data, bytes.length, &places));
        assert_int_equal(template.count, name.count);
        fth_name_pack(&writer, &template, &name, literal);
        fth_bytes_put(&key, &number, sizeof number);
        fth_bytes_put(&key, name.numbers, name.count * sizeof *name.numbers);
        fth_intern(&kept, key.data, key.length);
        assert_true(fth_template_read(&template, bytes.data, bytes.length, &places_again));
        fth_name_unpack(&reader, &template, name.numbers, literal);
        fth_name_join(&template, name.numbers, &again);
        assert_int_equal(again.length, strlen(names[i]));
        assert_memory_equal(again.data, names[i], again.length);
        fth_bytes_free(&bytes);
        fth_bytes_free(&key);
        fth_bytes_free(&again);
    }
    uint32_t found = kept.count;
    fth_intern_free(&templates);
    fth_intern_free(&kept);
    fth_intern_free(&places);
    fth_intern_free(&places_again);
    free(writer.numbers);
    free(reader.numbers);
    return found;
}

static void any_name_comes_back(void **state)
{
    (void)state;
    const char *const names[] = {"",
                                 "0",
                                 "00",
                                 "007",
                                 "a",
                                 "a1",
                                 "1a",
                                 "a01b002c3",
                                 "/1/22/333/",
                                 "1 2 3 4 5 6 7 8 9 10 11",
                                 "00000000000000000",
                                 "000000000000000001",
                                 "99999999999999999",
                                 "123456789012345678901234567890",
                                 "a\001b7",
                                 "\001",
                                 "x-5",
                                 "3.14"};
    different(names, sizeof names / sizeof *names, false);
    different(names, sizeof names / sizeof *names, true);
}

/* Three at most: the first of all, the second, and that of the last digit that was a zero in
 * front. */
static void counting_is_one_name(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    static char texts[COUNT][64];
    static const char *names[COUNT];
    const char *const formats[] = {"output.%d.data", "out/%04d/x", "%07d", "chk_%03d"};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        for (int i = 0; i < COUNT; i++) {
            snprintf(texts[i], sizeof texts[i], formats[f], i);
            names[i] = texts[i];
        }
        assert_true(different(names, COUNT, false) <= 3);
    }
    /* The same file with and without its folder, in turns. */
    for (int i = 0; i < COUNT; i++)
        snprintf(texts[i], sizeof texts[i], i % 2 ? "/work/7/step.%05d" : "step.%05d", i / 2);
    assert_true(different(names, COUNT, false) <= 4);
}

static void lists_come_back(void **state)
{
    (void)state;
    struct fth_bytes list = {0}, template = {0}, again = {0};
    for (int i = 0; i < FTH_LIST_NUMBERS + 1; i++) {
        struct fth_name name;
        struct fth_template read;
        template.length = again.length = 0;
        fth_name_split(list.data, list.length, true, &template, &name);
        assert_true(fth_template_read(&read, template.data, template.length, NULL));
        assert_int_equal(read.count, i);
        fth_name_join(&read, name.numbers, &again);
        assert_int_equal(again.length, list.length);
        assert_memory_equal(again.data, list.data, list.length);
        fth_bytes_signed(&list, i % 3 ? -i * 1000 : INT64_MAX);
    }
    fth_bytes_free(&list);
    fth_bytes_free(&template);
    fth_bytes_free(&again);
}

static void damaged_templates_are_refused(void **state)
{
    (void)state;
    struct fth_template template;
    assert_false(fth_template_read(&template, (const uint8_t *)"", 0, NULL));
    assert_false(fth_template_read(&template, (const uint8_t *)"\0x", 2, NULL));
    assert_false(fth_template_read(&template, (const uint8_t *)"\4", 1, NULL));
    assert_false(fth_template_read(&template, (const uint8_t *)"\3", 1, NULL));
    assert_false(fth_template_read(&template, (const uint8_t *)"\3\x41", 2, NULL));
    assert_false(fth_template_read(&template, (const uint8_t *)"\2\1\1\1\1\1\1\1\1\1", 10, NULL));
    assert_true(fth_template_read(&template, (const uint8_t *)"\2\1\1\1\1\1\1\1\1", 9, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_name_comes_back),
        cmocka_unit_test(counting_is_one_name),
        cmocka_unit_test(lists_come_back),
        cmocka_unit_test(damaged_templates_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
