/* Records and merges as many ranks as one likes in one process, each rank a program model
 * (models.c): what the trace takes, and what merging does.
 *
 *     scale MODEL RANKS [STEPS [OUTPUT]]
 *
 * Ranks go one after the other through the recorder and what MPI_Finalize does with its files
 * (recorded.c), and then up the same binomial tree, each message as bytes. It says, as "key=value
 * ...": bytes of the sections that all ranks share, of each of them, and of the facts and the times
 * of all ranks; how many shapes and grammars there are; the largest message, the most memory that a
 * node of the tree held, and how long the tree took. */
#include "heap.h"
#include "models.h"
#include "recorded.h"

#include "base/memory.h"
#include "trace/file/container.h"
#include "trace/record/builtin.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum { MOST_LEVELS = 32 };

struct held {
    struct fth_part part;
    int64_t bytes; /* of memory */
};

struct scale {
    const struct model *model;
    int64_t ranks, steps;
    struct recorded recorded;
    struct held waiting[MOST_LEVELS]; /* [k]: of 2^k ranks, until there are as many again */
    bool waits[MOST_LEVELS];
    int file; /* -1: none */
    uint64_t at, facts_bytes, frame_bytes, calls;
    uint64_t largest_message, merge_ns, most_merge_ns;
    int64_t most_held;
    int64_t start, end; /* ns since 1970 */
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

/* Bytes of memory that a rank's part takes where it has come as a message. */
static int64_t memory_of(const struct fth_part *part)
{
    struct fth_part copy;
    struct fth_bytes message = {0};
    fth_part_send(part, &message);
    int64_t before = heap_bytes;
    if (!fth_part_receive(&copy, fth_builtin_catalog(), message.data, message.length))
        abort();
    int64_t bytes = heap_bytes - before;
    fth_part_free(&copy);
    fth_bytes_free(&message);
    return bytes;
}

static struct held make_rank(struct scale *scale, int64_t number)
{
    struct rank rank = {.rank = number,
                        .ranks = scale->ranks,
                        .steps = scale->steps,
                        .state = ((uint64_t)number + 1) * 0x9E3779B97F4A7C15u};
    struct recorded *recorded = &scale->recorded;
    struct held made;
    fth_part_init(&made.part, fth_builtin_catalog());
    recorded_rank(recorded, scale->model, &rank, &made.part);
    made.bytes = memory_of(&made.part);
    scale->facts_bytes += recorded->facts.length + sizeof(struct fth_section);
    scale->frame_bytes += recorded->frames.length;
    scale->calls += recorded->image.walk.process.calls;
    const struct fth_facts *facts = &recorded->image.walk.process.facts;
    if (number == 0)
        scale->start = facts->start_realtime;
    scale->end = facts->start_realtime + (int64_t)(facts->last_ticks - facts->start_ticks);
    size_t raw = recorded->frames.length;
    fth_bytes_put(&recorded->frames, recorded->facts.data, recorded->facts.length);
    write_section(scale, FTH_SECTION_PROCESS, (uint32_t)number, &recorded->frames, raw);
    return made;
}

/* ---- the tree ---- */

static void note_held(struct scale *scale, int64_t bytes)
{
    if (bytes > scale->most_held)
        scale->most_held = bytes;
}

/* A message from one node of the tree to another. The sender holds its part and the message, the
 * receiver its own part, the message, and what it makes of it. */
static void absorb(struct scale *scale, struct held *into, struct held *from)
{
    struct fth_part received;
    struct fth_bytes message = {0};
    int64_t before = heap_bytes;
    uint64_t start = processor_ns();
    fth_part_send(&from->part, &message);
    int64_t message_bytes = heap_bytes - before;
    note_held(scale, from->bytes + message_bytes);
    fth_part_free(&from->part);
    before = heap_most = heap_bytes;
    if (!fth_part_receive(&received, fth_builtin_catalog(), message.data, message.length))
        abort();
    fth_part_absorb(&into->part, &received);
    uint64_t took = processor_ns() - start;
    note_held(scale, into->bytes + message_bytes + heap_most - before);
    into->bytes += heap_bytes - before;
    if (message.length > scale->largest_message)
        scale->largest_message = message.length;
    fth_bytes_free(&message);
    scale->merge_ns += took;
    if (took > scale->most_merge_ns)
        scale->most_merge_ns = took;
}

/* Rank r absorbs r + 1, r + 2, r + 4 ...: a part waits at each level for the one to its right. */
static void add_part(struct scale *scale, struct held part)
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

static struct held last_part(struct scale *scale)
{
    struct held whole = {0};
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

/* "strs=123 sigs=45 ..." */
static void print_sections(const struct fth_bytes *shared)
{
    struct fth_section section;
    for (size_t at = 0; at < shared->length; at += sizeof section + section.stored) {
        memcpy(&section, shared->data + at, sizeof section);
        printf(" %.4s=%" PRIu64, (const char *)&section.kind, sizeof section + section.stored);
    }
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
    printf("model=%s ranks=%" PRId64 " steps=%" PRId64 " calls=%" PRIu64 " shared=%zu",
           scale->model->name, scale->ranks, scale->steps, scale->calls, shared.length);
    print_sections(&shared);
    printf(" facts=%" PRIu64 " times=%" PRIu64 " shapes=%" PRIu32 " grammars=%" PRIu32
           " signatures=%" PRIu32 " templates=%" PRIu32 " message=%" PRIu64 " held=%" PRId64
           " merge_ns=%" PRIu64 " longest_ns=%" PRIu64 " write_ns=%" PRIu64 "\n",
           scale->facts_bytes, scale->frame_bytes, part->shapes.names.count, part->grammars.count,
           part->signatures.count, part->strings.count, scale->largest_message, scale->most_held,
           scale->merge_ns, scale->most_merge_ns, writing);
    shared.length = 0;
    fth_part_mark_used(part, used);
    fth_catalog_append(&shared, catalog, used);
    write_on(scale, shared.data, shared.length);
    fth_bytes_varint(&meta, (uint64_t)scale->start);
    fth_bytes_varint(&meta, (uint64_t)scale->end);
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
    recorded_prepare(argv);
    recorded_open(&scale.recorded);
    scale.steps = argc >= 4 ? atoll(argv[3]) : scale.model->steps;
    if (argc >= 5 && (scale.file = open(argv[4], O_WRONLY | O_CREAT | O_TRUNC, 0644)) < 0) {
        perror(argv[4]);
        return 1;
    }
    fth_header_make(&header);
    write_on(&scale, &header, sizeof header);
    for (int64_t rank = 0; rank < scale.ranks; rank++)
        add_part(&scale, make_rank(&scale, rank));
    struct held whole = last_part(&scale);
    end_trace(&scale, &whole.part);
    fth_part_free(&whole.part);
    recorded_close(&scale.recorded);
    return 0;
}
