/* Packs events and shares into blocks, and takes them out again. */
#include "path/thread_timeline.h"

#include "base/memory.h"
#include "base/saturating.h"

/* ---- filling ---- */

/* A part of the kind if it is small. */
static uint32_t put_number(struct fth_flow_packer *packer, uint32_t number)
{
    if (number < FTH_FLOW_NEAR)
        return number;
    fth_bytes_varint(&packer->stream, number);
    return FTH_FLOW_FAR;
}

static uint32_t number_of_event(struct fth_flow_packer *packer)
{
    const struct fth_flow_event *event = &packer->event;
    if (event->is_exit)
        return put_number(packer, packer->timeline->event_count - event->call);
    if (event->call == UINT32_MAX)
        return FTH_FLOW_NONE;
    uint32_t before = packer->last_call;
    packer->last_call = event->call;
    return put_number(packer, event->call - before);
}

/* The last one of a segment has what the others leave. */
static void put_shares(struct fth_flow_packer *packer, struct fth_flow_kind *kind)
{
    uint32_t count = packer->share_count;
    bool own = count > FTH_FLOW_WORKS;
    kind->works = own ? FTH_FLOW_OWN : (uint8_t)count;
    if (own)
        fth_bytes_varint(&packer->stream, count);
    for (uint32_t i = 0; i < count; i++) {
        if (own)
            fth_bytes_varint(&packer->stream, packer->works[i]);
        else
            kind->work[i] = packer->works[i];
        if (i + 1 < count)
            fth_bytes_varint(&packer->stream, (uint64_t)packer->times[i]);
    }
}

static uint32_t kind_of_event(struct fth_flow_packer *packer)
{
    struct fth_flow_kind kind = {.function = packer->event.function,
                                 .is_exit = packer->event.is_exit};
    kind.number = number_of_event(packer);
    put_shares(packer, &kind);
    return fth_intern(&packer->store->known, &kind, sizeof kind);
}

static void seal_block(struct fth_flow_packer *packer)
{
    struct fth_thread_timeline *timeline = packer->timeline;
    uint32_t count = packer->block_count;
    if (!count)
        return;
    struct fth_flow_block head = {
        .time = packer->block_times[0], .call = packer->block_call, .count = (uint8_t)count};
    head.long_times = packer->block_times[count - 1] - head.time > UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        head.many_kinds |= packer->block_kinds[i] > UINT16_MAX;
    size_t times = count * (head.long_times ? sizeof(int64_t) : sizeof(uint32_t)),
           kinds = count * (head.many_kinds ? sizeof(uint32_t) : sizeof(uint16_t));
    struct fth_flow_block *block = fth_arena_take(
        &packer->store->arena, sizeof *block + times + kinds + packer->stream.length);
    *block = head;
    for (uint32_t i = 0; i < count; i++) {
        int64_t time = packer->block_times[i] - head.time;
        if (head.long_times)
            ((int64_t *)block->data)[i] = time;
        else
            ((uint32_t *)block->data)[i] = (uint32_t)time;
        if (head.many_kinds)
            ((uint32_t *)(block->data + times))[i] = packer->block_kinds[i];
        else
            ((uint16_t *)(block->data + times))[i] = (uint16_t)packer->block_kinds[i];
    }
    if (packer->stream.length)
        memcpy(block->data + times + kinds, packer->stream.data, packer->stream.length);
    uint32_t number = (timeline->event_count - 1) / FTH_FLOW_BLOCK;
    FTH_GROW(timeline->blocks, number);
    timeline->blocks[number] = block;
    packer->block_count = 0;
    packer->stream.length = 0;
    packer->block_call = packer->last_call;
}

/* The event that came last, and the segment behind it, are known. */
static void put_event(struct fth_flow_packer *packer)
{
    packer->block_times[packer->block_count] = packer->event.time;
    packer->block_kinds[packer->block_count++] = kind_of_event(packer);
    packer->timeline->event_count++;
    packer->share_count = 0;
    if (packer->block_count == FTH_FLOW_BLOCK)
        seal_block(packer);
}

uint32_t fth_flow_add_event(struct fth_flow_packer *packer, struct fth_flow_event event)
{
    if (packer->begun)
        put_event(packer);
    packer->begun = true;
    packer->event = event;
    return packer->timeline->event_count;
}

void fth_flow_add_time(struct fth_flow_packer *packer, uint32_t work, int64_t time)
{
    packer->share_of =
        fth_reach(packer->share_of, &packer->share_limit, work, sizeof *packer->share_of);
    uint32_t share = packer->share_of[work];
    if (share < packer->share_count && packer->works[share] == work) {
        FTH_ADD_SATURATING(packer->times[share], time);
        return;
    }
    if (packer->share_count == packer->share_room) {
        packer->share_room = packer->share_room ? 2 * packer->share_room : 8;
        packer->works = fth_resize(packer->works, packer->share_room, sizeof *packer->works);
        packer->times = fth_resize(packer->times, packer->share_room, sizeof *packer->times);
    }
    packer->works[packer->share_count] = work;
    packer->times[packer->share_count] = time;
    packer->share_of[work] = packer->share_count++;
}

void fth_flow_expect(const struct fth_flow_packer *packer, uint32_t work)
{
    uint32_t share = work < packer->share_limit ? packer->share_of[work] : UINT32_MAX;
    if (share >= packer->share_count)
        return;
    __builtin_prefetch(&packer->works[share]);
    __builtin_prefetch(&packer->times[share], 1);
}

