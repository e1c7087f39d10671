/* The merge at the end of a run, and what is said of it. */
#include "base/json.h"
#include "base/progress.h"
#include "base/visible.h"
#include "cmd/run/run.h"
#include "cmd/run/run_mounts.h"
#include "cmd/run/run_stripes.h"
#include "cmd/run/source_lines.h"
#include "cmd/shared/output_file.h"
#include "fathom/trace.h"
#include "views/output/display_text.h"
#include "views/sentences/incomplete.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the merge ---- */

static char interrupted_text[PATH_MAX + 200];
static char begun[PATH_MAX + 40],
    kept_free[PATH_MAX]; /* the trace as far as it is written, and the name that it is to have */

/* Somebody does not want to wait for the trace. */
static void interrupted(int number)
{
    if (write(STDERR_FILENO, interrupted_text, strlen(interrupted_text)) < 0)
        errno = 0;
    unlink(begun);
    fth_cmd_let_name_go(kept_free);
    signal(number, SIG_DFL);
    raise(number);
}

/* Signals that were ignored stay so. */
static void catch_signals(const struct fth_cmd_run *run, bool caught)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU};
    static bool taken[sizeof numbers / sizeof *numbers];
    snprintf(interrupted_text, sizeof interrupted_text,
             "\nfathom: interrupted; the recording is in %s; to make the trace: fathom merge %s\n",
             run->spill, run->spill);
    snprintf(begun, sizeof begun, "%s.%ld.tmp", run->output, (long)getpid()); /* see fth_merge */
    snprintf(kept_free, sizeof kept_free, "%s", run->output);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction now, ours = {.sa_handler = interrupted, .sa_flags = (int)SA_RESETHAND};
        if (caught && sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            taken[i] = sigaction(numbers[i], &ours, NULL) == 0;
        else if (!caught && taken[i])
            signal(numbers[i], SIG_DFL);
    }
}

static void show_progress(void *context, uint64_t done, uint64_t all)
{
    struct fth_progress *progress = context;
    progress->total = all;
    if (done > progress->done)
        fth_progress_add(progress, done - progress->done);
}

static int check(const char *path, struct fth_error **error)
{
    struct fth_trace *trace = fth_trace_open(path, error);
    fth_trace_close(trace);
    return trace ? 0 : -1;
}

/* What a merge frees it needs again at once, megabytes of it; to give it back to the system and to
 * have it cleared anew takes 5 to 10 % of the time. */
static void keep_what_is_freed(void)
{
    enum { KEPT = 256 << 20, MOST_OF_HEAP = 32 << 20 };
    mallopt(M_TRIM_THRESHOLD, KEPT);
    mallopt(M_MMAP_THRESHOLD, MOST_OF_HEAP);
}

int fth_run_merge(const struct fth_cmd_run *run, struct fth_merge_report *report,
                  struct fth_error **error)
{
    struct fth_blind_spots known = {0};
    char *meta = json_dumps(run->meta, JSON_COMPACT | JSON_REAL_PRECISION(15));
    struct fth_time_mode times;
    int result = -1;
    keep_what_is_freed();
    fth_time_mode_parse(json_string_value(json_object_get(run->meta, "time")), &times);
    if (!meta) {
        fth_fail(error, "out of memory");
    } else {
        fth_run_spots_of(run, &known);
        bool has_lines = json_is_true(json_object_get(run->meta, "lines"));
        struct fth_source_lines *lines = has_lines ? fth_source_lines_open() : NULL;
        struct fth_run_mounts mounts = {0};
        fth_run_take_mounts(run, &mounts);
        const struct fth_merge_run facts = {
            .start_realtime = run->start,
            .end_realtime = run->end,
            .meta_json = meta,
            .times = times,
            .parts = run->parts,
            .check = run->is_checked ? check : NULL,
            .find_line = has_lines ? fth_source_line : NULL,
            .line_context = lines,
            .mounts = mounts.nodes,
            .mounts_count = mounts.count,
            .blind_spots = &known,
            .is_over = run->is_over,
            .ahead = run->ahead,
        };
        struct fth_progress progress;
        catch_signals(run, true);
        fth_progress_begin(&progress, "merging", 0);
        result =
            fth_merge(run->spill, run->output, &facts, report, show_progress, &progress, error);
        fth_progress_end(&progress);
        fth_source_lines_close(lines);
        if (result == 0)
            fth_run_add_stripes(run, &mounts);
        fth_run_forget_mounts(&mounts);
        catch_signals(run, false);
        fth_run_take_spots(run, &report->unseen);
        fth_merge_report_free(report);
    }
    fth_blind_spots_free(&known);
    free(meta);
    return result;
}

