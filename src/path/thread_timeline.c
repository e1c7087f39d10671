/* Packs events and shares into rows and a stream, and takes them out again. */
#include "path/thread_timeline.h"

#include "base/memory.h"
#include "base/saturating.h"

/* ---- filling ---- */

/* A part of the kind if it is small. */
static uint32_t put_number(struct fth_flow_packer *packer, uint32_t number)
{
    if (number < FTH_FLOW_NEAR)
        return number;
    fth_bytes_varint(&packer->timeline->stream, number);
    return FTH_FLOW_FAR;
}

static uint32_t number_of_event(struct fth_flow_packer *packer)
{
    const struct fth_flow_event *event = &packer->event;
    if (event->is_exit)
        return put_number(packer, packer->timeline->event_count - event->call);
    if (event->call == UINT32_MAX)
        return FTH_FLOW_NONE;
    packer->last_call = event->call;
    return 0;
}

/* The last one of a segment has what the others leave. */
static void put_shares(struct fth_flow_packer *packer, struct fth_flow_kind *kind)
{
    uint32_t count = packer->share_count;
    bool own = count > FTH_FLOW_WORK;
    kind->work_count = own ? FTH_FLOW_OWN : (uint8_t)count;
    if (own)
        fth_bytes_varint(&packer->timeline->stream, count);
    for (uint32_t i = 0; i < count; i++) {
        if (own)
            fth_bytes_varint(&packer->timeline->stream, packer->work[i]);
        else
            kind->work[i] = packer->work[i];
        if (i + 1 < count)
            fth_bytes_varint(&packer->timeline->stream, (uint64_t)packer->times[i]);
    }
}

static uint32_t kind_of_event(struct fth_flow_packer *packer)
{
    struct fth_flow_kind kind = {.function = packer->event.function,
                                 .is_exit = packer->event.is_exit};
    kind.number = number_of_event(packer);
    put_shares(packer, &kind);
    return fth_intern_next(&packer->store->known, &packer->kinds, &kind, sizeof kind);
}

/* The event that came last, and the segment behind it, are known. */
static void put_event(struct fth_flow_packer *packer)
{
    struct fth_thread_timeline *timeline = packer->timeline;
    if (timeline->event_count % FTH_FLOW_BLOCK == 0)
        fth_rows_add(&timeline->streams, &(int64_t){(int64_t)timeline->stream.length});
    fth_rows_add(&timeline->times, &packer->event.time);
    int64_t kind = kind_of_event(packer);
    fth_rows_add(&timeline->events, (int64_t[]){kind, packer->last_call});
    timeline->event_count++;
    packer->share_count = 0;
}

uint32_t fth_flow_add_event(struct fth_flow_packer *packer, struct fth_flow_event event)
{
    struct fth_thread_timeline *timeline = packer->timeline;
    if (packer->begun)
        put_event(packer);
    else
        timeline->times.columns = timeline->streams.columns = 1,
        timeline->events.columns = timeline->polled.columns = 2;
    if (packer->has_polled)
        fth_rows_add(&timeline->polled, (int64_t[]){timeline->event_count, packer->polled});
    packer->begun = true;
    packer->has_polled = false;
    packer->event = event;
    return timeline->event_count;
}

void fth_flow_add_time(struct fth_flow_packer *packer, uint32_t work, int64_t time)
{
    packer->share_of =
        fth_reach(packer->share_of, &packer->share_limit, work, sizeof *packer->share_of);
    uint32_t share = packer->share_of[work];
    if (share < packer->share_count && packer->work[share] == work) {
        FTH_ADD_SATURATING(packer->times[share], time);
        return;
    }
    if (packer->share_count == packer->share_room) {
        packer->share_room = packer->share_room ? 2 * packer->share_room : 8;
        packer->work = fth_resize(packer->work, packer->share_room, sizeof *packer->work);
        packer->times = fth_resize(packer->times, packer->share_room, sizeof *packer->times);
    }
    packer->work[packer->share_count] = work;
    packer->times[packer->share_count] = time;
    packer->share_of[work] = packer->share_count++;
}

void fth_flow_add_poll(struct fth_flow_packer *packer, int64_t end)
{
    packer->polled = end;
    packer->has_polled = true;
}

void fth_flow_expect(const struct fth_flow_packer *packer, uint32_t work)
{
    uint32_t share = work < packer->share_limit ? packer->share_of[work] : UINT32_MAX;
    if (share >= packer->share_count)
        return;
    __builtin_prefetch(&packer->work[share]);
    __builtin_prefetch(&packer->times[share], 1);
}

