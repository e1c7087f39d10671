/* From a trace to what the page gets of it: the report and the whole run at once, parts and single
 * calls as they are asked for. */
#include "cmd/view/picture.h"

#include "analysis/language/expression.h"
#include "analysis/survey/family.h"
#include "base/memory.h"
#include "cmd/shared/command.h"
#include "cmd/shared/reporting.h"
#include "cmd/shared/sampling.h"
#include "cmd/shared/surveying.h"
#include "cmd/shared/verifying.h"
#include "views/browser/pack.h"

#include <stdlib.h>

enum {
    MOST_READ = 1 << 22, /* calls of a window that is read: about a second */
    MOST_KEPT = 20000,   /* that it keeps */
    MOST_FAMILY = 1000,  /* calls around one and inside of it that are listed */
};

/* How good a window is. */
enum { SUMMARY, EXACT };

static void deflate_part(struct fth_sink *to, struct fth_sink *part)
{
    fth_views_deflate(to, part->bytes, part->used);
    to->failed |= part->failed;
    fth_sink_close_memory(part);
}

/* ---- the whole ---- */

struct taking {
    struct fth_picture *picture;
    struct fth_cmd_survey survey;
    struct fth_message_list messages;
    struct fth_handle_list handles;
};

static int survey(void *context, struct fth_trace *trace, struct fth_results *results,
                  struct fth_error **error)
{
    struct taking *taking = context;
    int result = fth_cmd_survey(&taking->survey, trace, results, error);
    taking->picture->overview = taking->survey.overview;
    return result;
}

static int pack(void *context, const struct fth_report_request *request, struct fth_trace *trace,
                const struct fth_results *results, struct fth_error **error)
{
    const struct taking *taking = context;
    struct fth_picture *picture = taking->picture;
    struct fth_overview *coarse = fth_overview_coarse(picture->overview, FTH_OVERVIEW_BINS);
    struct fth_sink parts[FTH_PICTURE_PARTS];
    bool failed = false;
    for (int i = 0; i < FTH_PICTURE_PARTS; i++)
        fth_sink_open_memory(&parts[i]);
    fth_views_pack_report(&parts[FTH_PICTURE_REPORT], trace, results, &request->view);
    fth_views_pack_names(&parts[FTH_PICTURE_NAMES], coarse);
    fth_views_pack_numbers(&parts[FTH_PICTURE_NUMBERS], coarse, &results->offsets);
    if (results->file_maps) {
        fth_views_pack_maps(&parts[FTH_PICTURE_MAPS], results->file_maps);
        fth_views_pack_cells(&parts[FTH_PICTURE_CELLS], results->file_maps);
    }
    if (taking->messages.count)
        fth_views_pack_messages(&parts[FTH_PICTURE_MESSAGES], &taking->messages, coarse,
                                FTH_MOST_LISTED);
    if (taking->messages.links.known)
        fth_views_pack_links(&parts[FTH_PICTURE_LINKS], &taking->messages.links, coarse,
                             FTH_MOST_LINKS);
    if (results->file_maps && !request->selection.where)
        fth_views_pack_handles(&parts[FTH_PICTURE_HANDLES], &taking->handles, results->file_maps,
                               coarse->begin, FTH_MOST_LISTED_HANDLES);
    int result = fth_cmd_pack_samples(&parts[FTH_PICTURE_SAMPLES], trace, picture->shown,
                                      &request->selection, 0, error);
    for (int i = 0; i < FTH_PICTURE_PARTS; i++) {
        deflate_part(&picture->parts[i], &parts[i]);
        failed |= picture->parts[i].failed;
    }
    fth_overview_free(coarse);
    return result ? result : failed ? fth_fail(error, "out of memory") : 0;
}

/* NULL: *error is set, and the picture is gone. */
static struct fth_picture *take(struct fth_picture *picture, struct fth_error **error)
{
    struct fth_report_request request = {.selection = picture->selection,
                                         .view = FTH_CMD_REPORT_VIEW};
    request.view.trace_path = picture->shown;
    struct taking taking = {.picture = picture,
                            .survey = {.selection = &request.selection,
                                       .jobs = picture->jobs,
                                       .most_bins = FTH_OVERVIEW_FINE_BINS}};
    taking.survey.messages = &taking.messages;
    taking.survey.handles = &taking.handles;
    fth_thresholds_init(&taking.survey.thresholds);
    picture->users = 1;
    for (int i = 0; i < FTH_PICTURE_PARTS; i++)
        fth_sink_open_memory(&picture->parts[i]);
    int result = fth_cmd_check_where(picture->selection.where, picture->trace, error);
    if (!result)
        result = fth_cmd_report_of(&request, picture->trace, survey, pack, &taking, error);
    fth_message_list_free(&taking.messages);
    fth_handle_list_free(&taking.handles);
    if (!result)
        return picture;
    fth_picture_let_go(picture);
    return NULL;
}