/* ---- what is said afterwards ---- */

void fth_run_say_blind_spots(const struct fth_cmd_run *run)
{
    json_t *sentences = fth_run_spot_sentences(run);
    for (size_t i = 0; i < json_array_size(sentences); i++)
        fth_say(stderr, "fathom: not seen: %s\n", json_string_value(json_array_get(sentences, i)));
    json_decref(sentences);
}

static struct fth_missing missing_of(const struct fth_cmd_run *run, const struct fth_unkept *unkept)
{
    return (struct fth_missing){.processes = unkept->processes,
                                .calls = unkept->calls,
                                .uncounted = unkept->uncounted,
                                .error = unkept->error,
                                .since = unkept->since - run->start};
}

/* "fathom: lost: 3 calls of mpirun (process 4711): 2 left without returning (longjmp, or the thread
 * ended), ..." */
static void say_lost(const struct fth_lost *losses, uint64_t lost)
{
    const uint64_t known = losses->left + losses->deep + losses->of_devices;
    const struct {
        uint64_t count;
        const char *how;
    } hows[] = {{losses->left, "left without returning (longjmp, or the thread ended)"},
                {losses->deep, "nested too deeply"},
                {losses->of_devices, "of devices that reported them too late"},
                {lost > known ? lost - known : 0,
                 "made by a signal handler that interrupted the recorder or has too small a stack, "
                 "or while attaching or detaching"}};
    fth_say(stderr, "fathom: lost: %s of ", fth_phrase_several(lost, "call", "calls").text);
    if (losses->processes > 1)
        fth_say(stderr, "%s, %s of them of ",
                fth_phrase_several(losses->processes, "process", "processes").text,
                fth_phrase_count((int64_t)losses->most).text);
    fth_say(stderr, "%s (process %" PRId64 "):", losses->program, losses->pid);
    const char *between = "";
    for (size_t i = 0; i < sizeof hows / sizeof *hows; i++) {
        if (!hows[i].count)
            continue;
        fth_say(stderr, "%s %s %s", between, fth_phrase_count((int64_t)hows[i].count).text,
                hows[i].how);
        between = ";";
    }
    fth_say(stderr, "\n");
}

void fth_run_say_losses(const struct fth_cmd_run *run, const struct fth_merge_report *report,
                        bool quiet)
{
    const struct fth_incomplete incomplete = {
        .kept = report->calls,
        .lost = report->lost - report->unkept.calls,
        .unkept = missing_of(run, &report->unkept),
        .summed = {.processes = report->summed_processes,
                   .calls = report->summed.calls,
                   .error = report->summed.error,
                   .since = report->summed.since - run->start},
        .unrecorded = missing_of(run, &report->unrecorded)};
    if (fth_analysis_is_stopped(&incomplete))
        fth_say(stderr, "fathom: incomplete: %s\n", fth_views_missing(&incomplete).text);
    if (incomplete.lost && !quiet)
        say_lost(&report->losses, incomplete.lost);
}

const char *fth_run_processes(const struct fth_merge_report *report)
{
    static char text[96];
    int length = snprintf(text, sizeof text, "%s",
                          fth_phrase_several(report->processes, "process", "processes").text);
    if (report->images != report->processes)
        snprintf(text + length, sizeof text - (size_t)length, " (%s)",
                 fth_phrase_several(report->images, "image", "images").text);
    return text;
}

json_t *fth_run_report(const struct fth_cmd_run *run, const struct fth_merge_report *report,
                       const char *shown, bool spill_kept)
{
    return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:O}",
                     "trace", fth_run_text(shown), "calls", (json_int_t)report->calls, "processes",
                     (json_int_t)report->processes, "images", (json_int_t)report->images, "bytes",
                     (json_int_t)report->bytes, "excluded", (json_int_t)report->excluded, "lost",
                     (json_int_t)report->lost, "unkept",
                     (json_int_t)(report->unkept.calls + report->unrecorded.calls), "stopped",
                     (json_int_t)report->stopped, "summed", (json_int_t)report->summed.calls,
                     "still_running", (json_int_t)report->still_running, "spill",
                     spill_kept ? fth_run_text(run->spill) : json_null(), "blind_spots",
                     fth_run_spot_sentences(run), "not_seen", run->blind_spots);
}

void fth_run_print(FILE *file, json_t *line)
{
    char *text = line ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    char *shown = text ? fth_json_visible(text) : NULL;
    fprintf(file, "%s\n", shown ? shown : "{}");
    free(shown);
    free(text);
    json_decref(line);
}
