/* Hints of templates: what is found, where, and mistakes with their place and repair. */
#include "gen/gen.h"
#include "gen/template/template_hints.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_found(void **unused)
{
    (void)unused;
    static const char text[] = "int x;\n  #begin_write\n  array: rank, t, f(a, b), 25,\n"
                               "    0, \"a;b\", <1, (2)>, &p->b[1];\n  #end_write\n#close\n";
    struct fth_hints hints = {.path = "t.c", .text = text, .length = sizeof text - 1};
    assert_int_equal(fth_hints_parse(&hints, NULL), 0);
    assert_int_equal(hints.set_count, 2);
    const struct fth_hint_set *set = &hints.sets[0];
    assert_int_equal(set->kind, FTH_HINTS_WRITE);
    assert_int_equal(set->begin, 7);
    assert_string_equal(set->indent, "  ");
    assert_int_equal(set->hint_count, 1);
    const struct fth_hint_line *hint = &set->hints[0];
    assert_string_equal(hint->name, "array");
    assert_int_equal(hint->word_count, 8);
    assert_string_equal(hint->words[2].text, "f(a, b)");
    assert_int_equal(hint->words[4].place.line, 4);
    assert_int_equal(hint->words[4].place.column, 5);
    assert_string_equal(hint->words[5].text, "\"a;b\"");
    assert_int_equal(hint->words[6].item_count, 2);
    assert_string_equal(hint->words[6].items[1].text, "(2)");
    assert_string_equal(hint->words[7].text, "&p->b[1]");
    assert_int_equal(hints.sets[1].kind, FTH_HINTS_CLOSE);
    fth_hints_free(&hints);
}

/* The template is refused, and the message begins so. */
static void refused(const char *text, const char *message)
{
    struct fth_error *error = NULL;
    struct fth_gen_program program;
    const struct fth_gen_options options = {0};
    assert_int_equal(fth_gen_make("t.c", text, strlen(text), &options, &program, &error), -1);
    assert_non_null(error);
    if (strncmp(fth_error_text(error), message, strlen(message)) != 0)
        assert_string_equal(fth_error_text(error), message);
    fth_gen_program_free(&program);
    fth_error_free(error);
}

#define FILE_OPTIONS "#begin_options\nlibrary: hdf5; file: \"f\"; processes: 4;\n#end_options\n"
#define DIMENSIONS FILE_OPTIONS "#begin_dimensions\nx: 8; y: 2 * x;\n#end_dimensions\n"
#define VARIABLES DIMENSIONS "#begin_variables\nt: int, 2, x, y;\n#end_variables\n"

static void test_mistakes(void **unused)
{
    (void)unused;
    refused("a\n #begin_writes\n", "t.c:2:2: there is no directive #begin_writes: did you mean "
                                   "#begin_write?");
    refused("#end_write\n", "t.c:1:1: #end_write has no #begin_write before it");
    refused("#begin_write\narray: a;\n", "t.c:1:1: the set 'write' that begins here does not end");
    refused("#begin_write\narray: a;\n#end_read\n", "t.c:3:1: #end_read stands in the set 'write'");
    refused("#begin_write\narray: a\n#end_write\n", "t.c:3:1: the hint 'array' of line 2 does not");
    refused("#begin_write\narray: (a;\n#end_write\n", "t.c:2:8: '(' is not closed");
    refused("#begin_write\narray: a, , b;\n#end_write\n", "t.c:2:11: a parameter is expected");
    refused("#begin_write\narray a;\n#end_write\n", "t.c:2:1: a hint is expected here");
    refused("#begin_write\narray: \"a;\n#end_write\n", "t.c:2:8: the text that begins here has");
    refused("#begin_dimensions\nx: 1;\n#end_dimensions\n", "t.c:1:1: no file is named before");
    refused("#begin_options\nlibary: hdf5;\n#end_options\n",
            "t.c:2:1: there is no option 'libary': did you mean 'library'?");
    refused("#begin_options\nfile: \"f\";\n#end_options\n", "t.c:2:7: no library writes this file");
    refused("#begin_options\nlevel: high; file: \"f\";\n#end_options\n",
            "t.c:1:1: level high needs");
    refused(DIMENSIONS, "t.c:1:1: nothing of this file is written or read");
    refused(FILE_OPTIONS "#begin_dimensions\nx: 0;\n#end_dimensions\n",
            "t.c:5:4: the dimension 'x' is 0 long");
    refused(DIMENSIONS "#begin_variables\nt: int, 3, x, y;\n#end_variables\n",
            "t.c:8:9: the variable 't' has 3 dimensions, but 2 are named");
    refused(DIMENSIONS "#begin_variables\nt: real, 1, x;\n#end_variables\n",
            "t.c:8:4: there is no type 'real'");
    refused(DIMENSIONS "#begin_variables\nt: int, 1, z;\n#end_variables\n",
            "t.c:8:12: there is no dimension 'z': did you mean");
    refused(VARIABLES "#begin_attributes\nu: t, char, 5;\n#end_attributes\n",
            "t.c:11:13: an attribute of type char is one text in quotes");
    refused(VARIABLES "#begin_write\narray: -1, t, 0, x, 0, y, b;\n#end_write\n",
            "t.c:11:8: processes are");
    refused(VARIABLES "#begin_write\narray: *, t, 0, x, 0, y, b;\n#end_write\n",
            "t.c:11:14: ranks 0 and 1 both write 't'[0..7, 0..15]");
    refused(VARIABLES "#begin_write\narray: 0, t, 0, x, 0, y, b;\narray: 2, t, 7, 1, 3, 2, b;\n"
                      "#end_write\n",
            "t.c:12:14: ranks 0 and 2 both write 't'[7, 3..4]");
    refused(VARIABLES "#begin_write\narray: <2, 2>, t, <0, 0>, <4, 8>, <4, 9>, b;\n#end_write\n",
            "t.c:11:20: rank 1 accesses 9..16 of dimension 'y' of 't', which goes from 0 to 15");
    refused(VARIABLES "{\n#begin_write\narray: rank, t, rank, 1, 0, y, b;\n#end_write\n}\n",
            "t.c:11:1: this access is in a block that the file is opened before");
}

