/* The tree of processes as a table. Of many processes that are alike the first few are shown and
 * the others are counted: a run of a thousand ranks fits on a screen. */
#include "base/memory.h"
#include "views/pages/info_page.h"
#include "views/output/display_text.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SHOWN_OF_ALIKE 4
#define DEEPEST_INDENT 24
#define NONE SIZE_MAX

enum column { PROGRAM, PROC, PID, WORLD, RANK, HOST, THREADS, TIME, CALLS, EXCLUDED, LOST, ENDED };
static const struct fth_column columns[] = {
    [PROGRAM] = {"program", "program", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [PROC] = {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [PID] = {"pid", "pid", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [WORLD] = {"world", "world", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_SAME},
    [RANK] = {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    [HOST] = {"host", "host", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
    [THREADS] = {"threads", "threads", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [TIME] = {"time", "lasted", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    [CALLS] = {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [EXCLUDED] = {"excluded", "excluded", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    [LOST] = {"lost", "lost", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    [ENDED] = {"how_ended", "ended", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"processes", "Processes", columns,
                                       sizeof columns / sizeof *columns, 0};

struct node {
    size_t parent, first_child, last_child, next;
    size_t depth;
};

struct tree {
    const struct fth_trace *trace;
    struct node *nodes;
    size_t first_root, last_root;
    bool all, unicode;
    struct fth_table *table;
};

/* A parent comes before its children (they are numbered in order of start), so a walk along parents
 * ends. */
static void link_nodes(struct tree *tree)
{
    size_t count = fth_trace_process_count(tree->trace);
    tree->first_root = tree->last_root = NONE;
    for (size_t proc = 0; proc < count; proc++) {
        int64_t parent = fth_trace_process(tree->trace, proc)->parent_proc;
        struct node *node = &tree->nodes[proc];
        *node = (struct node){NONE, NONE, NONE, NONE, 0};
        if (parent >= 0 && (size_t)parent < proc) {
            node->parent = (size_t)parent;
            node->depth = tree->nodes[parent].depth + 1;
        }
        size_t *first =
            node->parent == NONE ? &tree->first_root : &tree->nodes[node->parent].first_child;
        size_t *last =
            node->parent == NONE ? &tree->last_root : &tree->nodes[node->parent].last_child;
        if (*first == NONE)
            *first = proc;
        else
            tree->nodes[*last].next = proc;
        *last = proc;
    }
}

/* The lines that lead to a node: "│  ├─ ". */
static void put_branches(struct fth_sink *sink, const struct tree *tree, size_t proc, bool last)
{
    size_t depth = tree->nodes[proc].depth;
    size_t first = depth > DEEPEST_INDENT ? depth - DEEPEST_INDENT : 0;
    for (size_t level = first + 1; level < depth; level++) {
        size_t at = proc;
        while (tree->nodes[at].depth > level)
            at = tree->nodes[at].parent;
        bool more = tree->nodes[at].next != NONE;
        fth_sink_text(sink, !more ? "   " : tree->unicode ? "│  " : "|  ");
    }
    if (depth)
        fth_sink_text(sink, tree->unicode ? (last ? "└─ " : "├─ ") : (last ? "`- " : "|- "));
}

static void put_command(struct fth_sink *sink, const struct fth_process *process)
{
    for (size_t i = 0; i < process->argument_count; i++) {
        fth_sink_text(sink, i ? " " : "");
        fth_views_put_argument(sink, process->arguments[i]);
    }
    if (!process->argument_count)
        fth_sink_text(sink, process->executable ? process->executable : "?");
    if (process->launcher)
        fth_sink_text(sink, " (launcher)");
}

static void set_label(struct tree *tree, size_t row, struct fth_sink *label)
{
    fth_sink_char(label, 0);
    fth_table_set(tree->table, row, PROGRAM, fth_cell_text(label->failed ? "?" : label->bytes));
    fth_sink_close_memory(label);
}

/* A killed process at least until its last call, and until somebody knew of its end. */
static int64_t lasted(const struct fth_process *process)
{
    int64_t end = process->reaped > process->end ? process->reaped : process->end;
    return end - process->start;
}

static void add_process(struct tree *tree, size_t proc)
{
    const struct fth_process *process = fth_trace_process(tree->trace, proc);
    struct fth_sink label;
    fth_sink_open_memory(&label);
    put_branches(&label, tree, proc, tree->nodes[proc].next == NONE);
    put_command(&label, process);

    struct fth_table *table = tree->table;
    size_t row = fth_table_add_row(table);
    set_label(tree, row, &label);
    fth_table_set(table, row, PROC, fth_cell_integer((int64_t)proc));
    fth_table_set(table, row, PID, fth_cell_integer(process->pid));
    if (process->rank != FTH_NO_RANK) {
        fth_table_set(table, row, WORLD, fth_cell_integer(process->world));
        fth_table_set(table, row, RANK, fth_cell_integer(process->rank));
    }
    fth_table_set(table, row, HOST, fth_cell_text(process->host));
    fth_table_set(table, row, THREADS, fth_cell_integer((int64_t)process->thread_count));
    fth_table_set(table, row, TIME, fth_cell_integer(lasted(process)));
    fth_table_set(table, row, CALLS, fth_cell_integer((int64_t)process->calls));
    fth_table_set(table, row, EXCLUDED, fth_cell_integer((int64_t)process->excluded));
    fth_table_set(table, row, LOST, fth_cell_integer((int64_t)process->lost));
    fth_table_set(table, row, ENDED, fth_cell_text(process->how_ended));
}

static bool is_alike(const struct tree *tree, size_t a, size_t b)
{
    const struct fth_process *x = fth_trace_process(tree->trace, a);
    const struct fth_process *y = fth_trace_process(tree->trace, b);
    return tree->nodes[a].first_child == NONE && tree->nodes[b].first_child == NONE &&
           x->launcher == y->launcher && (x->rank == FTH_NO_RANK) == (y->rank == FTH_NO_RANK) &&
           fth_text_same(x->executable, y->executable) && fth_text_same(x->how_ended, y->how_ended);
}

/* Adds one row for `count` processes from `proc` on along `next`; returns the last of them. */
static size_t add_folded(struct tree *tree, size_t proc, size_t count)
{
    struct fth_table *table = tree->table;
    size_t row = fth_table_add_row(table), last = proc;
    int64_t low = FTH_NO_RANK, high = FTH_NO_RANK;
    for (size_t i = 0; i < count; i++) {
        last = i ? tree->nodes[last].next : proc;
        const struct fth_process *process = fth_trace_process(tree->trace, last);
        fth_table_increase(table, row, CALLS, process->calls);
        fth_table_increase(table, row, EXCLUDED, process->excluded);
        fth_table_increase(table, row, LOST, process->lost);
        low = !i || process->rank < low ? process->rank : low;
        high = process->rank > high ? process->rank : high;
    }
    struct fth_sink label;
    fth_sink_open_memory(&label);
    put_branches(&label, tree, last, tree->nodes[last].next == NONE);
    char text[128];
    int length = snprintf(text, sizeof text, "%s %s more like this", tree->unicode ? "…" : "...",
                          fth_phrase_count((int64_t)count).text);
    if (high != FTH_NO_RANK)
        snprintf(text + length, sizeof text - (size_t)length, " (ranks %" PRId64 " to %" PRId64 ")",
                 low, high);
    fth_sink_text(&label, text);
    set_label(tree, row, &label);
    fth_table_set(table, row, ENDED,
                  fth_cell_text(fth_trace_process(tree->trace, proc)->how_ended));
    return last;
}

/* The neighbours after `proc` that are like it. */
static size_t count_alike(const struct tree *tree, size_t proc)
{
    size_t count = 0;
    for (size_t at = tree->nodes[proc].next; at != NONE && is_alike(tree, proc, at);
         at = tree->nodes[at].next)
        count++;
    return count;
}

/* Adds `proc` and, when it opens a long row of processes like it, these too; returns the last that
 * was added. */
static size_t add_alike(struct tree *tree, size_t proc)
{
    size_t alike = tree->all ? 0 : count_alike(tree, proc);
    add_process(tree, proc);
    if (alike <= SHOWN_OF_ALIKE)
        return proc;
    for (size_t i = 1; i < SHOWN_OF_ALIKE; i++) {
        proc = tree->nodes[proc].next;
        add_process(tree, proc);
    }
    return add_folded(tree, tree->nodes[proc].next, alike + 1 - SHOWN_OF_ALIKE);
}

/* Parents before children, without recursion: a chain of exec may be long. */
static void add_all(struct tree *tree)
{
    for (size_t at = tree->first_root; at != NONE;) {
        at = add_alike(tree, at);
        if (tree->nodes[at].first_child != NONE) {
            at = tree->nodes[at].first_child;
            continue;
        }
        while (at != NONE && tree->nodes[at].next == NONE)
            at = tree->nodes[at].parent;
        if (at != NONE)
            at = tree->nodes[at].next;
    }
}

struct fth_table *fth_views_process_tree(const struct fth_trace *trace, bool all, bool unicode)
{
    struct tree tree = {.trace = trace, .all = all, .unicode = unicode};
    size_t count = fth_trace_process_count(trace);
    tree.nodes = fth_new(count ? count : 1, sizeof *tree.nodes);
    tree.table = fth_table_new(&shape);
    if (tree.table) {
        link_nodes(&tree);
        add_all(&tree);
    }
    bool failed = !tree.table || fth_table_failed(tree.table);
    free(tree.nodes);
    if (!failed)
        return tree.table;
    fth_table_free(tree.table);
    return NULL;
}
