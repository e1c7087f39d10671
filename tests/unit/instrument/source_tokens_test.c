/* Words of sources, and patterns of them; entries of probe files. */
#include "instrument/probe_file.h"
#include "instrument/source_tokens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static bool matches(const char *text, const char *wanted)
{
    struct fth_source_tokens tokens, pattern;
    fth_source_tokens_read(&tokens, text, strlen(text));
    fth_source_tokens_read(&pattern, wanted, strlen(wanted));
    bool result = fth_source_tokens_match(&tokens, 0, tokens.count, &pattern);
    fth_source_tokens_free(&tokens);
    fth_source_tokens_free(&pattern);
    return result;
}

static void words_without_comments(void **state)
{
    const char text[] = "a /* b */ += 1.5e-3; // c\n#define d e\n\"/* f */\" -> g'\\''";
    const char *const wanted[] = {"a", "+=", "1.5e-3", ";", "\"/* f */\"", "->", "g", "'\\''"};
    struct fth_source_tokens tokens;
    (void)state;
    fth_source_tokens_read(&tokens, text, strlen(text));
    assert_int_equal(tokens.count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < tokens.count; i++)
        assert_true(fth_source_token_is(&tokens, i, wanted[i]));
    fth_source_tokens_free(&tokens);
}

static void patterns(void **state)
{
    (void)state;
    assert_true(matches("for (i = 0; i < n; i++) { x(); }", "for (...; i < n; ...) ..."));
    assert_true(matches("for (m=0;m<ntimes;m++)a();", "for ($i = 0; $i < ntimes; $i++) ..."));
    assert_false(matches("for (m=0;k<ntimes;m++)a();", "for ($i = 0; $i < ntimes; $i++) ..."));
    assert_true(matches("f(a, (b, c))", "f($x, $y)"));
    assert_true(matches("f(a + b, a + b)", "f($x, $x)"));
    assert_false(matches("f(a + b, a - b)", "f($x, $x)"));
    assert_true(matches("f()", "f(...)"));
    assert_false(matches("f()", "f($x)"));
    assert_false(matches("f(a) + (b)", "f(...)"));
    assert_false(matches("", "a"));
    assert_true(matches("", "..."));
}

static int parse(const char *text, struct fth_probe_list *list, struct fth_error **error)
{
    *list = (struct fth_probe_list){0};
    return fth_probe_file_parse(list, "p", text, strlen(text), error);
}

static void entries(void **state)
{
    struct fth_probe_list list;
    struct fth_error *error = NULL;
    (void)state;
    assert_int_equal(
        parse("# c\n[-1;App;write;Lib/APP/w;-l MPI_File_write(;before]\n"
              "[3;Disk;latency;Lib/PVFS/d;-n 1010;src/io/multi\n  queue.c]\n"
              "[0; MPI; read; Lib/x; -p for (a; b; c) ... in f; inside; s.c; n=x[i]; all]",
              &list, &error),
        0);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.entries[0].text, "MPI_File_write(");
    assert_true(list.entries[0].all && list.entries[0].placement == FTH_PLACE_BEFORE);
    assert_string_equal(list.entries[1].source, "src/io/multiqueue.c");
    assert_int_equal(list.entries[1].number, 1010);
    assert_string_equal(list.entries[2].text, "for (a; b; c) ...");
    assert_string_equal(list.entries[2].in, "f");
    assert_string_equal(list.entries[2].values[0].expression, "x[i]");
    fth_probe_list_free(&list);
    static const char *const wrong[] = {"",
                                        "x",
                                        "[",
                                        "[0;a;write;b;-n]",
                                        "[0;a;write;b;-n x;s.c]",
                                        "[x;a;write;b;-n 1;s.c]",
                                        "[0]",
                                        "[0;a;write;b;-f f;before]",
                                        "[0;a;write;b;-n 1;../s.c]",
                                        "[0;a;write;b;-f f;v=1;v=2]",
                                        "[0;a;write;b;-n 1;inside;s.c]"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(parse(wrong[i], &list, &error), -1);
        assert_non_null(error);
        assert_memory_equal(fth_error_text(error), "p:", 2);
        fth_error_free(error);
        error = NULL;
        fth_probe_list_free(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_without_comments),
                                       cmocka_unit_test(patterns), cmocka_unit_test(entries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
