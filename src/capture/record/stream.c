/* The file of a stream: mapped, and what has been sealed in it made valid. */
#include "capture/record/stream.h"

#include "capture/process/process.h"
#include "capture/process/process_file.h"
#include "capture/process/unkept.h"
#include "capture/record/reference.h"
#include "capture/record/stop.h"
#include "interpose/own/apart.h"
#include "interpose/own/files.h"
#include "interpose/own/memory.h"
#include "interpose/own/sandbox.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What went wrong ends the recording, unless it will pass. */
bool fth_stream_fails(int error)
{
    if (fth_error_is_passing(error))
        fth_unkept_since(error);
    else
        fth_recording_stops(error);
    return false;
}

/* That will pass, too; behind a filter of system calls none is asked for, and recording has
 * ended. */
bool fth_stream_lacks_memory(void)
{
    return fth_is_filtered ? false : fth_stream_fails(ENOMEM);
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

bool fth_stream_map(struct fth_recorder *recorder, uint64_t live_bytes)
{
    struct fth_stream *stream = recorder->stream;
    struct mapping made = {.stream = stream, .live_bytes = live_bytes};
    fth_apart_or_alone(map_stream_file, &made);
    if (!made.live) {
        if (made.page && made.page != stream->page)
            fth_unmap(made.page, FTH_SPILL_PAGE);
        return fth_stream_fails(made.error);
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
void fth_stream_publish(struct fth_recorder *recorder)
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

bool fth_stream_open(struct fth_recorder *recorder)
{
    struct fth_stream *stream = recorder->stream;
    stream->number = __atomic_fetch_add(&fth_process->streams, 1, __ATOMIC_RELAXED);
    stream->sealed_end = FTH_SPILL_SEALED;
    if (!fth_stream_map(recorder, FTH_SPILL_LIVE_FIRST))
        return false;
    stream->page->image = fth_process->image;
    stream->page->magic = FTH_SPILL_STREAM_MAGIC;
    return true;
}

void fth_stream_unmap(struct fth_stream *stream)
{
    if (stream->page)
        fth_unmap(stream->page, FTH_SPILL_PAGE);
    fth_unmap(stream->live, stream->live_bytes);
    fth_reference_close(stream);
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
    fth_apart_or_alone(map_over, &made);
    return made.live;
}
