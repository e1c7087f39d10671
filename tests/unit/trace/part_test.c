/* Parts as bytes and back, absorbed into one another, and refused when something in them points nowhere. */
#include "trace/part.h"

#include "trace/container.h"
#include "trace/grammar.h"

#include <setjmp.h>
#include <stdarg.h>
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
    size_t size = (fth_grammar_bytes(NODES) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, size);
    memset(memory, 0, size);
    struct fth_grammar *grammar = fth_grammar_place(memory, NODES);
    for (uint32_t i = 0; i < count; i++)
        fth_grammar_append(grammar, terminals[i]);
    uint8_t *bytes = malloc(fth_grammar_write_bound(grammar));
    uint32_t number = fth_intern(&part->grammars, bytes, (size_t)(fth_grammar_write(grammar, bytes) - bytes));
    free(bytes);
    free(memory);
    return number;
}

/* One process that has opened a file and written three times; `name` tells parts apart. */
static void make_part(struct fth_part *part, const char *name)
{
    struct fth_signature open = {.function = function_of("open"), .count = 5};
    struct fth_signature write = {.function = function_of("write"), .count = 3};
    fth_part_init(part, fth_builtin_catalog());
    open.values[0] = fth_intern(&part->strings, name, strlen(name));
    uint32_t terminals[] = {fth_part_add_signature(part, &open), fth_part_add_signature(part, &write)};
    terminals[1] = fth_part_add_signature(part, &write);
    uint32_t sequence[] = {terminals[0], terminals[1], terminals[1], terminals[1]};
    part->processes = calloc(1, sizeof *part->processes);
    part->process_count = 1;
    struct fth_part_process *process = part->processes;
    process->facts = (struct fth_facts){.image = 77, .pid = 5, .rank = -1, .size = -1, .status = -3, .quantum = 10,
                                        .rate_ticks = 3, .rate_ns = 1, .start_realtime = INT64_MIN,
                                        .host = strdup("host"), .exe = strdup(name), .directory = strdup("/"),
                                        .mpi = strdup("")};
    process->facts.arguments.count = 1;
    process->facts.arguments.items = malloc(sizeof(char *));
    process->facts.arguments.items[0] = strdup("argument");
    process->tracks = calloc(1, sizeof *process->tracks);
    process->track_count = 1;
    process->tracks->tid = -1;
    process->tracks->pieces = malloc(sizeof(struct fth_piece));
    process->tracks->pieces[0] = (struct fth_piece){add_grammar(part, sequence, 4), 4};
    process->tracks->piece_count = 1;
    process->tracks->blocks = malloc(sizeof(struct fth_block));
    process->tracks->blocks[0] = (struct fth_block){4, 99, 20, 9, 0, 0};
    process->tracks->block_count = 1;
    process->calls = 4;
    process->blocks_bytes = 20;
    process->sums = malloc(sizeof *process->sums);
    process->sums[0] = (struct fth_sum){.function = write.function, .calls = 3, .time = UINT64_MAX};
    process->sum_count = 1;
    process->paths = malloc(sizeof *process->paths);
    process->paths[0] = (struct fth_path_sum){.path = (uint32_t)open.values[0], .calls = 4};
    process->path_count = 1;
}

static void reread(struct fth_intern *to, const struct fth_intern *from)
{
    struct fth_bytes bytes = {0};
    fth_intern_write(from, &bytes);
    assert_int_equal(fth_intern_read(to, bytes.data, bytes.length, "thing", NULL), 0);
    assert_int_equal(to->count, from->count);
    for (size_t cut = 0; cut < bytes.length; cut++) {
        struct fth_intern part = {0};
        struct fth_error *error = NULL;
        assert_int_equal(fth_intern_read(&part, bytes.data, cut, "thing", &error), -1);
        fth_error_free(error);
        fth_intern_free(&part);
    }
    fth_bytes_free(&bytes);
}

static void comes_back(void **state)
{
    (void)state;
    struct fth_part part, again = {.catalog = fth_builtin_catalog()};
    struct fth_bytes bytes = {0}, bytes_again = {0};
    make_part(&part, "name");
    assert_int_equal(fth_part_check(&part, NULL), 0);
    reread(&again.strings, &part.strings);
    reread(&again.signatures, &part.signatures);
    reread(&again.grammars, &part.grammars);
    fth_part_write_processes(&part, &bytes);
    assert_int_equal(fth_part_read_processes(&again, bytes.data, bytes.length, NULL), 0);
    assert_int_equal(fth_part_check(&again, NULL), 0);
    fth_part_write_processes(&again, &bytes_again);
    assert_int_equal(bytes.length, bytes_again.length);
    assert_memory_equal(bytes.data, bytes_again.data, bytes.length);
    assert_int_equal(again.processes->facts.start_realtime, INT64_MIN);
    assert_string_equal(again.processes->facts.arguments.items[0], "argument");
    fth_part_free(&part);
    fth_part_free(&again);
    fth_bytes_free(&bytes);
    fth_bytes_free(&bytes_again);
}

