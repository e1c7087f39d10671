/* The sums of a process by function and by file, added up from the calls of the reference, against
 * those that its trace has stored. */
#include "log.h"

#include "base/memory.h"
#include "trace/record/spill.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sum *sum_of(struct sums *sums, const void *key, size_t length)
{
    uint32_t place = fth_intern(&sums->keys, key, length);
    sums->rows = fth_reach(sums->rows, &sums->limit, place, sizeof *sums->rows);
    return &sums->rows[place];
}

static struct sum *sum_of_function(struct process *process, const struct fth_function *function,
                                   uint32_t flags)
{
    const uint64_t key[] = {(uintptr_t)function, flags % FTH_INSIDE_ALL};
    return sum_of(&process->functions, key, sizeof key);
}

static struct sum *sum_of_file(struct process *process, const char *file)
{
    char *path = strdup(file);
    fth_path_tidy(path);
    struct sum *sum = sum_of(&process->files, path, strlen(path) + 1);
    free(path);
    return sum;
}

/* What is done to the one file of a copy, the contrary happens to the other. */
static void add_to_other_file(struct process *process, const struct fth_raw_call *raw,
                              const struct fth_call *call)
{
    struct sum *sum = sum_of_file(process, call->other_file);
    sum->bytes_read += call->writes ? call->bytes : 0;
    sum->bytes_written += call->reads ? call->bytes : 0;
    sum->calls++;
    sum->ticks += raw->flags & FTH_INSIDE_FILE_CALL ? 0 : raw->exit - raw->entry;
}

static void take_back(struct process *process, const struct fth_aio_owner *owner, uint64_t bytes)
{
    struct sum *sums[] = {&process->functions.rows[owner->sum],
                          owner->path == FTH_AIO_NO_PATH ? NULL
                                                         : &process->files.rows[owner->path]};
    for (size_t i = 0; i < 2 && (i == 0 || sums[i]); i++) {
        sums[i]->bytes_read -= owner->reads ? bytes : 0;
        sums[i]->bytes_written -= owner->writes ? bytes : 0;
    }
}

/* Asynchronous calls were added up as what they asked for. */
static void add_aio(struct process *process, const struct fth_raw_call *raw,
                    const struct fth_call *call)
{
    bool has_file = call->file && *call->file && !(raw->flags & FTH_INSIDE_UNBUFFERED_CALL);
    struct fth_aio_owner owner = {
        .path = FTH_AIO_NO_PATH, .reads = call->reads, .writes = call->writes};
    struct fth_aio_block block;
    uint64_t moved;
    bool counted;
    owner.sum =
        (uint32_t)(sum_of_function(process, call->function, raw->flags) - process->functions.rows);
    fth_aio_block_of(raw->meaning, raw->values, &block);
    if (has_file)
        block.file = 1 + (uint64_t)(sum_of_file(process, call->file) - process->files.rows);
    if (has_file)
        owner.path = (uint32_t)block.file - 1;
    if (raw->meaning->aio == FTH_AIO_ENDS)
        counted = fth_aio_end(&process->aio, &block, (uint64_t)raw->exit,
                              fth_aio_moved(raw->meaning, raw->values), &owner, &moved);
    else
        counted = !fth_call_failed(raw->meaning, raw->values) &&
                  fth_aio_begin(&process->aio, &block, (uint64_t)raw->exit, &owner, &moved);
    if (counted)
        take_back(process, &owner, (uint64_t)block.bytes - moved);
}

