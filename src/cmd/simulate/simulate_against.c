/* `fathom simulate --against`: the same program twice, as the cluster is and with other values or
 * on another cluster, and what that changes. */
#include "cmd/simulate/simulate.h"
#include "sim/program/program_text.h"
#include "sim/results/changes.h"
#include "sim/run/limits.h"

/* One run; `other`: with what is to be compared. */
static int run_once(const struct fth_cmd_simulation *request, bool other,
                    struct fth_sim_outcome *outcome, struct fth_error **error)
{
    struct fth_sim_sweep sweep = other ? request->against : (struct fth_sim_sweep){0};
    sweep.program_path = request->program_path;
    sweep.cluster_path =
        other && request->against_path ? request->against_path : request->cluster_path;
    sweep.processes = request->processes;
    sweep.methods = request->methods;
    sweep.method_count = request->method_count;
    sweep.replay = &request->replay;
    sweep.most_events = request->most_events;
    return fth_sim_sweep_one(&sweep, outcome, error);
}

static int show(const struct fth_cmd_simulation *request, const struct fth_table *table,
                struct fth_error **error)
{
    struct fth_writer writer;
    if (fth_cmd_open_simulation(&writer, request, error))
        return -1;
    fth_views_write_table(&writer, table, &(struct fth_table_layout){0});
    return fth_cmd_close_page(&writer, 0, error);
}

int fth_cmd_against(const struct fth_cmd_simulation *request, struct fth_error **error)
{
    struct fth_sim_outcome before = {0}, after = {0};
    if (request->trace_path)
        return fth_fail(error, "--trace writes one run: leave --against out");
    int result = run_once(request, false, &before, error);
    if (!result)
        result = run_once(request, true, &after, error);
    struct fth_table *table = result ? NULL : fth_sim_changes(&before, &after);
    if (!result)
        result = table && !fth_table_failed(table) ? show(request, table, error)
                                                   : fth_fail(error, "out of memory for the table");
    fth_table_free(table);
    fth_sim_outcome_free(&before);
    fth_sim_outcome_free(&after);
    struct fth_sim_sweep against = request->against;
    fth_sim_sweep_free(&against);
    return result;
}