static bool contains(const struct fth_gen_program *program, const char *text)
{
    return memmem(program->text, program->length, text, strlen(text)) != NULL;
}

static void test_choices(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        VARIABLES "#begin_write\narray: rank, t, rank * 2, 2, 0, y, b;\n#end_write\n",
        VARIABLES "#begin_write\narray: rank, t, 0, x, rank * 4, 4, b;\n#end_write\n",
        VARIABLES "#begin_write\narray: 3, t, 0, x, 0, y, b;\n#end_write\n",
        VARIABLES "#begin_write\narray: rank, t, first, 2, 0, y, b;\n#end_write\n",
    };
    static const char *const reasons[] = {
        "Collective, phases left to MPI-IO: 1 run of 128 B",
        "Collective, in two phases: 8 runs of 16 B of each process interleave with those of "
        "others; "
        "together they fill 512 B.",
        "Independent: only one of 4 processes has anything (512 B).",
        "Collective: which part each process has is not known, because of first;"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct fth_gen_program program;
        const struct fth_gen_options options = {.library = "mpiio"};
        assert_int_equal(fth_gen_make("t.c", texts[i], strlen(texts[i]), &options, &program, NULL),
                         0);
        assert_int_equal(program.explained_count, 1);
        assert_memory_equal(program.explained[0].reason, reasons[i], strlen(reasons[i]));
        assert_int_equal(contains(&program, "romio_cb_write"), i == 1);
        assert_int_equal(contains(&program, "write_all"), i != 2);
        fth_gen_program_free(&program);
    }
}

/* Dimensions in numbers become their lengths, but not what only looks like one. */
static void test_lengths(void **unused)
{
    (void)unused;
    static const char text[] =
        FILE_OPTIONS "#begin_dimensions\nx: n + 1; y: 2 * x;\n#end_dimensions\n"
                     "#begin_variables\nt: int, 1, y;\n#end_variables\n"
                     "#begin_write\narray: 0, t, a.x, x * 2, b;\n#end_write\n";
    struct fth_gen_program program;
    const struct fth_gen_options options = {.library = "posix"};
    assert_int_equal(fth_gen_make("t.c", text, sizeof text - 1, &options, &program, NULL), 0);
    assert_true(contains(&program, "io_start[0] = a.x, io_count[0] = (n + 1) * 2;"));
    assert_true(contains(&program, "io_lengths[] = {2 * (n + 1)};"));
    fth_gen_program_free(&program);
}

static void test_without_hints(void **unused)
{
    (void)unused;
    static const char text[] = "#define A 1\r\n\0int x; /* #close */";
    struct fth_gen_program program;
    const struct fth_gen_options options = {0};
    assert_int_equal(fth_gen_make("t.c", text, sizeof text - 1, &options, &program, NULL), 0);
    assert_int_equal(program.length, sizeof text - 1);
    assert_memory_equal(program.text, text, sizeof text - 1);
    fth_gen_program_free(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),         cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_choices),       cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_without_hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
