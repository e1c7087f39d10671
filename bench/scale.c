/* Merges as many ranks as one likes in one process, each rank a program model (models.c): what the trace takes, and what merging does.
 *
 *     scale MODEL RANKS [STEPS [OUTPUT]]
 *
 * Ranks go one after the other through the walk that MPI_Finalize sends them through, and then up the same binomial tree, each message as bytes.
 * It says, as "key=value ...": bytes of the sections that all ranks share, bytes of the facts and of the times of all, how many shapes and
 * grammars there are, the largest message and how long the tree took. */
#include "models.h"

#include "base/memory.h"
#include "trace/container.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum { MOST_LEVELS = 32, WORLD = 11 };

struct scale {
    const struct model *model;
    int64_t ranks, steps;
    struct fth_walk walk;
    struct fth_part waiting[MOST_LEVELS]; /* [k]: of 2^k ranks, until there are as many again */
    bool waits[MOST_LEVELS];
    struct fth_bytes frames, facts, message;
    int file; /* -1: none */
    uint64_t at, facts_bytes, frame_bytes, calls;
    uint64_t largest_message, merge_ns, most_merge_ns;
};

static uint64_t processor_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void write_on(struct scale *scale, const void *bytes, size_t length)
{
    struct fth_error *error = NULL;
    if (scale->file >= 0 && fth_write_at(scale->file, bytes, length, scale->at, "output", &error)) {
        fprintf(stderr, "scale: %s\n", fth_error_text(error));
        exit(1);
    }
    scale->at += length;
}

static void write_section(struct scale *scale, uint32_t kind, uint32_t process,
                          const struct fth_bytes *bytes, size_t raw)
{
    struct fth_section section = {
        .kind = kind, .process = process, .stored = bytes->length, .raw = raw};
    fth_section_seal(&section, XXH64(bytes->data, bytes->length, kind));
    write_on(scale, &section, sizeof section);
    write_on(scale, bytes->data, bytes->length);
}

/* ---- a rank ---- */

static bool keep_block(void *context, const void *bytes, size_t length, struct fth_error **error)
{
    struct scale *scale = context;
    (void)error;
    fth_bytes_put(&scale->frames, bytes, length);
    return true;
}

static void describe(const struct scale *scale, int64_t rank, struct fth_facts *facts)
{
    char host[32];
    snprintf(host, sizeof host, "node%04d", (int)(rank / 64));
    *facts = (struct fth_facts){.image = ((uint64_t)rank + 1) * 0x9E3779B97F4A7C15u,
                                .world = WORLD,
                                .pid = 10000 + rank % 64 * 3 + rank / 64 % 7,
                                .parent_pid = 9000 + rank / 64 % 7,
                                .rank = rank,
                                .size = scale->ranks,
                                .start_realtime = 1000000 + rank * 997 % 1000003,
                                .start_ticks = 1000 + (uint64_t)rank * 7919 % 100003,
                                .rate_ticks = 2100000007,
                                .rate_ns = 1000000000,
                                .quantum = 210,
                                .ended = 1,
                                .host = strdup(host),
                                .exe = strdup("/opt/models/run"),
                                .directory = strdup("/scratch"),
                                .mpi = strdup("openmpi Open MPI v4.1.4")};
}

static void make_rank(struct scale *scale, int64_t number, struct fth_part *part)
{
    struct rank rank = {.walk = &scale->walk,
                        .rank = number,
                        .ranks = scale->ranks,
                        .steps = scale->steps,
                        .state = ((uint64_t)number + 1) * 0x9E3779B97F4A7C15u};
    struct fth_error *error = NULL;
    fth_part_init(part, fth_builtin_catalog());
    scale->walk.part = part;
    scale->frames.length = scale->facts.length = 0;
    fth_walk_begin(&scale->walk, &error);
    describe(scale, number, &scale->walk.process.facts);
    fth_walk_thread(&scale->walk, 0, scale->walk.process.facts.pid,
                    scale->walk.process.facts.start_ticks, 0);
    scale->model->run(&rank);
    fth_walk_end(&scale->walk, &scale->facts);
    scale->facts_bytes += scale->facts.length + sizeof(struct fth_section);
    scale->frame_bytes += scale->frames.length;
    scale->calls += scale->walk.process.calls;
    size_t raw = scale->frames.length;
    fth_bytes_put(&scale->frames, scale->facts.data, scale->facts.length);
    write_section(scale, FTH_SECTION_PROCESS, (uint32_t)number, &scale->frames, raw);
}

/* ---- the tree ---- */

static void absorb(struct scale *scale, struct fth_part *into, struct fth_part *from)
{
    struct fth_part received;
    uint64_t start = processor_ns();
    scale->message.length = 0;
    fth_part_send(from, &scale->message);
    if (!fth_part_receive(&received, fth_builtin_catalog(), scale->message.data,
                          scale->message.length))
        abort();
    fth_part_absorb(into, &received);
    fth_part_free(from);
    uint64_t took = processor_ns() - start;
    scale->merge_ns += took;
    if (took > scale->most_merge_ns)
        scale->most_merge_ns = took;
    if (scale->message.length > scale->largest_message)
        scale->largest_message = scale->message.length;
}

