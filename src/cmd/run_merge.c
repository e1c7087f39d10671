/* The merge at the end of a run, and what is said of it. */
#include "cmd/run.h"

#include "cmd/run_mounts.h"
#include "cmd/run_stripes.h"

#include "base/progress.h"
#include "cmd/source_lines.h"
#include "views/words.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the merge ---- */

static char interrupted_text[PATH_MAX + 200];

/* Somebody does not want to wait for the trace. */
static void interrupted(int number)
{
    if (write(STDERR_FILENO, interrupted_text, strlen(interrupted_text)) < 0)
        errno = 0;
    signal(number, SIG_DFL);
    raise(number);
}

/* Signals that were ignored stay so. */
static void catch_signals(const struct fth_cmd_run *run, bool caught)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    static bool taken[sizeof numbers / sizeof *numbers];
    snprintf(interrupted_text, sizeof interrupted_text,
             "\nfathom: interrupted; what was recorded is in %s; for the trace: fathom merge %s\n",
             run->spill, run->spill);
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

int fth_run_merge(const struct fth_cmd_run *run, struct fth_merge_report *report,
                  struct fth_error **error)
{
    size_t count = json_array_size(run->blind_spots);
    const char **blind_spots = calloc(count + 1, sizeof *blind_spots);
    char *meta = json_dumps(run->meta, JSON_COMPACT | JSON_REAL_PRECISION(15));
    struct fth_time_mode times;
    int result = -1;
    fth_time_mode_parse(json_string_value(json_object_get(run->meta, "time")), &times);
    if (!blind_spots || !meta) {
        fth_fail(error, "out of memory");
    } else {
        for (size_t i = 0; i < count; i++)
            blind_spots[i] = json_string_value(json_array_get(run->blind_spots, i));
        struct fth_source_lines *lines =
            json_is_true(json_object_get(run->meta, "lines")) ? fth_source_lines_open() : NULL;
        struct fth_run_mounts mounts = {0};
        fth_run_take_mounts(run, &mounts);
        const struct fth_run facts = {
            .start_realtime = run->start,
            .end_realtime = run->end,
            .meta_json = meta,
            .times = times,
            .parts = run->parts,
            .find_line = lines ? fth_source_line : NULL,
            .line_context = lines,
            .mounts = mounts.nodes,
            .mounts_count = mounts.count,
            .blind_spot_count = count,
            .blind_spots = blind_spots,
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
        for (size_t i = 0; i < report->unseen_count; i++)
            json_array_append_new(run->blind_spots, fth_run_text(report->unseen[i]));
        fth_merge_report_free(report);
    }
    free(blind_spots);
    free(meta);
    return result;
}

/* ---- what is said afterwards ---- */

void fth_run_say_blind_spots(const struct fth_cmd_run *run)
{
    for (size_t i = 0; i < json_array_size(run->blind_spots); i++)
        fprintf(stderr, "fathom: not seen: %s\n",
                json_string_value(json_array_get(run->blind_spots, i)));
}

void fth_run_say_losses(const struct fth_merge_report *report, bool quiet)
{
    if (report->stopped)
        fprintf(stderr, "fathom: recording stopped early in %s: %s\n",
                fth_phrase_several(report->stopped, "process", "processes").text,
                report->stopped_why);
    if (report->lost && !quiet)
        fprintf(
            stderr,
            "fathom: lost: %s, made in signal handlers while another was being recorded, left by a "
            "jump out of them, or too deep inside others\n",
            fth_phrase_several(report->lost, "call", "calls").text);
}

json_t *fth_run_report(const struct fth_cmd_run *run, const struct fth_merge_report *report,
                       const char *shown, bool spill_kept)
{
    return json_pack(
        "{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:O}", "trace", fth_run_text(shown), "calls",
        (json_int_t)report->calls, "processes", (json_int_t)report->processes, "bytes",
        (json_int_t)report->bytes, "excluded", (json_int_t)report->excluded, "lost",
        (json_int_t)report->lost, "stopped", (json_int_t)report->stopped, "still_running",
        (json_int_t)report->still_running, "spill",
        spill_kept ? fth_run_text(run->spill) : json_null(), "blind_spots", run->blind_spots);
}

void fth_run_print(FILE *file, json_t *line)
{
    char *text = line ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    fprintf(file, "%s\n", text ? text : "{}");
    free(text);
    json_decref(line);
}
