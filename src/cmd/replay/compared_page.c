/* The page of a replay: see the header. */
#include "cmd/replay/compared_page.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "base/visible.h"
#include "cmd/replay/compared_lengths.h"
#include "cmd/replay/originals.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- functions ---- */

enum {
    LAYER,
    FUNCTION,
    CALLS,
    REPLAYED_CALLS,
    TIME,
    REPLAYED_TIME,
    READ,
    REPLAYED_READ,
    WRITTEN,
    REPLAYED_WRITTEN,
    DIFFERENT,
    FIRST
};

static const struct fth_column columns[] = {
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"function", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"replayed_calls", "replayed", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_NULL},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"replayed_time", "replayed", FTH_UNIT_TIME, FTH_SHOW_UNLESS_NULL},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"replayed_bytes_read", "replayed", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"replayed_bytes_written", "replayed", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"different", "different", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"first_difference", "first difference", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

struct shown {
    struct fth_column columns[COLUMNS];
    struct fth_shape shape;
};

/* The bytes of the replay stand beside those of the run, also when there are none of them. */
static void choose_columns(struct shown *shown, const struct fth_replay_page *page)
{
    memcpy(shown->columns, columns, sizeof columns);
    shown->shape = (struct fth_shape){"functions", "Functions", shown->columns, COLUMNS, 0};
    for (size_t i = 0; page->replayed && i < page->summary->function_count; i++) {
        if (page->summary->recorded[i].bytes_read)
            shown->columns[REPLAYED_READ].show = FTH_SHOW_ALWAYS;
        if (page->summary->recorded[i].bytes_written)
            shown->columns[REPLAYED_WRITTEN].show = FTH_SHOW_ALWAYS;
    }
}

static void set(struct fth_table *table, size_t row, size_t column, uint64_t value)
{
    fth_table_set(table, row, column, fth_cell_integer((int64_t)value));
}

/* "failed (No space left on device)", "moved 512 instead of 4096". */
static char *difference(const struct fth_script_outcome *outcome)
{
    if (outcome->expected_failure)
        return fth_text_copy("succeeded, and had failed");
    if (outcome->result < 0 || outcome->error > 0)
        return outcome->error > 0 && outcome->error < 200
                   ? fth_text_format("failed (%s)", strerror(outcome->error))
                   : fth_text_format("failed (%d)", outcome->error);
    return fth_text_format("moved %" PRId64 " instead of %" PRId64, outcome->result,
                           outcome->expected);
}

static void add_row(struct fth_table *table, const struct fth_function *function,
                    const struct fth_script_outcome *recorded,
                    const struct fth_script_outcome *replayed)
{
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, LAYER, fth_cell_text(function->layer));
    fth_table_set(table, row, FUNCTION, fth_cell_text(function->name));
    set(table, row, CALLS, recorded->calls);
    set(table, row, TIME, (uint64_t)recorded->time);
    set(table, row, READ, recorded->bytes_read);
    set(table, row, WRITTEN, recorded->bytes_written);
    if (!replayed)
        return;
    set(table, row, REPLAYED_CALLS, replayed->calls);
    set(table, row, REPLAYED_TIME, (uint64_t)replayed->time);
    set(table, row, REPLAYED_READ, replayed->bytes_read);
    set(table, row, REPLAYED_WRITTEN, replayed->bytes_written);
    set(table, row, DIFFERENT, replayed->differences);
    if (!replayed->differences)
        return;
    char *text = difference(replayed);
    fth_table_set(table, row, FIRST, fth_cell_text(text));
    free(text);
}

static struct fth_table *functions_of(const struct fth_replay_page *page,
                                      const struct fth_shape *shape)
{
    static const size_t by_time[] = {TIME};
    struct fth_table *table = fth_table_new(shape);
    for (size_t i = 0; table && i < page->summary->function_count; i++)
        if (page->summary->recorded[i].calls)
            add_row(table, fth_trace_function(page->trace, i), &page->summary->recorded[i],
                    page->replayed ? &page->replayed->outcomes[i] : NULL);
    if (table)
        fth_table_sort_by_sum(table, by_time, 1);
    return table;
}

