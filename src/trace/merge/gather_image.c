/* One process's spill files become one process of a part: records are read, symbols become
 * signatures again, calls are walked through. */
#include "trace/merge/gather_image.h"

#include "base/memory.h"
#include "trace/columns/succession.h"
#include "trace/merge/gather_watched.h"
#include "trace/merge/image_facts.h"
#include "trace/merge/unreturned.h"
#include "trace/merge/walk_sums.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A stream that is being read. */
struct reading {
    struct fth_gather *gather;
    struct fth_image_walk *image;
    struct fth_walk *walk;             /* that of the image, */
    struct fth_definitions *defined;   /* and these */
    const struct fth_spill_live *live; /* head of the live area that is being read */
    const struct fth_spill_process *process;
    const struct fth_clock *clock;
};

static void add_problem(struct fth_gather *gather, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add_problem(struct fth_gather *gather, const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) >= 0) {
        FTH_GROW(gather->problems, gather->problem_count);
        gather->problems[gather->problem_count++] = text;
    }
    va_end(arguments);
}

/* ---- definitions ---- */

/* The module's text becomes one of the part. */
static void source_of(struct reading *reading, struct fth_signature *signature)
{
    uint64_t text = signature->source >> FTH_SOURCE_BITS;
    size_t length;
    if (!text || text >= reading->defined->string_count) {
        signature->source = 0;
        signature->flags &= ~(uint32_t)FTH_HAS_SOURCE;
        return;
    }
    const uint8_t *bytes =
        fth_interned(&reading->walk->names.texts, reading->defined->strings[text], &length);
    uint64_t module = fth_part_module(reading->walk->part, bytes, length);
    signature->source = module << FTH_SOURCE_BITS | (signature->source & FTH_SOURCE_OFFSET);
}

/* False: damaged. */
static bool define(void *context, const uint32_t *words, const uint32_t *end)
{
    struct reading *reading = context;
    struct fth_signature *made;
    if (!fth_define(reading->defined, reading->walk, words, end, &made))
        return false;
    if (made && made->flags & FTH_HAS_SOURCE)
        source_of(reading, made);
    return true;
}

/* ---- calls ---- */

/* Calls of this thread that are in a part already. */
static uint64_t merged_calls(const struct reading *reading, uint64_t thread)
{
    const struct fth_gather *gather = reading->gather;
    uint64_t calls = 0;
    for (size_t i = 0; i < gather->merged_count; i++) {
        const struct fth_part_process *process = &gather->merged[i];
        if (process->facts.image != reading->walk->process.facts.image)
            continue;
        for (size_t k = 0; k < process->track_count; k++)
            for (size_t j = 0;
                 process->tracks[k].thread == thread && j < process->tracks[k].block_count; j++)
                calls += process->tracks[k].blocks[j].calls;
    }
    return calls;
}

static void begin_thread(struct reading *reading, uint64_t thread, int64_t tid, uint64_t base)
{
    if (!reading->walk->open || reading->walk->thread != thread)
        fth_walk_thread(reading->walk, thread, tid, base, merged_calls(reading, thread));
}

/* One call. False: damaged. */
static bool walk_call(struct reading *reading, uint32_t symbol, uint64_t gap, uint64_t duration,
                      const int64_t *literals)
{
    if (symbol >= reading->defined->kind_count)
        return false;
    fth_walk_call(reading->walk, fth_defined_kind(reading->defined, symbol), gap, duration,
                  literals);
    return true;
}

/* The same, where `from` has the rest of it. */
static bool walk_packed(struct reading *reading, uint32_t symbol, struct fth_view *from)
{
    int64_t literals[FTH_MOST_VALUES + 1];
    if (symbol >= reading->defined->kind_count)
        return false;
    uint64_t gap = fth_view_varint(from), duration = fth_view_varint(from);
    uint32_t mask = fth_defined_kind(reading->defined, symbol)->signature.mask;
    for (uint32_t i = 0; mask; mask &= mask - 1, i++)
        literals[i] = fth_view_signed(from);
    return !from->failed && walk_call(reading, symbol, gap, duration, literals);
}

