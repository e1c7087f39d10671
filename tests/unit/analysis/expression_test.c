/* Expressions over calls: what holds, what is not known, what is wrong where, and that printing
 * gives the same expression again. */
#include "analysis/language/expression.h"

#include "../model/made_trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

static struct fth_trace *trace;

/* A write of 3000 of 4096 bytes, at 10 ms for 2 ms, in MPI_File_write in the region "solve". */
static const struct fth_parameter parameters[] = {
    {"fd", "int", "use fd"}, {"count", "size_t", "bytes"}, {"whence", "int", "whence"}};
static const struct fth_function pwrite_function = {.name = "pwrite",
                                                    .layer = "posix",
                                                    .kind = "write",
                                                    .parameter_count = 3,
                                                    .parameters = parameters};
static const struct fth_function mpi_function = {
    .name = "MPI_File_write", .layer = "mpiio", .kind = "write", .collective = true};
static const struct fth_parameter region_parameters[] = {{"name", "const char *", ""}};
static const struct fth_function region_function = {.name = "region",
                                                    .layer = "application",
                                                    .kind = "region",
                                                    .parameter_count = 1,
                                                    .parameters = region_parameters};
static const struct fth_value values[] = {
    {.type = FTH_VALUE_HANDLE, .integer = 5},
    {.type = FTH_VALUE_INTEGER, .integer = 4096},
    {.type = FTH_VALUE_INTEGER, .integer = 2, .text = "SEEK_END"},
};
static struct fth_call call = {
    .thread = 1,
    .number = 7,
    .depth = 2,
    .function = &pwrite_function,
    .start = 10000000,
    .end = 12000000,
    .arguments = values,
    .result = {.type = FTH_VALUE_INTEGER, .integer = 3000},
    .error_number = 28,
    .error_name = "ENOSPC",
    .file = "/scratch/run 1/out.h5",
    .writes = true,
    .bytes_asked = 4096,
    .bytes = 3000,
    .bytes_known = true,
    .stream = -1,
};
static struct fth_around *around;

static int make(void **state)
{
    (void)state;
    const struct made made = {.processes = 2, .threads = 1, .calls = 10, .step = 100};
    static const char path[] = "expression_test.fathom";
    struct fth_bytes bytes = made_trace(&made);
    made_write(path, bytes.data, bytes.length);
    fth_bytes_free(&bytes);
    trace = fth_trace_open(path, NULL);
    unlink(path);
    const struct fth_value name = {.type = FTH_VALUE_TEXT, .text = "solve"};
    struct fth_call region = {.thread = 1, .function = &region_function, .arguments = &name};
    struct fth_call outer = {.thread = 1, .depth = 1, .function = &mpi_function};
    around = fth_analysis_around_new();
    fth_analysis_around_enter(around, &region);
    fth_analysis_around_enter(around, &outer);
    fth_analysis_around_enter(around, &call);
    return trace ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    fth_analysis_around_free(around);
    fth_trace_close(trace);
    return 0;
}

static bool holds(const char *text)
{
    struct fth_error *error = NULL;
    struct fth_expression *expression = fth_expression_parse(text, &error);
    if (!expression)
        fail_msg("%s: %s", text, fth_error_text(error));
    const struct fth_subject subject = {.trace = trace, .call = &call, .around = around};
    bool result = fth_expression_holds(expression, &subject);
    fth_expression_free(expression);
    return result;
}

static void calls_are_compared(void **state)
{
    static const char *const true_ones[] = {
        "layer == posix and bytes < 4K and duration > 1ms",
        "bytes == 3000 and asked == 4KiB and bytes < asked",
        "duration == 2ms and duration == 0.002 and duration >= 2000us",
        "start == 0.01 and end == 12ms and start + duration == end",
        "func in (write, pwrite) and thread in (0..1, 5)",
        "file ~ *.h5 and file == out.h5 and file == \"/scratch/run 1/out.h5\"",
        "FILE LIKE '/scratch/*' AND NOT file ~ *.nc",
        "error == ENOSPC and errno == 28 and failed",
        "writes and not reads and not collective and not nonblocking",
        "asked % 4K == 0 and asked / 2 == 2K and bytes * 2 == 6000 and asked - bytes > 1K",
        "asked / 1K == 4 and (bytes + 96) % 1024 == 24",
        "depth == 2 and parent == MPI_File_write and inside == MPI_File_write",
        "inside_layer == mpiio and inside == region and region == solve and region ~ s*",
        "inside != H5Dwrite and not inside == H5Dwrite",
        "arg.count == 4096 and arg.fd == 5 and arg.whence == SEEK_END and ret == 3000",
        "ret < arg.count and arg.count > 4095 and arg.whence ~ SEEK_*",
        "arg.count == (4000 + 96) and arg.count == 4000 + 96",
        "rate > 1M and rate < 2M",
        "proc == 0 or rank == 99",
        "4K >= bytes",
        "not (rank == 1 or layer == mpiio)",
        "-1 < thread and errno != -1",
    };
    static const char *const false_ones[] = {
        "layer == mpiio or bytes >= 4K or duration > 2ms",
        "func in (write, read)",
        "thread in (2..9)",
        "file == /out.h5",
        "file ~ '/scratch/*.nc'",
        "region == main",
        "arg.count == SEEK_END",
        "arg.nothing == 1 or arg.nothing != 1",
        "bytes / 0 == 0 or bytes % 0 == 0",
        "9223372036854775807 + bytes > 0",
    };
    (void)state;
    for (size_t i = 0; i < sizeof true_ones / sizeof *true_ones; i++)
        if (!holds(true_ones[i]))
            fail_msg("does not hold: %s", true_ones[i]);
    for (size_t i = 0; i < sizeof false_ones / sizeof *false_ones; i++)
        if (holds(false_ones[i]))
            fail_msg("holds: %s", false_ones[i]);
}

