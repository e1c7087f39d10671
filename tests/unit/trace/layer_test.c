/* What is said of layers, and what rows mean. */
#include "catalog/consistency_meaning.h"
#include "catalog/packed.h"
#include "trace/record/builtin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>

#include "../catalog/parsed.h"

static void a_layer_is_described_once(void **state)
{
    (void)state;
    struct fth_catalog catalog = {0};
    parse(&catalog,
          "library kv libkv kv_open\nlayer bare\nlayer kv\n accesses files # of the system\n"
          " synchronizes open with kv_open close with kv_close flush with kv_flush\n"
          " refills with kv_more, kv_less\n about \"key # value\"\n hint larger \"Larger \"\n  "
          "\"values.\"\n"
          " hint larger in python \"Arrays.\"\nlayer bare\nlayer kv");
    assert_int_equal(catalog.layer_count, 2);
    assert_null(fth_catalog_layer(&catalog, "none"));
    assert_null(fth_catalog_layer(&catalog, "bare")->text);
    const struct fth_layer *layer = fth_catalog_layer(&catalog, "kv");
    assert_string_equal(layer->library, "kv");
    assert_true(layer->accesses_files && layer->synchronizes);
    assert_string_equal(layer->open, "kv_open");
    assert_string_equal(layer->close, "kv_close");
    assert_string_equal(layer->flush, "kv_flush");
    assert_true(fth_layer_refills(layer, "kv_more") && fth_layer_refills(layer, "kv_less"));
    assert_false(fth_layer_refills(layer, "kv_les") || fth_layer_refills(layer, "more"));
    assert_string_equal(layer->about, "key # value");
    assert_string_equal(layer->hints[FTH_HINT_IN_C][FTH_HINT_LARGER], "Larger values.");
    assert_string_equal(layer->hints[FTH_HINT_IN_PYTHON][FTH_HINT_LARGER], "Arrays.");
    assert_null(layer->hints[FTH_HINT_IN_C][FTH_HINT_KEPT]);

    /* What a trace says of it says the same. */
    char text[1024];
    struct fth_catalog again = {0};
    snprintf(text, sizeof text, "library kv\nlayer kv %s\n", layer->text);
    parse(&again, text);
    assert_string_equal(again.layers[0].text, layer->text);
    assert_string_equal(again.layers[0].hints[FTH_HINT_IN_C][FTH_HINT_LARGER], "Larger values.");
    assert_true(fth_catalog_adds_meaning(&again));
    fth_catalog_free(&again);
    fth_catalog_free(&catalog);
}

static unsigned means(const char *text)
{
    struct fth_catalog catalog = {0};
    parse(&catalog,
          "layer posix synchronizes is system\nclass fd file\nclass lock object\nflags o 1=O\n");
    parse(&catalog, text);
    const struct fth_row *row = &catalog.rows[catalog.row_count - 1];
    unsigned found = fth_row_means(&catalog, row, fth_catalog_layer(&catalog, row->layer));
    fth_catalog_free(&catalog);
    return found;
}

