/* Goes through all that steps did to files, in order of time. A name stands for a content, which
 * renaming gives another name, and making anew replaces. Who reads a content needs those who wrote
 * these bytes of it last. */
#include "workflow/graph/data_flow.h"

#include "base/memory.h"

#include <string.h>

/* At one time, names change first, then files are written, then read. */
enum moment_kind { CHANGE, WRITE, READ, READ_END };

struct moment {
    int64_t time;
    enum moment_kind kind;
    uint32_t number; /* of the change, or of the use */
};

struct writer {
    uint32_t step;
    uint64_t from, to, bytes;
    int64_t first, last;
};

struct version { /* of a file: a content with its writers, in order of their first writes */
    uint32_t writer_count, reader_count;
    uint32_t renamer; /* the step that gave it its name last; FTH_NO_STEP: none */
    struct writer *writers;
    uint32_t *readers; /* steps; one that reads several times in a row is there once */
};

enum { MOST_WRITERS = 4096 /* of a content that a reader is held against: the last ones */ };

struct tracing {
    const struct fth_workflow *workflow;
    struct fth_workflow_graph *graph;
    uint32_t *contents;       /* by file: number of its content + 1; 0: none yet */
    uint32_t *read_of;        /* by use: the content that it reads */
    struct version *versions; /* by content */
};

/* ---- contents ---- */

static uint32_t new_content(struct tracing *tracing, uint32_t file)
{
    struct fth_workflow_graph *graph = tracing->graph;
    if ((graph->content_count & (graph->content_count - 1)) == 0) {
        size_t room = graph->content_count ? (size_t)graph->content_count * 2 : 1;
        tracing->versions = fth_resize(tracing->versions, room, sizeof *tracing->versions);
    }
    FTH_GROW(graph->contents, graph->content_count);
    const char *name = fth_workflow_file(tracing->workflow, file);
    graph->contents[graph->content_count] = (struct fth_workflow_content){
        .file = file,
        .writer = FTH_NO_STEP,
        .reader = FTH_NO_STEP,
        .complete = FTH_NEVER,
        .first_read = FTH_NEVER,
        .last_read = FTH_NEVER,
        .pipe = !strncmp(name, "pipe:", 5),
    };
    tracing->versions[graph->content_count] = (struct version){.renamer = FTH_NO_STEP};
    tracing->contents[file] = ++graph->content_count;
    return graph->content_count - 1;
}

static uint32_t content_of(struct tracing *tracing, uint32_t file)
{
    return tracing->contents[file] ? tracing->contents[file] - 1 : new_content(tracing, file);
}

static void add_flow(struct tracing *tracing, uint32_t from, uint32_t to, uint32_t content,
                     uint64_t bytes)
{
    struct fth_workflow_graph *graph = tracing->graph;
    if (from == to || from == FTH_NO_STEP)
        return;
    FTH_GROW(graph->flows, graph->flow_count);
    graph->flows[graph->flow_count++] = (struct fth_workflow_flow){from, to, content, bytes};
}

/* Who deletes a file, or replaces what is in it, comes behind those who wrote and read it. */
static void come_behind_users(struct tracing *tracing, uint32_t content, uint32_t step)
{
    const struct version *version = &tracing->versions[content];
    if (version->writer_count)
        add_flow(tracing, version->writers[version->writer_count - 1].step, step, content, 0);
    for (uint32_t i = 0; i < version->reader_count; i++)
        add_flow(tracing, version->readers[i], step, content, 0);
}

/* Who gives a file another name needs whoever wrote it last, and is needed by who reads it by that
 * name. */
static void change_name(struct tracing *tracing, const struct fth_workflow_change *change)
{
    uint32_t content = content_of(tracing, change->file);
    struct version *version = &tracing->versions[content];
    if (change->kind == FTH_CHANGE_DELETE) {
        come_behind_users(tracing, content, change->step);
        tracing->graph->contents[content].deleted = true;
        tracing->contents[change->file] = 0;
        return;
    }
    if (version->writer_count)
        add_flow(tracing, version->writers[version->writer_count - 1].step, change->step, content,
                 0);
    add_flow(tracing, version->renamer, change->step, content, 0);
    version->renamer = change->step;
    tracing->contents[change->other] = content + 1;
    if (change->kind == FTH_CHANGE_RENAME) {
        tracing->graph->contents[content].file = change->other;
        tracing->contents[change->file] = 0;
    }
}