/* A call of this symbol is the next but one: what is known of it is rarely in a cache. */
static void expect_call(const struct reading *reading, uint32_t symbol)
{
    if (symbol >= reading->defined->kind_count)
        return;
    const struct fth_call_kind *kind = fth_defined_kind(reading->defined, symbol);
    __builtin_prefetch(kind);
    __builtin_prefetch((const char *)kind + 64);
    __builtin_prefetch((const char *)kind + 128);
}

/* A sealed block. False: damaged. */
static bool walk_block(struct reading *reading, const struct fth_spill_block *block, size_t length)
{
    if (length < sizeof *block || block->symbol_bytes > length - sizeof *block)
        return false;
    const uint8_t *bytes = (const uint8_t *)(block + 1);
    size_t symbol_bytes = (size_t)block->symbol_bytes;
    struct fth_view symbols = fth_view_of(bytes, symbol_bytes);
    struct fth_view calls =
        fth_view_of(bytes + symbol_bytes, length - sizeof *block - symbol_bytes);
    struct fth_succession succession;
    bool good = true;
    fth_succession_open(&succession, &symbols);
    begin_thread(reading, block->thread, block->tid, block->base);
    uint32_t symbol = block->calls ? fth_succession_get(&succession, &symbols) : 0;
    for (uint32_t left = block->calls; left && good; left--) {
        uint32_t next = left > 1 ? fth_succession_get(&succession, &symbols) : 0;
        expect_call(reading, next);
        good = walk_packed(reading, symbol, &calls);
        symbol = next;
    }
    return good && !symbols.failed;
}

static bool walk_live_call(void *context, const struct fth_live_call *call)
{
    struct reading *reading = context;
    const struct fth_spill_live *live = reading->live;
    begin_thread(reading, live->thread, live->tid, live->base);
    reading->walk->is_summed = reading->image->is_summed;
    return fth_call_kind_has(reading->defined, call) &&
           walk_call(reading, call->symbol, call->gap, call->duration, call->literals);
}

/* The live area: definitions and calls in turn. A copy of it, since its thread may still be
 * writing. */
static bool walk_live(struct reading *reading, const struct fth_spill_reader *reader)
{
    const struct fth_spill_live *live = reader->live;
    if (!live)
        return true;
    struct fth_spill_live head = *live;
    size_t count = (size_t)(reader->live_end - (const uint32_t *)(live + 1));
    uint32_t *words = fth_new(count, sizeof *words);
    memcpy(words, live + 1, count * sizeof *words);
    bool good = __atomic_load_n(&live->sequence, __ATOMIC_ACQUIRE) == reader->commit.sequence;
    reading->live = &head;
    good = good && fth_live_read(words, words + count, define, walk_live_call, reading);
    reading->live = NULL;
    free(words);
    return good;
}

/* From here on the stream has sums only. */
static bool begin_sums(struct reading *reading, const struct fth_spill_record *record)
{
    const struct fth_spill_summed *summed = (const struct fth_spill_summed *)(record + 1);
    struct fth_image_walk *image = reading->image;
    if (record->bytes < sizeof *summed)
        return false;
    if (!image->has_sums || summed->since < image->summed_since)
        image->summed_since = summed->since;
    image->has_sums = true;
    reading->image->is_summed = true;
    fth_definitions_start(reading->defined);
    return true;
}

