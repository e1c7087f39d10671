/* Sums of a process, as the trace stores them: rows of its shares are added up. */
#include "model/model.h"

#include "base/memory.h"
#include "trace/spill.h"

static struct fth_function_sum *function_row(struct fth_model_process *process, const struct fth_function *function, uint32_t flags)
{
    bool same = (flags & FTH_INSIDE_SAME_LAYER) != 0, file = (flags & FTH_INSIDE_FILE_CALL) != 0;
    for (size_t i = 0; i < process->sum_count; i++) {
        struct fth_function_sum *row = &process->sums[i];
        if (row->function == function && row->inside_same_layer == same && row->inside_file_call == file)
            return row;
    }
    FTH_GROW(process->sums, process->sum_count);
    process->sums[process->sum_count] =
        (struct fth_function_sum){.function = function, .inside_same_layer = same, .inside_file_call = file};
    return &process->sums[process->sum_count++];
}

static void add_functions(struct fth_trace *trace, struct fth_model_process *process, const struct fth_part_process *stored)
{
    for (size_t i = 0; i < stored->sum_count; i++) {
        const struct fth_sum *sum = &stored->sums[i];
        struct fth_function_sum *row = function_row(process, &trace->functions[sum->function], sum->flags);
        row->calls += sum->calls;
        row->errors += sum->errors;
        row->bytes_read += sum->bytes_read;
        row->bytes_written += sum->bytes_written;
        row->time += fth_model_duration(process, sum->time);
    }
}

static int by_path(const void *one, const void *other)
{
    return strcmp(((const struct fth_file_sum *)one)->path, ((const struct fth_file_sum *)other)->path);
}

/* Equal paths stand side by side after sorting: the later ones are added to the first. */
static void join_equal(struct fth_model_process *process)
{
    size_t kept = 0;
    for (size_t i = 0; i < process->file_count; i++) {
        struct fth_file_sum *row = &process->files[i];
        if (kept && strcmp(process->files[kept - 1].path, row->path) == 0) {
            struct fth_file_sum *first = &process->files[kept - 1];
            first->opens += row->opens;
            first->calls += row->calls;
            first->bytes_read += row->bytes_read;
            first->bytes_written += row->bytes_written;
            first->time += row->time;
            free((void *)(uintptr_t)row->path);
        } else {
            process->files[kept++] = *row;
        }
    }
    process->file_count = kept;
}

/* "a//b/./c" and "a/b/c" are one file to people; ".." is left alone, since links may be on the way. */
static char *tidy(const char *path)
{
    char *tidied = strdup(path), *to = tidied;
    if (!tidied)
        return fth_new(1, 1);
    for (const char *from = path; *from; from++) {
        if (*from == '/' && from[1] == '/')
            continue;
        if (*from == '/' && from[1] == '.' && (from[2] == '/' || (!from[2] && to != tidied))) {
            from++;
            continue;
        }
        *to++ = *from;
    }
    *to = 0;
    return tidied;
}

static void add_files(struct fth_trace *trace, struct fth_model_process *process, const struct fth_part_process *stored)
{
    for (size_t i = 0; i < stored->path_count; i++) {
        const struct fth_path_sum *sum = &stored->paths[i];
        FTH_GROW(process->files, process->file_count);
        process->files[process->file_count++] = (struct fth_file_sum){
            tidy(trace->texts[sum->path]), sum->calls, sum->opens, sum->bytes_read, sum->bytes_written,
            fth_model_duration(process, sum->time)};
    }
}

static struct fth_model_process *summed(struct fth_trace *trace, size_t proc)
{
    struct fth_model_process *process = &trace->processes[proc];
    if (process->summed)
        return process;
    for (size_t i = 0; i < process->share_count; i++) {
        const struct fth_part_process *stored = &trace->part.processes[process->shares[i].index];
        add_functions(trace, process, stored);
        add_files(trace, process, stored);
    }
    if (process->file_count)
        qsort(process->files, process->file_count, sizeof *process->files, by_path);
    join_equal(process);
    process->summed = true;
    return process;
}

bool fth_trace_function_sums(struct fth_trace *trace, size_t proc, const struct fth_function_sum **rows, size_t *count,
                             struct fth_error **error)
{
    const struct fth_model_process *process = summed(trace, proc);
    (void)error;
    *rows = process->sums;
    *count = process->sum_count;
    return true;
}

bool fth_trace_file_sums(struct fth_trace *trace, size_t proc, const struct fth_file_sum **rows, size_t *count,
                         struct fth_error **error)
{
    const struct fth_model_process *process = summed(trace, proc);
    (void)error;
    *rows = process->files;
    *count = process->file_count;
    return true;
}
