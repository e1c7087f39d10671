/* The live area of a stream is packed into sealed records when it is full, and brought in order
 * after a signal handler has jumped out of the middle of this. */
#include "base/varint.h"
#include "capture/process/budget.h"
#include "capture/process/process.h"
#include "capture/process/process_file.h"
#include "capture/process/spill_folder.h"
#include "capture/record/steps.h"
#include "capture/record/stop.h"
#include "capture/record/stream.h"
#include "capture/record/sum_stream.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/sandbox.h"
#include "interpose/own/held_signals.h"
#include "interpose/own/stack.h"
#include "trace/columns/succession.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    MANY_STREAMS = 12, /* from here on live areas stay small: memory is for all threads together */
    LARGER_AREAS = 32, /* that the budget has room for, or they stay small */
};

/* What a seal writes: records one after another. In memory that is all zero. */
struct packing {
    struct fth_succession succession;
    uint8_t *at, start[];
};

static struct fth_spill_record *begin_record(struct packing *packing, uint32_t kind)
{
    struct fth_spill_record *record = (struct fth_spill_record *)packing->at;
    *record = (struct fth_spill_record){FTH_SPILL_RECORD_MAGIC, kind, 0};
    packing->at += sizeof *record;
    return record;
}

static void end_record(struct packing *packing, struct fth_spill_record *record)
{
    record->bytes = (uint64_t)(packing->at - (uint8_t *)(record + 1));
    while ((packing->at - packing->start) % 8)
        *packing->at++ = 0;
}

/* Does the live area define strings or signatures? */
static bool has_definitions(const struct fth_recorder *recorder)
{
    const struct fth_stream *stream = recorder->stream;
    const struct fth_signatures *signatures = recorder->signatures;
    return signatures->known.count != stream->signatures ||
           signatures->strings.count != stream->strings;
}

static void pack_definitions(struct packing *packing, const uint32_t *from, const uint32_t *to)
{
    struct fth_spill_record *record = begin_record(packing, FTH_SPILL_DEFINITIONS);
    while (from < to) {
        if (!fth_live_is_definition(from)) {
            from = fth_live_call_end(from);
            continue;
        }
        size_t bytes = from[1] * 4u;
        memcpy(packing->at, from, bytes);
        packing->at += bytes;
        from = fth_live_definition_end(from);
    }
    end_record(packing, record);
}

/* One call: gap, duration, literals, each in as few bytes as it needs. `word` goes behind it. */
static uint8_t *pack_call(uint8_t *to, const uint32_t **word)
{
    const uint32_t *call = *word, *more = call + 3;
    uint64_t gap = call[1], duration = call[2];
    if (gap == FTH_LIVE_LONG) {
        memcpy(&gap, more, 8);
        more += 2;
    }
    if (duration == FTH_LIVE_LONG) {
        memcpy(&duration, more, 8);
        more += 2;
    }
    to = fth_put_varint(fth_put_varint(to, gap), duration);
    for (unsigned literals = call[0] >> 24; literals--; more += 2) {
        int64_t literal;
        memcpy(&literal, more, 8);
        to = fth_put_varint(to, fth_zigzag(literal));
    }
    *word = more;
    return to;
}

_Static_assert(FTH_KNOWN_MOST <= 1 << 16, "symbols of 16 bits");
/* Of a call: a run of 32 bits and a symbol of 16. */
enum { SYMBOL_BYTES = 5 + 3, CALL_WORDS = 3 };

/* In one pass: calls are packed behind all the room that their symbols may take, and then move up
 * to these. */
