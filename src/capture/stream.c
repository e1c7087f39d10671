/* Streams: opening them, sealing the live area into packed records, handing them from an ended thread to a new one. */
#include "capture/stream.h"

#include "base/varint.h"
#include "capture/process.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    MANY_STREAMS = 12, /* from here on live areas stay small: memory is for all threads together */
};

static struct fth_lock pool_lock;
static struct fth_recorder *pool;
static uint32_t threads;

/* ---- opening ---- */

static bool map_stream(struct fth_recorder *recorder, uint64_t live_bytes)
{
    struct fth_stream *stream = recorder->stream;
    char path[512];
    int error = 0;
    fth_stream_path(path, sizeof path, stream->number);
    int file = fth_open_file(path, O_RDWR | O_CREAT, &error);
    void *live = NULL, *page = stream->page;
    if (file >= 0) {
        if (!page)
            page = fth_map_file(file, 0, FTH_SPILL_PAGE, &error);
        if (page)
            live = fth_map_file(file, FTH_SPILL_LIVE, live_bytes, &error);
        fth_close_file(file);
    }
    if (!live) {
        if (page && page != stream->page)
            fth_unmap(page, FTH_SPILL_PAGE);
        fth_process_stop(error);
        return false;
    }
    /* a signal handler may count a lost call at any instant: never into memory that is gone */
    recorder->live = live;
    atomic_signal_fence(memory_order_seq_cst);
    if (stream->live)
        fth_unmap(stream->live, stream->live_bytes);
    stream->page = page;
    stream->live = live;
    stream->live_bytes = live_bytes;
    return true;
}

/* Makes what has been sealed valid, all at once, and empties the live area. */
static void publish(struct fth_recorder *recorder, uint64_t snapshot_bytes, uint64_t snapshot_calls)
{
    struct fth_stream *stream = recorder->stream;
    uint64_t sequence = stream->sequence + 1;
    struct fth_spill_commit *commit = &stream->page->commits[sequence % 2];
    struct fth_spill_commit made = {sequence,       stream->sealed_end, stream->live_bytes,
                                    snapshot_bytes, snapshot_calls,     0};
    made.check = fth_spill_check(&made);
    *(volatile uint64_t *)&commit->check = 0;
    atomic_signal_fence(memory_order_seq_cst);
    memcpy(commit, &made, sizeof made - 8);
    atomic_signal_fence(memory_order_seq_cst);
    *(volatile uint64_t *)&commit->check = made.check;
    atomic_signal_fence(memory_order_seq_cst);
    struct fth_spill_live *live = stream->live;
    live->used = 0;
    live->base = recorder->last_exit;
    live->thread = stream->thread;
    live->tid = stream->tid;
    atomic_signal_fence(memory_order_seq_cst);
    *(volatile uint64_t *)&live->sequence = sequence;
    stream->sequence = sequence;
    stream->block_base = recorder->last_exit;
    recorder->live = live;
    recorder->at = (uint32_t *)(live + 1);
    recorder->end = (uint32_t *)live + stream->live_bytes / 4;
}

static void begin_thread(struct fth_recorder *recorder)
{
    struct fth_stream *stream = recorder->stream;
    memset(recorder->cursors, 0, sizeof recorder->cursors);
    memset(recorder->bound, 0, sizeof recorder->bound);
    recorder->depth = recorder->context = recorder->last_depth = recorder->busy = recorder->cwd = 0;
    recorder->until_digest = FTH_DIGEST;
    recorder->last_exit = fth_ticks();
    fth_lock(&pool_lock);
    stream->thread = threads++;
    fth_unlock(&pool_lock);
    stream->tid = syscall(SYS_gettid);
    publish(recorder, 0, 0);
}

static size_t recorder_bytes(void)
{
    return sizeof(struct fth_recorder) + sizeof(struct fth_stream) + sizeof(struct fth_signatures) +
           fth_grammar_bytes(FTH_GRAMMAR_NODES) + 64;
}

static struct fth_recorder *make_recorder(void)
{
    char *memory = fth_map_memory(recorder_bytes());
    if (!memory) {
        fth_process_stop(errno);
        return NULL;
    }
    struct fth_recorder *recorder = (struct fth_recorder *)memory;
    recorder->stream = (struct fth_stream *)(recorder + 1);
    recorder->signatures = (struct fth_signatures *)(recorder->stream + 1);
    struct fth_stream *stream = recorder->stream;
    stream->number = __atomic_fetch_add(&fth_process->streams, 1, __ATOMIC_RELAXED);
    stream->sealed_end = FTH_SPILL_SEALED;
    if (!map_stream(recorder, FTH_SPILL_LIVE_FIRST)) {
        fth_unmap(memory, recorder_bytes());
        return NULL;
    }
    stream->page->image = fth_process->image;
    stream->page->magic = FTH_SPILL_STREAM_MAGIC;
    return recorder;
}

