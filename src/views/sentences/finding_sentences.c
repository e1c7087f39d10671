/* What is said of findings wherever they are shown to people: which are shown, under which title,
 * what each is worth, and what shows it. */
#include "views/sentences/finding_sentences.h"

#include "trace/record/builtin.h"
#include "views/output/display_text.h"
#include "views/sentences/run_end.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

bool fth_views_stands_out(const struct fth_finding *finding, const struct fth_report_view *view)
{
    return view->all || (!finding->effective && !finding->minor && !finding->part_of);
}

/* Percent of all time from which on something is not passed over in silence. */
static const double LARGE_PART = 10, MOST_OF_IT = 50;

bool fth_views_is_any_shown(const struct fth_results *results, const struct fth_report_view *view)
{
    for (size_t i = 0; i < results->findings.count; i++)
        if (fth_views_stands_out(&results->findings.list[i], view))
            return true;
    return false;
}

const struct fth_finding *fth_views_largest_minor(const struct fth_results *results,
                                                  const struct fth_report_view *view)
{
    const struct fth_finding *largest = NULL;
    if (view->nothing || fth_views_is_any_shown(results, view))
        return NULL;
    for (size_t i = 0; i < results->findings.count; i++) {
        const struct fth_finding *finding = &results->findings.list[i];
        bool is_large = finding->share >= LARGE_PART || finding->of_most_calls;
        if (!finding->effective && !finding->part_of && is_large &&
            (!largest || finding->share > largest->share))
            largest = finding;
    }
    return largest;
}

/* Waiting for other programs and threads is no finding. */
static bool does_work(const struct fth_trace *trace, const char *layer)
{
    static const char *const kinds[] = {"read", "write", "open",      "stat",
                                        "send", "recv",  "collective"};
    for (size_t i = 0; i < fth_trace_function_count(trace); i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (strcmp(function->layer, layer) == 0 && strcmp(function->kind, kinds[k]) == 0)
                return true;
    }
    return false;
}

/* Its share of the time of all threads, without the start and the end of MPI: that is no work. */
static double share_of_work(const struct fth_results *results, const struct fth_cell *row,
                            size_t share)
{
    double threads = (double)results->lifetime.time, whole = (double)results->whole;
    if (!fth_layer_is(row[0].text, FTH_LAYER_MESSAGES) || threads <= 0)
        return row[share].real;
    return row[share].real - results->mpi_share * whole / threads;
}

/* The row of the time table with most time that is not the program's own; it is sorted. */
static const struct fth_cell *largest_layer(const struct fth_trace *trace,
                                            const struct fth_results *results)
{
    const struct fth_table *table = results->table_count ? results->tables[0] : NULL;
    if (!table || fth_table_rows(table) < 2) /* the last one is the program's own */
        return NULL;
    const struct fth_cell *row = fth_table_row(table, 0);
    size_t share = fth_table_column(table, "share");
    return share != SIZE_MAX && row[share].type == FTH_CELL_REAL &&
                   share_of_work(results, row, share) >= MOST_OF_IT && trace &&
                   does_work(trace, row[0].text)
               ? row
               : NULL;
}

/* Launchers are nobody's program. */
static bool is_empty(const struct fth_trace *trace)
{
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        if (!fth_trace_process(trace, proc)->launcher && fth_trace_process(trace, proc)->calls)
            return false;
    return true;
}

static bool leaves_out(const struct fth_trace *trace)
{
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        if (!fth_trace_process(trace, proc)->launcher && fth_trace_process(trace, proc)->excluded)
            return true;
    return false;
}

/* Locks of threads, and waits for them, are recorded on demand only. */
static bool lacks_locks_of_threads(const struct fth_trace *trace)
{
    json_t *meta = json_loads(
        fth_trace_info(trace)->meta_json ? fth_trace_info(trace)->meta_json : "{}", 0, NULL);
    bool chosen = json_object_get(meta, "layers") || json_object_get(meta, "functions") ||
                  json_object_get(meta, "imported");
    json_decref(meta);
    return !chosen;
}

const char *fth_views_nothing(const struct fth_trace *trace, const struct fth_report_view *view)
{
    if (!is_empty(trace) || fth_analysis_is_stopped(&view->incomplete))
        return NULL;
    return leaves_out(trace) ? "Nothing was recorded of this program: all its calls were left out "
                               "(`fathom info` shows why)."
           : lacks_locks_of_threads(trace) ? "Nothing was recorded of this program. Locks of "
                                             "threads, and waits for them, are recorded "
                                             "with `fathom record --layers pthread`."
                                           : "Nothing was recorded of this program.";
}