static void pack_block(struct packing *packing, const struct fth_stream *stream,
                       const uint32_t *from, const uint32_t *to)
{
    struct fth_spill_record *record = begin_record(packing, FTH_SPILL_BLOCK);
    struct fth_spill_block *block = (struct fth_spill_block *)packing->at;
    *block = (struct fth_spill_block){stream->block_base, stream->tid, stream->thread, 0, 0};
    uint8_t *start = packing->at + sizeof *block, *symbols = start;
    uint8_t *calls = start + (size_t)(to - from) / CALL_WORDS * SYMBOL_BYTES, *end = calls;
    while (from < to) {
        if (fth_live_is_definition(from)) {
            from = fth_live_definition_end(from);
            continue;
        }
        symbols =
            fth_succession_put(&packing->succession, symbols, *from & (FTH_LIVE_MOST_SYMBOLS - 1));
        end = pack_call(end, &from);
        block->calls++;
    }
    block->symbol_bytes = (uint64_t)(symbols - start);
    memmove(symbols, calls, (size_t)(end - calls));
    packing->at = symbols + (end - calls);
    end_record(packing, record);
}

/* Three words of a call become at most 10 bytes beside the room of its symbol, two of a literal or
 * a long time at most 10; definitions stay as they are. */
static size_t packing_bound(size_t words)
{
    return sizeof(struct packing) + words * 10 + 4 * sizeof(struct fth_spill_record) +
           sizeof(struct fth_spill_block) + 256;
}

/* A seal on its way. */
struct sealing {
    const struct fth_stream *stream;
    const uint8_t *records;
    size_t bytes;
    bool written;
    int error;
};

/* Writes records at the stream's end. */
static void write_sealed(void *argument)
{
    struct sealing *sealing = argument;
    const struct fth_stream *stream = sealing->stream;
    char name[FTH_LONGEST_STREAM_NAME];
    fth_name_stream_file(name, stream->number, ".sealed");
    int file = fth_spill_open(name, O_RDWR | O_CREAT, &sealing->error);
    if (file < 0)
        return;
    sealing->written =
        fth_file_write(file, sealing->records, sealing->bytes, stream->sealed_end, &sealing->error);
    fth_file_close(file);
}

/* A record that makes strings and signatures start from nothing. */
static void pack_start(struct packing *packing, const struct fth_recorder *recorder,
                       enum fth_spill_kind kind)
{
    struct fth_spill_record *record = begin_record(packing, kind);
    if (kind == FTH_SPILL_SUMMED) {
        struct fth_spill_summed *summed = (struct fth_spill_summed *)packing->at;
        *summed = (struct fth_spill_summed){recorder->last_exit};
        packing->at += sizeof *summed;
    }
    if (kind == FTH_SPILL_MERGED) {
        struct fth_spill_merged *merged = (struct fth_spill_merged *)packing->at;
        *merged = (struct fth_spill_merged){recorder->last_exit, recorder->stream->tid,
                                            recorder->stream->thread, recorder->last_depth};
        packing->at += sizeof *merged;
    }
    end_record(packing, record);
}

/* For the block that is the last one before calls are added up there is a reserve. Returns what was
 * taken; 0: there is nothing left. */
static uint64_t take_budget(struct fth_stream *stream, uint64_t bytes)
{
    if (fth_budget_take(bytes))
        return bytes;
    uint64_t reserve = stream->reserve;
    stream->reserve = 0;
    return reserve >= bytes ? reserve : 0;
}

/* Packs what there is and writes it; what fails can be done again. `start`: how strings and
 * signatures start from nothing after it, or 0. */
static bool pack_and_write(struct fth_recorder *recorder, enum fth_spill_kind start)
{
    struct fth_stream *stream = recorder->stream;
    const uint32_t *from = (const uint32_t *)(recorder->live + 1), *to = recorder->at;
    size_t bound = packing_bound((size_t)(to - from));
    struct packing *packing = fth_map_memory(bound);
    if (!packing)
        return fth_recording_lacks_memory();
    packing->at = packing->start;
    if (has_definitions(recorder))
        pack_definitions(packing, from, to);
    pack_block(packing, stream, from, to);
    if (start)
        pack_start(packing, recorder, start);
    struct sealing made = {.stream = stream,
                           .records = packing->start,
                           .bytes = (size_t)(packing->at - packing->start),
                           .error = FTH_NO_BUDGET};
    uint64_t taken = take_budget(stream, made.bytes);
    if (taken)
        fth_apart_or_alone(write_sealed, &made);
    fth_unmap(packing, bound);
    if (!made.written) {
        fth_budget_give(taken);
        return fth_recording_fails(made.error);
    }
    stream->sealed_end += made.bytes;
    return true;
}

