/* How a run ended, where that was not as it should: figures of a run that failed are of what it did
 * until then. */
#include "views/sentences/run_end.h"

#include "base/phrase.h"
#include "base/text.h"
#include "trace/file/blind_spots.h"
#include "trace/names/process_name.h"
#include "views/output/display_text.h"
#include "views/sentences/meta.h"

#include <stdlib.h>
#include <string.h>

/* It did not end by itself, as this says; NULL: as neither a signal nor `fathom detach` does.
 * Launchers end as the shell or the batch system has it. */
static bool is_cut_off(const struct fth_process *process, const char *how)
{
    const char *ended = fth_text_begins(process->how_ended, "signal") ? "signal"
                        : strcmp(process->how_ended, "detached") == 0 ? "detached"
                                                                      : NULL;
    bool is_meant = how ? ended && strcmp(ended, how) == 0 : !ended;
    return process->cut_off && !process->launcher && is_meant;
}

static uint64_t count_cut_off(const struct fth_trace *trace, const char *how)
{
    uint64_t count = 0;
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        count += is_cut_off(fth_trace_process(trace, proc), how);
    return count;
}

/* " (rank 1: signal 9; process 4 (sh): signal 15)": those that signals killed. */
static void put_killed(struct fth_output *output, const struct fth_trace *trace)
{
    enum { MOST = 3 };
    struct fth_sink list;
    size_t count = 0;
    fth_sink_open_memory(&list);
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++) {
        const struct fth_process *process = fth_trace_process(trace, proc);
        if (!is_cut_off(process, "signal") || count++ >= MOST)
            continue;
        fth_sink_text(&list, count > 1 ? "; " : " (");
        fth_process_put_name(&list, process, proc);
        fth_sink_text(&list, ": ");
        fth_sink_text(&list, process->how_ended);
    }
    fth_sink_text(&list, count > MOST ? "; ...)" : count ? ")" : "");
    fth_sink_char(&list, 0);
    fth_views_put_text(&output->sink, list.bytes, 0, FTH_CUT_END, output->style.unicode);
    fth_sink_close_memory(&list);
}

/* "; 4 processes were cut off" */
static bool put_count(struct fth_output *output, uint64_t count, const char *one, const char *many,
                      bool first)
{
    if (!count)
        return first;
    fth_views_print(output, "%s%s %s", first ? "" : "; ",
                    fth_phrase_several(count, "process", "processes").text,
                    count == 1 ? one : many);
    return false;
}

/* ns from the last recorded call of a killed process until it was surely gone, at most. */
static int64_t longest_unknown(const struct fth_trace *trace)
{
    int64_t longest = 0;
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++) {
        const struct fth_process *process = fth_trace_process(trace, proc);
        int64_t gone =
            process->reaped == FTH_NO_TIME ? fth_trace_info(trace)->end : process->reaped;
        if (process->cut_off && !process->launcher &&
            strncmp(process->how_ended, "signal", 6) == 0 && gone - process->end > longest)
            longest = gone - process->end;
    }
    return longest;
}

/* "app did not return from read of /tmp/fifo, from 1.20 s on." */
static void put_unreturned(struct fth_output *output, const struct fth_trace *trace)
{
    enum { MOST = 3 };
    const struct fth_trace_info *info = fth_trace_info(trace);
    size_t shown = 0;
    for (size_t i = 0; i < info->blind_spot_count; i++) {
        const struct fth_unseen *spot = &info->unseen[i];
        if (spot->kind != FTH_UNSEEN_CALL || shown++ >= MOST)
            continue;
        fth_views_put_text(&output->sink, spot->sentence + strlen(FTH_UNRETURNED), 0, FTH_CUT_END,
                           output->style.unicode);
        if (spot->since != FTH_UNSEEN_UNKNOWN)
            fth_views_print(output, ", from %s on",
                            fth_phrase_duration(spot->since > 0 ? spot->since : 0).text);
        fth_views_print(output, ".\n");
    }
    if (shown > MOST)
        fth_views_print(output, "%s (see fathom info).\n",
                        fth_phrase_several(shown - MOST, "more call", "more calls").text);
}

/* A program that hangs is said to do so. */
static void put_unknown(struct fth_output *output, const struct fth_trace *trace)
{
    uint64_t count = count_cut_off(trace, "signal");
    int64_t longest = longest_unknown(trace);
    if (count && longest > 0)
        fth_views_print(output, "%s up to %s after %s last recorded call.\n",
                        count == 1 ? "It was killed" : "They were killed",
                        fth_phrase_duration(longest).text, count == 1 ? "its" : "their");
    put_unreturned(output, trace);
}

void fth_views_put_end(struct fth_output *output, const struct fth_trace *trace)
{
    char *failure = fth_views_failure(fth_trace_info(trace));
    fth_views_paint(output, FTH_PAINT_WARNING);
    if (failure) {
        fth_views_print(output, "Ended with ");
        fth_views_put_text(&output->sink, failure, 0, FTH_CUT_END, output->style.unicode);
    }
    bool none = put_count(output, count_cut_off(trace, "signal"), "was killed by a signal",
                          "were killed by signals", !failure);
    put_killed(output, trace);
    none = put_count(output, count_cut_off(trace, NULL), "was cut off", "were cut off", none);
    none = put_count(output, count_cut_off(trace, "detached"),
                     "was recorded until `fathom attach` ended",
                     "were recorded until `fathom attach` ended", none);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    if (!none)
        fth_sink_char(&output->sink, '\n');
    put_unknown(output, trace);
    free(failure);
}

bool fth_views_ended_badly(const struct fth_trace *trace)
{
    char *failure = fth_views_failure(fth_trace_info(trace));
    bool failed = failure;
    free(failure);
    return failed || count_cut_off(trace, "signal") || count_cut_off(trace, NULL);
}
