/* The JSON writer and the sink below it: exact numbers, valid text, commas in place, small buffers,
 * failures that stick. */
#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

struct document {
    struct fth_sink sink;
    struct fth_json json;
};

static void start(struct document *document, unsigned line_depth)
{
    fth_sink_open_memory(&document->sink);
    fth_json_open(&document->json, &document->sink, line_depth);
}

static void expect(struct document *document, const char *text)
{
    fth_sink_char(&document->sink, 0);
    assert_false(document->sink.failed);
    assert_string_equal(document->sink.bytes, text);
    fth_sink_close_memory(&document->sink);
}

static void integers_are_exact(void **state)
{
    (void)state;
    struct document document;
    start(&document, 0);
    struct fth_json *json = &document.json;
    fth_json_begin_array(json);
    fth_json_integer(json, 0);
    fth_json_integer(json, -1);
    fth_json_integer(json, 99);
    fth_json_integer(json, 100);
    fth_json_integer(json, 9007199254740993);
    fth_json_integer(json, INT64_MAX);
    fth_json_integer(json, INT64_MIN);
    fth_json_unsigned(json, UINT64_MAX);
    fth_json_end_array(json);
    expect(&document, "[0,-1,99,100,9007199254740993,9223372036854775807,-9223372036854775808,"
                      "18446744073709551615]");
}

static void seconds_are_exact_decimals(void **state)
{
    (void)state;
    struct document document;
    start(&document, 0);
    struct fth_json *json = &document.json;
    fth_json_begin_array(json);
    fth_json_seconds(json, 0);
    fth_json_seconds(json, 1);
    fth_json_seconds(json, -1);
    fth_json_seconds(json, 999999999);
    fth_json_seconds(json, 1000000000);
    fth_json_seconds(json, 12345678901);
    fth_json_seconds(json, INT64_MIN);
    fth_json_end_array(json);
    expect(&document, "[0.000000000,0.000000001,-0.000000001,0.999999999,1.000000000,12.345678901,"
                      "-9223372036.854775808]");
}

static void numbers_have_nine_decimals(void **state)
{
    (void)state;
    struct document document;
    start(&document, 0);
    struct fth_json *json = &document.json;
    fth_json_begin_array(json);
    fth_json_number(json, 0.0);
    fth_json_number(json, -0.0);
    fth_json_number(json, 0.5);
    fth_json_number(json, -2.25);
    fth_json_number(json, 1.0 / 3);
    fth_json_number(json, 1e12);
    fth_json_number(json, NAN);
    fth_json_number(json, INFINITY);
    fth_json_end_array(json);
    expect(&document, "[0.000000000,0.000000000,0.500000000,-2.250000000,0.333333333,"
                      "1000000000.000000000e3,null,null]");
}

static void text_is_escaped(void **state)
{
    (void)state;
    struct document document;
    start(&document, 0);
    struct fth_json *json = &document.json;
    fth_json_begin_array(json);
    fth_json_text(json, "");
    fth_json_text(json, "a\"b\\c/d");
    fth_json_text(json, "\b\f\n\r\t\x01\x1f\x7f");
    fth_json_text(json, "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    fth_json_text(json, NULL);
    fth_json_bytes(json, "a\0b", 3);
    fth_json_end_array(json);
    expect(&document, "[\"\",\"a\\\"b\\\\c/d\",\"\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\","
                      "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\",null,\"a\\u0000b\"]");
}

static void invalid_utf8_becomes_escaped_bytes(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"\xff", "\"\\u00ff\""},
        {"a\x80z", "\"a\\u0080z\""},
        {"\xc3", "\"\\u00c3\""},                                  /* cut short */
        {"\xc3(", "\"\\u00c3(\""},                                /* no continuation */
        {"\xc0\xaf", "\"\\u00c0\\u00af\""},                       /* overlong */
        {"\xe0\x80\xaf", "\"\\u00e0\\u0080\\u00af\""},            /* overlong */
        {"\xed\xa0\x80", "\"\\u00ed\\u00a0\\u0080\""},            /* a surrogate */
        {"\xf4\x90\x80\x80", "\"\\u00f4\\u0090\\u0080\\u0080\""}, /* beyond U+10FFFF */
        {"\xe2\x82", "\"\\u00e2\\u0082\""},
        {"\xe2\x82\xac\xff", "\"\xe2\x82\xac\\u00ff\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct document document;
        start(&document, 0);
        fth_json_text(&document.json, cases[i][0]);
        expect(&document, cases[i][1]);
    }
}

