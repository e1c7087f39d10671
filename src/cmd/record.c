/* `fathom record`: runs a command with the tracer in all its processes, and makes a trace of what
 * they left. Whatever goes wrong with the recording, the command runs, and its exit status is
 * ours. */
#include "base/json.h"
#include "base/memory.h"
#include "base/visible.h"
#include "cmd/record/record.h"
#include "cmd/run/other_nodes.h"
#include "cmd/run/run.h"
#include "cmd/run/run_ahead.h"
#include "cmd/run/start_sampler.h"
#include "cmd/run/launched_together.h"
#include "cmd/shared/command.h"
#include "cmd/shared/output_file.h"
#include "machine/node_mounts.h"
#include "trace/file/container.h"
#include "trace/program/program.h"
#include "trace/state/state.h"
#include "views/output/display_text.h"
#include "views/sentences/meta.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_CALL 60      /* what a traced call costs, about; see bench/ */
#define NS_PER_START 500000 /* and the start of a process, also of one that was forked */

/* A recording from start to end. */
struct recording {
    struct fth_record_options options;
    struct fth_cmd_run run;
    struct fth_together together; /* with those of the other ranks, */
    bool is_one_of_several;       /* if there are any */
    struct fth_sampler sampler;
    struct fth_run_ahead *ahead; /* NULL: nothing is merged ahead */
    char *asked_output;          /* as the user knows it, before */
    char *shown_output;          /* and after a node, a rank or a number was added */
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
    fth_say(stderr, "fathom record: cannot run '%s': %s\n", name,
            error == ENOENT && !strchr(name, '/') ? "command not found" : strerror(error));
    return fth_launch_status_of_error(error);
}