static void take_sum(void *context, const struct fth_summed_entry *entry, const uint64_t *counts)
{
    struct reading *reading = context;
    struct fth_walk *walk = reading->walk;
    const uint64_t quantum = walk->process.facts.quantum;
    const char *path = entry->kind == FTH_SUMMED_OTHERS ? FTH_SUMMED_OTHER_FILES : entry->path;
    size_t length = entry->kind == FTH_SUMMED_OTHERS ? strlen(path) : entry->length;
    if (entry->kind == FTH_SUMMED_FUNCTION) {
        if (entry->function >= walk->part->catalog->row_count || entry->flags >= FTH_INSIDE_ALL)
            return;
        fth_walk_add_sum(walk, &(struct fth_sum){.function = entry->function,
                                                 .flags = entry->flags,
                                                 .calls = counts[0],
                                                 .errors = counts[1],
                                                 .bytes_read = counts[2],
                                                 .bytes_written = counts[3],
                                                 .time = counts[4] / quantum,
                                                 .shortest = counts[5] / quantum,
                                                 .longest = counts[6] / quantum});
        walk->process.facts.summed.calls += counts[0];
    } else if (entry->kind == FTH_SUMMED_MAPPED) {
        fth_mapped_add(&walk->mapped, fth_walk_text(walk, path, length), counts[0]);
    } else {
        fth_walk_add_path_sum(walk,
                              &(struct fth_path_sum){.path = fth_walk_text(walk, path, length),
                                                     .opens = counts[0],
                                                     .calls = counts[1],
                                                     .bytes_read = counts[2],
                                                     .bytes_written = counts[3],
                                                     .time = counts[4] / quantum});
    }
}

/* One sealed record. False: damaged. */
static bool walk_record(struct reading *reading, const struct fth_spill_record *record)
{
    switch (record->kind) {
    case FTH_SPILL_DEFINITIONS: {
        const uint32_t *at = (const uint32_t *)(record + 1), *end = at + record->bytes / 4;
        for (; at < end; at += at[1])
            if (!define(reading, at, end))
                return false;
        return true;
    }
    case FTH_SPILL_BLOCK:
        return walk_block(reading, (const struct fth_spill_block *)(record + 1), record->bytes);
    case FTH_SPILL_SUMMED:
        return begin_sums(reading, record);
    case FTH_SPILL_RESET:
    case FTH_SPILL_MERGED:
        fth_definitions_start(reading->defined);
        return true;
    default:
        return false;
    }
}

/* Goes to what follows the calls that are in a part already, where the stream says that this can be
 * read by itself. */
static void leave_out_merged(struct reading *reading, struct fth_spill_reader *reader)
{
    struct fth_spill_reader ahead = *reader;
    const struct fth_spill_merged *mark = NULL;
    uint64_t calls = 0, merged = 0, threads = 0;
    for (const struct fth_spill_record *record; (record = fth_spill_next(&ahead));) {
        const struct fth_spill_block *block = (const struct fth_spill_block *)(record + 1);
        if (record->kind == FTH_SPILL_BLOCK && record->bytes >= sizeof *block) {
            if (!threads || block->thread >= threads) /* a later thread has a greater number */
                merged += merged_calls(reading, block->thread);
            threads = block->thread + UINT64_C(1);
            calls += block->calls;
        }
        if (record->kind == FTH_SPILL_MERGED && record->bytes >= sizeof *mark && calls &&
            calls == merged) {
            mark = (const struct fth_spill_merged *)(record + 1);
            reader->at = ahead.at;
        }
    }
    if (mark)
        fth_walk_rest_of_thread(reading->walk, mark->thread, mark->tid, mark->exit, mark->depth);
}

static void add_passed(struct fth_gather *gather, const struct fth_spill_reader *reader)
{
    if (!reader->live) {
        gather->passed_is_known &= !reader->commit.sequence; /* else it was never written to */
        return;
    }
    gather->passed.read += reader->live->passed.read;
    gather->passed.written += reader->live->passed.written;
    gather->passed.reads += reader->live->passed.reads;
    gather->passed.writes += reader->live->passed.writes;
}

/* Of a process that did not end by itself: the calls in which the thread was. */
static void note_unreturned(struct reading *reading, const struct fth_spill_live *live)
{
    uint64_t begin;
    struct fth_blind_spot *spot =
        fth_unreturned_add(&reading->gather->unreturned, reading->walk, live, &begin);
    if (spot)
        spot->since = fth_clock_time(reading->clock, reading->process, begin);
}

