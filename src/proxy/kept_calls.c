/* Which calls are kept, by the roles of the catalogue. */
#include "proxy/kept_calls.h"

#include "analysis/select/noise.h"
#include "base/memory.h"
#include "proxy/relatives_steps.h"
#include "proxy/thread_steps.h"
#include "model/reading/trace_functions.h"
#include "repeat/what/known_row.h"
#include "trace/record/builtin.h"

#include <string.h>

int fth_kept_calls_open(struct fth_proxy_calls *kept, struct fth_trace *trace, size_t proc,
                        uint32_t thread, const struct fth_proxy_scope *scope,
                        struct fth_proxy_summary *summary, struct fth_error **error)
{
    const struct fth_repeat_places *places = scope->places;
    *kept = (struct fth_proxy_calls){
        .summary = summary,
        .scope = *scope,
        .thread = thread,
        .threads = scope->threads && scope->threads[proc].count ? &scope->threads[proc] : NULL,
        .standard = {.places = places, .proc = proc},
        .unseen = places ? fth_repeat_places_unseen(places, proc) : NULL,
    };
    kept->calls = fth_calls_open(trace, proc, error);
    if (!kept->calls)
        return -1;
    kept->accesses = fth_accesses_open(trace, proc, kept->calls);
    fth_variables_open(&kept->variables);
    kept->variables.shared = kept->threads ? &kept->threads->shared : NULL;
    const char *directory = fth_trace_process(trace, proc)->directory;
    kept->context = (struct fth_form_context){trace,
                                              &kept->variables,
                                              {directory, directory, directory},
                                              &kept->standard,
                                              fth_form_descriptor(trace)};
    kept->before = FTH_NO_TIME;
    kept->started = !fth_trace_process(trace, proc)->mpi;
    if (scope->relatives)
        fth_relatives_steps_open(kept, trace, proc);
    return 0;
}

void fth_kept_calls_close(struct fth_proxy_calls *kept)
{
    fth_form_reading_free(&kept->reading);
    fth_accesses_close(kept->accesses);
    fth_calls_close(kept->calls);
    fth_variables_close(&kept->variables);
    free(kept->functions);
    free(kept->noise);
    free(kept->run_folder);
    free(kept->own_folder);
    fth_repeat_outer_free(&kept->outer);
    if (kept->scope.relatives)
        fth_relatives_steps_close(kept);
}

bool fth_kept_calls_is_own(const struct fth_proxy_calls *kept)
{
    enum fth_relatives_step step = kept->reading.form.step;
    if (kept->thread == FTH_ALL_THREADS || step >= FTH_THREADS_START)
        return true;
    return kept->thread == (step ? 0 : kept->access.call.thread);
}

static void count_left_out(struct fth_proxy_summary *summary, const char *why,
                           const struct fth_function *function)
{
    if (!summary)
        return;
    for (size_t i = 0; i < summary->left_out_count; i++)
        if (!strcmp(summary->left_out[i].why, why) && summary->left_out[i].function == function) {
            summary->left_out[i].calls++;
            return;
        }
    FTH_GROW(summary->left_out, summary->left_out_count);
    summary->left_out[summary->left_out_count++] =
        (struct fth_proxy_left_out){.why = why, .function = function, .calls = 1};
}

void fth_kept_calls_leave_out(struct fth_proxy_calls *kept, const char *why)
{
    uint32_t thread = kept->access.call.thread;
    bool is_own = kept->thread == FTH_ALL_THREADS || kept->thread == thread,
         is_of_first = !kept->thread && !fth_run_threads_repeats(kept->threads, thread);
    if (is_own || is_of_first)
        count_left_out(kept->summary, why, kept->access.call.function);
}

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (!strcmp(word, *words))
            return true;
    return false;
}

/* Kinds of calls that are not repeated. What MPI has of `env` and `attribute`, libraries call when
 * they start. */
static const char *const aside_files[] = {"env", "error",   "tool",   "poll",  "pipe",
                                          "map", "process", "thread", "mutex", NULL};
static const char *const aside_messages[] = {"env", "error",   "tool", "attribute",
                                             "rma", "process", NULL};

/* What streams do below, at the end of a process also outside of calls. */
static bool is_step_of_stream(const struct fth_row *row)
{
    static const char *const steps[] = {"read", "write", "seek", "close", NULL};
    return !(row->flags & (FTH_CALL_SYSTEM | FTH_CALL_UNCOUNTED)) && is_one_of(row->kind, steps) &&
           row->field_count && row->fields[0].class_index >= 0;
}

/* NULL: the call is kept, as far as its function goes. "": it is nothing that a program does for
 * its files, or what a stream does inside of its calls, and nobody misses it. */
