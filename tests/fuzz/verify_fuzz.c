/* Any bytes that are a trace have a verdict, in every format, or an error. For libFuzzer; the test
 * fuzz.verify builds and runs it. The mutator is that of fuzz.trace. */
#define LLVMFuzzerTestOneInput read_one_input
#include "trace_fuzz.c"
#undef LLVMFuzzerTestOneInput

#include "verify/verify.h"
#include "views/pages/verdict.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void show(const struct fth_verdict *verdict, const struct fth_format *format)
{
    static struct fth_output output;
    const char *const no_inputs[] = {NULL};
    struct fth_error *error = NULL;
    struct fth_writer writer;
    if (fth_views_open(&output, "/dev/null", no_inputs, &error))
        abort();
    fth_views_begin(&writer, format, &output,
                    &(struct fth_page){"verify", FTH_VERDICT_LINE_DEPTH, "models"});
    fth_views_verdict(&writer, verdict, NULL, 0);
    if (fth_views_end(&writer, &error))
        abort();
    if (fth_views_close(&output, &error))
        abort();
}

static void verify(struct fth_trace *trace, const char *path)
{
    /* A few bytes may say that a loop is gone through for hours: that is no error. */
    if (fth_trace_info(trace)->calls >= MOST_CALLS)
        return;
    struct fth_runs runs = {0};
    struct fth_consistencies models = {0};
    struct fth_error *error = NULL;
    const struct fth_verify_options options = {.threads = 2};
    struct fth_verdict *verdict = NULL;
    fth_consistency_built_in(&models);
    if (fth_runs_open(&runs, &trace, &path, 1, &error) == 0)
        verdict = fth_verify(&runs, &models, &options, &error);
    if ((verdict == NULL) != (error != NULL))
        abort();
    for (size_t i = 0; verdict && i < fth_format_count; i++)
        show(verdict, fth_formats[i]);
    if (verdict) {
        show(verdict, &fth_format_terminal);
        show(verdict, &fth_format_html);
    }
    fth_verdict_free(verdict);
    fth_runs_close(&runs);
    fth_consistencies_free(&models);
    fth_error_free(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    look_at_bytes(bytes, length, verify);
    return 0;
}