static void what_is_not_known_is_no_match(void **state)
{
    (void)state;
    assert_false(holds("object == x or object != x or object ~ *"));
    assert_false(holds("offset >= 0 or offset < 0"));
    assert_false(holds("handle == 0 or handle != 0 or group_size > 0"));
    assert_true(holds("not offset >= 0"));
    call.bytes_known = false;
    assert_false(holds("bytes == 3000 or bytes != 3000"));
    call.bytes_known = true;
    call.error_number = 0;
    call.error_name = NULL;
    assert_false(holds("errno == 0 or errno != 0 or error != ENOENT or failed"));
    call.error_number = 28;
    call.error_name = "ENOSPC";
}

static void processes_are_ruled_out(void **state)
{
    static const struct {
        const char *text;
        bool first, second;
    } cases[] = {
        {"proc == 1", false, true},
        {"proc == 1 and layer == posix", false, true},
        {"proc == 1 or layer == posix", true, true},
        {"not proc == 1", true, false},
        {"not (proc == 1 and layer == posix)", true, true},
        {"not (proc == 1 or layer == posix)", true, false},
        {"proc in (0, 5..7)", true, false},
        {"proc + 1 == 1", true, false},
        {"bytes > proc", true, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fth_expression *expression = fth_expression_parse(cases[i].text, NULL);
        assert_non_null(expression);
        const struct fth_known_of_calls first = {.trace = trace, .proc = 0};
        const struct fth_known_of_calls second = {.trace = trace, .proc = 1};
        if (fth_expression_may_hold(expression, &first) != cases[i].first ||
            fth_expression_may_hold(expression, &second) != cases[i].second)
            fail_msg("%s", cases[i].text);
        fth_expression_free(expression);
    }
}

static void functions_and_files_are_ruled_out(void **state)
{
    static const struct {
        const char *text;
        bool function, file, none; /* for calls of a function, about a file, about none */
    } cases[] = {
        {"layer == mpiio", false, true, true},
        {"not layer == mpiio", true, true, true},
        {"func == pwrite or bytes > 0", true, true, true},
        {"func == pread and bytes > 0", false, true, true},
        {"not (func == pwrite or bytes > 0)", false, true, true},
        {"nonblocking", false, true, true},
        {"file == out.h5", true, true, false},
        {"file == in.h5 and duration > 1s", true, false, false},
        {"file == in.h5 or duration > 1s", true, true, true},
        {"not file == out.h5", true, false, true},
        {"file != out.h5", true, false, false},
        {"func == pread or file == in.h5", true, true, true},
        {"func == pread and proc == 1", false, false, false},
        {"func == pwrite and file in (out.h5, x)", true, true, false},
    };
    static struct fth_function function = {.name = "pwrite", .layer = "posix", .kind = "write"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fth_expression *expression = fth_expression_parse(cases[i].text, NULL);
        assert_non_null(expression);
        const struct fth_known_of_calls of_function = {.trace = trace, .function = &function};
        const struct fth_known_of_calls of_file = {
            .trace = trace, .has_file = true, .file = "/scratch/out.h5"};
        const struct fth_known_of_calls of_none = {.trace = trace, .has_file = true};
        if (fth_expression_may_hold(expression, &of_function) != cases[i].function ||
            fth_expression_may_hold(expression, &of_file) != cases[i].file ||
            fth_expression_may_hold(expression, &of_none) != cases[i].none)
            fail_msg("%s", cases[i].text);
        fth_expression_free(expression);
    }
}

static void errors_tell_the_place(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "at its end: a field"},
        {"layr == posix",
         "at column 1, 'layr == posix': calls have no 'layr', did you mean 'layer'?"},
        {"layer = posix", "at column 7, '= posix': equality is written =="},
        {"rank == 1 && depth == 2", "at column 11, '&& depth == 2': this is written 'and'"},
        {"bytes > 4s", "at column 7, '> 4s': a number of bytes and a time"},
        {"duration", "this is a time, not a condition"},
        {"rank == 0.5", "at column 9, '0.5': this is not a whole number"},
        {"(rank == 1", "at its end: ')' is expected"},
        {"rank in 1", "a list is expected"},
        {"rank in (0, 3..1)", "at column 13, '3..1)': this range ends before it begins"},
        {"failed == 1", "true or false already"},
        {"func > x", "strings are compared with"},
        {"bytes > 5q", "at column 10, 'q': this is not a unit"},
        {"rank ~ 3", "a pattern matches a string"},
        {"file == 'x", "this quote is not closed"},
        {"rank == 1 rank", "at column 11, 'rank': the end, 'and' or 'or'"},
        {"file == 'ö' and rank = 1", "at column 22, '= 1'"},
        {"rank == 99999999999999999999", "not a number"},
        {"bytes == 9000000000T", "too large"},
        {"duration * duration > 1", "multiplied"},
        {"file + 1 == 2", "both sides must be numbers, not a path"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fth_error *error = NULL;
        assert_null(fth_expression_parse(cases[i].text, &error));
        if (!error || !strstr(fth_error_text(error), cases[i].says))
            fail_msg("%s: %s", cases[i].text, error ? fth_error_text(error) : "no error");
        fth_error_free(error);
    }
}