static void kinds_and_roles_say_what_a_row_means(void **state)
{
    (void)state;
    static const struct {
        const char *row;
        unsigned means;
    } rows[] = {
        {"open int f(const char *path: path): new fd", FTH_MEANS_OPENS},
        {"open int f(const char *name: string, mode_t mode: mode): new fd", FTH_MEANS_OPENS},
        {"open as read, temporary int f(void): new fd", FTH_MEANS_OPENS},
        {"open int f(int domain): new fd", 0},
        {"open int f(const char *path: path): new lock", 0},
        {"stat int f(const char *path: path): status", 0},
        {"open int f(const char *path: path, int fd: close fd): new fd",
         FTH_MEANS_OPENS | FTH_MEANS_CLOSES},
        {"close int f(int fd: close fd): status", FTH_MEANS_CLOSES},
        {"close void f(int first)", FTH_MEANS_CLOSES},
        {"dup int f(int fd: use fd, int to: close fd): new fd", FTH_MEANS_CLOSES},
        {"dup int f(int fd: use fd): new fd", 0},
        {"mutex int f(int lock: close lock): status", 0},
        {"sync int f(int fd: use fd): status", FTH_MEANS_SYNCS},
        {"sync void f(void)", FTH_MEANS_SYNCS},
        {"sync nonblocking int f(int fd: use fd): status", 0},
        {"sync int f(int fd: use fd, off_t at: offset, size_t count: bytes): status", 0},
        {"layer stdio synchronizes\nsync void f(void)", 0},
        {"layer kv\nsync int f(int fd: use fd): status", 0},
        {"layer kv\nsync means syncs int f(int fd: use fd): status", FTH_MEANS_SYNCS},
        {"other means opens, closes int f(int fd: use fd): status",
         FTH_MEANS_OPENS | FTH_MEANS_CLOSES},
        {"close means nothing int f(int fd: close fd): status", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (means(rows[i].row) != rows[i].means)
            fail_msg("%s: %u, not %u", rows[i].row, means(rows[i].row), rows[i].means);
}

/* Nothing that an older Fathom could not read, unless a plug-in adds it. */
static void only_new_words_need_a_new_reader(void **state)
{
    (void)state;
    struct fth_catalog catalog;
    assert_int_equal(fth_catalog_begin_with(&catalog, &fth_packed_builtin), 0);
    assert_false(fth_catalog_adds_meaning(&catalog));
    catalog.library = catalog.layer = NULL;
    parse(&catalog, "library kv libkv kv_open\nlayer kv\nother int kv_one(int a)\n");
    assert_false(fth_catalog_adds_meaning(&catalog));
    parse(&catalog, "other means closes int kv_two(int a)\n");
    assert_true(fth_catalog_adds_meaning(&catalog));
    fth_catalog_free(&catalog);
}

static void layers_of_fathom_are_not_described_anew(void **state)
{
    (void)state;
    struct fth_catalog catalog;
    struct fth_error *error = NULL;
    static const char text[] = "layer hdf5 synchronizes";
    assert_int_equal(fth_catalog_begin_with(&catalog, &fth_packed_builtin), 0);
    assert_int_equal(fth_catalog_parse(&catalog, "t", text, sizeof text - 1, &error), -1);
    assert_string_equal(fth_error_text(error), "t:1:7: the layer 'hdf5' is built in and "
                                               "cannot be described here");
    fth_error_free(error);
    error = NULL;
    static const char other[] = "layer kv is system";
    assert_int_equal(fth_catalog_parse(&catalog, "t", other, sizeof other - 1, &error), -1);
    assert_string_equal(fth_error_text(error),
                        "t:1:13: only layers of Fathom's own are something to it, but for 'probes'");
    fth_error_free(error);
    fth_catalog_free(&catalog);
}

/* C code asks for one of these, and each is what it should. */
static void layers_are_something(void **state)
{
    (void)state;
    assert_string_equal(fth_layer_that_is(FTH_LAYER_SYSTEM), "posix");
    assert_string_equal(fth_layer_that_is(FTH_LAYER_TOGETHER), "mpiio");
    assert_true(fth_layer_is("stdio", FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS));
    assert_false(fth_layer_is("stdio", FTH_LAYER_SYSTEM));
    assert_false(fth_layer_is("no such layer", FTH_LAYER_SYSTEM));
    for (unsigned is = 1; is <= FTH_LAYER_HDF5; is *= 2) {
        size_t count = 0;
        for (size_t i = 0; i < fth_builtin_layer_count; i++)
            count += (fth_builtin_layers[i].is & is) != 0;
        assert_int_equal(count, is == FTH_LAYER_NETCDF ? 2 : 1);
    }
}

static void layers_that_access_files_say_how(void **state)
{
    (void)state;
    size_t count = 0;
    for (size_t i = 0; i < fth_builtin_layer_count; i++) {
        const struct fth_layer *layer = &fth_builtin_layers[i];
        assert_ptr_equal(fth_builtin_layer(layer->name), layer);
        if (!layer->accesses_files)
            continue;
        assert_true(layer->open && layer->close && layer->flush);
        count++;
    }
    assert_true(count >= 6);
    assert_null(fth_builtin_layer("no such layer"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_layer_is_described_once),
        cmocka_unit_test(kinds_and_roles_say_what_a_row_means),
        cmocka_unit_test(only_new_words_need_a_new_reader),
        cmocka_unit_test(layers_of_fathom_are_not_described_anew),
        cmocka_unit_test(layers_are_something),
        cmocka_unit_test(layers_that_access_files_say_how),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
