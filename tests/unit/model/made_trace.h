/* Traces made by hand, as the merger makes them: processes whose threads note what slot 0 is bound to and then write eight bytes again
 * and again. */
#ifndef MADE_TRACE_H
#define MADE_TRACE_H

#include "base/memory.h"
#include "catalog/values.h"
#include "trace/columns.h"
#include "trace/container.h"
#include "trace/grammar.h"

#define XXH_INLINE_ALL
#include <stdio.h>
#include <xxhash.h>

struct made {
    size_t processes, threads, calls; /* in all; of each process; of each thread */
    uint64_t step;                    /* between two calls of a thread, ns; threads begin one ns apart */
    bool literal_offsets;             /* 1,000,000, then 999,993 and so on, instead of one behind the other */
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
    return fth_intern(&part->strings, text, strlen(text));
}

static inline uint32_t made_grammar(struct fth_part *part, uint32_t note, uint32_t write, size_t calls)
{
    size_t size = (fth_grammar_bytes(4096) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, size);
    memset(memory, 0, size);
    struct fth_grammar *grammar = fth_grammar_place(memory, 4096);
    fth_grammar_append(grammar, note);
    fth_grammar_append_run(grammar, write, (uint32_t)calls);
    uint8_t *bytes = malloc(fth_grammar_write_bound(grammar));
    uint32_t number = fth_intern(&part->grammars, bytes, (size_t)(fth_grammar_write(grammar, bytes) - bytes));
    free(bytes);
    free(memory);
    return number;
}

static inline void made_process(const struct made *made, struct fth_part *part, size_t number, uint32_t grammar,
                                uint32_t write, struct fth_bytes *blocks)
{
    struct fth_part_process *process = &part->processes[number];
    struct fth_columns columns = {0};
    process->facts = (struct fth_facts){
        .image = number + 1, .previous = number / 2, .world = number % 4 ? number % 4 + 10 : 0, .pid = (int64_t)number + 100,
        .rank = (int64_t)number / 4, .size = 99, .start_realtime = 1000000 + (int64_t)number, .rate_ticks = 1, .rate_ns = 1,
        .quantum = 1, .ended = 1, .host = strdup("host"), .exe = strdup("/bin/made"), .directory = strdup("/work"),
        .mpi = strdup("")};
    process->tracks = fth_new(made->threads, sizeof *process->tracks);
    process->track_count = made->threads;
    for (size_t i = 0; i < made->threads; i++) {
        struct fth_track *track = &process->tracks[i];
        track->thread = made->threads - 1 - i; /* the last one first */
        track->tid = (int64_t)track->thread + 1000;
        track->pieces = fth_new(1, sizeof *track->pieces);
        track->pieces[0] = (struct fth_piece){grammar, made->calls + 1};
        track->piece_count = 1;
        for (size_t k = 0; k <= made->calls; k++) {
            if (columns.calls == 0) {
                FTH_GROW(track->blocks, track->block_count);
                track->blocks[track->block_count++] =
                    (struct fth_block){.base = k ? track->thread + (k - 2) * made->step + 1 : track->thread};
            }
            fth_columns_call(&columns, k < 2 ? 0 : made->step - 1, k ? 1 : 0);
            if (k && made->literal_offsets)
                fth_columns_literal(&columns, write, 2, 1000000 - 7 * ((int64_t)k - 1));
            if (columns.calls == FTH_BLOCK_CALLS || k == made->calls)
                fth_columns_pack(&columns, blocks, &track->blocks[track->block_count - 1]);
        }
    }
    process->calls = made->calls * made->threads;
    process->blocks_bytes = blocks->length;
    fth_columns_free(&columns);
}

static inline void made_section(struct fth_bytes *trace, uint32_t kind, uint32_t process, const struct fth_bytes *bytes)
{
    struct fth_section section = {.kind = kind, .process = process, .stored = bytes->length, .raw = bytes->length};
    fth_section_seal(&section, XXH64(bytes->data, bytes->length, kind));
    fth_bytes_put(trace, &section, sizeof section);
    fth_bytes_put(trace, bytes->data, bytes->length);
}

/* The whole file. */
static inline struct fth_bytes made_trace(const struct made *made)
{
    struct fth_bytes trace = {0}, blocks = {0}, meta = {0}, nothing = {0};
    struct fth_header header;
    struct fth_part part;
    const struct fth_catalog *catalog = fth_builtin_catalog();
    fth_header_make(&header);
    fth_bytes_put(&trace, &header, sizeof header);
    fth_part_init(&part, catalog);
    struct fth_signature note = {.function = made_function("fathom_bind"), .count = 4};
    struct fth_signature write = {.function = made_function("pwrite"), .count = 4, .values = {0, 8, 0, 0}};
    write.mask = made->literal_offsets ? 4 : 0;
    note.values[0] = made_text(&part, "fd");
    note.values[2] = 3;
    note.values[3] = made_text(&part, "/work/file");
    uint32_t first = fth_part_add_signature(&part, &note), second = fth_part_add_signature(&part, &write);
    uint32_t grammar = made_grammar(&part, first, second, made->calls);
    part.processes = fth_new(made->processes, sizeof *part.processes);
    part.process_count = made->processes;
    for (size_t i = 0; i < made->processes; i++) {
        blocks.length = 0;
        made_process(made, &part, i, grammar, write.function, &blocks);
        made_section(&trace, FTH_SECTION_BLOCKS, (uint32_t)i, &blocks);
    }
    bool *used = fth_new(catalog->row_count, sizeof *used);
    fth_part_mark_used(&part, used);
    fth_catalog_append(&trace, catalog, used);
    fth_part_append(&trace, &part, 0);
    fth_bytes_varint(&meta, 1000000);
    fth_bytes_varint(&meta, 2000000);
    fth_bytes_varint(&meta, 1);
    fth_bytes_text(&meta, "{}", 2);
    fth_bytes_varint(&meta, 1);
    fth_bytes_text(&meta, "blind", 5);
    made_section(&trace, FTH_SECTION_META, 0, &meta);
    made_section(&trace, FTH_SECTION_END, 0, &nothing);
    free(used);
    fth_part_free(&part);
    fth_bytes_free(&blocks);
    fth_bytes_free(&meta);
    return trace;
}

static inline void made_write(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        abort();
}

#endif
