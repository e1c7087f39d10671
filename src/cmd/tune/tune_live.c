/* `fathom tune --live`: tunes a program while it runs. The search is that of `fathom tune`; a run
 * is a file: hints are asked for, and the next file that the program's ranks open together with
 * them is measured from there until all have closed it. Programs open files of several kinds in
 * turns (a checkpoint, plot files): those count that take longest. */
#include "cmd/tune/tune_live.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "base/visible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KINDS = 16 /* files that are looked at to know which take longest */ };

/* ---- which files ---- */

/* Looks at files without hints until one of a kind comes again that was there before. Those that
 * cannot be opened are none. */
static int choose_files(struct fth_cmd_tune_live *live, struct fth_error **error)
{
    uint64_t request, after = 0, names[MOST_KINDS], longest = 0;
    size_t count = 0;
    struct fth_tunable_open row;
    if (fth_cmd_tune_request(live, 0, 0, &request, error))
        return -1;
    for (bool again = false; !again && count < MOST_KINDS;) {
        if (fth_cmd_tune_await(live, request, 0, &after, &row, error))
            return -1;
        if (row.failed)
            continue;
        for (size_t i = 0; i < count; i++)
            again = again || names[i] == row.name;
        names[count++] = row.name;
        live->seen++;
        if (row.end - row.begin <= longest)
            continue;
        longest = row.end - row.begin;
        live->name = row.name;
        live->ranks = row.ranks < FTH_TUNABLE_MOST_NODES ? row.ranks : FTH_TUNABLE_MOST_NODES;
        memcpy(live->path, row.path, sizeof live->path);
    }
    return 0;
}

/* ---- the search ---- */

static uint64_t value_of(const struct fth_tune_choice *choice, const char *name)
{
    const char *value = choice ? fth_tune_choice_get(choice, name) : NULL;
    return value ? strtoull(value, NULL, 10) : 0;
}

static int ask_for(struct fth_cmd_tune_live *live, const struct fth_tune_choice *choice,
                   uint64_t *request, struct fth_error **error)
{
    return fth_cmd_tune_request(live, value_of(choice, "cb_nodes"),
                                value_of(choice, "cb_buffer_size"), request, error);
}

static void say_file(const struct fth_cmd_tuning *tuning, const struct fth_tune_choice *choice,
                     const struct fth_tunable_open *row)
{
    char *text = choice ? fth_tune_choice_text(choice) : fth_text_copy("unchanged");
    if (!tuning->quiet)
        fth_say(stderr, "fathom tune: file %zu: %s: %s\n", tuning->search.made,
                fth_phrase_duration((int64_t)(row->end - row->begin)).text, text);
    free(text);
}

static enum fth_tune_outcome measure(void *context, const struct fth_tune_choice *choice,
                                     int64_t most, int64_t *time, struct fth_error **error)
{
    struct fth_cmd_tuning *tuning = context;
    struct fth_cmd_tune_live *live = tuning->live;
    struct fth_tunable_open row;
    uint64_t request, after = 0;
    (void)most;
    if (ask_for(live, choice, &request, error) ||
        fth_cmd_tune_await(live, request, live->name, &after, &row, error))
        return FTH_TUNE_FAILED;
    live->seen++;
    if (row.failed) {
        fth_fail(error, "the file could not be opened");
        return FTH_TUNE_REFUSED;
    }
    *time = (int64_t)(row.end - row.begin);
    say_file(tuning, choice, &row);
    return FTH_TUNE_RAN;
}

static int search(struct fth_cmd_tuning *tuning, struct fth_error **error)
{
    struct fth_cmd_tune_live *live = tuning->live;
    uint64_t request;
    tuning->run =
        (struct fth_tune_run){.ranks = live->ranks,
                              .library = FTH_TUNE_ROMIO,
                              .effects = FTH_TUNE_ON_WRITES_TOGETHER | FTH_TUNE_ON_READS_TOGETHER,
                              .only_at_open = true,
                              .file_time = 1,
                              .whole = 1};
    fth_tune_choices_make(&tuning->choices, &tuning->run, &tuning->before);
    tuning->search.measure = measure;
    tuning->search.context = tuning;
    if (fth_tune_search(&tuning->search, &tuning->choices, error))
        return -1;
    tuning->judgement = fth_tune_judge(&tuning->search);
    bool helps = tuning->judgement.verdict == FTH_TUNE_HELPS;
    return ask_for(live, helps ? tuning->search.best : NULL, &request, error);
}

int fth_cmd_tune_while_it_runs(struct fth_cmd_tuning *tuning, struct fth_error **error)
{
    struct fth_cmd_tune_live *live = tuning->live;
    uint64_t request;
    if (fth_cmd_tune_find_run(live, error) || fth_cmd_tune_take_page(live, error))
        return -1;
    int result = choose_files(live, error);
    if (!result)
        result = search(tuning, error);
    if (result)
        fth_cmd_tune_request(live, 0, 0, &request, NULL);
    fth_cmd_tune_let_page_go(live);
    return result ? result : fth_cmd_tune_show(tuning, error);
}

void fth_cmd_tune_live_free(struct fth_cmd_tune_live *live)
{
    fth_run_free(&live->run);
}
