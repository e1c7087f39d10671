/* Writers: what each format makes of the same page, and which tables CSV takes. */
#include "views/formats/writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct fth_column columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"bytes", "read", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"share", "share", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape files_shape = {"files", "Files", columns, 4, 0};
static const struct fth_shape total_shape = {"total", "Total", columns, 4, 0};

static struct fth_table *make(const struct fth_shape *shape, const char *path)
{
    struct fth_table *table = fth_table_new(shape);
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, 0, fth_cell_text(path));
    fth_table_set(table, row, 1, fth_cell_integer(4096));
    fth_table_set(table, row, 2, fth_cell_integer(1500000000));
    row = fth_table_add_row(table);
    fth_table_set(table, row, 0, fth_cell_text("b"));
    fth_table_set(table, row, 3, fth_cell_real(12.5));
    return table;
}

/* Two tables, or one of them, and a fact. */
static int tell(struct fth_writer *writer, bool several, struct fth_error **error)
{
    static const struct fth_column whose[] = {{"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS}};
    const struct fth_cell of[] = {fth_cell_integer(7)};
    const struct fth_leading leading = {1, whose, of};
    struct fth_table *total = make(&total_shape, "all"), *files = make(&files_shape, "a, \"b\"|\n");
    fth_json_key_text(&writer->facts, "trace", "x.fathom");
    fth_views_write_table(writer, total, &(struct fth_table_layout){.is_one = true});
    fth_views_write_gap(writer);
    fth_views_write_table(writer, files, &(struct fth_table_layout){.leading = &leading});
    fth_views_write_remark(writer, FTH_PAINT_PLAIN, "%d *file*", 2);
    if (several)
        fth_views_write_table(writer, files,
                              &(struct fth_table_layout){.name = "again", .top_of_all = 1});
    int result = fth_views_end(writer, error);
    fth_table_free(total);
    fth_table_free(files);
    return result;
}

/* What the format makes of it; to be freed. */
static char *shown(const struct fth_format *format, const char *chosen, bool several, int *result,
                   struct fth_error **error)
{
    static struct fth_output output;
    struct fth_writer writer;
    output.style = (struct fth_style){.unicode = true};
    fth_sink_open_memory(&output.sink);
    fth_views_begin(&writer, format, &output, &(struct fth_page){"test", 1, chosen});
    *result = tell(&writer, several, error);
    fth_sink_char(&output.sink, 0);
    assert_false(output.sink.failed);
    return output.sink.bytes;
}

static void expect(const struct fth_format *format, const char *chosen, bool several,
                   const char *wanted)
{
    struct fth_error *error = NULL;
    int result;
    char *text = shown(format, chosen, several, &result, &error);
    assert_string_equal(text, wanted);
    assert_int_equal(result, 0);
    assert_null(error);
    free(text);
}

static void expect_error(const char *chosen, bool several, const char *wanted)
{
    struct fth_error *error = NULL;
    int result;
    char *text = shown(&fth_format_csv, chosen, several, &result, &error);
    assert_int_equal(result, -1);
    assert_string_equal(fth_error_text(error), wanted);
    assert_string_equal(text, "");
    fth_error_free(error);
    free(text);
}

#define ROWS "\"a, \"\"b\"\"|\n\",4096,1.500000000,\r\n"
#define FILES                                                                                      \
    "proc,path,bytes,time,share\r\n7,\"a, \"\"b\"\"|\n\",4096,1.500000000,\r\n7,b,,,12.5\r\n"

static void csv_is_the_only_table(void **state)
{
    (void)state;
    expect(&fth_format_csv, NULL, false, FILES);
}

static void csv_is_the_table_that_was_chosen(void **state)
{
    (void)state;
    expect(&fth_format_csv, "files", true, FILES);
    expect(&fth_format_csv, "again", true, "path,bytes,time,share\r\n" ROWS);
    expect(&fth_format_csv, "total", false,
           "path,bytes,time,share\r\nall,4096,1.500000000,\r\nb,,,12.5\r\n");
}

/* What a program named its files must not reach the terminal as commands. */
static void csv_is_harmless_on_a_terminal(void **state)
{
    static struct fth_output output;
    struct fth_writer writer;
    struct fth_table *table = make(&files_shape, "a\x1b[31m,b");
    (void)state;
    output.style = (struct fth_style){.width = 80};
    fth_sink_open_memory(&output.sink);
    fth_views_begin(&writer, &fth_format_csv, &output, &(struct fth_page){.chosen = "files"});
    fth_views_write_table(&writer, table, &(struct fth_table_layout){.top_of_all = 1});
    assert_int_equal(fth_views_end(&writer, NULL), 0);
    fth_sink_char(&output.sink, 0);
    assert_string_equal(output.sink.bytes, "path,bytes,time,share\r\n"
                                           "\"a\\x1b[31m,b\",4096,1.500000000,\r\n");
    fth_sink_close_memory(&output.sink);
    fth_table_free(table);
}

static void csv_wants_one_table(void **state)
{
    (void)state;
    expect_error(NULL, true,
                 "CSV holds one table; choose one of several, such as --csv=files: total, "
                 "files, again");
    expect_error("other", true, "there is no table 'other'; there are: total, files, again");
}

static void json_has_facts_and_tables(void **state)
{
    (void)state;
    expect(&fth_format_json, NULL, true,
           "{\n"
           "  \"trace\": \"x.fathom\",\n"
           "  \"total\": {\"path\": \"all\", \"bytes\": 4096, \"time\": 1.500000000, \"share\": "
           "null},\n"
           "  \"files\": [{\"path\": \"a, \\\"b\\\"|\\n\", \"bytes\": 4096, \"time\": 1.500000000, "
           "\"share\": null}, {\"path\": \"b\", \"bytes\": null, \"time\": null, \"share\": "
           "12.500000000}],\n"
           "  \"again\": [{\"path\": \"a, \\\"b\\\"|\\n\", \"bytes\": 4096, \"time\": 1.500000000, "
           "\"share\": null}]\n"
           "}\n");
}

static void people_read_titles_and_remarks(void **state)
{
    (void)state;
    expect(&fth_format_terminal, NULL, false,
           "Total\n"
           "file      read    time   share\n"
           "all   4.00 KiB  1.50 s       -\n"
           "b            -       -  12.5 %\n"
           "\n"
           "Files\n"
           "file           read    time   share\n"
           "a, \"b\"|\\n  4.00 KiB  1.50 s       -\n"
           "b                 -       -  12.5 %\n"
           "2 *file*\n");
}

static void markdown_escapes(void **state)
{
    (void)state;
    expect(&fth_format_markdown, NULL, false,
           "## Total\n"
           "\n"
           "| file | read | time | share |\n"
           "|---|---:|---:|---:|\n"
           "| all | 4.00 KiB | 1.50 s | - |\n"
           "| b | - | - | 12.5 % |\n"
           "\n"
           "## Files\n"
           "\n"
           "| file | read | time | share |\n"
           "|---|---:|---:|---:|\n"
           "| a, \"b\"\\|\\\\n | 4.00 KiB | 1.50 s | - |\n"
           "| b | - | - | 12.5 % |\n"
           "\n"
           "2 \\*file\\*\n"
           "\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_is_the_only_table),
        cmocka_unit_test(csv_is_the_table_that_was_chosen),
        cmocka_unit_test(csv_is_harmless_on_a_terminal),
        cmocka_unit_test(csv_wants_one_table),
        cmocka_unit_test(json_has_facts_and_tables),
        cmocka_unit_test(people_read_titles_and_remarks),
        cmocka_unit_test(markdown_escapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
