#include "workflow/tell/workflow_tables.h"

#include "base/memory.h"
#include "workflow/tell/handover_table.h"
#include "workflow/tell/job_tables.h"
#include "workflow/tell/simulated_tables.h"
#include "workflow/tell/what_if_table.h"

#include <string.h>

static struct fth_table *new_table(const struct fth_shape *shape)
{
    struct fth_table *table = fth_table_new(shape);
    if (!table)
        fth_out_of_memory();
    return table;
}

static void put_integer(struct fth_table *table, size_t row, size_t column, uint64_t value)
{
    fth_table_set(table, row, column,
                  fth_cell_integer(value > INT64_MAX ? INT64_MAX : (int64_t)value));
}

/* ---- boxes: the graph as a table ---- */

enum box_column {
    B_LEVEL,
    B_BOX,
    B_STEPS,
    B_NEEDS,
    B_START,
    B_SPAN,
    B_RUNNING,
    B_LONGEST,
    B_IO,
    B_MESSAGES,
    B_READ,
    B_WRITTEN,
    B_FAILED
};
static const struct fth_column box_columns[] = {
    {"level", "level", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"program", "program", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"steps", "steps", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"needs", "reads from", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"start", "start", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"span", "lasted", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"running", "all steps", FTH_UNIT_TIME, FTH_SHOW_UNLESS_NULL},
    {"longest", "longest", FTH_UNIT_TIME, FTH_SHOW_UNLESS_NULL},
    {"io", "I/O", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"messages", "messages", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"failed", "failed", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
};
static const struct fth_shape box_shape = {
    "graph",
    "Steps, by how many others their data went through before; those of one program together",
    box_columns, sizeof box_columns / sizeof *box_columns, 0};

/* "seq, sort": the boxes that it has data from. */
static char *needs_of(const struct fth_workflow_boxes *boxes, uint32_t box)
{
    char *text = fth_text_copy("");
    for (uint32_t i = boxes->first_link[box]; i < boxes->first_link[box + 1]; i++) {
        const struct fth_workflow_link *link = &boxes->links[i];
        if (link->kind != FTH_EDGE_DATA)
            continue;
        char *label = fth_workflow_box_label(&boxes->boxes[link->from]),
             *longer = fth_text_format("%s%s%s", text, *text ? ", " : "", label);
        free(label);
        free(text);
        text = longer;
    }
    return text;
}

static struct fth_table *box_table(const struct fth_workflow_facts *facts)
{
    const struct fth_workflow_boxes *boxes = &facts->boxes;
    struct fth_table *table = new_table(&box_shape);
    for (uint32_t i = 0; i < boxes->box_count; i++) {
        const struct fth_workflow_box *box = &boxes->boxes[i];
        size_t row = fth_table_add_row(table);
        char *needs = needs_of(boxes, i);
        put_integer(table, row, B_LEVEL, box->level);
        fth_table_set(table, row, B_BOX, fth_cell_text(box->program));
        put_integer(table, row, B_STEPS, box->step_count);
        fth_table_set(table, row, B_NEEDS, fth_cell_text(*needs ? needs : NULL));
        fth_table_set(table, row, B_START, fth_cell_integer(box->start - facts->schedule.start));
        fth_table_set(table, row, B_SPAN, fth_cell_integer(box->end - box->start));
        bool is_one = box->step_count == 1;
        fth_table_set(table, row, B_RUNNING,
                      is_one ? fth_cell_null() : fth_cell_integer(box->running));
        fth_table_set(table, row, B_LONGEST,
                      is_one ? fth_cell_null() : fth_cell_integer(box->longest));
        fth_table_set(table, row, B_IO, fth_cell_integer(box->io));
        fth_table_set(table, row, B_MESSAGES, fth_cell_integer(box->messages));
        put_integer(table, row, B_READ, box->read);
        put_integer(table, row, B_WRITTEN, box->written);
        put_integer(table, row, B_FAILED, box->failed);
        free(needs);
    }
    return table;
}

/* ---- the critical path ---- */

enum path_column {
    P_STEP,
    P_COMMAND,
    P_JOB,
    P_AFTER,
    P_WAITED,
    P_QUEUED,
    P_START,
    P_HELD,
    P_SHARE
};
static const struct fth_column path_columns[] = {
    {"step", "step", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"command", "command", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"job", "job", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"after", "comes after", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"waited", "no step ran", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"queued", "in the queue", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"start", "from", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"held", "held the end for", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"share", "share", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape path_shape = {
    "critical_path", "Critical path: what the end of the workflow depended on", path_columns,
    sizeof path_columns / sizeof *path_columns, 0};

/* "its data" or "its end": what the step before it on the path was needed for. */
static const char *after_text(const struct fth_workflow_held *held)
{
    return held->before == FTH_NO_STEP                      ? NULL
           : held->full_pipe                                ? "room in a pipe to the one above"
           : held->kind == FTH_EDGE_DATA && !held->only_end ? "data of the one above"
           : held->kind == FTH_EDGE_JOB                     ? "the job of the one above"
                                                            : "the end of the one above";
}

static struct fth_table *path_table(const struct fth_workflow_facts *facts)
{
    const struct fth_workflow_schedule *schedule = &facts->schedule;
    struct fth_table *table = new_table(&path_shape);
    double whole = (double)(schedule->end - schedule->start);
    for (uint32_t i = 0; i < schedule->held_count; i++) {
        const struct fth_workflow_held *held = &schedule->held[i];
        const struct fth_workflow_step *step = &facts->workflow->steps[held->step];
        size_t row = fth_table_add_row(table);
        put_integer(table, row, P_STEP, held->step);
        fth_table_set(table, row, P_COMMAND, fth_cell_text(step->command));
        fth_table_set(table, row, P_JOB, fth_cell_text(step->job));
        fth_table_set(table, row, P_AFTER, fth_cell_text(after_text(held)));
        fth_table_set(table, row, P_WAITED, fth_cell_integer(held->waited));
        fth_table_set(table, row, P_QUEUED, fth_cell_integer(held->queued));
        fth_table_set(table, row, P_START, fth_cell_integer(held->from - schedule->start));
        fth_table_set(table, row, P_HELD, fth_cell_integer(held->to - held->from));
        fth_table_set(table, row, P_SHARE,
                      fth_cell_real(whole > 0 ? 100 * (double)(held->to - held->from) / whole : 0));
    }
    return table;
}

/* ---- the critical path by programs ---- */

enum program_column { R_PROGRAM, R_STEPS, R_HELD, R_SHARE, R_WAITED };
static const struct fth_column program_columns[] = {
    {"program", "program", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"steps", "steps on it", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"held", "held the end for", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"share", "share", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"waited", "no step ran before", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
};
static const struct fth_shape program_shape = {
    "critical_programs", "Critical path by program: what the end of the workflow depended on",
    program_columns, sizeof program_columns / sizeof *program_columns, 1};

static struct fth_table *program_table(const struct fth_workflow_facts *facts)
{
    static const size_t by_held[] = {R_HELD};
    const struct fth_workflow_schedule *schedule = &facts->schedule;
    struct fth_table *table = new_table(&program_shape);
    double whole = (double)(schedule->end - schedule->start);
    for (uint32_t i = 0; i < schedule->held_count; i++) {
        const struct fth_workflow_held *held = &schedule->held[i];
        const struct fth_cell key = fth_cell_text(facts->workflow->steps[held->step].program);
        size_t row = fth_table_group(table, &key);
        fth_table_increase(table, row, R_STEPS, 1);
        fth_table_increase(table, row, R_HELD, (uint64_t)(held->to - held->from));
        fth_table_increase(table, row, R_WAITED, (uint64_t)held->waited);
    }
    for (size_t row = 0; row < fth_table_rows(table); row++)
        fth_table_set(
            table, row, R_SHARE,
            fth_cell_real(
                whole > 0 ? 100 * (double)fth_table_row(table, row)[R_HELD].integer / whole : 0));
    fth_table_sort_by_sum(table, by_held, 1);
    return table;
}

/* ---- steps ---- */

enum step_column {
    S_STEP,
    S_PROGRAM,
    S_COMMAND,
    S_JOB,
    S_HOST,
    S_TRACE,
    S_PROC,
    S_SCRIPT,
    S_LEVEL,
    S_START,
    S_LENGTH,
    S_PROCESSES,
    S_RANKS,
    S_CALLS,
    S_IO,
    S_MESSAGES,
    S_WAITING,
    S_OWN,
    S_ENDED
};
static const struct fth_column step_columns[] = {
    {"step", "step", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"program", "program", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"command", "command", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"job", "job", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"host", "host", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
    {"trace", "trace", FTH_UNIT_PATH, FTH_SHOW_UNLESS_SAME},
    {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"script", "started by", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_SAME},
    {"level", "level", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"start", "start", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"duration", "lasted", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"processes", "processes", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_SAME},
    {"ranks", "ranks", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"io", "I/O", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"messages", "messages", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"waiting", "waiting", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"own", "its own", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"ended", "ended", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
};
static const struct fth_shape step_shape = {"steps", "Steps", step_columns,
                                            sizeof step_columns / sizeof *step_columns, 0};

static struct fth_table *step_table(const struct fth_workflow_facts *facts)
{
    const struct fth_workflow *workflow = facts->workflow;
    struct fth_table *table = new_table(&step_shape);
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        const struct fth_workflow_step *step = &workflow->steps[i];
        if (!facts->graph.shown[i])
            continue;
        size_t row = fth_table_add_row(table);
        bool scripted = step->script != FTH_NO_STEP;
        put_integer(table, row, S_STEP, i);
        fth_table_set(table, row, S_PROGRAM, fth_cell_text(step->program));
        fth_table_set(table, row, S_COMMAND, fth_cell_text(step->command));
        fth_table_set(table, row, S_JOB, fth_cell_text(step->job));
        fth_table_set(table, row, S_HOST, fth_cell_text(step->host));
        fth_table_set(table, row, S_TRACE, fth_cell_text(step->trace));
        put_integer(table, row, S_PROC, step->proc);
        fth_table_set(table, row, S_SCRIPT,
                      scripted ? fth_cell_integer((int64_t)step->script) : fth_cell_null());
        put_integer(table, row, S_LEVEL, facts->graph.level[i]);
        fth_table_set(table, row, S_START, fth_cell_integer(step->start - facts->schedule.start));
        fth_table_set(table, row, S_LENGTH, fth_cell_integer(step->end - step->start));
        put_integer(table, row, S_PROCESSES, step->processes);
        put_integer(table, row, S_RANKS, step->ranks);
        put_integer(table, row, S_CALLS, step->calls);
        fth_table_set(table, row, S_IO, fth_cell_integer(step->io));
        fth_table_set(table, row, S_MESSAGES, fth_cell_integer(step->messages));
        fth_table_set(table, row, S_WAITING, fth_cell_integer(step->waiting));
        fth_table_set(table, row, S_OWN,
                      step->unknown ? fth_cell_null() : fth_cell_integer(step->own));
        fth_table_set(table, row, S_ENDED, fth_cell_text(step->ended));
    }
    return table;
}

/* ---- edges ---- */

enum edge_column {
    E_FROM,
    E_TO,
    E_KIND,
    E_FROM_PROGRAM,
    E_TO_PROGRAM,
    E_FILES,
    E_FILE,
    E_BYTES,
    E_STREAMS
};
static const struct fth_column edge_columns[] = {
    {"from", "from", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"to", "to", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"kind", "because of", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"from_program", "program", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"to_program", "program", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"files", "files", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"file", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"bytes", "bytes", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"streams", "while both run", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
};
static const struct fth_shape edge_shape = {
    "edges", "What steps have from one another; bytes are those that were read, at most",
    edge_columns, sizeof edge_columns / sizeof *edge_columns, 0};

static struct fth_table *edge_table(const struct fth_workflow_facts *facts)
{
    const struct fth_workflow_graph *graph = &facts->graph;
    const struct fth_workflow_step *steps = facts->workflow->steps;
    struct fth_table *table = new_table(&edge_shape);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct fth_workflow_edge *edge = &graph->edges[i];
        bool data = edge->kind == FTH_EDGE_DATA;
        size_t row = fth_table_add_row(table);
        put_integer(table, row, E_FROM, edge->from);
        put_integer(table, row, E_TO, edge->to);
        fth_table_set(table, row, E_KIND, fth_cell_text(fth_workflow_edge_word(edge->kind)));
        fth_table_set(table, row, E_FROM_PROGRAM, fth_cell_text(steps[edge->from].program));
        fth_table_set(table, row, E_TO_PROGRAM, fth_cell_text(steps[edge->to].program));
        put_integer(table, row, E_FILES, edge->flow_count);
        if (data)
            fth_table_set(
                table, row, E_FILE,
                fth_cell_text(fth_workflow_shown_file(
                    facts, graph->contents[graph->flows[edge->first_flow].content].file)));
        put_integer(table, row, E_BYTES, edge->bytes);
        put_integer(table, row, E_STREAMS, edge->streams);
    }
    return table;
}

/* ---- files ---- */

enum file_column {
    F_FILE,
    F_ROLE,
    F_WRITERS,
    F_WRITER,
    F_READERS,
    F_READER,
    F_WRITTEN,
    F_READ,
    F_DELETED,
    F_ENOUGH
};
static const struct fth_column file_columns[] = {
    {"file", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"role", "is", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"writers", "writers", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"writer", "first step", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"readers", "readers", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"reader", "first step", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"deleted", "deleted", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"enough", "enough between steps", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
};
static const struct fth_shape file_shape = {
    "files", "Files that steps hand on, need from elsewhere, or leave behind", file_columns,
    sizeof file_columns / sizeof *file_columns, 0};

/* Only its writer reads it: it is no matter of others. */
static bool is_private(const struct fth_workflow_content *content)
{
    return content->writers == 1 && content->readers <= 1 &&
           (content->reader == FTH_NO_STEP || content->reader == content->writer);
}

static const char *role_of(const struct fth_workflow_content *content)
{
    if (content->pipe)
        return "pipe";
    if (!content->writers)
        return "input";
    if (is_private(content))
        return content->deleted ? "scratch" : "product";
    return content->readers ? "handed on" : content->deleted ? "scratch" : "product";
}

static int rank_of(const struct fth_workflow_content *content)
{
    static const char *const order[] = {"handed on", "pipe", "product", "input", "scratch"};
    int rank = 0;
    while (strcmp(order[rank], role_of(content)) != 0)
        rank++;
    return rank;
}

static int by_role_and_bytes(const void *one, const void *other)
{
    const struct fth_workflow_content *a = *(const struct fth_workflow_content *const *)one,
                                      *b = *(const struct fth_workflow_content *const *)other;
    uint64_t mine = a->read + a->written, its = b->read + b->written;
    if (rank_of(a) != rank_of(b))
        return rank_of(a) - rank_of(b);
    if (mine != its)
        return mine > its ? -1 : 1;
    return (a->file > b->file) - (a->file < b->file);
}

static struct fth_table *file_table(const struct fth_workflow_facts *facts)
{
    const struct fth_workflow_graph *graph = &facts->graph;
    struct fth_table *table = new_table(&file_shape);
    const struct fth_workflow_content **list =
        fth_new((size_t)graph->content_count + 1, sizeof *list);
    size_t count = 0;
    struct fth_handover_sum sum;
    const char **models = fth_handover_models(facts, &sum);
    for (uint32_t i = 0; i < graph->content_count; i++)
        if (graph->contents[i].writers || graph->contents[i].readers)
            list[count++] = &graph->contents[i];
    qsort(list, count, sizeof(struct fth_workflow_content *), by_role_and_bytes);
    for (size_t i = 0; i < count; i++) {
        const struct fth_workflow_content *content = list[i];
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, F_FILE,
                      fth_cell_text(fth_workflow_shown_file(facts, content->file)));
        fth_table_set(table, row, F_ROLE, fth_cell_text(role_of(content)));
        put_integer(table, row, F_WRITERS, content->writers);
        put_integer(table, row, F_READERS, content->readers);
        if (content->writer != FTH_NO_STEP)
            put_integer(table, row, F_WRITER, content->writer);
        if (content->reader != FTH_NO_STEP)
            put_integer(table, row, F_READER, content->reader);
        put_integer(table, row, F_WRITTEN, content->written);
        put_integer(table, row, F_READ, content->read);
        put_integer(table, row, F_DELETED, content->deleted);
        fth_table_set(table, row, F_ENOUGH, fth_cell_text(models[content - graph->contents]));
    }
    free(models);
    free(list);
    return table;
}

void fth_workflow_tables(const struct fth_workflow_facts *facts, struct fth_results *results)
{
    fth_results_add(results, box_table(facts));
    fth_results_add(results, program_table(facts));
    fth_results_add(results, path_table(facts));
    fth_results_add(results, step_table(facts));
    fth_results_add(results, edge_table(facts));
    fth_results_add(results, file_table(facts));
    fth_results_add(results, fth_workflow_job_table(facts));
    fth_results_add(results, fth_workflow_handover_table(facts));
    fth_results_add(results, fth_workflow_what_if_table(facts));
    fth_workflow_simulated_tables(facts, results);
}
