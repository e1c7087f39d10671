/* Who starts in the middle of a trace finds the calls that who starts at the beginning finds: with
 * their numbers, parents, files and positions, whatever literals, bindings, names and depths are
 * before. Programs are made of random calls in random loops. */
#include "fathom/trace.h"

#include "base/arena.h"
#include "made_trace.h"
#include "model/calls/seek.h"
#include "trace/merge/walk.h"
#include "trace/record/builtin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>

#include <cmocka.h>

enum { KINDS = 40, LOOPS = 12, MOST_BODY = 6, RATE = 10, THREADS = 2 };

static char path[64];
static uint64_t seed; /* of the program that is in the trace */

/* ---- random programs ---- */

struct program {
    uint64_t random;
    /* What a reader can tell only by going through the calls: literal slots, positions outside of
     * what a cursor expects. */
    bool literal_slots, odd_places;
    struct fth_call_kind kinds[KINDS];
    int bodies[LOOPS][MOST_BODY]; /* kinds, or -1 - loop: of a loop with a smaller number */
    uint64_t made, left;          /* calls */
    struct fth_walk walk;
    int64_t texts[24];
};

static uint64_t draw(struct program *program, uint64_t below)
{
    uint64_t value = program->random += 0x9E3779B97F4A7C15u;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
    value = (value ^ value >> 27) * 0x94D049BB133111EBu;
    return (value ^ value >> 31) % below;
}

static int64_t random_slot(struct program *program)
{
    return draw(program, 12) ? (int64_t)draw(program, 4) : (int64_t)draw(program, 400) - 2;
}

/* What is kept of a value, or a literal of it. */
static int64_t random_value(struct program *program, enum fth_value_part part, bool result)
{
    int64_t small = (int64_t)draw(program, 100);
    bool odd = program->odd_places && draw(program, 40) == 0;
    if (odd)
        return draw(program, 2) ? -small * 1000 : (int64_t)draw(program, UINT64_MAX);
    switch (part) {
    case FTH_PART_SLOT:
        return random_slot(program);
    case FTH_PART_MOVED:
    case FTH_PART_POSITION:
        return result && draw(program, 8) == 0 ? FTH_FAILED + (int64_t)draw(program, 30) : small;
    default:
        return small;
    }
}

static void make_texts(struct program *program)
{
    static const char *const formats[] = {"fd",           "mpi_file", "/out/a%u", "/out/b%04u/c%u",
                                          "here/d%u/d%u", "/plain"};
    for (int i = 0; i < 24; i++) {
        char text[64];
        unsigned number = (unsigned)draw(program, 30);
        snprintf(text, sizeof text, formats[i < 2 ? i : 2 + i % 4], number, number / 3);
        program->texts[i] = fth_walk_text(&program->walk, text, strlen(text));
    }
}

static void make_kind(struct program *program, int which)
{
    static const char *const functions[] = {
        "pwrite", "pread",       "write",         "read",
        "lseek",  "open",        "rename",        "MPI_File_read_at",
        "fgets",  "fseek",       "fathom_bind",   "fathom_cwd",
        "fread",  "aio_write",   "MPI_File_seek", "MPI_Iprobe",
        "ftell",  "fathom_bind", "pwrite",        "read"};
    struct fth_call_kind *kind = &program->kinds[which];
    uint32_t function =
        made_function(functions[draw(program, sizeof functions / sizeof *functions)]);
    const struct fth_meaning *meaning = fth_builtin_meaning(function);
    *kind = (struct fth_call_kind){.terminal = FTH_NO_TERMINAL};
    struct fth_signature *signature = &kind->signature;
    signature->function = function;
    signature->count = (unsigned)meaning->value_count;
    bool note = meaning->note.binds || meaning->note.cwd;
    signature->depth = note || draw(program, 3) ? 0 : (uint32_t)draw(program, 4);
    for (int i = 0; i < meaning->value_count; i++) {
        enum fth_value_part part = meaning->plan[i].part;
        bool slot = i == meaning->about.handle || (meaning->note.binds && i == 1);
        if (fth_is_name(part)) {
            bool is_class = meaning->note.binds && i == 0;
            signature->values[i] = program->texts[is_class ? draw(program, 2) : draw(program, 24)];
            continue;
        }
        if (part != FTH_PART_LIST && draw(program, 6) == 0 && (!slot || program->literal_slots))
            signature->mask |= 1u << i;
        else if (slot)
            signature->values[i] = random_slot(program);
        else if (!note && meaning->steppable >> i & 1 && draw(program, 4) == 0)
            signature->steps |= 1u << i,
                signature->values[i] =
                    fth_step_pack((int64_t)draw(program, 50), (unsigned)draw(program, FTH_TRAILS));
        else
            signature->values[i] =
                random_value(program, part, meaning->plan[i].field == FTH_RESULT);
    }
}

