/* A table of tasks with chains: see the header. */
#include "sim/io/dirty.h"

#include "base/memory.h"

static struct fth_sim_task **bucket_of(const struct fth_sim_dirty *dirty,
                                       const struct fth_sim_task *task)
{
    uint64_t key = (task->offset ^ task->bytes << 20 ^ (uint64_t)task->file << 40) *
                   UINT64_C(0x9E3779B97F4A7C15);
    return &dirty->buckets[(uint32_t)(key >> 32) & (dirty->limit - 1)];
}

bool fth_sim_dirty_has(const struct fth_sim_dirty *dirty, const struct fth_sim_task *place)
{
    if (!dirty->count)
        return false;
    for (const struct fth_sim_task *task = *bucket_of(dirty, place); task; task = task->next_dirty)
        if (task->offset == place->offset && task->bytes == place->bytes &&
            task->file == place->file)
            return true;
    return false;
}

static void insert(struct fth_sim_dirty *dirty, struct fth_sim_task *task)
{
    struct fth_sim_task **bucket = bucket_of(dirty, task);
    task->next_dirty = *bucket;
    *bucket = task;
}

void fth_sim_dirty_add(struct fth_sim_dirty *dirty, struct fth_sim_task *task)
{
    if (dirty->count++ == dirty->limit) {
        struct fth_sim_dirty larger = {.limit = dirty->limit ? dirty->limit * 2 : 64,
                                       .count = dirty->count};
        larger.buckets = fth_new(larger.limit, sizeof(struct fth_sim_task *));
        for (uint32_t i = 0; i < dirty->limit; i++)
            for (struct fth_sim_task *old = dirty->buckets[i], *next; old; old = next) {
                next = old->next_dirty;
                insert(&larger, old);
            }
        free(dirty->buckets);
        *dirty = larger;
    }
    insert(dirty, task);
}

void fth_sim_dirty_remove(struct fth_sim_dirty *dirty, struct fth_sim_task *task)
{
    struct fth_sim_task **at = bucket_of(dirty, task);
    while (*at != task)
        at = &(*at)->next_dirty;
    *at = task->next_dirty;
    dirty->count--;
}

void fth_sim_dirty_free(struct fth_sim_dirty *dirty)
{
    free(dirty->buckets);
}
