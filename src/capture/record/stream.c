/* The file of a stream: mapped, and what has been sealed in it made valid. */
#include "capture/record/stream.h"

#include "capture/process/budget.h"
#include "capture/process/process.h"
#include "capture/process/process_file.h"
#include "capture/process/spill_folder.h"
#include "capture/record/reference.h"
#include "capture/record/stop.h"
#include "capture/record/sum_stream.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/own_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What is mapped anew. */
struct mapping {
    const struct fth_stream *stream;
    uint64_t live_bytes;
    void *page, *live; /* NULL: it failed */
    size_t reached;
    int error;
};

/* Of a stream that has a page, its file is where that is. */
static bool map_stream_file_in(enum fth_spill_place place, const char *name,
                               struct mapping *mapping)
{
    void *page = mapping->stream->page;
    int file = fth_spill_open_in(place, name, page ? O_RDWR : O_RDWR | O_CREAT, &mapping->error);
    if (file < 0)
        return false;
    mapping->page = page ? page : fth_file_map(file, 0, FTH_SPILL_PAGE, &mapping->error);
    mapping->reached = mapping->live_bytes;
    if (page)
        mapping->live = fth_file_map(file, FTH_SPILL_LIVE, mapping->live_bytes, &mapping->error);
    else if (mapping->page) /* most streams are short */
        mapping->live = fth_file_map_some(file, FTH_SPILL_LIVE, mapping->live_bytes,
                                          &mapping->reached, &mapping->error);
    fth_file_close(file);
    if (mapping->live || page || place == FTH_SPILL_ON_DISK)
        return true;
    if (mapping->page)
        fth_unmap(mapping->page, FTH_SPILL_PAGE);
    mapping->page = NULL;
    fth_spill_remove_from(place, name);
    return false;
}

static void map_stream_file(void *argument)
{
    struct mapping *mapping = argument;
    char name[FTH_LONGEST_STREAM_NAME];
    fth_name_stream_file(name, mapping->stream->number, ".stream");
    for (unsigned place = 0; place < FTH_SPILL_PLACES; place++)
        if (map_stream_file_in(place, name, mapping))
            return;
}

/* Returns 0, or what was in the way. */
static int map_stream(struct fth_recorder *recorder, uint64_t live_bytes)
{
    struct fth_stream *stream = recorder->stream;
    struct mapping made = {.stream = stream, .live_bytes = live_bytes, .error = EIO};
    uint64_t more = 2 * (live_bytes - stream->live_bytes);
    if (!stream->page)
        more += FTH_SPILL_PAGE + FTH_SUMMED_FIRST;
    if (!fth_budget_take(more))
        return FTH_NO_BUDGET;
    fth_apart_or_alone(map_stream_file, &made);
    if (!made.live) {
        fth_budget_give(more);
        if (made.page && made.page != stream->page)
            fth_unmap(made.page, FTH_SPILL_PAGE);
        return made.error;
    }
    /* a signal handler may count a lost call at any instant: never into memory that is gone */
    recorder->live = made.live;
    atomic_signal_fence(memory_order_seq_cst);
    if (stream->live)
        fth_unmap(stream->live, stream->live_bytes);
    stream->page = made.page;
    stream->live = made.live;
    stream->reached = made.reached;
    stream->reserve += live_bytes - stream->live_bytes;
    stream->live_bytes = live_bytes;
    return 0;
}

static uint32_t *end_of(const struct fth_stream *stream)
{
    return (uint32_t *)stream->live + stream->reached / 4;
}

bool fth_stream_reach(struct fth_recorder *recorder)
{
    struct fth_stream *stream = recorder->stream;
    size_t end = 2 * stream->reached;
    if (stream->reached >= stream->live_bytes ||
        !fth_file_reach(stream->live, &stream->reached,
                        end < stream->live_bytes ? end : stream->live_bytes))
        return false;
    recorder->end = end_of(stream);
    return true;
}

void fth_stream_grow(struct fth_recorder *recorder, uint64_t live_bytes)
{
    (void)map_stream(recorder, live_bytes);
}

/* generated: functions of catalog/fathom.calls */
extern const unsigned fth_note_bind, fth_note_cwd;