struct fth_picture *fth_picture_take(const char *path, const char *shown,
                                     const struct fth_selection *selection, unsigned jobs,
                                     struct fth_error **error)
{
    struct fth_trace *trace = fth_cmd_open_trace(path, error);
    if (!trace)
        return NULL;
    struct fth_picture *picture = fth_new(1, sizeof *picture);
    picture->trace = trace;
    picture->shown = shown;
    picture->selection = *selection;
    picture->jobs = jobs;
    return take(picture, error);
}

struct fth_picture *fth_picture_filter(struct fth_picture *whole, const char *where,
                                       struct fth_error **error)
{
    struct fth_expression *expression = fth_expression_parse(where, error);
    if (!expression)
        return NULL;
    struct fth_picture *picture = fth_new(1, sizeof *picture);
    picture->whole = fth_picture_hold(whole);
    picture->trace = whole->trace;
    picture->shown = whole->shown;
    picture->jobs = whole->jobs;
    picture->where = fth_text_copy(where);
    picture->selection = whole->selection;
    picture->selection.where = expression;
    picture->selection.where_text = picture->where;
    return take(picture, error);
}

struct fth_picture *fth_picture_hold(struct fth_picture *picture)
{
    if (picture)
        picture->users++;
    return picture;
}

void fth_picture_let_go(struct fth_picture *picture)
{
    if (!picture || --picture->users)
        return;
    fth_overview_free(picture->overview);
    if (picture->whole)
        fth_expression_free(picture->selection.where);
    else
        fth_trace_close(picture->trace);
    fth_picture_let_go(picture->whole);
    free(picture->where);
    for (int i = 0; i < FTH_PICTURE_PARTS; i++)
        fth_sink_close_memory(&picture->parts[i]);
    free(picture);
}

/* ---- windows ---- */

static void pack_window(struct fth_sink *to, const struct fth_overview *part, int quality)
{
    struct fth_sink files, all;
    fth_sink_open_memory(&files);
    fth_sink_open_memory(&all);
    fth_views_pack_files(&files, part);
    fth_views_pack(&all, (uint64_t)quality);
    fth_views_pack(&all, part->all_calls);
    fth_views_pack(&all, (uint64_t)(part->begin - part->origin));
    fth_views_pack(&all, (uint64_t)part->bin_width);
    fth_views_pack(&all, part->bin_count);
    fth_views_pack(&all, files.used);
    fth_sink_bytes(&all, files.bytes, files.used);
    fth_views_pack_bins(&all, part);
    all.failed |= files.failed;
    fth_sink_close_memory(&files);
    deflate_part(to, &all);
}

/* Bins of the run that the window is in. */
static struct fth_overview *summary_of(const struct fth_overview *whole,
                                       const struct fth_overview_window *window)
{
    struct fth_overview_window wide = {.width = whole->bin_width, .rows = window->rows};
    int64_t offset = window->begin - whole->begin, length = window->width * window->bin_count,
            first = offset / whole->bin_width,
            behind = (offset + length + whole->bin_width - 1) / whole->bin_width;
    wide.begin = whole->begin + first * whole->bin_width;
    wide.bin_count = (uint32_t)(behind - first);
    struct fth_overview *part = fth_overview_cut(whole, &wide);
    part->all_calls = false;
    return part;
}

int fth_picture_window(const struct fth_picture *picture, const struct fth_overview_window *window,
                       fth_picture_is_over *is_over, void *context, struct fth_sink *to,
                       struct fth_error **error)
{
    const struct fth_overview *whole = picture->overview;
    const struct fth_overview_limit limit = {MOST_READ, MOST_KEPT, is_over, context};
    struct fth_overview *part;
    int quality = EXACT;
    if (window->begin < whole->begin || window->begin > whole->end)
        return fth_fail(error, "the window is outside of the run");
    if (fth_overview_covers(whole, window)) {
        part = fth_overview_cut(whole, window);
        part->all_calls = whole->all_calls;
    } else {
        struct fth_error *why = NULL;
        part = fth_overview_read(whole, window, &limit, &why);
        if (why) {
            *error = why;
            return -1;
        }
        if (!part && is_over(context))
            return 0;
    }
    if (!part) {
        quality = SUMMARY;
        part = summary_of(whole, window);
    }
    pack_window(to, part, quality);
    fth_overview_free(part);
    return 1;
}

