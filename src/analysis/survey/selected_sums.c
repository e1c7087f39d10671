/* Adds up calls one by one, as the merger does when the trace is written
 * (src/trace/merge/walk.c). */
#include "analysis/survey/selected_sums.h"
#include "base/saturating.h"

#include "analysis/survey/call_walk.h"
#include "base/memory.h"
#include "catalog/values.h"
#include "trace/record/builtin.h"

#include <string.h>

/* Tags of open calls. */
enum { SELECTED = 1, ON_FILE = 2, UNBUFFERED = 4 };

/* What a library does to files while a request is waited for, the call that made the request has
 * accounted for. */
static bool completes_requests(const struct fth_function *function)
{
    return (strcmp(function->kind, "wait") == 0 || strcmp(function->kind, "test") == 0) &&
           fth_layer_is(function->layer, FTH_LAYER_MESSAGES);
}

static unsigned tag_of(const struct fth_call *call)
{
    const struct fth_function *function = call->function;
    if (completes_requests(function))
        return SELECTED | ON_FILE | UNBUFFERED;
    if (!fth_kind_is_about_files(function->kind) || (!call->file && call->stream < 0))
        return SELECTED;
    bool accounts_for_inner_bytes =
        !function->buffered && !fth_layer_is(function->layer, FTH_LAYER_SYSTEM);
    return SELECTED | ON_FILE | (accounts_for_inner_bytes ? UNBUFFERED : 0);
}

/* What kind of row the call is added to. */
struct key {
    const struct fth_function *function;
    uint64_t same_layer, tags;
};

static struct fth_function_sum *sum_of(struct fth_sums *sums, const struct fth_call *call,
                                       const struct fth_open_call *around, size_t count)
{
    struct key key = {call->function, 0, 0};
    for (size_t i = 0; i < count; i++) {
        key.tags |= around[i].tag & (ON_FILE | UNBUFFERED);
        if (around[i].tag && strcmp(around[i].function->layer, call->function->layer) == 0)
            key.same_layer = 1;
    }
    uint32_t number = fth_intern(&sums->function_keys, &key, sizeof key);
    if (number == sums->function_count) {
        FTH_GROW(sums->functions, sums->function_count);
        sums->functions[sums->function_count++] =
            (struct fth_function_sum){.function = call->function,
                                      .inside_same_layer = key.same_layer,
                                      .inside_file_call = (key.tags & ON_FILE) != 0,
                                      .inside_unbuffered_call = (key.tags & UNBUFFERED) != 0};
    }
    return &sums->functions[number];
}

static struct fth_file_sum *sum_of_file(struct fth_sums *sums, const char *path)
{
    size_t length = strlen(path);
    uint32_t number = fth_intern(&sums->paths, path, length);
    if (number == sums->file_count) {
        char *copy = fth_new(1, length + 1);
        memcpy(copy, path, length);
        FTH_GROW(sums->files, sums->file_count);
        FTH_GROW(sums->buffered, sums->file_count);
        sums->buffered[sums->file_count] = (struct fth_moved_bytes){0};
        sums->files[sums->file_count++] = (struct fth_file_sum){.path = copy};
    }
    return &sums->files[number];
}

static bool opens_path(const struct fth_call *call)
{
    if (call->error_number || strcmp(call->function->kind, "open") != 0)
        return false;
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (strncmp(call->function->parameters[i].role, "path", 4) == 0)
            return true;
    return false;
}

static bool reaches_files(const struct fth_call *call, const struct fth_function_sum *like)
{
    return !call->function->buffered && !like->inside_unbuffered_call;
}

/* The other end of a copy. */
static void add_to_other_file(struct fth_sums *sums, const struct fth_call *call,
                              const struct fth_function_sum *like, uint64_t bytes)
{
    struct fth_file_sum *sum = sum_of_file(sums, call->other_file);
    sum->calls++;
    sum->bytes_read += call->writes ? bytes : 0;
    sum->bytes_written += call->reads ? bytes : 0;
    FTH_ADD_SATURATING(sum->time, like->inside_file_call ? 0 : call->end - call->start);
}

static void add_to_file(struct fth_sums *sums, const struct fth_call *call,
                        const struct fth_function_sum *like, uint64_t bytes)
{
    struct fth_file_sum *sum = sum_of_file(sums, call->file);
    sum->calls++;
    if (reaches_files(call, like)) {
        sum->bytes_read += call->reads ? bytes : 0;
        sum->bytes_written += call->writes ? bytes : 0;
    } else if (!like->inside_file_call) {
        struct fth_moved_bytes *buffered = &sums->buffered[sum - sums->files];
        buffered->read += call->reads ? bytes : 0;
        buffered->written += call->writes ? bytes : 0;
    }
    if (like->inside_file_call)
        return;
    sum->opens += opens_path(call);
    FTH_ADD_SATURATING(sum->time, call->end - call->start);
}

