/* Blocks by place, and in the order of use: see the header. */
#include "sim/io/blocks.h"

#include "base/memory.h"

#include <stdlib.h>

void fth_sim_blocks_init(struct fth_sim_blocks *blocks, uint64_t memory, uint64_t size,
                         uint64_t ahead)
{
    *blocks = (struct fth_sim_blocks){0};
    if (!memory)
        return;
    uint64_t limit = memory / size ? memory / size : 1;
    blocks->size = size;
    blocks->limit = limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX;
    /* What is read ahead must not drive out what it is read ahead of. */
    uint64_t most = blocks->limit / 2;
    blocks->ahead = (uint32_t)(ahead / size < most ? ahead / size : most);
}

void fth_sim_blocks_free(struct fth_sim_blocks *blocks)
{
    for (uint32_t i = 0; i < blocks->bucket_count; i++)
        for (struct fth_sim_block *block = blocks->buckets[i], *next; block; block = next) {
            next = block->next;
            for (struct fth_sim_waiter *waiter = block->waiters, *other; waiter; waiter = other) {
                other = waiter->next;
                free(waiter);
            }
            free(block);
        }
    for (struct fth_sim_block *block = blocks->free, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    for (struct fth_sim_waiter *waiter = blocks->free_waiters, *next; waiter; waiter = next) {
        next = waiter->next;
        free(waiter);
    }
    free(blocks->buckets);
}

/* ---- by place ---- */

static struct fth_sim_block **bucket_of(const struct fth_sim_blocks *blocks, uint32_t file,
                                        uint64_t number)
{
    uint64_t key = (number ^ (uint64_t)file << 40) * UINT64_C(0x9E3779B97F4A7C15);
    return &blocks->buckets[(uint32_t)(key >> 32) & (blocks->bucket_count - 1)];
}

struct fth_sim_block *fth_sim_blocks_find(const struct fth_sim_blocks *blocks, uint32_t file,
                                          uint64_t number)
{
    if (!blocks->bucket_count)
        return NULL;
    struct fth_sim_block *block = *bucket_of(blocks, file, number);
    while (block && (block->file != file || block->number != number))
        block = block->next;
    return block;
}

static void insert(struct fth_sim_blocks *blocks, struct fth_sim_block *block)
{
    struct fth_sim_block **bucket = bucket_of(blocks, block->file, block->number);
    block->next = *bucket;
    *bucket = block;
}

static void grow(struct fth_sim_blocks *blocks)
{
    struct fth_sim_block **old = blocks->buckets;
    uint32_t count = blocks->bucket_count;
    blocks->bucket_count = count ? count * 2 : 64;
    blocks->buckets = fth_new(blocks->bucket_count, sizeof(struct fth_sim_block *));
    for (uint32_t i = 0; i < count; i++)
        for (struct fth_sim_block *block = old[i], *next; block; block = next) {
            next = block->next;
            insert(blocks, block);
        }
    free(old);
}

/* ---- by use ---- */

static void unlink_use(struct fth_sim_blocks *blocks, struct fth_sim_block *block)
{
    *(block->newer ? &block->newer->older : &blocks->newest) = block->older;
    *(block->older ? &block->older->newer : &blocks->oldest) = block->newer;
}

static void link_newest(struct fth_sim_blocks *blocks, struct fth_sim_block *block)
{
    block->newer = NULL;
    block->older = blocks->newest;
    *(blocks->newest ? &blocks->newest->newer : &blocks->oldest) = block;
    blocks->newest = block;
}

static void drop_oldest(struct fth_sim_blocks *blocks)
{
    struct fth_sim_block *oldest = blocks->oldest;
    struct fth_sim_block **at = bucket_of(blocks, oldest->file, oldest->number);
    while (*at != oldest)
        at = &(*at)->next;
    *at = oldest->next;
    unlink_use(blocks, oldest);
    blocks->unused += oldest->is_ahead;
    blocks->count--;
    oldest->next = blocks->free;
    blocks->free = oldest;
}

struct fth_sim_block *fth_sim_blocks_add(struct fth_sim_blocks *blocks, uint32_t file,
                                         uint64_t number)
{
    if (blocks->count == blocks->limit) {
        if (!blocks->oldest)
            return NULL;
        drop_oldest(blocks);
    }
    if (blocks->count == blocks->bucket_count)
        grow(blocks);
    struct fth_sim_block *block = blocks->free;
    if (block)
        blocks->free = block->next;
    else
        block = fth_new(1, sizeof *block);
    *block = (struct fth_sim_block){.file = file, .number = number};
    block->last_waiter = &block->waiters;
    blocks->count++;
    insert(blocks, block);
    return block;
}

void fth_sim_blocks_want(struct fth_sim_blocks *blocks, struct fth_sim_block *block)
{
    block->is_ahead = false;
    if (!block->is_there)
        return;
    unlink_use(blocks, block);
    link_newest(blocks, block);
}

void fth_sim_blocks_wait(struct fth_sim_blocks *blocks, struct fth_sim_block *block,
                         struct fth_sim_request *request, uint64_t bytes)
{
    struct fth_sim_waiter *waiter = blocks->free_waiters;
    if (waiter)
        blocks->free_waiters = waiter->next;
    else
        waiter = fth_new(1, sizeof *waiter);
    *waiter = (struct fth_sim_waiter){.request = request, .bytes = bytes};
    *block->last_waiter = waiter;
    block->last_waiter = &waiter->next;
}

void fth_sim_blocks_loaded(struct fth_sim_blocks *blocks, struct fth_sim_block *block,
                           void (*found)(struct fth_sim_request *request, uint64_t bytes))
{
    block->is_there = true;
    link_newest(blocks, block);
    for (struct fth_sim_waiter *waiter = block->waiters, *next; waiter; waiter = next) {
        next = waiter->next;
        found(waiter->request, waiter->bytes);
        waiter->next = blocks->free_waiters;
        blocks->free_waiters = waiter;
    }
    block->waiters = NULL;
    block->last_waiter = &block->waiters;
}

void fth_sim_blocks_write(struct fth_sim_blocks *blocks, uint32_t file, uint64_t offset,
                          uint64_t bytes)
{
    uint64_t first = (offset + blocks->size - 1) / blocks->size;
    for (uint64_t number = first; number * blocks->size < offset + bytes; number++) {
        struct fth_sim_block *block = fth_sim_blocks_find(blocks, file, number);
        if (block) {
            fth_sim_blocks_want(blocks, block);
            continue;
        }
        block = fth_sim_blocks_add(blocks, file, number);
        if (!block)
            return;
        block->is_there = true;
        link_newest(blocks, block);
    }
}
