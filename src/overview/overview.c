/* From the calls of a survey to bins, the tree of calls and the longest ones: a listener, which
 * gets the calls of each process in order of entry. Processes are gone through by several threads
 * at once, and merged one at a time in order of their numbers. */
#include "overview/overview.h"

#include "analysis/select/where.h"
#include "base/memory.h"
#include "overview/gathering.h"
#include "overview/longest.h"
#include "overview/profile.h"

#include <string.h>

/* A call that has not returned. */
struct open_call {
    int64_t end;
    uint32_t depth;
    uint32_t node; /* of the profile */
    uint16_t layer;
    bool counts, chosen;
};

struct thread {
    struct open_call *open;
    uint32_t open_count, room;
    uint32_t *nested;                     /* by layer: open calls of it */
    struct fth_overview_lane_bins *lanes; /* by layer */
};

/* What is known of a call that comes again. */
struct site {
    uint32_t thread, function, depth, file, node, source;
    uint16_t layer;
    bool counts;                      /* it is of a function that is known, and chosen */
    bool chosen;                      /* by --where, or a call around it is */
    bool data, reads, writes, failed; /* data: the bytes that it moves are known */
};

struct visit {
    struct fth_overview *overview;
    size_t proc;
    uint32_t thread_count;
    struct thread *threads;
    struct fth_overview_longest longest; /* not of parts, which have those of all processes */
    struct fth_overview_windows windows;
    struct fth_overview_profile profile;
    struct fth_overview_histograms histograms;
    struct fth_overview_latencies latencies;
    uint32_t *run_sources; /* when it is over, by number plus 1: the same of the run */
    uint64_t *numbers;     /* by thread: of its next call */
    struct fth_intern files, sources;
    struct fth_where *where; /* NULL: all calls are chosen */
    struct site *sites, last;
    uint32_t site_limit;
};

/* ---- calls ---- */

static void leave_to(struct thread *thread, uint32_t depth, int64_t time)
{
    while (thread->open_count) {
        const struct open_call *last = &thread->open[thread->open_count - 1];
        if (last->depth < depth && last->end >= time)
            return;
        thread->nested[last->layer] -= last->counts;
        thread->open_count--;
    }
}

static void take(struct visit *visit, const struct site *site, const struct fth_again_time *time,
                 const uint64_t moved[2])
{
    struct thread *thread = &visit->threads[site->thread];
    uint64_t number = visit->numbers[site->thread]++;
    int64_t end = time->end > time->start ? time->end : time->start;
    leave_to(thread, site->depth, time->start);
    thread->open = fth_reach(thread->open, &thread->room, thread->open_count, sizeof *thread->open);
    thread->open[thread->open_count++] =
        (struct open_call){end, site->depth, site->node, site->layer, site->counts, site->chosen};
    if (!site->counts)
        return;
    uint64_t bytes =
        moved[0] > moved[1] ? moved[0] : moved[1]; /* a copy moves the same both ways */
    if (!visit->overview->gathering->is_part) {
        fth_overview_spend(&visit->profile, site->node, time->start, end, moved, site->failed);
        fth_overview_measure(&visit->histograms, site->function, end - time->start,
                             site->data && bytes <= INT64_MAX ? (int64_t)bytes : -1);
        fth_overview_took(&visit->latencies, site->layer, time->start, end - time->start);
    }
    fth_overview_count(&thread->lanes[site->layer], time->start, end);
    if (!thread->nested[site->layer])
        fth_overview_put(&thread->lanes[site->layer], time->start, end, moved);
    thread->nested[site->layer]++;
    size_t row = visit->overview->gathering->first_rows[visit->proc] + site->thread;
    const struct fth_overview_call call = {.start = time->start,
                                           .end = end,
                                           .number = number,
                                           .bytes = bytes,
                                           .row = (uint32_t)row,
                                           .function = site->function,
                                           .file = site->file,
                                           .source = site->source,
                                           .depth = (uint16_t)site->depth,
                                           .failed = site->failed};
    struct fth_overview_gathering *gathering = visit->overview->gathering;
    fth_overview_keep(gathering->is_part ? &gathering->longest : &visit->longest, &call);
    if (!gathering->is_part)
        fth_overview_put_in_window(&visit->windows, &call);
}