const char *fth_views_heading(const struct fth_trace *trace, const struct fth_results *results,
                              const struct fth_report_view *view)
{
    static char text[160];
    if (fth_views_is_any_shown(results, view))
        return "Findings";
    if (view->nothing)
        return view->nothing;
    if (trace && is_empty(trace))
        return "No findings: nothing was recorded";
    if (fth_views_largest_minor(results, view))
        return "No finding would make the run much shorter; the largest one:";
    const struct fth_cell *row = largest_layer(trace, results);
    if (!row && results->mpi_share >= LARGE_PART)
        return "Nothing stands out beside the start and the end of MPI";
    if (!row)
        return trace && fth_views_ended_badly(trace) ? "Nothing else stands out"
                                                     : "Nothing stands out";
    size_t share = fth_table_column(results->tables[0], "share");
    snprintf(text, sizeof text, "No findings, although %s of the thread time went to the layer %s",
             fth_phrase_percent(row[share].real).text, row[0].text);
    return text;
}

/* As fth_finding_rank names processes without a rank. */
static const char without_rank[] = "proc ";

const char *fth_views_label(const char *label, const struct fth_finding_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(label, "ranks") != 0 ||
            strncmp(list->items[i], without_rank, strlen(without_rank)) != 0)
            return label;
    return "procs";
}

const char *fth_views_item(const char *label, const char *item)
{
    return strcmp(label, "procs") == 0 ? item + strlen(without_rank) : item;
}

/* Percent of the length of the run. */
static const double HARDLY = 0.05;

const char *fth_views_worth(const struct fth_finding *finding)
{
    static char text[256];
    if (finding->gain >= 0 && !finding->effective && finding->gain_share < HARDLY)
        return "possible gain near zero";
    if (finding->gain >= 0 && !finding->effective)
        snprintf(text, sizeof text, "possible gain up to %s, %s of the critical path%s, %s",
                 fth_phrase_duration(finding->gain).text,
                 fth_phrase_percent(finding->gain_share).text,
                 finding->gain_of_part ? " without the start and end of MPI" : "",
                 fth_phrase_duration(finding->gain_of).text);
    else if (finding->severity > 0)
        snprintf(text, sizeof text, "%s%s%s, %s",
                 finding->effective || finding->of_a_part ? "" : "up to ",
                 fth_phrase_duration(finding->severity).text,
                 finding->of_a_part ? " as far as was recorded" : "", fth_views_share(finding));
    else
        return NULL;
    return text;
}

char *fth_views_show(const struct fth_finding *finding, const struct fth_report_view *view)
{
    struct fth_sink command;
    if (!finding->evidence.count || !view->trace_path)
        return NULL;
    fth_sink_open_memory(&command);
    fth_sink_text(&command, "fathom dump --call ");
    fth_sink_text(&command, finding->evidence.items[0]);
    fth_sink_char(&command, ' ');
    fth_views_put_argument(&command, view->trace_path);
    fth_sink_char(&command, 0);
    return command.bytes;
}

/* Two are related by their gains where these are known, and by their severities else; the severity
 * is what is printed. */
static bool covers_half(const struct fth_finding *cause, const struct fth_finding *effect)
{
    int64_t most = cause->explains > cause->severity ? cause->explains : cause->severity;
    return most >= effect->severity / 2;
}

/* Half or more of the effect may be due to it: of each effect by itself, so that all together may
 * be longer than what they are due to. */
static bool is_most_of(const struct fth_finding *cause, const struct fth_finding *effect)
{
    return effect->part_of && covers_half(cause, effect);
}

/* "It may explain half or more of: Late sender, 206 ms."; false: it has nothing to
 * do with this finding. */
static bool explains(const struct fth_finding *finding, const struct fth_finding *other,
                     char text[240])
{
    const char *kind = other->part_of ? other->part_of : other->partly_due_to;
    bool related = kind && strcmp(kind, finding->kind) == 0;
    if (related)
        snprintf(text, 240, "It may explain %s of: %s, %s.",
                 is_most_of(finding, other) ? "half or more" : "part", other->title,
                 fth_phrase_duration(other->severity).text);
    return related;
}

void fth_views_relations(const struct fth_results *results, const struct fth_finding *finding,
                         fth_views_put_sentence *put, void *to)
{
    const char *kind = finding->part_of ? finding->part_of : finding->partly_due_to;
    const struct fth_finding *cause = kind ? fth_finding_of(&results->findings, kind) : NULL;
    char text[240];
    if (finding->times > 1) {
        snprintf(text, sizeof text, "This is the %s of %s.",
                 finding->effective ? "largest" : "worst",
                 fth_phrase_several(finding->times, "such case", "such cases").text);
        put(to, text);
    }
    if (cause) {
        snprintf(text, sizeof text, "%s of this may be due to: %s.",
                 is_most_of(cause, finding) ? "Half or more" : "Part", cause->title);
        put(to, text);
    }
    for (size_t i = 0; i < results->findings.count; i++)
        if (explains(finding, &results->findings.list[i], text))
            put(to, text);
}
