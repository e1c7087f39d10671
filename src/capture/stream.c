/* Streams: opening them, sealing the live area into packed records, handing them from an ended
 * thread to a new one. */
#include "capture/stream.h"

#include "base/varint.h"
#include "capture/process.h"
#include "capture/reference.h"
#include "capture/regions.h"
#include "capture/signal_stack.h"
#include "capture/steps.h"
#include "capture/unkept.h"
#include "interpose/own/apart.h"
#include "interpose/own/files.h"
#include "interpose/own/memory.h"
#include "interpose/own/sandbox.h"
#include "interpose/own/signals.h"
#include "interpose/own/stack.h"
#include "trace/columns/succession.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    MANY_STREAMS = 12, /* from here on live areas stay small: memory is for all threads together */
};

static struct fth_lock pool_lock;
static struct fth_recorder *pool, *nowhere_pool, *in_use;
static uint32_t threads;

/* ---- opening ---- */

/* What went wrong ends the recording, unless it will pass. */
static bool fails(int error)
{
    if (fth_error_is_passing(error))
        fth_unkept_since(error);
    else
        fth_process_stop(error);
    return false;
}

/* That will pass, too; behind a filter of system calls none is asked for, and recording has
 * ended. */
static bool lacks_memory(void)
{
    return fth_is_filtered ? false : fails(ENOMEM);
}

/* What is mapped anew. */
struct mapping {
    const struct fth_stream *stream;
    uint64_t live_bytes;
    void *page, *live; /* NULL: it failed */
    int error;
};

static void map_stream_file(void *argument)
{
    struct mapping *mapping = argument;
    int file = fth_open_stream_file(mapping->stream->number, &mapping->error);
    if (file < 0)
        return;
    mapping->page = mapping->stream->page;
    if (!mapping->page)
        mapping->page = fth_file_map(file, 0, FTH_SPILL_PAGE, &mapping->error);
    if (mapping->page)
        mapping->live = fth_file_map(file, FTH_SPILL_LIVE, mapping->live_bytes, &mapping->error);
    fth_file_close(file);
}

static bool map_stream(struct fth_recorder *recorder, uint64_t live_bytes)
{
    struct fth_stream *stream = recorder->stream;
    struct mapping made = {.stream = stream, .live_bytes = live_bytes};
    fth_apart(map_stream_file, &made);
    if (!made.live) {
        if (made.page && made.page != stream->page)
            fth_unmap(made.page, FTH_SPILL_PAGE);
        return fails(made.error);
    }
    /* a signal handler may count a lost call at any instant: never into memory that is gone */
    recorder->live = made.live;
    atomic_signal_fence(memory_order_seq_cst);
    if (stream->live)
        fth_unmap(stream->live, stream->live_bytes);
    stream->page = made.page;
    stream->live = made.live;
    stream->live_bytes = live_bytes;
    return true;
}

/* Makes what has been sealed valid, all at once, and empties the live area. */
static void publish(struct fth_recorder *recorder)
{
    struct fth_stream *stream = recorder->stream;
    uint64_t sequence = stream->sequence + 1;
    struct fth_spill_commit *commit = &stream->page->commits[sequence % 2];
    struct fth_spill_commit made = {sequence, stream->sealed_end, stream->live_bytes, 0};
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
    stream->signatures = recorder->signatures->count;
    stream->strings = recorder->signatures->strings;
}

static void begin_thread(struct fth_recorder *recorder)
{
    struct fth_stream *stream = recorder->stream;
    memset(recorder->cursors, 0, sizeof recorder->cursors);
    memset(recorder->bound, 0, sizeof recorder->bound);
    fth_steps_begin(recorder->stepping);
    recorder->depth = recorder->context = recorder->last_depth = recorder->cwd = 0;
    recorder->busy = 0;
    recorder->jumped = false;
    recorder->last_exit = fth_ticks();
    fth_lock(&pool_lock);
    stream->thread = threads++;
    fth_unlock(&pool_lock);
    stream->tid = syscall(SYS_gettid);
    publish(recorder);
    fth_signal_stack_known(recorder);
}

static size_t recorder_bytes(void)
{
    return sizeof(struct fth_recorder) + sizeof(struct fth_stream) + sizeof(struct fth_signatures) +
           sizeof(struct fth_stepping);
}

