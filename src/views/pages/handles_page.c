/* Handles. For people, indentation shows the tree, and a path is shown in full only if it
 * differs from that of the row above in the tree. */
#include "views/pages/handles_page.h"

#include "analysis/select/noise.h"
#include "base/memory.h"
#include "base/phrase.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 2, DEEPEST_INDENT = 20 };

enum column { LABEL, LAYER, ACCESS, FLAGS, GROUP, FROM, CALLS, ERRORS, READ, WRITTEN, TIME };
static const struct fth_column columns[] = {
    [LABEL] = {"label", "handle", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    [LAYER] = {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [ACCESS] = {"access", "access", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    [FLAGS] = {"flags", "flags", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    [GROUP] = {"group", "group", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    [FROM] = {"from", "from", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    [CALLS] = {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [ERRORS] = {"errors", "failed", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    [READ] = {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    [WRITTEN] = {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    [TIME] = {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"handles", "Handles", columns,
                                       sizeof columns / sizeof *columns, 0};

/* A row of the pass's table. */
struct row {
    const struct fth_table *table;
    const struct fth_cell *cells;
};

static struct fth_cell cell_of(const struct row *row, const char *column)
{
    return row->cells[fth_table_column(row->table, column)];
}

static const char *text_of(const struct row *row, const char *column)
{
    struct fth_cell cell = cell_of(row, column);
    return cell.type == FTH_CELL_TEXT ? cell.text : NULL;
}

/* Paths of the row's parents in the tree. */
struct trail {
    const char **paths;
    size_t depth;
};

static void put_label(struct fth_sink *sink, const struct row *row, const struct trail *trail)
{
    const char *path = text_of(row, "path"), *name = text_of(row, "name");
    const char *around = trail->depth ? trail->paths[trail->depth - 1] : NULL;
    bool is_same = path && around && strcmp(path, around) == 0;
    struct fth_cell value = cell_of(row, "value");
    fth_sink_fill(sink, ' ',
                  INDENT * (trail->depth < DEEPEST_INDENT ? trail->depth : DEEPEST_INDENT));
    fth_sink_text(sink, text_of(row, "class"));
    if (value.type == FTH_CELL_INTEGER && strcmp(text_of(row, "class"), "fd") == 0) {
        fth_sink_char(sink, ' ');
        fth_sink_integer(sink, value.integer);
    }
    if (path && !(is_same && name)) {
        const char *slash = is_same ? strrchr(path, '/') : NULL;
        fth_sink_char(sink, ' ');
        fth_sink_text(sink, slash && slash[1] ? slash + 1 : path);
    }
    if (name) {
        fth_sink_char(sink, path && !is_same ? ':' : ' ');
        fth_sink_text(sink, name);
    }
    fth_sink_char(sink, 0);
}

static void set_flags(struct fth_table *table, size_t at, const struct row *row)
{
    const char *creation = text_of(row, "creation"), *status = text_of(row, "status");
    char text[512];
    snprintf(text, sizeof text, "%s%s%s", creation ? creation : "", creation && status ? "," : "",
             status ? status : "");
    if (*text)
        fth_table_set(table, at, FLAGS, fth_cell_text(text));
}

static void set_group(struct fth_table *table, size_t at, const struct row *row)
{
    struct fth_cell group = cell_of(row, "group"), size = cell_of(row, "group_size"),
                    id = cell_of(row, "group_id"), others = cell_of(row, "group_others");
    const char *name = text_of(row, "group_name");
    bool is_numbered = id.type == FTH_CELL_INTEGER;
    char text[256], sizes[64] = "";
    if (group.type != FTH_CELL_INTEGER && !is_numbered)
        return;
    if (others.type == FTH_CELL_INTEGER && others.integer)
        snprintf(sizes, sizeof sizes, " (%" PRId64 " and %" PRId64 ")", size.integer,
                 others.integer);
    else if (size.type == FTH_CELL_INTEGER)
        snprintf(sizes, sizeof sizes, " (%" PRId64 ")", size.integer);
    if (name)
        snprintf(text, sizeof text, "%s%s", name, sizes);
    else
        snprintf(text, sizeof text, "%s%" PRId64 "%s", is_numbered ? "communicator " : "comm #",
                 is_numbered ? id.integer : group.integer, sizes);
    fth_table_set(table, at, GROUP, fth_cell_text(text));
}

static const char *from_of(const struct row *row)
{
    const char *origin = text_of(row, "origin");
    if (cell_of(row, "duplicate_of").type == FTH_CELL_INTEGER)
        return "copy";
    return strcmp(origin, "made") == 0 ? NULL : origin;
}

static void add_row(struct fth_table *table, const struct row *row, const struct trail *trail)
{
    static const struct {
        enum column column;
        const char *name;
    } same[] = {{LAYER, "layer"},   {ACCESS, "access"},   {CALLS, "calls"},
                {ERRORS, "errors"}, {READ, "bytes_read"}, {WRITTEN, "bytes_written"},
                {TIME, "time"}};
    size_t at = fth_table_add_row(table);
    struct fth_sink label;
    fth_sink_open_memory(&label);
    put_label(&label, row, trail);
    fth_table_set(table, at, LABEL, fth_cell_text(label.failed ? "?" : label.bytes));
    fth_sink_close_memory(&label);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        fth_table_set(table, at, same[i].column, cell_of(row, same[i].name));
    set_flags(table, at, row);
    set_group(table, at, row);
    fth_table_set(table, at, FROM, fth_cell_text(from_of(row)));
}

static struct fth_table *table_for_people(const struct fth_table *handles)
{
    size_t count = fth_table_rows(handles);
    struct fth_table *table = fth_table_new(&shape);
    struct trail trail = {fth_new(count + 1, sizeof(char *)), 0};
    for (size_t i = 0; table && i < count; i++) {
        struct row row = {handles, fth_table_row(handles, i)};
        trail.depth = (size_t)cell_of(&row, "depth").integer;
        trail.paths[trail.depth] = text_of(&row, "path");
        add_row(table, &row, &trail);
    }
    bool failed = !table || fth_table_failed(table);
    free(trail.paths);
    if (!failed)
        return table;
    fth_table_free(table);
    return NULL;
}

static void put_title(char *title, size_t size, const struct fth_trace *trace, size_t proc)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    const char *name = process->executable ? strrchr(process->executable, '/') : NULL;
    name = name ? name + 1 : process->executable ? process->executable : "?";
    if (process->rank != FTH_NO_RANK)
        snprintf(title, size, "Handles of rank %" PRId64 ", process %zu (%s)", process->rank, proc,
                 name);
    else
        snprintf(title, size, "Handles of process %zu (%s)", proc, name);
}

/* What is no noise, and what that belongs to. Returns how many are left out. */
static size_t choose_rows(const struct fth_table *handles, bool *kept)
{
    size_t left_out = 0;
    int64_t kept_below = -1; /* depth of the row behind, if it is kept; -1: none is needed */
    for (size_t row = fth_table_rows(handles); row-- > 0;) {
        struct row here = {handles, fth_table_row(handles, row)};
        const char *path = text_of(&here, "path");
        int64_t depth = cell_of(&here, "depth").integer;
        bool moved =
            cell_of(&here, "bytes_read").integer || cell_of(&here, "bytes_written").integer;
        kept[row] = !path || !fth_analysis_is_noise(path, moved) || kept_below > depth;
        if (kept[row])
            kept_below = depth;
        left_out += !kept[row];
    }
    return left_out;
}

static void show_people(struct fth_writer *writer, const struct fth_trace *trace, size_t proc,
                        const struct fth_table *handles, bool all, size_t top)
{
    static const char *const spare[] = {"from", "flags", "group", NULL};
    char title[256];
    struct fth_table_layout layout = {
        .title = title, .spare = spare, .top = top, .more = "--top 0 shows all"};
    bool *kept = all ? NULL : fth_new(fth_table_rows(handles) + 1, sizeof *kept);
    size_t left_out = kept ? choose_rows(handles, kept) : 0;
    struct fth_table *chosen = left_out ? fth_table_kept_rows(handles, kept) : NULL;
    const struct fth_table *shown = chosen ? chosen : handles;
    struct fth_table *table = fth_table_rows(shown) ? table_for_people(shown) : NULL;
    put_title(title, sizeof title, trace, proc);
    if (table)
        fth_views_write_table(writer, table, &layout);
    if (chosen)
        fth_views_write_remark(
            writer, FTH_PAINT_PLAIN,
            "%s%sWithout %s of the system, libraries and launchers (--all shows them)",
            table ? "" : title, table ? "" : ": ",
            fth_phrase_several(left_out, "handle", "handles").text);
    fth_table_free(table);
    fth_table_free(chosen);
    free(kept);
}

static void show_programs(struct fth_writer *writer, const struct fth_trace *trace, size_t proc,
                          const struct fth_table *handles)
{
    static const struct fth_column whose[] = {
        {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
        {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    };
    int64_t rank = fth_trace_process(trace, proc)->rank;
    const struct fth_cell cells[] = {fth_cell_integer((int64_t)proc), rank == FTH_NO_RANK
                                                                          ? fth_cell_null()
                                                                          : fth_cell_integer(rank)};
    const struct fth_leading leading = {2, whose, cells};
    fth_json_begin_object(&writer->facts);
    fth_json_key_unsigned(&writer->facts, "proc", proc);
    fth_json_key(&writer->facts, "rank");
    if (rank == FTH_NO_RANK)
        fth_json_null(&writer->facts);
    else
        fth_json_integer(&writer->facts, rank);
    fth_views_write_table(writer, handles,
                          &(struct fth_table_layout){.name = "handles", .leading = &leading});
    fth_json_end_object(&writer->facts);
}

void fth_views_handles_begin(struct fth_writer *writer, const char *trace_path,
                             const struct fth_incomplete *incomplete)
{
    fth_json_key_text(&writer->facts, "trace", trace_path);
    fth_views_write_missing(writer, incomplete);
    fth_json_key(&writer->facts, "processes");
    fth_json_begin_array(&writer->facts);
}

void fth_views_handles(struct fth_writer *writer, const struct fth_trace *trace, size_t proc,
                       const struct fth_table *handles, bool all, size_t top)
{
    if (fth_views_for_people(writer))
        show_people(writer, trace, proc, handles, all, top);
    else
        show_programs(writer, trace, proc, handles);
}

void fth_views_handles_end(struct fth_writer *writer)
{
    fth_json_end_array(&writer->facts);
}