struct fth_recorder *fth_recorder_take(void)
{
    fth_lock(&pool_lock);
    struct fth_recorder *recorder = pool;
    if (recorder)
        pool = recorder->next_free;
    fth_unlock(&pool_lock);
    if (!recorder)
        recorder = make_recorder();
    if (recorder)
        begin_thread(recorder);
    return recorder;
}

void fth_recorder_release(struct fth_recorder *recorder)
{
    recorder->busy = 1;
    if (!fth_seal(recorder, true))
        return;
    fth_lock(&pool_lock);
    recorder->next_free = pool;
    pool = recorder;
    fth_unlock(&pool_lock);
}

void fth_recorder_drop_inherited(struct fth_recorder *recorder)
{
    pool = NULL;
    pool_lock.owner = NULL;
    threads = 0;
    if (!recorder)
        return;
    fth_unmap(recorder->stream->page, FTH_SPILL_PAGE);
    fth_unmap(recorder->stream->live, recorder->stream->live_bytes);
    fth_unmap(recorder, recorder_bytes());
}

/* ---- the grammar ---- */

void fth_digest(struct fth_recorder *recorder)
{
    struct fth_stream *stream = recorder->stream;
    if (!stream->grammar) {
        uintptr_t place = ((uintptr_t)(recorder->signatures + 1) + 15) & ~(uintptr_t)15;
        stream->grammar = fth_grammar_place((void *)place, FTH_GRAMMAR_NODES);
    }
    for (uint32_t i = 0; i < FTH_DIGEST - recorder->until_digest; i++)
        fth_grammar_append(stream->grammar, stream->pending[i]);
    recorder->until_digest = FTH_DIGEST;
    if (fth_grammar_full(stream->grammar))
        fth_seal(recorder, false);
}

/* ---- sealing ---- */

