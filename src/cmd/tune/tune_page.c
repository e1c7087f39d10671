/* The page of `fathom tune`: what the recorded run showed, what was tried, and what came of it. */
#include "cmd/tune/tune_live.h"

#include "base/memory.h"
#include "base/phrase.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const library_names[FTH_TUNE_LIBRARIES] = {
    [FTH_TUNE_ROMIO] = "ROMIO",     [FTH_TUNE_OMPIO] = "OMPIO",         [FTH_TUNE_HDF5] = "HDF5",
    [FTH_TUNE_PNETCDF] = "PnetCDF", [FTH_TUNE_FATHOM_FS] = "fathom fs",
};
static const char *const verdict_names[] = {
    [FTH_TUNE_HELPS] = "helps",
    [FTH_TUNE_NOT_SURE] = "not_sure",
    [FTH_TUNE_NOTHING_HELPS] = "nothing_helps",
    [FTH_TUNE_NOTHING_TO_TRY] = "nothing_to_try",
};

/* ---- tables ---- */

enum { SETTINGS, FINDINGS, SIMULATED, TRIED, RATIO, SLOW, TRIED_COLUMNS };
static const struct fth_column tried_columns[TRIED_COLUMNS] = {
    {"settings", "settings", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"findings", "findings for it", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"simulated", "simulated", FTH_UNIT_TIME, FTH_SHOW_UNLESS_NULL},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"ratio", "of unchanged", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
    {"ended", "ended", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
};
/* Of --live, a try is a file, not a run. */
static const struct fth_shape tried_live_shape = {"tried", "Tried, one file each", tried_columns,
                                                  TRIED_COLUMNS, 0};
static const struct fth_shape tried_shape = {"tried", "Tried, one run each", tried_columns,
                                             TRIED_COLUMNS, 0};

static struct fth_table *make_tried(const struct fth_cmd_tuning *tuning)
{
    struct fth_table *table = fth_table_new(tuning->live ? &tried_live_shape : &tried_shape);
    for (size_t i = 0; table && i < tuning->choices.count; i++) {
        const struct fth_tune_choice *choice = &tuning->choices.list[i];
        if (!choice->tried && !choice->too_slow && !choice->refused)
            continue;
        char *text = fth_tune_choice_text(choice);
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, SETTINGS, fth_cell_text(text));
        fth_table_set(table, row, FINDINGS, fth_cell_integer((int64_t)choice->speaks));
        if (choice->simulated >= 0)
            fth_table_set(table, row, SIMULATED, fth_cell_integer(choice->simulated));
        if (choice->tried) {
            fth_table_set(table, row, TRIED, fth_cell_integer(choice->tried));
            fth_table_set(
                table, row, RATIO,
                fth_cell_real((double)choice->tried / (double)tuning->search.unchanged[0]));
        } else {
            fth_table_set(table, row, SLOW,
                          fth_cell_text(choice->refused ? choice->refused : "took too long"));
        }
        free(text);
    }
    return table;
}

