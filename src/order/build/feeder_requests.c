/* Requests: what they stand for, from the call that starts it to the one that finds it complete,
 * whichever thread makes it. */
#include "base/memory.h"
#include "order/build/feeder.h"

#include <string.h>

enum { MOST_REQUESTS = 1 << 20 };

static size_t requests_in(const struct fth_value *value)
{
    return !value                             ? 0
           : value->type == FTH_VALUE_HANDLES ? value->count
                                              : value->type == FTH_VALUE_HANDLE;
}

/* NULL: it stands for nothing that we know. */
static struct fth_pending *pending_at(const struct fth_order_feeder *feeder,
                                      const struct fth_value *value, size_t i)
{
    int64_t slot = value->type == FTH_VALUE_HANDLES ? value->integers[i] : value->integer;
    if (slot < 0 || slot >= feeder->request_room || !feeder->requests[slot].used)
        return NULL;
    return &feeder->requests[slot];
}

/* ---- begin ---- */

static uint32_t add_deed(struct fth_order_feeder *feeder, struct fth_order_deed deed)
{
    if (deed.kind != FTH_DEED_COLLECTIVE && deed.peer == FTH_PEER_NOBODY)
        return FTH_NO_DEED;
    uint32_t number = fth_order_deeds_add(feeder->deeds, deed);
    if (deed.kind == FTH_DEED_COLLECTIVE)
        fth_order_deeds_chain(feeder->deeds, number);
    return number;
}

/* A library gives the same request to operations that are over already: nobody needs to wait for
 * those. */
static void let_go(struct fth_order_feeder *feeder, const struct fth_pending *pending)
{
    for (int i = 0; i < 2; i++)
        if (pending->used && pending->deeds[i] != FTH_NO_DEED)
            feeder->deeds->deeds[pending->deeds[i]].flags |= FTH_DEED_FREED;
}

void fth_feeder_start(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                      const struct fth_order_deed *deeds, int count)
{
    const struct fth_value *value = fth_feeder_value(feeder, sense->started);
    struct fth_pending pending = {.deeds = {FTH_NO_DEED, FTH_NO_DEED},
                                  .used = true,
                                  .persistent = sense->persistent,
                                  .like_count = count,
                                  .partitions = fth_feeder_integer(feeder, sense->partitions, 0)};
    for (int i = 0; i < count; i++) {
        pending.like[i] = deeds[i];
        if (!sense->persistent)
            pending.deeds[i] = add_deed(feeder, deeds[i]);
    }
    if (!value || value->type != FTH_VALUE_HANDLE || value->integer < 0 ||
        value->integer >= MOST_REQUESTS) {
        let_go(feeder, &pending);
        return;
    }
    feeder->requests = fth_reach(feeder->requests, &feeder->request_room, (uint32_t)value->integer,
                                 sizeof *feeder->requests);
    let_go(feeder, &feeder->requests[value->integer]);
    feeder->requests[value->integer] = pending;
}

static void start_again(struct fth_order_feeder *feeder, struct fth_pending *pending,
                        struct fth_event begin)
{
    for (int i = 0; pending->persistent && i < pending->like_count; i++) {
        struct fth_order_deed deed = pending->like[i];
        deed.begin = begin;
        deed.call = (uint32_t)feeder->call->number;
        pending->deeds[i] = add_deed(feeder, deed);
        if (pending->partitions > 0 && pending->deeds[i] != FTH_NO_DEED) {
            FTH_GROW(feeder->deeds->partitioned, feeder->deeds->partitioned_count);
            feeder->deeds->partitioned[feeder->deeds->partitioned_count++] =
                (struct fth_order_partitioned){.deed = pending->deeds[i],
                                               .count = pending->partitions};
        }
    }
}

/* ---- parts ---- */

/* What is under way, or what another thread began to wait for while it was. */
static uint32_t under_way(const struct fth_pending *pending)
{
    return pending->deeds[0] != FTH_NO_DEED ? pending->deeds[0] : pending->waited - 1;
}