/* What a seal writes: records one after another, then the snapshot. */
struct packing {
    uint8_t *start, *at;
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

static const uint32_t *definition_end(const uint32_t *word)
{
    return word + word[1];
}

static const uint32_t *call_end(const uint32_t *word)
{
    return word + 3 + (word[1] == FTH_LIVE_LONG ? 2 : 0) + (word[2] == FTH_LIVE_LONG ? 2 : 0) +
           2 * (word[0] >> 24);
}

static bool is_definition(const uint32_t *word)
{
    return (*word & FTH_LIVE_DEFINITION) == FTH_LIVE_DEFINITION;
}

static void pack_definitions(struct packing *packing, const uint32_t *from, const uint32_t *to)
{
    struct fth_spill_record *record = begin_record(packing, FTH_SPILL_DEFINITIONS);
    while (from < to) {
        if (!is_definition(from)) {
            from = call_end(from);
            continue;
        }
        size_t bytes = from[1] * 4u;
        memcpy(packing->at, from, bytes);
        packing->at += bytes;
        from = definition_end(from);
    }
    end_record(packing, record);
}

/* One call: gap, duration, literals, each in as few bytes as it needs. */
static uint8_t *pack_call(uint8_t *to, const uint32_t *word)
{
    uint64_t gap = word[1], duration = word[2];
    unsigned literals = word[0] >> 24;
    const uint32_t *more = word + 3;
    if (gap == FTH_LIVE_LONG) {
        memcpy(&gap, more, 8);
        more += 2;
    }
    if (duration == FTH_LIVE_LONG) {
        memcpy(&duration, more, 8);
        more += 2;
    }
    to = fth_put_varint(fth_put_varint(to, gap), duration);
    for (; literals--; more += 2) {
        int64_t literal;
        memcpy(&literal, more, 8);
        to = fth_put_varint(to, fth_zigzag(literal));
    }
    return to;
}

static void pack_block(struct packing *packing, const struct fth_stream *stream, const uint32_t *from,
                       const uint32_t *to)
{
    struct fth_spill_record *record = begin_record(packing, FTH_SPILL_BLOCK);
    struct fth_spill_block *block = (struct fth_spill_block *)packing->at;
    *block = (struct fth_spill_block){stream->block_base, stream->tid, stream->thread, 0};
    packing->at += sizeof *block;
    while (from < to) {
        if (is_definition(from)) {
            from = definition_end(from);
            continue;
        }
        packing->at = pack_call(packing->at, from);
        block->calls++;
        from = call_end(from);
    }
    end_record(packing, record);
}

static void pack_grammar(struct packing *packing, struct fth_grammar *grammar)
{
    struct fth_spill_record *record = begin_record(packing, FTH_SPILL_GRAMMAR);
    uint64_t calls = fth_grammar_length(grammar);
    memcpy(packing->at, &calls, 8);
    packing->at = fth_grammar_write(grammar, packing->at + 8);
    end_record(packing, record);
    fth_grammar_reset(grammar);
}

/* Three words of a call become at most 30 bytes, two of a literal at most 10; definitions stay as they are. */
static size_t packing_bound(const struct fth_stream *stream, size_t words)
{
    return words * 10 + 4 * sizeof(struct fth_spill_record) + sizeof(struct fth_spill_block) + 256 +
           2 * (stream->grammar ? fth_grammar_write_bound(stream->grammar) : 0);
}

/* Writes records at the stream's end and the snapshot at its place. */
static bool write_sealed(struct fth_stream *stream, const struct packing *packing, const uint8_t *snapshot,
                         size_t snapshot_bytes)
{
    char path[512];
    int error = 0;
    fth_stream_path(path, sizeof path, stream->number);
    int file = fth_open_file(path, O_RDWR, &error);
    size_t bytes = (size_t)(packing->at - packing->start);
    uint64_t place = FTH_SPILL_SNAPSHOT * (1 + (stream->sequence + 1) % 2);
    bool written = file >= 0 &&
                   fth_write_file(file, packing->start, bytes, stream->sealed_end, &error) &&
                   fth_write_file(file, snapshot, snapshot_bytes, place, &error);
    if (file >= 0)
        fth_close_file(file);
    if (written)
        stream->sealed_end += bytes;
    else
        fth_process_stop(error);
    return written;
}

/* Seals; `finish` closes the grammar, `anew` makes strings and signatures start from nothing after it. */
static bool seal(struct fth_recorder *recorder, bool finish, bool anew)
{
    struct fth_stream *stream = recorder->stream;
    if (recorder->until_digest != FTH_DIGEST)
        fth_digest(recorder);
    const uint32_t *from = (const uint32_t *)(recorder->live + 1), *to = recorder->at;
    if (stream->grammar && fth_grammar_full(stream->grammar))
        finish = true;
    size_t bound = packing_bound(stream, (size_t)(to - from));
    struct packing packing = {fth_map_memory(bound), NULL};
    if (!packing.start) {
        fth_process_stop(errno);
        return false;
    }
    packing.at = packing.start;
    pack_definitions(&packing, from, to);
    pack_block(&packing, stream, from, to);
    if (finish && stream->grammar)
        pack_grammar(&packing, stream->grammar);
    if (anew)
        end_record(&packing, begin_record(&packing, FTH_SPILL_RESET));
    uint8_t *snapshot = packing.at;
    uint64_t calls = stream->grammar ? fth_grammar_length(stream->grammar) : 0;
    size_t snapshot_bytes =
        calls ? (size_t)(fth_grammar_write(stream->grammar, snapshot) - snapshot) : 0;
    bool written = write_sealed(stream, &packing, snapshot, snapshot_bytes);
    fth_unmap(packing.start, bound);
    if (!written)
        return false;
    bool grow = stream->live_bytes < FTH_SPILL_LIVE_LATER && fth_process->streams < MANY_STREAMS;
    if (grow && !map_stream(recorder, FTH_SPILL_LIVE_LATER))
        return false;
    uint64_t excluded = stream->live->excluded, lost = stream->live->lost;
    publish(recorder, snapshot_bytes, calls);
    stream->live->excluded = excluded;
    stream->live->lost = lost;
    fth_process_touch();
    return true;
}

bool fth_seal(struct fth_recorder *recorder, bool last)
{
    return fth_process && seal(recorder, last, false);
}

void fth_start_anew(struct fth_recorder *recorder)
{
    struct fth_signatures *known = recorder->signatures;
    fth_digest(recorder);
    if (!fth_process || !seal(recorder, true, true))
        return;
    known->count = known->strings = known->key_words = 0;
    memset(known->table, 0, sizeof known->table);
    memset(known->texts, 0, sizeof known->texts);
}

uint32_t *fth_live_room(struct fth_recorder *recorder, size_t words)
{
    if (FTH_LIKELY((size_t)(recorder->end - recorder->at) >= words))
        return recorder->at;
    if (!fth_seal(recorder, false) || (size_t)(recorder->end - recorder->at) < words)
        return NULL;
    return recorder->at;
}