enum { PARAMETER, VALUE, LIBRARY, SOURCE, WINNER_COLUMNS };
static const struct fth_column winner_columns[WINNER_COLUMNS] = {
    {"name", "setting", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"value", "value", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"library", "library", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"source", "documented in", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape winner_shape = {"winner", "The winner", winner_columns,
                                              WINNER_COLUMNS, 0};

static struct fth_table *make_winner(const struct fth_cmd_tuning *tuning)
{
    struct fth_table *table = fth_table_new(&winner_shape);
    const struct fth_tune_choice *best =
        tuning->judgement.verdict == FTH_TUNE_HELPS ? tuning->search.best : NULL;
    for (size_t i = 0; table && best && i < best->count; i++) {
        const struct fth_tune_setting *setting = &best->settings[i];
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, PARAMETER, fth_cell_text(setting->parameter->name));
        fth_table_set(table, row, VALUE, fth_cell_text(setting->value));
        fth_table_set(table, row, LIBRARY,
                      fth_cell_text(library_names[setting->parameter->library]));
        fth_table_set(table, row, SOURCE, fth_cell_text(setting->parameter->source));
    }
    return table;
}

/* ---- sentences ---- */

/* On which consistency of our file system it may run. */
static void say_models(struct fth_writer *writer, const struct fth_cmd_tuning *tuning)
{
    if (tuning->no_models) {
        fth_views_write_remark(writer, FTH_PAINT_QUIET,
                               "The file system of Fathom is no choice: %s.", tuning->no_models);
        return;
    }
    char *names = fth_text_copy("");
    for (size_t i = 0; i < tuning->model_count; i++) {
        char *longer = fth_text_format("%s%s%s", names, i ? ", " : "", tuning->models[i]);
        free(names);
        names = longer;
    }
    fth_views_write_remark(
        writer, FTH_PAINT_QUIET,
        "The program writes its files below %s, and fathom verify calls the "
        "recorded run safe under %s consistency, so the file system of Fathom is "
        "a choice, as: %s.",
        tuning->run.folder, tuning->weakest, names);
    free(names);
}

static void say_choices(struct fth_writer *writer, const struct fth_cmd_tuning *tuning)
{
    say_models(writer, tuning);
    if (tuning->choices.count)
        fth_views_write_remark(
            writer, FTH_PAINT_QUIET, "%s of settings %s an effect on the program, which ran %s.",
            fth_phrase_several(tuning->choices.count, "combination", "combinations").text,
            tuning->choices.count == 1 ? "has" : "have",
            fth_phrase_several(tuning->search.made, "time", "times").text);
}

static void say_run(struct fth_writer *writer, const struct fth_cmd_tuning *tuning)
{
    const struct fth_tune_run *run = &tuning->run;
    if (!run->file_calls) {
        fth_views_write_paragraph(writer, "The program makes no calls of MPI-IO.");
        say_choices(writer, tuning);
        return;
    }
    char *text = fth_text_format(
        "%s of MPI-IO%s%s took %s of the time of all processes.",
        fth_phrase_several(run->file_calls, "call", "calls").text,
        run->library < FTH_TUNE_LIBRARIES ? " by " : "",
        run->library < FTH_TUNE_LIBRARIES ? library_names[run->library] : "",
        fth_phrase_percent(run->whole ? 100. * (double)run->file_time / (double)run->whole : 0)
            .text);
    fth_views_write_paragraph(writer, text);
    free(text);
    say_choices(writer, tuning);
    for (size_t i = 0; i < run->fixed_count; i++)
        fth_views_write_remark(writer, FTH_PAINT_QUIET,
                               "The program sets the hint %s itself, which cannot be changed from "
                               "outside.",
                               run->fixed[i]);
}

static void say_live(struct fth_writer *writer, const struct fth_cmd_tuning *tuning)
{
    const struct fth_cmd_tune_live *live = tuning->live;
    char *text = fth_text_format(
        "%u ranks open files like %s together. Each try is one such file, from where its ranks "
        "agreed on its hints until all have closed it; what the program does meanwhile counts, "
        "too.",
        live->ranks, live->path);
    fth_views_write_paragraph(writer, text);
    free(text);
    fth_views_write_remark(
        writer, FTH_PAINT_QUIET, "%s of hints can be given to such a file; %s %s measured.",
        fth_phrase_several(tuning->choices.count, "combination", "combinations").text,
        fth_phrase_several((size_t)live->seen, "file", "files").text,
        live->seen == 1 ? "was" : "were");
}

/* What holds for the program from now on. */
static void say_in_effect(struct fth_writer *writer, const struct fth_cmd_tuning *tuning)
{
    if (!tuning->live)
        return;
    if (tuning->judgement.verdict == FTH_TUNE_HELPS)
        fth_views_write_remark(writer, FTH_PAINT_QUIET,
                               "Files that the program opens from now on get these hints, with "
                               "cb_config_list=*:*. For later runs, set them in the info of "
                               "MPI_File_open, or with ROMIO in the file of ROMIO_HINTS.");
    else
        fth_views_write_remark(
            writer, FTH_PAINT_QUIET,
            "Files that the program opens from now on get no hints but its own.");
}

static char *times_of(const int64_t *times, size_t count)
{
    char *text = fth_text_copy("");
    for (size_t i = 0; i < count; i++) {
        char *longer =
            fth_text_format("%s%s%s", text, i ? ", " : "", fth_phrase_duration(times[i]).text);
        free(text);
        text = longer;
    }
    return text;
}

static const char *why_nothing(const struct fth_cmd_tuning *tuning)
{
    const struct fth_tune_run *run = &tuning->run;
    if (!run->file_calls)
        return "Nothing to try: what can be set from outside is about MPI-IO, the libraries over "
               "it, and files on the file system of Fathom.";
    if (run->library == FTH_TUNE_LIBRARIES)
        return "Nothing to try: the MPI library is none whose hints are known.";
    if ((double)run->file_time < FTH_TUNE_LEAST_SHARE * (double)run->whole)
        return "Nothing to try: MPI-IO takes less than a hundredth of the time, so no setting of "
               "it "
               "makes the program much faster.";
    return "Nothing to try: none of its calls is of a kind that hints have an effect on "
           "(collective accesses, or several pieces in one call).";
}

static void say_pairs(struct fth_writer *writer, const struct fth_cmd_tuning *tuning)
{
    const struct fth_tune_search *search = &tuning->search;
    char *unchanged = times_of(search->unchanged, search->unchanged_count),
         *changed = times_of(search->changed, search->changed_count);
    char *text =
        fth_text_format("Unchanged: %s. With it: %s. %s that differ like this come by "
                        "chance with probability %.3f (Mann and Whitney, one-sided).",
                        unchanged, changed, tuning->live ? "Files" : "Runs", tuning->judgement.p);
    fth_views_write_paragraph(writer, text);
    free(text);
    free(unchanged);
    free(changed);
}

/* Of a winner on our file system: what its files were compared with, and what it gives up. */
static void say_compared(struct fth_writer *writer, const struct fth_cmd_tuning *tuning)
{
    size_t steady = fth_cmd_outputs_steady(&tuning->outputs), vary = tuning->outputs.count - steady;
    if (!fth_tune_choice_get(tuning->search.best, FTH_TUNE_MODEL))
        return;
    fth_views_write_remark(writer, FTH_PAINT_QUIET,
                           "%s below %s compared, the same as without it in each run.",
                           fth_phrase_several(steady, "file", "files").text, tuning->run.folder);
    if (vary)
        fth_views_write_remark(
            writer, FTH_PAINT_WARNING, "%s %s between unchanged runs: %s not compared.",
            fth_phrase_several(vary, "file", "files").text, vary == 1 ? "differs" : "differ",
            vary == 1 ? "it was" : "these were");
    fth_views_write_remark(writer, FTH_PAINT_WARNING,
                           "What the program syncs is in the memory of the node until it ends: a "
                           "crash of the node loses it.");
}

static void say_verdict(struct fth_writer *writer, const struct fth_cmd_tuning *tuning)
{
    const char *what = tuning->live ? "these files" : "the program";
    const struct fth_tune_judgement *judgement = &tuning->judgement;
    char *best = tuning->search.best ? fth_tune_choice_text(tuning->search.best) : NULL;
    double ratio =
        judgement->changed ? (double)judgement->unchanged / (double)judgement->changed : 0;
    switch (judgement->verdict) {
    case FTH_TUNE_HELPS:
        fth_views_write_remark(writer, FTH_PAINT_GOOD, "%s: %s instead of %s, %.3g times as fast",
                               best, fth_phrase_duration(judgement->changed).text,
                               fth_phrase_duration(judgement->unchanged).text, ratio);
        say_pairs(writer, tuning);
        say_compared(writer, tuning);
        break;
    case FTH_TUNE_NOT_SURE:
        fth_views_write_remark(writer, FTH_PAINT_WARNING,
                               "Not known whether %s helps: it may be noise", best);
        say_pairs(writer, tuning);
        break;
    case FTH_TUNE_NOTHING_HELPS:
        fth_views_write_remark(writer, FTH_PAINT_WARNING,
                               "Nothing of what was tried makes %s faster", what);
        if (tuning->search.changed_count)
            say_pairs(writer, tuning);
        break;
    case FTH_TUNE_NOTHING_TO_TRY:
        fth_views_write_remark(writer, FTH_PAINT_WARNING, "%s", why_nothing(tuning));
        break;
    }
    free(best);
    say_in_effect(writer, tuning);
    if (tuning->apply) {
        const char *items[] = {tuning->apply};
        fth_views_write_list(writer, "To run the program with it:", items, 1);
    }
}

/* ---- facts ---- */

static void put_times(struct fth_json *facts, const char *key, const int64_t *times, size_t count)
{
    fth_json_key(facts, key);
    fth_json_begin_array(facts);
    for (size_t i = 0; i < count; i++)
        fth_json_seconds(facts, times[i]);
    fth_json_end_array(facts);
}

static void put_command(struct fth_json *facts, char *const *command)
{
    fth_json_key(facts, "command");
    fth_json_begin_array(facts);
    for (size_t i = 0; command[i]; i++)
        fth_json_text(facts, command[i]);
    fth_json_end_array(facts);
}

static void put_live(struct fth_json *facts, const struct fth_cmd_tune_live *live)
{
    fth_json_key(facts, "live");
    fth_json_begin_object(facts);
    fth_json_key_text(facts, "folder", live->run.spill);
    fth_json_key_text(facts, "file", live->path);
    fth_json_key_unsigned(facts, "ranks", live->ranks);
    fth_json_key_unsigned(facts, "files", live->seen);
    fth_json_end_object(facts);
}

static void put_models(struct fth_json *facts, const struct fth_cmd_tuning *tuning)
{
    const struct fth_tune_run *run = &tuning->run;
    fth_json_key_text(facts, "no_file_system", tuning->no_models);
    fth_json_key_text(facts, "folder", run->folder);
    fth_json_key_text(facts, "weakest", tuning->weakest);
    fth_json_key(facts, "safe_models");
    fth_json_begin_array(facts);
    for (size_t i = 0; i < tuning->model_count; i++)
        fth_json_text(facts, tuning->models[i]);
    fth_json_end_array(facts);
    fth_json_key(facts, "compared");
    if (tuning->models)
        fth_json_unsigned(facts, fth_cmd_outputs_steady(&tuning->outputs));
    else
        fth_json_null(facts);
    fth_json_key(facts, "vary");
    if (tuning->models)
        fth_json_unsigned(facts, tuning->outputs.count - fth_cmd_outputs_steady(&tuning->outputs));
    else
        fth_json_null(facts);
}

static void put_run(struct fth_json *facts, const struct fth_cmd_tuning *tuning)
{
    const struct fth_tune_run *run = &tuning->run;
    fth_json_key_text(facts, "library",
                      run->library < FTH_TUNE_LIBRARIES ? library_names[run->library] : NULL);
    fth_json_key_unsigned(facts, "calls", run->file_calls);
    fth_json_key_number(facts, "share",
                        run->whole ? 100. * (double)run->file_time / (double)run->whole : 0);
    fth_json_key_text(facts, "not_simulated", tuning->not_simulated);
    put_models(facts, tuning);
}

static void put_search(struct fth_json *facts, const struct fth_cmd_tuning *tuning)
{
    const struct fth_tune_search *search = &tuning->search;
    char *best = search->best ? fth_tune_choice_text(search->best) : NULL;
    fth_json_key_text(facts, "best", best);
    put_times(facts, "unchanged", search->unchanged, search->unchanged_count);
    put_times(facts, "changed", search->changed, search->changed_count);
    fth_json_key(facts, "p");
    if (search->changed_count)
        fth_json_number(facts, tuning->judgement.p);
    else
        fth_json_null(facts);
    free(best);
}

static void put_facts(struct fth_json *facts, const struct fth_cmd_tuning *tuning)
{
    if (tuning->live)
        put_live(facts, tuning->live);
    else
        put_command(facts, tuning->command);
    fth_json_key_text(facts, "verdict", verdict_names[tuning->judgement.verdict]);
    fth_json_key_unsigned(facts, "runs", tuning->search.made);
    fth_json_key_unsigned(facts, "choices", tuning->choices.count);
    if (!tuning->live)
        put_run(facts, tuning);
    put_search(facts, tuning);
    if (tuning->live)
        return;
    fth_json_key_text(facts, "variables", tuning->files[0]);
    fth_json_key_text(facts, "hints", tuning->files[1]);
    fth_json_key_text(facts, "apply", tuning->apply);
}

static void show_table(struct fth_writer *writer, const struct fth_table *table)
{
    if (!fth_table_rows(table) && fth_views_for_people(writer))
        return;
    fth_views_write_gap(writer);
    fth_views_write_table(writer, table, &(struct fth_table_layout){0});
    fth_views_write_gap(writer);
}

int fth_cmd_tune_show(struct fth_cmd_tuning *tuning, struct fth_error **error)
{
    struct fth_writer writer;
    struct fth_table *tried = make_tried(tuning), *winner = make_winner(tuning);
    if (!tried || !winner || fth_table_failed(tried) || fth_table_failed(winner)) {
        fth_table_free(tried);
        fth_table_free(winner);
        return fth_fail(error, "out of memory for the tables");
    }
    int result = fth_cmd_open_page(&writer, &tuning->page, "fathom tune", 2, NULL, error);
    if (!result) {
        put_facts(&writer.facts, tuning);
        if (tuning->live)
            say_live(&writer, tuning);
        else
            say_run(&writer, tuning);
        if (tuning->not_simulated)
            fth_views_write_remark(&writer, FTH_PAINT_WARNING, "Not all was simulated: %s",
                                   tuning->not_simulated);
        show_table(&writer, tried);
        show_table(&writer, winner);
        say_verdict(&writer, tuning);
        result = fth_cmd_close_page(&writer, 0, error);
    }
    fth_table_free(tried);
    fth_table_free(winner);
    return result;
}