static void make_program(struct program *program)
{
    for (int i = 0; i < KINDS; i++)
        make_kind(program, i);
    for (int i = 0; i < LOOPS; i++)
        for (int k = 0; k < MOST_BODY; k++)
            program->bodies[i][k] = i && draw(program, 3) == 0
                                        ? -1 - (int)draw(program, (uint64_t)i)
                                        : (int)draw(program, KINDS);
}

/* Names of a kind count up: literal ones come of names that do not keep to a step. */
static void make_call(struct program *program, int which)
{
    struct fth_call_kind *kind = &program->kinds[which];
    const struct fth_meaning *meaning = &program->walk.meanings[kind->signature.function];
    int64_t literals[FTH_MOST_VALUES];
    int count = 0;
    for (int i = 0; i < meaning->value_count; i++)
        if (kind->signature.mask >> i & 1)
            literals[count++] = random_value(program, meaning->plan[i].part, false);
    if (meaning->name_count && which % 3 == 0) {
        char text[64];
        bool is_class = meaning->note.binds;
        int name = meaning->names[is_class ? 1 : 0];
        snprintf(text, sizeof text, which % 2 ? "/out/a%u" : "/e%u/e%u",
                 which % 9 ? (unsigned)draw(program, 5000) : (unsigned)program->made / 8, 7u);
        kind->signature.values[name] = fth_walk_text(&program->walk, text, strlen(text));
        fth_call_kind_free(kind); /* what it knows of the text before */
    }
    fth_walk_call(&program->walk, kind, draw(program, 50) * RATE, draw(program, 20) * RATE,
                  literals);
}

static void run_loop(struct program *program, int loop, int depth)
{
    uint64_t turns = 1 + draw(program, draw(program, 20) ? 6 : 3000);
    for (; turns && program->left; turns--)
        for (int i = 0; i < MOST_BODY && program->left; i++) {
            int item = program->bodies[loop][i];
            if (item < 0 && depth < 4) {
                run_loop(program, -1 - item, depth + 1);
            } else if (item >= 0) {
                program->left--;
                program->made++;
                make_call(program, item);
            }
        }
}

static bool keep_blocks(void *context, const void *bytes, size_t length, struct fth_error **error)
{
    (void)error;
    fth_bytes_put(context, bytes, length);
    return true;
}

/* The calls that are in this part, after `skip` of each thread that are in those before it. */
static void make_part(struct program program, unsigned number, uint64_t calls, uint64_t skip,
                      bool *used, struct fth_bytes *trace)
{
    struct fth_part part;
    uint64_t random = program.random;
    struct fth_bytes frames = {0}, facts = {0};
    fth_part_init(&part, fth_builtin_catalog());
    fth_walk_open(&program.walk, &part, keep_blocks, &frames);
    fth_walk_begin(&program.walk);
    program.walk.process.facts = (struct fth_facts){.image = 7,
                                                    .pid = 100,
                                                    .rank = -1,
                                                    .rate_ticks = 1,
                                                    .rate_ns = 1,
                                                    .quantum = number % 2 ? 5 : 2,
                                                    .ended = 1,
                                                    .host = strdup("host"),
                                                    .exe = strdup("/bin/made"),
                                                    .directory = strdup("/work"),
                                                    .mpi = strdup("")};
    make_texts(&program);
    for (uint64_t thread = 0; thread < THREADS; thread++) {
        program.random = random + thread;
        program.made = 0;
        make_program(&program);
        program.left = thread ? calls / 3 : calls;
        fth_walk_thread(&program.walk, thread, 1000 + (int64_t)thread, 0, thread ? skip / 3 : skip);
        while (program.left)
            run_loop(&program, (int)draw(&program, LOOPS), 0);
    }
    assert_int_equal(fth_walk_end(&program.walk, &facts), 0);
    size_t facts_bytes = facts.length;
    fth_bytes_put(&frames, facts.data, facts.length);
    made_section(trace, FTH_SECTION_PROCESS, number, 0, &frames, facts_bytes);
    fth_part_mark_used(&part, used);
    fth_part_append(trace, &part, number);
    for (int i = 0; i < KINDS; i++)
        fth_call_kind_free(&program.kinds[i]);
    fth_walk_close(&program.walk);
    fth_part_free(&part);
    fth_bytes_free(&frames);
    fth_bytes_free(&facts);
}