/* In memory that is all zero. */
static void arrange(struct fth_recorder *recorder)
{
    recorder->stream = (struct fth_stream *)(recorder + 1);
    recorder->signatures = (struct fth_signatures *)(recorder->stream + 1);
    recorder->stepping = (struct fth_stepping *)(recorder->signatures + 1);
}

static bool open_stream(struct fth_recorder *recorder)
{
    arrange(recorder);
    struct fth_stream *stream = recorder->stream;
    stream->number = __atomic_fetch_add(&fth_process->streams, 1, __ATOMIC_RELAXED);
    stream->sealed_end = FTH_SPILL_SEALED;
    if (!map_stream(recorder, FTH_SPILL_LIVE_FIRST))
        return false;
    stream->page->image = fth_process->image;
    stream->page->magic = FTH_SPILL_STREAM_MAGIC;
    return true;
}

static void list(struct fth_recorder *recorder)
{
    fth_lock(&pool_lock);
    recorder->next_made = in_use;
    in_use = recorder;
    fth_unlock(&pool_lock);
}

static struct fth_recorder *make_recorder(void)
{
    struct fth_recorder *recorder = fth_map_memory(recorder_bytes());
    if (!recorder)
        lacks_memory();
    if (recorder && !open_stream(recorder)) {
        fth_unmap(recorder, recorder_bytes());
        return NULL;
    }
    if (recorder)
        list(recorder);
    return recorder;
}

/* What the thread before left there is sealed now: most threads are not followed by another. */
struct fth_recorder *fth_recorder_take(void)
{
    fth_lock(&pool_lock);
    struct fth_recorder *recorder = pool;
    if (recorder)
        pool = recorder->next_free;
    fth_unlock(&pool_lock);
    if (recorder && !fth_seal(recorder))
        return NULL;
    if (!recorder)
        recorder = make_recorder();
    if (recorder)
        begin_thread(recorder);
    return recorder;
}

struct fth_recorder *fth_recorder_take_for(int64_t tid, uint64_t begin)
{
    struct fth_recorder *recorder = fth_recorder_take();
    if (!recorder)
        return NULL;
    struct fth_stream *stream = recorder->stream;
    stream->tid = stream->live->tid = tid;
    recorder->last_exit = stream->block_base = stream->live->base = begin;
    return recorder;
}

static struct fth_recorder *make_nowhere(void)
{
    struct fth_recorder *recorder = fth_map_memory(recorder_bytes());
    struct fth_spill_live *live = recorder ? fth_map_memory(FTH_SPILL_PAGE) : NULL;
    if (!live) {
        if (recorder)
            fth_unmap(recorder, recorder_bytes());
        return NULL;
    }
    arrange(recorder);
    recorder->nowhere = true;
    recorder->live = recorder->stream->live = live;
    recorder->stream->live_bytes = FTH_SPILL_PAGE;
    recorder->at = recorder->end = (uint32_t *)(live + 1);
    list(recorder);
    return recorder;
}

struct fth_recorder *fth_recorder_take_nowhere(void)
{
    fth_lock(&pool_lock);
    struct fth_recorder *recorder = nowhere_pool;
    if (recorder)
        nowhere_pool = recorder->next_free;
    fth_unlock(&pool_lock);
    if (!recorder)
        return make_nowhere();
    recorder->depth = recorder->context = recorder->last_depth = recorder->cwd = 0;
    recorder->busy = 0;
    recorder->jumped = false;
    return recorder;
}

void fth_recorder_release(struct fth_recorder *recorder)
{
    if (recorder->busy && !fth_recorder_mend(recorder))
        return;
    fth_regions_end_all(recorder);
    fth_drop_stale_frames(recorder, UINTPTR_MAX);
    recorder->busy = FTH_BUSY_ELSEWHERE;
    fth_lock(&pool_lock);
    struct fth_recorder **free = recorder->nowhere ? &nowhere_pool : &pool;
    recorder->next_free = *free;
    *free = recorder;
    fth_unlock(&pool_lock);
}

static void unmap_stream(struct fth_stream *stream)
{
    if (stream->page)
        fth_unmap(stream->page, FTH_SPILL_PAGE);
    fth_unmap(stream->live, stream->live_bytes);
    fth_reference_close(stream);
}

