/* What came of programs that ran at the same time, as tables: see contended.h. */
#include "sim/results/contended.h"

#include "base/memory.h"

#include <stdlib.h>

char *fth_sim_server_set_text(const struct fth_sim_server_set *set, uint32_t servers)
{
    uint32_t last = set->first + set->count - 1;
    if (set->count == 1)
        return fth_text_format("%u", set->first);
    if (last < servers)
        return fth_text_format("%u-%u", set->first, last);
    return last == servers
               ? fth_text_format("%u-%u, 0", set->first, servers - 1)
               : fth_text_format("%u-%u, 0-%u", set->first, servers - 1, last - servers);
}

enum { PROGRAM, PROCESSES, ALONE, TOGETHER, SLOWDOWN, SERVERS, APART, APART_SLOWDOWN, CONTENDERS };
static const struct fth_column contender_columns[CONTENDERS] = {
    {"program", "program", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"processes", "processes", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"alone", "alone", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"together", "together", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"slowdown", "times alone", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
    {"apart_servers", "apart: on servers", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"apart", "apart", FTH_UNIT_TIME, FTH_SHOW_UNLESS_NULL},
    {"apart_slowdown", "times alone, apart", FTH_UNIT_RATIO, FTH_SHOW_UNLESS_NULL},
};

struct fth_table *fth_sim_contenders_table(const struct fth_sim_contention *contention,
                                           const struct fth_sim_contention_result *result)
{
    static const struct fth_shape shape = {"contenders", "Programs", contender_columns, CONTENDERS,
                                           0};
    struct fth_table *table = fth_table_new(&shape);
    for (size_t i = 0; table && i < result->count; i++) {
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, PROGRAM, fth_cell_text(contention->paths[i]));
        fth_table_set(table, row, PROCESSES, fth_cell_integer(result->together.ranks[i]));
        fth_table_set(table, row, ALONE, fth_cell_integer(result->alone[i].ends[i]));
        fth_table_set(table, row, TOGETHER, fth_cell_integer(result->together.ends[i]));
        fth_table_set(table, row, SLOWDOWN,
                      fth_cell_real(fth_sim_slowdown(result, &result->together, i)));
        if (!result->apart.busy)
            continue;
        char *text = fth_sim_server_set_text(&result->apart.servers[i], result->server_count);
        fth_table_set(table, row, SERVERS, fth_cell_text(text));
        fth_table_set(table, row, APART, fth_cell_integer(result->apart.ends[i]));
        fth_table_set(table, row, APART_SLOWDOWN,
                      fth_cell_real(fth_sim_slowdown(result, &result->apart, i)));
        free(text);
    }
    return table;
}

enum { SERVER, USER, BYTES, SHARE, BUSY_ALONE, BUSY_TOGETHER, MET_COLUMNS };
static const struct fth_column met_columns[MET_COLUMNS] = {
    {"server", "server", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"program", "program", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"bytes", "bytes", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"share", "of the server's", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"busy_alone", "disk busy alone", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"busy_together", "for all", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};

struct fth_table *fth_sim_met_servers_table(const struct fth_sim_contention *contention,
                                            const struct fth_sim_contention_result *result)
{
    static const struct fth_shape shape = {"met_servers", "Servers, all programs together",
                                           met_columns, MET_COLUMNS, 0};
    struct fth_table *table = fth_table_new(&shape);
    for (uint32_t server = 0; table && server < result->server_count; server++) {
        const uint64_t *bytes = &result->together.bytes[server * result->count];
        uint64_t all = 0;
        for (size_t i = 0; i < result->count; i++)
            all += bytes[i];
        for (size_t i = 0; i < result->count; i++) {
            if (!bytes[i])
                continue;
            size_t row = fth_table_add_row(table);
            fth_table_set(table, row, SERVER, fth_cell_integer(server));
            fth_table_set(table, row, USER, fth_cell_text(contention->paths[i]));
            fth_table_set(table, row, BYTES, fth_cell_integer((int64_t)bytes[i]));
            fth_table_set(table, row, SHARE, fth_cell_real(100. * (double)bytes[i] / (double)all));
            fth_table_set(table, row, BUSY_ALONE, fth_cell_integer(result->alone[i].busy[server]));
            fth_table_set(table, row, BUSY_TOGETHER,
                          fth_cell_integer(result->together.busy[server]));
        }
    }
    return table;
}