/* ---- one call ---- */

struct listing {
    const struct fth_picture *picture;
    struct fth_family *family;
    struct fth_picture_start start;
    fth_picture_is_over *is_over;
    void *context;
    struct fth_calls *calls;
    struct fth_accesses *accesses; /* of them; NULL: not asked for */
    struct fth_access access;      /* of the call that was read last */
};

static int open_listing(struct listing *listing, struct fth_error **error)
{
    struct fth_trace *trace = listing->picture->trace;
    size_t proc = fth_family_proc(listing->family);
    listing->calls = listing->start.ranges
                         ? fth_calls_open(trace, proc, error)
                         : fth_calls_from(trace, proc, listing->start.time, error);
    if (listing->calls && listing->start.ranges)
        listing->accesses = fth_accesses_open(trace, proc, listing->calls);
    return listing->calls ? 0 : -1;
}

static int read_next(struct listing *listing, struct fth_error **error)
{
    return listing->accesses ? fth_accesses_next(listing->accesses, &listing->access, error)
                             : fth_calls_next(listing->calls, &listing->access.call, error);
}

static int list(struct fth_writer *writer, struct fth_dump *dump, void *context,
                struct fth_error **error)
{
    enum { OFTEN = 1 << 10 };
    struct listing *listing = context;
    const struct fth_call *call = &listing->access.call;
    int more = open_listing(listing, error) ? -1 : 1;
    dump->accesses = listing->accesses;
    dump->access = listing->accesses ? &listing->access : NULL;
    dump->ranges = listing->start.ranges;
    for (unsigned read = 1, listed = 0; more > 0 && listed < MOST_FAMILY; read++) {
        more = read_next(listing, error);
        if (more <= 0 || fth_family_is_over(listing->family, call) ||
            (read % OFTEN == 0 && listing->is_over(listing->context)))
            break;
        if (!fth_family_has(listing->family, call))
            continue;
        writer->format->call(writer, dump, call);
        listed++;
    }
    fth_accesses_close(listing->accesses);
    fth_calls_close(listing->calls);
    return more < 0 ? -1 : 0;
}

/* Where the picture itself has the call: when it begins; else INT64_MIN. */
static int64_t start_of(const struct fth_overview *overview, const char *id)
{
    unsigned long long proc, thread, number;
    if (sscanf(id, "%llu.%llu.%llu", &proc, &thread, &number) != 3)
        return INT64_MIN;
    for (size_t i = 0; i < overview->call_count; i++) {
        const struct fth_overview_call *call = &overview->calls[i];
        const struct fth_overview_row *row = &overview->rows[call->row];
        if (call->number == number && row->proc == proc && row->thread == thread)
            return call->start;
    }
    return INT64_MIN;
}

int fth_picture_call(const struct fth_picture *picture, const char *id,
                     struct fth_picture_start start, fth_picture_is_over *is_over, void *context,
                     struct fth_sink *to, struct fth_error **error)
{
    struct fth_sink lines;
    if (start.time == INT64_MIN)
        start.time = start_of(picture->overview, id);
    struct listing listing = {
        .picture = picture, .start = start, .is_over = is_over, .context = context};
    listing.family = fth_analysis_family(picture->trace, id, start.time, NULL, error);
    if (!listing.family)
        return -1;
    fth_sink_open_memory(&lines);
    int result = fth_views_pack_calls(&lines, picture->trace, list, &listing, error);
    fth_family_free(listing.family);
    if (result)
        fth_sink_close_memory(&lines);
    else
        deflate_part(to, &lines);
    return result ? -1 : !is_over(context);
}

/* ---- the verdict ---- */

int fth_picture_verify(const struct fth_picture *picture, struct fth_verify_progress *progress,
                       struct fth_sink *to, struct fth_error **error)
{
    struct fth_sink verdict;
    fth_sink_open_memory(&verdict);
    int result = fth_cmd_pack_verdict(&verdict, picture->trace, picture->shown, picture->jobs,
                                      progress, error);
    if (result)
        fth_sink_close_memory(&verdict);
    else
        deflate_part(to, &verdict);
    return result ? -1 : 1;
}
