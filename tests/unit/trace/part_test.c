/* Processes go into parts and come back, parts are absorbed into one another and sent, and what
 * points nowhere is refused. */
#include "trace/file/derived_times.h"
#include "trace/file/part.h"
#include "trace/record/spill.h"

#include "base/memory.h"
#include "trace/file/container.h"
#include "trace/file/part_grammars.h"
#include "trace/columns/compress.h"
#include "trace/grammar/grammar.h"
#include "trace/grammar/packed_rules.h"
#include "trace/record/builtin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static uint32_t function_of(const char *name)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    for (uint32_t i = 0; i < catalog->row_count; i++)
        if (strcmp(catalog->rows[i].name, name) == 0)
            return i;
    fail();
    return 0;
}

static uint32_t add_grammar(struct fth_part *part, const uint32_t *terminals, uint32_t count)
{
    enum { NODES = 4096 };
    size_t size = (fth_grammar_bytes(NODES, 0) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, size);
    memset(memory, 0, size);
    struct fth_grammar *grammar = fth_grammar_place(memory, NODES, 0);
    for (uint32_t i = 0; i < count; i++)
        fth_grammar_append(grammar, terminals[i]);
    uint8_t *bytes = malloc(fth_grammar_write_bound(grammar));
    uint32_t number =
        fth_part_grammar(part, bytes, (size_t)(fth_grammar_write(grammar, bytes) - bytes));
    free(bytes);
    free(memory);
    return number;
}

/* One process that has opened a file and written three times; file and sums follow from its
 * rank. */
static struct fth_part_process make_process(struct fth_part *part, int64_t rank, const char *exe)
{
    struct fth_part_process process = {.calls = 4, .frame_bytes = 20};
    struct fth_name name;
    char file[64];
    snprintf(file, sizeof file, "out/%04d.dat", (int)rank);
    process.facts = (struct fth_facts){.image = 77 + (uint64_t)rank,
                                       .pid = 5,
                                       .rank = rank,
                                       .size = -1,
                                       .status = -3,
                                       .quantum = 10,
                                       .rate_ticks = 3,
                                       .rate_ns = 1,
                                       .start_realtime = INT64_MIN,
                                       .host = strdup("host"),
                                       .exe = strdup(exe),
                                       .directory = strdup("/"),
                                       .mpi = strdup("")};
    process.facts.arguments.count = 1;
    process.facts.arguments.items = malloc(sizeof(char *));
    process.facts.arguments.items[0] = strdup("argument");
    process.signature_count = 2;
    process.signatures = fth_new(2, sizeof *process.signatures);
    process.signatures[0] = (struct fth_signature){.function = function_of("open"), .count = 5};
    process.signatures[0].values[0] = fth_part_template(part, file, strlen(file), false, &name);
    fth_name_settle(&name, FTH_TEMPLATE_NUMBERS);
    process.name_numbers = fth_new(1, sizeof *process.name_numbers);
    process.name_numbers[0] = name.numbers[0];
    process.name_number_count = 1;
    process.signatures[1] = (struct fth_signature){
        .function = function_of("write"), .count = 3, .values = {0, 8, 0}, .numbers = 1};
    process.tracks = fth_new(1, sizeof *process.tracks);
    process.track_count = 1;
    process.tracks->tid = -1;
    process.tracks->pieces = malloc(sizeof(struct fth_piece));
    process.tracks->pieces[0] =
        (struct fth_piece){.grammar = add_grammar(part, (uint32_t[]){0, 1, 1, 1}, 4), .calls = 4};
    process.tracks->piece_count = 1;
    process.tracks->blocks = malloc(sizeof(struct fth_block));
    process.tracks->blocks[0] =
        (struct fth_block){.calls = 4, .base = 99, .time_stored = 20, .time_raw = 9};
    process.tracks->block_count = 1;
    process.sums = malloc(sizeof *process.sums);
    process.sums[0] = (struct fth_sum){
        .function = function_of("write"), .calls = 4, .bytes_written = 24, .time = UINT64_MAX};
    process.sum_count = 1;
    fth_intern(&process.texts, "", 0);
    process.paths = malloc(sizeof *process.paths);
    process.paths[0] = (struct fth_path_sum){
        .path = fth_intern(&process.texts, file, strlen(file)), .calls = 4, .time = 7};
    process.path_count = 1;
    return process;
}

