/* Which calls a page of limited size has as they were: the evidence of findings, the longest of
 * each function, and all calls of one window in each phase. */
#include "base/memory.h"
#include "overview/gathering.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one list of calls ---- */

static int by_entry(const void *one, const void *other)
{
    const struct fth_overview_call *a = one, *b = other;
    if (a->row != b->row)
        return (a->row > b->row) - (a->row < b->row);
    if (a->number != b->number)
        return (a->number > b->number) - (a->number < b->number);
    return (a->rank > b->rank) - (a->rank < b->rank);
}

static int by_function(const void *one, const void *other)
{
    const struct fth_overview_call *a = one, *b = other;
    int64_t mine = a->end - a->start, its = b->end - b->start;
    if (a->function != b->function)
        return (a->function > b->function) - (a->function < b->function);
    return mine != its ? (mine < its) - (mine > its) : by_entry(one, other);
}

/* How many of its function are longer. */
static void rank(struct fth_overview *overview)
{
    struct fth_overview_call *calls = overview->calls;
    if (overview->call_count)
        qsort(calls, overview->call_count, sizeof *calls, by_function);
    for (size_t i = 0; i < overview->call_count; i++)
        calls[i].rank = i && calls[i].function == calls[i - 1].function ? calls[i - 1].rank + 1 : 0;
}

/* In order of entry, each once; those that were there before count. */
static void sort(struct fth_overview *overview)
{
    size_t kept = 0;
    struct fth_overview_call *calls = overview->calls;
    if (overview->call_count)
        qsort(calls, overview->call_count, sizeof *calls, by_entry);
    for (size_t i = 0; i < overview->call_count; i++) {
        if (kept && calls[kept - 1].row == calls[i].row &&
            calls[kept - 1].number == calls[i].number)
            calls[kept - 1].evidence |= calls[i].evidence;
        else
            calls[kept++] = calls[i];
    }
    overview->call_count = kept;
}

static void add(struct fth_overview *overview, const struct fth_overview_call *call)
{
    FTH_GROW(overview->calls, overview->call_count);
    struct fth_overview_call *added = &overview->calls[overview->call_count++];
    *added = *call;
    added->rank = UINT32_MAX;
}

/* ---- evidence ---- */

struct wanted {
    uint32_t proc, thread;
    uint64_t number;
};

static int by_process(const void *one, const void *other)
{
    const struct wanted *a = one, *b = other;
    if (a->proc != b->proc)
        return a->proc < b->proc ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static bool take_if_wanted(struct fth_overview *overview, const struct wanted *wanted, size_t count,
                           const struct fth_call *call)
{
    const struct wanted key = {wanted->proc, call->thread, call->number};
    if (!bsearch(&key, wanted, count, sizeof *wanted, by_process))
        return false;
    const struct fth_call_class *class = fth_call_class_of(overview->classes, call->function);
    size_t first = overview->gathering->first_rows[wanted->proc];
    if (class->index < overview->classes->count)
        add(overview, &(struct fth_overview_call){
                          .start = call->start,
                          .end = call->end > call->start ? call->end : call->start,
                          .number = call->number,
                          .bytes = call->bytes_known ? call->bytes : 0,
                          .row = (uint32_t)first + call->thread,
                          .function = class->index,
                          .file = call->file ? fth_intern(&overview->gathering->files, call->file,
                                                          strlen(call->file) + 1)
                                             : FTH_NO_FILE,
                          .depth = call->depth < UINT16_MAX ? (uint16_t)call->depth : UINT16_MAX,
                          .failed = call->error_number != 0,
                          .evidence = true});
    return true;
}

/* Calls of one process, by thread and number. */
static int read_wanted(struct fth_overview *overview, const struct wanted *wanted, size_t count,
                       struct fth_error **error)
{
    struct fth_calls *calls = fth_calls_open(overview->trace, wanted->proc, error);
    struct fth_call call;
    int more = calls ? 1 : -1;
    for (size_t left = count; left && more > 0;) {
        more = fth_calls_next(calls, &call, error);
        if (more > 0 && take_if_wanted(overview, wanted, count, &call))
            left--;
    }
    fth_calls_close(calls);
    return more < 0 ? -1 : 0;
}

/* Those that are there are marked; the others come to the begin of the list. */
static size_t mark_known(struct fth_overview *overview, struct wanted *wanted, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        size_t first = overview->gathering->first_rows[wanted[i].proc];
        const struct fth_overview_call key = {.row = (uint32_t)first + wanted[i].thread,
                                              .number = wanted[i].number};
        struct fth_overview_call *found = NULL;
        for (size_t low = 0, high = overview->call_count; low < high && !found;) {
            size_t middle = low + (high - low) / 2;
            struct fth_overview_call *call = &overview->calls[middle];
            if (call->row == key.row && call->number == key.number)
                found = call;
            else if (call->row < key.row || (call->row == key.row && call->number < key.number))
                low = middle + 1;
            else
                high = middle;
        }
        if (found)
            found->evidence = true;
        else
            wanted[left++] = wanted[i];
    }
    return left;
}

static bool has_row(const struct fth_overview *overview, const struct wanted *wanted)
{
    const size_t *first_rows = overview->gathering->first_rows;
    return wanted->proc < fth_trace_process_count(overview->trace) &&
           wanted->thread < first_rows[wanted->proc + 1] - first_rows[wanted->proc];
}

