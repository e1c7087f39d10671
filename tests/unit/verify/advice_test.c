/* What programs are advised to do, for each built-in model and each library: by calls of the
 * library that they use, whatever is below, with rank, call, place and file. */
#include "fathom/trace.h"
#include "trace/record/builtin.h"
#include "verify/advise/advice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct library {
    const char *layer, *write, *read;
    bool above_mpiio;
};

static const struct library libraries[] = {
    {"posix", "pwrite", "pread", false},
    {"stdio", "fwrite", "fread", false},
    {"mpiio", "MPI_File_write_at", "MPI_File_read_at", true},
    {"hdf5", "H5Dwrite", "H5Dread", true},
    {"hdf5", "H5Dwrite", "H5Dread", false},
    {"netcdf", "nc_put_vara", "nc_get_vara", true},
    {"netcdf", "nc_put_vara", "nc_get_vara", false},
    {"pnetcdf", "ncmpi_put_vara_all", "ncmpi_get_vara_all", true},
};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

static struct fth_consistencies models;

/* x writes and y reads, by each library; ordered or not; what is missing first is that step of the
 * model's construct number `construct`. */
static char *advise(const struct library *library, const char *model, size_t construct, size_t step,
                    bool ordered)
{
    const struct fth_consistency *rules = fth_consistency_find(&models, model);
    struct fth_advice advice = {
        .model = rules,
        .construct = construct < rules->construct_count ? &rules->constructs[construct] : NULL,
        .step = step,
        .ordered = ordered,
        .file = "/data/out.nc",
        .x = {"rank 0", library->write, fth_builtin_layer(library->layer), "w.c:3",
              library->above_mpiio, true, false, false},
        .y = {"rank 1", library->read, fth_builtin_layer(library->layer), NULL,
              library->above_mpiio, true, false, false},
    };
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    fth_advice_repair(&sink, &advice);
    fth_sink_char(&sink, 0);
    char *text = strdup(sink.bytes);
    fth_sink_close_memory(&sink);
    return text;
}

/* One line per library of the table that advice_test.expected is. */
static void table(FILE *out, const char *title, const char *model, size_t construct, size_t step,
                  bool ordered)
{
    fprintf(out, "%s\n", title);
    for (size_t i = 0; i < LIBRARIES; i++) {
        if (strcmp(model, "mpi-io") == 0 && !libraries[i].above_mpiio)
            continue; /* it is about calls of MPI-IO */
        char *text = advise(&libraries[i], model, construct, step, ordered);
        fprintf(out, "  %s%s: %s\n", libraries[i].layer,
                libraries[i].above_mpiio && strcmp(libraries[i].layer, "mpiio") ? " over mpiio"
                                                                                : "",
                text);
        free(text);
    }
}

static void test_all_models(void **state)
{
    (void)state;
    char *text = NULL, expected[1 << 16];
    size_t length;
    FILE *out = open_memstream(&text, &length);
    table(out, "posix, in no order", "posix", 0, 0, false);
    table(out, "commit, nothing committed", "commit", 0, 0, true);
    table(out, "session, no close", "session", 0, 0, true);
    table(out, "session, no open", "session", 0, 1, true);
    table(out, "session, in no order", "session", 0, 2, false);
    table(out, "mpi-io, no sync", "mpi-io", 0, 0, true);
    table(out, "mpi-io, no second sync", "mpi-io", 0, 1, true);
    table(out, "mpi-io, atomic, in no order", "mpi-io", 1, 0, false);
    table(out, "eventual", "eventual", 99, 0, true);
    fclose(out);
    char path[4096];
    const char *source = getenv("SOURCE");
    snprintf(path, sizeof path, "%s/tests/unit/verify/advice_test.expected", source ? source : ".");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    expected[fread(expected, 1, sizeof expected - 1, file)] = 0;
    fclose(file);
    if (strcmp(text, expected) != 0)
        fputs(text, stderr);
    assert_string_equal(text, expected);
    free(text);
}

