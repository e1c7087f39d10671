/* Calls of a run that belong together, beside messages, for its page: kind by kind in columns of
 * varints. */
#include "base/varint.h"
#include "views/browser/pack.h"

#include <stdlib.h>

static int by_time(const void *one, const void *other)
{
    const struct fth_call_link *a = one, *b = other;
    if (a->from.time != b->from.time)
        return a->from.time < b->from.time ? -1 : 1;
    if (a->to.proc != b->to.proc)
        return a->to.proc < b->to.proc ? -1 : 1;
    return (a->to.call > b->to.call) - (a->to.call < b->to.call);
}

#define PUT(value)                                                                                 \
    for (size_t i = 0; i < count; i++) {                                                           \
        const struct fth_call_link *one = &all[i];                                                 \
        fth_views_pack(to, (uint64_t)(value));                                                     \
    }

static void put_kind(struct fth_sink *to, const struct fth_call_link *all, size_t count,
                     int64_t begin)
{
    PUT(one->from.time > (i ? all[i - 1].from.time : begin)
            ? one->from.time - (i ? all[i - 1].from.time : begin)
            : 0)
    PUT(fth_zigzag(one->to.time - one->from.time))
    PUT(one->from.proc)
    PUT(one->from.thread)
    PUT(one->from.call + 1)
    PUT(one->to.proc)
    PUT(one->to.thread)
    PUT(one->to.call + 1)
    PUT(one->function == UINT16_MAX ? 0 : one->function + 1)
    PUT(one->earlier)
}

void fth_views_pack_links(struct fth_sink *to, const struct fth_link_list *list,
                          const struct fth_overview *overview, size_t most_listed)
{
    for (int kind = 0; kind < FTH_LINK_KINDS; kind++) {
        size_t count = list->kinds[kind].count;
        uint64_t whole = count + list->kinds[kind].too_many;
        bool is_listed = whole <= most_listed && !list->kinds[kind].too_many;
        fth_views_pack(to, whole);
        fth_views_pack(to, is_listed);
        if (!is_listed)
            continue;
        if (count)
            qsort(list->kinds[kind].all, count, sizeof *list->kinds[kind].all, by_time);
        put_kind(to, list->kinds[kind].all, count, overview->begin);
    }
}