/* ---- calls that are left out ---- */

static const struct fth_column omission_columns[] = {
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"function", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"why", "why", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape omission_shape = {"left_out", "Not repeated", omission_columns,
                                                sizeof omission_columns / sizeof *omission_columns,
                                                0};

static struct fth_table *omissions_of(const struct fth_replay_page *page)
{
    static const size_t by_calls[] = {2};
    struct fth_table *table = fth_table_new(&omission_shape);
    for (size_t i = 0; table && i < page->summary->omission_count; i++) {
        const struct fth_repeat_omission *one = &page->summary->omissions[i];
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, 0, fth_cell_text(one->function->layer));
        fth_table_set(table, row, 1, fth_cell_text(one->function->name));
        set(table, row, 2, one->calls);
        fth_table_set(table, row, 3, fth_cell_text(one->why));
    }
    if (table)
        fth_table_sort_by_sum(table, by_calls, 1);
    return table;
}

/* ---- files, for the plan ---- */

static const struct fth_column file_columns[] = {
    {"path", "file of the run", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"replayed_as", "is", FTH_UNIT_PATH, FTH_SHOW_UNLESS_NULL},
    {"length_before", "length before", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_NULL},
    {"overwritten", "overwritten", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_NULL},
    {"why", "left alone", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
};
static const struct fth_shape file_shape = {"files", "Files", file_columns,
                                            sizeof file_columns / sizeof *file_columns, 0};

static struct fth_table *files_of(const struct fth_replay_page *page)
{
    struct fth_table *table = fth_table_new(&file_shape);
    for (size_t i = 0; table && i < fth_repeat_place_count(page->places); i++) {
        const struct fth_repeat_place *place = fth_repeat_place_at(page->places, i);
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, 0, fth_cell_text(place->path));
        const char *as = page->on_originals && place->below ? place->path : place->below;
        fth_table_set(table, row, 1, fth_cell_text(as));
        if (place->below && !place->folder && place->before == FTH_REPEAT_PRESENT)
            set(table, row, 2, place->length);
        int64_t overwritten = page->on_originals ? fth_replay_overwrites(place) : -1;
        if (overwritten >= 0)
            set(table, row, 3, (uint64_t)overwritten);
        fth_table_set(table, row, 4, fth_cell_text(place->why));
    }
    return table;
}

/* ---- all ---- */

/* Before any time: calls that did something else took another time for that. */
static void put_differences(struct fth_writer *writer, const struct fth_replay_page *page)
{
    uint64_t calls = 0;
    const struct fth_script_outcome *most = NULL;
    const struct fth_function *function = NULL;
    for (size_t i = 0; i < page->summary->function_count; i++) {
        const struct fth_script_outcome *one = &page->replayed->outcomes[i];
        calls += one->differences;
        if (one->differences <= (most ? most->differences : 0))
            continue;
        most = one;
        function = fth_trace_function(page->trace, i);
    }
    fth_json_key_unsigned(&writer->facts, "different", calls);
    if (!most)
        return;
    char *first = difference(most);
    char *line = fth_text_format(
        "%s did something else than recorded, so that times can hardly be compared: %s of %s, the "
        "first of which %s.",
        fth_phrase_several(calls, "call", "calls").text,
        fth_phrase_count((int64_t)most->differences).text, function->name, first);
    fth_views_write_paragraph(writer, line);
    free(line);
    free(first);
}

/* In percent of what was recorded, without a sign if it is shown as zero; to be freed. */
static char *change_text(int64_t recorded, int64_t replayed)
{
    static const double least = 0.05; /* what is less is shown as zero */
    double change = recorded > 0 ? 100.0 * (double)(replayed - recorded) / (double)recorded : 0.0;
    bool is_zero = change > -least && change < least;
    return is_zero ? fth_text_copy("0.0 %") : fth_text_format("%+.1f %%", change);
}