void sums_add(struct process *process, const struct fth_raw_call *raw, const struct fth_call *call)
{
    bool failed = fth_call_failed(raw->meaning, raw->values), copies = call->copies;
    struct sum *sum = sum_of_function(process, call->function, raw->flags);
    sum->calls++;
    sum->errors += failed;
    sum->bytes_read += call->reads || copies ? call->bytes : 0;
    sum->bytes_written += call->writes || copies ? call->bytes : 0;
    sum->ticks += raw->exit - raw->entry;
    if (raw->meaning->aio && raw->meaning->blocks < 0)
        add_aio(process, raw, call);
    bool counts = !call->function->buffered && !(raw->flags & FTH_INSIDE_UNBUFFERED_CALL);
    if (copies && call->bytes && counts && call->other_file)
        add_to_other_file(process, raw, call);
    if (!call->file || !*call->file)
        return;
    sum = sum_of_file(process, call->file);
    sum->calls++;
    if (counts) {
        sum->bytes_read += call->reads ? call->bytes : 0;
        sum->bytes_written += call->writes ? call->bytes : 0;
    }
    if (raw->flags & FTH_INSIDE_FILE_CALL)
        return;
    sum->opens += raw->meaning->opens && !failed;
    sum->ticks += raw->exit - raw->entry;
}

void sums_free(struct sums *sums)
{
    fth_intern_free(&sums->keys);
    free(sums->rows);
}

/* ---- comparing ---- */

static void compare(const struct process *process, const char *of, const char *what, uint64_t found,
                    uint64_t wanted)
{
    if (found != wanted)
        fail("process %zu: the trace says %" PRIu64 " %s of %s, the reference %" PRIu64,
             process->proc, found, what, of, wanted);
}

/* Each call may be off by a unit. */
static void compare_times(const struct process *process, const char *of, int64_t found,
                          const struct sum *sum)
{
    int64_t wanted = fth_model_duration(process->presenter.process, sum->ticks);
    int64_t slack = (int64_t)(sum->calls + 1) * (fth_trace_info(process->trace)->resolution + 1);
    if (found < wanted - slack || found > wanted + slack)
        fail("process %zu: the trace says %" PRId64 " ns in %s, the reference %" PRId64,
             process->proc, found, of, wanted);
}

static void compare_functions(struct process *process)
{
    struct fth_error *error = NULL;
    const struct fth_function_sum *rows;
    size_t count;
    if (!fth_trace_function_sums(process->trace, process->proc, &rows, &count, &error))
        fail("%s", fth_error_text(error));
    compare(process, "the process", "rows of functions", count, process->functions.keys.count);
    for (size_t i = 0; i < count; i++) {
        const struct fth_function_sum *row = &rows[i];
        const struct sum *sum =
            sum_of_function(process, row->function,
                            (row->inside_same_layer ? FTH_INSIDE_SAME_LAYER : 0) |
                                (row->inside_file_call ? FTH_INSIDE_FILE_CALL : 0) |
                                (row->inside_unbuffered_call ? FTH_INSIDE_UNBUFFERED_CALL : 0));
        compare(process, row->function->name, "calls", row->calls, sum->calls);
        compare(process, row->function->name, "errors", row->errors, sum->errors);
        compare(process, row->function->name, "bytes read", row->bytes_read, sum->bytes_read);
        compare(process, row->function->name, "bytes written", row->bytes_written,
                sum->bytes_written);
        compare_times(process, row->function->name, row->time, sum);
    }
}

static void compare_files(struct process *process)
{
    struct fth_error *error = NULL;
    const struct fth_file_sum *rows;
    size_t count;
    if (!fth_trace_file_sums(process->trace, process->proc, &rows, &count, &error))
        fail("%s", fth_error_text(error));
    for (size_t i = 0; i < count; i++) {
        const struct fth_file_sum *row = &rows[i];
        const struct sum *sum = sum_of(&process->files, row->path, strlen(row->path) + 1);
        compare(process, row->path, "calls", row->calls, sum->calls);
        compare(process, row->path, "opens", row->opens, sum->opens);
        compare(process, row->path, "bytes read", row->bytes_read, sum->bytes_read);
        compare(process, row->path, "bytes written", row->bytes_written, sum->bytes_written);
        compare_times(process, row->path, row->time, sum);
    }
    compare(process, "the process", "files", count, process->files.keys.count);
}

void sums_compare(struct process *process)
{
    compare_functions(process);
    compare_files(process);
}