/* Cut anywhere or with one byte changed: an error, or a part that is fit to be read. */
static void damage_is_harmless(void **state)
{
    (void)state;
    struct fth_part part;
    struct fth_bytes bytes = {0};
    make_part(&part, "name");
    fth_part_write_processes(&part, &bytes);
    for (size_t i = 0; i < bytes.length * 9; i++) {
        struct fth_part again = {.catalog = part.catalog, .strings = part.strings, .signatures = part.signatures,
                                 .grammars = part.grammars};
        struct fth_error *error = NULL;
        size_t at = i / 9, length = i % 9 == 8 ? at : bytes.length;
        uint8_t flip = (uint8_t)(i % 9 == 8 ? 0 : 1 << i % 9);
        bytes.data[at] ^= flip;
        int status = fth_part_read_processes(&again, bytes.data, length, &error);
        assert_true(status == 0 || error);
        assert_true(length == bytes.length || status == -1);
        if (status == 0 && fth_part_check(&again, &error))
            assert_non_null(error);
        bytes.data[at] ^= flip;
        again.strings = again.signatures = again.grammars = (struct fth_intern){0};
        fth_error_free(error);
        fth_part_free(&again);
    }
    fth_part_free(&part);
    fth_bytes_free(&bytes);
}

static void assert_refused(struct fth_part *part, const char *why)
{
    struct fth_error *error = NULL;
    assert_int_equal(fth_part_check(part, &error), -1);
    assert_non_null(strstr(fth_error_text(error), why));
    fth_error_free(error);
    fth_part_free(part);
}

static void what_points_nowhere_is_refused(void **state)
{
    (void)state;
    struct fth_part part;
    struct fth_block *block;
    make_part(&part, "name");
    part.processes->tracks->pieces->grammar = 1;
    assert_refused(&part, "piece 0");
    make_part(&part, "name");
    part.processes->tracks->pieces->calls = 5;
    assert_refused(&part, "piece 0");
    make_part(&part, "name");
    part.processes->sums->function = 65535;
    assert_refused(&part, "unknown function");
    make_part(&part, "name");
    part.processes->paths->path = 1000;
    assert_refused(&part, "unknown path");
    make_part(&part, "name");
    part.processes->facts.quantum = 0;
    assert_refused(&part, "clock");
    make_part(&part, "name");
    part.processes->blocks_bytes = 21;
    assert_refused(&part, "21 bytes instead of 20");
    make_part(&part, "name");
    block = part.processes->tracks->blocks;
    block->literal_stored = UINT64_MAX - block->time_stored + 1; /* together they are 0 */
    block->literal_raw = 8;
    assert_refused(&part, "block 0");
    make_part(&part, "name");
    part.processes->tracks->blocks->time_raw = 1ull << 40;
    assert_refused(&part, "block 0");
    make_part(&part, "name");
    fth_intern(&part.signatures, "\xff\xff\x7f", 3);
    assert_refused(&part, "signature 2");
    make_part(&part, "name");
    struct fth_signature open = {.function = function_of("open"), .count = 5, .values = {100}};
    fth_part_add_signature(&part, &open);
    assert_refused(&part, "names string 100");
}

static void signatures_come_back(void **state)
{
    (void)state;
    struct fth_part part;
    fth_part_init(&part, fth_builtin_catalog());
    struct fth_signature made = {.function = function_of("pwrite"), .depth = 255, .flags = 3, .mask = 4, .count = 4,
                                 .values = {INT64_MIN, INT64_MAX, 0, -1}};
    uint32_t number = fth_part_add_signature(&part, &made);
    struct fth_signature found;
    size_t length;
    const uint8_t *bytes = fth_interned(&part.signatures, number, &length);
    assert_true(fth_signature_read(part.catalog, bytes, length, &found));
    assert_int_equal(found.function, made.function);
    assert_int_equal(found.depth, 255);
    assert_int_equal(found.flags, 3);
    assert_int_equal(found.mask, 4);
    assert_int_equal(found.count, 4);
    assert_memory_equal(found.values, made.values, sizeof made.values);
    for (size_t cut = 0; cut < length; cut++)
        assert_false(fth_signature_read(part.catalog, bytes, cut, &found));
    fth_part_free(&part);
}

static void absorbed_parts_keep_their_meaning(void **state)
{
    (void)state;
    struct fth_part one, two;
    make_part(&one, "one");
    make_part(&two, "two");
    fth_part_absorb(&one, &two);
    assert_int_equal(one.process_count, 2);
    assert_int_equal(fth_part_check(&one, NULL), 0);
    assert_int_equal(one.signatures.count, 3); /* two opens, and the same write */
    size_t length;
    const uint8_t *path = fth_interned(&one.strings, one.processes[1].paths->path, &length);
    assert_int_equal(length, 3);
    assert_memory_equal(path, "two", 3);
    assert_int_not_equal(one.processes[0].tracks->pieces->grammar, one.processes[1].tracks->pieces->grammar);
    make_part(&two, "two");
    fth_part_absorb(&one, &two);
    assert_int_equal(one.grammars.count, 2); /* equal grammars are kept once */
    fth_part_free(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back),
        cmocka_unit_test(damage_is_harmless),
        cmocka_unit_test(what_points_nowhere_is_refused),
        cmocka_unit_test(signatures_come_back),
        cmocka_unit_test(absorbed_parts_keep_their_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
