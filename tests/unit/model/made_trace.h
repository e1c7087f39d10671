/* Traces made by hand, as the merger makes them: processes whose threads note what slot 0 is bound
 * to and then write eight bytes again and again. */
#ifndef MADE_TRACE_H
#define MADE_TRACE_H

#include "base/memory.h"
#include "catalog/values.h"
#include "trace/columns/columns.h"
#include "trace/file/container.h"
#include "trace/grammar/grammar.h"
#include "trace/file/line_section.h"
#include "trace/file/part_grammars.h"
#include "trace/record/spill.h"
#include "trace/record/builtin.h"

#define XXH_INLINE_ALL
#include <stdio.h>
#include <xxhash.h>

struct made {
    size_t processes, threads, calls; /* in all; of each process; of each thread in each part */
    /* between two calls of a thread, ns; threads begin 10 ns apart. A multiple of 10 */
    uint64_t step;
    bool literal_offsets; /* 1,000,000, then 999,993 and so on, instead of one behind the other */
    /* that the processes are in; 0 is 1. Their units of time differ. Of several, the first one
     * leaves the lengths of its runs to lists of the processes, the second one has them in a list
     * behind the grammar */
    unsigned parts;
    uint64_t gap;     /* between the numbers of threads; 0 is 1 */
    const char *meta; /* what is said of the recording; NULL: nothing */
};

static inline uint32_t made_function(const char *name)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    for (uint32_t i = 0; i < catalog->row_count; i++)
        if (strcmp(catalog->rows[i].name, name) == 0)
            return i;
    abort();
}

static inline int64_t made_text(struct fth_part *part, const char *text)
{
    struct fth_name name;
    return fth_part_template(part, text, strlen(text), false, &name);
}

enum made_lengths { IN_GRAMMAR, IN_LIST, IN_LISTS_OF_PROCESSES };

static inline enum made_lengths made_lengths(const struct made *made, unsigned number)
{
    return made->parts < 2 || number > 1 ? IN_GRAMMAR
                                         : (number == 0 ? IN_LISTS_OF_PROCESSES : IN_LIST);
}

static inline void made_drop(void *context, uint32_t list, uint32_t count)
{
    (void)context, (void)list, (void)count;
}

/* `note`: UINT32_MAX for none. */
static inline uint32_t made_grammar(struct fth_part *part, uint32_t note, uint32_t write,
                                    size_t calls, enum made_lengths lengths)
{
    size_t size = (fth_grammar_bytes(4096, 1024) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, size);
    memset(memory, 0, size);
    struct fth_grammar *grammar = fth_grammar_place(memory, 4096, 1024);
    if (lengths != IN_GRAMMAR)
        fth_grammar_count(grammar, write);
    if (note != UINT32_MAX)
        fth_grammar_append(grammar, note);
    fth_grammar_append_run(grammar, write, (uint32_t)calls);
    fth_grammar_finish(grammar);
    if (lengths == IN_LISTS_OF_PROCESSES)
        fth_grammar_take_counts(grammar, made_drop, NULL);
    uint8_t *bytes = malloc(fth_grammar_write_bound(grammar));
    uint32_t number =
        fth_part_grammar(part, bytes, (size_t)(fth_grammar_write(grammar, bytes) - bytes));
    free(bytes);
    free(memory);
    return number;
}

/* Calls of one thread: ticks are ns. */
static inline void made_track(const struct made *made, unsigned number, uint64_t quantum,
                              struct fth_track *track, uint32_t write, struct fth_bytes *blocks)
{
    struct fth_columns columns = {0};
    uint64_t now = track->thread * 10 + (number ? (number * made->calls - 1) * made->step + 10 : 0);
    for (size_t i = number ? 1 : 0; i <= made->calls; i++) {
        size_t all = number * made->calls + i - 1; /* calls of the thread before this one */
        uint64_t entry = i ? track->thread * 10 + all * made->step : now,
                 exit = i ? entry + 10 : entry;
        if (columns.times.calls == 0) {
            FTH_GROW(track->blocks, track->block_count);
            track->blocks[track->block_count++] = (struct fth_block){.base = now / quantum};
        }
        const struct fth_time_keys keys = {i ? write : made_function("fathom_bind"), i != 0};
        fth_times_call(&columns.times, keys, (entry - now) / quantum, (exit - entry) / quantum);
        if (i && made->literal_offsets)
            fth_columns_literal(&columns, write, 2, 1000000 - 7 * (int64_t)all);
        track->blocks[track->block_count - 1].calls++;
        if (columns.times.calls == FTH_BLOCK_CALLS || i == made->calls)
            fth_columns_pack(&columns, blocks, &track->blocks[track->block_count - 1]);
        now = exit;
    }
    fth_columns_free(&columns);
}

