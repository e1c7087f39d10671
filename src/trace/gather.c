/* One process's spill files become one process of a part. Each call passes here once, in order of exit. */
#include "trace/gather.h"

#include "base/memory.h"
#include "trace/columns.h"
#include "trace/expand.h"
#include "trace/format.h"
#include "trace/grammar.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#if defined __x86_64__
#include <x86intrin.h>
#endif

enum { GRAMMAR_NODES = 1 << 18 };

/* A signature of the stream, as the part knows it. */
struct local_signature {
    uint32_t number;
    struct fth_signature signature;
};

struct walker {
    struct fth_gather *gather;
    struct fth_part_process *process;
    struct fth_error **error;
    /* the stream */
    uint32_t *strings; /* of the stream -> of the part; [0] is 0 */
    uint32_t string_count;
    struct local_signature *signatures;
    uint32_t signature_count;
    /* the thread */
    bool open;
    uint64_t thread;
    int64_t tid;
    struct fth_thread_state state;
    uint32_t depth;
    uint64_t now; /* ticks: exit of the last call */
    uint64_t seen, skip; /* calls; so many at the front are in another part already */
    struct fth_track *track;
    struct fth_columns columns;
    uint64_t block_base; /* units */
    struct fth_grammar *grammar;
    /* the process */
    struct fth_sum *sums;  /* [function * FTH_INSIDE_ALL + flags] */
    uint32_t *path_places; /* string -> index into paths, + 1 */
    uint32_t path_limit;
    struct fth_bytes path, packed, written;
    bool failed;
};

