/* Rows of probes, and the file of them. */
#include "instrument/probe_rows.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static bool is_bytes(const struct fth_probe_value *value)
{
    return strcmp(value->name, "bytes") == 0;
}

/* Bytes come first, as the recorder has them there. */
static void take_values(struct fth_probe_row *row, const struct fth_probe_entry *entry)
{
    for (int others = 0; others < 2; others++)
        for (uint32_t i = 0; i < entry->value_count; i++)
            if (is_bytes(&entry->values[i]) != others)
                row->values[row->value_count++] = entry->values[i];
    row->moves = row->value_count && is_bytes(&row->values[0]) &&
                 (row->of_class == FTH_PROBE_WRITE || row->of_class == FTH_PROBE_READ);
}

static bool has_value(const struct fth_probe_row *row, const char *name)
{
    for (uint32_t i = 0; i < row->value_count; i++)
        if (!strcmp(row->values[i].name, name))
            return true;
    return false;
}

/* An entry without values leaves what another one has begun. */
static int check(const struct fth_probe_row *row, const struct fth_probe_list *probes,
                 const struct fth_probe_entry *entry, struct fth_error **error)
{
    if (row->of_class != entry->of_class && (row->moves || entry->value_count))
        return fth_probe_entry_fail(probes, entry, error,
                                    "the probe '%s' is of another class than in line %u", row->name,
                                    row->first->line);
    if (!entry->value_count)
        return 0;
    bool same = entry->value_count == row->value_count;
    for (uint32_t i = 0; i < entry->value_count; i++)
        same = same && has_value(row, entry->values[i].name);
    return same ? 0
                : fth_probe_entry_fail(probes, entry, error,
                                       "the probe '%s' has other values than in line %u; a name "
                                       "has the same ones everywhere",
                                       row->name, row->first->line);
}

struct fth_probe_row *fth_probe_row_of(struct fth_probe_rows *rows,
                                       const struct fth_probe_list *probes,
                                       const struct fth_probe_entry *entry, const char *layer,
                                       const char *named, struct fth_error **error)
{
    const char *called = entry->name ? entry->name : named;
    if (!called) {
        fth_probe_entry_fail(probes, entry, error,
                             "this probe has no name; add 'name=' and what it measures");
        return NULL;
    }
    char *name = fth_text_format("%s_%s", layer, called);
    for (size_t i = 0; i < rows->count; i++) {
        if (strcmp(rows->list[i].name, name) != 0)
            continue;
        struct fth_probe_row *row = &rows->list[i];
        free(name);
        if (check(row, probes, entry, error))
            return NULL;
        if (!row->value_count)
            take_values(row, entry);
        return row;
    }
    FTH_GROW(rows->list, rows->count);
    struct fth_probe_row *row = &rows->list[rows->count++];
    *row = (struct fth_probe_row){
        .layer = layer, .name = name, .of_class = entry->of_class, .first = entry};
    take_values(row, entry);
    return row;
}

static void write_row(const struct fth_probe_row *row, struct fth_sink *sink)
{
    const char *kind = !row->moves ? "other" : row->of_class == FTH_PROBE_WRITE ? "write" : "read";
    const char *const head[] = {kind, " by hand ", row->moves ? "int64_t " : "void ", row->name,
                                "("};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        fth_sink_text(sink, head[i]);
    for (uint32_t i = 0; i < row->value_count; i++) {
        fth_sink_text(sink, i ? ", int64_t " : "int64_t ");
        fth_sink_text(sink, row->values[i].name);
        fth_sink_text(sink, row->moves && !i ? ": bytes" : ": value");
    }
    fth_sink_text(sink, row->moves ? "): moved\n" : ")\n");
}

void fth_probe_rows_write(const struct fth_probe_rows *rows, const char *name,
                          struct fth_sink *sink)
{
    const char *const head[] = {
        "# The probes of ",
        name,
        ". Their calls begin and end in the sources that `fathom "
        "instrument` made;\n# no file has functions of these names.\nlibrary ",
        name,
        "_probes fathom_probes_",
        name,
        " fathom_probe\n"};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        fth_sink_text(sink, head[i]);
    for (size_t i = 0; i < rows->count; i++) {
        const struct fth_probe_row *row = &rows->list[i];
        bool is_first = true;
        for (size_t k = 0; k < i; k++)
            is_first = is_first && strcmp(rows->list[k].layer, row->layer) != 0;
        if (!is_first)
            continue;
        fth_sink_text(sink, "\nlayer ");
        fth_sink_text(sink, row->layer);
        fth_sink_text(sink, "\n    is probes about \"probes in sources\"\n\n");
        for (size_t k = i; k < rows->count; k++)
            if (strcmp(rows->list[k].layer, row->layer) == 0)
                write_row(&rows->list[k], sink);
    }
}

void fth_probe_rows_free(struct fth_probe_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free(rows->list[i].name);
    free(rows->list);
    *rows = (struct fth_probe_rows){0};
}
