/* Any text is either an expression or an error, what is printed of it gives the same expression
 * again, and a call can be asked. For libFuzzer: link with src/analysis/expression*.c and what
 * these use (tests/fuzz/expression does). */
#include "analysis/language/expression.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static const struct fth_parameter parameter = {"count", "size_t", "bytes"};
static const struct fth_function function = {.name = "write",
                                             .layer = "posix",
                                             .kind = "write",
                                             .parameter_count = 1,
                                             .parameters = &parameter};
static const struct fth_value value = {
    .type = FTH_VALUE_INTEGER, .integer = INT64_MIN, .text = "x"};

/* What is asked of its process or file needs a trace: only expressions that are printed without
 * these names are asked. */
static bool needs_trace(const char *text)
{
    static const char *const words[] = {"rank",    "world",    "host",
                                        "program", "launcher", "filesystem"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasestr(text, words[i]))
            return true;
    return false;
}

static void ask(const struct fth_expression *expression)
{
    const struct fth_call call = {.function = &function,
                                  .arguments = &value,
                                  .start = INT64_MIN / 2,
                                  .end = INT64_MAX / 2,
                                  .file = "/a/b",
                                  .bytes_asked = INT64_MAX,
                                  .bytes = 3,
                                  .bytes_known = true,
                                  .writes = true};
    fth_expression_holds(expression, &(struct fth_subject){.call = &call});
}

static char *print(const struct fth_expression *expression, struct fth_sink *sink)
{
    fth_sink_open_memory(sink);
    fth_expression_print(expression, sink);
    fth_sink_char(sink, 0);
    return sink->bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char *text = malloc(length + 1);
    struct fth_error *error = NULL;
    struct fth_sink once, twice;
    memcpy(text, bytes, length);
    text[length] = 0;
    struct fth_expression *expression = fth_expression_parse(text, &error);
    if ((expression == NULL) != (error != NULL))
        abort();
    if (expression) {
        struct fth_expression *again = fth_expression_parse(print(expression, &once), NULL);
        if (!needs_trace(once.bytes))
            ask(expression);
        if (strlen(once.bytes) <= 65536 &&
            (!again || strcmp(once.bytes, print(again, &twice)) != 0))
            abort();
        if (again && strlen(once.bytes) <= 65536)
            fth_sink_close_memory(&twice);
        fth_expression_free(again);
        fth_sink_close_memory(&once);
    }
    fth_expression_free(expression);
    fth_error_free(error);
    free(text);
    return 0;
}
