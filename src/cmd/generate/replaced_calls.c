/* The bound of a proposed template. A finding of the report says what goes without what it found;
 * the template replaces more: every call on its files, and where one process wrote for all, the
 * gathering before. What the generated calls take in their place is not subtracted, as nobody
 * knows that before they have run. */
#include "cmd/generate/replaced_calls.h"

#include "analysis/survey/call_walk.h"
#include "base/memory.h"
#include "base/phrase.h"
#include "base/sink.h"
#include "path/path.h"

#include <stdlib.h>
#include <string.h>

/* ---- which calls ---- */

/* As expressions take strings: in the quotes that are not in it. False: it has both. */
static bool put_quoted(struct fth_sink *sink, const char *text)
{
    const char *quote = strchr(text, '"') ? "'" : "\"";
    fth_sink_text(sink, quote);
    fth_sink_text(sink, text);
    fth_sink_text(sink, quote);
    return !strchr(text, *quote);
}

static bool put_files(struct fth_sink *sink, const struct fth_gen_inferred *inferred)
{
    bool any = false, good = true;
    for (size_t i = 0; i < inferred->file_count; i++) {
        if (inferred->files[i].why)
            continue;
        fth_sink_text(sink, any ? ", " : "file in (");
        good = put_quoted(sink, inferred->files[i].path) && good;
        any = true;
    }
    fth_sink_text(sink, ")");
    return good;
}

/* Calls in which one process gets what all have. */
static void put_gatherings(struct fth_sink *sink, const struct fth_trace *trace)
{
    bool any = false;
    for (size_t i = 0; i < fth_trace_function_count(trace); i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        if (!function->orders || strcmp(function->orders, "to_root") != 0)
            continue;
        fth_sink_text(sink, any ? ", " : " or func in (");
        fth_sink_text(sink, function->name);
        any = true;
    }
    fth_sink_text(sink, any ? ")" : "");
}

static struct fth_expression *expression_of(const struct fth_cmd_replaced *replaced,
                                            const struct fth_trace *trace,
                                            const struct fth_gen_inferred *inferred)
{
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    bool good = put_files(&sink, inferred);
    if (replaced->gathered)
        put_gatherings(&sink, trace);
    fth_sink_char(&sink, 0);
    struct fth_expression *where = good ? fth_expression_parse(sink.bytes, NULL) : NULL;
    fth_sink_close_memory(&sink);
    return where;
}

/* ---- what the run would be without them ---- */

static bool is_chosen(void *context, const struct fth_path_work *work)
{
    (void)context;
    return work->chosen;
}

static int follow(struct fth_cmd_replaced *replaced, struct fth_trace *trace,
                  const struct fth_expression *where, struct fth_error **error)
{
    struct fth_selection all;
    struct fth_thresholds thresholds;
    struct fth_progress progress;
    struct fth_listener listener;
    struct fth_results results = {0};
    fth_thresholds_init(&thresholds);
    fth_analysis_selection_init(&all);
    struct fth_path *path = fth_path_new(trace, &all, &listener);
    fth_path_choose(path, where);
    fth_progress_begin(&progress, "reading calls", fth_analysis_walk_length(trace, &all));
    bool done = fth_analysis_survey(trace, &all, &thresholds, NULL, 0, &listener, 0, &progress,
                                    &results, error);
    fth_progress_end(&progress);
    done = done && fth_path_find(path, error);
    if (done) {
        replaced->length = fth_path_sums(path).length;
        int64_t without = fth_path_without(path, &(struct fth_path_change){.gone = is_chosen});
        replaced->most = without < replaced->length ? replaced->length - without : 0;
    }
    fth_path_close(path);
    fth_results_free(&results);
    fth_analysis_selection_free(&all);
    return done ? 0 : -1;
}

int fth_cmd_replaced_find(struct fth_cmd_replaced *replaced, struct fth_trace *trace,
                          const struct fth_gen_inferred *inferred, struct fth_error **error)
{
    struct fth_selection all;
    *replaced = (struct fth_cmd_replaced){.most = -1};
    fth_analysis_selection_init(&all);
    bool is_of_a_part = fth_analysis_are_watched(&all, trace);
    fth_analysis_selection_free(&all);
    for (size_t i = 0; i < inferred->file_count; i++)
        replaced->gathered |= inferred->files[i].gathered;
    if (is_of_a_part) {
        replaced->why = "processes were only watched from time to time (--select)";
        return 0;
    }
    struct fth_expression *where = expression_of(replaced, trace, inferred);
    if (!where) {
        replaced->why = "a file's name has quotes of both kinds";
        return 0;
    }
    int result = follow(replaced, trace, where, error);
    fth_expression_free(where);
    return result;
}

char *fth_cmd_replaced_text(const struct fth_cmd_replaced *replaced)
{
    if (replaced->most < 0)
        return fth_text_format("What can be gained at most is not known, because %s.",
                               replaced->why);
    return fth_text_format(
        "Without the calls that this replaces (all on its files%s), the recorded run would be up "
        "to %s shorter, %s of its critical path: more cannot be gained. How much of that is gained "
        "is not known before the generated calls have run, as it is less by what these take.",
        replaced->gathered ? ", and those that gather what one process writes" : "",
        fth_phrase_duration(replaced->most).text,
        fth_phrase_percent(
            replaced->length ? 100. * (double)replaced->most / (double)replaced->length : 0)
            .text);
}
