/* Decoding a thread: symbols from its grammars, times and literals from its blocks, predictions
 * from its state. */
#include "model/reading/thread.h"

#include "base/memory.h"

#include <inttypes.h>

enum { MOST_STARTS = 1 << 16 /* that are noted before a call; of others nothing is known */ };

void fth_thread_reader_open(struct fth_thread_reader *reader, const struct fth_trace *trace,
                            struct fth_process_names *names, const struct fth_stretch *stretches,
                            size_t count)
{
    *reader = (struct fth_thread_reader){.trace = trace,
                                         .names = names,
                                         .stretches = stretches,
                                         .stretch_count = count,
                                         .thread = stretches->track->thread,
                                         .tid = stretches->track->tid};
    fth_thread_state_init(&reader->state, &trace->catalog, names, trace->meanings);
}

const struct fth_template *fth_share_template(struct fth_share *share,
                                              struct fth_process_names *names, uint32_t string)
{
    struct fth_template *template = &share->templates[string];
    if (!template->bytes) {
        size_t length;
        const uint8_t *bytes = fth_interned(&share->part->strings, string, &length);
        fth_template_read(template, bytes, length, &names->places);
        template->number = ++names->template_count;
    }
    return template;
}

static void drop_piece(struct fth_thread_reader *reader)
{
    if (reader->rules)
        fth_rule_cursor_close(&reader->cursor);
    fth_rules_free(reader->rules);
    reader->rules = NULL;
}

void fth_thread_reader_close(struct fth_thread_reader *reader)
{
    drop_piece(reader);
    fth_column_reader_free(&reader->columns);
    fth_timing_reader_free(&reader->timing);
    fth_thread_state_free(&reader->state);
    free(reader->starts);
}

void fth_thread_reader_restart(struct fth_thread_reader *reader)
{
    struct fth_thread_reader old = *reader;
    fth_thread_reader_close(reader);
    fth_thread_reader_open(reader, old.trace, old.names, old.stretches, old.stretch_count);
    reader->keeps_starts = old.keeps_starts;
}

static int enter_stretch(struct fth_thread_reader *reader, const struct fth_stretch *stretch,
                         struct fth_error **error)
{
    reader->stretch = (size_t)(stretch - reader->stretches) + 1;
    reader->current = stretch->track;
    reader->frames = stretch->frames;
    reader->share = stretch->share;
    reader->quantum = stretch->share->stored.facts.quantum;
    reader->piece = reader->block = 0;
    reader->tid = stretch->track->tid;
    const struct fth_part_process *process = &reader->share->stored;
    if (fth_timing_read_track(&reader->timing, process->facts.times, reader->current,
                              reader->frames + fth_track_block_bytes(reader->current),
                              process->signature_count, error))
        return fth_fail_in(error, "thread %" PRIu64, reader->thread);
    return 0;
}

/* The next one of the stretch, which has one. */
static int open_piece(struct fth_thread_reader *reader, struct fth_error **error)
{
    const struct fth_piece *piece = &reader->current->pieces[reader->piece++];
    reader->rules =
        fth_piece_rules(reader->share->part, piece, reader->share->stored.signature_count, error);
    if (!reader->rules)
        return -1;
    fth_rule_cursor_open(&reader->cursor, reader->rules);
    reader->left_in_piece = piece->calls;
    return 0;
}

static int next_piece(struct fth_thread_reader *reader, struct fth_error **error)
{
    drop_piece(reader);
    while (!reader->current || reader->piece == reader->current->piece_count) {
        if (reader->stretch == reader->stretch_count)
            return 0;
        if (enter_stretch(reader, &reader->stretches[reader->stretch], error))
            return -1;
    }
    return open_piece(reader, error) ? -1 : 1;
}

static void pass_by(void *context, uint32_t symbol, uint64_t times)
{
    (void)context;
    (void)symbol;
    (void)times;
}

int fth_thread_reader_go(struct fth_thread_reader *reader, const struct fth_stretch *stretch,
                         size_t block, const uint8_t *frames, struct fth_error **error)
{
    uint64_t before = 0;
    drop_piece(reader);
    if (enter_stretch(reader, stretch, error))
        return -1;
    for (size_t i = 0; i < block; i++)
        before += stretch->track->blocks[i].calls;
    reader->timing.calls = before;
    reader->block = block;
    reader->frames = frames;
    reader->left_in_block = reader->left_in_piece = 0;
    while (before >= stretch->track->pieces[reader->piece].calls)
        before -= stretch->track->pieces[reader->piece++].calls;
    if (open_piece(reader, error))
        return -1;
    fth_rule_cursor_skip(&reader->cursor, before, pass_by, NULL);
    reader->left_in_piece -= before;
    return 0;
}