static int say_no_process(void)
{
    fth_say(stderr, "fathom record: cannot start a process: %s\n", strerror(errno));
    return 126;
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

/* What the command took of processors, with all that it started and waited for. */
static double processor_seconds(void)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void take_outcome(struct recording *recording)
{
    struct fth_cmd_run *run = &recording->run;
    const struct fth_outcome *outcome = &recording->outcome;
    run->start = outcome->start;
    run->end = outcome->end;
    json_object_set_new(run->meta, "status", json_string(how_it_ended(outcome->status).text));
    json_object_set_new(run->meta, "wall_seconds", json_real(1e-9 * (double)outcome->duration));
    json_object_set_new(run->meta, "processor_seconds", json_real(processor_seconds()));
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
    fth_say(stderr, "%.*s\n", (int)sink.used, sink.bytes);
    fth_sink_close_memory(&sink);
}

static bool has_other_nodes(const struct recording *recording)
{
    return recording->together.local_size < recording->together.size;
}

/* By the filters, and how to have it. */
static void say_what_was_left_out(const struct recording *recording)
{
    char *meta = json_dumps(recording->run.meta, JSON_COMPACT);
    char *filters = meta ? fth_views_filters(meta) : NULL;
    fth_say(stderr, "fathom: left out: %s%s\n",
            fth_phrase_several(recording->report.excluded, "call", "calls").text,
            filters ? filters : "");
    free(filters);
    free(meta);
}

static void say_what_was_recorded(const struct recording *recording)
{
    const struct fth_merge_report *report = &recording->report;
    fth_say(stderr, "fathom: %s of %s in %s -> %s",
            fth_phrase_several(report->calls, "call", "calls").text, fth_run_processes(report),
            fth_phrase_bytes(report->bytes).text, recording->shown_output);
    if (has_other_nodes(recording))
        fprintf(stderr, ", the trace of this node's ranks");
    fputc('\n', stderr);
    if (report->excluded)
        say_what_was_left_out(recording);
    fth_say(stderr,
            "fathom: recording took about %s in calls (an estimate, %d ns each) and %s for the "
            "start of %s (about 0.5 ms each) of the %s that the command ran, %s of spill, and ",
            fth_phrase_duration((int64_t)report->calls * NS_PER_CALL).text, NS_PER_CALL,
            fth_phrase_duration((int64_t)report->images * NS_PER_START).text,
            report->images == report->processes
                ? fth_run_processes(report)
                : fth_phrase_several(report->images, "image", "images").text,
            fth_phrase_duration(recording->outcome.duration).text,
            fth_phrase_bytes(recording->spill_bytes).text);
    fth_say(stderr, "%s to merge\n", fth_phrase_duration(recording->merge_duration).text);
    fth_run_say_blind_spots(&recording->run);
}

static void say_in_json(const struct recording *recording, bool spill_kept)
{
    const struct fth_merge_report *report = &recording->report;
    json_t *line = fth_run_report(&recording->run, report, recording->shown_output, spill_kept);
    json_t *more =
        json_pack("{s:I, s:s, s:f, s:f, s:f, s:f, s:I}", "merged_ahead", (json_int_t)report->ahead,
                  "status", how_it_ended(recording->outcome.status).text, "wall_seconds",
                  1e-9 * (double)recording->outcome.duration, "merge_seconds",
                  1e-9 * (double)recording->merge_duration, "estimated_cost_seconds",
                  1e-9 * NS_PER_CALL * (double)report->calls, "estimated_start_seconds",
                  1e-9 * NS_PER_START * (double)report->images, "spill_bytes",
                  (json_int_t)recording->spill_bytes);
    json_object_update(line, more);
    json_decref(more);
    fth_run_print(stderr, line);
}

/* What is lost or left behind, and an unexpected name, is said even to those who want it quiet. */
static void say_what_remains(const struct recording *recording, bool spill_kept)
{
    const struct fth_merge_report *report = &recording->report;
    if (recording->options.quiet)
        fth_record_say_name(recording->asked_output, recording->shown_output);
    fth_run_say_losses(&recording->run, report, recording->options.quiet);
    if (report->still_running) {
        fth_say(stderr, "fathom: still running: %s; for a complete trace, when they have ended: ",
                fth_phrase_several(report->still_running, "process", "processes").text);
        say_merge_command(recording);
    } else if (spill_kept && !recording->options.quiet) {
        fth_say(stderr, "fathom: the spill folder is kept: %s\n", recording->run.spill);
    }
}

static void end_sampler(struct recording *recording)
{
    fth_sampler_end(&recording->sampler);
    if (recording->options.sample)
        fth_sampler_end_shared(recording->run.spill);
}

/* Merges and says what came of it. Returns 0, or 1 when there is no trace. */
static int make_trace(struct recording *recording)
{
    const struct fth_record_options *options = &recording->options;
    struct fth_error *error = NULL;
    take_outcome(recording);
    end_sampler(recording);
    fth_run_wait_for_stragglers(&recording->run);
    bool left_behind = fth_node_collect(&recording->run);
    recording->spill_bytes = fth_run_spill_bytes(&recording->run);
    recording->merge_duration = -monotonic();
    recording->run.ahead = recording->ahead ? fth_run_ahead_end(recording->ahead) : NULL;
    int result = fth_record_merge(&recording->run, &recording->shown_output,
                                  fth_record_replaces(options), &recording->report, &error);
    fth_run_ahead_forget(recording->ahead);
    recording->merge_duration += monotonic();
    bool kept = result || options->keep_spill || recording->report.still_running || left_behind ||
                recording->report.missing_ranks;
    if (kept && !recording->report.still_running)
        fth_run_leave_memory(&recording->run);
    fth_together_done(&recording->together, &recording->run, !kept);
    if (result) {
        fth_cmd_failed("record", error);
        if (!fth_run_is_saved(&recording->run)) {
            fprintf(stderr, "fathom: the recording is lost: the spill folder %s is gone\n",
                    recording->run.spill);
            return 1;
        }
        fputs("fathom: the recording is kept; to try again: ", stderr);
        say_merge_command(recording);
        return 1;
    }
    if (!left_behind)
        fth_node_forget(&recording->run);
    if (options->json)
        say_in_json(recording, kept);
    else if (!options->quiet)
        say_what_was_recorded(recording);
    if (!options->json)
        say_what_remains(recording, kept);
    if (!options->json && !options->quiet)
        fth_say(stderr, "fathom: next: fathom report %s\n", recording->shown_output);
    return 0;
}

/* The command has ended; what it did is in the trace that the last of several makes. */
static int finish(struct recording *recording)
{
    struct fth_outcome *outcome = &recording->outcome;
    if (WIFSIGNALED(outcome->status))
        fth_run_note_killed(&recording->run, outcome->pid, WTERMSIG(outcome->status));
    if (recording->together.records < 0 ||
        fth_together_leave(&recording->together, &recording->run, outcome, true) == FTH_ALL_ENDED)
        return make_trace(recording);
    if (recording->together.first_to_fail && !recording->options.quiet && !recording->options.json)
        fth_say(stderr,
                "fathom: rank %lld: %s; the trace follows when the other ranks have ended -> %s\n",
                (long long)recording->together.rank, how_it_ended(outcome->status).text,
                recording->shown_output);
    return 0;
}

/* In the guard, when all ranks were killed. Nobody hears it. */
static void make_trace_of_the_dead(struct fth_cmd_run *run, void *context)
{
    const struct recording *recording = context;
    struct fth_merge_report report;
    for (int i = 0; i < 20; i++) /* their commands are being killed, too, which takes time */
        fth_run_wait_for_stragglers(run);
    if (recording->options.sample)
        fth_sampler_end_shared(run->spill);
    char *shown = fth_text_copy(run->output);
    if (shown &&
        fth_record_merge(run, &shown, fth_record_replaces(&recording->options), &report, NULL) ==
            0 &&
        !report.still_running && !recording->options.keep_spill)
        fth_run_remove_spill(run);
    free(shown);
}

/* There is nothing of ours to record; but the others may be waiting for their trace. */
static void withdraw(struct recording *recording)
{
    enum fth_together_end end = FTH_NOTHING_RAN;
    fth_sampler_end(&recording->sampler);
    if (recording->together.records >= 0)
        end = fth_together_leave(&recording->together, &recording->run, &recording->outcome, false);
    if (end == FTH_ALL_ENDED)
        make_trace(recording);
    else if (end == FTH_NOTHING_RAN && recording->run.spill)
        fth_run_remove_spill(&recording->run);
}

/* ---- before ---- */

static void note_blind_spot(struct recording *recording)
{
    char path[PATH_MAX], why[PATH_MAX + 200];
    if (fth_program_find(recording->options.command[0], path, sizeof path) &&
        fth_program_is_unseen(path, why, sizeof why))
        fth_run_add_program_spot(&recording->run, basename(path), why);
}

static bool refuses_tracer(const struct recording *recording)
{
    char path[PATH_MAX];
    return fth_program_find(recording->options.command[0], path, sizeof path) &&
           fth_program_refuses_tracer(path);
}

static void refuse_plugin(struct recording *recording)
{
    const char *why = recording->options.refused_plugins;
    fth_say(stderr, "fathom record: %s; its calls are not recorded\n", why);
    fth_run_add_spot(&recording->run, why);
}

static bool rename_output(struct recording *recording, const char *word)
{
    char *shown = fth_together_rename(recording->shown_output, word);
    char *output = shown ? fth_run_output(shown) : NULL;
    if (!output) {
        free(shown);
        return false;
    }
    free(recording->shown_output);
    free(recording->run.output);
    recording->shown_output = shown;
    recording->run.output = output;
    return true;
}

/* Where this cannot record with the others of its launcher, it is not to replace their trace. */
static int make_spill(struct recording *recording, struct fth_error **error)
{
    struct fth_cmd_run *run = &recording->run;
    struct fth_error *why = NULL;
    char rank[24];
    if (recording->is_one_of_several) {
        if (fth_together_enter(&recording->together, run, recording->options.spill, &why) == 0)
            return 0;
        snprintf(rank, sizeof rank, "%lld", (long long)recording->together.rank);
        if (!rename_output(recording, rank)) {
            fth_error_free(why);
            return fth_fail(error, "out of memory");
        }
        fth_say(stderr, "fathom record: %s; rank %s gets its own trace, %s\n", fth_error_text(why),
                rank, recording->shown_output);
        fth_error_free(why);
    }
    return fth_run_make_spill(run, recording->options.spill, error);
}

/* Not where users say where files are to be, nor where others read them while they are written: the
 * sampler, and who records with us. */
static bool has_memory(const struct recording *recording)
{
    const struct fth_record_options *options = &recording->options;
    return !options->spill && !options->sample && recording->together.records < 0;
}

/* Everything that is needed before the command starts. */
static int prepare(struct recording *recording, struct fth_error **error)
{
    struct fth_cmd_run *run = &recording->run;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    run->start = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    if (make_spill(recording, error))
        return -1;
    if (has_memory(recording))
        fth_run_use_memory(run);
    fth_run_make_unkept(run);
    run->meta = fth_record_meta(&recording->options, run->output);
    run->blind_spots = json_array();
    if (!run->meta || !run->blind_spots)
        return fth_fail(error, "out of memory");
    note_blind_spot(recording);
    run->plugins = json_incref(recording->options.plugins);
    if (recording->options.refused_plugins)
        refuse_plugin(recording);
    char *apart = recording->is_one_of_several ? fth_together_apart(&recording->together) : NULL;
    int result = fth_record_settings(&recording->options, run, apart, recording->settings, error);
    free(apart);
    if (result)
        return -1;
    if (refuses_tracer(recording))
        fth_record_without_tracer(recording->settings);
    if (recording->together.records < 0)
        return fth_run_save(run, error);
    if (fth_together_save(&recording->together, run, error))
        return -1;
    fth_together_guard(&recording->together, run, make_trace_of_the_dead, recording);
    return 0;
}

/* ---- the whole ---- */

static struct recording *running;

static void do_nothing(void)
{
}

/* The merge cannot go on: the status is that of the command all the same. */
static void end_without_trace(const char *why, const char *way_out)
{
    struct fth_outcome *outcome = &running->outcome;
    if (outcome->pid > 0 && !outcome->end)
        outcome->status = fth_launch_wait(outcome->pid);
    fprintf(stderr,
            "fathom record: %s while making the trace; the recording is in %s; to make the trace "
            "%s: fathom merge %s\n",
            why, running->run.spill, way_out, running->run.spill);
    if (running->run.output)
        fth_cmd_let_name_go(running->run.output);
    _exit(fth_launch_end_alike(outcome->status));
}

/* Whoever limits our memory limits that of the command, too, but the command may need less: it runs
 * to its end. */
static void end_without_memory(void)
{
    fth_run_ahead_give_up();
    fth_out_of_memory = abort;
    end_without_trace("out of memory", "with more memory");
}

/* Spill files are mapped, and processes of this user can cut them off; or their disk fails. */
static void end_with_file_cut(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_code == BUS_ADRERR)
        fth_run_ahead_give_up();
    signal(number, SIG_DFL);
    if (info->si_code == BUS_ADRERR)
        end_without_trace("a file was truncated, or cannot be read,", "of what is left");
    raise(number);
}

