/* The catalogue that is built in as tables is the one that the files of `catalog/` say. */
#include "trace/file/container.h"
#include "trace/record/builtin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fth_catalog parsed;

static void parse_files(void)
{
    static const char *const names[] = {"fathom", "posix",       "stdio",   "process", "pthread",
                                        "ipc",    "mpi",         "mpiio",   "hdf5",    "hdf5_hl",
                                        "netcdf", "pnetcdf",     "cufile",  "cuda",    "uring",
                                        "libaio", "application", "contents"};
    const char *source = getenv("SOURCE");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct fth_error *error = NULL;
        char path[4096];
        snprintf(path, sizeof path, "%s/catalog/%s.calls", source ? source : ".", names[i]);
        assert_int_equal(fth_catalog_parse_file(&parsed, path, &error), 0);
    }
}

static void same_text(const char *one, const char *other)
{
    assert_int_equal(one == NULL, other == NULL);
    if (one)
        assert_string_equal(one, other);
}

static void same_field(const struct fth_field *one, const struct fth_field *other)
{
    same_text(one->type, other->type);
    same_text(one->name, other->name);
    same_text(one->role_words, other->role_words);
    assert_int_equal(one->role, other->role);
    assert_int_equal(one->array, other->array);
    assert_int_equal(one->optional, other->optional);
    assert_int_equal(one->class_index, other->class_index);
    assert_int_equal(one->flags_index, other->flags_index);
    assert_int_equal(one->length_field, other->length_field);
    assert_int_equal(one->length, other->length);
    assert_int_equal(one->at_field, other->at_field);
}

static void test_rows(void **state)
{
    (void)state;
    const struct fth_catalog *builtin = fth_builtin_catalog();
    assert_true(parsed.row_count > 1000);
    assert_int_equal(builtin->row_count, parsed.row_count);
    for (size_t i = 0; i < parsed.row_count; i++) {
        const struct fth_row *one = &builtin->rows[i], *other = &parsed.rows[i];
        assert_int_equal(one->id, other->id);
        same_text(one->text, other->text);
        same_text(one->library, other->library);
        same_text(one->layer, other->layer);
        same_text(one->kind, other->kind);
        same_text(one->via, other->via);
        same_text(one->name, other->name);
        assert_int_equal(one->flags, other->flags);
        assert_int_equal(one->line, other->line);
        assert_int_equal(one->field_count, other->field_count);
        for (size_t k = 0; k < one->field_count; k++)
            same_field(&one->fields[k], &other->fields[k]);
        same_field(&one->result, &other->result);
    }
}

static void test_classes_and_flags(void **state)
{
    (void)state;
    const struct fth_catalog *builtin = fth_builtin_catalog();
    assert_int_equal(builtin->class_count, parsed.class_count);
    for (size_t i = 0; i < parsed.class_count; i++) {
        same_text(builtin->classes[i].name, parsed.classes[i].name);
        assert_int_equal(builtin->classes[i].form, parsed.classes[i].form);
        assert_int_equal(builtin->classes[i].buffered, parsed.classes[i].buffered);
    }
    assert_int_equal(builtin->flags_count, parsed.flags_count);
    for (size_t i = 0; i < parsed.flags_count; i++) {
        same_text(builtin->flags[i].name, parsed.flags[i].name);
        assert_int_equal(builtin->flags[i].count, parsed.flags[i].count);
        for (size_t k = 0; k < parsed.flags[i].count; k++) {
            assert_int_equal(builtin->flags[i].entries[k].value, parsed.flags[i].entries[k].value);
            same_text(builtin->flags[i].entries[k].name, parsed.flags[i].entries[k].name);
        }
    }
}

static void test_names(void **state)
{
    (void)state;
    const struct fth_catalog *builtin = fth_builtin_catalog();
    for (size_t i = 0; i < parsed.row_count; i += 97)
        assert_ptr_equal(fth_catalog_find(builtin, parsed.rows[i].name), &builtin->rows[i]);
    assert_null(fth_catalog_find(builtin, "pwrote"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_classes_and_flags),
                                       cmocka_unit_test(test_names)};
    parse_files();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fth_catalog_free(&parsed);
    return failed;
}