/* Records from where the walk is in this stream. False: damaged. */
static bool walk_sealed(struct reading *reading, struct fth_spill_reader *reader, unsigned number)
{
    struct fth_image_walk *image = reading->image;
    bool good = true;
    if (image->is_ahead && number == 0) {
        reader->at = image->done;
    } else {
        image->is_summed = false;
        fth_definitions_start(&image->defined);
        leave_out_merged(reading, reader);
    }
    for (const struct fth_spill_record *record; good && (record = fth_spill_next(reader));)
        good = walk_record(reading, record);
    return good;
}

static void walk_stream(struct reading *reading, const struct fth_spill_folder *folder,
                        const struct fth_spill_image *image, unsigned number)
{
    struct fth_spill_reader reader;
    struct fth_error *error = NULL;
    if (fth_spill_stream_open(&reader, folder, image->image, number, &error)) {
        add_problem(reading->gather, "%s", fth_error_text(error));
        fth_error_free(error);
        fth_spill_stream_close(&reader);
        reading->gather->passed_is_known = false;
        return;
    }
    bool good = walk_sealed(reading, &reader, number);
    if (good && reading->image->is_summed)
        good = fth_spill_take_sums(folder, image->image, number, reader.commit.sequence, take_sum,
                                   reading, NULL) == 0;
    if (good)
        good = walk_live(reading, &reader);
    if (!good)
        add_problem(reading->gather,
                    "calls of process %" PRId64 " are missing: stream %u of its spill is damaged",
                    image->process->pid, number);
    if (reader.live)
        note_unreturned(reading, reader.live);
    fth_walk_end_thread(reading->walk);
    add_passed(reading->gather, &reader);
    if (reader.live) {
        reading->walk->process.facts.excluded += reader.live->excluded;
        reading->walk->process.facts.lost += reader.live->lost + reader.live->unkept;
        reading->walk->process.facts.unkept.calls += reader.live->unkept;
        reading->walk->process.facts.left += reader.live->left;
        reading->walk->process.facts.deep += reader.live->deep;
    }
    fth_spill_stream_close(&reader);
}

/* The images of a process have its number, on the same node. */
static struct fth_gather_gone *gone_of(struct fth_gather *gather,
                                       const struct fth_spill_process *process)
{
    const char *host = fth_spill_text(process, "host", NULL);
    for (size_t i = 0; i < gather->gone_count; i++) {
        const char *other = fth_spill_text(gather->gone[i].process, "host", NULL);
        if (gather->gone[i].process->pid == process->pid &&
            strcmp(other ? other : "", host ? host : "") == 0)
            return &gather->gone[i];
    }
    FTH_GROW(gather->gone, gather->gone_count);
    gather->gone[gather->gone_count] = (struct fth_gather_gone){.process = process};
    return &gather->gone[gather->gone_count++];
}

/* A thread asks for a stream when it has a call to record: one of which nothing is left had some,
 * and nobody knows how many. Where no stream could be made the process says so itself. */
static void note_gone(struct fth_gather *gather, const struct fth_spill_folder *folder,
                      const struct fth_spill_image *image)
{
    const struct fth_spill_process *process = image->process;
    size_t here = 0;
    for (size_t i = 0; i < image->stream_count; i++)
        here += image->streams[i] < process->streams &&
                !fth_spill_stream_is_empty(folder, image->image, image->streams[i]);
    if (here >= process->streams || process->unkept.calls)
        return;
    struct fth_gather_gone *gone = gone_of(gather, process);
    gone->gone += process->streams - here;
    gone->begun += process->streams;
    gather->passed_is_known = false;
}

void fth_gather_report_gone(struct fth_gather *gather)
{
    for (size_t i = 0; i < gather->gone_count; i++) {
        const struct fth_gather_gone *of = &gather->gone[i];
        add_problem(gather,
                    "calls of process %" PRId64
                    " are missing: %zu of %zu streams of its spill %s gone",
                    of->process->pid, of->gone, of->begun, of->gone == 1 ? "is" : "are");
    }
}