/* A signature that is defined: its head follows. */
static void learn_symbol(uint64_t *notes, uint32_t symbol, const uint32_t *definition)
{
    unsigned function = definition[2] & 0xffff;
    uint64_t bit = UINT64_C(1) << symbol % 64;
    bool is_note = function == fth_note_bind || function == fth_note_cwd;
    notes[symbol / 64] = is_note ? notes[symbol / 64] | bit : notes[symbol / 64] & ~bit;
}

static bool is_note(const uint64_t *notes, const uint32_t *word)
{
    uint32_t symbol = *word & (FTH_LIVE_MOST_SYMBOLS - 1);
    return notes[symbol / 64] >> symbol % 64 & 1;
}

/* Moves the definitions and notes of the live area to its front, which so many words belong to
 * then. All definitions are here, in order of their symbols. */
static uint32_t keep_definitions(const struct fth_recorder *recorder)
{
    uint64_t *notes = recorder->signatures->notes;
    uint32_t *words = (uint32_t *)(recorder->stream->live + 1), *to = words, symbols = 0;
    for (const uint32_t *from = words, *next; from < recorder->at; from = next) {
        bool defines = fth_live_is_definition(from);
        next = defines ? fth_live_definition_end(from) : fth_live_call_end(from);
        if (defines && (*from & 0xff) == FTH_LIVE_SIGNATURE)
            learn_symbol(notes, symbols++, from);
        if (!defines && !is_note(notes, from))
            continue;
        memmove(to, from, (size_t)(next - from) * sizeof *to);
        to += next - from;
    }
    return (uint32_t)(to - words);
}

/* Makes what has been sealed valid, all at once, and empties the live area; `keeps`: but for its
 * definitions and notes. */
void fth_stream_publish(struct fth_recorder *recorder, bool keeps)
{
    struct fth_stream *stream = recorder->stream;
    uint64_t sequence = stream->sequence + 1;
    struct fth_spill_commit *commit = &stream->page->commits[sequence % 2];
    struct fth_spill_commit made = {sequence, stream->sealed_end, stream->live_bytes, 0};
    made.check = fth_spill_check(&made);
    *(volatile uint64_t *)&commit->check = 0;
    atomic_thread_fence(memory_order_release); /* it may be read meanwhile: trace/merge/ahead.h */
    memcpy(commit, &made, sizeof made - 8);
    __atomic_store_n(&commit->check, made.check, __ATOMIC_RELEASE);
    atomic_signal_fence(memory_order_seq_cst);
    struct fth_spill_live *live = stream->live;
    live->used = 0;
    atomic_signal_fence(memory_order_seq_cst);
    uint32_t kept = keeps ? keep_definitions(recorder) : 0;
    live->used = kept;
    live->base = recorder->last_exit;
    live->thread = stream->thread;
    live->tid = stream->tid;
    atomic_signal_fence(memory_order_seq_cst);
    *(volatile uint64_t *)&live->sequence = sequence;
    stream->sequence = sequence;
    stream->block_base = recorder->last_exit;
    recorder->live = live;
    recorder->at = (uint32_t *)(live + 1) + kept;
    recorder->end = end_of(stream);
    stream->signatures = keeps ? 0 : recorder->signatures->known.count;
    stream->strings = keeps ? 0 : recorder->signatures->strings.count;
}

bool fth_stream_open(struct fth_recorder *recorder)
{
    struct fth_stream *stream = recorder->stream;
    stream->number = __atomic_fetch_add(&fth_process->streams, 1, __ATOMIC_RELAXED);
    stream->sealed_end = 0;
    int error = map_stream(recorder, FTH_SPILL_LIVE_FIRST);
    if (error)
        return fth_recording_fails(error);
    stream->page->image = fth_process->image;
    stream->page->magic = FTH_SPILL_STREAM_MAGIC;
    return true;
}

void fth_stream_unmap(struct fth_stream *stream)
{
    if (stream->page)
        fth_unmap(stream->page, FTH_SPILL_PAGE);
    fth_unmap(stream->live, stream->live_bytes);
    fth_summed_close(stream);
    fth_reference_close(stream);
}

static void map_over(void *argument)
{
    struct mapping *mapping = argument;
    const struct fth_stream *stream = mapping->stream;
    char name[FTH_LONGEST_STREAM_NAME];
    fth_name_stream_file(name, stream->number, ".stream");
    int file = fth_spill_open(name, O_RDWR, &mapping->error);
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
    fth_summed_close(recorder->stream);
    struct mapping made = {.stream = recorder->stream};
    fth_apart_or_alone(map_over, &made);
    return made.live;
}