static const char *why_function_is_left_out(const struct fth_trace *trace,
                                            const struct fth_repeat_way *way,
                                            const struct fth_function *function)
{
    if (way->is_missed_inside)
        return way->why;
    const struct fth_layer *layer = fth_trace_layer(trace, function->layer);
    const struct fth_row *row = fth_trace_row(trace, function);
    bool messages = fth_layer_is(function->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER);
    bool files = layer && layer->accesses_files;
    if (!messages && !files)
        return "";
    if (is_one_of(function->kind, messages ? aside_messages : aside_files))
        return "calls of its kind are not repeated";
    if (row->flags & FTH_CALL_BY_HAND)
        return is_step_of_stream(row) ? "" : "the trace does not have its arguments as in C";
    if (!fth_repeat_known_row(row))
        return "it is none of the catalogue's, or of another version of it";
    return NULL;
}

static const char *why_left_out(struct fth_proxy_calls *kept, const struct fth_function *function,
                                const struct fth_row *row)
{
    uint32_t number = (uint32_t)row->id;
    kept->functions =
        fth_reach(kept->functions, &kept->function_limit, number, sizeof *kept->functions);
    struct fth_known_function *known = &kept->functions[number];
    if (!known->known)
        *known = (struct fth_known_function){
            true,
            why_function_is_left_out(kept->context.trace,
                                     fth_repeat_way_of(kept->scope.ways, function), function)};
    return known->why;
}

/* What is not made before the program runs is none of its files. */
static bool is_left_alone(const struct fth_proxy_calls *kept, const char *file)
{
    const struct fth_repeat_place *place =
        kept->scope.places ? fth_repeat_place_of(kept->scope.places, file) : NULL;
    return place && place->why;
}

static bool is_noise(struct fth_proxy_calls *kept, const struct fth_call *call)
{
    kept->noise = fth_reach(kept->noise, &kept->noise_limit, call->file_number, 1);
    uint8_t *known = &kept->noise[call->file_number];
    if (!*known)
        *known =
            fth_analysis_is_noise(call->file, false) || is_left_alone(kept, call->file) ? 2 : 1;
    return *known == 2;
}

static bool has_handle_or_path(const struct fth_row *row)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].role == FTH_ROLE_USE || row->fields[i].role == FTH_ROLE_CLOSE ||
            row->fields[i].role == FTH_ROLE_AIO || row->fields[i].role == FTH_ROLE_AIO_LIST)
            return true;
    return false;
}

/* Is the call about a file that is not the program's, or about none? Calls on other files come to
 * nothing anyway, as no kept call has made their handles. */
static bool is_about_noise(struct fth_proxy_calls *kept, const struct fth_call *call,
                           const struct fth_row *row)
{
    if (fth_layer_is(call->function->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER))
        return false;
    /* pipes and sockets have names that are no paths */
    if (call->file && *call->file != '/')
        return fth_standard_is_as_found(&kept->standard, call, row);
    if (call->file)
        return is_noise(kept, call);
    return fth_layer_is(call->function->layer, FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS) &&
           !has_handle_or_path(row);
}

/* Descriptors have one owner each: one that is made anew is another one than before. */
void fth_kept_calls_lose(struct fth_proxy_calls *kept, const struct fth_row *row)
{
    const struct fth_call *call = &kept->access.call;
    fth_standard_take(&kept->standard, call, row, false, false);
    if (fth_layer_is(row->layer, FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS) &&
        row->result.role == FTH_ROLE_NEW && call->result.type == FTH_VALUE_HANDLE &&
        call->result.integer >= 0 && !call->error_number)
        fth_variable_drop(&kept->variables, (uint32_t)row->result.class_index,
                          call->result.integer);
}

/* If it is kept, it is read. */
static bool reads_kept(struct fth_proxy_calls *kept, const struct fth_call *call,
                       const struct fth_row *row)
{
    const char *why = why_left_out(kept, call->function, row);
    if ((why && !*why) || (kept->scope.relatives && fth_relatives_is_step(kept, call)))
        return false;
    if (is_about_noise(kept, call, row))
        return false;
    /* What libraries look for when they are loaded. */
    if (!why && !kept->started && call->error_number)
        why = "it failed before MPI was started";
    if (!why && call->thread && !kept->threads)
        why = "another thread than the first one makes it";
    if (!why && fth_standard_is_lost(&kept->standard, call->stream))
        why = "no repeated call has led its standard stream to its file";
    if (!why) {
        fth_form_read(&kept->context, call, &kept->reading);
        why = kept->reading.why_not;
    }
    kept->started |= !strcmp(call->function->kind, "init");
    if (why)
        fth_kept_calls_leave_out(kept, why);
    return !why;
}

/* Does the call close a handle that a repeated call has made? */
static bool closes_made(const struct fth_form *form)
{
    for (size_t i = 0; i < form->row->field_count; i++) {
        const struct fth_argument *argument = &form->arguments[i];
        if (form->row->fields[i].role == FTH_ROLE_CLOSE && argument->handle_count &&
            argument->variables[0] != FTH_NO_VARIABLE)
            return true;
    }
    return false;
}

