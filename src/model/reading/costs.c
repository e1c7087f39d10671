/* What each function costs in the file: how many signatures its calls made, how many symbols of
 * grammars, and its share of literals and times. Grammars are counted, not expanded; of the blocks
 * only literals are decompressed. */
#include "trace/columns/compress.h"
#include "model/reading/model.h"

#include "base/memory.h"
#include "trace/columns/columns.h"
#include "trace/grammar/rules.h"

#include <stdlib.h>

/* By function; bytes as long as they are shares of something. */
struct costs {
    struct fth_trace *trace;
    struct fth_function_cost *rows;
    double *literals, *times;
    bool *shapes, *grammars; /* of the part, counted already */
};

static void count_signatures(struct costs *costs, const struct fth_part_process *process)
{
    for (uint32_t i = 0; i < process->signature_count; i++)
        costs->rows[process->terminals[i].common->function].signatures++;
}

/* Runs of terminals in all rules; runs of rules are nobody's. */
static void count_symbols(struct costs *costs, const struct fth_part_process *process,
                          const struct fth_rules *rules)
{
    for (uint32_t rule = 0, count; rule < fth_rules_size(rules); rule++) {
        const struct fth_rule_run *runs = fth_rule_runs(rules, rule, &count);
        for (uint32_t i = 0; i < count; i++)
            if (!(runs[i].symbol & 1))
                costs->rows[process->terminals[runs[i].symbol / 2].common->function].symbols++;
    }
}

/* How often each terminal of the process is in the track. */
static int count_calls(struct costs *costs, const struct fth_stored_part *part,
                       const struct fth_part_process *process, const struct fth_track *track,
                       uint64_t *counts, struct fth_error **error)
{
    for (size_t i = 0; i < track->piece_count; i++) {
        uint32_t number = track->pieces[i].grammar;
        struct fth_rules *rules =
            fth_piece_rules(part, &track->pieces[i], process->signature_count, error);
        if (!rules)
            return -1;
        fth_rules_count(rules, counts);
        if (!costs->grammars[number])
            count_symbols(costs, process, rules);
        costs->grammars[number] = true;
        fth_rules_free(rules);
    }
    return 0;
}

/* Each function has the share of the block's literals that its columns have before compression. */
static int share_literals(struct costs *costs, const uint8_t *frame, const struct fth_block *block,
                          struct fth_error **error)
{
    if (!block->literal_raw)
        return 0;
    uint8_t *raw = fth_new(block->literal_raw, 1);
    int status = fth_decompress(frame, block->literal_stored, raw, block->literal_raw, error);
    struct fth_view view = fth_view_of(raw, block->literal_raw);
    fth_view_bytes(&view, fth_view_varint(&view)); /* marks are nobody's */
    while (status == 0 && view.at < view.end && !view.failed) {
        struct fth_packed_column column;
        const uint8_t *begin = view.at;
        uint64_t function = fth_view_varint(&view);
        fth_view_varint(&view);
        uint64_t count = fth_view_varint(&view);
        fth_view_varint(&view);
        if (function >= costs->trace->catalog.row_count || !fth_plain_read(&column, &view, count))
            status = fth_fail(error, "its literals are damaged");
        else
            costs->literals[function] += (double)(view.at - begin) / (double)block->literal_raw *
                                         (double)block->literal_stored;
    }
    free(raw);
    return status;
}

/* Each function has the share of the track's times that it has of its calls. */
static void share_times(struct costs *costs, const struct fth_part_process *process,
                        const struct fth_track *track, const uint64_t *counts)
{
    uint64_t bytes = 0, calls = 0;
    for (size_t i = 0; i < track->block_count; i++) {
        bytes += track->blocks[i].time_stored;
        calls += track->blocks[i].calls;
    }
    bytes += track->means_stored;
    for (uint32_t i = 0; i < process->signature_count; i++) {
        uint32_t function = process->terminals[i].common->function;
        costs->rows[function].calls += counts[i];
        if (counts[i])
            costs->times[function] += (double)counts[i] / (double)calls * (double)bytes;
    }
}

static int add_process(struct costs *costs, const struct fth_stored_part *part, uint32_t index,
                       struct fth_error **error)
{
    struct fth_part_process process;
    if (fth_stored_part_process(part, index, &process, error))
        return -1;
    const uint8_t *frame = part->processes[index].frames;
    uint32_t shape = part->shapes.shape_of[index];
    int status = 0;
    if (!costs->shapes[shape])
        count_signatures(costs, &process);
    costs->shapes[shape] = true;
    for (size_t i = 0; i < process.track_count && status == 0; i++) {
        const struct fth_track *track = &process.tracks[i];
        uint64_t *counts = fth_new(process.signature_count, sizeof *counts);
        status = count_calls(costs, part, &process, track, counts, error);
        if (status == 0)
            share_times(costs, &process, track, counts);
        for (size_t k = 0; k < track->block_count && status == 0; k++) {
            frame += track->blocks[k].time_stored;
            status = share_literals(costs, frame, &track->blocks[k], error);
            frame += track->blocks[k].literal_stored;
        }
        frame += track->means_stored;
        free(counts);
    }
    fth_part_process_free(&process);
    return status;
}

static int add_part(struct costs *costs, const struct fth_stored_part *part,
                    struct fth_error **error)
{
    int status = 0;
    costs->shapes = fth_new(part->shapes.shape_count, sizeof *costs->shapes);
    costs->grammars = fth_new(part->grammars.count, sizeof *costs->grammars);
    for (uint32_t i = 0; i < part->process_count && status == 0; i++)
        status = add_process(costs, part, i, error);
    free(costs->shapes);
    free(costs->grammars);
    return status;
}

bool fth_trace_function_costs(struct fth_trace *trace, struct fth_function_cost **rows,
                              size_t *count, struct fth_error **error)
{
    size_t functions = trace->catalog.row_count, kept = 0;
    struct costs costs = {.trace = trace,
                          .rows = fth_new(functions, sizeof *costs.rows),
                          .literals = fth_new(functions, sizeof(double)),
                          .times = fth_new(functions, sizeof(double))};
    int status = 0;
    for (size_t i = 0; i < trace->part_count && status == 0; i++)
        if ((status = add_part(&costs, &trace->parts[i], error)))
            fth_fail_in(error, "part %zu", i);
    for (size_t i = 0; i < functions; i++) {
        struct fth_function_cost row = costs.rows[i];
        row.function = &trace->functions[i];
        row.literal_bytes = (uint64_t)(costs.literals[i] + 0.5);
        row.time_bytes = (uint64_t)(costs.times[i] + 0.5);
        if (row.calls)
            costs.rows[kept++] = row;
    }
    free(costs.literals);
    free(costs.times);
    *rows = costs.rows;
    *count = kept;
    if (status) {
        free(costs.rows);
        *rows = NULL;
        *count = 0;
        fth_fail_in(error, "cannot read trace '%s'", trace->path);
    }
    return status == 0;
}