/* Parts [from, to) of a message are ready when the call begins, or have arrived when it ends. */
static void add_part(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                     uint32_t message, int64_t from, int64_t to, struct fth_event begin)
{
    struct fth_order_deeds *deeds = feeder->deeds;
    struct fth_order_partitioned *whole = fth_order_deeds_partitioned(deeds, message);
    if (!whole || from < 0 || to > whole->count || from >= to)
        return;
    uint32_t deed =
        fth_order_deeds_add(deeds, fth_feeder_deed(feeder, sense, FTH_DEED_PART, begin));
    fth_feeder_complete(feeder, deed);
    FTH_GROW(deeds->parts, deeds->part_count);
    deeds->parts[deeds->part_count++] = (struct fth_order_part){deed, whole->parts, from, to};
    whole->parts = (uint32_t)deeds->part_count;
}

static void note_parts(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                       const struct fth_pending *pending, struct fth_event begin)
{
    const struct fth_value *list = fth_feeder_value(feeder, sense->parts);
    int64_t from = fth_feeder_integer(feeder, sense->part, -1),
            last = fth_feeder_integer(feeder, sense->last_part, from);
    uint32_t message = under_way(pending);
    if (message == FTH_NO_DEED)
        return;
    for (size_t i = 0; list && list->type == FTH_VALUE_INTEGERS && i < list->count; i++)
        if (list->integers[i] < INT64_MAX)
            add_part(feeder, sense, message, list->integers[i], list->integers[i] + 1, begin);
    if (from >= 0 && last >= from && last < INT64_MAX)
        add_part(feeder, sense, message, from, last + 1, begin);
}

/* What is sent in parts begins with the last of them that the thread which started it makes
 * ready. */
static void make_ready(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                       const struct fth_pending *pending, struct fth_event begin)
{
    note_parts(feeder, sense, pending, begin);
    for (int i = 0; i < pending->like_count; i++) {
        if (pending->deeds[i] == FTH_NO_DEED)
            continue;
        struct fth_order_deed *deed = &feeder->deeds->deeds[pending->deeds[i]];
        if (deed->kind == FTH_DEED_SEND && deed->begin.strand == begin.strand)
            deed->begin = begin;
    }
}

/* ---- end ---- */

static void learn_sender(const struct fth_value *status, size_t at, struct fth_order_deed *deed)
{
    if (!status || status->type != FTH_VALUE_INTEGERS || 2 * at + 1 >= status->count)
        return;
    const char *source = status->texts ? status->texts[2 * at] : NULL,
               *tag = status->texts ? status->texts[2 * at + 1] : NULL;
    if (source && strcmp(source, "MPI_UNDEFINED") == 0)
        return;
    if (deed->peer == FTH_PEER_ANY)
        deed->peer = fth_feeder_peer(status->integers[2 * at], source);
    if (deed->tag == FTH_TAG_ANY)
        deed->tag = fth_feeder_tag(status->integers[2 * at + 1], tag);
}

/* As long as nobody says which: a send counts as sent, a receive as none. If that is wrong, later
 * receives are matched with sends before theirs: too little is in order then, and never too
 * much. */
static bool counts_as_cancelled(const struct fth_order_deed *deed)
{
    return deed->kind != FTH_DEED_SEND;
}

static void complete(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                     const struct fth_value *requests, size_t i, size_t status_at)
{
    struct fth_pending *pending =
        i < requests_in(requests) ? pending_at(feeder, requests, i) : NULL;
    if (!pending)
        return;
    pending->waited = pending->deeds[0] + 1;
    for (int k = 0; k < 2; k++) {
        if (pending->deeds[k] == FTH_NO_DEED)
            continue;
        struct fth_order_deed *deed = &feeder->deeds->deeds[pending->deeds[k]];
        if (deed->kind == FTH_DEED_RECEIVE)
            learn_sender(fth_feeder_value(feeder, sense->status), status_at, deed);
        if (pending->cancelled) {
            feeder->cancelled = pending->deeds[k];
            feeder->cancelled_kind = deed->kind;
            deed->kind = counts_as_cancelled(deed) ? FTH_DEED_NONE : deed->kind;
        }
        if (!(deed->flags & FTH_DEED_COMPLETED))
            fth_feeder_complete(feeder, pending->deeds[k]);
        pending->deeds[k] = FTH_NO_DEED;
    }
    pending->cancelled = false;
    pending->used = pending->persistent;
}

