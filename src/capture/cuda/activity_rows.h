/* Where activities of CUDA go: each stream of a device, and each thread's calls of CUDA, is a
 * thread of the trace. */
#ifndef FTH_CAPTURE_CUDA_ACTIVITY_ROWS_H
#define FTH_CAPTURE_CUDA_ACTIVITY_ROWS_H

#include "capture/record/runtime.h"

/* Of one stream of a device, or (device FTH_CUDA_HOST) of a thread of the program. */
enum { FTH_CUDA_HOST = UINT32_MAX };
struct fth_cuda_row {
    uint32_t device, context, stream; /* of the host: stream is the thread's id */
};

/* Begins a call that took from `begin` to `end` (ticks). False: it is not wanted, or there is no
 * room; then it is counted as lost. The caller keeps its values and commits it. One thread at a
 * time. */
bool fth_cuda_begin(struct fth_draft *draft, struct fth_cuda_row row, uint32_t function,
                    uint64_t begin, uint64_t end);
/* So many activities are known to be missing. */
void fth_cuda_lost(uint64_t count);
/* In a forked child: the rows are the parent's. */
void fth_cuda_forget_rows(void);

#endif