static int add_evidence(struct fth_overview *overview, const struct fth_findings *findings,
                        struct fth_error **error)
{
    struct wanted *wanted = NULL;
    size_t count = 0;
    int result = 0;
    for (size_t i = 0; i < findings->count; i++) {
        const struct fth_finding_list *list = &findings->list[i].evidence;
        for (size_t k = 0; k < list->count && k < FTH_FINDING_LISTED; k++) {
            struct wanted one;
            if (sscanf(list->items[k], "%" SCNu32 ".%" SCNu32 ".%" SCNu64, &one.proc, &one.thread,
                       &one.number) != 3 ||
                !has_row(overview, &one))
                continue;
            FTH_GROW(wanted, count);
            wanted[count++] = one;
        }
    }
    count = mark_known(overview, wanted, count);
    if (count)
        qsort(wanted, count, sizeof *wanted, by_process);
    for (size_t first = 0, behind; first < count && !result; first = behind) {
        for (behind = first; behind < count && wanted[behind].proc == wanted[first].proc; behind++)
            ;
        result = read_wanted(overview, wanted + first, behind - first, error);
    }
    free(wanted);
    return result;
}

/* ---- windows ---- */

static bool is_in_window(const struct fth_overview_call *call,
                         const struct fth_overview_span *spans, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (call->start < spans[i].end && call->end >= spans[i].begin)
            return true;
    return false;
}

static bool has_calls(const struct fth_overview_call *calls, size_t count,
                      struct fth_overview_span span)
{
    for (size_t i = 0; i < count; i++)
        if (is_in_window(&calls[i], &span, 1))
            return true;
    return false;
}

static void add_windows(struct fth_overview *overview)
{
    const struct fth_overview_windows *windows = &overview->gathering->windows;
    for (uint32_t phase = 0; phase < FTH_OVERVIEW_PHASES; phase++) {
        struct fth_overview_span span = {windows->begins[phase], windows->ends[phase]};
        if (has_calls(windows->calls, windows->count, span))
            overview->windows[overview->window_count++] = span;
    }
    for (size_t i = 0; i < windows->count; i++)
        if (is_in_window(&windows->calls[i], overview->windows, overview->window_count))
            add(overview, &windows->calls[i]);
}

int fth_overview_add_exact(struct fth_overview *overview, const struct fth_findings *findings,
                           struct fth_error **error)
{
    rank(overview);
    sort(overview);
    if (overview->all_calls)
        return 0;
    if (add_evidence(overview, findings, error))
        return -1;
    add_windows(overview);
    sort(overview);
    fth_overview_list_files(overview);
    return 0;
}

/* ---- of a part of the run ---- */

/* The calls of a part, in order of entry, and the files of these: more were seen than are kept. */
void fth_overview_finish_part(struct fth_overview *part)
{
    struct fth_overview_gathering *gathering = part->gathering;
    part->all_calls &= !gathering->longest.left_out;
    fth_overview_hand_over(&gathering->longest, &part->calls, &part->call_count);
    sort(part);
    uint32_t *numbers = fth_new(gathering->files.count + 1, sizeof *numbers); /* plus 1 */
    part->files = fth_new(part->call_count + 1, sizeof *part->files);
    for (size_t i = 0; i < part->call_count; i++) {
        uint32_t file = part->calls[i].file;
        size_t length;
        if (file == FTH_NO_FILE)
            continue;
        if (!numbers[file]) {
            part->files[part->file_count++] =
                (const char *)fth_interned(&gathering->files, file, &length);
            numbers[file] = (uint32_t)part->file_count;
        }
        part->calls[i].file = numbers[file] - 1;
    }
    free(numbers);
}

/* ---- as many as there is room for ---- */

void fth_overview_choose(const struct fth_overview *overview, uint32_t each, unsigned halvings,
                         struct fth_overview *chosen)
{
    uint32_t *files = fth_new(overview->file_count + 1, sizeof *files);
    *chosen = *overview;
    chosen->call_count = chosen->file_count = 0;
    chosen->calls = fth_new(overview->call_count + 1, sizeof *chosen->calls);
    chosen->files = fth_new(overview->file_count + 1, sizeof *chosen->files);
    chosen->window_count = 0;
    for (size_t i = 0; i < overview->window_count; i++) {
        struct fth_overview_span span = overview->windows[i];
        span.end = span.begin + ((span.end - span.begin) >> halvings);
        if (has_calls(overview->calls, overview->call_count, span))
            chosen->windows[chosen->window_count++] = span;
    }
    for (size_t i = 0; i < overview->call_count; i++) {
        struct fth_overview_call *call = &chosen->calls[chosen->call_count];
        *call = overview->calls[i];
        if (call->rank >= each && !call->evidence &&
            !is_in_window(call, chosen->windows, chosen->window_count))
            continue;
        chosen->call_count++;
        if (call->file == FTH_NO_FILE)
            continue;
        if (!files[call->file]) {
            chosen->files[chosen->file_count++] = overview->files[call->file];
            files[call->file] = (uint32_t)chosen->file_count;
        }
        call->file = files[call->file] - 1;
    }
    chosen->all_calls = overview->all_calls && chosen->call_count == overview->call_count;
    free(files);
}

void fth_overview_chosen_free(struct fth_overview *chosen)
{
    free(chosen->calls);
    free(chosen->files);
}