static bool others_wrote(const struct version *version, uint32_t step)
{
    for (uint32_t i = 0; i < version->writer_count; i++)
        if (version->writers[i].step != step)
            return true;
    return false;
}

static void write_to(struct tracing *tracing, const struct fth_workflow_use *use)
{
    uint32_t number = content_of(tracing, use->file);
    bool was_read = tracing->graph->contents[number].readers > 0;
    if (use->fresh && (was_read || others_wrote(&tracing->versions[number], use->step))) {
        come_behind_users(tracing, number, use->step);
        number = new_content(tracing, use->file);
    }
    struct fth_workflow_content *content = &tracing->graph->contents[number];
    struct version *version = &tracing->versions[number];
    bool same =
        version->writer_count && version->writers[version->writer_count - 1].step == use->step;
    content->writers += !same;
    if (content->writer == FTH_NO_STEP)
        content->writer = use->step;
    content->written += use->written;
    if (use->last_write > content->complete)
        content->complete = use->last_write;
    FTH_GROW(version->writers, version->writer_count);
    version->writers[version->writer_count++] =
        (struct writer){use->step,    use->written_from, use->written_to,
                        use->written, use->first_write,  use->last_write};
}

/* ---- reading ---- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Takes from the last writer to the first what each of them wrote of what is read. */
static void hold_against_writers(struct tracing *tracing, const struct fth_workflow_use *use,
                                 uint32_t content)
{
    const struct version *version = &tracing->versions[content];
    uint64_t from = use->read_from, to = use->read_to;
    uint32_t lowest =
        version->writer_count > MOST_WRITERS ? version->writer_count - MOST_WRITERS : 0;
    for (uint32_t i = version->writer_count; i-- > lowest && from < to;) {
        const struct writer *writer = &version->writers[i];
        bool own = writer->step == use->step;
        uint64_t begin = writer->from > from ? writer->from : from, end = least(writer->to, to);
        if (begin >= end || (own && writer->first > use->first_read))
            continue;
        add_flow(tracing, writer->step, use->step, content,
                 least(end - begin, least(use->read, writer->bytes)));
        bool vague = writer->to == UINT64_MAX; /* not all of that, maybe */
        if (!vague && begin == from)
            from = end;
        else if (!vague && end == to)
            to = begin;
    }
}

static void read_from(struct tracing *tracing, uint32_t number)
{
    const struct fth_workflow_use *use = &tracing->workflow->uses[number];
    uint32_t at = tracing->read_of[number];
    struct fth_workflow_content *content = &tracing->graph->contents[at];
    struct version *version = &tracing->versions[at];
    if (use->runs && !version->writer_count)
        return; /* a program that was there before */
    if (!version->reader_count || version->readers[version->reader_count - 1] != use->step) {
        FTH_GROW(version->readers, version->reader_count);
        version->readers[version->reader_count++] = use->step;
        content->readers++;
    }
    if (content->reader == FTH_NO_STEP)
        content->reader = use->step;
    content->read += use->read;
    if (content->first_read == FTH_NEVER || use->first_read < content->first_read)
        content->first_read = use->first_read;
    if (use->last_read > content->last_read)
        content->last_read = use->last_read;
    hold_against_writers(tracing, use, at);
    add_flow(tracing, version->renamer, use->step, at, 0);
}

/* ---- all moments ---- */

static int by_time(const void *one, const void *other)
{
    const struct moment *a = one, *b = other;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->kind != b->kind)
        return (int)a->kind - (int)b->kind;
    return (a->number > b->number) - (a->number < b->number);
}

static struct moment *all_moments(const struct fth_workflow *workflow, size_t *count)
{
    struct moment *moments = fth_new(
        (size_t)workflow->change_count + 3 * (size_t)workflow->use_count + 1, sizeof *moments);
    size_t made = 0;
    for (uint32_t i = 0; i < workflow->change_count; i++)
        moments[made++] = (struct moment){workflow->changes[i].time, CHANGE, i};
    for (uint32_t i = 0; i < workflow->use_count; i++) {
        const struct fth_workflow_use *use = &workflow->uses[i];
        if (use->first_write != FTH_NEVER)
            moments[made++] = (struct moment){use->first_write, WRITE, i};
        if (use->first_read != FTH_NEVER) {
            moments[made++] = (struct moment){use->first_read, READ, i};
            moments[made++] = (struct moment){use->last_read, READ_END, i};
        }
    }
    qsort(moments, made, sizeof *moments, by_time);
    *count = made;
    return moments;
}

