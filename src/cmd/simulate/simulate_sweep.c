/* `fathom simulate --sweep`: the same program with other values, a row for each point. */
#include "cmd/run/launched_together.h"
#include "cmd/simulate/simulate.h"
#include "measure/rank_results.h"

/* All points in a table. Those that went wrong say why, and the command fails when there are
 * any. */
static int show_sweep(const struct fth_cmd_simulation *request, struct fth_table *table,
                      struct fth_error **error)
{
    struct fth_writer writer;
    size_t wrong = fth_table_column(table, "wrong"), failed = 0;
    if (fth_cmd_open_simulation(&writer, request, error))
        return -1;
    fth_views_write_table(&writer, table, &(struct fth_table_layout){0});
    if (fth_cmd_close_page(&writer, 0, error))
        return -1;
    const char *first = NULL;
    for (size_t i = 0; i < fth_table_rows(table); i++) {
        struct fth_cell cell = fth_table_row(table, i)[wrong];
        if (cell.type == FTH_CELL_TEXT && !failed++)
            first = cell.text;
    }
    return failed ? fth_fail(error, "%zu of %zu points failed, the first one: %s", failed,
                             fth_table_rows(table), first)
                  : 0;
}

/* Ranks of a launcher share the points, and the processors of their node. */
static void take_part(struct fth_sim_sweep *sweep, const struct fth_together *together)
{
    sweep->part = (uint32_t)together->rank;
    sweep->parts = (uint32_t)together->size;
    sweep->workers = fth_together_processors(together);
}

static int run_sweep(const struct fth_cmd_simulation *request, struct fth_sim_sweep *sweep,
                     struct fth_error **error)
{
    struct fth_together together;
    bool is_one_of_several = fth_together_find(&together);
    uint64_t count = fth_sim_sweep_count(sweep, error);
    if (!count || fth_sim_sweep_check(sweep, count, error)) {
        if (together.rank == 0)
            return -1;
        fth_error_free(*error); /* rank 0 reports it */
        *error = NULL;
        return 0;
    }
    if (is_one_of_several)
        take_part(sweep, &together);
    struct fth_sim_point *points = fth_sim_sweep_run(sweep, count, error);
    int result = points ? 0 : -1;
    if (points && is_one_of_several)
        result = fth_gather_items((int)together.rank, (int)together.size, NULL,
                                  fth_sim_sweep_part_of, points, sizeof *points, count, error);
    if (!result && together.rank == 0) {
        struct fth_table *table = fth_sim_sweep_table(sweep, points, count, error);
        result = table ? show_sweep(request, table, error) : -1;
        fth_table_free(table);
    }
    fth_sim_sweep_forget(points, count);
    return result;
}

int fth_cmd_sweep(const struct fth_cmd_simulation *request, struct fth_error **error)
{
    struct fth_sim_sweep sweep = request->sweep;
    if (request->trace_path)
        return fth_fail(error, "--trace writes one run: leave --sweep out");
    sweep.program_path = request->program_path;
    sweep.cluster_path = request->cluster_path;
    sweep.processes = request->processes;
    sweep.methods = request->methods;
    sweep.method_count = request->method_count;
    sweep.replay = &request->replay;
    sweep.most_events = request->most_events;
    int result = run_sweep(request, &sweep, error);
    fth_sim_sweep_free(&sweep);
    return result;
}