/* A model of one's own: what its set has for the library is named, or else the set. */
static void test_own_models(void **state)
{
    (void)state;
    static const char own[] = "model own\n accesses posix\n set done = fdatasync fsync\n"
                              " set notified = lamination_notify\n"
                              " order x po done hb notified po y\n";
    struct fth_error *error = NULL;
    assert_int_equal(fth_consistency_parse(&models, "own", own, sizeof own - 1, &error), 0);
    char *text = advise(&libraries[0], "own", 0, 0, true);
    assert_string_equal(
        text,
        "let rank 0 call fsync on 'out.nc' after its pwrite (w.c:3), before the synchronization "
        "of the two, and let rank 1 call lamination_notify on 'out.nc' before its pread");
    free(text);
    /* To flush a stream is not enough for it. */
    text = advise(&libraries[1], "own", 0, 0, true);
    assert_non_null(
        strstr(text, "let rank 0 call one of fdatasync, fsync on 'out.nc' after its fwrite"));
    free(text);
}

/* Between runs, and between programs, there are no messages. */
static void test_order_of_others(void **state)
{
    (void)state;
    const struct fth_consistency *posix = fth_consistency_find(&models, "posix");
    struct fth_advice advice = {.model = posix,
                                .construct = posix->constructs,
                                .other_run = true,
                                .file = "data",
                                .x = {"process 1 (cp) of a.fathom", "write",
                                      fth_builtin_layer("posix"), NULL, false, false, false, false},
                                .y = {"process 1 (cat) of b.fathom", "read",
                                      fth_builtin_layer("posix"), NULL, false, false, false,
                                      false}};
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    fth_advice_repair(&sink, &advice);
    fth_sink_char(&sink, 0);
    assert_non_null(strstr(sink.bytes, "waiting for the end of the process"));
    assert_non_null(strstr(sink.bytes, "--in-sequence"));
    fth_sink_close_memory(&sink);
}

/* Nobody opens what was open when it began. */
static void test_inherited(void **state)
{
    (void)state;
    const struct fth_consistency *session = fth_consistency_find(&models, "session");
    struct fth_advice advice = {.model = session,
                                .construct = session->constructs,
                                .step = 1,
                                .ordered = true,
                                .file = "data",
                                .x = {"process 1 (sh)", "write", fth_builtin_layer("posix"), NULL,
                                      false, false, false, false},
                                .y = {"process 2 (wc)", "read", fth_builtin_layer("posix"), NULL,
                                      false, false, true, false}};
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    fth_advice_repair(&sink, &advice);
    fth_sink_char(&sink, 0);
    assert_string_equal(sink.bytes,
                        "let process 2 (wc) have a descriptor on 'data' that is opened when "
                        "process 1 (sh) has closed its own, or has ended, or use a file system "
                        "with a stronger model");
    fth_sink_close_memory(&sink);
}

/* A shell makes no call because somebody wants it to. */
static void test_shell(void **state)
{
    (void)state;
    struct fth_advice advice = {
        .model = fth_consistency_find(&models, "commit"),
        .file = "data",
        .ordered = true,
        .x = {.who = "process 1 (sh)",
              .function = "write",
              .layer = fth_builtin_layer("posix"),
              .runs_others = true},
        .y = {.who = "process 2 (wc)", .function = "read", .layer = fth_builtin_layer("posix")}};
    struct fth_sink sink;
    advice.construct = advice.model->constructs;
    fth_sink_open_memory(&sink);
    fth_advice_repair(&sink, &advice);
    fth_sink_char(&sink, 0);
    assert_string_equal(sink.bytes, "let process 1 (sh) and process 2 (wc) access different files, "
                                    "or use a file system with a stronger model");
    fth_sink_close_memory(&sink);
}

/* An access that its call only begins is over when another one says so: what repairs it has to
 * come behind that. */