/* Rank r absorbs r + 1, r + 2, r + 4 ...: a part waits at each level for the one to its right. */
static void add_part(struct scale *scale, struct fth_part part)
{
    unsigned level = 0;
    for (; scale->waits[level]; level++) {
        absorb(scale, &scale->waiting[level], &part);
        part = scale->waiting[level];
        scale->waits[level] = false;
    }
    scale->waiting[level] = part;
    scale->waits[level] = true;
}

static struct fth_part last_part(struct scale *scale)
{
    struct fth_part whole = {0};
    bool any = false;
    for (unsigned level = 0; level < MOST_LEVELS; level++) {
        if (!scale->waits[level])
            continue;
        if (any)
            absorb(scale, &scale->waiting[level], &whole);
        whole = scale->waiting[level];
        any = true;
    }
    return whole;
}

/* ---- the trace ---- */

static uint64_t interned_bytes(const struct fth_intern *intern)
{
    return intern->store.length;
}

static void end_trace(struct scale *scale, const struct fth_part *part)
{
    struct fth_bytes shared = {0}, meta = {0}, nothing = {0};
    const struct fth_catalog *catalog = fth_builtin_catalog();
    bool *used = fth_new(catalog->row_count, sizeof *used);
    uint64_t start = processor_ns();
    fth_part_append(&shared, part, 0);
    uint64_t writing = processor_ns() - start;
    write_on(scale, shared.data, shared.length);
    printf("model=%s ranks=%" PRId64 " steps=%" PRId64 " calls=%" PRIu64
           " shared=%zu facts=%" PRIu64 " times=%" PRIu64 " shapes=%" PRIu32 " grammars=%" PRIu32
           " signatures=%" PRIu32 " templates=%" PRIu32 " grammar_bytes=%" PRIu64
           " message=%" PRIu64 " merge_ns=%" PRIu64 " longest_ns=%" PRIu64 " write_ns=%" PRIu64
           "\n",
           scale->model->name, scale->ranks, scale->steps, scale->calls, shared.length,
           scale->facts_bytes, scale->frame_bytes, part->shapes.names.count, part->grammars.count,
           part->signatures.count, part->strings.count, interned_bytes(&part->grammars),
           scale->largest_message, scale->merge_ns, scale->most_merge_ns, writing);
    shared.length = 0;
    fth_part_mark_used(part, used);
    fth_catalog_append(&shared, catalog, used);
    write_on(scale, shared.data, shared.length);
    fth_bytes_varint(&meta, 1000000);
    fth_bytes_varint(&meta, 2000000);
    fth_bytes_varint(&meta, 100);
    fth_bytes_text(&meta, "{}", 2);
    fth_bytes_varint(&meta, 0);
    write_section(scale, FTH_SECTION_META, 0, &meta, meta.length);
    write_section(scale, FTH_SECTION_END, 0, &nothing, 0);
    free(used);
    fth_bytes_free(&shared);
    fth_bytes_free(&meta);
}

static int usage(void)
{
    fprintf(stderr, "usage: scale MODEL RANKS [STEPS [OUTPUT]]; models:\n");
    for (size_t i = 0; i < model_count; i++)
        fprintf(stderr, "    %-16s %s\n", models[i].name, models[i].what);
    return 2;
}

int main(int argc, char **argv)
{
    struct scale scale = {.file = -1};
    struct fth_header header;
    for (size_t i = 0; i < model_count && argc >= 3; i++)
        if (strcmp(models[i].name, argv[1]) == 0)
            scale.model = &models[i];
    scale.ranks = argc >= 3 ? atoll(argv[2]) : 0;
    if (!scale.model || scale.ranks < 1)
        return usage();
    scale.steps = argc >= 4 ? atoll(argv[3]) : scale.model->steps;
    if (argc >= 5 && (scale.file = open(argv[4], O_WRONLY | O_CREAT | O_TRUNC, 0644)) < 0) {
        perror(argv[4]);
        return 1;
    }
    fth_header_make(&header);
    write_on(&scale, &header, sizeof header);
    struct fth_meaning *meanings = fth_builtin_meanings();
    struct fth_part none;
    fth_part_init(&none, fth_builtin_catalog());
    fth_walk_open(&scale.walk, &none, meanings, keep_block, &scale);
    for (int64_t rank = 0; rank < scale.ranks; rank++) {
        struct fth_part part;
        make_rank(&scale, rank, &part);
        add_part(&scale, part);
    }
    struct fth_part whole = last_part(&scale);
    end_trace(&scale, &whole);
    fth_part_free(&whole);
    fth_part_free(&none);
    fth_walk_close(&scale.walk);
    fth_bytes_free(&scale.frames);
    fth_bytes_free(&scale.facts);
    fth_bytes_free(&scale.message);
    return 0;
}