static int next_block(struct fth_thread_reader *reader, struct fth_error **error)
{
    if (reader->block == reader->current->block_count)
        return fth_fail(error, "thread %" PRIu64 " has fewer times than calls", reader->thread);
    const struct fth_block *block = &reader->current->blocks[reader->block++];
    if (fth_columns_unpack(&reader->columns, reader->frames, block, error))
        return fth_fail_in(error, "block %zu of thread %" PRIu64, reader->block - 1,
                           reader->thread);
    reader->frames += block->time_stored + block->literal_stored;
    reader->left_in_block = block->calls;
    fth_timing_read_block(&reader->timing, reader->current, reader->block - 1);
    return 0;
}

/* Fills in what the signature left to the columns. */
static int take_literals(struct fth_thread_reader *reader, const struct fth_signature *signature,
                         int64_t *values, struct fth_error **error)
{
    const struct fth_meaning *meaning = &reader->trace->meanings[signature->function];
    for (uint32_t mask = signature->mask; mask; mask &= mask - 1) {
        unsigned i = (unsigned)__builtin_ctz(mask);
        if (fth_is_name(meaning->plan[i].part))
            continue;
        if (!fth_column_literal(&reader->columns, signature->function, i, &values[i]))
            return fth_fail(error, "block %zu of thread %" PRIu64 " lacks values of a column",
                            reader->block - 1, reader->thread);
    }
    return 0;
}

/* Names become texts. */
static int take_names(struct fth_thread_reader *reader, struct fth_raw_call *call,
                      struct fth_error **error)
{
    const struct fth_signature *signature = call->signature;
    const int64_t *kept = fth_name_numbers(&reader->share->stored, call->stored->numbers);
    for (int i = 0; i < call->meaning->name_count; i++) {
        unsigned value = call->meaning->names[i];
        const struct fth_template *template =
            fth_share_template(reader->share, reader->names, (uint32_t)call->values[value]);
        int64_t numbers[FTH_LIST_NUMBERS];
        bool literal = signature->mask >> value & 1;
        for (unsigned k = 0; k < template->count; k++)
            if (!literal)
                numbers[k] = *kept++;
            else if (k >= FTH_NAME_NUMBERS ||
                     !fth_column_literal(&reader->columns, signature->function, value + 32 * k,
                                         &numbers[k]))
                return fth_fail(error, "block %zu of thread %" PRIu64 " lacks numbers of a name",
                                reader->block - 1, reader->thread);
        call->values[value] = fth_state_name(&reader->state, template, numbers, literal);
    }
    return 0;
}

static int take_times(struct fth_thread_reader *reader, struct fth_raw_call *call, uint32_t symbol,
                      struct fth_error **error)
{
    bool note = call->meaning->note.any;
    const struct fth_timed_call timed = {.keys = {call->signature->function, symbol},
                                         .depth = call->depth,
                                         .note = note,
                                         .holds = reader->depth > call->depth && !note};
    uint64_t entry, exit;
    if (!fth_timing_read(&reader->timing, &timed, &reader->columns.times, &entry, &exit))
        return fth_fail(error, "block %zu of thread %" PRIu64 " lacks times", reader->block - 1,
                        reader->thread);
    call->entry = entry * reader->quantum;
    call->exit = exit * reader->quantum;
    return 0;
}

static void keep_start(struct fth_thread_reader *reader, uint32_t depth)
{
    if (!reader->keeps_starts || !reader->state.start.number || reader->start_count == MOST_STARTS)
        return;
    FTH_GROW(reader->starts, reader->start_count);
    reader->starts[reader->start_count++] = (struct fth_read_start){reader->state.start, depth};
}

/* The call that this symbol stands for, which the cursor has given. */
static int take_call(struct fth_thread_reader *reader, uint32_t symbol, struct fth_raw_call *call,
                     struct fth_error **error)
{
    const struct fth_stored_signature *stored = &reader->share->stored.terminals[symbol];
    const struct fth_signature *signature = stored->common;
    const int64_t *values = fth_share_values(reader->share, stored);
    for (unsigned i = 0; i < signature->count; i += FTH_VALUES_AT_ONCE)
        memcpy(&call->values[i], &values[i], FTH_VALUES_AT_ONCE * sizeof *values);
    reader->left_in_piece--;
    reader->left_in_block--;
    call->number = reader->share->first_signature + symbol;
    call->stored = stored;
    call->signature = signature;
    call->meaning = &reader->trace->meanings[signature->function];
    if (signature->mask && take_literals(reader, signature, call->values, error))
        return -1;
    if (call->meaning->name_count && take_names(reader, call, error))
        return -1;
    call->depth = signature->depth;
    call->flags = signature->flags;
    if (take_times(reader, call, symbol, error))
        return -1;
    fth_state_resolve(&reader->state, signature, call->values);
    return 0;
}