/* A part with its facts, and read again. */
struct stored {
    struct fth_part part;
    struct fth_bytes facts[64];
    struct fth_bytes shapes;
    struct fth_stored_part read;
};

static void add(struct stored *stored, int64_t rank, const char *exe)
{
    uint32_t index = stored->part.shapes.count;
    struct fth_part_process process = make_process(&stored->part, rank, exe);
    fth_part_add(&stored->part, &process, &stored->facts[index]);
    fth_part_process_free(&process);
}

static void read_list(struct fth_intern *to, const struct fth_bytes *bytes, uint32_t count)
{
    assert_int_equal(fth_intern_read(to, bytes->data, bytes->length, "thing", NULL), 0);
    assert_int_equal(to->count, count);
    for (size_t cut = 0; cut < bytes->length; cut++) {
        struct fth_intern part = {0};
        struct fth_error *error = NULL;
        assert_int_equal(fth_intern_read(&part, bytes->data, cut, "thing", &error), -1);
        fth_error_free(error);
        fth_intern_free(&part);
    }
}

static void reread(struct fth_intern *to, const struct fth_intern *from)
{
    struct fth_bytes bytes = {0};
    fth_intern_write(from, &bytes);
    read_list(to, &bytes, from->count);
    fth_bytes_free(&bytes);
}

static void reread_grammars(struct fth_intern *to, const struct fth_part *part)
{
    struct fth_bytes bytes = {0};
    assert_int_equal(fth_part_grammars_write(part, &bytes), 0);
    read_list(to, &bytes, part->grammars.count);
    fth_bytes_free(&bytes);
}

static void point_to_facts(struct stored *stored)
{
    stored->read.process_count = stored->part.shapes.count;
    stored->read.processes = fth_new(stored->read.process_count, sizeof *stored->read.processes);
    for (uint32_t i = 0; i < stored->read.process_count; i++)
        stored->read.processes[i] =
            (struct fth_stored_process){.frames = stored->facts[i].data,
                                        .facts = stored->facts[i].data,
                                        .frame_bytes = 20,
                                        .facts_bytes = stored->facts[i].length};
}

static void write_and_read(struct stored *stored)
{
    stored->read = (struct fth_stored_part){.catalog = fth_builtin_catalog()};
    reread(&stored->read.strings, &stored->part.strings);
    reread(&stored->read.signatures, &stored->part.signatures);
    reread_grammars(&stored->read.grammars, &stored->part);
    point_to_facts(stored);
    const struct fth_shape_terms terms = {stored->part.catalog, &stored->part.strings,
                                          &stored->part.signatures};
    fth_shapes_write(&stored->part.shapes, &terms, &stored->shapes);
    struct fth_error *error = NULL;
    if (fth_stored_part_read(&stored->read, stored->shapes.data, stored->shapes.length, &error))
        fail_msg("%s", fth_error_text(error));
}

static void free_stored(struct stored *stored)
{
    fth_part_free(&stored->part);
    fth_stored_part_free(&stored->read);
    fth_bytes_free(&stored->shapes);
    for (size_t i = 0; i < 64; i++)
        fth_bytes_free(&stored->facts[i]);
}

static int64_t value_of(const struct fth_part_process *process, uint32_t terminal, unsigned value)
{
    struct fth_signature signature;
    fth_signature_of(process, terminal, &signature);
    return signature.values[value];
}