/* The call around one that begins; NULL: none. */
static const struct open_call *around(struct visit *visit, const struct fth_call *call)
{
    struct thread *thread = &visit->threads[call->thread];
    leave_to(thread, call->depth, call->start);
    return thread->open_count ? &thread->open[thread->open_count - 1] : NULL;
}

/* A part is read by one thread: its files have the numbers of the whole part from the start. */
static uint32_t file_of(struct visit *visit, const struct fth_call *call)
{
    struct fth_overview_gathering *gathering = visit->overview->gathering;
    struct fth_intern *files = gathering->is_part ? &gathering->files : &visit->files;
    return call->file ? fth_intern(files, call->file, strlen(call->file) + 1) : FTH_NO_FILE;
}

static struct site site_of(struct visit *visit, const struct fth_call *call)
{
    const struct fth_call_class *class =
        fth_call_class_of(visit->overview->classes, call->function);
    const struct open_call *outer = around(visit, call);
    bool chosen =
        !visit->where || fth_where_holds(visit->where, call, NULL) || (outer && outer->chosen);
    bool counts = chosen && class->index < visit->overview->classes->count;
    uint32_t outer_node = outer ? outer->node : FTH_OVERVIEW_ROOT;
    uint32_t source = call->source && !visit->overview->gathering->is_part
                          ? fth_intern(&visit->sources, call->source, strlen(call->source) + 1) + 1
                          : 0;
    return (struct site){
        .thread = call->thread,
        .function = class->index,
        .depth = call->depth < UINT16_MAX ? call->depth : UINT16_MAX,
        .file = file_of(visit, call),
        .source = source,
        .layer = class->layer,
        .node = counts && !visit->overview->gathering->is_part
                    ? fth_overview_node(&visit->profile, outer_node, class->index, source)
                    : outer_node,
        .counts = counts,
        .chosen = chosen,
        .data = call->bytes_known,
        .reads = call->bytes_known && (call->reads || call->copies),
        .writes = call->bytes_known && (call->writes || call->copies),
        .failed = call->error_number != 0};
}

/* [0] read, [1] written */
static void take_bytes(const struct site *site, uint64_t bytes, uint64_t moved[2])
{
    moved[0] = site->reads ? bytes : 0;
    moved[1] = site->writes ? bytes : 0;
}

bool fth_overview_take(void *state, const struct fth_call *call, struct fth_error **error)
{
    (void)error;
    struct visit *visit = state;
    visit->last = (struct site){.thread = UINT32_MAX};
    if (call->thread >= visit->thread_count)
        return true;
    visit->last = site_of(visit, call);
    visit->numbers[call->thread] = call->number;
    uint64_t moved[2];
    take_bytes(&visit->last, call->bytes_known ? call->bytes : 0, moved);
    for (size_t i = 0; i < call->block_count; i++)
        moved[call->blocks[i].writes] += call->blocks[i].bytes;
    take(visit, &visit->last, &(struct fth_again_time){call->start, call->end}, moved);
    return true;
}

static enum fth_keeping keep_site(void *state, uint32_t number)
{
    struct visit *visit = state;
    visit->sites = fth_reach(visit->sites, &visit->site_limit, number, sizeof *visit->sites);
    visit->sites[number] = visit->last;
    const struct fth_expression *expression = visit->overview->gathering->expression;
    bool keeps =
        visit->last.thread != UINT32_MAX && (!expression || fth_expression_is_of_sites(expression));
    return keeps ? FTH_KEEP : FTH_KEEP_NOT;
}