static bool may_pass(const struct fth_thread_reader *reader, uint32_t symbol,
                     const struct fth_unwanted *unwanted)
{
    const struct fth_signature *signature = reader->share->stored.terminals[symbol].common;
    const struct fth_meaning *meaning = &reader->trace->meanings[signature->function];
    if (signature->depth || meaning->name_count || meaning->note.any)
        return false;
    return !unwanted->functions[signature->function] ||
           (unwanted->bindings && unwanted->bindings[reader->share->first_signature + symbol] ==
                                      reader->state.version + 1);
}

int fth_thread_reader_pass(struct fth_thread_reader *reader, const struct fth_unwanted *unwanted,
                           uint64_t *passed, struct fth_error **error)
{
    struct fth_rule_cursor *cursor = &reader->cursor;
    struct fth_raw_call call;
    for (*passed = 0; reader->left_in_piece && reader->left_in_block && !reader->depth; ++*passed) {
        if (!cursor->times && !fth_rule_cursor_run(cursor, &cursor->terminal, &cursor->times))
            return 0;
        if (!may_pass(reader, cursor->terminal, unwanted))
            return 0;
        cursor->times--;
        if (take_call(reader, cursor->terminal, &call, error))
            return -1;
    }
    return 0;
}

static void keep_note(struct fth_thread_reader *reader, const struct fth_raw_call *note)
{
    struct fth_read_notes *notes = &reader->notes;
    const struct fth_signature *signature = note->signature;
    if (notes->count == FTH_MOST_NOTES || !note->meaning->note.binds ||
        reader->state.start.number || signature->mask || signature->steps ||
        signature->count > FTH_NOTE_VALUES) {
        notes->others = true;
        return;
    }
    struct fth_read_note *kept = &notes->items[notes->count++];
    *kept = (struct fth_read_note){.number = note->number};
    memcpy(kept->values, note->values, signature->count * sizeof *note->values);
}

int fth_thread_reader_next(struct fth_thread_reader *reader, struct fth_raw_call *call,
                           struct fth_error **error)
{
    reader->notes.count = 0;
    reader->notes.others = false;
    reader->state.contents.bytes = 0;
    reader->state.stood.is_reported = false;
    for (;;) {
        uint32_t symbol;
        while (!reader->left_in_piece) {
            int status = next_piece(reader, error);
            if (status <= 0)
                return status;
        }
        if (!reader->left_in_block && next_block(reader, error))
            return -1;
        if (!fth_rule_cursor_next(&reader->cursor, &symbol))
            return fth_fail(error, "a grammar of thread %" PRIu64 " is too short", reader->thread);
        if (take_call(reader, symbol, call, error))
            return -1;
        if (fth_state_note(&reader->state, call->meaning, call->values)) {
            keep_start(reader, call->depth);
            keep_note(reader, call);
            continue;
        }
        reader->depth = call->depth;
        return 1;
    }
}

/* ---- calls in a row ---- */

static struct fth_time_keys keys_of(const struct fth_thread_reader *reader,
                                    const struct fth_raw_call *raw)
{
    return (struct fth_time_keys){raw->signature->function,
                                  raw->number - reader->share->first_signature};
}

static uint32_t least(uint64_t one, uint32_t other)
{
    return one < other ? (uint32_t)one : other;
}

uint32_t fth_thread_reader_foresee(struct fth_thread_reader *reader, const struct fth_raw_call *raw,
                                   struct fth_timed *timed, uint32_t most, int64_t *step)
{
    uint32_t count = least(reader->left_in_piece, least(reader->left_in_block, most));
    count = least(reader->cursor.times, count);
    if (!count || !fth_state_step(&reader->state, raw->signature,
                                  fth_share_values(reader->share, raw->stored), count, step))
        return 0;
    return fth_timing_foresee(&reader->timing, keys_of(reader, raw), &reader->columns.times, timed,
                              count);
}

void fth_thread_reader_take(struct fth_thread_reader *reader, const struct fth_raw_call *raw,
                            const struct fth_timed *timed, uint32_t count, int64_t step)
{
    fth_timing_take(&reader->timing, keys_of(reader, raw), &reader->columns.times, timed, count);
    fth_state_go_on(&reader->state, raw->signature, fth_share_values(reader->share, raw->stored),
                    count, step);
    reader->cursor.times -= count;
    reader->left_in_piece -= count;
    reader->left_in_block -= count;
}