/* The sums of its paths are read for themselves. */
static void check_path(const struct stored *stored, uint32_t index, int64_t rank)
{
    struct fth_part_process process;
    struct fth_error *error = NULL;
    char file[64];
    size_t length;
    if (fth_stored_part_sums(&stored->read, index, &process, &error))
        fail_msg("%s", fth_error_text(error));
    snprintf(file, sizeof file, "out/%04d.dat", (int)rank);
    assert_int_equal(process.path_count, 1);
    const uint8_t *path = fth_interned(&process.texts, process.paths->path, &length);
    assert_int_equal(length, strlen(file));
    assert_memory_equal(path, file, length);
    assert_int_equal(process.paths->calls, 4);
    assert_int_equal(process.signature_count, 0);
    fth_part_process_free(&process);
}

static void check_process(const struct stored *stored, uint32_t index, int64_t rank,
                          const char *exe)
{
    struct fth_part_process process;
    struct fth_error *error = NULL;
    if (fth_stored_part_process(&stored->read, index, &process, &error))
        fail_msg("%s", fth_error_text(error));
    assert_int_equal(process.facts.image, 77 + rank);
    assert_int_equal(process.facts.rank, rank);
    assert_int_equal(process.facts.status, -3);
    assert_true(process.facts.start_realtime == INT64_MIN);
    assert_string_equal(process.facts.exe, exe);
    assert_int_equal(process.facts.arguments.count, 1);
    assert_string_equal(process.facts.arguments.items[0], "argument");
    assert_int_equal(process.calls, 4);
    assert_int_equal(process.signature_count, 2);
    assert_int_equal(process.terminals[0].common->function, function_of("open"));
    assert_int_equal(process.name_number_count, 1);
    assert_int_equal(process.name_numbers[0] / FTH_NAME_WIDTHS, rank);
    assert_int_equal(value_of(&process, 1, 1), 8);
    assert_int_equal(process.tracks->pieces->calls, 4);
    assert_int_equal(process.tracks->tid, -1);
    assert_true(process.sums->time == UINT64_MAX);
    assert_int_equal(process.sums->bytes_written, 24);
    assert_int_equal(process.path_count, 0);
    fth_part_process_free(&process);
    check_path(stored, index, rank);
}

static void processes_come_back(void **state)
{
    (void)state;
    struct stored stored = {.read = {0}};
    fth_part_init(&stored.part, fth_builtin_catalog());
    add(&stored, 3, "/bin/one");
    add(&stored, 1000, "/bin/two");
    add(&stored, 12345, "/bin/one");
    write_and_read(&stored);
    assert_int_equal(stored.part.grammars.count, 1);
    assert_int_equal(stored.part.shapes.names.count,
                     2); /* that of another program is another shape */
    check_process(&stored, 0, 3, "/bin/one");
    check_process(&stored, 1, 1000, "/bin/two");
    check_process(&stored, 2, 12345, "/bin/one");
    free_stored(&stored);
}

/* However many ranks: their part takes as much as that of a few. Merged pairwise, over messages, as
 * ranks do. */
static size_t size_of_ranks(struct stored *stored, uint32_t ranks)
{
    struct fth_part parts[64] = {0};
    for (uint32_t i = 0; i < ranks; i++) {
        struct stored *one = fth_new(1, sizeof *one);
        fth_part_init(&one->part, fth_builtin_catalog());
        add(one, i, "/bin/one");
        parts[i] = one->part;
        stored->facts[i] = one->facts[0];
        free(one);
    }
    for (uint32_t distance = 1; distance < ranks; distance *= 2)
        for (uint32_t i = 0; i + distance < ranks; i += 2 * distance) {
            struct fth_bytes message = {0};
            struct fth_part received;
            fth_part_send(&parts[i + distance], &message);
            assert_true(
                fth_part_receive(&received, fth_builtin_catalog(), message.data, message.length));
            fth_part_free(&parts[i + distance]);
            fth_part_absorb(&parts[i], &received);
            fth_bytes_free(&message);
        }
    stored->part = parts[0];
    write_and_read(stored);
    for (uint32_t i = 0; i < ranks; i++)
        check_process(stored, i, i, "/bin/one");
    struct fth_bytes bytes = {0};
    fth_part_append(&bytes, &stored->part, 0);
    size_t size = bytes.length;
    fth_bytes_free(&bytes);
    return size;
}

