/* The head of `fathom stats` and of `fathom report`. */
#include "views/sentences/summary.h"

#include "views/sentences/incomplete.h"
#include "views/sentences/meta.h"
#include "views/sentences/run_end.h"
#include "base/memory.h"
#include "views/output/display_text.h"

#include <stdlib.h>
#include <string.h>

int64_t fth_views_total(const struct fth_stats *stats, const char *column)
{
    const struct fth_table *table = stats->tables[FTH_STATS_TOTAL];
    return fth_table_row(table, 0)[fth_table_column(table, column)].integer;
}

static void put_selected(struct fth_output *output, const char *options)
{
    if (!options || !strcmp(options, "--launchers")) /* which leaves nothing out */
        return;
    fth_sink_text(&output->sink, "Only calls selected by ");
    fth_views_put_text(&output->sink, options, 0, FTH_CUT_END, output->style.unicode);
    fth_sink_char(&output->sink, '\n');
}

/* What adds up to the calls that `record` reported. */
static void put_launchers(struct fth_output *output, const struct fth_launchers *launchers)
{
    if (!launchers->calls)
        return;
    fth_views_print(output, "Without %s of ",
                    fth_phrase_several(launchers->calls, "call", "calls").text);
    fth_views_print(output, "%s (--launchers shows them)\n",
                    fth_phrase_several(launchers->processes, "launcher", "launchers").text);
}

static void put_lost(struct fth_output *output, uint64_t lost)
{
    if (!lost)
        return;
    fth_views_paint(output, FTH_PAINT_WARNING);
    fth_views_print(output, "%s seen but not recorded, and %s missing below",
                    fth_phrase_several(lost, "call was", "calls were").text,
                    lost == 1 ? "is" : "are");
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_char(&output->sink, '\n');
}

static void put_job(struct fth_output *output, const struct fth_trace_info *info)
{
    char *job = fth_views_job(info);
    if (job) {
        fth_views_put_text(&output->sink, job, 0, FTH_CUT_END, output->style.unicode);
        fth_sink_char(&output->sink, '\n');
    }
    free(job);
}

/* ---- processes, files and times ---- */

static int by_time(const void *one, const void *other)
{
    int64_t first = *(const int64_t *)one, second = *(const int64_t *)other;
    return (first > second) - (first < second);
}

/* How many of the processes ran at the same time, at most; 0: not known, as only some are shown.
 * Images of a process follow one another. */
static uint64_t side_by_side(const struct fth_trace *trace, uint64_t images)
{
    size_t all = fth_trace_process_count(trace), count = 0;
    int64_t *starts = fth_new(all + 1, sizeof *starts), *ends = fth_new(all + 1, sizeof *ends);
    for (size_t proc = 0; proc < all; proc++) {
        const struct fth_process *process = fth_trace_process(trace, proc);
        if (process->launcher && images != all)
            continue;
        starts[count] = process->start;
        ends[count++] = process->end;
    }
    qsort(starts, count, sizeof *starts, by_time);
    qsort(ends, count, sizeof *ends, by_time);
    uint64_t most = 0;
    for (size_t begun = 0, ended = 0; count == images && begun < count; begun++) {
        while (ends[ended] <= starts[begun] && ended < begun)
            ended++;
        most = begun + 1 - ended > most ? begun + 1 - ended : most;
    }
    free(starts);
    free(ends);
    return most;
}

/* "6 ranks, 6 processes, up to 6 at a time" */
static void put_processes(struct fth_output *output, const struct fth_trace *trace,
                          const struct fth_stats *stats)
{
    uint64_t ranks = (uint64_t)fth_views_total(stats, "ranks"),
             processes = (uint64_t)fth_views_total(stats, "processes"),
             images = (uint64_t)fth_views_total(stats, "images"),
             beside = side_by_side(trace, images);
    if (ranks)
        fth_views_print(output, "%s, ", fth_phrase_several(ranks, "rank", "ranks").text);
    fth_views_print(output, "%s", fth_phrase_several(processes, "process", "processes").text);
    if (images != processes)
        fth_views_print(output, " (%s: some ran exec)",
                        fth_phrase_several(images, "image", "images").text);
    if (processes > 1 && beside > 1)
        fth_views_print(output, ", up to %s at a time", fth_phrase_count((int64_t)beside).text);
    else if (processes > 1 && beside)
        fth_views_print(output, ", one after the other");
    fth_sink_char(&output->sink, '\n');
}