static void put_elapsed(struct fth_writer *writer, const struct fth_replay_page *page)
{
    struct fth_json *facts = &writer->facts;
    int64_t recorded = page->summary->end - page->summary->begin;
    fth_json_key_seconds(facts, "elapsed", recorded);
    if (!page->replayed)
        return;
    int64_t replayed = page->replayed->elapsed;
    fth_json_key_seconds(facts, "replayed_elapsed", replayed);
    fth_json_key_seconds(facts, "replayed_processor", page->replayed->processor);
    fth_json_key_seconds(facts, "late", page->replayed->late);
    put_differences(writer, page);
    char *change = change_text(recorded, replayed);
    char *line = fth_text_format(
        "The run took %s from %s to the end of the last call that is replayed, the replay %s "
        "(%s).",
        fth_phrase_duration(recorded).text,
        page->summary->ranks ? "the moment when all ranks are in MPI" : "the start of the first",
        fth_phrase_duration(replayed).text, change);
    fth_views_write_paragraph(writer, line);
    free(change);
    free(line);
}

/* The table is put behind the others. */
static struct fth_table *put_lengths(struct fth_writer *writer, const struct fth_replay_page *page)
{
    struct fth_compared_lengths lengths =
        fth_replay_compare_lengths(page->places, page->summary, page->folder);
    struct fth_json *facts = &writer->facts;
    char *line = fth_compared_lengths_text(&lengths);
    fth_json_key_unsigned(facts, "files_as_long", lengths.alike);
    fth_json_key_unsigned(facts, "files_of_other_length", lengths.different);
    fth_json_key_unsigned(facts, "files_of_unknown_length", lengths.unknown);
    if (line)
        fth_views_write_paragraph(writer, line);
    free(line);
    return lengths.table;
}

static void put_unseen(struct fth_writer *writer, const struct fth_replay_page *page)
{
    uint64_t bytes = page->summary->unseen_bytes;
    fth_json_key_unsigned(&writer->facts, "bytes_without_calls", bytes);
    if (!bytes)
        return;
    char *line = fth_text_format("%s came to streams without a call (putc_unlocked). The replay "
                                 "writes them, too; they are not in the table.",
                                 fth_phrase_bytes(bytes).text);
    fth_views_write_paragraph(writer, line);
    free(line);
}

static void put_table(struct fth_writer *writer, struct fth_table *table)
{
    static const char *const spare[] = {"layer", NULL};
    const struct fth_table_layout layout = {.spare = spare};
    if (fth_table_rows(table)) {
        fth_views_write_table(writer, table, &layout);
        fth_views_write_gap(writer);
    }
    fth_table_free(table);
}

int fth_replay_show(struct fth_writer *writer, const struct fth_replay_page *page,
                    struct fth_error **error)
{
    struct shown shown;
    choose_columns(&shown, page);
    struct fth_table *functions = functions_of(page, &shown.shape), *omissions = omissions_of(page);
    if (!functions || !omissions || fth_table_failed(functions) || fth_table_failed(omissions))
        return fth_fail(error, "out of memory");
    fth_json_key_text(&writer->facts, "trace", page->trace_path);
    fth_json_key_text(&writer->facts, "into", page->into);
    put_elapsed(writer, page);
    put_unseen(writer, page);
    struct fth_table *files = page->replayed ? put_lengths(writer, page) : files_of(page);
    fth_json_key(&writer->facts, "tables");
    fth_json_begin_object(&writer->facts);
    put_table(writer, functions);
    put_table(writer, omissions);
    if (files)
        put_table(writer, files);
    fth_json_end_object(&writer->facts);
    if (page->into && page->replayed) {
        char *line = fth_text_format("The files are in %s.", page->into);
        fth_views_write_paragraph(writer, line);
        free(line);
    }
    return 0;
}