static struct fth_trace *make_trace(struct program program, uint64_t calls, unsigned parts)
{
    struct fth_bytes trace = {0};
    struct fth_header header;
    seed = program.random;
    bool *used = fth_new(fth_builtin_catalog()->row_count, sizeof *used);
    fth_header_make(&header);
    fth_bytes_put(&trace, &header, sizeof header);
    for (unsigned i = 0; i < parts; i++) /* its random numbers are the same again */
        make_part(program, i, calls * (i + 1), calls * i, used, &trace);
    made_end(&trace, used, &(struct fth_places){0}, "{}");
    free(used);
    made_write(path, trace.data, trace.length);
    fth_bytes_free(&trace);
    struct fth_error *error = NULL;
    struct fth_trace *opened = fth_trace_open(path, &error);
    if (!opened)
        fail_msg("%s", fth_error_text(error));
    return opened;
}

/* ---- what a call looks like ---- */

static void hash_text(uint64_t *hash, const char *text)
{
    *hash = text ? XXH64(text, strlen(text), *hash) : *hash * 31 + 7;
}

static void hash_value(uint64_t *hash, const struct fth_value *value)
{
    *hash = *hash * 31 + (uint64_t)value->type;
    if (value->type == FTH_VALUE_TEXT || value->type == FTH_VALUE_HANDLE)
        hash_text(hash, value->text);
    if (value->type == FTH_VALUE_INTEGER || value->type == FTH_VALUE_HANDLE)
        *hash = *hash * 31 + (uint64_t)value->integer;
}

static uint64_t hash_call(const struct fth_call *call)
{
    uint64_t hash = call->thread + call->number * 3 + call->parent * 5 + call->depth;
    hash_text(&hash, call->function->name);
    hash_text(&hash, call->file);
    hash = hash * 31 + (uint64_t)call->start;
    hash = hash * 31 + (uint64_t)call->end + call->bytes;
    for (size_t i = 0; i < call->function->parameter_count; i++)
        hash_value(&hash, &call->arguments[i]);
    hash_value(&hash, &call->result);
    return hash;
}

struct seen {
    uint64_t hash;
    int64_t start, end;
    const char *function;
    uint32_t depth;
};
/* The calls of each thread. (Times of random calls do not keep to each other, so that threads may
 * mix in more than one way.) */
struct all {
    struct seen *seen[THREADS];
    size_t count[THREADS];
};

static void see_all(struct fth_trace *trace, struct all *all)
{
    struct fth_calls *calls = fth_calls_open(trace, 0, NULL);
    struct fth_call call;
    *all = (struct all){0};
    while (fth_calls_next(calls, &call, NULL) == 1) {
        FTH_GROW(all->seen[call.thread], all->count[call.thread]);
        all->seen[call.thread][all->count[call.thread]++] =
            (struct seen){hash_call(&call), call.start, call.end, call.function->name, call.depth};
    }
    fth_calls_close(calls);
}