/* Each is of a file of its own; the call and its time are those of the first. */
static void add_blocks(struct fth_sums *sums, const struct fth_call *call)
{
    for (size_t i = 0; i < call->block_count; i++) {
        const struct fth_control_block *block = &call->blocks[i];
        if (!block->handle || !block->handle->path)
            continue;
        struct fth_file_sum *sum = sum_of_file(sums, block->handle->path);
        sum->bytes_read += block->writes ? 0 : block->bytes;
        sum->bytes_written += block->writes ? block->bytes : 0;
    }
}

static void add(struct fth_sums *sums, const struct fth_call *call,
                const struct fth_open_call *around, size_t count)
{
    struct fth_function_sum *sum = sum_of(sums, call, around, count);
    uint64_t bytes = call->bytes_known ? call->bytes : 0;
    int64_t duration = call->end - call->start;
    if (!sum->calls++ || duration < sum->shortest)
        sum->shortest = duration;
    if (duration > sum->longest)
        sum->longest = duration;
    sum->errors += call->error_number != 0;
    FTH_ADD_SATURATING(sum->time, duration);
    sum->bytes_read += fth_analysis_bytes_read(call);
    sum->bytes_written += fth_analysis_bytes_written(call);
    if (call->file)
        add_to_file(sums, call, sum, bytes);
    if (call->other_file && bytes && reaches_files(call, sum))
        add_to_other_file(sums, call, sum, bytes);
    if (reaches_files(call, sum))
        add_blocks(sums, call);
}

static void count_buffered(struct fth_sums *sums)
{
    sums->above_buffers = true;
    for (size_t i = 0; i < sums->function_count; i++) {
        const struct fth_function_sum *sum = &sums->functions[i];
        sums->above_buffers &= !fth_layer_is(sum->function->layer, FTH_LAYER_SYSTEM) ||
                               (!sum->bytes_read && !sum->bytes_written);
    }
    for (size_t i = 0; sums->above_buffers && i < sums->file_count; i++) {
        sums->files[i].bytes_read += sums->buffered[i].read;
        sums->files[i].bytes_written += sums->buffered[i].written;
    }
}

/* Of which files their blocks are is known from handles. */
static bool has_lists(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_function_count(trace); i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        for (size_t k = 0; function->starts && k < function->parameter_count; k++)
            if (strncmp(function->parameters[k].role, "aio[", 4) == 0)
                return true;
    }
    return false;
}

int fth_analysis_sums(struct fth_trace *trace, const struct fth_selection *selection,
                      enum fth_where_scope scope, size_t proc, struct fth_progress *progress,
                      struct fth_sums *sums, struct fth_error **error)
{
    struct fth_integer_range only = {(int64_t)proc, (int64_t)proc};
    struct fth_selection one = *selection;
    one.procs = (struct fth_integers){1, &only};
    struct fth_run_walk *walk =
        fth_analysis_walk_open(trace, &one, FTH_WALK_BY_PROCESS, progress, error);
    if (!walk)
        return -1;
    struct fth_around *around = fth_analysis_around_new();
    const struct fth_call *call;
    int more;
    fth_analysis_walk_all(walk);
    if (has_lists(trace))
        fth_analysis_walk_with_handles(walk);
    while ((more = fth_analysis_walk_next(walk, &call, error)) > 0) {
        size_t count;
        fth_analysis_around_enter(around, call);
        struct fth_open_call *open = fth_analysis_around_open(around, &count);
        bool inside = scope == FTH_WHERE_AND_INSIDE && count > 1 && open[count - 2].tag;
        if (!inside && !fth_analysis_walk_selects(walk))
            continue;
        open[count - 1].tag = tag_of(call);
        add(sums, call, open, count - 1);
    }
    fth_analysis_around_free(around);
    fth_analysis_walk_close(walk);
    count_buffered(sums);
    return more;
}

void fth_analysis_sums_free(struct fth_sums *sums)
{
    for (size_t i = 0; i < sums->file_count; i++)
        free((void *)(uintptr_t)sums->files[i].path);
    free(sums->files);
    free(sums->buffered);
    free(sums->functions);
    fth_intern_free(&sums->function_keys);
    fth_intern_free(&sums->paths);
}
