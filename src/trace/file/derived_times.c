/* Adding up the durations of the calls of a process, function by function. Where times are exact,
 * a duration is kept as it is, so neither values nor gaps are asked for. */
#include "trace/file/derived_times.h"

#include "base/memory.h"
#include "trace/columns/columns.h"
#include "trace/grammar/rules.h"
#include "trace/record/spill.h"

#include <inttypes.h>

struct adding {
    const struct fth_stored_part *part;
    const struct fth_part_process *process; /* with its signatures */
    struct fth_sum **sums; /* by terminal; NULL: notes, which are about no call of the program */
    struct fth_column_reader columns;
    const struct fth_track *track;
    const uint8_t *frames; /* of the next block */
    size_t block;
    uint64_t left; /* calls of the block before it */
};

static struct fth_sum **sums_of_terminals(const struct fth_stored_part *part,
                                          const struct fth_part_process *process,
                                          struct fth_part_process *to)
{
    struct fth_sum **by_kind = fth_new(part->catalog->row_count * FTH_INSIDE_ALL, sizeof *by_kind),
                   **sums = fth_new(process->signature_count, sizeof *sums);
    for (size_t i = 0; i < to->sum_count; i++)
        by_kind[to->sums[i].function * FTH_INSIDE_ALL + to->sums[i].flags] = &to->sums[i];
    for (uint32_t i = 0; i < process->signature_count; i++) {
        const struct fth_signature *common = process->terminals[i].common;
        sums[i] = by_kind[common->function * FTH_INSIDE_ALL + common->flags % FTH_INSIDE_ALL];
    }
    free(by_kind);
    return sums;
}

static int next_block(struct adding *adding, struct fth_error **error)
{
    if (adding->block == adding->track->block_count)
        return fth_fail(error, "it has fewer times than calls");
    const struct fth_block *block = &adding->track->blocks[adding->block++];
    if (fth_columns_unpack_times(&adding->columns, adding->frames, block, error))
        return fth_fail_in(error, "block %zu", adding->block - 1);
    adding->frames += block->time_stored + block->literal_stored;
    adding->left = block->calls;
    return 0;
}

static int add_call(struct adding *adding, uint32_t terminal, struct fth_error **error)
{
    uint32_t function = adding->process->terminals[terminal].common->function;
    struct fth_sum *sum = adding->sums[terminal];
    uint64_t gap, duration;
    if (!adding->left && next_block(adding, error))
        return -1;
    adding->left--;
    if (!fth_times_next(&adding->columns.times, (struct fth_time_keys){function, terminal}, &gap,
                        &duration))
        return fth_fail(error, "block %zu lacks times", adding->block - 1);
    if (!sum)
        return 0;
    sum->time += duration;
    if (duration < sum->shortest)
        sum->shortest = duration;
    if (duration > sum->longest)
        sum->longest = duration;
    return 0;
}

static int add_piece(struct adding *adding, const struct fth_piece *piece, struct fth_error **error)
{
    struct fth_rule_cursor cursor;
    struct fth_rules *rules =
        fth_piece_rules(adding->part, piece, adding->process->signature_count, error);
    uint32_t terminal;
    int status = 0;
    if (!rules)
        return -1;
    fth_rule_cursor_open(&cursor, rules);
    while (status == 0 && fth_rule_cursor_next(&cursor, &terminal))
        status = add_call(adding, terminal, error);
    fth_rule_cursor_close(&cursor);
    fth_rules_free(rules);
    return status;
}

static int add_tracks(struct adding *adding, struct fth_error **error)
{
    for (size_t i = 0; i < adding->process->track_count; i++) {
        adding->track = &adding->process->tracks[i];
        adding->block = adding->left = 0;
        for (size_t k = 0; k < adding->track->piece_count; k++)
            if (add_piece(adding, &adding->track->pieces[k], error))
                return fth_fail_in(error, "track %zu", i);
    }
    return 0;
}

static int derive_times(const struct fth_stored_part *part, uint32_t index,
                        struct fth_part_process *process, struct fth_error **error)
{
    struct fth_part_process calls;
    if (fth_stored_part_process(part, index, &calls, error))
        return -1;
    for (size_t i = 0; i < process->sum_count; i++)
        process->sums[i].shortest = process->sums[i].calls ? UINT64_MAX : 0;
    struct adding adding = {.part = part,
                            .process = &calls,
                            .sums = sums_of_terminals(part, &calls, process),
                            .frames = part->processes[index].frames};
    int status = add_tracks(&adding, error);
    for (size_t i = 0; i < process->sum_count && status == 0; i++)
        if (process->sums[i].shortest == UINT64_MAX)
            status = fth_fail(error, "it has no calls of sum %zu", i);
    fth_column_reader_free(&adding.columns);
    free(adding.sums);
    fth_part_process_free(&calls);
    return status;
}

int fth_stored_part_sums(const struct fth_stored_part *part, uint32_t index,
                         struct fth_part_process *process, struct fth_error **error)
{
    if (fth_stored_part_stored_sums(part, index, process, error))
        return -1;
    if (!process->derives_times || derive_times(part, index, process, error) == 0)
        return 0;
    fth_part_process_free(process);
    return fth_fail_in(error, "process %" PRIu32, index);
}