/* Not before the command has started: it would not inherit that they are ignored. */
static void expect_file_cut(void)
{
    const struct sigaction action = {.sa_sigaction = end_with_file_cut, .sa_flags = SA_SIGINFO};
    sigaction(SIGBUS, &action, NULL);
}

/* What the merge needs and does not depend on the command, and what it can begin with: so it ends
 * sooner. */
static void prepare_merge(void)
{
    fth_builtin_meanings();
    fth_mounts_prepare();
    expect_file_cut();
    running->ahead = fth_run_ahead_start(&running->run);
}

/* Recording is not possible; the command runs all the same. */
static int run_untraced(struct recording *recording, struct fth_error *error)
{
    static const struct fth_setting nothing = {NULL, NULL};
    struct fth_outcome outcome;
    fth_say(stderr, "fathom record: %s; the command runs without being recorded\n",
            fth_error_text(error));
    fth_error_free(error);
    int status, started = fth_launch(recording->options.command, &nothing,
                                     recording->is_one_of_several, do_nothing, &outcome);
    if (started != 0)
        status = say_no_process();
    else if (outcome.exec_error)
        status = say_not_started(recording->options.command[0], outcome.exec_error);
    withdraw(recording);
    return started != 0 || outcome.exec_error ? status : fth_launch_end_alike(outcome.status);
}