void fth_flow_end_timeline(struct fth_flow_packer *packer)
{
    if (packer->begun)
        put_event(packer);
    seal_block(packer);
    free(packer->works);
    free(packer->times);
    free(packer->share_of);
    fth_bytes_free(&packer->stream);
}

void fth_flow_end_store(struct fth_flow_store *store, uint32_t *works,
                        struct fth_thread_timeline *timelines, uint32_t timeline_count)
{
    uint32_t count = store->known.count;
    store->works = works;
    store->kinds = fth_new((size_t)count + 1, sizeof *store->kinds);
    for (uint32_t i = 0; i < count; i++) {
        size_t length;
        memcpy(&store->kinds[i], fth_interned(&store->known, i, &length), sizeof *store->kinds);
        for (uint32_t k = 0; k < store->kinds[i].works && k < FTH_FLOW_WORKS; k++)
            if (store->kinds[i].works != FTH_FLOW_OWN)
                store->kinds[i].work[k] = works[store->kinds[i].work[k]];
    }
    fth_intern_free(&store->known);
    for (uint32_t i = 0; i < timeline_count; i++) {
        timelines[i].kinds = store->kinds;
        timelines[i].works = works;
    }
}

void fth_flow_free_store(struct fth_flow_store *store)
{
    fth_intern_free(&store->known);
    fth_arena_free(&store->arena);
    free(store->kinds);
    free(store->works);
}

/* ---- the stream of a block ---- */

static const uint8_t *stream_of(const struct fth_flow_block *block)
{
    return block->data + block->count * (block->long_times ? sizeof(int64_t) : sizeof(uint32_t)) +
           block->count * (block->many_kinds ? sizeof(uint32_t) : sizeof(uint16_t));
}

static uint64_t take(const uint8_t **at)
{
    uint64_t value = 0;
    *at = fth_get_varint(*at, *at + FTH_VARINT_MAX, &value);
    return value;
}

static void skip(const uint8_t **at, uint64_t count)
{
    for (; count; count--)
        while (*(*at)++ & 0x80)
            ;
}

/* Behind what stands there of an event. */
static void skip_event(const uint8_t **at, const struct fth_flow_kind *kind)
{
    if (kind->number == FTH_FLOW_FAR)
        skip(at, 1);
    if (kind->works == FTH_FLOW_OWN)
        skip(at, 2 * take(at) - 1);
    else if (kind->works > 1)
        skip(at, kind->works - 1u);
}

/* Where there is something of this event in its block. */
static const uint8_t *stream_at(const struct fth_thread_timeline *timeline, uint32_t step)
{
    const struct fth_flow_block *block = timeline->blocks[step / FTH_FLOW_BLOCK];
    const uint8_t *at = stream_of(block);
    for (uint32_t i = 0; i < step % FTH_FLOW_BLOCK; i++)
        skip_event(&at, fth_flow_kind_in(timeline, block, i));
    return at;
}

/* ---- asking ---- */

uint32_t fth_flow_far_entry(const struct fth_thread_timeline *timeline, uint32_t step)
{
    const uint8_t *at = stream_at(timeline, step);
    return step - (uint32_t)take(&at);
}

uint32_t fth_flow_call(const struct fth_thread_timeline *timeline, uint32_t step)
{
    const struct fth_flow_block *block = timeline->blocks[step / FTH_FLOW_BLOCK];
    const uint8_t *at = stream_of(block);
    uint32_t call = block->call;
    if (fth_flow_kind(timeline, step)->number == FTH_FLOW_NONE)
        return UINT32_MAX;
    for (uint32_t i = 0; i <= step % FTH_FLOW_BLOCK; i++) {
        const struct fth_flow_kind *kind = fth_flow_kind_in(timeline, block, i);
        const uint8_t *far = at;
        if (!kind->is_exit && kind->number != FTH_FLOW_NONE)
            call += kind->number == FTH_FLOW_FAR ? (uint32_t)take(&far) : kind->number;
        skip_event(&at, kind);
    }
    return call;
}

/* false: the last one has been. */
static bool next_segment(struct fth_flow_shares *shares)
{
    if (shares->step >= shares->to)
        return false;
    uint32_t step = shares->step++;
    const struct fth_flow_kind *kind = shares->kind = fth_flow_kind(shares->timeline, step);
    if (step % FTH_FLOW_BLOCK == 0)
        shares->at = NULL;
    shares->place = 0;
    shares->count = kind->works;
    shares->left =
        fth_flow_time(shares->timeline, step + 1) - fth_flow_time(shares->timeline, step);
    if (!shares->at && kind->works > 1)
        shares->at = stream_at(shares->timeline, step);
    if (shares->at && kind->number == FTH_FLOW_FAR)
        skip(&shares->at, 1);
    if (kind->works == FTH_FLOW_OWN)
        shares->count = (uint32_t)take(&shares->at);
    return true;
}

bool fth_flow_next_share(struct fth_flow_shares *shares, uint32_t *work, int64_t *time)
{
    while (shares->place == shares->count)
        if (!next_segment(shares))
            return false;
    *work = shares->kind->works == FTH_FLOW_OWN ? shares->timeline->works[take(&shares->at)]
                                                : shares->kind->work[shares->place];
    bool last = ++shares->place == shares->count;
    *time = last ? shares->left : (int64_t)take(&shares->at);
    shares->left -= *time;
    return true;
}