static inline void made_process(const struct made *made, unsigned number,
                                struct fth_part_process *process, size_t i, uint32_t grammar,
                                const struct fth_signature *signatures, struct fth_bytes *blocks)
{
    process->facts = (struct fth_facts){.image = i + 1,
                                        .previous = i / 2,
                                        .world = i % 4 ? 2 * (i % 4) + 9 : 0,
                                        .pid = (int64_t)i + 100,
                                        .rank = (int64_t)i / 4,
                                        .size = 99,
                                        .start_realtime = 1000000 + (int64_t)i,
                                        .rate_ticks = 1,
                                        .rate_ns = 1,
                                        .quantum = number % 2 ? 5 : 2,
                                        .ended = 1,
                                        .host = strdup("host"),
                                        .exe = strdup("/bin/made"),
                                        .directory = strdup("/work"),
                                        .mpi = strdup("")};
    process->signature_count = number ? 1 : 2; /* the note is in the first part */
    process->signatures = fth_new(2, sizeof *process->signatures);
    memcpy(process->signatures, signatures + (number != 0),
           process->signature_count * sizeof *process->signatures);
    process->tracks = fth_new(made->threads, sizeof *process->tracks);
    process->track_count = made->threads;
    for (size_t k = 0; k < made->threads; k++) {
        struct fth_track *track = &process->tracks[k];
        track->thread = made->threads - 1 - k; /* the last one first */
        track->tid = (int64_t)track->thread + 1000;
        track->pieces = fth_new(1, sizeof *track->pieces);
        track->pieces[0] =
            (struct fth_piece){.grammar = grammar, .calls = made->calls + (number == 0)};
        track->piece_count = 1;
        if (made_lengths(made, number) == IN_LISTS_OF_PROCESSES)
            fth_count_column_put(&process->counts, (const uint32_t[]){(uint32_t)made->calls}, 1);
        made_track(made, number, process->facts.quantum, track, signatures[1].function, blocks);
        track->thread *= made->gap ? made->gap : 1;
    }
    process->sums = fth_new(1, sizeof *process->sums);
    process->sums[0] =
        (struct fth_sum){.function = signatures[1].function, .calls = made->calls * made->threads};
    process->sum_count = 1;
    process->frame_bytes = blocks->length;
}

/* `facts`: how many of the bytes at the end are the facts of a PROC. */
static inline void made_section(struct fth_bytes *trace, uint32_t kind, uint32_t part,
                                uint32_t process, const struct fth_bytes *bytes, size_t facts)
{
    struct fth_section section = {.kind = kind,
                                  .part = part,
                                  .process = process,
                                  .stored = bytes->length,
                                  .raw = bytes->length - facts};
    fth_section_seal(&section, XXH64(bytes->data, bytes->length, kind));
    fth_bytes_put(trace, &section, sizeof section);
    fth_bytes_put(trace, bytes->data, bytes->length);
}

/* Where the writes are made: the first part's in line 7, the others' nobody knows. */
static const char made_module[] = "/bin/made\0"
                                  "b111d1d";
static inline char *made_line(void *context, const char *path, const char *build_id,
                              uint64_t offset)
{
    (void)context;
    return strcmp(path, "/bin/made") || strcmp(build_id, "b111d1d") || offset != 0x1234
               ? NULL
               : strdup("made.c:7 main");
}

static inline void made_part(const struct made *made, unsigned number, bool *used,
                             struct fth_places *places, struct fth_bytes *trace)
{
    struct fth_part part;
    struct fth_bytes blocks = {0};
    fth_part_init(&part, fth_builtin_catalog());
    struct fth_signature note = {.function = made_function("fathom_bind"), .count = 4};
    struct fth_signature write = {
        .function = made_function("pwrite"), .count = 4, .values = {0, 8, 0, 0}};
    write.mask = made->literal_offsets ? 4 : 0;
    write.flags = FTH_HAS_SOURCE;
    write.source = (uint64_t)fth_part_module(&part, made_module, sizeof made_module - 1)
                       << FTH_SOURCE_BITS |
                   (0x1234 + number);
    note.values[0] = made_text(&part, "fd");
    note.values[2] = 3;
    note.values[3] = made_text(&part, "/work/file");
    const struct fth_signature signatures[] = {note, write};
    uint32_t grammar = made_grammar(&part, number ? UINT32_MAX : 0, number ? 0 : 1, made->calls,
                                    made_lengths(made, number));
    for (size_t i = 0; i < made->processes; i++) {
        struct fth_part_process process = {.calls = 0};
        blocks.length = 0;
        made_process(made, number, &process, i, grammar, signatures, &blocks);
        fth_part_add(&part, &process, &blocks);
        made_section(trace, FTH_SECTION_PROCESS, number, (uint32_t)i, &blocks,
                     blocks.length - process.frame_bytes);
        fth_part_process_free(&process);
    }
    fth_part_mark_used(&part, used);
    fth_places_add(places, &part);
    fth_part_append(trace, &part, number);
    fth_part_free(&part);
    fth_bytes_free(&blocks);
}

/* What follows the parts. */
static inline void made_end(struct fth_bytes *trace, const bool *used,
                            const struct fth_places *places, const char *said)
{
    struct fth_bytes meta = {0}, nothing = {0};
    fth_catalog_append(trace, fth_builtin_catalog(), used);
    fth_code_lines_append(trace, places, made_line, NULL);
    fth_bytes_varint(&meta, 1000000);
    fth_bytes_varint(&meta, 2000000);
    fth_bytes_varint(&meta, 1);
    fth_bytes_text(&meta, said, strlen(said));
    fth_bytes_varint(&meta, 1);
    fth_bytes_text(&meta, "blind", 5);
    made_section(trace, FTH_SECTION_META, 0, 0, &meta, 0);
    made_section(trace, FTH_SECTION_END, 0, 0, &nothing, 0);
    fth_bytes_free(&meta);
}

/* The whole file. */
static inline struct fth_bytes made_trace(const struct made *made)
{
    struct fth_bytes trace = {0};
    struct fth_places places = {0};
    struct fth_header header;
    bool *used = fth_new(fth_builtin_catalog()->row_count, sizeof *used);
    fth_header_make(&header);
    fth_bytes_put(&trace, &header, sizeof header);
    for (unsigned i = 0; i < (made->parts ? made->parts : 1); i++)
        made_part(made, i, used, &places, &trace);
    made_end(&trace, used, &places, made->meta ? made->meta : "{}");
    fth_places_free(&places);
    free(used);
    return trace;
}

static inline void made_write(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        abort();
}

#endif
