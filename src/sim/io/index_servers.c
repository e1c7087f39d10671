/* Servers who know who has which bytes: which of them a request is for. See the header. */
#include "sim/io/index_servers.h"

#include "base/memory.h"
#include "holders/share_rule.h"
#include "sim/io/index_asks.h"
#include "sim/io/storage.h"
#include "sim/world/world.h"

#include <string.h>

struct block_key {
    uint64_t file, block;
};
struct writer_key {
    uint32_t process, file;
};

void fth_sim_index_init(struct fth_sim_storage *storage)
{
    struct fth_sim_index *index = &storage->index;
    if (!storage->cluster->instance.per_node)
        return;
    index->count = storage->buffer_count;
    index->servers = fth_new(index->count, sizeof *index->servers);
    index->wanted = fth_new(1, sizeof *index->wanted);
    index->blocks.size = sizeof(uint64_t);
    index->unattached.size = sizeof(struct fth_sim_shares);
}

void fth_sim_index_free(struct fth_sim_index *index)
{
    for (uint32_t i = 0; i < fth_keyed_count(&index->unattached); i++)
        free(((struct fth_sim_shares *)fth_keyed_item(&index->unattached, i))->list);
    fth_keyed_free(&index->unattached);
    fth_keyed_free(&index->blocks);
    for (uint32_t i = 0; index->wanted && i < FTH_SIM_ASK_ROUNDS; i++)
        free(index->wanted->of[i].list);
    free(index->wanted);
    free(index->servers);
}

static struct fth_sim_index *index_of(const struct fth_sim_activity *activity)
{
    return &activity->process->world->storage->index;
}

static struct fth_sim_stored_file *file_of(const struct fth_sim_activity *activity)
{
    return &activity->process->world->storage->files[activity->command.file];
}

static uint32_t server_of(const struct fth_sim_activity *activity, uint64_t block)
{
    const char *name = activity->process->world->program->files[activity->command.file].name;
    return fth_share_block_server(index_of(activity)->count, name ? name : "",
                                  name ? strlen(name) : 0, block);
}

static void add(struct fth_sim_shares *shares, uint64_t of, uint64_t ranges)
{
    for (uint32_t i = 0; i < shares->count; i++)
        if (shares->list[i].of == of) {
            shares->list[i].ranges += ranges;
            return;
        }
    shares->list = fth_reach(shares->list, &shares->limit, shares->count, sizeof *shares->list);
    shares->list[shares->count++] = (struct fth_sim_share){of, ranges};
}

/* Each range is one in each of its blocks: by the servers that the activity finds for them, or, if
 * it is NULL, by their numbers. */
static void add_ranges(const struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges,
                       struct fth_sim_shares *shares)
{
    for (uint64_t i = 0; i < ranges->count; i++) {
        struct fth_sim_extent range = fth_sim_range(ranges, i);
        if (!range.bytes)
            continue;
        uint64_t last = fth_share_block(range.offset + range.bytes - 1);
        for (uint64_t block = fth_share_block(range.offset); block <= last; block++)
            add(shares, activity ? server_of(activity, block) : block, 1);
    }
}

static struct fth_sim_rounds *begin_rounds(const struct fth_sim_activity *activity)
{
    struct fth_sim_rounds *rounds = index_of(activity)->wanted;
    for (uint32_t i = 0; i < FTH_SIM_ASK_ROUNDS; i++)
        rounds->of[i].count = 0;
    rounds->bytes = 0;
    return rounds;
}

static uint64_t *ranges_of_block(const struct fth_sim_activity *activity, uint64_t block)
{
    struct block_key key = {activity->command.file, block};
    return fth_keyed_get(&index_of(activity)->blocks, &key, sizeof key);
}

/* ---- what a step starts ---- */

/* One request for each range, as a process reads one after the other. */
void fth_sim_index_query(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges)
{
    struct fth_sim_ranges one = {.count = 1};
    for (uint64_t i = 0; i < ranges->count; i++) {
        struct fth_sim_extent range = fth_sim_range(ranges, i);
        one.offset = range.offset;
        one.bytes = range.bytes;
        struct fth_sim_rounds *rounds = begin_rounds(activity);
        add_ranges(activity, &one, &rounds->of[0]);
        if (rounds->of[0].count)
            fth_sim_index_ask(activity, rounds);
    }
}

void fth_sim_index_query_file(struct fth_sim_activity *activity)
{
    struct fth_sim_rounds *rounds = begin_rounds(activity);
    uint64_t blocks = file_of(activity)->attached_blocks;
    uint32_t home = server_of(activity, 0);
    add(&rounds->of[0], home, 0);
    if (blocks && server_of(activity, blocks - 1) != home)
        add(&rounds->of[1], server_of(activity, blocks - 1), 0);
    for (uint64_t block = 0; block < blocks; block++)
        add(&rounds->of[2], server_of(activity, block), *ranges_of_block(activity, block));
    fth_sim_index_ask(activity, rounds);
}

/* Of one server alone, all see whether anything was attached of a file, without asking it. */
bool fth_sim_index_may_know(const struct fth_sim_activity *activity)
{
    return index_of(activity)->count > 1 || file_of(activity)->attached_blocks;
}

void fth_sim_index_lock(struct fth_sim_activity *activity)
{
    struct fth_sim_rounds *rounds = begin_rounds(activity);
    add(&rounds->of[0], server_of(activity, 0), 1);
    fth_sim_index_ask(activity, rounds);
}

void fth_sim_index_fetch(struct fth_sim_activity *activity, uint32_t server, uint64_t ranges,
                         uint64_t bytes)
{
    struct fth_sim_rounds *rounds = begin_rounds(activity);
    add(&rounds->of[0], server, ranges);
    rounds->bytes = bytes;
    index_of(activity)->fetched += bytes;
    fth_sim_index_ask(activity, rounds);
}

/* ---- attach ---- */

static struct fth_sim_shares *unattached(const struct fth_sim_activity *activity)
{
    struct writer_key key = {activity->process->rank, activity->command.file};
    return fth_keyed_get(&index_of(activity)->unattached, &key, sizeof key);
}

void fth_sim_index_note(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges)
{
    add_ranges(NULL, ranges, unattached(activity));
}

/* A block that has something for the first time: the home has to know of it. */
static void note_block(const struct fth_sim_activity *activity, uint64_t block,
                       struct fth_sim_rounds *rounds)
{
    struct fth_sim_stored_file *file = file_of(activity);
    uint32_t home = server_of(activity, 0);
    if (block >= file->attached_blocks)
        file->attached_blocks = block + 1;
    if (server_of(activity, block) != home && !rounds->of[1].count)
        add(&rounds->of[1], home, 1);
}

void fth_sim_index_attach(struct fth_sim_activity *activity)
{
    struct fth_sim_shares *noted = unattached(activity);
    struct fth_sim_rounds *rounds = begin_rounds(activity);
    for (uint32_t i = 0; i < noted->count; i++) {
        uint64_t block = noted->list[i].of, *ranges = ranges_of_block(activity, block);
        add(&rounds->of[0], server_of(activity, block), noted->list[i].ranges);
        if (!*ranges)
            note_block(activity, block, rounds);
        *ranges += noted->list[i].ranges;
    }
    noted->count = 0;
    if (rounds->of[0].count)
        fth_sim_index_ask(activity, rounds);
}
