/* Requests: the data calls that reach the system, on files of the program, in one row. Not among
 * the passes of a report; runs are compared by it (scaling.c). */
#include "analysis/passes/passes.h"

#include "base/indexed.h"
#include "base/memory.h"

#include <string.h>

static const struct fth_column columns[FTH_REQUESTS_COLUMNS] = {
    [FTH_REQUESTS_READS] = {"reads", "reads", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [FTH_REQUESTS_BYTES_READ] = {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    [FTH_REQUESTS_READ_TIME] = {"read_time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    [FTH_REQUESTS_WRITES] = {"writes", "writes", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [FTH_REQUESTS_BYTES_WRITTEN] = {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    [FTH_REQUESTS_WRITE_TIME] = {"write_time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"requests", "Requests", columns, FTH_REQUESTS_COLUMNS, 0};

struct sums {
    uint64_t values[FTH_REQUESTS_COLUMNS];
};

struct run {
    const struct fth_survey *survey;
    struct sums all;
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    (void)proc;
    struct fth_indexed *files = fth_new(1, sizeof *files);
    files->size = sizeof(struct sums);
    return files;
}

static void call(void *state, const struct fth_frame *frame)
{
    if (!frame->class->data || !frame->class->system || frame->failed || frame->of_library ||
        frame->file.number == FTH_NO_FILE || frame->data.below[frame->writes].calls)
        return;
    struct sums *sums = fth_indexed_get(state, frame->file.number, 0);
    uint64_t *first = &sums->values[frame->writes ? FTH_REQUESTS_WRITES : FTH_REQUESTS_READS];
    first[0] += frame->calls;
    first[1] += frame->data.bytes;
    first[2] += (uint64_t)frame->times.all;
}

static void merge(void *run_state, void *state, const uint32_t *numbers)
{
    struct run *run = run_state;
    struct fth_indexed *files = state;
    for (uint32_t i = 0; i < files->count; i++) {
        const struct sums *sums = fth_indexed_item(files, i);
        if (run->survey->files[numbers[fth_indexed_at(files, i)->number]].noise)
            continue;
        for (size_t k = 0; k < FTH_REQUESTS_COLUMNS; k++)
            run->all.values[k] += sums->values[k];
    }
    fth_indexed_free(files);
    free(files);
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    struct fth_table *table = fth_table_new(&shape);
    size_t row = fth_table_add_row(table);
    for (size_t i = 0; i < FTH_REQUESTS_COLUMNS; i++)
        fth_table_increase(table, row, i, run->all.values[i]);
    fth_results_add(results, table);
    free(run);
}

const struct fth_pass fth_pass_requests = {"requests", begin, open_process, call, merge, finish,
                                           NULL,       NULL,  NULL,         NULL, NULL};
