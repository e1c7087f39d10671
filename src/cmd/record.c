/* `fathom record`: runs a command with the tracer in all its processes, and makes a trace of what they left. Whatever goes wrong
 * with the recording, the command runs, and its exit status is ours. */
#include "cmd/record.h"

#include "base/json.h"
#include "cmd/command.h"
#include "cmd/run.h"
#include "trace/program.h"
#include "views/words.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#define NS_PER_CALL 60 /* what a traced call costs, about; see bench/ */

/* A recording from start to end. */
struct recording {
    struct fth_record_options options;
    struct fth_cmd_run run;
    const char *shown_output; /* as the user knows it */
    struct fth_setting settings[FTH_MOST_SETTINGS];
    struct fth_outcome outcome;
    struct fth_merge_report report;
    uint64_t spill_bytes;
    int64_t merge_duration; /* ns */
};

static int64_t monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* ---- the command ---- */

static int say_not_started(const char *name, int error)
{
    fprintf(stderr, "fathom record: cannot run '%s': %s\n", name,
            error == ENOENT && !strchr(name, '/') ? "command not found" : strerror(error));
    return fth_launch_status_of_error(error);
}

static int say_no_process(void)
{
    fprintf(stderr, "fathom record: cannot start a process: %s\n", strerror(errno));
    return 126;
}

/* Recording is not possible; the command runs all the same. */
static int run_untraced(const struct recording *recording, struct fth_error *error)
{
    static const struct fth_setting nothing = {NULL, NULL};
    struct fth_outcome outcome;
    fprintf(stderr, "fathom record: %s; the command runs without being recorded\n",
            fth_error_text(error));
    fth_error_free(error);
    if (fth_launch(recording->options.command, &nothing, &outcome))
        return say_no_process();
    if (outcome.exec_error)
        return say_not_started(recording->options.command[0], outcome.exec_error);
    return fth_launch_end_alike(outcome.status);
}

/* ---- before ---- */

static void note_blind_spot(struct recording *recording)
{
    char path[PATH_MAX], why[PATH_MAX + 200];
    if (fth_program_find(recording->options.command[0], path, sizeof path) &&
        fth_program_is_unseen(path, why, sizeof why))
        json_array_append_new(recording->run.blind_spots, fth_run_text(why));
}

/* Everything that is needed before the command starts. */
static int prepare(struct recording *recording, struct fth_error **error)
{
    struct fth_cmd_run *run = &recording->run;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    run->start = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    run->meta = fth_record_meta(&recording->options, run->output);
    run->blind_spots = json_array();
    if (!run->meta || !run->blind_spots)
        return fth_fail(error, "out of memory");
    note_blind_spot(recording);
    if (fth_run_make_spill(run, recording->options.spill, error))
        return -1;
    if (fth_record_settings(&recording->options, run->spill, run->parts, recording->settings,
                            error) == 0 &&
        fth_run_save(run, error) == 0)
        return 0;
    fth_run_remove_spill(run);
    return -1;
}

/* ---- after ---- */

static struct fth_phrase how_it_ended(int status)
{
    struct fth_phrase phrase;
    bool killed = WIFSIGNALED(status);
    snprintf(phrase.text, sizeof phrase.text, "%s %d", killed ? "signal" : "exit",
             killed ? WTERMSIG(status) : WEXITSTATUS(status));
    return phrase;
}

static void take_outcome(struct recording *recording)
{
    struct fth_cmd_run *run = &recording->run;
    const struct fth_outcome *outcome = &recording->outcome;
    run->start = outcome->start;
    run->end = outcome->end;
    json_object_set_new(run->meta, "status", json_string(how_it_ended(outcome->status).text));
    json_object_set_new(run->meta, "wall_seconds", json_real(1e-9 * (double)outcome->duration));
    if (WIFSIGNALED(outcome->status))
        fth_run_note_killed(run, outcome->pid, WTERMSIG(outcome->status));
    fth_run_save(run, NULL); /* for a merge later on; this one knows */
}

/* "fathom merge -o app.fathom /tmp/fathom-x1y2z3", to be pasted into a shell. */
static void say_merge_command(const struct recording *recording)
{
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    fth_sink_text(&sink, "fathom merge -o ");
    fth_views_put_argument(&sink, recording->shown_output);
    fth_sink_char(&sink, ' ');
    fth_views_put_argument(&sink, recording->run.spill);
    fprintf(stderr, "%.*s\n", (int)sink.used, sink.bytes);
    fth_sink_close_memory(&sink);
}

