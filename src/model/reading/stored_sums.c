/* Sums of a process, as the trace stores them: rows of its shares are added up. */
#include "model/reading/shown_values.h"

#include "base/memory.h"
#include "model/reading/path_times.h"
#include "trace/file/derived_times.h"
#include "trace/record/spill.h"

static int64_t add_times(int64_t one, int64_t other)
{
    return one + other < FTH_MOST_NS ? one + other : FTH_MOST_NS;
}

static int flags_of(const struct fth_function_sum *sum)
{
    return sum->inside_same_layer + 2 * sum->inside_file_call + 4 * sum->inside_unbuffered_call;
}

static int by_function(const void *one, const void *other)
{
    const struct fth_function_sum *a = one, *b = other;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    int left = flags_of(a), right = flags_of(b);
    return left < right ? -1 : left > right;
}

static void add_functions(struct fth_trace *trace, struct fth_model_process *process,
                          const struct fth_part_process *stored)
{
    for (size_t i = 0; i < stored->sum_count; i++) {
        const struct fth_sum *sum = &stored->sums[i];
        FTH_GROW(process->sums, process->sum_count);
        process->sums[process->sum_count++] = (struct fth_function_sum){
            .function = &trace->functions[sum->function],
            .inside_same_layer = (sum->flags & FTH_INSIDE_SAME_LAYER) != 0,
            .inside_file_call = (sum->flags & FTH_INSIDE_FILE_CALL) != 0,
            .inside_unbuffered_call = (sum->flags & FTH_INSIDE_UNBUFFERED_CALL) != 0,
            .calls = sum->calls,
            .errors = sum->errors,
            .bytes_read = sum->bytes_read,
            .bytes_written = sum->bytes_written,
            .time = fth_model_duration(process, sum->time * stored->facts.quantum),
            .shortest = fth_model_duration(process, sum->shortest * stored->facts.quantum),
            .longest = fth_model_duration(process, sum->longest * stored->facts.quantum)};
    }
}

/* Rows of the same kind, one behind the other after sorting, become one. */
static void join_functions(struct fth_model_process *process)
{
    size_t kept = 0;
    if (process->sum_count)
        qsort(process->sums, process->sum_count, sizeof *process->sums, by_function);
    for (size_t i = 0; i < process->sum_count; i++) {
        const struct fth_function_sum *row = &process->sums[i];
        if (!kept || by_function(&process->sums[kept - 1], row) != 0) {
            process->sums[kept++] = *row;
            continue;
        }
        struct fth_function_sum *first = &process->sums[kept - 1];
        if (row->calls && (!first->calls || row->shortest < first->shortest))
            first->shortest = row->shortest;
        if (row->longest > first->longest)
            first->longest = row->longest;
        first->calls += row->calls;
        first->errors += row->errors;
        first->bytes_read += row->bytes_read;
        first->bytes_written += row->bytes_written;
        first->time = add_times(first->time, row->time);
    }
    process->sum_count = kept;
}

static int by_path(const void *one, const void *other)
{
    return strcmp(((const struct fth_file_sum *)one)->path,
                  ((const struct fth_file_sum *)other)->path);
}

/* The same for paths. */
static void join_files(struct fth_model_process *process)
{
    size_t kept = 0;
    if (process->file_count)
        qsort(process->files, process->file_count, sizeof *process->files, by_path);
    for (size_t i = 0; i < process->file_count; i++) {
        struct fth_file_sum *row = &process->files[i];
        if (kept && strcmp(process->files[kept - 1].path, row->path) == 0) {
            struct fth_file_sum *first = &process->files[kept - 1];
            first->opens += row->opens;
            first->calls += row->calls;
            first->bytes_read += row->bytes_read;
            first->bytes_written += row->bytes_written;
            first->time = add_times(first->time, row->time);
            free((void *)(uintptr_t)row->path);
        } else {
            process->files[kept++] = *row;
        }
    }
    process->file_count = kept;
}

static char *tidied(const uint8_t *path, size_t length)
{
    char *copy = fth_new(1, length + 1);
    memcpy(copy, path, length);
    fth_path_tidy(copy);
    return copy;
}

static void add_files(struct fth_model_process *process, const struct fth_part_process *stored)
{
    for (size_t i = 0; i < stored->path_count; i++) {
        const struct fth_path_sum *sum = &stored->paths[i];
        size_t length;
        const uint8_t *path = fth_interned(&stored->texts, sum->path, &length);
        FTH_GROW(process->files, process->file_count);
        process->files[process->file_count++] = (struct fth_file_sum){
            tidied(path, length), sum->calls,
            sum->bytes_read,      sum->bytes_written,
            sum->opens,           fth_model_duration(process, sum->time * stored->facts.quantum)};
    }
}

static int add_up(struct fth_trace *trace, struct fth_model_process *process,
                  struct fth_error **error)
{
    for (size_t i = 0; i < process->share_count; i++) {
        const struct fth_model_share *share = &process->shares[i];
        struct fth_part_process stored;
        if (fth_stored_part_sums(share->part, share->index, &stored, error))
            return -1;
        if (stored.derives_path_times &&
            fth_model_add_path_times(trace, share->part, share->index, &stored, error)) {
            fth_part_process_free(&stored);
            return -1;
        }
        add_functions(trace, process, &stored);
        add_files(process, &stored);
        fth_part_process_free(&stored);
    }
    join_functions(process);
    join_files(process);
    process->summed = true;
    return 0;
}

/* NULL: *error. */
static const struct fth_model_process *summed(struct fth_trace *trace, size_t proc,
                                              struct fth_error **error)
{
    struct fth_model_process *process = &trace->processes[proc];
    pthread_mutex_lock(&trace->lock);
    bool good = process->summed || add_up(trace, process, error) == 0;
    pthread_mutex_unlock(&trace->lock);
    return good ? process : NULL;
}

bool fth_trace_function_sums(struct fth_trace *trace, size_t proc,
                             const struct fth_function_sum **rows, size_t *count,
                             struct fth_error **error)
{
    const struct fth_model_process *process = summed(trace, proc, error);
    if (!process)
        return false;
    *rows = process->sums;
    *count = process->sum_count;
    return true;
}

bool fth_trace_file_sums(struct fth_trace *trace, size_t proc, const struct fth_file_sum **rows,
                         size_t *count, struct fth_error **error)
{
    const struct fth_model_process *process = summed(trace, proc, error);
    if (!process)
        return false;
    *rows = process->files;
    *count = process->file_count;
    return true;
}
