#include "workflow/gather/step_uses.h"

#include "base/keyed.h"
#include "base/memory.h"
#include "base/saturating.h"
#include "workflow/gather/file_uses.h"
#include "workflow/gather/pipe_ends.h"

#include <fathom/files.h>
#include <string.h>

static uint32_t file_number(struct fth_gathered_trace *gathering, const struct fth_cell *path,
                            const struct fth_cell *host, uint32_t step)
{
    const char *node = host->type == FTH_CELL_TEXT ? host->text : NULL;
    bool pipe = !strncmp(path->text, "pipe:", 5);
    char *name = pipe ? fth_text_format("%s@%s", path->text, gathering->workflow->steps[step].host)
                 : node ? fth_text_format("%s:%s", node, path->text)
                        : fth_text_copy(path->text);
    uint32_t number = fth_workflow_file_number(gathering->workflow, name);
    free(name);
    return number;
}

/* The number of the file of this path, as process `proc` has it. */
static uint32_t number_of_path(struct fth_gathered_trace *gathering, uint32_t proc,
                               const char *text)
{
    const struct fth_process *process = fth_trace_process(gathering->trace, proc);
    struct fth_file place;
    bool placed = fth_trace_file(gathering->trace, proc, text, &place);
    bool local = placed && place.system->scope == FTH_SCOPE_NODE;
    const struct fth_cell path = fth_cell_text(text),
                          host = fth_cell_text(local ? process->host : NULL);
    return file_number(gathering, &path, &host, gathering->owners[proc]);
}

static int64_t moment(const struct fth_gathered_trace *gathering, const struct fth_cell *cell)
{
    return cell->type == FTH_CELL_INTEGER ? fth_saturating_sum(gathering->epoch, cell->integer)
                                          : FTH_NEVER;
}

static uint64_t number_or(const struct fth_cell *cell, uint64_t otherwise)
{
    return cell->type == FTH_CELL_INTEGER ? (uint64_t)cell->integer : otherwise;
}

struct opening_key {
    uint32_t process, file;
};

/* When files of a process were opened or closed: of several times the last one. */
struct times {
    struct fth_keyed opened, closed; /* of int64_t */
};

/* Did it read or write nothing? Then the row says when it was opened for the program that took the
 * place of this one. */
static bool is_opening(const struct fth_cell *cells)
{
    return cells[FTH_USE_FIRST_READ].type == FTH_CELL_NULL &&
           cells[FTH_USE_FIRST_WRITE].type == FTH_CELL_NULL;
}

static struct opening_key key_of(struct fth_gathered_trace *gathering, const struct fth_cell *cells)
{
    size_t proc = (size_t)cells[FTH_USE_PROC].integer;
    return (struct opening_key){gathering->processes[proc],
                                file_number(gathering, &cells[FTH_USE_PATH], &cells[FTH_USE_HOST],
                                            gathering->owners[proc])};
}

static void note_openings(struct fth_gathered_trace *gathering, const struct fth_table *table,
                          struct times *times)
{
    for (size_t row = 0; row < fth_table_rows(table); row++) {
        const struct fth_cell *cells = fth_table_row(table, row);
        if (!is_opening(cells))
            continue;
        const struct opening_key key = key_of(gathering, cells);
        *(int64_t *)fth_keyed_get(&times->opened, &key, sizeof key) =
            moment(gathering, &cells[FTH_USE_OPENED]);
    }
}

static void note_closings(struct fth_gathered_trace *gathering,
                          const struct fth_process_starts *tree, struct times *times)
{
    for (uint32_t i = 0; i < tree->closing_count; i++) {
        const struct fth_process_closing *closing = &tree->closings[i];
        const struct opening_key key = {gathering->processes[closing->proc],
                                        number_of_path(gathering, closing->proc, closing->path)};
        int64_t *time = fth_keyed_get(&times->closed, &key, sizeof key);
        int64_t closed = fth_saturating_sum(gathering->epoch, closing->time);
        *time = closed > *time ? closed : *time;
    }
}