static void take_watched(struct reading *reading, const struct fth_spill_folder *folder,
                         const struct fth_spill_image *image)
{
    struct fth_gather *gather = reading->gather;
    struct fth_error *error = NULL;
    if (gather->takes_watched &&
        fth_gather_watched(reading->walk, folder, image, reading->clock, &gather->watched, &error))
        add_problem(gather, "process %" PRId64 ": %s", image->process->pid, fth_error_text(error));
    fth_error_free(error);
}

static struct reading read_image(struct fth_gather *gather, struct fth_image_walk *image,
                                 const struct fth_spill_image *of, const struct fth_clock *clock)
{
    return (struct reading){.gather = gather,
                            .image = image,
                            .walk = &image->walk,
                            .defined = &image->defined,
                            .process = of->process,
                            .clock = clock};
}

/* What has to be known before the first call. */
static void begin_image(struct fth_image_walk *image, const struct fth_spill_image *of,
                        const struct fth_time_mode *times, const struct fth_clock *clock)
{
    fth_walk_begin(&image->walk);
    image->has_sums = image->is_summed = image->is_ahead = false;
    image->done = 0;
    fth_facts_begin(&image->walk.process.facts, of->process, clock, times);
}

int fth_gather_process(struct fth_gather *gather, struct fth_image_walk *image,
                       const struct fth_spill_folder *folder, const struct fth_spill_image *of,
                       const struct fth_clock *clock, struct fth_bytes *facts,
                       struct fth_error **error)
{
    struct reading reading = read_image(gather, image, of, clock);
    struct fth_facts *found = &image->walk.process.facts;
    gather->passed = (struct fth_spill_counted){0};
    gather->passed_is_known = true;
    if (!image->is_ahead)
        begin_image(image, of, &gather->times, clock);
    image->walk.error = error;
    fth_facts_take(found, of->process, clock);
    for (size_t i = 0; i < of->stream_count; i++)
        walk_stream(&reading, folder, of, of->streams[i]);
    if (image->has_sums)
        found->summed.since = fth_clock_time(clock, of->process, image->summed_since);
    note_gone(gather, folder, of);
    take_watched(&reading, folder, of);
    fth_definitions_start(&image->defined);
    return fth_walk_end(&image->walk, facts);
}

/* ---- ahead ---- */

enum fth_ahead_state fth_gather_ahead(struct fth_gather *gather, struct fth_image_walk *image,
                                      const struct fth_spill_folder *folder,
                                      const struct fth_spill_image *of,
                                      const struct fth_clock *clock, const bool *is_over)
{
    struct fth_spill_reader reader;
    struct reading reading = read_image(gather, image, of, clock);
    bool good = true, moved = false;
    if (fth_spill_stream_open(&reader, folder, of->image, 0, NULL))
        return FTH_AHEAD_FAILED;
    if (!image->is_ahead) {
        begin_image(image, of, &gather->times, clock);
        fth_definitions_start(&image->defined);
        image->is_ahead = true;
    }
    reader.at = image->done;
    for (const struct fth_spill_record *record;
         good && !__atomic_load_n(is_over, __ATOMIC_RELAXED) && (record = fth_spill_next(&reader));
         image->done = reader.at) {
        good = walk_record(&reading, record);
        moved = true;
    }
    fth_spill_stream_close(&reader);
    return !good || image->walk.failed ? FTH_AHEAD_FAILED
           : moved                     ? FTH_AHEAD_MOVED
                                       : FTH_AHEAD_WAITS;
}

/* ---- as a whole ---- */

void fth_image_walk_open(struct fth_image_walk *image, struct fth_part *part, fth_block_sink *sink,
                         void *context)
{
    *image = (struct fth_image_walk){0};
    fth_walk_open(&image->walk, part, sink, context);
}

void fth_image_walk_close(struct fth_image_walk *image)
{
    fth_definitions_free(&image->defined);
    fth_walk_close(&image->walk);
}

void fth_gather_free(struct fth_gather *gather)
{
    for (size_t i = 0; i < gather->problem_count; i++)
        free(gather->problems[i]);
    free(gather->problems);
    free(gather->gone);
    fth_blind_spots_free(&gather->unreturned);
}