static void go_through(struct tracing *tracing, const struct moment *moment)
{
    const struct fth_workflow *workflow = tracing->workflow;
    switch (moment->kind) {
    case CHANGE:
        change_name(tracing, &workflow->changes[moment->number]);
        break;
    case WRITE:
        write_to(tracing, &workflow->uses[moment->number]);
        break;
    case READ:
        tracing->read_of[moment->number] = content_of(tracing, workflow->uses[moment->number].file);
        break;
    case READ_END:
        read_from(tracing, moment->number);
        break;
    }
}

static void follow_data(struct fth_workflow_graph *graph)
{
    const struct fth_workflow *workflow = graph->workflow;
    size_t count;
    struct moment *moments = all_moments(workflow, &count);
    struct tracing tracing = {
        .workflow = workflow,
        .graph = graph,
        .contents = fth_new((size_t)workflow->files.count + 1, sizeof *tracing.contents),
        .read_of = fth_new((size_t)workflow->use_count + 1, sizeof *tracing.read_of),
    };
    for (size_t i = 0; i < count; i++)
        go_through(&tracing, &moments[i]);
    for (uint32_t i = 0; i < graph->content_count; i++) {
        free(tracing.versions[i].writers);
        free(tracing.versions[i].readers);
    }
    free(tracing.versions);
    free(tracing.contents);
    free(tracing.read_of);
    free(moments);
}

/* ---- edges ---- */

static int by_ends(const void *one, const void *other)
{
    const struct fth_workflow_flow *a = one, *b = other;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->content > b->content) - (a->content < b->content);
}

/* One for each step and content. */
static void join_flows(struct fth_workflow_graph *graph)
{
    uint32_t kept = 0;
    if (graph->flow_count)
        qsort(graph->flows, graph->flow_count, sizeof *graph->flows, by_ends);
    for (uint32_t i = 0; i < graph->flow_count; i++) {
        if (kept && !by_ends(&graph->flows[kept - 1], &graph->flows[i]))
            graph->flows[kept - 1].bytes += graph->flows[i].bytes;
        else
            graph->flows[kept++] = graph->flows[i];
    }
    graph->flow_count = kept;
}

static void add_edge(struct fth_workflow_graph *graph, uint32_t from, uint32_t to,
                     enum fth_workflow_edge_kind kind)
{
    const struct fth_workflow_step *steps = graph->workflow->steps;
    FTH_GROW(graph->edges, graph->edge_count);
    graph->edges[graph->edge_count++] = (struct fth_workflow_edge){
        .from = from, .to = to, .kind = kind, .streams = steps[from].end > steps[to].start};
}

static void add_data_edges(struct fth_workflow_graph *graph, uint32_t *flow, uint32_t to)
{
    for (; *flow < graph->flow_count && graph->flows[*flow].to == to; ++*flow) {
        const struct fth_workflow_flow *next = &graph->flows[*flow];
        bool joins = graph->edge_count && graph->edges[graph->edge_count - 1].to == to &&
                     graph->edges[graph->edge_count - 1].from == next->from;
        if (!joins) {
            add_edge(graph, next->from, to, FTH_EDGE_DATA);
            graph->edges[graph->edge_count - 1].first_flow = *flow;
        }
        graph->edges[graph->edge_count - 1].flow_count++;
        graph->edges[graph->edge_count - 1].bytes += next->bytes;
    }
}

/* Steps of one script, the first to end first. */
struct ending {
    uint32_t script, step;
    int64_t end;
};

static int by_script_and_end(const void *one, const void *other)
{
    const struct ending *a = one, *b = other;
    if (a->script != b->script)
        return a->script < b->script ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return (a->step > b->step) - (a->step < b->step);
}

/* The step of the same script that ended last before this one began; FTH_NO_STEP: none. */
static uint32_t one_before(const struct ending *endings, uint32_t count,
                           const struct fth_workflow_step *step)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct ending *ending = &endings[middle];
        bool is_before = ending->script < step->script ||
                         (ending->script == step->script && ending->end <= step->start);
        if (is_before)
            low = middle + 1;
        else
            high = middle;
    }
    return low && endings[low - 1].script == step->script ? endings[low - 1].step : FTH_NO_STEP;
}