static void take_again(void *state, const struct fth_calls_again *calls)
{
    struct visit *visit = state;
    for (uint32_t i = 0, at = 0; i < calls->count; i++) {
        uint64_t moved[2];
        take_bytes(&visit->sites[calls->sites[at]], calls->bytes[at], moved);
        take(visit, &visit->sites[calls->sites[at]], &calls->times[i], moved);
        at = at + 1 < calls->period ? at + 1 : 0;
    }
}

/* ---- processes ---- */

/* How many calls of a process are kept: its share, or all if there is room for those of the run. */
static size_t room_of(const struct fth_overview_gathering *gathering)
{
    if (gathering->calls <= gathering->most_calls)
        return gathering->most_calls;
    return gathering->most_calls / (gathering->processes ? gathering->processes : 1);
}

void *fth_overview_begin_process(void *context, size_t proc)
{
    struct fth_overview *overview = context;
    const struct fth_overview_gathering *gathering = overview->gathering;
    struct visit *visit = fth_new(1, sizeof *visit);
    *visit = (struct visit){.overview = overview, .proc = proc};
    visit->where = fth_where_open(overview->trace, gathering->expression);
    visit->thread_count = (uint32_t)(gathering->first_rows[proc + 1] - gathering->first_rows[proc]);
    visit->threads = fth_new(visit->thread_count + 1, sizeof *visit->threads);
    visit->profile.axis = &gathering->parts;
    visit->latencies.axis = &gathering->parts;
    visit->latencies.layer_count = overview->classes->layer_count;
    visit->numbers = fth_new(visit->thread_count + 1, sizeof *visit->numbers);
    if (!gathering->is_part)
        fth_overview_begin_windows(&visit->windows, overview, gathering->processes);
    visit->longest.room = room_of(gathering);
    size_t layers = overview->classes->layer_count;
    for (uint32_t i = 0; i < visit->thread_count; i++) {
        visit->threads[i].nested = fth_new(layers + 1, sizeof *visit->threads[i].nested);
        visit->threads[i].lanes = fth_new(layers + 1, sizeof *visit->threads[i].lanes);
        for (size_t layer = 0; layer < layers; layer++)
            visit->threads[i].lanes[layer].axis = &gathering->axis;
    }
    return visit;
}

static void collect_lanes(struct fth_overview *overview, const struct visit *visit)
{
    for (uint32_t i = 0; i < visit->thread_count; i++) {
        for (uint16_t layer = 0; layer < overview->classes->layer_count; layer++) {
            struct fth_overview_lane lane = {
                (uint32_t)(overview->gathering->first_rows[visit->proc] + i), layer, 0, NULL};
            fth_overview_collect(&visit->threads[i].lanes[layer], &lane);
            if (!lane.count)
                continue;
            FTH_GROW(overview->lanes, overview->lane_count);
            overview->lanes[overview->lane_count++] = lane;
        }
        free(visit->threads[i].lanes);
        free(visit->threads[i].nested);
        free(visit->threads[i].open);
    }
}

static int by_entry(const void *one, const void *other)
{
    const struct fth_overview_call *a = one, *b = other;
    return a->row != b->row ? (a->row > b->row) - (a->row < b->row)
                            : (a->number > b->number) - (a->number < b->number);
}

/* The files and sources of a process have other numbers. */
static void rename_file(struct fth_overview *overview, const struct visit *visit,
                        struct fth_overview_call *call)
{
    size_t length;
    call->source = visit->run_sources[call->source];
    if (call->file == FTH_NO_FILE)
        return;
    const void *path = fth_interned(&visit->files, call->file, &length);
    call->file = fth_intern(&overview->gathering->files, path, length);
}

static void collect_windows(struct fth_overview *overview, struct visit *visit)
{
    for (size_t i = 0; i < visit->windows.count; i++)
        rename_file(overview, visit, &visit->windows.calls[i]);
    if (!overview->gathering->is_part)
        fth_overview_merge_windows(&overview->gathering->windows, &visit->windows);
    free(visit->windows.calls);
}

