/* Handles come when they end. They are kept until all have come, and then go out as a tree: each
 * behind its parent. */
#include "analysis/tables/handles_table.h"

#include "analysis/select/where.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum column {
    HANDLE,
    PARENT,
    DEPTH,
    CLASS,
    LAYER,
    VALUE,
    PATH,
    NAME,
    TYPE,
    ORIGIN,
    MADE_BY,
    MADE,
    CLOSED_BY,
    CLOSED,
    DUPLICATE_OF,
    ACCESS,
    CREATION,
    STATUS,
    COLLECTIVE,
    GROUP,
    GROUP_NAME,
    GROUP_SIZE,
    GROUP_RANK,
    GROUP_ID,
    GROUP_OTHERS,
    CALLS,
    ERRORS,
    READ,
    WRITTEN,
    TIME,
};
static const struct fth_column columns[] = {
    [HANDLE] = {"handle", "handle", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [PARENT] = {"parent", "parent", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [DEPTH] = {"depth", "depth", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [CLASS] = {"class", "class", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [LAYER] = {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [VALUE] = {"value", "value", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [PATH] = {"path", "path", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    [NAME] = {"name", "name", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [TYPE] = {"type", "type", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [ORIGIN] = {"origin", "origin", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [MADE_BY] = {"made_by", "made by", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [MADE] = {"made", "made", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    [CLOSED_BY] = {"closed_by", "closed by", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [CLOSED] = {"closed", "closed", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    [DUPLICATE_OF] = {"duplicate_of", "duplicate of", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [ACCESS] = {"access", "access", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [CREATION] = {"creation", "creation", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [STATUS] = {"status", "status", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [COLLECTIVE] = {"collective", "collective", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [GROUP] = {"group", "group", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [GROUP_NAME] = {"group_name", "group", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [GROUP_SIZE] = {"group_size", "of", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [GROUP_RANK] = {"group_rank", "rank in it", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [GROUP_ID] = {"group_id", "communicator", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [GROUP_OTHERS] = {"group_others", "and", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [CALLS] = {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [ERRORS] = {"errors", "failed", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [READ] = {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    [WRITTEN] = {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    [TIME] = {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
const struct fth_shape fth_handles_shape = {"handles", "Handles", columns,
                                            sizeof columns / sizeof *columns, 0};

/* ---- one handle as a row ---- */

struct bit_name {
    uint32_t bit;
    const char *name;
};

static const struct bit_name creation_names[] = {
    {FTH_CREATE, "create"},           {FTH_TRUNCATE, "truncate"},
    {FTH_EXCLUSIVE, "exclusive"},     {FTH_OPEN_DIRECTORY, "directory"},
    {FTH_NO_TERMINAL, "no_terminal"}, {FTH_NO_FOLLOW, "no_follow"},
    {FTH_PATH_ONLY, "path"},          {FTH_TEMPORARY, "temporary"},
    {FTH_LARGE_FILE, "large_file"},   {FTH_NO_SEEK, "no_seek"},
    {FTH_UNIQUE, "unique"},
};
static const struct bit_name status_names[] = {
    {FTH_APPEND, "append"},
    {FTH_NON_BLOCKING, "non_blocking"},
    {FTH_ASYNC, "async"},
    {FTH_SYNC, "sync"},
    {FTH_DATA_SYNC, "data_sync"},
    {FTH_AVOID_CACHING, "avoid_caching"},
    {FTH_NO_ACCESS_TIME, "no_access_time"},
    {FTH_DELETE_ON_CLOSE, "delete_on_close"},
    {FTH_ATOMIC, "atomic"},
    {FTH_CLOSE_ON_EXEC, "close_on_exec"},
};

static void set_bits(struct fth_table *table, size_t row, enum column column,
                     const struct bit_name *names, size_t count, uint32_t bits)
{
    char text[256] = "";
    for (size_t i = 0; i < count; i++)
        if (bits & names[i].bit) {
            strcat(text, *text ? "," : "");
            strcat(text, names[i].name);
        }
    if (*text)
        fth_table_set(table, row, column, fth_cell_text(text));
}

static void set_call(struct fth_table *table, size_t row, enum column column, size_t proc,
                     uint32_t thread, uint64_t number)
{
    char text[64];
    if (number == FTH_NO_CALL)
        return;
    snprintf(text, sizeof text, "%zu.%" PRIu32 ".%" PRIu64, proc, thread, number);
    fth_table_set(table, row, column, fth_cell_text(text));
}

static void set_if_known(struct fth_table *table, size_t row, enum column column, int64_t value)
{
    if (value >= 0)
        fth_table_set(table, row, column, fth_cell_integer(value));
}

static void set_group(struct fth_table *table, size_t row, const struct fth_handle *handle)
{
    const struct fth_handle *group = handle->group ? handle->group : handle;
    if (handle->group) {
        fth_table_set(table, row, GROUP, fth_cell_integer((int64_t)group->number));
        fth_table_set(table, row, GROUP_NAME, fth_cell_text(group->group_name));
    }
    set_if_known(table, row, GROUP_SIZE, group->group_size);
    set_if_known(table, row, GROUP_RANK, group->group_rank);
    set_if_known(table, row, GROUP_ID, group->group_id);
    set_if_known(table, row, GROUP_OTHERS, group->group_id >= 0 ? group->group_others : -1);
}

static const char *access_of(const struct fth_handle *handle)
{
    static const char *const names[] = {NULL, "read", "write", "read/write"};
    return names[handle->access & 3];
}

static void set_row(struct fth_table *table, size_t row, const struct fth_handle *handle)
{
    static const char *const origins[] = {[FTH_HANDLE_MADE] = "made",
                                          [FTH_HANDLE_THERE] = "there",
                                          [FTH_HANDLE_INSIDE] = "inside",
                                          [FTH_HANDLE_UNKNOWN_ORIGIN] = "unknown"};
    const struct fth_handle *parent = handle->parent;
    fth_table_set(table, row, HANDLE, fth_cell_integer((int64_t)handle->number));
    fth_table_set(table, row, CLASS, fth_cell_text(handle->handle_class));
    fth_table_set(table, row, LAYER, fth_cell_text(handle->layer));
    set_if_known(table, row, VALUE, handle->value);
    fth_table_set(table, row, PATH, fth_cell_text(handle->path));
    fth_table_set(table, row, NAME, fth_cell_text(handle->name));
    fth_table_set(table, row, TYPE, fth_cell_text(handle->type));
    fth_table_set(table, row, ORIGIN, fth_cell_text(origins[handle->origin]));
    set_call(table, row, MADE_BY, handle->proc, handle->made_thread, handle->made_by);
    set_if_known(table, row, MADE, handle->made_at);
    set_call(table, row, CLOSED_BY, handle->proc, handle->closed_thread, handle->closed_by);
    set_if_known(table, row, CLOSED, handle->closed_at);
    if (parent) {
        fth_table_set(table, row, PARENT, fth_cell_integer((int64_t)parent->number));
        if (handle->duplicate)
            fth_table_set(table, row, DUPLICATE_OF, fth_cell_integer((int64_t)parent->number));
    }
    fth_table_set(table, row, ACCESS, fth_cell_text(access_of(handle)));
    set_bits(table, row, CREATION, creation_names, sizeof creation_names / sizeof *creation_names,
             handle->creation_flags);
    set_bits(table, row, STATUS, status_names, sizeof status_names / sizeof *status_names,
             handle->status_flags);
    fth_table_set(table, row, COLLECTIVE, fth_cell_integer(handle->collective));
    set_group(table, row, handle);
    fth_table_set(table, row, CALLS, fth_cell_integer((int64_t)handle->calls));
    fth_table_set(table, row, ERRORS, fth_cell_integer((int64_t)handle->errors));
    fth_table_set(table, row, READ, fth_cell_integer((int64_t)handle->bytes_read));
    fth_table_set(table, row, WRITTEN, fth_cell_integer((int64_t)handle->bytes_written));
    fth_table_set(table, row, TIME, fth_cell_integer(handle->time));
}

/* ---- the tree ---- */

#define NONE SIZE_MAX

/* By number of the handle. */
struct node {
    size_t row; /* in the table of those that have come; NONE: it has not, or does not count */
    size_t parent, first_child, last_child, next;
    bool wanted;
    bool chosen; /* by a call that --where chooses */
};

struct gathering {
    struct fth_table *come; /* in order of their end */
    struct node *nodes;
    size_t node_count;
    const struct fth_selection *selection;
    bool all;
};

static bool reach_node(struct gathering *gathering, uint64_t number)
{
    if (number < gathering->node_count)
        return true;
    size_t count = number < 16 ? 32 : (size_t)number * 2;
    struct node *nodes = realloc(gathering->nodes, count * sizeof *nodes);
    if (!nodes)
        return false;
    gathering->nodes = nodes;
    for (size_t i = gathering->node_count; i < count; i++)
        nodes[i] = (struct node){NONE, NONE, NONE, NONE, NONE, false, false};
    gathering->node_count = count;
    return true;
}

static bool is_wanted(const struct gathering *gathering, const struct fth_handle *handle)
{
    bool is_unknown = handle->origin == FTH_HANDLE_UNKNOWN_ORIGIN && handle->calls;
    return (gathering->all || handle->path || handle->type || is_unknown) &&
           fth_analysis_selects_handle(gathering->selection, handle);
}

static bool take(struct gathering *gathering, const struct fth_handle *handle)
{
    if (!reach_node(gathering, handle->number))
        return false;
    struct node *node = &gathering->nodes[handle->number];
    node->row = fth_table_add_row(gathering->come);
    node->parent = handle->parent ? (size_t)handle->parent->number : NONE;
    node->wanted = is_wanted(gathering, handle) && (!gathering->selection->where || node->chosen);
    if (node->row != FTH_NO_ROW)
        set_row(gathering->come, node->row, handle);
    return node->row != FTH_NO_ROW;
}

/* A handle that is wanted wants its parents. */
static void want_parents(struct gathering *gathering)
{
    for (size_t i = 0; i < gathering->node_count; i++)
        for (size_t at = i; gathering->nodes[i].wanted && gathering->nodes[at].parent != NONE;) {
            at = gathering->nodes[at].parent;
            if (gathering->nodes[at].wanted)
                break;
            gathering->nodes[at].wanted = true;
        }
}

static size_t link_nodes(struct gathering *gathering)
{
    size_t first_root = NONE, last_root = NONE;
    for (size_t i = 0; i < gathering->node_count; i++) {
        struct node *node = &gathering->nodes[i];
        if (!node->wanted || node->row == NONE)
            continue;
        struct node *parent = node->parent == NONE ? NULL : &gathering->nodes[node->parent];
        size_t *first = parent ? &parent->first_child : &first_root;
        size_t *last = parent ? &parent->last_child : &last_root;
        if (*first == NONE)
            *first = i;
        else
            gathering->nodes[*last].next = i;
        *last = i;
    }
    return first_root;
}

static void add_row(struct fth_table *tree, const struct gathering *gathering, size_t number,
                    int64_t depth)
{
    const struct fth_cell *cells = fth_table_row(gathering->come, gathering->nodes[number].row);
    size_t row = fth_table_add_row(tree);
    for (size_t i = 0; row != FTH_NO_ROW && i < fth_handles_shape.column_count; i++)
        fth_table_set(tree, row, i, cells[i]);
    fth_table_set(tree, row, DEPTH, fth_cell_integer(depth));
}

/* Parents never form a ring, so this ends. */
static struct fth_table *plant(struct gathering *gathering)
{
    struct fth_table *tree = fth_table_new(&fth_handles_shape);
    int64_t depth = 0;
    want_parents(gathering);
    for (size_t at = link_nodes(gathering); tree && at != NONE;) {
        add_row(tree, gathering, at, depth);
        if (gathering->nodes[at].first_child != NONE) {
            at = gathering->nodes[at].first_child;
            depth++;
            continue;
        }
        while (at != NONE && gathering->nodes[at].next == NONE) {
            at = gathering->nodes[at].parent;
            depth--;
        }
        if (at != NONE)
            at = gathering->nodes[at].next;
    }
    return tree;
}

/* ---- the pass ---- */

static bool choose(struct gathering *gathering, struct fth_where *where,
                   const struct fth_call *call)
{
    if (!where || !fth_where_holds(where, call, NULL) || !call->handle)
        return true;
    if (!reach_node(gathering, call->handle->number))
        return false;
    gathering->nodes[call->handle->number].chosen = true;
    return true;
}

static int gather(struct gathering *gathering, struct fth_calls *calls, struct fth_where *where,
                  struct fth_progress *progress, struct fth_error **error)
{
    struct fth_call call;
    for (int more = 1; more > 0;) {
        const struct fth_handle *handle;
        more = fth_calls_next(calls, &call, error);
        if (more < 0)
            return -1;
        fth_progress_add(progress, more > 0);
        if (more > 0 && !choose(gathering, where, &call))
            return fth_fail(error, "out of memory");
        while ((handle = fth_calls_ended_handle(calls)))
            if (!take(gathering, handle))
                return fth_fail(error, "out of memory");
    }
    return 0;
}

struct fth_table *fth_analysis_handles(struct fth_trace *trace, size_t proc,
                                       const struct fth_selection *selection, bool all,
                                       struct fth_progress *progress, struct fth_error **error)
{
    struct gathering gathering = {
        .come = fth_table_new(&fth_handles_shape), .selection = selection, .all = all};
    struct fth_calls *calls = fth_calls_with_handles(trace, proc, error);
    struct fth_where *where = fth_where_open(trace, selection->where);
    struct fth_table *tree = NULL;
    if (!gathering.come)
        fth_fail(error, "out of memory");
    else if (calls && !gather(&gathering, calls, where, progress, error)) {
        tree = plant(&gathering);
        if (!tree || fth_table_failed(tree) || fth_table_failed(gathering.come)) {
            fth_fail(error, "out of memory");
            fth_table_free(tree);
            tree = NULL;
        }
    }
    if (calls)
        fth_calls_close(calls);
    fth_where_close(where);
    fth_table_free(gathering.come);
    free(gathering.nodes);
    return tree;
}