static void what_is_too_deep_or_too_long_is_refused(void **state)
{
    (void)state;
    size_t length = 1 << 16;
    char *text = malloc(length + 2);
    static const char *const pieces[] = {"(", "not ", "rank==1 or ", "1+", "-", "bytes in (1,"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct fth_error *error = NULL;
        size_t piece = strlen(pieces[i]), used = 0;
        while (used + piece <= length) {
            memcpy(text + used, pieces[i], piece);
            used += piece;
        }
        text[used] = 0;
        assert_null(fth_expression_parse(text, &error));
        assert_non_null(error);
        fth_error_free(error);
    }
    free(text);
}

static void some_are_printed(void **state)
{
    static const char *const cases[][2] = {
        {"bytes<4K", "(bytes < 4096B)"},
        {"rank == 1 or rank == 2 and failed", "((rank == 1) or ((rank == 2) and failed))"},
        {"(rank == 1 or rank == 2) and failed", "(((rank == 1) or (rank == 2)) and failed)"},
        {"bytes - (asked - 1) > 0", "((bytes - (asked - 1)) > 0)"},
        {"NOT file LIKE '/a b/*'", "not (file ~ \"/a b/*\")"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fth_sink printed;
        fth_sink_open_memory(&printed);
        struct fth_expression *expression = fth_expression_parse(cases[i][0], NULL);
        assert_non_null(expression);
        fth_expression_print(expression, &printed);
        fth_sink_char(&printed, 0);
        if (strcmp(printed.bytes, cases[i][1]) != 0)
            fail_msg("%s is printed as %s", cases[i][0], printed.bytes);
        fth_expression_free(expression);
        fth_sink_close_memory(&printed);
    }
}

/* ---- random expressions ---- */

static uint64_t state_of_chance = 20261122;

static unsigned chance(unsigned below)
{
    state_of_chance = state_of_chance * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state_of_chance >> 33) % below;
}