static void add_problem(struct walker *walker, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_problem(struct walker *walker, const char *format, ...)
{
    struct fth_gather *gather = walker->gather;
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

static void define_string(struct walker *walker, const uint32_t *words, uint32_t count)
{
    uint32_t length = words[2];
    if (length > (count - 3) * 4u)
        length = 0;
    FTH_GROW(walker->strings, walker->string_count);
    walker->strings[walker->string_count++] = fth_intern(&walker->gather->part->strings, words + 3, length);
}

static bool is_text(enum fth_value_part part)
{
    return part == FTH_PART_TEXT || part == FTH_PART_TEXTS || part == FTH_PART_LIST;
}

static bool define_signature(struct walker *walker, const uint32_t *words, uint32_t count)
{
    const struct fth_catalog *catalog = walker->gather->part->catalog;
    struct local_signature made = {0};
    uint64_t head;
    memcpy(&head, words + 2, 8);
    struct fth_signature *signature = &made.signature;
    *signature = (struct fth_signature){(uint32_t)head & 0xffff, (uint32_t)(head >> 16) & 0xff,
                                        (uint32_t)(head >> 24) & 0xff, (uint32_t)(head >> 32),
                                        (count - 4) / 2, {0}};
    if (signature->function >= catalog->row_count)
        return false;
    const struct fth_meaning *meaning = &walker->gather->meanings[signature->function];
    if ((int)signature->count != meaning->value_count || signature->mask >> signature->count)
        return false;
    for (unsigned i = 0; i < signature->count; i++) {
        int64_t value;
        memcpy(&value, words + 4 + 2 * i, 8);
        if (is_text(meaning->plan[i].part))
            value = value > 0 && (uint64_t)value < walker->string_count ? walker->strings[value] : 0;
        signature->values[i] = value;
    }
    made.number = fth_part_add_signature(walker->gather->part, signature);
    FTH_GROW(walker->signatures, walker->signature_count);
    walker->signatures[walker->signature_count++] = made;
    return true;
}

static void start_anew(struct walker *walker)
{
    walker->signature_count = 0;
    walker->string_count = 0;
    FTH_GROW(walker->strings, walker->string_count);
    walker->strings[walker->string_count++] = 0;
}

/* False: damaged. */
static bool define(struct walker *walker, const uint32_t *words, const uint32_t *end)
{
    if (end - words < 3 || words[1] < 3 || words[1] > end - words)
        return false;
    switch (words[0] & 0xff) {
    case FTH_LIVE_STRING:
        define_string(walker, words, words[1]);
        return true;
    case FTH_LIVE_SIGNATURE:
        return words[1] >= 4 && define_signature(walker, words, words[1]);
    default:
        return false;
    }
}

/* ---- tracks ---- */

static void end_piece(struct walker *walker)
{
    uint64_t calls = fth_grammar_length(walker->grammar);
    if (!calls)
        return;
    struct fth_bytes *packed = &walker->packed;
    packed->length = 0;
    uint8_t *to = fth_bytes_room(packed, fth_grammar_write_bound(walker->grammar));
    size_t length = (size_t)(fth_grammar_write(walker->grammar, to) - to);
    struct fth_track *track = walker->track;
    FTH_GROW(track->pieces, track->piece_count);
    track->pieces[track->piece_count++] =
        (struct fth_piece){fth_intern(&walker->gather->part->grammars, to, length), calls};
    fth_grammar_reset(walker->grammar);
}

static void end_block(struct walker *walker)
{
    if (!walker->columns.calls)
        return;
    struct fth_track *track = walker->track;
    struct fth_block block = {.base = walker->block_base};
    walker->written.length = 0;
    fth_columns_pack(&walker->columns, &walker->written, &block);
    FTH_GROW(track->blocks, track->block_count);
    track->blocks[track->block_count++] = block;
    walker->process->blocks_bytes += walker->written.length;
    if (!walker->failed &&
        !walker->gather->sink(walker->gather->context, walker->written.data, walker->written.length, walker->error))
        walker->failed = true;
}

static void end_thread(struct walker *walker)
{
    if (!walker->open)
        return;
    end_piece(walker);
    end_block(walker);
    if (walker->now > walker->process->facts.last_ticks)
        walker->process->facts.last_ticks = walker->now;
    fth_thread_state_free(&walker->state);
    if (!walker->track->piece_count)
        walker->process->track_count--;
    walker->open = false;
}

/* Calls of this thread that are in a part already. */
static uint64_t merged_calls(const struct walker *walker, uint64_t thread)
{
    const struct fth_part *merged = walker->gather->merged;
    uint64_t calls = 0;
    for (size_t i = 0; merged && i < merged->process_count; i++) {
        const struct fth_part_process *process = &merged->processes[i];
        if (process->facts.image != walker->process->facts.image)
            continue;
        for (size_t k = 0; k < process->track_count; k++)
            for (size_t j = 0; process->tracks[k].thread == thread && j < process->tracks[k].piece_count; j++)
                calls += process->tracks[k].pieces[j].calls;
    }
    return calls;
}

static void begin_thread(struct walker *walker, uint64_t thread, int64_t tid, uint64_t base)
{
    if (walker->open && walker->thread == thread)
        return;
    end_thread(walker);
    struct fth_part_process *process = walker->process;
    FTH_GROW(process->tracks, process->track_count);
    walker->track = &process->tracks[process->track_count++];
    *walker->track = (struct fth_track){.thread = thread, .tid = tid};
    fth_thread_state_init(&walker->state, walker->gather->part, walker->gather->meanings);
    walker->open = true;
    walker->thread = thread;
    walker->tid = tid;
    walker->depth = 0;
    walker->now = base;
    walker->seen = 0;
    walker->skip = merged_calls(walker, thread);
}

/* ---- sums ---- */

static struct fth_path_sum *sum_of_path(struct walker *walker, uint32_t path)
{
    struct fth_part_process *process = walker->process;
    if (path >= walker->path_limit) {
        uint32_t limit = (path + 1) * 2;
        walker->path_places = fth_resize(walker->path_places, limit, sizeof *walker->path_places);
        memset(walker->path_places + walker->path_limit, 0, (limit - walker->path_limit) * sizeof(uint32_t));
        walker->path_limit = limit;
    }
    if (!walker->path_places[path]) {
        FTH_GROW(process->paths, process->path_count);
        process->paths[process->path_count] = (struct fth_path_sum){.path = path};
        walker->path_places[path] = (uint32_t)++process->path_count;
    }
    return &process->paths[walker->path_places[path] - 1];
}

static void add_to_path(struct walker *walker, const struct fth_meaning *meaning, const struct fth_signature *signature,
                        const int64_t *values, uint64_t bytes, uint64_t duration)
{
    struct fth_path_parts parts;
    if (!fth_call_path(&walker->state, meaning, values, walker->process->facts.directory, &parts))
        return;
    uint32_t path;
    if (meaning->handle >= 0) {
        path = fth_state_binding(&walker->state, meaning->handle_class, values[meaning->handle])->path;
    } else {
        fth_path_join(&parts, &walker->path);
        path = fth_intern(&walker->gather->part->strings, walker->path.data, walker->path.length);
    }
    struct fth_path_sum *sum = sum_of_path(walker, path);
    sum->calls++;
    if (!meaning->buffered && !(signature->flags & FTH_INSIDE_UNBUFFERED_CALL)) {
        sum->bytes_read += meaning->reads ? bytes : 0;
        sum->bytes_written += meaning->writes ? bytes : 0;
    }
    if (signature->flags & FTH_INSIDE_FILE_CALL)
        return; /* the open below MPI_File_open is not another one */
    if (meaning->opens && !fth_call_failed(meaning, values))
        sum->opens++;
    sum->time += duration;
}

static void add_to_sums(struct walker *walker, const struct fth_meaning *meaning,
                        const struct fth_signature *signature, const int64_t *values, uint64_t duration)
{
    struct fth_sum *sum = &walker->sums[signature->function * FTH_INSIDE_ALL + signature->flags % FTH_INSIDE_ALL];
    uint64_t bytes = fth_call_bytes(meaning, values);
    sum->calls++;
    sum->errors += fth_call_failed(meaning, values);
    sum->time += duration;
    sum->bytes_read += meaning->reads ? bytes : 0;
    sum->bytes_written += meaning->writes ? bytes : 0;
    if (meaning->handle >= 0 || meaning->path >= 0)
        add_to_path(walker, meaning, signature, values, bytes, duration);
}

/* ---- calls ---- */

/* One call: its symbol, and what `from` has of it. False: damaged. */
static bool walk_call(struct walker *walker, uint32_t symbol, struct fth_view *from)
{
    if (symbol >= walker->signature_count)
        return false;
    const struct local_signature *local = &walker->signatures[symbol];
    const struct fth_signature *signature = &local->signature;
    const struct fth_meaning *meaning = &walker->gather->meanings[signature->function];
    uint64_t quantum = walker->process->facts.quantum;
    uint64_t gap = fth_view_varint(from), duration = fth_view_varint(from);
    int64_t values[FTH_MOST_VALUES + 1], literals[FTH_MOST_VALUES + 1];
    memcpy(values, signature->values, signature->count * sizeof *values);
    for (uint32_t mask = signature->mask, i = 0; mask; mask &= mask - 1, i++)
        values[__builtin_ctz(mask)] = literals[i] = fth_view_signed(from);
    if (from->failed)
        return false;
    bool emitted = walker->seen++ >= walker->skip;
    bool has_calls_inside = walker->depth > signature->depth && !meaning->is_bind && !meaning->is_cwd;
    uint64_t before = walker->now / quantum, entry, exit;
    if (has_calls_inside) {
        exit = walker->now + gap;
        entry = exit - duration;
    } else {
        entry = walker->now + gap;
        exit = entry + duration;
    }
    walker->now = exit;
    exit /= quantum;
    entry /= quantum;
    fth_state_resolve(&walker->state, signature, values);
    bool note = fth_state_note(&walker->state, meaning, values);
    if (!note)
        walker->depth = signature->depth;
    if (!emitted)
        return true;
    if (!walker->columns.calls)
        walker->block_base = before;
    fth_columns_call(&walker->columns, has_calls_inside ? exit - before : entry - before, exit - entry);
    for (uint32_t mask = signature->mask, i = 0; mask; mask &= mask - 1, i++)
        fth_columns_literal(&walker->columns, signature->function, (uint32_t)__builtin_ctz(mask), literals[i]);
    fth_grammar_append(walker->grammar, local->number);
    if (!note) {
        add_to_sums(walker, meaning, signature, values, exit - entry);
        walker->process->calls++;
    }
    if (fth_grammar_full(walker->grammar))
        end_piece(walker);
    if (walker->columns.calls == FTH_BLOCK_CALLS)
        end_block(walker);
    return true;
}

/* Sealed blocks that wait for the grammar that gives their symbols. */
struct waiting {
    const struct fth_spill_block **blocks;
    uint64_t *bytes;
    size_t count;
};

/* Walks the waiting blocks by the grammar. False: damaged. */
static bool walk_blocks(struct walker *walker, struct waiting *waiting, const uint8_t *grammar, size_t length)
{
    struct fth_error *error = NULL;
    struct fth_rules *rules = fth_rules_read(grammar, length, walker->signature_count, &error);
    if (!rules) {
        add_problem(walker, "a grammar in a spill file: %s", fth_error_text(error));
        fth_error_free(error);
        return false;
    }
    struct fth_rule_cursor cursor;
    bool good = true;
    fth_rule_cursor_open(&cursor, rules);
    for (size_t i = 0; i < waiting->count && good; i++) {
        const struct fth_spill_block *block = waiting->blocks[i];
        struct fth_view view = fth_view_of(block + 1, waiting->bytes[i] - sizeof *block);
        begin_thread(walker, block->thread, block->tid, block->base);
        for (uint32_t k = 0; k < block->calls && good; k++) {
            uint32_t symbol;
            good = fth_rule_cursor_next(&cursor, &symbol) && walk_call(walker, symbol, &view);
        }
    }
    fth_rule_cursor_close(&cursor);
    fth_rules_free(rules);
    waiting->count = 0;
    return good;
}

/* The live area: definitions and calls in turn. A copy of it, since its thread may still be writing. */
static bool walk_live(struct walker *walker, const struct fth_spill_reader *reader)
{
    const struct fth_spill_live *live = reader->live;
    if (!live)
        return true;
    size_t count = (size_t)(reader->live_end - (const uint32_t *)(live + 1));
    uint32_t *words = fth_new(count, sizeof *words), thread = live->thread;
    int64_t tid = live->tid;
    uint64_t base = live->base;
    memcpy(words, live + 1, count * sizeof *words);
    bool good = __atomic_load_n(&live->sequence, __ATOMIC_ACQUIRE) == reader->commit.sequence;
    struct fth_bytes packed = {0};
    for (const uint32_t *at = words, *end = words + count; good && at < end;) {
        if ((*at & FTH_LIVE_DEFINITION) == FTH_LIVE_DEFINITION) {
            good = define(walker, at, end);
            at += good ? at[1] : 0;
            continue;
        }
        unsigned literals = *at >> 24;
        if (end - at < 3)
            break;
        const uint32_t *more = at + 3;
        if (end - more < (at[1] == FTH_LIVE_LONG) * 2 + (at[2] == FTH_LIVE_LONG) * 2 + (int)literals * 2)
            break;
        uint64_t times[2] = {at[1], at[2]};
        for (int i = 0; i < 2; i++)
            if (times[i] == FTH_LIVE_LONG) {
                memcpy(&times[i], more, 8);
                more += 2;
            }
        packed.length = 0;
        fth_bytes_varint(&packed, times[0]);
        fth_bytes_varint(&packed, times[1]);
        for (unsigned i = 0; i < literals; i++, more += 2) {
            int64_t literal;
            memcpy(&literal, more, 8);
            fth_bytes_signed(&packed, literal);
        }
        struct fth_view view = fth_view_of(packed.data, packed.length);
        begin_thread(walker, thread, tid, base);
        good = walk_call(walker, *at & 0xffffff, &view);
        at = more;
    }
    fth_bytes_free(&packed);
    free(words);
    return good;
}

/* One sealed record. False: damaged. */
static bool walk_record(struct walker *walker, const struct fth_spill_record *record, struct waiting *waiting)
{
    const uint8_t *bytes = (const uint8_t *)(record + 1);
    switch (record->kind) {
    case FTH_SPILL_DEFINITIONS: {
        const uint32_t *at = (const uint32_t *)(record + 1), *end = at + record->bytes / 4;
        for (; at < end; at += at[1])
            if (!define(walker, at, end))
                return false;
        return true;
    }
    case FTH_SPILL_BLOCK:
        if (record->bytes < sizeof(struct fth_spill_block))
            return false;
        FTH_GROW(waiting->blocks, waiting->count);
        FTH_GROW(waiting->bytes, waiting->count);
        waiting->blocks[waiting->count] = (const struct fth_spill_block *)bytes;
        waiting->bytes[waiting->count++] = record->bytes;
        return true;
    case FTH_SPILL_GRAMMAR:
        return record->bytes >= 8 && walk_blocks(walker, waiting, bytes + 8, record->bytes - 8);
    case FTH_SPILL_RESET:
        start_anew(walker);
        return true;
    default:
        return false;
    }
}

static void walk_stream(struct walker *walker, const struct fth_spill_folder *folder, const struct fth_spill_image *image,
                        unsigned number)
{
    struct fth_spill_reader reader;
    struct fth_error *error = NULL;
    if (fth_spill_stream_open(&reader, folder, image->image, number, &error)) {
        add_problem(walker, "%s", fth_error_text(error));
        fth_error_free(error);
        fth_spill_stream_close(&reader);
        return;
    }
    struct waiting waiting = {0};
    bool good = true;
    start_anew(walker);
    for (const struct fth_spill_record *record; good && (record = fth_spill_next(&reader));)
        good = walk_record(walker, record, &waiting);
    if (good && waiting.count && reader.commit.snapshot_bytes)
        good = walk_blocks(walker, &waiting, reader.snapshot, reader.commit.snapshot_bytes);
    if (good)
        good = walk_live(walker, &reader);
    if (!good)
        add_problem(walker, "calls of process %" PRId64 " are missing: stream %u of its spill is damaged",
                    image->process->pid, number);
    end_thread(walker);
    if (reader.live) {
        walker->process->facts.excluded += reader.live->excluded;
        walker->process->facts.lost += reader.live->lost;
    }
    free(waiting.blocks);
    free(waiting.bytes);
    fth_spill_stream_close(&reader);
}

/* ---- facts ---- */

static uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t ticks_now(void)
{
#if defined __x86_64__
    return __rdtsc();
#elif defined __aarch64__
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return clock_ns();
#endif
}

/* For processes that did not live long enough to show the rate of their clock: that of this machine, over 5 ms, once. */
static void measure_rate(struct fth_facts *facts)
{
    static uint64_t ticks, ns;
    if (!ns) {
        uint64_t start_ns = clock_ns(), start = ticks_now(), now;
        while ((now = clock_ns()) < start_ns + 5000000)
            ;
        ticks = ticks_now() - start;
        ns = now - start_ns;
    }
    facts->rate_ticks = ticks;
    facts->rate_ns = ns;
}

static char *copy(const char *text)
{
    return strdup(text ? text : "");
}

/* "openmpi Open MPI v4.1.4, ...": the name of the ABI, and what the library says of itself. */
static char *describe_mpi(const struct fth_spill_process *process)
{
    const char *abi = fth_spill_text(process, "mpi_abi", NULL), *library = fth_spill_text(process, "mpi", NULL);
    char *both;
    if (!abi)
        return copy(NULL);
    return asprintf(&both, "%s %s", abi, library ? library : "") < 0 ? copy(NULL) : both;
}

static void take_facts(const struct fth_spill_process *process, uint64_t resolution_ns, struct fth_facts *facts)
{
    *facts = (struct fth_facts){
        .image = process->image, .previous = process->previous, .world = process->world, .pid = process->pid,
        .parent_pid = process->parent_pid, .rank = process->rank, .size = process->size,
        .start_realtime = process->start.realtime, .start_ticks = process->start.ticks,
        .last_ticks = process->last.ticks, .ended = process->ended, .status = process->status,
        .lost = process->lost, .stopped = process->stopped};
    int64_t lived = process->last.monotonic - process->start.monotonic;
    if (process->ticks_are_ns) {
        facts->rate_ticks = facts->rate_ns = 1;
    } else if (lived > 10000000 && process->last.ticks > process->start.ticks) {
        facts->rate_ticks = process->last.ticks - process->start.ticks;
        facts->rate_ns = (uint64_t)lived;
    } else {
        measure_rate(facts);
    }
    facts->quantum = (uint64_t)((double)resolution_ns * (double)facts->rate_ticks / (double)facts->rate_ns);
    if (!facts->quantum)
        facts->quantum = 1;
    facts->alive = !process->ended && fth_spill_is_of_this_node(process) &&
                   fth_process_is_alive(process->pid);
    facts->host = copy(fth_spill_text(process, "host", NULL));
    facts->exe = copy(fth_spill_text(process, "exe", NULL));
    facts->directory = copy(fth_spill_text(process, "cwd", NULL));
    facts->mpi = describe_mpi(process);
    for (const char *at = NULL; (at = fth_spill_text(process, "arg", at));) {
        FTH_GROW(facts->arguments.items, facts->arguments.count);
        facts->arguments.items[facts->arguments.count++] = copy(at);
    }
}

static void keep_sums(struct walker *walker)
{
    struct fth_part_process *process = walker->process;
    for (uint32_t i = 0; i < walker->gather->part->catalog->row_count * FTH_INSIDE_ALL; i++) {
        if (!walker->sums[i].calls)
            continue;
        walker->sums[i].function = i / FTH_INSIDE_ALL;
        walker->sums[i].flags = i % FTH_INSIDE_ALL;
        FTH_GROW(process->sums, process->sum_count);
        process->sums[process->sum_count++] = walker->sums[i];
    }
}

int fth_gather_process(struct fth_gather *gather, const struct fth_spill_folder *folder,
                       const struct fth_spill_image *image, struct fth_error **error)
{
    struct fth_part *part = gather->part;
    FTH_GROW(part->processes, part->process_count);
    struct walker walker = {.gather = gather, .error = error};
    walker.process = &part->processes[part->process_count++];
    *walker.process = (struct fth_part_process){0};
    take_facts(image->process, gather->resolution_ns, &walker.process->facts);
    void *memory = fth_new(fth_grammar_bytes(GRAMMAR_NODES), 1);
    walker.grammar = fth_grammar_place(memory, GRAMMAR_NODES);
    walker.sums = fth_new(part->catalog->row_count * FTH_INSIDE_ALL, sizeof *walker.sums);
    for (size_t i = 0; i < image->stream_count; i++)
        walk_stream(&walker, folder, image, image->streams[i]);
    keep_sums(&walker);
    free(memory);
    free(walker.sums);
    free(walker.strings);
    free(walker.signatures);
    free(walker.path_places);
    fth_columns_free(&walker.columns);
    fth_bytes_free(&walker.path);
    fth_bytes_free(&walker.packed);
    fth_bytes_free(&walker.written);
    return walker.failed ? -1 : 0;
}
