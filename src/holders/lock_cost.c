/* The workloads of the cost model, played on tokens. */
#include "holders/lock_cost.h"

#include "base/memory.h"

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void shuffle(uint32_t *order, uint32_t count, uint64_t *state)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = (uint32_t)(next_random(state) % i), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
}

static uint64_t block_of(const struct fth_lock_work *work, uint32_t process, uint32_t operation)
{
    uint64_t all = (uint64_t)work->nodes * work->processes;
    switch (work->workload) {
    case FTH_WORKLOAD_CONTIGUOUS:
        return (uint64_t)process * work->operations + operation;
    case FTH_WORKLOAD_STRIDED:
        return operation * all + process;
    case FTH_WORKLOAD_FPP:
        break;
    }
    return operation;
}

static void play(const struct fth_lock_work *work, uint32_t *order, struct fth_lock_tokens *files,
                 uint64_t *state, uint64_t answers[3])
{
    uint32_t all = work->nodes * work->processes;
    for (uint32_t operation = 0; operation < work->operations; operation++) {
        shuffle(order, all, state);
        for (uint32_t i = 0; i < all; i++) {
            uint64_t block = block_of(work, order[i], operation);
            uint32_t file = work->workload == FTH_WORKLOAD_FPP ? order[i] : 0;
            answers[fth_lock_tokens_request(&files[file], order[i] / work->processes, block,
                                            block + 1, FTH_TOKEN_WRITE, work->grant, work->give,
                                            NULL)]++;
        }
    }
}

struct fth_lock_cost fth_lock_cost(const struct fth_lock_work *work)
{
    uint32_t all = work->nodes * work->processes;
    uint32_t file_count = work->workload == FTH_WORKLOAD_FPP ? all : 1;
    uint32_t *order = fth_new(all, sizeof *order);
    struct fth_lock_tokens *files = fth_new(file_count, sizeof *files);
    uint64_t answers[3] = {0}, state = work->seed * 2 + 1;
    for (uint32_t i = 0; i < all; i++)
        order[i] = i;
    for (uint32_t run = 0; run < work->runs; run++) {
        play(work, order, files, &state, answers);
        for (uint32_t i = 0; i < file_count; i++)
            fth_lock_tokens_free(&files[i]);
    }
    free(files);
    free(order);
    double each = 1.0 / ((double)work->runs * work->nodes);
    return (struct fth_lock_cost){(double)answers[FTH_TOKEN_GRANTED] * each,
                                  (double)answers[FTH_TOKEN_LOCAL] * each,
                                  (double)answers[FTH_TOKEN_CONFLICT] * each};
}
