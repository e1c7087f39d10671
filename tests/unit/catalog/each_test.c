/* Rows that stand for several: what each of them becomes, and what is wrong with a line `each`. */
#include "catalog/catalog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parsed.h"

#define HEAD "layer netcdf\nclass ncid file buffered\n"

static void a_row_for_each_type(void **state)
{
    (void)state;
    struct fth_catalog catalog = {0};
    parse(&catalog, HEAD "each TYPE text = char, uchar = unsigned char, string = char *\n"
                         "write int put_TYPE(int ncid: use ncid, const TYPE *op): code\n"
                         "read int get_TYPE_all(TYPE *ip)\n"
                         "stat int TYPELESS(int TYPES)\n");
    static const char *const texts[] = {
        "write int put_text(int ncid: use ncid, const char *op): code",
        "write int put_uchar(int ncid: use ncid, const unsigned char *op): code",
        "write int put_string(int ncid: use ncid, const char * *op): code",
        "read int get_text_all(char *ip)",
        "read int get_uchar_all(unsigned char *ip)",
        "read int get_string_all(char * *ip)",
        "stat int TYPELESS(int TYPES)",
    };
    assert_int_equal(catalog.row_count, 7);
    for (size_t i = 0; i < 7; i++)
        assert_string_equal(catalog.rows[i].text, texts[i]);
    assert_string_equal(catalog.rows[1].name, "put_uchar");
    assert_string_equal(catalog.rows[1].fields[1].type, "const unsigned char *");
    assert_string_equal(catalog.rows[1].fields[1].name, "op");
    assert_string_equal(catalog.rows[2].fields[1].type, "const char **");
    assert_int_equal(catalog.rows[2].line, 4);
    assert_non_null(fth_catalog_find(&catalog, "get_uchar_all"));
    fth_catalog_free(&catalog);
}

static void the_last_line_counts(void **state)
{
    (void)state;
    struct fth_catalog catalog = {0};
    parse(&catalog, HEAD "each T a = int, b = long\nwrite int f_T(T x)\n"
                         "each S z = short\nwrite int g_S(S x)\n"
                         "each T c = int\nwrite int h_T(T x)\n");
    assert_int_equal(catalog.row_count, 4);
    assert_string_equal(catalog.rows[2].name, "g_z");
    assert_string_equal(catalog.rows[3].name, "h_c");
    fth_catalog_free(&catalog);
}

static void mistakes_have_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"each\n", "t:1:5: expected what rows have in place of a type, not the end of the line"},
        {"each T\n", "t:1:7: expected a part of names, not the end of the line"},
        {"each T a\n", "t:1:9: expected '=' and a type, not the end of the line"},
        {"each T a =\n", "t:1:11: expected a type, not the end of the line"},
        {"each T a = int,\n", "t:1:16: expected a part of names, not the end of the line"},
        {"each T a = 7\n", "t:1:12: expected the words of a C type, not '7'"},
        {"each T a = a b c d e\n", "t:1:20: more than 4 words in a type"},
        {HEAD "each T a = int, a = long\nwrite int f_T(T x)\n",
         "t:4:11: a second row for 'f_a'; the first one is at t:4"},
        {HEAD "each T a = int\nwrite int f_T(T x: use nothing)\n",
         "t:4:24: unknown class 'nothing'; a line 'class nothing ...' must come first"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fth_catalog catalog = {0};
        struct fth_error *error = NULL;
        assert_int_equal(
            fth_catalog_parse(&catalog, "t", cases[i].text, strlen(cases[i].text), &error), -1);
        assert_string_equal(fth_error_text(error), cases[i].error);
        fth_error_free(error);
        fth_catalog_free(&catalog);
    }
}

static void there_is_an_end(void **state)
{
    (void)state;
    struct fth_catalog catalog = {0};
    struct fth_error *error = NULL;
    char text[4096] = "each T ";
    for (int i = 0; i < 33; i++)
        sprintf(text + strlen(text), "%sx%d = int", i ? ", " : "", i);
    assert_int_equal(fth_catalog_parse(&catalog, "t", text, strlen(text), &error), -1);
    assert_non_null(strstr(fth_error_text(error), "more than 32 types"));
    fth_error_free(error);
    fth_catalog_free(&catalog);

    *text = '\0';
    for (int i = 0; i < 9; i++)
        sprintf(text + strlen(text), "each T%d x = int\n", i);
    error = NULL;
    assert_int_equal(fth_catalog_parse(&catalog, "t", text, strlen(text), &error), -1);
    assert_string_equal(fth_error_text(error), "t:9:6: more than 8 names with 'each'");
    fth_error_free(error);
    fth_catalog_free(&catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_for_each_type),
        cmocka_unit_test(the_last_line_counts),
        cmocka_unit_test(mistakes_have_a_place),
        cmocka_unit_test(there_is_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
