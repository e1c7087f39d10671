/* `fathom tune`: what makes a program faster without touching it. Records it once, makes choices of
 * what to set, tries them within a number of runs, and keeps the winner as files. */
#include "analysis/passes/passes.h"
#include "base/memory.h"
#include "base/processors.h"
#include "cmd/shared/command.h"
#include "cmd/shared/interrupted.h"
#include "cmd/shared/installed.h"
#include "cmd/tune/safe_models.h"
#include "cmd/tune/tune_live.h"
#include "diff/hints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPTION_RUNS = 0x300, OPTION_BEFORE, OPTION_ON, OPTION_ALL, OPTION_FORCE, OPTION_LIVE };

/* Events of the simulation of one choice: about a second. */
#define MOST_EVENTS UINT64_C(5000000)
#define MOST_TIME INT64_C(20000000000) /* ns, of all simulations */

static const struct argp_option options[] = {
    {"runs", OPTION_RUNS, "N", 0,
     "Run the program at most N times, including the recorded run (default: 12; at least 9)", 0},
    {"before", OPTION_BEFORE, "COMMAND", 0,
     "Before each run, execute this command of the shell: 'rm -f out.*'. Its time does not count",
     0},
    {"output", 'o', "NAME", 0, "Write the winner to NAME.sh and NAME.hints (default: tuned)", 0},
    {"force", OPTION_FORCE, NULL, 0, "Replace these files if they exist", 0},
    {"on", OPTION_ON, "CLUSTER", 0,
     "The cluster for the simulation that says what is tried first, as for `fathom simulate` "
     "(default: node, one node with a local disk)",
     0},
    {"all", OPTION_ALL, NULL, 0, "Try every combination of settings, whatever --runs says", 0},
    {"live", OPTION_LIVE, NULL, 0,
     "Tune a program that runs, recorded with --tunable, in place of a command: other hints for "
     "each file that its ranks open together. Give its spill folder or a process ID, or nothing if "
     "it is the only one. --runs is the most files that are tried (default: 24)",
     0},
    {"quiet", 'q', NULL, 0, "Do not report each run on the standard error stream", 0},
    {0},
};

static const char text[] =
    "Find settings of MPI-IO and other libraries, and a consistency of the file system of Fathom, "
    "that make a program faster, without changing the program.\v"
    "The program is run several times (--runs), first recorded, then unrecorded. It must do the "
    "same in each run; --before restores what a run changes. Findings and a simulation of the "
    "recorded run choose what is tried. The best settings are compared with the unchanged program "
    "in three pairs of runs. If they help, they are written as files, and the page ends with the "
    "command that applies them. The program is not recorded in the runs whose time counts.\n"
    "\n"
    "Examples:\n"
    "  fathom tune -- mpirun -n 4 ./app\n"
    "  fathom tune --before 'rm -f out.*' --runs 20 -o app-tuned -- mpirun -n 4 ./app\n"
    "  fathom tune --on mine.yaml -- mpirun -n 4 ./app    # mine.yaml: by fathom measure\n"
    "  . ./tuned.sh && mpirun -n 4 ./app\n"
    "  fathom record --tunable mpirun -n 4 ./app & fathom tune --live\n"
    "  fathom tune --json -- mpirun -n 4 ./app | jq '{verdict, best, runs}'";

struct request {
    struct fth_cmd_tuning tuning;
    struct fth_cmd_tune_live live;
    const char *of_runs; /* an option that was given, which is about runs of a command; or NULL */
    char cluster_file[PATH_MAX];
};

enum { LIVE_FILES = 24, USUAL_RUNS = 12 };