void fth_recorder_drop(struct fth_recorder *recorder)
{
    unmap_stream(recorder->stream);
    fth_unmap(recorder, recorder_bytes());
}

void fth_recorder_drop_inherited(struct fth_recorder *recorder)
{
    pool = nowhere_pool = in_use = NULL;
    pool_lock.owner = NULL;
    threads = 0;
    if (recorder)
        fth_recorder_drop(recorder);
}

/* ---- from one recording of this process to the next ---- */

static void retire(struct fth_recorder *recorder)
{
    recorder->retired = true;
    /* a call that is open finds no room; the next one comes to fth_begin_rarely */
    __atomic_store_n(&recorder->end, (uint32_t *)(recorder->live + 1), __ATOMIC_RELEASE);
    if (!recorder->busy)
        recorder->busy = FTH_BUSY_ELSEWHERE;
}

/* Those of ended threads: nobody is left who knows them. */
static void drop_pool(struct fth_recorder **idle)
{
    struct fth_recorder **at = &in_use;
    while (*at) {
        struct fth_recorder *recorder = *at, *in_pool = *idle;
        while (in_pool && in_pool != recorder)
            in_pool = in_pool->next_free;
        if (!in_pool)
            at = &recorder->next_made;
        else
            *at = recorder->next_made;
    }
    while (*idle) {
        struct fth_recorder *recorder = *idle;
        *idle = recorder->next_free;
        fth_recorder_drop(recorder);
    }
}

void fth_recorders_stop(void)
{
    fth_lock(&pool_lock);
    for (struct fth_recorder *recorder = in_use; recorder; recorder = recorder->next_made)
        __atomic_store_n(&recorder->end, (uint32_t *)(recorder->live + 1), __ATOMIC_RELEASE);
    fth_unlock(&pool_lock);
}

bool fth_recorders_retire(void)
{
    bool all_idle = true;
    fth_lock(&pool_lock);
    for (struct fth_recorder *recorder = in_use; recorder; recorder = recorder->next_made)
        all_idle = all_idle && (!recorder->busy || recorder->busy == FTH_BUSY_ELSEWHERE);
    if (all_idle) {
        drop_pool(&pool);
        drop_pool(&nowhere_pool);
    }
    for (; all_idle && in_use; in_use = in_use->next_made)
        retire(in_use);
    fth_unlock(&pool_lock);
    return all_idle;
}

bool fth_recorder_renew(struct fth_recorder *recorder)
{
    struct fth_stream before = *recorder->stream;
    uint64_t signals = fth_signals_wait();
    bool renewed = syscall(SYS_madvise, recorder, recorder_bytes(), MADV_DONTNEED) == 0 &&
                   open_stream(recorder);
    if (renewed) {
        unmap_stream(&before);
        begin_thread(recorder);
        list(recorder);
    } else { /* a call of it may be open all the same, and counts what it loses */
        recorder->stream = (struct fth_stream *)(recorder + 1);
        *recorder->stream = before;
        recorder->live = before.live;
        retire(recorder);
    }
    fth_signals_go(signals);
    return renewed;
}

static void map_over(void *argument)
{
    struct mapping *mapping = argument;
    const struct fth_stream *stream = mapping->stream;
    int file = fth_open_stream_file(stream->number, &mapping->error);
    if (file < 0)
        return;
    if (fth_file_map_over(file, 0, FTH_SPILL_PAGE, stream->page) &&
        fth_file_map_over(file, FTH_SPILL_LIVE, stream->live_bytes, stream->live))
        mapping->live = stream->live;
    fth_file_close(file);
}

bool fth_stream_remap(struct fth_recorder *recorder)
{
    if (recorder->nowhere)
        return true;
    struct mapping made = {.stream = recorder->stream};
    fth_apart(map_over, &made);
    return made.live;
}

/* ---- sealing ---- */

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