/* That of the row, or if there is none or an earlier one that of the list. */
static int64_t last_time(const struct fth_gathered_trace *gathering, const struct fth_cell *cell,
                         const struct fth_keyed *list, const struct opening_key *key)
{
    int64_t own = moment(gathering, cell);
    uint32_t at;
    if (!fth_keyed_number(list, key, sizeof *key, &at))
        return own;
    int64_t listed = *(const int64_t *)fth_keyed_item(list, at);
    return listed > own ? listed : own;
}

/* What the process opened itself counts before what the program before in it had opened. */
static int64_t opened(const struct fth_gathered_trace *gathering, const struct fth_cell *cell,
                      const struct times *times, const struct opening_key *key)
{
    return cell->type == FTH_CELL_NULL ? last_time(gathering, cell, &times->opened, key)
                                       : moment(gathering, cell);
}

static void add_uses(struct fth_gathered_trace *gathering, const struct fth_table *table,
                     const struct fth_process_starts *tree)
{
    struct times times = {{.size = sizeof(int64_t)}, {.size = sizeof(int64_t)}};
    note_openings(gathering, table, &times);
    note_closings(gathering, tree, &times);
    for (size_t row = 0; row < fth_table_rows(table); row++) {
        const struct fth_cell *cells = fth_table_row(table, row);
        if (is_opening(cells))
            continue;
        const struct opening_key key = key_of(gathering, cells);
        const struct fth_workflow_use use = {
            .step = gathering->owners[cells[FTH_USE_PROC].integer],
            .file = key.file,
            .process = key.process,
            .opened = opened(gathering, &cells[FTH_USE_OPENED], &times, &key),
            .closed = last_time(gathering, &cells[FTH_USE_CLOSED], &times.closed, &key),
            .first_read = moment(gathering, &cells[FTH_USE_FIRST_READ]),
            .last_read = moment(gathering, &cells[FTH_USE_LAST_READ]),
            .read = number_or(&cells[FTH_USE_READ], 0),
            .read_from = number_or(&cells[FTH_USE_READ_FROM], 0),
            .read_to = number_or(&cells[FTH_USE_READ_TO], UINT64_MAX),
            .first_write = moment(gathering, &cells[FTH_USE_FIRST_WRITE]),
            .last_write = moment(gathering, &cells[FTH_USE_LAST_WRITE]),
            .written = number_or(&cells[FTH_USE_WRITTEN], 0),
            .written_from = number_or(&cells[FTH_USE_WRITTEN_FROM], 0),
            .written_to = number_or(&cells[FTH_USE_WRITTEN_TO], UINT64_MAX),
            .fresh = cells[FTH_USE_FRESH].integer != 0,
            .reading = cells[FTH_USE_READING].integer,
            .writing = cells[FTH_USE_WRITING].integer,
        };
        fth_workflow_add_use(gathering->workflow, &use);
    }
    fth_keyed_free(&times.opened);
    fth_keyed_free(&times.closed);
}

static enum fth_workflow_change_kind kind_of(const char *word)
{
    return !strcmp(word, "renamed")   ? FTH_CHANGE_RENAME
           : !strcmp(word, "linked")  ? FTH_CHANGE_LINK
           : !strcmp(word, "pointed") ? FTH_CHANGE_POINT
                                      : FTH_CHANGE_DELETE;
}

/* Two names are exchanged as by three renames, by way of a third name. */
static void add_swap(struct fth_workflow *workflow, struct fth_workflow_change change)
{
    const uint32_t one = change.file, other = change.other;
    char *name = fth_text_format("%s (exchanged)", fth_workflow_file(workflow, one));
    const uint32_t between = fth_workflow_file_number(workflow, name);
    const uint32_t steps[][2] = {{one, between}, {other, one}, {between, other}};
    for (size_t i = 0; i < 3; i++) {
        change.file = steps[i][0];
        change.other = steps[i][1];
        fth_workflow_add_change(workflow, &change);
    }
    free(name);
}