static void collect_calls(struct fth_overview *overview, struct visit *visit)
{
    struct fth_overview_call *calls = NULL;
    size_t count = 0;
    if (overview->gathering->is_part)
        return;
    overview->all_calls &= !visit->longest.left_out;
    fth_overview_hand_over(&visit->longest, &calls, &count);
    if (count)
        qsort(calls, count, sizeof *calls, by_entry);
    for (size_t i = 0; i < count; i++) {
        rename_file(overview, visit, &calls[i]);
        FTH_GROW(overview->calls, overview->call_count);
        overview->calls[overview->call_count++] = calls[i];
    }
    free(calls);
}

static void list_sources(struct fth_overview *overview, struct visit *visit)
{
    visit->run_sources = fth_new(visit->sources.count + 1, sizeof *visit->run_sources);
    for (uint32_t i = 0; i < visit->sources.count; i++) {
        size_t length;
        const void *text = fth_interned(&visit->sources, i, &length);
        visit->run_sources[i + 1] = fth_intern(&overview->gathering->sources, text, length) + 1;
    }
}

void fth_overview_end_process(void *context, void *state)
{
    struct fth_overview *overview = context;
    struct visit *visit = state;
    list_sources(overview, visit);
    collect_lanes(overview, visit);
    collect_calls(overview, visit);
    collect_windows(overview, visit);
    fth_overview_profile_merge(&overview->gathering->profile, &visit->profile,
                               (uint32_t)visit->proc, visit->run_sources);
    fth_overview_histograms_merge(&overview->gathering->histograms, &visit->histograms);
    fth_overview_latencies_merge(&overview->gathering->latencies, &visit->latencies);
    fth_where_close(visit->where);
    fth_intern_free(&visit->files);
    fth_intern_free(&visit->sources);
    free(visit->run_sources);
    free(visit->threads);
    free(visit->numbers);
    free(visit->sites);
    free(visit);
}

/* ---- the run ---- */

uint32_t fth_overview_bins_for(size_t rows, uint32_t most)
{
    enum { ALL = 1 << 22, LAYERS = 4 };
    uint32_t count = most;
    while (count > FTH_OVERVIEW_LEAST_BINS && (uint64_t)count * rows * LAYERS > ALL)
        count /= 2;
    return count;
}

static void list_rows(struct fth_overview *overview, const struct fth_selection *selection)
{
    struct fth_trace *trace = overview->trace;
    struct fth_overview_gathering *gathering = overview->gathering;
    size_t count = fth_trace_process_count(trace);
    gathering->first_rows = fth_new(count + 2, sizeof *gathering->first_rows);
    struct fth_selected_span span = fth_analysis_selected_span(selection, trace);
    overview->begin = span.begin;
    overview->end = span.end;
    overview->origin = overview->begin;
    for (size_t proc = 0; proc < count; proc++) {
        const struct fth_process *process = fth_trace_process(trace, proc);
        bool selected = fth_analysis_selects_process(selection, trace, proc);
        for (size_t thread = 0; selected && thread < process->thread_count; thread++) {
            FTH_GROW(overview->rows, overview->row_count);
            overview->rows[overview->row_count++] =
                (struct fth_overview_row){(uint32_t)proc, (uint32_t)thread};
        }
        gathering->first_rows[proc + 1] = overview->row_count;
        gathering->processes += selected;
        gathering->calls += selected ? process->calls : 0;
    }
}

/* So long that as many bins reach to the end. */
static int64_t width_for(int64_t begin, int64_t end, uint32_t bin_count)
{
    uint64_t least = ((uint64_t)end - (uint64_t)begin) / bin_count + 1;
    int64_t width = 1;
    while ((uint64_t)width < least && width < INT64_MAX / 2)
        width *= 2;
    return width;
}