static void test_begun(void **state)
{
    (void)state;
    static const struct {
        const char *write;
        struct fth_function by;
        bool waited;
        const char *text;
    } cases[] = {
        {"MPI_File_iwrite_at",
         {.name = "MPI_Wait", .kind = "wait"},
         true,
         "between the MPI_Wait for the MPI_File_iwrite_at of rank 0 and the MPI_File_read_at of"},
        {"MPI_File_write_all_begin",
         {.name = "MPI_File_write_all_end", .kind = "write"},
         true,
         "between the MPI_File_write_all_end of rank 0 and the MPI_File_read_at of"},
        {"MPI_File_iwrite_at",
         {0},
         false,
         "between the wait for the MPI_File_iwrite_at of rank 0 and the MPI_File_read_at of"},
    };
    const struct fth_consistency *rules = fth_consistency_find(&models, "mpi-io");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fth_advice advice = {.model = rules,
                                    .construct = rules->constructs,
                                    .file = "data",
                                    .ordered = true,
                                    .x = {.who = "rank 0",
                                          .function = cases[i].write,
                                          .layer = fth_builtin_layer("mpiio"),
                                          .above_mpiio = true,
                                          .is_rank = true,
                                          .begins = true,
                                          .completed_by = cases[i].waited ? &cases[i].by : NULL},
                                    .y = {.who = "rank 1",
                                          .function = "MPI_File_read_at",
                                          .layer = fth_builtin_layer("mpiio"),
                                          .above_mpiio = true,
                                          .is_rank = true}};
        struct fth_sink sink;
        fth_sink_open_memory(&sink);
        fth_advice_repair(&sink, &advice);
        fth_sink_char(&sink, 0);
        assert_non_null(strstr(sink.bytes, cases[i].text));
        fth_sink_close_memory(&sink);
    }
}

static char *repair(const char *model, const char *write, const char *layer, const char *next,
                    bool ordered)
{
    const struct fth_consistency *rules = fth_consistency_find(&models, model);
    struct fth_advice advice = {
        .model = rules,
        .construct = rules->constructs,
        .step = ordered ? 0 : rules->constructs->step_count,
        .ordered = ordered,
        .file = "log",
        .x = {"rank 0", write, fth_builtin_layer(layer), NULL, strcmp(layer, "mpiio") == 0, true,
              false, strstr(write, "_all") != NULL},
        .y = {"rank 1", next, fth_builtin_layer(layer), NULL, strcmp(layer, "mpiio") == 0, true,
              false, strstr(next, "_all") != NULL}};
    if (strcmp(model, "eventual") == 0)
        advice.construct = NULL;
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    fth_advice_repair(&sink, &advice);
    fth_sink_char(&sink, 0);
    char *text = strdup(sink.bytes);
    fth_sink_close_memory(&sink);
    return text;
}

static void assert_repair(const char *model, const char *write, const char *layer, const char *next,
                          bool ordered, const char *expected)
{
    char *text = repair(model, write, layer, next, ordered);
    assert_string_equal(text, expected);
    free(text);
}

/* Nobody flushes or closes what is closed: that has to be over, and no more. */
static void test_written_by_closing(void **state)
{
    (void)state;
    static const char wait[] = "add a message or a barrier after the fclose of rank 0 and "
                               "before the fread of rank 1";
    assert_repair("commit", "fclose", "stdio", "fread", false, wait);
    assert_repair("commit", "fclose", "stdio", "fread", true, wait);
    assert_repair(
        "commit", "H5Fclose", "hdf5", "H5Dread", false,
        "add a message or a barrier after the H5Fclose of rank 0 and before the H5Dread of rank 1");
    assert_repair("session", "fclose", "stdio", "fread", false,
                  "let rank 1 call fopen on 'log' before its fread, and add a message or a barrier "
                  "after the calls of rank 0 and before those of rank 1");
    /* What fflush writes is flushed, not closed. */
    assert_repair(
        "commit", "fflush", "stdio", "fread", false,
        "add a message or a barrier after the fflush of rank 0 and before the fread of rank 1");
    char *text = repair("session", "fflush", "stdio", "fread", false);
    assert_non_null(strstr(text, "let rank 0 call fclose on 'log' after its fflush"));
    free(text);
}

/* Ranks within one collective call can only keep to bytes of their own. */
static void test_one_collective_call(void **state)
{
    (void)state;
    static const char one_call[] = "if this is one collective call of both, let them access "
                                   "different bytes; otherwise ";
    static const char write[] = "MPI_File_write_at_all", read[] = "MPI_File_read_at_all";
    char *text = repair("mpi-io", write, "mpiio", write, false);
    assert_memory_equal(text, one_call, sizeof one_call - 1);
    free(text);
    text = repair("mpi-io", write, "mpiio", write, true);
    assert_null(strstr(text, one_call));
    free(text);
    text = repair("mpi-io", write, "mpiio", read, false);
    assert_null(strstr(text, one_call));
    free(text);
}

