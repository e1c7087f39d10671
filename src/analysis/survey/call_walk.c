/* The walk: a heap of open processes, ordered by their next call. By process, the heap has one
 * element, and the next process is opened when it is empty. */
#include "analysis/survey/call_walk.h"

#include "model/calls/choice.h"

#include <stdlib.h>

/* What tells whether calls of a process are wanted at all. */
struct wanted {
    const struct fth_trace *trace;
    const struct fth_selection *selection;
    size_t proc;
};

struct head {
    struct wanted wanted;
    struct fth_calls *calls;
    struct fth_accesses *accesses; /* of them, or NULL */
    struct fth_around *around;     /* the next call, or NULL */
    struct fth_access next;        /* the next call */
    bool selected;                 /* it is */
    uint64_t left_out;             /* calls, as far as progress has them */
};

struct fth_run_walk {
    struct fth_trace *trace;
    const struct fth_selection *selection;
    struct fth_progress *progress;
    enum fth_walk_order order;
    bool accesses; /* are known */
    bool around;   /* what is around a call is */
    bool all;      /* calls are handed on */
    size_t next_proc;
    size_t count, capacity;
    struct head **heads; /* a binary heap, earliest first */
    bool handles;        /* of calls are asked for */
    bool file;           /* what is asked of calls is about their file */
    bool taken;          /* the first call was handed out: step on before the next */
};

static bool is_before(const struct head *a, const struct head *b)
{
    if (a->next.call.start != b->next.call.start)
        return a->next.call.start < b->next.call.start;
    return a->next.call.proc < b->next.call.proc;
}

static void swap(struct fth_run_walk *walk, size_t a, size_t b)
{
    struct head *head = walk->heads[a];
    walk->heads[a] = walk->heads[b];
    walk->heads[b] = head;
}

static void sift_up(struct fth_run_walk *walk, size_t at)
{
    for (; at && is_before(walk->heads[at], walk->heads[(at - 1) / 2]); at = (at - 1) / 2)
        swap(walk, at, (at - 1) / 2);
}

static void sift_down(struct fth_run_walk *walk)
{
    for (size_t at = 0, least;; at = least) {
        least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < walk->count; child++)
            if (is_before(walk->heads[child], walk->heads[least]))
                least = child;
        if (least == at)
            return;
        swap(walk, at, least);
    }
}

static void close_head(struct head *head)
{
    if (head) {
        fth_analysis_around_free(head->around);
        fth_accesses_close(head->accesses);
        fth_calls_close(head->calls);
    }
    free(head);
}

static bool is_selected(const struct fth_run_walk *walk, const struct head *head)
{
    const struct fth_subject subject = {.trace = walk->trace,
                                        .call = &head->next.call,
                                        .accesses = head->accesses,
                                        .around = head->around};
    return fth_analysis_selects_call(walk->selection, &subject);
}

/* Moves on to the next selected call of a process. Calls come in order of entry, so one that starts
 * too late ends it. */
static int advance(struct fth_run_walk *walk, struct head *head, struct fth_error **error)
{
    for (;;) {
        int result = head->accesses ? fth_accesses_next(head->accesses, &head->next, error)
                                    : fth_calls_next(head->calls, &head->next.call, error);
        if (result <= 0)
            return result;
        uint64_t left_out = fth_calls_left_out(head->calls);
        fth_progress_add(walk->progress, 1 + left_out - head->left_out);
        head->left_out = left_out;
        if (head->next.call.start > walk->selection->to)
            return 0;
        if (head->around)
            fth_analysis_around_enter(head->around, &head->next.call);
        if (!walk->all && head->next.call.end < walk->selection->from)
            continue;
        head->selected = is_selected(walk, head);
        if (head->selected || walk->all)
            return 1;
    }
}

static bool is_function_wanted(const void *context, const struct fth_function *function)
{
    const struct wanted *wanted = context;
    const struct fth_expression *where = wanted->selection->where;
    const struct fth_known_of_calls known = {
        .trace = wanted->trace, .proc = wanted->proc, .function = function};
    return fth_analysis_selects_function(wanted->selection, function) &&
           (!where || fth_expression_may_hold(where, &known));
}

static bool is_file_wanted(const void *context, const char *path)
{
    const struct wanted *wanted = context;
    const struct fth_expression *where = wanted->selection->where;
    const struct fth_known_of_calls known = {
        .trace = wanted->trace, .proc = wanted->proc, .has_file = true, .file = path};
    return fth_analysis_selects_file(wanted->selection, path) &&
           (!where || fth_expression_may_hold(where, &known));
}

/* Where nobody has to see the other calls, they are left out. The end of the time that is asked for
 * is one that all calls are compared with. */
static void choose(const struct fth_run_walk *walk, struct head *head)
{
    const struct fth_selection *selection = walk->selection;
    if (walk->handles || walk->accesses || walk->around || walk->all || selection->to != INT64_MAX)
        return;
    if (!selection->layers.count && !selection->functions.count && !selection->files.count &&
        !selection->where)
        return;
    const struct fth_choice choice = {is_function_wanted, walk->file ? is_file_wanted : NULL,
                                      &head->wanted};
    fth_calls_choose(head->calls, &choice);
}