void fth_flow_end_timeline(struct fth_flow_packer *packer)
{
    if (packer->begun)
        put_event(packer);
    fth_rows_end(&packer->timeline->times);
    fth_rows_end(&packer->timeline->events);
    fth_rows_end(&packer->timeline->streams);
    fth_rows_end(&packer->timeline->polled);
    packer->timeline->places = fth_new(1, sizeof *packer->timeline->places);
    free(packer->work);
    free(packer->times);
    free(packer->share_of);
    fth_intern_trail_free(&packer->kinds);
}

void fth_flow_end_store(struct fth_flow_store *store, uint32_t *work,
                        struct fth_thread_timeline *timelines, uint32_t timeline_count)
{
    uint32_t count = store->known.count;
    store->work = work;
    store->kinds = fth_new((size_t)count + 1, sizeof *store->kinds);
    for (uint32_t i = 0; i < count; i++) {
        size_t length;
        memcpy(&store->kinds[i], fth_interned(&store->known, i, &length), sizeof *store->kinds);
        for (uint32_t k = 0; k < store->kinds[i].work_count && k < FTH_FLOW_WORK; k++)
            if (store->kinds[i].work_count != FTH_FLOW_OWN)
                store->kinds[i].work[k] = work[store->kinds[i].work[k]];
    }
    fth_intern_free(&store->known);
    for (uint32_t i = 0; i < timeline_count; i++) {
        timelines[i].kinds = store->kinds;
        timelines[i].work = work;
    }
}

void fth_flow_free_store(struct fth_flow_store *store)
{
    fth_intern_free(&store->known);
    free(store->kinds);
    free(store->work);
}

void fth_flow_free_places(struct fth_thread_timeline *timeline)
{
    if (timeline->places) {
        fth_rows_leave(&timeline->places->times);
        fth_rows_leave(&timeline->places->events);
        fth_rows_leave(&timeline->places->streams);
        fth_rows_leave(&timeline->places->edges);
        fth_rows_leave(&timeline->places->polled);
    }
    free(timeline->places);
    timeline->places = NULL;
}

void fth_flow_free_timeline(struct fth_thread_timeline *timeline)
{
    fth_flow_free_places(timeline);
    fth_rows_free(&timeline->times);
    fth_rows_free(&timeline->events);
    fth_rows_free(&timeline->streams);
    fth_rows_free(&timeline->polled);
    fth_bytes_free(&timeline->stream);
}

/* ---- the stream of a block ---- */

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
    if (kind->work_count == FTH_FLOW_OWN)
        skip(at, 2 * take(at) - 1);
    else if (kind->work_count > 1)
        skip(at, kind->work_count - 1u);
}

/* Where there is something of this event in its block. */
static const uint8_t *stream_at(const struct fth_thread_timeline *timeline, uint32_t step)
{
    uint32_t block = step / FTH_FLOW_BLOCK;
    const uint8_t *at =
        timeline->stream.data + *fth_rows_at(&timeline->streams, &timeline->places->streams, block);
    for (uint32_t i = block * FTH_FLOW_BLOCK; i < step; i++)
        skip_event(&at, fth_flow_kind(timeline, i));
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
    if (fth_flow_kind(timeline, step)->number == FTH_FLOW_NONE)
        return UINT32_MAX;
    return (uint32_t)fth_rows_at(&timeline->events, &timeline->places->events, step)[1];
}

bool fth_flow_polled(const struct fth_thread_timeline *timeline, uint32_t step, int64_t *end)
{
    uint32_t low = 0, high = timeline->polled.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const int64_t *row = fth_rows_at(&timeline->polled, &timeline->places->polled, middle);
        if (row[0] == step) {
            *end = row[1];
            return true;
        }
        if (row[0] < step)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
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
    shares->count = kind->work_count;
    int64_t begin = shares->knows_time ? shares->time : fth_flow_time(shares->timeline, step);
    shares->time = fth_flow_time(shares->timeline, step + 1);
    shares->knows_time = true;
    shares->left = shares->time - begin;
    if (!shares->at && kind->work_count > 1)
        shares->at = stream_at(shares->timeline, step);
    if (shares->at && kind->number == FTH_FLOW_FAR)
        skip(&shares->at, 1);
    if (kind->work_count == FTH_FLOW_OWN)
        shares->count = (uint32_t)take(&shares->at);
    return true;
}

bool fth_flow_next_share(struct fth_flow_shares *shares, uint32_t *work, int64_t *time)
{
    while (shares->place == shares->count)
        if (!next_segment(shares))
            return false;
    *work = shares->kind->work_count == FTH_FLOW_OWN ? shares->timeline->work[take(&shares->at)]
                                                     : shares->kind->work[shares->place];
    bool last = ++shares->place == shares->count;
    *time = last ? shares->left : (int64_t)take(&shares->at);
    shares->left -= *time;
    return true;
}