/* Where no order is enough, to wait is only half of it. */
static void test_nothing_is_enough(void **state)
{
    (void)state;
    assert_repair("eventual", "write", "posix", "write", false,
                  "add a message or a barrier after the write of rank 0 and before the write of "
                  "rank 1, and use a file system with a stronger model");
}

static int open_models(void **state)
{
    (void)state;
    fth_consistency_built_in(&models);
    return 0;
}

static int close_models(void **state)
{
    (void)state;
    fth_consistencies_free(&models);
    return 0;
}

/* Both calls that the model asks for are there: what lacks is that one waits for the other, named
 * by the calls that the program made. */
static void test_only_order(void **state)
{
    const struct fth_consistency *session = fth_consistency_find(&models, "session");
    (void)state;
    for (int ordered = 0; ordered < 2; ordered++) {
        struct fth_advice advice = {
            .model = session,
            .construct = &session->constructs[0],
            .ordered = ordered,
            .lacks_order_only = true,
            .file = "/data/x.h5",
            .x = {.who = "rank 0",
                  .function = "H5Dwrite",
                  .layer = fth_builtin_layer("hdf5"),
                  .is_rank = true,
                  .done = "H5Idec_ref"},
            .y = {.who = "rank 1",
                  .function = "H5Dread",
                  .layer = fth_builtin_layer("hdf5"),
                  .is_rank = true,
                  .done = "H5Fopen"},
        };
        struct fth_sink missing, repair;
        fth_sink_open_memory(&missing);
        fth_sink_open_memory(&repair);
        fth_advice_missing(&missing, &advice);
        fth_advice_repair(&repair, &advice);
        fth_sink_char(&missing, 0);
        fth_sink_char(&repair, 0);
        assert_string_equal(missing.bytes, ordered
                                               ? "nothing orders the H5Idec_ref of rank 0 before "
                                                 "the H5Fopen of rank 1, although both calls exist"
                                               : "nothing orders the two calls, nor the H5Idec_ref "
                                                 "of rank 0 before the H5Fopen of rank 1");
        assert_string_equal(repair.bytes, "add a message or a barrier after the H5Idec_ref of rank "
                                          "0 and before the H5Fopen of rank 1");
        fth_sink_close_memory(&missing);
        fth_sink_close_memory(&repair);
    }
}

/* What may order the calls, and cannot be followed, may be all that is needed. */
static void an_order_that_is_not_known_is_not_called_missing(void **state)
{
    (void)state;
    struct fth_advice advice = {
        .model = &(struct fth_consistency){0},
        .perhaps = true,
        .file = "f",
        .x = {.who = "process 1", .function = "write", .layer = fth_builtin_layer("posix")},
        .y = {.who = "process 2", .function = "read", .layer = fth_builtin_layer("posix")},
    };
    struct fth_sink missing, repair;
    fth_sink_open_memory(&missing);
    fth_sink_open_memory(&repair);
    fth_advice_missing(&missing, &advice);
    fth_advice_repair(&repair, &advice);
    fth_sink_char(&missing, 0);
    fth_sink_char(&repair, 0);
    assert_string_equal(missing.bytes, "nothing that Fathom can follow orders the two calls");
    assert_non_null(strstr(repair.bytes, "only if the program does not order them: add "));
    fth_sink_close_memory(&missing);
    fth_sink_close_memory(&repair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_order_that_is_not_known_is_not_called_missing),
        cmocka_unit_test(test_only_order),
        cmocka_unit_test(test_all_models),
        cmocka_unit_test(test_own_models),
        cmocka_unit_test(test_order_of_others),
        cmocka_unit_test(test_inherited),
        cmocka_unit_test(test_shell),
        cmocka_unit_test(test_begun),
        cmocka_unit_test(test_written_by_closing),
        cmocka_unit_test(test_one_collective_call),
        cmocka_unit_test(test_nothing_is_enough),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