static void ranks_share_what_they_did(void **state)
{
    (void)state;
    size_t sizes[3];
    const uint32_t ranks[] = {4, 33, 64};
    for (int i = 0; i < 3; i++) {
        struct stored stored = {.read = {0}};
        sizes[i] = size_of_ranks(&stored, ranks[i]);
        assert_int_equal(stored.part.shapes.names.count, 1);
        free_stored(&stored);
    }
    assert_true(sizes[1] <= sizes[0] + 8);
    assert_true(sizes[2] <= sizes[0] + 8);
}

/* Gives the process two more signatures, as if sizes of writes had become literal after one that
 * nobody could have foreseen. */
static void add_literal_sizes(struct fth_part_process *process, int64_t size)
{
    process->signatures = fth_resize(process->signatures, 4, sizeof *process->signatures);
    process->signature_count = 4;
    process->signatures[2] = process->signatures[3] = process->signatures[1];
    process->signatures[2].values[1] = size;
    process->signatures[3].values[1] = 0;
    process->signatures[3].mask = 1 << 1;
}

/* What a rank had before such a value became literal goes to its facts: what ranks share does not
 * grow with it. */
static void unruly_values_stand_apart(void **state)
{
    (void)state;
    enum { RANKS = 64 };
    struct stored stored = {.read = {0}};
    struct fth_bytes bytes = {0};
    fth_part_init(&stored.part, fth_builtin_catalog());
    for (uint32_t i = 0; i < RANKS; i++) {
        struct fth_part_process process = make_process(&stored.part, i, "/bin/one");
        add_literal_sizes(&process, i * i * i * 977 % 1000003);
        fth_part_add(&stored.part, &process, &stored.facts[i]);
        fth_part_process_free(&process);
    }
    assert_int_equal(stored.part.shapes.names.count, 1);
    fth_part_append(&bytes, &stored.part, 0);
    write_and_read(&stored);
    for (uint32_t i = 0; i < RANKS; i++) {
        struct fth_part_process process;
        assert_int_equal(fth_stored_part_process(&stored.read, i, &process, NULL), 0);
        assert_int_equal(value_of(&process, 1, 1), 8);
        assert_int_equal(value_of(&process, 2, 1), i * i * i * 977 % 1000003);
        assert_int_equal(process.terminals[3].common->mask, 1 << 1);
        fth_part_process_free(&process);
    }
    size_t size = bytes.length;
    fth_bytes_free(&bytes);
    free_stored(&stored);
    stored = (struct stored){.read = {0}};
    assert_in_range(size, 1, size_of_ranks(&stored, RANKS) + 32);
    free_stored(&stored);
}

/* Cut anywhere or with one bit changed: an error, or a process that is fit to be read. */
static void damage_is_harmless(void **state)
{
    (void)state;
    struct stored stored = {.read = {0}};
    fth_part_init(&stored.part, fth_builtin_catalog());
    for (int i = 0; i < 5; i++) {
        struct fth_part_process process =
            make_process(&stored.part, i * i * 3, "/bin/one"); /* on no line */
        add_literal_sizes(&process, 1 << i);
        fth_part_add(&stored.part, &process, &stored.facts[i]);
        fth_part_process_free(&process);
    }
    write_and_read(&stored);
    struct fth_bytes *targets[] = {&stored.shapes, &stored.facts[2]};
    for (size_t i = 0; i < targets[0]->length * 9 + targets[1]->length * 9; i++) {
        struct fth_bytes *target = targets[i >= targets[0]->length * 9];
        size_t place = i >= targets[0]->length * 9 ? i - targets[0]->length * 9 : i, at = place / 9;
        size_t length = place % 9 == 8 ? at : target->length;
        uint8_t flip = (uint8_t)(place % 9 == 8 ? 0 : 1 << place % 9);
        struct fth_stored_part part = {.catalog = stored.read.catalog,
                                       .strings = stored.read.strings,
                                       .signatures = stored.read.signatures,
                                       .grammars = stored.read.grammars,
                                       .processes = stored.read.processes,
                                       .process_count = stored.read.process_count};
        struct fth_error *error = NULL;
        struct fth_part_process process;
        target->data[at] ^= flip;
        if (target == targets[1])
            part.processes[2].facts_bytes = length;
        int status =
            fth_stored_part_read(&part, stored.shapes.data,
                                 target == targets[0] ? length : stored.shapes.length, &error);
        for (uint32_t k = 0; k < part.process_count && status == 0; k++)
            if ((status = fth_stored_part_process(&part, k, &process, &error)) == 0)
                fth_part_process_free(&process);
        assert_true((status != 0) == (error != NULL));
        assert_true(length == target->length || status == -1);
        target->data[at] ^= flip;
        part.processes[2].facts_bytes = stored.facts[2].length;
        fth_error_free(error);
        part.strings = part.signatures = part.grammars = (struct fth_intern){0};
        part.processes = NULL;
        fth_stored_part_free(&part);
    }
    free_stored(&stored);
}