struct fth_overview *fth_overview_new(struct fth_trace *trace,
                                      const struct fth_selection *selection, uint32_t most_bins,
                                      struct fth_listener *listener)
{
    struct fth_overview *overview = fth_new(1, sizeof *overview);
    overview->trace = trace;
    overview->classes = fth_call_classes_new(trace);
    overview->gathering = fth_new(1, sizeof *overview->gathering);
    overview->gathering->expression = selection->where;
    overview->gathering->most_calls = FTH_OVERVIEW_CALLS;
    overview->all_calls = true;
    list_rows(overview, selection);
    overview->bin_count = fth_overview_bins_for(overview->row_count, most_bins);
    overview->bin_width = width_for(overview->begin, overview->end, overview->bin_count);
    overview->part_count =
        overview->bin_count < FTH_OVERVIEW_PARTS ? overview->bin_count : FTH_OVERVIEW_PARTS;
    overview->part_width = overview->bin_width * (overview->bin_count / overview->part_count);
    overview->gathering->axis = (struct fth_overview_axis){overview->begin, overview->bin_width,
                                                           overview->bin_count, false};
    overview->gathering->parts = (struct fth_overview_axis){overview->begin, overview->part_width,
                                                            overview->part_count, false};
    overview->gathering->profile.axis = &overview->gathering->parts;
    overview->gathering->latencies.axis = &overview->gathering->parts;
    overview->gathering->latencies.layer_count = overview->classes->layer_count;
    fth_overview_begin_windows(&overview->gathering->windows, overview,
                               overview->gathering->processes);
    *listener = (struct fth_listener){.context = overview,
                                      .open = fth_overview_begin_process,
                                      .call = fth_overview_take,
                                      .keep = keep_site,
                                      .again = take_again,
                                      .close = fth_overview_end_process};
    return overview;
}

static const char **list_texts(const struct fth_intern *texts)
{
    const char **list = fth_new(texts->count + 1, sizeof *list);
    size_t length;
    for (uint32_t i = 0; i < texts->count; i++)
        list[i] = (const char *)fth_interned(texts, i, &length);
    return list;
}

void fth_overview_list_files(struct fth_overview *overview)
{
    free(overview->files);
    overview->file_count = overview->gathering->files.count;
    overview->files = list_texts(&overview->gathering->files);
}

void fth_overview_finish(struct fth_overview *overview)
{
    fth_overview_profile_collect(&overview->gathering->profile, overview);
    overview->histogram_count = overview->gathering->histograms.limit;
    overview->histograms = overview->gathering->histograms.list;
    overview->latencies = overview->gathering->latencies.classes;
    overview->source_count = overview->gathering->sources.count;
    overview->sources = list_texts(&overview->gathering->sources);
    fth_overview_list_files(overview);
}

void fth_overview_free(struct fth_overview *overview)
{
    if (!overview)
        return;
    struct fth_overview_gathering *gathering = overview->gathering;
    for (size_t i = 0; i < overview->lane_count; i++)
        free(overview->lanes[i].places);
    fth_intern_free(&gathering->files);
    fth_intern_free(&gathering->sources);
    for (size_t i = 0; i < overview->node_count && !gathering->is_part; i++) {
        free(overview->nodes[i].parts);
        free(overview->nodes[i].shares);
    }
    fth_overview_histograms_free(&gathering->histograms);
    fth_overview_latencies_free(&gathering->latencies);
    free(gathering->windows.calls);
    fth_overview_hand_over(&gathering->longest, &overview->calls, &overview->call_count);
    if (!gathering->is_part) {
        free(overview->nodes);
        free(overview->sources);
        free(gathering->first_rows);
        free(overview->rows);
        fth_call_classes_free(overview->classes);
    }
    free(gathering);
    free(overview->lanes);
    free(overview->calls);
    free(overview->files);
    free(overview);
}