void fth_views_put_silent(struct fth_output *output, const struct fth_silent *silent)
{
    fth_views_print(
        output, "%s%s started of which no call was recorded\n", silent->at_least ? "at least " : "",
        fth_phrase_several(silent->processes, "more process was", "more processes were").text);
}

/* "The run took 461 ms. Together the processes spent 2.30 s in recorded calls." */
static void put_times(struct fth_output *output, const struct fth_trace *trace,
                      const struct fth_stats *stats, int64_t in_calls)
{
    uint64_t threads = (uint64_t)fth_views_total(stats, "threads");
    fth_views_print(output, "The run took %s.%s",
                    fth_phrase_duration(fth_trace_info(trace)->end).text, in_calls ? " " : "\n");
    if (!in_calls)
        return;
    if (fth_views_total(stats, "processes") > 1)
        fth_views_print(output, "Together the processes spent ");
    else if (threads > 1)
        fth_views_print(output, "Together the %s threads spent ",
                        fth_phrase_count((int64_t)threads).text);
    else
        fth_views_print(output, "The process spent ");
    fth_views_print(output, "%s in recorded calls.\n", fth_phrase_duration(in_calls).text);
}

/* "19 files opened, read or written (12 of system or libraries)" */
static void put_files(struct fth_output *output, const struct fth_stats *stats)
{
    uint64_t files = (uint64_t)fth_views_total(stats, "files"),
             of_system = (uint64_t)fth_views_total(stats, "system_files");
    fth_views_print(output, "%s opened, read or written",
                    fth_phrase_several(files, "file", "files").text);
    if (of_system)
        fth_views_print(output, " (%s of system or libraries)",
                        fth_phrase_count((int64_t)of_system).text);
    fth_sink_char(&output->sink, '\n');
}

/* Their times and accesses are not those of one configuration. */
static void put_tuned(struct fth_output *output, const struct fth_tuned *tuned)
{
    if (tuned->files)
        fth_views_print(
            output, "%s opened with hints of `fathom tune --live` (fathom dump --func %s)\n",
            fth_phrase_several(tuned->files, "file was", "files were").text, tuned->function);
}

void fth_views_summary(struct fth_output *output, const struct fth_trace *trace,
                       const struct fth_stats *stats, const struct fth_summary *summary)
{
    const struct fth_trace_info *info = fth_trace_info(trace);
    size_t width = output->style.width;
    fth_views_put_missing(output, &summary->incomplete);
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_put_text(&output->sink, summary->trace_path, width ? width - width / 2 - 2 : 0,
                       FTH_CUT_MIDDLE, output->style.unicode);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_views_put_command(output, info, ": ");
    fth_sink_char(&output->sink, '\n');
    fth_views_figures(output, trace, stats, summary);
}

void fth_views_figures(struct fth_output *output, const struct fth_trace *trace,
                       const struct fth_stats *stats, const struct fth_summary *summary)
{
    uint64_t failed = (uint64_t)fth_views_total(stats, "errors"),
             calls = (uint64_t)fth_views_total(stats, "calls");
    put_job(output, fth_trace_info(trace));
    put_processes(output, trace, stats);
    if (summary->silent.processes)
        fth_views_put_silent(output, &summary->silent);
    put_times(output, trace, stats, summary->in_calls);
    put_files(output, stats);
    put_tuned(output, &summary->tuned);
    fth_views_print(output, "%s", fth_phrase_several(calls, "call", "calls").text);
    if (failed)
        fth_views_print(output, " (%s failed)", fth_phrase_count((int64_t)failed).text);
    fth_views_print(output, "; outermost I/O calls read %s ",
                    fth_phrase_bytes((uint64_t)fth_views_total(stats, "bytes_read")).text);
    fth_views_print(output, "and wrote %s\n",
                    fth_phrase_bytes((uint64_t)fth_views_total(stats, "bytes_written")).text);
    put_selected(output, summary->selected);
    fth_views_put_end(output, trace);
    put_launchers(output, &summary->launchers);
    put_lost(output, summary->incomplete.lost);
}