/* Reads process 0 of a part that was written with one thing wrong. */
static void assert_refused(struct stored *stored, struct fth_part_process *process, const char *why)
{
    struct fth_error *error = NULL;
    struct fth_part_process read;
    fth_part_add(&stored->part, process, &stored->facts[0]);
    fth_part_process_free(process);
    write_and_read(stored);
    assert_int_equal(fth_stored_part_process(&stored->read, 0, &read, &error), -1);
    if (!strstr(fth_error_text(error), why))
        fail_msg("%s", fth_error_text(error));
    fth_error_free(error);
    free_stored(stored);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    for (int wrong = 0; wrong < 7; wrong++) {
        struct stored stored = {.read = {0}};
        fth_part_init(&stored.part, fth_builtin_catalog());
        struct fth_part_process process = make_process(&stored.part, 1, "/bin/one");
        struct fth_block *block = process.tracks->blocks;
        const char *why = "";
        if (wrong == 0) {
            process.tracks->pieces->grammar = add_grammar(&stored.part, (uint32_t[]){0, 1}, 2);
            why = "calls";
        } else if (wrong == 1) {
            process.tracks->pieces->grammar =
                add_grammar(&stored.part, (uint32_t[]){0, 1, 2, 1}, 4);
            why = "do not match"; /* it has no signature 2 */
        } else if (wrong == 2) {
            process.sums->flags = 255;
            why = "do not match";
        } else if (wrong == 3) {
            process.facts.quantum = 0;
            why = "clock";
        } else if (wrong == 4) {
            block->time_stored = 21;
            why = "block 0";
        } else if (wrong == 5) {
            block->literal_stored = UINT64_MAX - block->time_stored + 1; /* together they are 0 */
            block->literal_raw = 8;
            why = "block 0";
        } else {
            block->time_raw = 1ull << 40;
            why = "block 0";
        }
        assert_refused(&stored, &process, why);
    }
}

static void signatures_are_checked(void **state)
{
    (void)state;
    struct fth_signature found;
    uint8_t bytes[64], *end = bytes;
    const uint64_t good[] = {function_of("pwrite"), 255, 3, 4, 2, 8};
    for (int i = 0; i < 6; i++)
        end = fth_put_varint(end, good[i]);
    size_t length = (size_t)(end - bytes);
    assert_true(fth_signature_read(fth_builtin_catalog(), bytes, length, &found));
    assert_int_equal(found.function, good[0]);
    assert_int_equal(found.depth, 255);
    assert_int_equal(found.mask, 4);
    assert_int_equal(found.apart, 2);
    assert_int_equal(found.steps, 8);
    assert_int_equal(found.count, 4);
    for (size_t cut = 0; cut < length; cut++)
        assert_false(fth_signature_read(fth_builtin_catalog(), bytes, cut, &found));
    assert_false(fth_signature_read(fth_builtin_catalog(),
                                    (const uint8_t *)"\xff\xff\x7f\0\0\0\0\0", 8, &found));
    for (uint8_t steps = 1; steps < 32; steps++) {
        bytes[length - 1] = steps; /* not its slot, not what is literal; and it has no value 4 */
        assert_int_equal(fth_signature_read(fth_builtin_catalog(), bytes, length, &found),
                         (steps & ~10) == 0);
    }
    bytes[length - 1] = 0;
    for (size_t i = 2; i <= 3; i++) {
        bytes[length - i] = 16; /* it has no value 4 */
        assert_false(fth_signature_read(fth_builtin_catalog(), bytes, length, &found));
        bytes[length - i] = 4;
    }
    assert_false(fth_signature_read(fth_builtin_catalog(), bytes, length, &found)); /* in both */
}

