/* One run under all built-in models, for its page. */
#include "cmd/shared/verifying.h"

#include "verify/verify.h"
#include "views/verdicts/verify_forms.h"

int fth_cmd_pack_verdict(struct fth_sink *to, struct fth_trace *trace, const char *path,
                         unsigned jobs, struct fth_verify_progress *progress,
                         struct fth_error **error)
{
    const struct fth_verify_options options = {.threads = jobs, .progress = progress};
    struct fth_consistencies models = {0};
    struct fth_runs runs = {0};
    struct fth_verdict *verdict = NULL;
    fth_consistency_built_in(&models);
    if (!fth_runs_open(&runs, &trace, &path, 1, error))
        verdict = fth_verify(&runs, &models, &options, error);
    bool done = verdict != NULL;
    if (done)
        fth_views_verify_page(to, verdict);
    fth_verdict_free(verdict);
    fth_runs_close(&runs);
    fth_consistencies_free(&models);
    return done ? 0 : -1;
}
