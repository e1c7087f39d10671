/* One run under all built-in models, for its page. */
#include "cmd/shared/verifying.h"

#include "verify/verify.h"
#include "views/pages/verdict.h"
#include "views/verdicts/verify_forms.h"

int fth_cmd_ask_collectives(const struct fth_runs *runs, struct fth_trace **traces,
                            const char **paths, const struct fth_consistencies *models,
                            const struct fth_verify_options *options, struct fth_verdict *verdict,
                            struct fth_error **error)
{
    struct fth_verify_options together = *options;
    const struct fth_consistencies first = {models->count > 0, models->models};
    struct fth_runs again = {0};
    struct fth_verdict *other = NULL;
    uint64_t violations = fth_views_verdict_of_mpi_io(verdict);
    if (!violations || verdict->collectives_synchronize)
        return 0;
    together.order.collectives_synchronize = true;
    if (fth_runs_open(&again, traces, paths, runs->count, error) == 0) {
        for (size_t i = 0; i < runs->count * runs->count; i++)
            if (runs->before[i])
                fth_runs_put_before(&again, i / runs->count, i % runs->count);
        other = fth_verify(&again, &first, &together, error);
    }
    if (other)
        verdict->collectives_matter = fth_views_verdict_of_mpi_io(other) < violations;
    int result = other ? 0 : -1;
    fth_verdict_free(other);
    fth_runs_close(&again);
    return result;
}

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
    bool done = verdict && fth_cmd_ask_collectives(&runs, &trace, &path, &models, &options, verdict,
                                                   error) == 0;
    if (done)
        fth_views_verify_page(to, verdict);
    fth_verdict_free(verdict);
    fth_runs_close(&runs);
    fth_consistencies_free(&models);
    return done ? 0 : -1;
}