/* A signature with a source of these numbers: is it read, and as what? */
static bool reads_source(uint64_t module, uint64_t offset, uint64_t *source)
{
    struct fth_signature found;
    uint8_t bytes[80], *end = bytes;
    const uint64_t numbers[] = {function_of("pwrite"), 0, FTH_HAS_SOURCE, 0, 0, 0, module, offset};
    for (int i = 0; i < 8; i++)
        end = fth_put_varint(end, numbers[i]);
    if (!fth_signature_read(fth_builtin_catalog(), bytes, (size_t)(end - bytes), &found))
        return false;
    *source = found.source;
    return !fth_signature_read(fth_builtin_catalog(), bytes, (size_t)(end - bytes) - 1, &found);
}

static void sources_are_checked(void **state)
{
    (void)state;
    uint64_t source;
    assert_true(reads_source(7, 0x1234, &source));
    assert_int_equal(source >> FTH_SOURCE_BITS, 7);
    assert_int_equal(source & FTH_SOURCE_OFFSET, 0x1234);
    assert_true(reads_source((1 << 24) - 1, FTH_SOURCE_OFFSET, &source));
    assert_false(reads_source(0, 0x1234, &source));
    assert_false(reads_source(1 << 24, 0x1234, &source));
    assert_false(reads_source(7, FTH_SOURCE_OFFSET + 1, &source));
}

/* Long grammars are frames, with the short ones between them in frames, too: together they are what
 * a list of packed ones is. */
static void long_grammars_are_frames(void **state)
{
    enum { RUNS = 300000 };
    struct fth_part part;
    struct fth_bytes texts[4] = {0}, frames = {0}, expected = {0};
    uint32_t drawn = 1;
    (void)state;
    fth_part_init(&part, fth_builtin_catalog());
    fth_bytes_varint(&expected, 4);
    for (uint32_t i = 0; i < 4; i++) {
        struct fth_bytes packed = {0};
        uint32_t runs = i % 2 ? RUNS : 1 + i;
        fth_bytes_varint(&texts[i], 1);
        fth_bytes_varint(&texts[i], runs);
        for (uint32_t k = 0; k < runs; k++) {
            drawn = drawn * 1664525 + 1013904223;
            fth_bytes_varint(&texts[i], 2 * (drawn >> 20));
            fth_bytes_varint(&texts[i], 1);
        }
        assert_int_equal(fth_part_grammar(&part, texts[i].data, texts[i].length), i);
        assert_int_equal(fth_part_grammar(&part, texts[i].data, texts[i].length), i);
        fth_rules_pack(texts[i].data, texts[i].length, &packed);
        fth_bytes_text(&expected, packed.data, packed.length);
        fth_bytes_free(&packed);
    }
    size_t length = fth_part_grammars_write(&part, &frames);
    assert_int_equal(length, expected.length);
    uint8_t *read = malloc(length);
    assert_int_equal(fth_decompress(frames.data, frames.length, read, length, NULL), 0);
    assert_memory_equal(read, expected.data, length);
    free(read);
    for (int i = 0; i < 4; i++)
        fth_bytes_free(&texts[i]);
    fth_bytes_free(&frames);
    fth_bytes_free(&expected);
    fth_part_free(&part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_come_back),       cmocka_unit_test(ranks_share_what_they_did),
        cmocka_unit_test(damage_is_harmless),        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(signatures_are_checked),    cmocka_unit_test(sources_are_checked),
        cmocka_unit_test(unruly_values_stand_apart), cmocka_unit_test(long_grammars_are_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