static int record(struct recording *recording)
{
    struct fth_error *error = NULL;
    struct fth_outcome *outcome = &recording->outcome;
    if (prepare(recording, &error))
        return run_untraced(recording, error);
    if (recording->options.sample)
        fth_sampler_start(&recording->sampler, recording->run.spill, recording->options.sample,
                          recording->together.records >= 0);
    running = recording;
    fth_out_of_memory = end_without_memory;
    if (fth_launch(recording->options.command, recording->settings, recording->is_one_of_several,
                   recording->is_one_of_several ? do_nothing : prepare_merge, outcome)) {
        int status = say_no_process();
        return withdraw(recording), status;
    }
    if (outcome->exec_error) {
        int status = say_not_started(recording->options.command[0], outcome->exec_error);
        return withdraw(recording), status;
    }
    int status = outcome->status; /* ours, whatever became of the others */
    int failed = finish(recording);
    return failed && status == 0 ? failed : fth_launch_end_alike(status);
}

/* Secrets are in no name either. */
static char *default_output(struct fth_record_options *options)
{
    char **command = fth_record_kept_command(options);
    return command ? fth_record_default_output(command) : NULL;
}

/* Where the trace goes: false with errno. */
static bool name_output(struct recording *recording)
{
    struct utsname node;
    const char *given = recording->options.output;
    recording->asked_output = given ? fth_text_copy(given) : default_output(&recording->options);
    recording->shown_output =
        recording->asked_output ? fth_text_copy(recording->asked_output) : NULL;
    recording->run.output =
        recording->shown_output ? fth_run_output(recording->shown_output) : NULL;
    if (!recording->run.output || !has_other_nodes(recording))
        return recording->run.output != NULL;
    if (uname(&node) != 0)
        return false;
    node.nodename[strcspn(node.nodename, "./")] = 0;
    return rename_output(recording, node.nodename);
}

int fth_cmd_record(int argc, char **argv)
{
    static struct recording recording;
    struct fth_error *error = NULL;
    fth_record_parse(&recording.options, argc, argv);
    recording.is_one_of_several = fth_together_find(&recording.together);
    int status;
    if (!name_output(&recording))
        status = fth_cmd_failed(
            "record", (fth_fail_errno(&error, "cannot determine where to write the trace"), error));
    else if (fth_run_check_output(recording.run.output, &error))
        status = fth_cmd_failed("record", error);
    else
        status = record(&recording);
    fth_record_free_settings(recording.settings);
    fth_record_free(&recording.options);
    fth_run_free(&recording.run);
    free(recording.asked_output);
    free(recording.shown_output);
    return status;
}