/* The calls of a thread before the one that differs, and this one. */
static void print_calls(const struct all *all, uint32_t thread, size_t at)
{
    enum { SHOWN = 12 };
    print_error("the program of seed %llu:\n", (unsigned long long)seed);
    for (size_t i = at > SHOWN ? at - SHOWN : 0; i <= at && i < all->count[thread]; i++) {
        const struct seen *seen = &all->seen[thread][i];
        print_error("  call %zu of thread %u: %*s%s from %lld to %lld\n", i, thread,
                    2 * (int)seen->depth, "", seen->function, (long long)seen->start,
                    (long long)seen->end);
    }
}

static void check_from(struct fth_trace *trace, const struct all *all, int64_t time)
{
    struct fth_error *error = NULL;
    struct fth_calls *calls = fth_calls_from(trace, 0, time, &error);
    struct fth_call call;
    size_t at[THREADS] = {0};
    for (;;) {
        int more = fth_calls_next(calls, &call, &error);
        if (more < 0)
            fail_msg("from %ld: %s", (long)time, fth_error_text(error));
        for (int i = 0; i < THREADS; i++)
            while ((more == 0 || i == (int)call.thread) && at[i] < all->count[i] &&
                   all->seen[i][at[i]].end < time)
                at[i]++;
        if (more == 0)
            break;
        assert_true(at[call.thread] < all->count[call.thread]);
        if (hash_call(&call) != all->seen[call.thread][at[call.thread]++].hash) {
            print_calls(all, call.thread, at[call.thread] - 1);
            fail_msg("from %ld: instead of the last of these, call %lu of thread %u, %s",
                     (long)time, (unsigned long)call.number, call.thread, call.function->name);
        }
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(at[i], all->count[i]);
    fth_calls_close(calls);
}

/* What is read from an instant on, of two threads that write every 100 ns, for 10 ns; the second
 * one begins 10 ns later. A call that has begun before and ends later is among it. */
static void calls_are_found_from_an_instant(void **state)
{
    (void)state;
    static const struct {
        int64_t time;
        uint64_t first[2]; /* of each thread */
    } cases[] = {{0, {0, 0}}, {205, {2, 2}}, {211, {3, 2}}, {220, {3, 2}}, {221, {3, 3}}};
    const struct made made = {.processes = 1, .threads = 2, .calls = 1000, .step = 100};
    struct fth_bytes bytes = made_trace(&made);
    made_write(path, bytes.data, bytes.length);
    fth_bytes_free(&bytes);
    struct fth_trace *trace = fth_trace_open(path, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fth_calls *calls = fth_calls_from(trace, 0, cases[i].time, NULL);
        struct fth_call call;
        uint64_t first[2] = {UINT64_MAX, UINT64_MAX};
        while (fth_calls_next(calls, &call, NULL) == 1)
            if (first[call.thread] == UINT64_MAX)
                first[call.thread] = call.number;
        if (first[0] != cases[i].first[0] || first[1] != cases[i].first[1])
            fail_msg("from %lld on: calls %llu and %llu are the first", (long long)cases[i].time,
                     (unsigned long long)first[0], (unsigned long long)first[1]);
        fth_calls_close(calls);
    }
    fth_trace_close(trace);
}

static void same_calls_from_anywhere(struct program program, uint64_t calls, unsigned parts)
{
    struct fth_trace *trace = make_trace(program, calls, parts);
    struct program times = {.random = program.random + 1};
    struct all all;
    see_all(trace, &all);
    for (int i = 0; i < 8; i++) {
        uint64_t thread = draw(&times, THREADS), at = draw(&times, all.count[thread]);
        check_from(trace, &all, all.seen[thread][at].end + (int64_t)draw(&times, 2));
    }
    check_from(trace, &all, INT64_MAX);
    check_from(trace, &all, 0);
    for (int i = 0; i < THREADS; i++)
        free(all.seen[i]);
    fth_trace_close(trace);
}

static void calls_are_the_same_from_anywhere(void **state)
{
    (void)state;
    for (uint64_t first = 1; first <= 15; first += 5) {
        same_calls_from_anywhere((struct program){.random = first}, 4 * FTH_BLOCK_CALLS, 1);
        same_calls_from_anywhere((struct program){.random = first + 1, .odd_places = true},
                                 3 * FTH_BLOCK_CALLS, 1);
        same_calls_from_anywhere((struct program){.random = first + 2, .literal_slots = true},
                                 3 * FTH_BLOCK_CALLS, 1);
        same_calls_from_anywhere((struct program){.random = first + 3}, 2 * FTH_BLOCK_CALLS + 777,
                                 2);
    }
}

/* ---- blocks ---- */

struct raw {
    struct fth_raw_call call;
    char names[3][80];
};

static void copy_names(const struct fth_thread_reader *reader, struct raw *raw)
{
    for (int i = 0; i < raw->call.meaning->name_count && i < 3; i++) {
        int64_t *text = &raw->call.values[raw->call.meaning->names[i]];
        size_t length = 0;
        const uint8_t *bytes = fth_interned(&reader->names->texts, (uint32_t)*text, &length);
        snprintf(raw->names[i], sizeof raw->names[i], "%.*s", (int)length, (const char *)bytes);
        *text = 0; /* texts have other numbers */
    }
}

static size_t read_raw(struct fth_thread_reader *reader, struct raw **all, size_t most)
{
    size_t count = 0;
    struct raw raw = {.names = {"", "", ""}};
    for (*all = NULL; count < most && fth_thread_reader_next(reader, &raw.call, NULL) == 1;
         count++) {
        FTH_GROW(*all, count);
        copy_names(reader, &raw);
        (*all)[count] = raw;
    }
    return count;
}

static void check_raw(const struct raw *one, const struct raw *other)
{
    assert_ptr_equal(one->call.signature, other->call.signature);
    assert_int_equal(one->call.entry, other->call.entry);
    assert_int_equal(one->call.exit, other->call.exit);
    assert_memory_equal(one->call.values, other->call.values,
                        one->call.signature->count * sizeof *one->call.values);
    for (int i = 0; i < one->call.meaning->name_count && i < 3; i++)
        assert_string_equal(one->names[i], other->names[i]);
}

/* Without going through the calls before it. */
static void every_block_can_be_the_first(void **state)
{
    (void)state;
    enum { AFTER = 3000 };
    struct fth_trace *trace = make_trace((struct program){.random = 77}, 6 * FTH_BLOCK_CALLS, 1);
    const struct fth_stored_part *part = &trace->parts[0];
    struct fth_share share = {.part = part};
    assert_int_equal(fth_stored_part_process(part, 0, &share.stored, NULL), 0);
    share.templates = fth_new(part->strings.count, sizeof *share.templates);
    const struct fth_stretch stretch = {&share, share.stored.tracks, part->processes->frames};
    struct fth_process_names names;
    struct fth_thread_reader reader;
    struct fth_seeker seeker;
    struct raw *all, *some;
    fth_process_names_init(&names);
    fth_thread_reader_open(&reader, trace, &names, &stretch, 1);
    size_t count = read_raw(&reader, &all, SIZE_MAX);
    fth_thread_reader_close(&reader);
    fth_seeker_open(&seeker, trace, trace->processes, &names, &share, 1);
    assert_int_equal(fth_thread_blocks(&stretch, 1), 6);
    for (uint64_t block = 0; block < 6; block++) {
        uint64_t before;
        fth_thread_reader_open(&reader, trace, &names, &stretch, 1);
        assert_int_equal(fth_seek_block(&seeker, &reader, block, &before, NULL), 1);
        size_t got = read_raw(&reader, &some, AFTER);
        assert_int_equal(got, count - before < AFTER ? count - before : AFTER);
        for (size_t i = 0; i < got; i++)
            check_raw(&some[i], &all[before + i]);
        fth_thread_reader_close(&reader);
        free(some);
    }
    free(all);
    fth_seeker_close(&seeker);
    fth_process_names_free(&names);
    fth_part_process_free(&share.stored);
    free(share.templates);
    fth_trace_close(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(calls_are_found_from_an_instant),
                                       cmocka_unit_test(calls_are_the_same_from_anywhere),
                                       cmocka_unit_test(every_block_can_be_the_first)};
    snprintf(path, sizeof path, "/proc/self/fd/%d", memfd_create("trace", 0));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