static int make_place(struct fth_run_walk *walk, struct fth_error **error)
{
    if (walk->count < walk->capacity)
        return 0;
    size_t capacity = walk->capacity ? 2 * walk->capacity : 4;
    struct head **heads = realloc(walk->heads, capacity * sizeof(struct head *));
    if (!heads)
        return fth_fail(error, "out of memory");
    walk->heads = heads;
    walk->capacity = capacity;
    return 0;
}

/* Opens a process and puts it on the heap, unless it has no selected call. */
static int open_process(struct fth_run_walk *walk, size_t proc, struct fth_error **error)
{
    if (make_place(walk, error))
        return -1;
    struct head *head = calloc(1, sizeof *head);
    if (!head)
        return fth_fail(error, "out of memory");
    head->wanted = (struct wanted){walk->trace, walk->selection, proc};
    head->calls = walk->handles ? fth_calls_with_handles(walk->trace, proc, error)
                  : walk->accesses
                      ? fth_calls_open(walk->trace, proc, error)
                      : fth_calls_from(walk->trace, proc, walk->selection->from, error);
    if (head->calls)
        choose(walk, head);
    if (head->calls && walk->accesses)
        head->accesses = fth_accesses_open(walk->trace, proc, head->calls);
    if (walk->around)
        head->around = fth_analysis_around_new();
    int result = head->calls ? advance(walk, head, error) : -1;
    if (result > 0) {
        walk->heads[walk->count++] = head;
        sift_up(walk, walk->count - 1);
        return 0;
    }
    close_head(head);
    return result < 0 ? fth_fail_in(error, "cannot read the calls of process %zu", proc) : 0;
}

/* By process: the next one that has something to show. By time: all of them. */
static int open_more(struct fth_run_walk *walk, struct fth_error **error)
{
    size_t count = fth_trace_process_count(walk->trace);
    while (walk->next_proc < count && (!walk->count || walk->order == FTH_WALK_BY_TIME)) {
        size_t proc = walk->next_proc++;
        if (fth_analysis_selects_process(walk->selection, walk->trace, proc) &&
            open_process(walk, proc, error))
            return -1;
    }
    return 0;
}

struct fth_run_walk *fth_analysis_walk_open(struct fth_trace *trace,
                                            const struct fth_selection *selection,
                                            enum fth_walk_order order,
                                            struct fth_progress *progress, struct fth_error **error)
{
    struct fth_run_walk *walk = calloc(1, sizeof *walk);
    if (!walk) {
        fth_fail(error, "out of memory");
        return NULL;
    }
    walk->trace = trace;
    walk->selection = selection;
    walk->order = order;
    walk->progress = progress;
    unsigned needs = selection->where ? fth_expression_needs(selection->where) : 0;
    walk->accesses = needs & FTH_NEEDS_ACCESSES;
    walk->handles = needs & FTH_NEEDS_HANDLES;
    walk->around = needs & FTH_NEEDS_AROUND;
    walk->file = selection->files.count || needs & FTH_NEEDS_FILE;
    return walk;
}

void fth_analysis_walk_with_handles(struct fth_run_walk *walk)
{
    walk->handles = true;
}

int fth_analysis_walk_next(struct fth_run_walk *walk, const struct fth_call **call,
                           struct fth_error **error)
{
    if (walk->taken) {
        walk->taken = false;
        struct head *first = walk->heads[0];
        size_t proc = first->next.call.proc;
        int result = advance(walk, first, error);
        if (result < 0)
            return fth_fail_in(error, "cannot read the calls of process %zu", proc);
        if (!result) {
            swap(walk, 0, --walk->count);
            close_head(first);
        }
        sift_down(walk);
    }
    if (open_more(walk, error))
        return -1;
    if (!walk->count)
        return 0;
    walk->taken = true;
    *call = &walk->heads[0]->next.call;
    return 1;
}

void fth_analysis_walk_accesses(struct fth_run_walk *walk)
{
    walk->accesses = true;
}

void fth_analysis_walk_all(struct fth_run_walk *walk)
{
    walk->all = true;
}

bool fth_analysis_walk_selects(const struct fth_run_walk *walk)
{
    return walk->heads[0]->selected;
}

const struct fth_access *fth_analysis_walk_access(const struct fth_run_walk *walk,
                                                  struct fth_accesses **accesses)
{
    struct head *first = walk->heads[0];
    *accesses = first->accesses;
    return first->accesses ? &first->next : NULL;
}

void fth_analysis_walk_close(struct fth_run_walk *walk)
{
    for (size_t i = 0; walk && i < walk->count; i++)
        close_head(walk->heads[i]);
    if (walk)
        free(walk->heads);
    free(walk);
}

uint64_t fth_analysis_walk_length(const struct fth_trace *trace,
                                  const struct fth_selection *selection)
{
    uint64_t length = 0;
    size_t count = fth_trace_process_count(trace);
    for (size_t proc = 0; proc < count; proc++)
        if (fth_analysis_selects_process(selection, trace, proc))
            length += fth_trace_process(trace, proc)->calls;
    return length;
}

bool fth_analysis_has_operations(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_function_count(trace); i++)
        if (fth_trace_function(trace, i)->starts)
            return true;
    return false;
}
