/* Signatures that differ, as a table. */
#include "diff/diff_tables.h"

#include "base/memory.h"

static const struct fth_column columns[] = {
    {"in", "in", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"func", "call", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_UNLESS_NULL},
    {"parameters", "with", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"calls_a", "calls A", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"calls_b", "calls B", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"signature_changes", "Signatures that differ", columns, 7,
                                       0};

struct fth_table *fth_diff_call_changes(const struct fth_diff *diff)
{
    struct fth_table *table = fth_table_new(&shape);
    if (!table)
        fth_out_of_memory();
    for (size_t i = 0; i < diff->calls.count; i++) {
        const struct fth_diff_call *call = &diff->calls.list[i];
        const struct fth_diff_signature *signature = call->signature;
        const struct fth_cell cells[] = {
            fth_cell_text(!call->in[1]   ? "A"
                          : !call->in[0] ? "B"
                                         : "both"),
            fth_cell_text(signature->function->name),
            fth_cell_text(signature->function->layer),
            fth_cell_text(signature->path),
            fth_cell_text(signature->parameters),
            fth_cell_integer((int64_t)call->calls[0]),
            fth_cell_integer((int64_t)call->calls[1]),
        };
        size_t row = fth_table_add_row(table);
        for (size_t k = 0; k < sizeof cells / sizeof *cells; k++)
            fth_table_set(table, row, k, cells[k]);
    }
    return table;
}