static void make_edges(struct fth_workflow_graph *graph)
{
    const struct fth_workflow *workflow = graph->workflow;
    struct ending *endings = fth_new((size_t)workflow->step_count + 1, sizeof *endings);
    uint32_t flow = 0, ending_count = 0;
    for (uint32_t i = 0; i < workflow->step_count; i++)
        if (!workflow->steps[i].is_script)
            endings[ending_count++] =
                (struct ending){workflow->steps[i].script, i, workflow->steps[i].end};
    qsort(endings, ending_count, sizeof *endings, by_script_and_end);
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        graph->first_edge[i] = graph->edge_count;
        add_data_edges(graph, &flow, i);
        uint32_t before = workflow->steps[i].is_script
                              ? FTH_NO_STEP
                              : one_before(endings, ending_count, &workflow->steps[i]);
        if (before != FTH_NO_STEP && before != i)
            add_edge(graph, before, i, FTH_EDGE_ORDER);
    }
    graph->first_edge[workflow->step_count] = graph->edge_count;
    free(endings);
}

static void choose_shown(struct fth_workflow_graph *graph)
{
    for (uint32_t i = 0; i < graph->workflow->step_count; i++)
        graph->shown[i] = !graph->workflow->steps[i].is_script;
    for (uint32_t i = 0; i < graph->flow_count; i++)
        graph->shown[graph->flows[i].from] = graph->shown[graph->flows[i].to] = true;
}

/* ---- levels ---- */

enum visit { UNSEEN, OPEN, DONE };

/* The next step that this one has data from and whose level is not known yet; FTH_NO_STEP: there is
 * none. Data that goes in a circle (two programs that talk through two pipes) makes no level. */
static uint32_t next_unseen(const struct fth_workflow_graph *graph, uint32_t step,
                            const enum visit *visits, uint32_t *at)
{
    for (; *at < graph->first_edge[step + 1]; ++*at) {
        const struct fth_workflow_edge *edge = &graph->edges[*at];
        if (edge->kind == FTH_EDGE_DATA && visits[edge->from] == UNSEEN &&
            !graph->workflow->steps[edge->from].is_script)
            return edge->from;
    }
    return FTH_NO_STEP;
}

static void set_level(struct fth_workflow_graph *graph, uint32_t step, const enum visit *visits)
{
    for (uint32_t i = graph->first_edge[step]; i < graph->first_edge[step + 1]; i++) {
        const struct fth_workflow_edge *edge = &graph->edges[i];
        if (edge->kind == FTH_EDGE_DATA && visits[edge->from] == DONE &&
            !graph->workflow->steps[edge->from].is_script &&
            graph->level[edge->from] >= graph->level[step])
            graph->level[step] = graph->level[edge->from] + 1;
    }
}

/* Depth first, with a stack of its own: a chain may be as long as there are steps. */
static void set_levels(struct fth_workflow_graph *graph)
{
    uint32_t count = graph->workflow->step_count, depth;
    enum visit *visits = fth_new((size_t)count + 1, sizeof *visits);
    uint32_t *stack = fth_new((size_t)count + 1, sizeof *stack),
             *at = fth_new((size_t)count + 1, sizeof *at);
    for (uint32_t root = 0; root < count; root++) {
        if (visits[root] != UNSEEN || graph->workflow->steps[root].is_script)
            continue;
        stack[0] = root;
        for (depth = 1; depth;) {
            uint32_t step = stack[depth - 1];
            if (visits[step] == UNSEEN)
                at[step] = graph->first_edge[step];
            visits[step] = OPEN;
            uint32_t next = next_unseen(graph, step, visits, &at[step]);
            if (next != FTH_NO_STEP) {
                stack[depth++] = next;
                continue;
            }
            set_level(graph, step, visits);
            visits[step] = DONE;
            depth--;
        }
    }
    free(visits);
    free(stack);
    free(at);
}

void fth_workflow_graph_make(struct fth_workflow_graph *graph, const struct fth_workflow *workflow)
{
    size_t count = (size_t)workflow->step_count + 1;
    *graph = (struct fth_workflow_graph){
        .workflow = workflow,
        .first_edge = fth_new(count, sizeof *graph->first_edge),
        .level = fth_new(count, sizeof *graph->level),
        .shown = fth_new(count, sizeof *graph->shown),
    };
    follow_data(graph);
    join_flows(graph);
    make_edges(graph);
    choose_shown(graph);
    set_levels(graph);
}

void fth_workflow_graph_free(struct fth_workflow_graph *graph)
{
    free(graph->flows);
    free(graph->edges);
    free(graph->first_edge);
    free(graph->contents);
    free(graph->level);
    free(graph->shown);
    *graph = (struct fth_workflow_graph){0};
}
