/* The verdict as tables: of the models, of the kinds of violations, of the races on file positions.
 * The columns are keys of the facts, as far as these have them. */
#include "views/verdicts/verify_forms.h"

#include "views/sentences/verify_words.h"

#include <inttypes.h>
#include <stdio.h>

static struct fth_cell count_cell(uint64_t count)
{
    return fth_cell_integer((int64_t)count);
}

/* ---- models ---- */

static const struct fth_column model_columns[] = {
    {"model", "model", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"verdict", "verdict", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"conflict_pairs", "conflicting pairs", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"violations", "not synchronized", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"groups", "groups", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"read_after_write", "read after write", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"write_after_write", "write after write", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"write_after_read", "write after read", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"read_and_write", "read and write in no order", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"write_and_write", "two writes in no order", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"same_process_pairs", "within one process", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"unordered_in_process", "of unordered threads", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
};
enum { MODEL, VERDICT, PAIRS, VIOLATIONS, GROUPS, FIRST_HAZARD, MODEL_COLUMNS = 12 };
static const struct fth_shape model_shape = {"models", "Conflicting pairs of accesses",
                                             model_columns, MODEL_COLUMNS, 0};

struct fth_table *fth_views_verdict_models(const struct fth_verdict *verdict, bool for_people)
{
    struct fth_table *table = fth_table_new(&model_shape);
    for (size_t i = 0; table && i < verdict->model_count; i++) {
        const struct fth_verdict_model *model = &verdict->models[i];
        size_t row = fth_table_add_row(table);
        const char *word = for_people ? fth_views_model_word(model)
                                      : fth_views_verdict_key(fth_verdict_safety(model));
        fth_table_set(table, row, MODEL, fth_cell_text(model->model->name));
        fth_table_set(table, row, VERDICT, fth_cell_text(word));
        fth_table_set(table, row, PAIRS, count_cell(model->conflict_pairs));
        fth_table_set(table, row, VIOLATIONS, count_cell(model->violations));
        fth_table_set(table, row, GROUPS, count_cell(model->group_count));
        for (size_t k = 0; k < FTH_HAZARDS; k++)
            fth_table_set(table, row, FIRST_HAZARD + k, count_cell(model->hazards[k]));
        fth_table_set(table, row, MODEL_COLUMNS - 2, count_cell(model->same_process_pairs));
        fth_table_set(table, row, MODEL_COLUMNS - 1, count_cell(model->unordered_in_process));
    }
    return table;
}

/* ---- violations ---- */

enum column {
    OF_MODEL,
    FILE_NAME,
    RENAMED,
    HAZARD,
    UNSURE,
    OF_PAIRS,
    RANGE_START,
    RANGE_END,
    FINDS_END,
    LEAVES_OUT,
    FIRST,
    SECOND,
    MISSING,
    REPAIR,
    COLUMNS
};
static const struct fth_column columns[COLUMNS] = {
    [OF_MODEL] = {"model", "model", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [FILE_NAME] = {"file", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    [RENAMED] = {"renamed", "now", FTH_UNIT_PATH, FTH_SHOW_UNLESS_NULL},
    [HAZARD] = {"hazard", "hazard", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [UNSURE] = {"unsure", "not sure", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_ZERO},
    [OF_PAIRS] = {"pairs", "pairs", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [RANGE_START] = {"range_start", "from byte", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [RANGE_END] = {"range_end", "before byte", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [FINDS_END] = {"finds_end", "finds the end", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_ZERO},
    [LEAVES_OUT] = {"leaves_out", "not written", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_ZERO},
    [FIRST] = {"first", "first call", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [SECOND] = {"second", "second call", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [MISSING] = {"missing", "missing", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    [REPAIR] = {"repair", "repair", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
};
static const struct fth_shape shape = {"violations", "Accesses that are not synchronized", columns,
                                       COLUMNS, 0};

/* As `fathom dump --call` takes it; of several runs, behind the trace that it is in. */
static void set_call(struct fth_table *table, size_t row, size_t column,
                     const struct fth_verdict *verdict, const struct fth_verdict_access *access)
{
    const struct fth_run *run = fth_runs_of(verdict->runs, access->proc);
    struct fth_sink text;
    char name[64];
    snprintf(name, sizeof name, "%" PRIu32 ".%" PRIu32 ".%" PRIu64, access->proc - run->first_proc,
             access->thread, access->call);
    fth_sink_open_memory(&text);
    if (verdict->runs->count > 1) {
        fth_sink_text(&text, run->path);
        fth_sink_char(&text, ' ');
    }
    fth_sink_text(&text, name);
    fth_sink_char(&text, 0);
    fth_table_set(table, row, column, fth_cell_text(text.bytes));
    fth_sink_close_memory(&text);
}

static void add_group(struct fth_table *table, const struct fth_verdict *verdict,
                      const struct fth_verdict_model *model, const struct fth_verdict_group *group)
{
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, OF_MODEL, fth_cell_text(model->model->name));
    fth_table_set(table, row, FILE_NAME, fth_cell_text(group->file));
    if (group->renamed)
        fth_table_set(table, row, RENAMED, fth_cell_text(group->renamed));
    fth_table_set(table, row, HAZARD, fth_cell_text(fth_hazard_text(group->hazard)));
    fth_table_set(table, row, UNSURE, fth_cell_integer(group->unsure));
    fth_table_set(table, row, OF_PAIRS, count_cell(group->pairs));
    fth_table_set(table, row, RANGE_START, count_cell(group->range_start));
    if (group->range_end < FTH_ENDLESS)
        fth_table_set(table, row, RANGE_END, count_cell(group->range_end));
    fth_table_set(table, row, FINDS_END, fth_cell_integer(group->finds_end));
    fth_table_set(table, row, LEAVES_OUT, fth_cell_integer(group->leaves_out));
    set_call(table, row, FIRST, verdict, &group->first);
    set_call(table, row, SECOND, verdict, &group->second);
    fth_table_set(table, row, MISSING, fth_cell_text(group->missing));
    fth_table_set(table, row, REPAIR, fth_cell_text(group->repair));
}

struct fth_table *fth_views_verdict_violations(const struct fth_verdict *verdict, const char *asked,
                                               bool for_people)
{
    struct fth_table *table = fth_table_new(&shape);
    for (size_t i = 0; table && i < verdict->model_count; i++) {
        const struct fth_verdict_model *model = &verdict->models[i];
        if (for_people && !fth_views_verdict_shows_violations(verdict, i, asked))
            continue;
        for (size_t k = 0; k < model->group_count; k++)
            add_group(table, verdict, model, &model->groups[k]);
    }
    return table;
}

/* ---- races on file positions ---- */

enum position_column {
    POSITION_FILE,
    POSITION_TIMES,
    POSITION_UNRECORDED,
    POSITION_FIRST,
    POSITION_SECOND,
    POSITION_MISSING,
    POSITION_REPAIR,
    POSITION_COLUMNS
};
static const struct fth_column position_columns[POSITION_COLUMNS] = {
    [POSITION_FILE] = {"file", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    [POSITION_TIMES] = {"times", "accesses", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [POSITION_UNRECORDED] = {"unrecorded_threads", "threads not recorded", FTH_UNIT_NUMBER,
                             FTH_SHOW_UNLESS_ZERO},
    [POSITION_FIRST] = {"first", "first call", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [POSITION_SECOND] = {"second", "second call", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [POSITION_MISSING] = {"missing", "missing", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [POSITION_REPAIR] = {"repair", "repair", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape position_shape = {"position_races", FTH_VIEWS_POSITION_HEADING,
                                                position_columns, POSITION_COLUMNS, 0};

struct fth_table *fth_views_verdict_positions(const struct fth_verdict *verdict)
{
    struct fth_table *table = fth_table_new(&position_shape);
    for (size_t i = 0; table && i < verdict->position_race_count; i++) {
        const struct fth_verdict_position_race *race = &verdict->position_races[i];
        size_t row = fth_table_add_row(table);
        struct fth_sink missing;
        fth_sink_open_memory(&missing);
        fth_views_verdict_position_missing(&missing, race);
        fth_sink_char(&missing, 0);
        fth_table_set(table, row, POSITION_FILE, fth_cell_text(race->file));
        fth_table_set(table, row, POSITION_TIMES, count_cell(race->times));
        fth_table_set(table, row, POSITION_UNRECORDED, fth_cell_integer(race->unrecorded != NULL));
        set_call(table, row, POSITION_FIRST, verdict, &race->first);
        set_call(table, row, POSITION_SECOND, verdict, &race->second);
        fth_table_set(table, row, POSITION_MISSING, fth_cell_text(missing.bytes));
        fth_table_set(table, row, POSITION_REPAIR,
                      fth_cell_text(fth_views_verdict_position_repair(race)));
        fth_sink_close_memory(&missing);
    }
    return table;
}