static void write_nested(struct fth_json *json)
{
    fth_json_begin_object(json);
    fth_json_key(json, "none");
    fth_json_begin_array(json);
    fth_json_end_array(json);
    fth_json_key(json, "empty");
    fth_json_begin_object(json);
    fth_json_end_object(json);
    fth_json_key(json, "rows");
    fth_json_begin_array(json);
    for (int i = 0; i < 2; i++) {
        fth_json_begin_object(json);
        fth_json_key(json, "i");
        fth_json_integer(json, i);
        fth_json_key(json, "yes");
        fth_json_boolean(json, true);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
    fth_json_key(json, "raw");
    fth_json_raw(json, "{\"x\":1}");
    fth_json_key(json, "last");
    fth_json_null(json);
    fth_json_end_object(json);
    fth_json_end_document(json);
}

static void commas_stand_between_items(void **state)
{
    (void)state;
    struct document document;
    start(&document, 0);
    write_nested(&document.json);
    write_nested(&document.json);
#define LINE                                                                                       \
    "{\"none\":[],\"empty\":{},\"rows\":[{\"i\":0,\"yes\":true},{\"i\":1,\"yes\":true}],"          \
    "\"raw\":{\"x\":1},\"last\":null}\n"
    expect(&document, LINE LINE);
}

static void upper_levels_get_lines(void **state)
{
    (void)state;
    struct document document;
    start(&document, 2);
    write_nested(&document.json);
    expect(&document, "{\n"
                      "  \"none\": [],\n"
                      "  \"empty\": {},\n"
                      "  \"rows\": [\n"
                      "    {\"i\": 0, \"yes\": true},\n"
                      "    {\"i\": 1, \"yes\": true}\n"
                      "  ],\n"
                      "  \"raw\": {\"x\":1},\n"
                      "  \"last\": null\n"
                      "}\n");
}

/* A drain that moves everything to a larger buffer, as a file would take it. */
struct taken {
    char text[4096];
    size_t length, calls;
};

static bool take(struct fth_sink *sink)
{
    struct taken *taken = sink->context;
    memcpy(taken->text + taken->length, sink->bytes, sink->used);
    taken->length += sink->used;
    taken->calls++;
    sink->used = 0;
    return true;
}

static void a_small_buffer_is_drained(void **state)
{
    (void)state;
    char buffer[FTH_SINK_LEAST];
    struct taken taken = {0};
    struct fth_sink sink;
    fth_sink_open(&sink, buffer, sizeof buffer);
    sink.drain = take;
    sink.context = &taken;
    struct fth_json json;
    fth_json_open(&json, &sink, 0);
    write_nested(&json);
    fth_sink_octal(&sink, 0644);
    fth_sink_fill(&sink, '.', 200);
    assert_true(fth_sink_flush(&sink));
    assert_true(taken.calls > 4);
    assert_int_equal(taken.length, strlen(LINE) + 203);
    assert_memory_equal(taken.text, LINE "644....", strlen(LINE) + 7);
}

static bool refuse(struct fth_sink *sink)
{
    (*(int *)sink->context)++;
    return false;
}

static void a_failure_sticks(void **state)
{
    (void)state;
    char buffer[FTH_SINK_LEAST];
    int calls = 0;
    struct fth_sink sink;
    fth_sink_open(&sink, buffer, sizeof buffer);
    sink.drain = refuse;
    sink.context = &calls;
    for (int i = 0; i < 1000; i++)
        fth_sink_text(&sink, "more than there is room for");
    assert_true(sink.failed);
    assert_int_equal(calls, 1);
    assert_false(fth_sink_flush(&sink));
}

static void a_fixed_buffer_says_when_it_is_full(void **state)
{
    (void)state;
    char buffer[8];
    struct fth_sink sink;
    fth_sink_open(&sink, buffer, sizeof buffer);
    fth_sink_text(&sink, "12345678");
    assert_false(sink.failed);
    assert_memory_equal(buffer, "12345678", 8);
    fth_sink_char(&sink, '9');
    assert_true(sink.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_exact),
        cmocka_unit_test(seconds_are_exact_decimals),
        cmocka_unit_test(numbers_have_nine_decimals),
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(invalid_utf8_becomes_escaped_bytes),
        cmocka_unit_test(commas_stand_between_items),
        cmocka_unit_test(upper_levels_get_lines),
        cmocka_unit_test(a_small_buffer_is_drained),
        cmocka_unit_test(a_failure_sticks),
        cmocka_unit_test(a_fixed_buffer_says_when_it_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
