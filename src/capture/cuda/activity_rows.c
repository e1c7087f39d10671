/* Recorders of the rows of CUDA. They are no thread's own: whoever brings activities writes to
 * them, one at a time. */
#include "capture/cuda/activity_rows.h"

#include "capture/process/process.h"
#include "capture/process/unkept_calls.h"
#include "capture/record/recorders.h"

#include <string.h>

enum { MOST_ROWS = 256 };

static struct {
    struct fth_cuda_row row;
    struct fth_recorder *recorder;
} rows[MOST_ROWS];
static unsigned row_count;

void fth_cuda_lost(uint64_t count)
{
    if (fth_process && fth_process->stopped)
        fth_unkept_calls(count);
    else if (fth_process && count)
        __atomic_fetch_add(&fth_process->lost, count, __ATOMIC_RELAXED);
}

void fth_cuda_forget_rows(void)
{
    row_count = 0;
}

/* Threads of the system have positive numbers. */
static int64_t thread_number(struct fth_cuda_row row)
{
    return row.device == (uint32_t)FTH_CUDA_HOST ? (int64_t)row.stream : -1 - (int64_t)row_count;
}

static struct fth_recorder *recorder_of(struct fth_cuda_row row, uint64_t begin)
{
    for (unsigned i = 0; i < row_count; i++)
        if (memcmp(&rows[i].row, &row, sizeof row) == 0)
            return rows[i].recorder;
    if (row_count == MOST_ROWS)
        return NULL;
    struct fth_recorder *recorder = fth_recorder_take_for(thread_number(row), begin);
    if (recorder) {
        rows[row_count].row = row;
        rows[row_count++].recorder = recorder;
    }
    return recorder;
}

bool fth_cuda_begin(struct fth_draft *draft, struct fth_cuda_row row, uint32_t function,
                    uint64_t begin, uint64_t end)
{
    if (!fth_wanted[function])
        return false;
    struct fth_recorder *recorder =
        fth_process && !fth_process->stopped ? recorder_of(row, begin) : NULL;
    if (!recorder) {
        fth_cuda_lost(1);
        return false;
    }
    memset(draft, 0, sizeof *draft);
    draft->recorder = recorder;
    draft->values = fth_values_at(recorder, 0);
    draft->head = function;
    draft->begin = begin;
    draft->end = end;
    draft->predicted = -1;
    draft->worked = true;
    draft->errno_at = &errno;
    draft->saved_errno = errno;
    return true;
}
