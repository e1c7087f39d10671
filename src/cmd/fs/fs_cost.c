/* `fathom fs cost`: tokens of three workloads under the policies of a lock manager. */
#include "cmd/fs/fs_cost.h"

#include "base/memory.h"
#include "holders/lock_cost.h"
#include "table/table.h"

enum { RUNS = 20, SEED = 1 };

enum column { WORKLOAD, POLICY, ALPHA, BETA, GAMMA, TIME, COLUMNS };
static const struct fth_column columns[COLUMNS] = {
    {"workload", "workload", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"policy", "policy", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"granted", "granted", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
    {"local", "local", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
    {"conflicts", "conflicts", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"locks", "Lock requests of a node", columns, COLUMNS, 0};

static const char *const workloads[] = {[FTH_WORKLOAD_FPP] = "file per process",
                                        [FTH_WORKLOAD_CONTIGUOUS] = "contiguous",
                                        [FTH_WORKLOAD_STRIDED] = "strided"};
static const struct policy {
    const char *name;
    enum fth_grant grant;
    enum fth_give give;
} policies[] = {
    {"exact", FTH_GRANT_EXACT, FTH_GIVE_SPLIT},
    {"extend-end", FTH_GRANT_EXTEND_END, FTH_GIVE_SPLIT},
    {"extend", FTH_GRANT_EXTEND, FTH_GIVE_SPLIT},
    {"extend, revoke", FTH_GRANT_EXTEND, FTH_GIVE_REVOKE},
};
enum { POLICIES = sizeof policies / sizeof *policies };

static void add_row(struct fth_table *table, const struct fth_cmd_fs_cost *cost,
                    enum fth_workload workload, const struct policy *policy)
{
    struct fth_lock_cost is =
        fth_lock_cost(&(struct fth_lock_work){workload, policy->grant, policy->give, cost->nodes,
                                              cost->processes, cost->operations, RUNS, SEED});
    double time = is.granted * (double)cost->global + is.local * (double)cost->local +
                  is.conflicts * (double)cost->conflict;
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, WORKLOAD, fth_cell_text(workloads[workload]));
    fth_table_set(table, row, POLICY, fth_cell_text(policy->name));
    fth_table_set(table, row, ALPHA, fth_cell_real(is.granted));
    fth_table_set(table, row, BETA, fth_cell_real(is.local));
    fth_table_set(table, row, GAMMA, fth_cell_real(is.conflicts));
    fth_table_set(table, row, TIME, fth_cell_integer((int64_t)time));
}

static void put_head(struct fth_output *output, const void *context)
{
    const struct fth_cmd_fs_cost *cost = context;
    fth_views_print(output, "%u nodes, %u processes each, %u writes of a block each\n", cost->nodes,
                    cost->processes, cost->operations);
    fth_views_print(output, "A request takes %s if the global manager grants it, ",
                    fth_phrase_duration(cost->global).text);
    fth_views_print(output, "%s if the node has the lock, ", fth_phrase_duration(cost->local).text);
    fth_views_print(output, "%s with a conflict.\n", fth_phrase_duration(cost->conflict).text);
}

static void put_facts(struct fth_json *facts, const struct fth_cmd_fs_cost *cost)
{
    fth_json_key_unsigned(facts, "nodes", cost->nodes);
    fth_json_key_unsigned(facts, "processes", cost->processes);
    fth_json_key_unsigned(facts, "operations", cost->operations);
    fth_json_key_seconds(facts, "time_granted", cost->global);
    fth_json_key_seconds(facts, "time_local", cost->local);
    fth_json_key_seconds(facts, "time_conflict", cost->conflict);
}

int fth_cmd_fs_cost(const struct fth_cmd_fs_cost *cost, const struct fth_cmd_page *page,
                    struct fth_error **error)
{
    struct fth_writer writer;
    struct fth_table *table = fth_table_new(&shape);
    for (int workload = 0; workload <= FTH_WORKLOAD_STRIDED; workload++)
        for (size_t i = 0; i < POLICIES; i++)
            add_row(table, cost, (enum fth_workload)workload, &policies[i]);
    int failed = fth_cmd_open_page(&writer, page, "fathom fs cost", 1, NULL, error);
    if (!failed) {
        if (fth_views_for_people(&writer))
            fth_views_write_lines(&writer, put_head, cost);
        else
            put_facts(&writer.facts, cost);
        fth_views_write_gap(&writer);
        fth_views_write_table(&writer, table, &(struct fth_table_layout){0});
        failed = fth_cmd_close_page(&writer, 0, error);
    }
    fth_table_free(table);
    return failed;
}