/* --live is about a program that runs: what is about runs of a command has no meaning. */
static void finish(struct argp_state *state, struct request *request)
{
    struct fth_cmd_tuning *tuning = &request->tuning;
    if (tuning->live && request->of_runs)
        fth_cmd_wrong(state, "--live runs no command, so it excludes %s", request->of_runs);
    if (tuning->live && tuning->command && tuning->command[0] && tuning->command[1])
        fth_cmd_wrong(state, "--live takes one spill folder or process ID");
    if (!tuning->live && !tuning->command)
        fth_cmd_wrong(state, "give the command that runs the program: fathom tune -- mpirun -n 4 "
                             "./app");
    if (tuning->live && tuning->command)
        request->live.asked = tuning->command[0];
    if (!tuning->search.runs)
        tuning->search.runs = tuning->live ? LIVE_FILES : USUAL_RUNS;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    struct fth_cmd_tuning *tuning = &request->tuning;
    switch (key) {
    case OPTION_RUNS: {
        int64_t runs = fth_cmd_integer(state, "runs", argument);
        if (runs < FTH_TUNE_LEAST_RUNS || runs > FTH_TUNE_MOST_RUNS)
            fth_cmd_wrong(state, "--runs takes %d to %d, not '%s'", FTH_TUNE_LEAST_RUNS,
                          FTH_TUNE_MOST_RUNS, argument);
        tuning->search.runs = (size_t)runs;
        return 0;
    }
    case OPTION_BEFORE:
        request->of_runs = "--before";
        tuning->before_run = argument;
        return 0;
    case OPTION_ON:
        request->of_runs = "--on";
        tuning->cluster = fth_cmd_cluster(state, argument, request->cluster_file);
        tuning->own_cluster = true;
        return 0;
    case OPTION_ALL:
        tuning->search.all = true;
        return 0;
    case OPTION_FORCE:
        request->of_runs = "--force";
        tuning->force = true;
        return 0;
    case OPTION_LIVE:
        tuning->live = &request->live;
        return 0;
    case 'o':
        request->of_runs = "--output";
        tuning->output = argument;
        return 0;
    case 'q':
        tuning->quiet = true;
        return 0;
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &tuning->page);
    case ARGP_KEY_ARGS:
        tuning->command = state->argv + state->next;
        return 0;
    case ARGP_KEY_END:
        finish(state, request);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* ---- before the first run ---- */

static int make_folder(struct fth_cmd_tuning *tuning, struct fth_error **error)
{
    const char *parent = getenv("TMPDIR");
    int length = snprintf(tuning->folder, sizeof tuning->folder, "%s/fathom-tune-XXXXXX",
                          parent && *parent ? parent : "/tmp");
    if (length >= (int)sizeof tuning->folder || !mkdtemp(tuning->folder)) {
        fth_fail_errno(error, "cannot make a temporary folder '%s'", tuning->folder);
        *tuning->folder = 0;
        return -1;
    }
    tuning->trace_path = fth_text_format("%s/run.fathom", tuning->folder);
    tuning->log_path = fth_text_format("%s/output", tuning->folder);
    tuning->hints_path = fth_text_format("%s/hints", tuning->folder);
    return 0;
}

static void remove_folder(struct fth_cmd_tuning *tuning)
{
    if (!*tuning->folder)
        return;
    unlink(tuning->trace_path);
    unlink(tuning->log_path);
    unlink(tuning->hints_path);
    rmdir(tuning->folder);
    free(tuning->trace_path);
    free(tuning->log_path);
    free(tuning->hints_path);
}

static int prepare(struct fth_cmd_tuning *tuning, struct fth_error **error)
{
    const char *hints = getenv("ROMIO_HINTS");
    if (hints && *hints && fth_tune_hints_read(&tuning->before, hints, error))
        return -1;
    return fth_cmd_tune_check_files(tuning, error) || make_folder(tuning, error) ? -1 : 0;
}

/* ---- from the recorded run to choices ---- */

static int look_at(struct fth_cmd_tuning *tuning, struct fth_trace *trace,
                   struct fth_results *results, struct fth_error **error)
{
    struct fth_selection selection;
    struct fth_diff_hints hints = {0};
    const struct fth_listener listener = fth_diff_listen_for_hints(&hints);
    struct fth_cmd_survey survey = {
        .selection = &selection, .further = &fth_tune_pass, .listener = &listener};
    fth_analysis_selection_init(&selection);
    fth_thresholds_init(&survey.thresholds);
    int result = fth_cmd_survey(&survey, trace, results, error);
    if (!result)
        fth_tune_describe(&tuning->run, trace, results, hints.list, hints.count);
    fth_diff_hints_free(&hints);
    fth_analysis_selection_free(&selection);
    return result;
}

static void predict(struct fth_cmd_tuning *tuning)
{
    const struct fth_tune_simulation simulation = {.trace_path = tuning->trace_path,
                                                   .cluster_path = tuning->cluster,
                                                   .cores =
                                                       tuning->own_cluster ? 0 : fth_processors(),
                                                   .most_events = MOST_EVENTS,
                                                   .most_time = MOST_TIME};
    struct fth_error *error = NULL;
    if (tuning->choices.count &&
        fth_tune_predict(&tuning->choices, &tuning->run, &simulation, &error))
        tuning->not_simulated = fth_text_copy(fth_error_text(error));
    fth_error_free(error);
}

static int search(struct fth_cmd_tuning *tuning, struct fth_error **error)
{
    if (tuning->models)
        fth_cmd_tune_keep_outputs(tuning);
    fth_tune_choices_make(&tuning->choices, &tuning->run, &tuning->before);
    predict(tuning);
    fth_tune_choices_sort(&tuning->choices);
    tuning->search.measure = fth_cmd_tune_measure;
    tuning->search.context = tuning;
    tuning->search.made = 1;
    if (fth_tune_search(&tuning->search, &tuning->choices, error))
        return -1;
    tuning->judgement = fth_tune_judge(&tuning->search);
    if (tuning->judgement.verdict == FTH_TUNE_HELPS && fth_cmd_tune_write_files(tuning, error))
        return -1;
    return fth_cmd_tune_show(tuning, error);
}

static int tune(struct fth_cmd_tuning *tuning, struct fth_error **error)
{
    struct fth_results results = {0};
    if (prepare(tuning, error) || fth_cmd_tune_record(tuning, error))
        return -1;
    struct fth_trace *trace = fth_cmd_open_trace(tuning->trace_path, error);
    int result = trace ? look_at(tuning, trace, &results, error) : -1;
    if (!result)
        result = fth_cmd_tune_find_models(tuning, trace, error);
    if (!result)
        result = search(tuning, error);
    fth_results_free(&results);
    fth_trace_close(trace);
    return result;
}

static void free_all(struct fth_cmd_tuning *tuning)
{
    remove_folder(tuning);
    fth_tune_hints_free(&tuning->before);
    fth_tune_choices_free(&tuning->choices);
    fth_tune_run_free(&tuning->run);
    for (size_t i = 0; i < tuning->model_count; i++)
        free(tuning->models[i]);
    free(tuning->models);
    free(tuning->weakest);
    fth_cmd_outputs_free(&tuning->outputs);
    free(tuning->outputs_error);
    free(tuning->not_simulated);
    free(tuning->files[0]);
    free(tuning->files[1]);
    free(tuning->apply);
}

int fth_cmd_tune(int argc, char **argv)
{
    const struct argp argp = {options,
                              parse,
                              "COMMAND [ARGUMENT...]\n--live [FOLDER|PID]",
                              text,
                              fth_cmd_page_options(FTH_CMD_HAS_TABLES | FTH_CMD_HAS_NO_FILE, 0),
                              NULL,
                              NULL};
    static struct request request = {.tuning = {.output = "tuned"}};
    struct fth_error *error = NULL;
    if (fth_cmd_parse(&argp, argc, argv, ARGP_IN_ORDER, &request))
        return 1;
    fth_cmd_watch_signals(); /* ends the run that goes on, and with it the tuning */
    if (!request.tuning.cluster)
        request.tuning.cluster = fth_cmd_cluster(NULL, "node", request.cluster_file);
    int (*work)(struct fth_cmd_tuning *, struct fth_error **) =
        request.tuning.live ? fth_cmd_tune_while_it_runs : tune;
    int status = work(&request.tuning, &error) ? fth_cmd_failed("tune", error) : 0;
    free_all(&request.tuning);
    fth_cmd_tune_live_free(&request.live);
    fth_cmd_end_interrupted();
    return status;
}
