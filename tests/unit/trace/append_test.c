/* Sections that are put behind a whole trace. */
#include "trace/file/append.h"

#include "trace/file/container.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/fathom-append-XXXXXX";

static void put_file(const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static size_t get_file(uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(bytes, 1, size, file) : 0;
    if (file)
        fclose(file);
    return length;
}

static void sections_stand_before_the_end(void **state)
{
    (void)state;
    uint8_t before[256] = "header and sections", after[512];
    struct fth_section end = {.kind = FTH_SECTION_END}, other;
    memcpy(before + 200, &end, sizeof end);
    put_file(before, 200 + sizeof end);
    assert_int_equal(fth_trace_append(path, "more", 4, NULL), 0);
    assert_int_equal(get_file(after, sizeof after), 204 + sizeof end);
    assert_memory_equal(after, before, 200);
    assert_memory_equal(after + 200, "more", 4);
    memcpy(&other, after + 204, sizeof other);
    assert_int_equal(other.kind, FTH_SECTION_END);
}

static void what_is_no_trace_stays(void **state)
{
    (void)state;
    static const size_t lengths[] = {0, 10, 100};
    uint8_t after[512];
    for (size_t i = 0; i < 3; i++) {
        uint8_t bytes[100] = {1};
        struct fth_error *error = NULL;
        put_file(bytes, lengths[i]);
        assert_int_equal(fth_trace_append(path, "more", 4, &error), -1);
        assert_non_null(error);
        fth_error_free(error);
        assert_int_equal(get_file(after, sizeof after), lengths[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_stand_before_the_end),
        cmocka_unit_test(what_is_no_trace_stays),
    };
    close(mkstemp(path));
    int result = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return result;
}