static void add_changes(struct fth_gathered_trace *gathering, const struct fth_table *table,
                        const struct fth_process_starts *tree)
{
    for (size_t row = 0; row < fth_table_rows(table); row++) {
        const struct fth_cell *cells = fth_table_row(table, row);
        uint32_t step = gathering->owners[cells[FTH_CHANGE_PROC].integer];
        struct fth_workflow_change change = {
            .kind = kind_of(cells[FTH_CHANGE_KIND].text),
            .step = step,
            .file = file_number(gathering, &cells[FTH_CHANGE_PATH], &cells[FTH_CHANGE_HOST], step),
            .time = moment(gathering, &cells[FTH_CHANGE_TIME]),
        };
        const struct fth_name_swap swap = {(uint64_t)cells[FTH_CHANGE_PROC].integer,
                                           cells[FTH_CHANGE_TIME].integer};
        if (fth_workflow_has_other(change.kind))
            change.other =
                file_number(gathering, &cells[FTH_CHANGE_TO], &cells[FTH_CHANGE_TO_HOST], step);
        if (change.kind == FTH_CHANGE_RENAME && change.file != change.other &&
            fth_keyed_has(&tree->swaps, &swap, sizeof swap))
            add_swap(gathering->workflow, change);
        else
            fth_workflow_add_change(gathering->workflow, &change);
    }
}

/* A program that an earlier step made is one of the files that this step needs. */
static void add_programs(struct fth_gathered_trace *gathering)
{
    for (uint32_t proc = 0; proc < fth_trace_process_count(gathering->trace); proc++) {
        const struct fth_process *process = fth_trace_process(gathering->trace, proc);
        uint32_t step = gathering->owners[proc], file;
        if (process->executable[0] != '/')
            continue;
        file = number_of_path(gathering, proc, process->executable);
        int64_t start = fth_saturating_sum(gathering->epoch, process->start);
        fth_workflow_add_use(gathering->workflow,
                             &(struct fth_workflow_use){.step = step,
                                                        .file = file,
                                                        .process = gathering->processes[proc],
                                                        .opened = start,
                                                        .closed = FTH_NEVER,
                                                        .first_read = start,
                                                        .last_read = start,
                                                        .read_to = UINT64_MAX,
                                                        .first_write = FTH_NEVER,
                                                        .last_write = FTH_NEVER,
                                                        .runs = true});
    }
}

static void add_times(struct fth_gathered_trace *gathering, const struct fth_table *table)
{
    size_t proc = fth_table_column(table, "proc"), io = fth_table_column(table, "io"),
           messages = fth_table_column(table, "messages"),
           waiting = fth_table_column(table, "waiting"), other = fth_table_column(table, "other"),
           own = fth_table_column(table, "own"), unknown = fth_table_column(table, "unknown");
    for (size_t row = 0; row < fth_table_rows(table); row++) {
        const struct fth_cell *cells = fth_table_row(table, row);
        struct fth_workflow_step *step =
            &gathering->workflow->steps[gathering->owners[cells[proc].integer]];
        FTH_ADD_SATURATING(step->io, (int64_t)number_or(&cells[io], 0));
        FTH_ADD_SATURATING(step->messages, (int64_t)number_or(&cells[messages], 0));
        FTH_ADD_SATURATING(step->waiting, (int64_t)number_or(&cells[waiting], 0));
        FTH_ADD_SATURATING(step->other, (int64_t)number_or(&cells[other], 0));
        FTH_ADD_SATURATING(step->own, (int64_t)number_or(&cells[own], 0));
        FTH_ADD_SATURATING(step->unknown, (int64_t)number_or(&cells[unknown], 0));
    }
}

void fth_step_uses_add(struct fth_gathered_trace *gathering, const struct fth_results *results,
                       const struct fth_process_starts *tree)
{
    for (size_t i = 0; i < results->table_count; i++) {
        const struct fth_table *table = results->tables[i];
        const char *name = fth_table_shape(table)->name;
        if (!strcmp(name, "file_uses")) {
            add_uses(gathering, table, tree);
            fth_pipe_ends_note(gathering, table, &tree->pipes);
        } else if (!strcmp(name, "name_changes")) {
            add_changes(gathering, table, tree);
        } else if (!strcmp(name, "time_by_process")) {
            add_times(gathering, table);
        }
    }
    add_programs(gathering);
}