/* What takes a folder and nothing else, and has no other purpose, goes there: names begin there
 * from then on. */
static bool enters(const struct fth_row *row)
{
    return fth_layer_is(row->layer, FTH_LAYER_SYSTEM) && !strcmp(row->kind, "other") &&
           row->field_count == 1 &&
           (row->fields[0].role == FTH_ROLE_PATH || row->fields[0].role == FTH_ROLE_USE);
}

static void go_to(char **folder, const char **of_context, const char *to)
{
    char *copy = fth_text_copy(to);
    free(*folder);
    *folder = copy;
    *of_context = copy;
}

static void follow_folder(struct fth_proxy_calls *kept, const struct fth_row *row, bool is_kept)
{
    const struct fth_call *call = &kept->access.call;
    if (call->error_number || !call->file || *call->file != '/' || !enters(row))
        return;
    go_to(&kept->run_folder, &kept->context.folders.run, call->file);
    if (is_kept)
        go_to(&kept->own_folder, &kept->context.folders.own, call->file);
}

/* Is this call kept? If so, it is read. */
static bool keep(struct fth_proxy_calls *kept)
{
    const struct fth_call *call = &kept->access.call;
    if (!kept->is_outermost)
        return false;
    const struct fth_row *row = fth_trace_row(kept->context.trace, call->function);
    bool is_kept = reads_kept(kept, call, row);
    if (is_kept)
        fth_standard_take(&kept->standard, call, row, true, closes_made(&kept->reading.form));
    else
        fth_kept_calls_lose(kept, row);
    follow_folder(kept, row, is_kept);
    return is_kept;
}

/* What came to a stream of the program without a call, before this one. */
static bool take_fill(struct fth_proxy_calls *kept)
{
    while (kept->fill_count) {
        const struct fth_unseen_bytes *fill = kept->fills++;
        kept->fill_count--;
        if (!fill->bytes || (kept->access.call.thread && !kept->threads))
            continue;
        fth_form_read_fill(&kept->context, &kept->access.call, fill, &kept->reading);
        if (!kept->reading.why_not &&
            !(kept->scope.relatives && fth_relatives_had_bytes(kept, fill->stream)))
            return true;
    }
    return false;
}

static void note_gap(struct fth_proxy_calls *kept, int64_t end)
{
    int64_t start = kept->access.call.start;
    if (!fth_kept_calls_is_own(kept))
        return;
    kept->gap = kept->before == FTH_NO_TIME ? 0 : start - kept->before;
    kept->before = end;
}

/* How the process ends: by a call (exit, _exit), and whether that writes what streams hold. */
static void note_end(struct fth_proxy_calls *kept)
{
    const struct fth_call *call = &kept->access.call;
    bool ends = fth_trace_row(kept->context.trace, call->function)->flags & FTH_CALL_NORETURN;
    if (!call->thread && !call->depth)
        kept->has_ended = ends;
    else if (!call->thread)
        kept->ends_itself |= kept->has_ended;
}

/* The next call of the process. */
static int next_call(struct fth_proxy_calls *kept, struct fth_error **error)
{
    int more = fth_accesses_next(kept->accesses, &kept->access, error);
    if (more != 1)
        return more;
    const struct fth_call *call = &kept->access.call;
    kept->variables.thread = call->thread;
    kept->is_outermost = fth_repeat_outermost(&kept->outer, kept->scope.ways, call) != NULL;
    note_end(kept);
    if (kept->unseen)
        kept->fills = fth_unseen_before(kept->unseen, call, &kept->fill_count);
    if (kept->scope.relatives)
        fth_relatives_steps_take(kept);
    return 1;
}

/* What is done before the call, or by it, and is no call. */
static bool take_before(struct fth_proxy_calls *kept)
{
    const struct fth_call *call = &kept->access.call;
    if (fth_thread_step_next(kept, false)) {
        kept->gap = 0;
        return true;
    }
    if (take_fill(kept)) {
        note_gap(kept, call->start);
        return true;
    }
    if (!kept->scope.relatives || !fth_relatives_step_next(kept, false))
        return false;
    note_gap(kept, call->start);
    kept->before = kept->is_looked_at ? call->end : call->start;
    return true;
}

int fth_kept_calls_next(struct fth_proxy_calls *kept, struct fth_error **error)
{
    int more = !kept->is_over;
    while (!kept->is_over && (kept->holds || (more = next_call(kept, error)) == 1)) {
        kept->holds = take_before(kept);
        if (kept->holds)
            return 1;
        if (!keep(kept))
            continue;
        note_gap(kept, kept->access.call.end);
        return 1;
    }
    kept->is_over |= !more;
    kept->gap = 0;
    if (more < 0)
        return -1;
    return fth_thread_step_next(kept, true) ||
           (kept->scope.relatives && fth_relatives_step_next(kept, true));
}