/* Words of the live area, with those that are not asked for yet. */
static ptrdiff_t left_of(const struct fth_recorder *recorder)
{
    const struct fth_stream *stream = recorder->stream;
    return (uint32_t *)stream->live + stream->live_bytes / 4 - recorder->at;
}

/* Soon, where the budget is short, or what is kept of the live area takes much of it. */
static void wish_to_start_anew(struct fth_recorder *recorder)
{
    struct fth_stream *stream = recorder->stream;
    ptrdiff_t kept = recorder->at - (uint32_t *)stream->live, left = left_of(recorder);
    if (stream->is_summed ? left < kept : fth_budget_is_short(6))
        fth_known_end_soon(&recorder->signatures->known, true);
    stream->is_urgent = stream->is_summed ? left < kept / 3 : fth_budget_is_short(7);
}

static bool seal(struct fth_recorder *recorder, enum fth_spill_kind start)
{
    struct fth_stream *stream = recorder->stream;
    if (!(stream->is_summed ? fth_summed_add(recorder) : pack_and_write(recorder, start)))
        return false;
    const struct fth_spill_live before = *stream->live;
    bool was_full = recorder->at - (uint32_t *)stream->live > left_of(recorder);
    bool grow = was_full && stream->live_bytes < FTH_SPILL_LIVE_LATER &&
                fth_process->streams < MANY_STREAMS && !stream->is_summed &&
                fth_budget_has(LARGER_AREAS * FTH_SPILL_LIVE_LATER);
    if (grow)
        fth_stream_grow(recorder, FTH_SPILL_LIVE_LATER);
    fth_stream_publish(recorder, stream->is_summed && !start);
    wish_to_start_anew(recorder);
    stream->live->excluded = before.excluded;
    stream->live->lost = before.lost;
    stream->live->left = before.left;
    stream->live->deep = before.deep;
    stream->live->passed = before.passed;
    stream->live->unkept = before.unkept;
    fth_process_touch();
    return true;
}

/* A seal that is due. */
struct due {
    struct fth_recorder *recorder;
    enum fth_spill_kind start;
    bool sealed;
};

static void seal_now(void *argument)
{
    struct due *due = argument;
    due->sealed = seal(due->recorder, due->start);
}

bool fth_seal(struct fth_recorder *recorder)
{
    struct due due = {.recorder = recorder};
    if (fth_aside || recorder->retired || recorder->nowhere || !fth_process || fth_process->stopped)
        return false;
    fth_on_own_stack(seal_now, &due);
    return due.sealed;
}

/* Sites know symbols that may not count any more. */
static void forget_symbols(struct fth_signatures *signatures)
{
    for (int i = 0; i < FTH_SITES; i++)
        if (signatures->sites[i].symbol)
            signatures->sites[i].symbol = 0;
}

/* Nothing is a step any more. */
static void end_steps(struct fth_recorder *recorder)
{
    recorder->stepping->off = true;
    for (int i = 0; i < FTH_SITES; i++) {
        struct fth_recorder_site *site = &recorder->signatures->sites[i];
        site->mask |= site->steps;
        site->steps = 0;
    }
}

/* Bindings start cursors anew, and the trails of their slots. */
static void note_again(struct fth_recorder *recorder)
{
    memset(recorder->bound, 0, sizeof recorder->bound);
    recorder->cwd = 0;
}

