/* `fathom merge`: makes a trace of the spill folder of a recording that could not do so itself. */
#include "base/visible.h"
#include "cmd/record/find_plugins.h"
#include "cmd/run/other_nodes.h"
#include "cmd/run/run.h"
#include "cmd/shared/command.h"
#include "views/output/display_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_JSON = 0x100, OPTION_TIME };

static const struct argp_option options[] = {
    {"json", OPTION_JSON, NULL, 0, "Describe the merged trace as one line of JSON", 0},
    {"output", 'o', "FILE", 0,
     "Write the trace to FILE (default: in this folder, with the name that the recording would "
     "have used)",
     0},
    {"time", OPTION_TIME, "HOW", 0,
     "How times are kept, as for `fathom record`, instead of the setting of the recording", 0},
    {"quiet", 'q', NULL, 0, "Print errors only", 0},
    {0},
};

static const char text[] =
    "Make a trace from the spill folder of a recording: after `fathom record` was killed, after "
    "its merge failed, or when processes outlived it.\v"
    "The folder is kept; remove it when the trace is good. Further FOLDERs are spill folders of "
    "other nodes, copied to this one; their files are moved into the first. Without a folder, the "
    "command lists the spill folders that are left.\n"
    "\n"
    "Examples:\n"
    "  fathom merge -o app.fathom /tmp/fathom-x1y2z3\n"
    "  fathom merge /tmp/fathom-x1y2z3 node2/fathom-x1y2z3 node3/fathom-x1y2z3";

struct request {
    const char *output, *spill, *time;
    char **more; /* spill folders of other nodes, ended by NULL */
    bool quiet, json;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'o':
        request->output = argument;
        return 0;
    case OPTION_JSON:
        request->json = true;
        return 0;
    case OPTION_TIME: {
        struct fth_time_mode mode;
        fth_cmd_times(state, argument, &mode);
        request->time = argument;
        return 0;
    }
    case 'q':
        request->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        request->spill = argument;
        request->more = state->argv + state->next;
        state->next = state->argc;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* ---- without an argument ---- */

static void list(const struct fth_cmd_run *run, const char *trouble, void *context)
{
    size_t *count = context;
    struct fth_sink command;
    if (!(*count)++)
        fth_say(stderr, "fathom merge: give a spill folder. These are left in %s:\n",
                fth_run_default_parent());
    if (trouble) {
        fth_say(stderr, "  cannot be merged: %s\n", trouble);
        return;
    }
    fth_sink_open_memory(&command);
    json_t *words = json_object_get(run->meta, "command");
    for (size_t i = 0; i < json_array_size(words); i++) {
        fth_sink_text(&command, i ? " " : "");
        fth_views_put_argument(&command, json_string_value(json_array_get(words, i)));
    }
    fth_say(stderr, "  %s  %.16s  %.*s%s\n", run->spill, fth_views_local_date(run->start).text,
            (int)command.used, command.bytes ? command.bytes : "",
            fth_run_goes_on(run) ? "  (still running)" : "");
    fth_sink_close_memory(&command);
}

static int list_leftovers(void)
{
    size_t count = 0;
    fth_run_visit_left(NULL, list, &count);
    if (!count)
        fth_say(stderr,
                "fathom merge: give a spill folder. None of yours is left in %s; `fathom record` "
                "prints the name of a folder that it leaves\n",
                fth_run_default_parent());
    return 1;
}

/* ---- with one ---- */

static void say(const struct fth_cmd_run *run, const struct fth_merge_report *report, bool quiet)
{
    if (!quiet) {
        fth_say(stderr, "fathom: %s of %s", fth_phrase_several(report->calls, "call", "calls").text,
                fth_run_processes(report));
        fth_say(stderr, " in %s -> %s\n", fth_phrase_bytes(report->bytes).text, run->output);
    }
    if (!quiet)
        fth_run_say_blind_spots(run);
    fth_run_say_losses(run, report, quiet);
    if (report->still_running)
        fth_say(stderr, "fathom: still running: %s; merge again when they have ended\n",
                fth_phrase_several(report->still_running, "process", "processes").text);
    else if (!quiet)
        fth_say(stderr, "fathom: the spill folder is kept: %s\n", run->spill);
}

static void keep_times(struct fth_cmd_run *run, const char *time)
{
    struct fth_time_mode mode;
    fth_time_mode_parse(time, &mode);
    json_object_set_new(run->meta, "time", json_string(time));
    json_object_set_new(run->meta, "resolution_ns", json_integer((json_int_t)mode.resolution_ns));
}

/* Where the trace goes is not for the folder to say: it gives a name, and the trace is made
 * here. */
static int choose_output(struct fth_cmd_run *run, const char *asked, struct fth_error **error)
{
    const char *name = strrchr(run->output, '/') + 1;
    if (!asked && (!*name || !strcmp(name, ".") || !strcmp(name, "..")))
        return fth_fail(error, "'%s' does not contain the name of the trace: use --output",
                        run->spill);
    char *output = fth_run_output(asked ? asked : name);
    if (!output)
        return fth_fail_errno(error, "cannot determine the path of '%s'", asked ? asked : name);
    free(run->output);
    run->output = output;
    return 0;
}

static int merge(struct fth_cmd_run *run, const struct request *request, struct fth_error **error)
{
    struct fth_merge_report report = {0};
    if (fth_run_load(run, request->spill, error) || fth_record_take_plugins(run->plugins, error))
        return -1;
    if (choose_output(run, request->output, error))
        return -1;
    if (!fth_run_goes_on(run))
        fth_run_leave_memory(run);
    run->is_checked = true;
    if (request->time)
        keep_times(run, request->time);
    size_t known = json_array_size(run->blind_spots);
    bool left_behind = fth_node_collect(run);
    for (char **folder = request->more; *folder; folder++) {
        if (fth_node_take(run, *folder, error))
            return -1;
        left_behind = false; /* whoever brings folders brings all that were named */
        while (json_array_size(run->blind_spots) > known)
            json_array_remove(run->blind_spots, known);
    }
    if (fth_run_check_output(run->output, error) || fth_run_merge(run, &report, error))
        return -1;
    if (!left_behind)
        fth_node_forget(run);
    if (request->json)
        fth_run_print(stdout, fth_run_report(run, &report, run->output, true));
    else
        say(run, &report, request->quiet);
    return 0;
}

int fth_cmd_merge(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "[FOLDER...]", text, NULL, NULL, NULL};
    struct request request = {0};
    struct fth_cmd_run run = {0};
    struct fth_error *error = NULL;
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    if (!request.spill)
        return list_leftovers();
    int result = merge(&run, &request, &error);
    fth_run_free(&run);
    return result ? fth_cmd_failed("merge", error) : 0;
}
