/* `dump --ranges`: which elements of arrays a call of HDF5, NetCDF or PnetCDF selects. */
#include "base/json.h"

#include "base/visible.h"
#include "views/calls/dump_calls.h"

#define PUT(sink, literal) fth_sink_bytes(sink, literal, sizeof(literal) - 1)

/* ---- lines ---- */

/* "3,4"; what has no end is "*". */
static void put_numbers(struct fth_sink *sink, const int64_t *numbers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        fth_sink_text(sink, i ? "," : "");
        if (numbers[i] == -1)
            fth_sink_char(sink, '*');
        else
            fth_sink_integer(sink, numbers[i]);
    }
}

static void put_all(struct fth_sink *sink, const struct fth_elements *selection)
{
    fth_sink_text(sink, "all");
    if (!selection->extent || !selection->rank)
        return;
    fth_sink_text(sink, " of ");
    put_numbers(sink, selection->extent, selection->rank);
}

/* "start 0,4 count 2,8", with stride and block where they are not 1. */
static void put_slab(struct fth_sink *sink, const int64_t *slab, unsigned rank)
{
    static const char *const words[] = {"start ", " stride ", " count ", " block "};
    for (unsigned part = 0; part < 4; part++) {
        const int64_t *numbers = slab + part * rank;
        bool needed = part == 0 || part == 2;
        for (unsigned i = 0; i < rank; i++)
            needed = needed || numbers[i] != 1;
        if (!needed)
            continue;
        fth_sink_text(sink, words[part]);
        put_numbers(sink, numbers, rank);
    }
}

static void put_what(struct fth_sink *sink, const struct fth_selected *selected, const char *where)
{
    fth_sink_text(sink, "        ");
    fth_sink_text(sink, where);
    if (selected->variable >= 0) {
        fth_sink_text(sink, " of variable ");
        fth_sink_integer(sink, selected->variable);
    } else if (selected->object) {
        fth_sink_text(sink, " of ");
        fth_visible_put(sink, selected->object);
    }
    fth_sink_text(sink, ": ");
}

static void put_selection(struct fth_dump *dump, const struct fth_selected *selected,
                          const struct fth_elements *selection, const char *where)
{
    struct fth_sink *sink = &dump->output->sink;
    bool slabs = selection->form == FTH_SELECTION_SLABS;
    bool listed = slabs || selection->form == FTH_SELECTION_POINTS;
    for (size_t i = 0; i < selection->count && listed && !fth_views_stopped(dump->output); i++) {
        put_what(sink, selected, where);
        if (slabs)
            put_slab(sink, selection->numbers + i * 4 * selection->rank, selection->rank);
        else
            put_numbers(sink, selection->numbers + i * selection->rank, selection->rank);
        fth_sink_char(sink, '\n');
    }
    if (listed)
        return;
    put_what(sink, selected, where);
    if (selection->form == FTH_SELECTION_ALL)
        put_all(sink, selection);
    else if (selection->form == FTH_SELECTION_NOTHING)
        fth_sink_text(sink, "none");
    else {
        fth_sink_text(sink, "not known: ");
        fth_sink_text(sink, selection->why);
    }
    fth_sink_char(sink, '\n');
}

void fth_views_dump_selected(struct fth_dump *dump)
{
    for (size_t i = 0; i < dump->access->selected_count; i++) {
        const struct fth_selected *selected = &dump->access->selected[i];
        put_selection(dump, selected, &selected->file, "elements");
        if (selected->memory.form != FTH_SELECTION_UNKNOWN || selected->memory.why)
            put_selection(dump, selected, &selected->memory, "in memory");
    }
}

/* ---- JSON ---- */

static const char *const forms[] = {
    [FTH_SELECTION_UNKNOWN] = "unknown", [FTH_SELECTION_ALL] = "all",
    [FTH_SELECTION_NOTHING] = "none",    [FTH_SELECTION_SLABS] = "slabs",
    [FTH_SELECTION_POINTS] = "points",
};

static void put_list(struct fth_sink *sink, const int64_t *numbers, unsigned count)
{
    fth_sink_char(sink, '[');
    for (unsigned i = 0; i < count; i++) {
        if (i)
            fth_sink_char(sink, ',');
        fth_sink_integer(sink, numbers[i]);
    }
    fth_sink_char(sink, ']');
}

static void put_slab_json(struct fth_sink *sink, const int64_t *slab, unsigned rank)
{
    static const char *const keys[] = {"{\"start\":", ",\"stride\":", ",\"count\":", ",\"block\":"};
    for (unsigned part = 0; part < 4; part++) {
        fth_sink_text(sink, keys[part]);
        put_list(sink, slab + part * rank, rank);
    }
    fth_sink_char(sink, '}');
}

static void put_pieces(struct fth_dump *dump, const struct fth_elements *selection)
{
    struct fth_sink *sink = &dump->output->sink;
    bool slabs = selection->form == FTH_SELECTION_SLABS;
    fth_sink_text(sink, slabs ? ",\"slabs\":[" : ",\"points\":[");
    for (size_t i = 0; i < selection->count && !fth_views_stopped(dump->output); i++) {
        if (i)
            fth_sink_char(sink, ',');
        if (slabs)
            put_slab_json(sink, selection->numbers + i * 4 * selection->rank, selection->rank);
        else
            put_list(sink, selection->numbers + i * selection->rank, selection->rank);
    }
    fth_sink_char(sink, ']');
}

static void put_selection_json(struct fth_dump *dump, const struct fth_elements *selection)
{
    struct fth_sink *sink = &dump->output->sink;
    struct fth_json json;
    fth_json_open(&json, sink, 0);
    PUT(sink, "{\"form\":\"");
    fth_sink_text(sink, forms[selection->form]);
    PUT(sink, "\",\"elements\":");
    if (selection->total < 0)
        PUT(sink, "null");
    else
        fth_sink_integer(sink, selection->total);
    PUT(sink, ",\"extent\":");
    if (selection->extent)
        put_list(sink, selection->extent, selection->rank);
    else
        PUT(sink, "null");
    if (selection->form == FTH_SELECTION_SLABS || selection->form == FTH_SELECTION_POINTS)
        put_pieces(dump, selection);
    if (selection->form == FTH_SELECTION_UNKNOWN) {
        PUT(sink, ",\"unknown\":");
        fth_json_text(&json, selection->why);
    }
    fth_sink_char(sink, '}');
}

void fth_views_dump_selected_json(struct fth_dump *dump)
{
    struct fth_sink *sink = &dump->output->sink;
    struct fth_json json;
    if (!dump->access->selected_count)
        return;
    PUT(sink, ",\"selected\":[");
    for (size_t i = 0; i < dump->access->selected_count; i++) {
        const struct fth_selected *selected = &dump->access->selected[i];
        fth_sink_text(sink, i ? ",{\"object\":" : "{\"object\":");
        fth_json_open(&json, sink, 0);
        fth_json_text(&json, selected->object);
        PUT(sink, ",\"variable\":");
        if (selected->variable < 0)
            PUT(sink, "null");
        else
            fth_sink_integer(sink, selected->variable);
        PUT(sink, ",\"file\":");
        put_selection_json(dump, &selected->file);
        PUT(sink, ",\"memory\":");
        put_selection_json(dump, &selected->memory);
        fth_sink_char(sink, '}');
    }
    fth_sink_char(sink, ']');
}