/* Does the live area define strings or signatures? */
static bool has_definitions(const struct fth_recorder *recorder)
{
    const struct fth_stream *stream = recorder->stream;
    const struct fth_signatures *known = recorder->signatures;
    return known->count != stream->signatures || known->strings != stream->strings;
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

_Static_assert((int)FTH_SIGNATURES < (int)FTH_SUCCESSION_SYMBOLS,
               "symbols have places of their own");

static void pack_symbols(struct packing *packing, const uint32_t *from, const uint32_t *to)
{
    struct fth_succession *succession = &packing->succession;
    while (from < to) {
        if (is_definition(from)) {
            from = definition_end(from);
            continue;
        }
        packing->at =
            fth_succession_put(succession, packing->at, *from & (FTH_LIVE_MOST_SYMBOLS - 1));
        from = call_end(from);
    }
}

static void pack_block(struct packing *packing, const struct fth_stream *stream,
                       const uint32_t *from, const uint32_t *to)
{
    struct fth_spill_record *record = begin_record(packing, FTH_SPILL_BLOCK);
    struct fth_spill_block *block = (struct fth_spill_block *)packing->at;
    *block = (struct fth_spill_block){stream->block_base, stream->tid, stream->thread, 0, 0};
    packing->at += sizeof *block;
    pack_symbols(packing, from, to);
    block->symbol_bytes = (uint64_t)(packing->at - (uint8_t *)(block + 1));
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

/* Three words of a call become at most 30 bytes, two of a literal at most 10; definitions stay as
 * they are. */
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
    int file = fth_open_stream_file(stream->number, &sealing->error);
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
    if (kind == FTH_SPILL_MERGED) {
        struct fth_spill_merged *merged = (struct fth_spill_merged *)packing->at;
        *merged = (struct fth_spill_merged){recorder->last_exit, recorder->stream->tid,
                                            recorder->stream->thread, recorder->last_depth};
        packing->at += sizeof *merged;
    }
    end_record(packing, record);
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
        return lacks_memory();
    packing->at = packing->start;
    if (has_definitions(recorder))
        pack_definitions(packing, from, to);
    pack_block(packing, stream, from, to);
    if (start)
        pack_start(packing, recorder, start);
    struct sealing made = {.stream = stream,
                           .records = packing->start,
                           .bytes = (size_t)(packing->at - packing->start)};
    fth_apart(write_sealed, &made);
    fth_unmap(packing, bound);
    if (!made.written)
        return fails(made.error);
    stream->sealed_end += made.bytes;
    return true;
}

static bool seal(struct fth_recorder *recorder, enum fth_spill_kind start)
{
    struct fth_stream *stream = recorder->stream;
    if (!pack_and_write(recorder, start))
        return false;
    const struct fth_spill_live before = *stream->live;
    bool was_full = recorder->at - (uint32_t *)stream->live > recorder->end - recorder->at;
    bool grow = was_full && stream->live_bytes < FTH_SPILL_LIVE_LATER &&
                fth_process->streams < MANY_STREAMS;
    if (grow)
        map_stream(recorder, FTH_SPILL_LIVE_LATER); /* or it stays as large as it is */
    publish(recorder);
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
static void forget_symbols(struct fth_signatures *known)
{
    for (int i = 0; i < FTH_SITES; i++)
        if (known->sites[i].symbol)
            known->sites[i].symbol = 0;
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
    struct fth_signatures *known = due->recorder->signatures;
    due->sealed = seal(due->recorder, due->start);
    if (!due->sealed)
        return;
    known->count = known->strings = known->key_words = 0;
    due->recorder->stream->signatures = due->recorder->stream->strings = 0;
    memset(known->table, 0, sizeof known->table);
    memset(known->texts, 0, sizeof known->texts);
    forget_symbols(known);
}

static bool start_anew(struct fth_recorder *recorder, enum fth_spill_kind how)
{
    struct due due = {.recorder = recorder, .start = how};
    if (fth_process && !fth_process->stopped && !recorder->retired)
        fth_on_own_stack(seal_and_forget, &due);
    return due.sealed;
}

void fth_start_anew(struct fth_recorder *recorder)
{
    start_anew(recorder, FTH_SPILL_RESET);
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
    struct fth_signatures *known = recorder->signatures;
    const uint32_t *word = (const uint32_t *)(recorder->live + 1),
                   *end = word + recorder->live->used;
    recorder->at = (uint32_t *)end;
    known->count = stream->signatures;
    known->strings = stream->strings;
    forget_symbols(known);
    while (word < end) {
        if (!is_definition(word)) {
            word = call_end(word);
            continue;
        }
        known->count += (*word & 0xff) == FTH_LIVE_SIGNATURE;
        known->strings += (*word & 0xff) == FTH_LIVE_STRING;
        word = definition_end(word);
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