static void say_what_was_recorded(const struct recording *recording)
{
    const struct fth_merge_report *report = &recording->report;
    fprintf(stderr, "fathom: %s of %s in %s -> %s",
            fth_views_several(report->calls, "call", "calls").text,
            fth_views_several(report->processes, "process", "processes").text,
            fth_views_bytes(report->bytes).text, recording->shown_output);
    if (report->excluded)
        fprintf(stderr, "; left out by the filters: %s",
                fth_views_several(report->excluded, "call", "calls").text);
    fprintf(stderr,
            "\nfathom: this took about %s in calls (an estimate, %d ns each) of the %s that the "
            "command ran, %s of spill, and ",
            fth_views_duration((int64_t)report->calls * NS_PER_CALL).text, NS_PER_CALL,
            fth_views_duration(recording->outcome.duration).text,
            fth_views_bytes(recording->spill_bytes).text);
    fprintf(stderr, "%s to merge\n", fth_views_duration(recording->merge_duration).text);
    for (size_t i = 0; i < json_array_size(recording->run.blind_spots); i++)
        fprintf(stderr, "fathom: not seen: %s\n",
                json_string_value(json_array_get(recording->run.blind_spots, i)));
}

static void say_in_json(const struct recording *recording, bool spill_kept)
{
    const struct fth_merge_report *report = &recording->report;
    json_t *line = json_pack(
        "{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:f, s:f, s:f, s:I, s:o, s:O}", "trace",
        fth_run_text(recording->shown_output), "calls", (json_int_t)report->calls, "processes",
        (json_int_t)report->processes, "bytes", (json_int_t)report->bytes, "excluded",
        (json_int_t)report->excluded, "lost", (json_int_t)report->lost, "stopped",
        (json_int_t)report->stopped, "still_running", (json_int_t)report->still_running, "status",
        how_it_ended(recording->outcome.status).text, "wall_seconds",
        1e-9 * (double)recording->outcome.duration, "merge_seconds",
        1e-9 * (double)recording->merge_duration, "estimated_cost_seconds",
        1e-9 * NS_PER_CALL * (double)report->calls, "spill_bytes",
        (json_int_t)recording->spill_bytes, "spill",
        spill_kept ? fth_run_text(recording->run.spill) : json_null(), "blind_spots",
        recording->run.blind_spots);
    char *text = line ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    fprintf(stderr, "%s\n", text ? text : "{}");
    free(text);
    json_decref(line);
}

/* What is lost or left behind is said even to those who want it quiet. */
static void say_what_remains(const struct recording *recording, bool spill_kept)
{
    const struct fth_merge_report *report = &recording->report;
    fth_run_say_losses(report, recording->options.quiet);
    if (report->still_running) {
        fprintf(stderr, "fathom: still running: %s; for a trace with the rest, when ended: ",
                fth_views_several(report->still_running, "process", "processes").text);
        say_merge_command(recording);
    } else if (spill_kept && !recording->options.quiet) {
        fprintf(stderr, "fathom: the spill folder is kept: %s\n", recording->run.spill);
    }
}

/* Merges and says what came of it. Returns 0, or 1 when there is no trace. */
static int finish(struct recording *recording)
{
    const struct fth_record_options *options = &recording->options;
    struct fth_error *error = NULL;
    take_outcome(recording);
    fth_run_wait_for_stragglers(&recording->run);
    recording->spill_bytes = fth_run_spill_bytes(&recording->run);
    recording->merge_duration = -monotonic();
    int result = fth_run_merge(&recording->run, &recording->report, &error);
    recording->merge_duration += monotonic();
    if (result) {
        fth_cmd_failed("record", error);
        fputs("fathom: what was recorded is kept; to try again: ", stderr);
        say_merge_command(recording);
        return 1;
    }
    bool kept = options->keep_spill || recording->report.still_running;
    if (!kept)
        fth_run_remove_spill(&recording->run);
    if (options->json)
        say_in_json(recording, kept);
    else if (!options->quiet)
        say_what_was_recorded(recording);
    if (!options->json)
        say_what_remains(recording, kept);
    if (!options->json && !options->quiet)
        fprintf(stderr, "fathom: next: fathom stats %s\n", recording->shown_output);
    return 0;
}

static int record(struct recording *recording)
{
    struct fth_error *error = NULL;
    if (prepare(recording, &error))
        return run_untraced(recording, error);
    int started = fth_launch(recording->options.command, recording->settings, &recording->outcome);
    if (started != 0 || recording->outcome.exec_error)
        fth_run_remove_spill(&recording->run);
    if (started != 0)
        return say_no_process();
    if (recording->outcome.exec_error)
        return say_not_started(recording->options.command[0], recording->outcome.exec_error);
    int failed = finish(recording), status = recording->outcome.status;
    return failed && status == 0 ? failed : fth_launch_end_alike(status);
}

int fth_cmd_record(int argc, char **argv)
{
    static struct recording recording;
    struct fth_error *error = NULL;
    fth_record_parse(&recording.options, argc, argv);
    const char *given = recording.options.output;
    char *output = given ? strdup(given) : fth_record_default_output(recording.options.command);
    recording.shown_output = output;
    recording.run.output = output ? fth_run_absolute(output) : NULL;
    int status;
    if (!recording.run.output)
        status = fth_cmd_failed(
            "record", (fth_fail_errno(&error, "cannot tell where to write the trace"), error));
    else if (fth_run_check_output(recording.run.output, &error))
        status = fth_cmd_failed("record", error);
    else
        status = record(&recording);
    fth_record_free_settings(recording.settings);
    fth_record_free(&recording.options);
    fth_run_free(&recording.run);
    free(output);
    return status;
}