static const char *one_of(const char *const *list, unsigned count)
{
    return list[chance(count)];
}
#define ONE_OF(...)                                                                                \
    one_of((const char *const[]){__VA_ARGS__},                                                     \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void put_condition(struct fth_sink *sink, unsigned depth)
{
    if (depth && chance(3)) {
        bool denied = chance(4) == 0;
        fth_sink_text(sink, denied ? "not (" : "(");
        put_condition(sink, depth - 1);
        fth_sink_text(sink, ONE_OF(" and ", " or ", " AND ", ") and (", ") or not ("));
        put_condition(sink, depth - 1);
        fth_sink_char(sink, ')');
        return;
    }
    switch (chance(5)) {
    case 0:
        fth_sink_text(sink, ONE_OF("reads", "writes", "failed", "collective", "not fortran"));
        return;
    case 1:
        fth_sink_text(sink, ONE_OF("layer", "func", "file", "inside", "region", "arg.whence"));
        fth_sink_text(sink, ONE_OF(" == ", " != ", " ~ ", " like "));
        fth_sink_text(sink, ONE_OF("posix", "p*", "'a b'", "\"it's\"", "/x/y.h5", "SEEK_END"));
        return;
    case 2:
        fth_sink_text(sink,
                      ONE_OF("bytes", "asked + 1", "bytes % 4K", "asked / 2 - bytes", "rate"));
        fth_sink_text(sink, ONE_OF(" < ", "<=", ">", " >= ", " == ", " != "));
        fth_sink_text(sink, ONE_OF("3000", "4K", "0.5M", "asked", "bytes * 2", "1TiB"));
        return;
    case 3:
        fth_sink_text(sink, ONE_OF("duration", "end - start", "start", "duration * 3 / 2"));
        fth_sink_text(sink, ONE_OF(" < ", "<=", ">", " >= ", " == ", " != "));
        fth_sink_text(sink, ONE_OF("1", "0.002", "1.5ms", "20us", "end", "start + 1"));
        return;
    default:
        fth_sink_text(sink, ONE_OF("thread in (0..1, 4)", "func in (write, 'pwrite')",
                                   "bytes in (1K..4K)", "duration in (1ms, 2ms..0.003)",
                                   "arg.whence in (SEEK_END, 2..3)", "errno in (-1, 28)"));
    }
}

/* Each operator of a chain would be one more bracket. */
static void long_chains_are_printed_without_brackets(void **state)
{
    (void)state;
    struct fth_sink text, once;
    struct fth_error *error = NULL;
    fth_sink_open_memory(&text);
    fth_sink_open_memory(&once);
    fth_sink_text(&text, "rank");
    for (int i = 0; i < 200; i++)
        fth_sink_text(&text, i % 2 ? " - 2 * 3" : " + rank");
    fth_sink_text(&text, " < 5");
    fth_sink_char(&text, 0);
    struct fth_expression *first = fth_expression_parse(text.bytes, &error);
    fth_expression_print(first, &once);
    fth_sink_char(&once, 0);
    struct fth_expression *second = fth_expression_parse(once.bytes, &error);
    assert_non_null(second);
    fth_expression_free(first);
    fth_expression_free(second);
    fth_sink_close_memory(&text);
    fth_sink_close_memory(&once);
}

static void printing_gives_the_same_again(void **state)
{
    (void)state;
    unsigned held = 0;
    for (unsigned i = 0; i < 5000; i++) {
        struct fth_sink text, once, twice;
        fth_sink_open_memory(&text);
        fth_sink_open_memory(&once);
        fth_sink_open_memory(&twice);
        put_condition(&text, 1 + i % 4);
        fth_sink_char(&text, 0);
        struct fth_error *error = NULL;
        struct fth_expression *first = fth_expression_parse(text.bytes, &error);
        if (!first)
            fail_msg("%s: %s", text.bytes, fth_error_text(error));
        fth_expression_print(first, &once);
        fth_sink_char(&once, 0);
        struct fth_expression *second = fth_expression_parse(once.bytes, &error);
        if (!second)
            fail_msg("%s became %s: %s", text.bytes, once.bytes, fth_error_text(error));
        fth_expression_print(second, &twice);
        fth_sink_char(&twice, 0);
        if (strcmp(once.bytes, twice.bytes) != 0)
            fail_msg("%s became %s, and that %s", text.bytes, once.bytes, twice.bytes);
        const struct fth_subject subject = {.trace = trace, .call = &call, .around = around};
        bool holds_first = fth_expression_holds(first, &subject);
        if (holds_first != fth_expression_holds(second, &subject) ||
            fth_expression_needs(first) != fth_expression_needs(second))
            fail_msg("%s became %s, which says something else", text.bytes, once.bytes);
        held += holds_first;
        fth_expression_free(first);
        fth_expression_free(second);
        fth_sink_close_memory(&text);
        fth_sink_close_memory(&once);
        fth_sink_close_memory(&twice);
    }
    assert_in_range(held, 500, 4500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_compared),
        cmocka_unit_test(what_is_not_known_is_no_match),
        cmocka_unit_test(processes_are_ruled_out),
        cmocka_unit_test(functions_and_files_are_ruled_out),
        cmocka_unit_test(errors_tell_the_place),
        cmocka_unit_test(what_is_too_deep_or_too_long_is_refused),
        cmocka_unit_test(some_are_printed),
        cmocka_unit_test(long_chains_are_printed_without_brackets),
        cmocka_unit_test(printing_gives_the_same_again),
    };
    return cmocka_run_group_tests(tests, make, drop);
}