/* Which are complete: those in a list of indices; the one whose index is told; or all of them. */
static void find_complete(struct fth_order_feeder *feeder, const struct fth_order_sense *sense)
{
    const struct fth_value *requests = fth_feeder_value(feeder, sense->request);
    size_t count = requests_in(requests);
    bool told = sense->out_count > 0, some = told && sense->indices >= 0;
    bool any = !some && sense->out_count == (sense->waits ? 1 : 2);
    int64_t said = told ? fth_feeder_integer(feeder, sense->outs[sense->out_count - 1], 0) : 1;
    if (!sense->waits && said == 0)
        return;
    if (some) {
        const struct fth_value *indices = fth_feeder_value(feeder, sense->indices);
        size_t most = indices && indices->type == FTH_VALUE_INTEGERS ? indices->count : 0;
        for (size_t i = 0; i < most && (int64_t)i < said; i++)
            if (indices->integers[i] >= 0)
                complete(feeder, sense, requests, (size_t)indices->integers[i], i);
    } else if (any) {
        int64_t index = fth_feeder_integer(feeder, sense->outs[0], -1);
        if (index >= 0)
            complete(feeder, sense, requests, (size_t)index, 0);
    } else {
        for (size_t i = 0; i < count; i++)
            complete(feeder, sense, requests, i, i);
    }
}

static void free_request(struct fth_order_feeder *feeder, struct fth_pending *pending)
{
    let_go(feeder, pending);
    *pending = (struct fth_pending){.used = false};
}

/* Of requests of the program's own making: who finds them complete comes behind this. */
static void note_done(struct fth_order_feeder *feeder, const struct fth_value *request,
                      struct fth_event begin)
{
    if (!request || request->type != FTH_VALUE_HANDLE || request->integer < 0 ||
        request->integer >= feeder->request_room)
        return;
    uint32_t deed = under_way(&feeder->requests[request->integer]);
    if (deed != FTH_NO_DEED && feeder->deeds->deeds[deed].kind == FTH_DEED_REQUEST)
        feeder->deeds->deeds[deed].begin = begin;
}

void fth_feeder_requests(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                         struct fth_event begin)
{
    if (sense->what == FTH_ORDERS_COMPLETION) {
        find_complete(feeder, sense);
        return;
    }
    if (sense->what == FTH_ORDERS_REQUEST) {
        struct fth_order_deed deed = fth_feeder_deed(feeder, sense, FTH_DEED_REQUEST, begin);
        fth_feeder_start(feeder, sense, &deed, 1);
        return;
    }
    if (sense->what == FTH_ORDERS_CANCELLED) {
        int64_t told = sense->out_count ? fth_feeder_integer(feeder, sense->outs[0], -1) : -1;
        if (feeder->cancelled != FTH_NO_DEED && told >= 0)
            feeder->deeds->deeds[feeder->cancelled].kind =
                told ? FTH_DEED_NONE : feeder->cancelled_kind;
        feeder->cancelled = FTH_NO_DEED;
        return;
    }
    if (sense->what == FTH_ORDERS_ARRIVED && sense->out_count &&
        fth_feeder_integer(feeder, sense->outs[0], 0) == 0)
        return;
    const struct fth_value *requests = fth_feeder_value(feeder, sense->request);
    if (sense->what == FTH_ORDERS_DONE) {
        note_done(feeder, requests, begin);
        return;
    }
    for (size_t i = 0; i < requests_in(requests); i++) {
        struct fth_pending *pending = pending_at(feeder, requests, i);
        if (!pending)
            continue;
        if (sense->what == FTH_ORDERS_START)
            start_again(feeder, pending, begin);
        else if (sense->what == FTH_ORDERS_READY)
            make_ready(feeder, sense, pending, begin);
        else if (sense->what == FTH_ORDERS_ARRIVED)
            note_parts(feeder, sense, pending, begin);
        else if (sense->what == FTH_ORDERS_CANCEL)
            pending->cancelled = true;
        else
            free_request(feeder, pending);
    }
}
