/* Blocks in lists by hash: ends in order of arrival, behind them begins, the last one first. A
 * begin that nobody asked about is in nobody's way so. */
#include "trace/merge/aio.h"

#include "base/memory.h"
#include "trace/state/call_meaning.h"

#include <string.h>

enum {
    MOST = 1 << 20,
    MOST_ENDS = 256, /* in a list: they are gone through */
    HEADS = 1 << 14,
};

struct fth_aio_item {
    struct fth_aio_block block;
    struct fth_aio_owner owner; /* of a begin */
    uint64_t time, moved;       /* moved: of an end */
    uint32_t next;
    bool is_end;
};

static uint32_t *list_of(const struct fth_aio *aio, const struct fth_aio_block *block)
{
    uint64_t hash = ((uint64_t)block->slot ^ block->file << 32) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 29 ^ (uint64_t)block->offset) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 29 ^ (uint64_t)block->bytes) * 0x9E3779B97F4A7C15u;
    return &aio->heads[(hash >> 32) % HEADS];
}

/* In front of begins, behind ends: so the last begin comes first, and the first end. False: there
 * are too many. */
static bool link_item(struct fth_aio *aio, uint32_t number)
{
    struct fth_aio_item *item = &aio->items[number];
    uint32_t *link = list_of(aio, &item->block), ends = 0;
    for (; *link && aio->items[*link].is_end; ends++)
        link = &aio->items[*link].next;
    if (item->is_end && ends >= MOST_ENDS)
        return false;
    item->next = *link;
    *link = number;
    return true;
}

static void drop(struct fth_aio *aio, uint32_t number)
{
    aio->items[number].next = aio->free;
    aio->free = number;
    aio->used--;
}

static void keep(struct fth_aio *aio, const struct fth_aio_item *item)
{
    if (aio->used == MOST)
        return;
    if (!aio->heads)
        aio->heads = fth_new(HEADS, sizeof *aio->heads);
    uint32_t number = aio->free;
    if (number) {
        aio->free = aio->items[number].next;
    } else {
        number = aio->item_count ? aio->item_count : 1;
        aio->items = fth_reach(aio->items, &aio->item_limit, number, sizeof *aio->items);
        aio->item_count = number + 1;
    }
    aio->items[number] = *item;
    aio->used++;
    if (!link_item(aio, number))
        drop(aio, number);
}

static bool is_meant(const struct fth_aio_item *item, const struct fth_aio_block *block,
                     bool is_end, uint64_t time)
{
    return item->is_end == is_end && memcmp(&item->block, block, sizeof *block) == 0 &&
           (is_end ? item->time >= time : item->time <= time);
}

/* Takes out the first one that is meant. */
static bool take(struct fth_aio *aio, const struct fth_aio_block *block, bool is_end, uint64_t time,
                 struct fth_aio_item *taken)
{
    uint32_t *link = aio->heads ? list_of(aio, block) : NULL;
    while (link && *link && !is_meant(&aio->items[*link], block, is_end, time)) {
        if (is_end && !aio->items[*link].is_end) /* ends stand in front */
            return false;
        link = &aio->items[*link].next;
    }
    if (!link || !*link)
        return false;
    uint32_t number = *link;
    *taken = aio->items[number];
    *link = taken->next;
    drop(aio, number);
    return true;
}

bool fth_aio_begin(struct fth_aio *aio, const struct fth_aio_block *block, uint64_t time,
                   const struct fth_aio_owner *owner, uint64_t *moved)
{
    struct fth_aio_item end;
    if (block->bytes <= 0)
        return false;
    if (take(aio, block, true, time, &end)) {
        *moved = end.moved;
        return true;
    }
    keep(aio, &(struct fth_aio_item){.block = *block, .owner = *owner, .time = time});
    return false;
}

bool fth_aio_end(struct fth_aio *aio, const struct fth_aio_block *block, uint64_t time,
                 uint64_t said, struct fth_aio_owner *owner, uint64_t *moved)
{
    struct fth_aio_item begin;
    if (block->bytes <= 0)
        return false;
    bool less = said < (uint64_t)block->bytes;
    if (!take(aio, block, false, time, &begin)) {
        if (less)
            keep(aio, &(struct fth_aio_item){
                          .block = *block, .time = time, .moved = said, .is_end = true});
        return false;
    }
    *owner = begin.owner;
    *moved = said;
    return less;
}

void fth_aio_free(struct fth_aio *aio)
{
    free(aio->items);
    free(aio->heads);
    *aio = (struct fth_aio){0};
}

/* ---- what calls say ---- */

void fth_aio_block_of(const struct fth_meaning *meaning, const int64_t *values,
                      struct fth_aio_block *block)
{
    /* slot, offset and bytes stand together */
    const int64_t *first = &values[meaning->about.handle];
    *block = (struct fth_aio_block){first[0], first[1], first[2], 0};
}

uint64_t fth_aio_moved(const struct fth_meaning *meaning, const int64_t *values)
{
    int64_t moved = meaning->moved >= 0 ? values[meaning->moved] : 0;
    return moved > 0 && !FTH_IS_FAILURE(moved) ? (uint64_t)moved : 0;
}

bool fth_aio_next(struct fth_view *list, struct fth_aio_block *block,
                  enum fth_aio_operation *operation)
{
    int64_t numbers[FTH_AIO_NUMBERS];
    for (int i = 0; i < FTH_AIO_NUMBERS; i++) {
        if (list->at >= list->end)
            return false;
        numbers[i] = fth_view_signed(list);
    }
    *block = (struct fth_aio_block){numbers[0], numbers[1], numbers[2] > 0 ? numbers[2] : 0, 0};
    *operation = numbers[3] == 0   ? FTH_AIO_READ /* LIO_READ, LIO_WRITE */
                 : numbers[3] == 1 ? FTH_AIO_WRITE
                                   : FTH_AIO_NOTHING;
    return !list->failed;
}