static void seal_and_forget(void *argument)
{
    struct due *due = argument;
    struct fth_signatures *signatures = due->recorder->signatures;
    if (due->start == FTH_SPILL_SUMMED && !fth_summed_open(due->recorder->stream))
        return;
    due->sealed = seal(due->recorder, due->start);
    if (!due->sealed)
        return;
    due->recorder->stream->signatures = due->recorder->stream->strings = 0;
    fth_known_forget(&signatures->known);
    fth_known_forget(&signatures->strings);
    forget_symbols(signatures);
}

static bool start_anew(struct fth_recorder *recorder, enum fth_spill_kind how)
{
    struct due due = {.recorder = recorder, .start = how};
    if (fth_process && !fth_process->stopped && !recorder->retired)
        fth_on_own_stack(seal_and_forget, &due);
    return due.sealed;
}

bool fth_start_anew(struct fth_recorder *recorder)
{
    struct fth_stream *stream = recorder->stream;
    bool begins = !stream->is_summed && fth_budget_is_short(6);
    bool done = start_anew(recorder, begins ? FTH_SPILL_SUMMED : FTH_SPILL_RESET);
    fth_known_end_soon(&recorder->signatures->known, false);
    stream->is_urgent = false;
    if (!done)
        return false;
    if (begins)
        end_steps(recorder);
    stream->is_summed |= begins;
    if (stream->is_summed)
        note_again(recorder);
    return true;
}

void fth_recorder_merged(void)
{
    struct fth_recorder *recorder = fth_self;
    if (!recorder || fth_aside || !start_anew(recorder, FTH_SPILL_MERGED))
        return;
    end_steps(recorder);
    note_again(recorder);
}

enum { PATIENCE = 1000 };

uint32_t *fth_live_room(struct fth_recorder *recorder, size_t words)
{
    struct fth_stream *stream = recorder->stream;
    /* the end of one that is retired, or has stopped, lies before where it is */
    if (FTH_UNLIKELY(recorder->retired || !fth_process || fth_process->stopped))
        return NULL;
    while ((size_t)(recorder->end - recorder->at) < words && fth_stream_reach(recorder))
        continue;
    if (FTH_LIKELY((size_t)(recorder->end - recorder->at) >= words))
        return recorder->at;
    if (stream->patience) {
        stream->patience--;
        return NULL;
    }
    if (!fth_seal(recorder)) {
        stream->patience = PATIENCE;
        return NULL;
    }
    return (size_t)(recorder->end - recorder->at) < words ? NULL : recorder->at;
}

/* ---- after a signal handler has jumped out of the middle of this ---- */

/* Definitions and calls count from the moment that the live area says so; the tables are brought in
 * line with it. */
static void recount(struct fth_recorder *recorder)
{
    struct fth_stream *stream = recorder->stream;
    struct fth_signatures *signatures = recorder->signatures;
    const uint32_t *word = (const uint32_t *)(recorder->live + 1),
                   *end = word + recorder->live->used;
    recorder->at = (uint32_t *)end;
    signatures->known.count = stream->signatures;
    signatures->strings.count = stream->strings;
    forget_symbols(signatures);
    while (word < end) {
        if (!fth_live_is_definition(word)) {
            word = fth_live_call_end(word);
            continue;
        }
        signatures->known.count += (*word & 0xff) == FTH_LIVE_SIGNATURE;
        signatures->strings.count += (*word & 0xff) == FTH_LIVE_STRING;
        word = fth_live_definition_end(word);
    }
}

/* What calls that may or may not be in the trace did to trails and cursors, nobody knows. */
static void mend(struct fth_recorder *recorder)
{
    recount(recorder);
    end_steps(recorder);
    note_again(recorder);
    recorder->depth = recorder->context = recorder->last_depth = 0;
    recorder->jumped = false;
    recorder->busy = 0;
}

bool fth_recorder_mend(struct fth_recorder *recorder)
{
    if (!fth_process)
        return false;
    uint64_t signals = fth_signals_wait();
    mend(recorder);
    fth_signals_go(signals);
    return true;
}
