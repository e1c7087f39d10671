/* Recorders: made for threads, handed from an ended thread to a new one, and from one recording of
 * this process to the next. */
#include "capture/record/recorders.h"

#include "capture/record/signal_stack.h"
#include "capture/record/steps.h"
#include "capture/record/stop.h"
#include "capture/record/stream.h"
#include "capture/record/sum_stream.h"
#include "capture/record/watched_calls.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/held_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct fth_recorder *pool, *nowhere_pool;
static uint32_t threads;

/* `is_new`: its memory is all zero, and only what is used of it is to take pages: a short process
 * has little else to do. */
static void begin_thread(struct fth_recorder *recorder, bool is_new)
{
    struct fth_stream *stream = recorder->stream;
    if (!is_new) {
        memset(recorder->cursors, 0, sizeof recorder->cursors);
        memset(recorder->bound, 0, sizeof recorder->bound);
        fth_steps_begin(recorder->stepping);
    }
    recorder->depth = recorder->context = recorder->last_depth = recorder->cwd = 0;
    recorder->busy = 0;
    recorder->jumped = false;
    recorder->last_exit = fth_ticks();
    fth_lock(&fth_recorders_lock);
    stream->thread = threads++;
    fth_unlock(&fth_recorders_lock);
    stream->tid = syscall(SYS_gettid);
    fth_stream_publish(recorder, false);
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
    fth_known_begin(&recorder->signatures->known);
    fth_known_begin(&recorder->signatures->strings);
}

static void give_back_tables(struct fth_recorder *recorder)
{
    fth_known_end(&recorder->signatures->known);
    fth_known_end(&recorder->signatures->strings);
}

static bool open_recorder(struct fth_recorder *recorder)
{
    arrange(recorder);
    return fth_stream_open(recorder);
}

static void list(struct fth_recorder *recorder)
{
    fth_lock(&fth_recorders_lock);
    recorder->next_made = fth_recorders;
    fth_recorders = recorder;
    fth_unlock(&fth_recorders_lock);
}

/* Where the limit is 0 not even a task with a table of its own can open a file. Each call of the
 * program comes here then: to map memory and to make that task would take 0.1 ms. */
static bool may_open_files(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > 0;
}

static struct fth_recorder *make_recorder(void)
{
    if (!may_open_files()) {
        fth_recording_fails(EMFILE);
        return NULL;
    }
    struct fth_recorder *recorder = fth_map_memory(recorder_bytes());
    if (!recorder)
        fth_recording_lacks_memory();
    if (recorder && !open_recorder(recorder)) {
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
    fth_lock(&fth_recorders_lock);
    struct fth_recorder *recorder = pool;
    if (recorder)
        pool = recorder->next_free;
    fth_unlock(&fth_recorders_lock);
    if (recorder && !(recorder->stream->is_summed ? fth_start_anew(recorder) : fth_seal(recorder)))
        return NULL;
    bool is_new = !recorder;
    if (!recorder)
        recorder = make_recorder();
    if (recorder)
        begin_thread(recorder, is_new);
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
    recorder->stream->live_bytes = recorder->stream->reached = FTH_SPILL_PAGE;
    recorder->at = recorder->end = (uint32_t *)(live + 1);
    list(recorder);
    return recorder;
}

struct fth_recorder *fth_recorder_take_nowhere(void)
{
    fth_lock(&fth_recorders_lock);
    struct fth_recorder *recorder = nowhere_pool;
    if (recorder)
        nowhere_pool = recorder->next_free;
    fth_unlock(&fth_recorders_lock);
    if (!recorder)
        return make_nowhere();
    recorder->depth = recorder->context = recorder->last_depth = recorder->cwd = 0;
    recorder->busy = 0;
    recorder->jumped = false;
    return recorder;
}

void fth_recorder_release(struct fth_recorder *recorder)
{
    fth_drop_stale_frames(recorder, UINTPTR_MAX);
    recorder->busy = FTH_BUSY_ELSEWHERE;
    fth_lock(&fth_recorders_lock);
    struct fth_recorder **free = recorder->nowhere ? &nowhere_pool : &pool;
    recorder->next_free = *free;
    *free = recorder;
    fth_unlock(&fth_recorders_lock);
}

void fth_recorder_drop(struct fth_recorder *recorder)
{
    fth_stream_unmap(recorder->stream);
    fth_watched_close(recorder);
    give_back_tables(recorder);
    fth_unmap(recorder, recorder_bytes());
}

void fth_recorder_drop_inherited(struct fth_recorder *recorder)
{
    pool = nowhere_pool = fth_recorders = NULL;
    fth_recorders_lock.owner = NULL;
    fth_summed_in_child();
    threads = 0;
    if (recorder)
        fth_recorder_drop(recorder);
    fth_known_in_child();
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
    struct fth_recorder **at = &fth_recorders;
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

bool fth_recorders_retire(void)
{
    bool all_idle = true;
    fth_lock(&fth_recorders_lock);
    for (struct fth_recorder *recorder = fth_recorders; recorder; recorder = recorder->next_made)
        all_idle = all_idle && (!recorder->busy || recorder->busy == FTH_BUSY_ELSEWHERE);
    if (all_idle) {
        drop_pool(&pool);
        drop_pool(&nowhere_pool);
    }
    for (; all_idle && fth_recorders; fth_recorders = fth_recorders->next_made)
        retire(fth_recorders);
    fth_unlock(&fth_recorders_lock);
    return all_idle;
}

bool fth_recorder_renew(struct fth_recorder *recorder)
{
    struct fth_stream before = *recorder->stream;
    uint64_t signals = fth_signals_wait();
    fth_watched_close(recorder);
    give_back_tables(recorder);
    bool renewed = syscall(SYS_madvise, recorder, recorder_bytes(), MADV_DONTNEED) == 0 &&
                   open_recorder(recorder);
    if (renewed) {
        fth_stream_unmap(&before);
        begin_thread(recorder, true);
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
