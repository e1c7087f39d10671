/* What could send commands to a terminal is escaped: in texts, in errors and in JSON. */
#include "base/visible.h"

#include "base/error.h"
#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *text, *shown, *json;
} samples[] = {
    {"plain /a/b", "plain /a/b", "\"plain /a/b\""},
    {"gr\xc3\xbc\xc3\x9f \xe2\x82\xac", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac",
     "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac\""},
    {"a\x1b[2Jb", "a\\x1b[2Jb", "\"a\\u001b[2Jb\""},
    {"a\nb\tc\rd", "a\\nb\\tc\\rd", "\"a\\nb\\tc\\rd\""},
    {"\x7f", "\\x7f", "\"\\u007f\""},
    {"c1 \xc2\x9b"
     "31m",
     "c1 \\xc2\\x9b31m", "\"c1 \\u009b31m\""},
    {"no utf-8 \x9b", "no utf-8 \\x9b", "\"no utf-8 \\u009b\""},
    {"\xe2\x80\xae"
     "txt.exe",
     "\\xe2\\x80\\xaetxt.exe", "\"\\u202etxt.exe\""},
    {"\xe2\x81\xa6x\xe2\x81\xa9", "\\xe2\\x81\\xa6x\\xe2\\x81\\xa9", "\"\\u2066x\\u2069\""},
    {"\xef\xbb\xbf"
     "a\xe2\x80\x8b",
     "\\xef\\xbb\\xbfa\\xe2\\x80\\x8b", "\"\\ufeffa\\u200b\""},
    {"\xe2\x81\xa0", "\\xe2\\x81\\xa0", "\"\\u2060\""},
    {"\xd8\x9c\xe2\x80\x8f", "\\xd8\\x9c\\xe2\\x80\\x8f", "\"\\u061c\\u200f\""},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static void texts_are_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        char *shown = fth_visible(samples[i].text);
        assert_string_equal(shown, samples[i].shown);
        free(shown);
    }
}

static void errors_are_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct fth_error *error = NULL;
        fth_fail(&error, "%s", samples[i].text);
        assert_string_equal(fth_error_text(error), samples[i].shown);
        fth_fail_in(&error, "in %s", samples[i].text);
        assert_null(strpbrk(fth_error_text(error), "\x1b\x7f\x9b\n"));
        fth_error_free(error);
    }
}

static void lines_are_shown(void **state)
{
    (void)state;
    char *printed = NULL;
    size_t length;
    FILE *file = open_memstream(&printed, &length);
    fth_say(file, "'%s' is not there\n", "a\nb\x1b");
    fclose(file);
    assert_string_equal(printed, "'a\\nb\\x1b' is not there\n");
    free(printed);
}

static void json_is_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct fth_sink sink;
        struct fth_json json;
        fth_sink_open_memory(&sink);
        fth_json_open(&json, &sink, 0);
        fth_json_text(&json, samples[i].text);
        assert_int_equal(sink.used, strlen(samples[i].json));
        assert_memory_equal(sink.bytes, samples[i].json, sink.used);
        fth_sink_close_memory(&sink);
    }
    char *made = fth_json_visible("{\"a\\n\xc2\x9b\": \"\xe2\x80\xae\xc3\xbc\"}");
    assert_string_equal(made, "{\"a\\n\\u009b\": \"\\u202e\xc3\xbc\"}");
    free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_shown),
        cmocka_unit_test(errors_are_shown),
        cmocka_unit_test(lines_are_shown),
        cmocka_unit_test(json_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
