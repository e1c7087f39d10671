/* What data calls of one process access: each call becomes an access on its way, which its return,
 * or the operation that it starts, completes. */
#include "verify/gather/gather.h"

#include "base/memory.h"

#include <string.h>

#define MOST_OF_A_CALL 0x7ffff000 /* bytes; a call that is asked for more moves so many */
#define LEAST_PAGE 4096           /* bytes; larger ones are a multiple */

/* Is the call part of another access of its layer, whose bytes have been counted? */
static bool inside_another(const struct fth_access_thread *thread, uint32_t depth, int layer)
{
    for (uint32_t i = 0; i < depth; i++)
        if (thread->stack[i].is_access && thread->stack[i].access.situation.layer == layer)
            return true;
    return false;
}

/* The collective call of MPI-IO around a call, or FTH_NO_CALL. */
static uint64_t carrier_of(const struct fth_gathering *gather,
                           const struct fth_access_thread *thread, uint32_t depth)
{
    for (uint32_t i = 0; i < depth; i++) {
        const struct fth_entry *entry = &thread->stack[i];
        if (entry->is_access && entry->access.situation.layer == gather->wanted->together &&
            entry->access.situation.together)
            return entry->access.call;
    }
    return FTH_NO_CALL;
}

/* Two writes have the same if they wrote the same bytes to the same place: the hash covers both. */
static uint64_t contents_of(const struct fth_pending_operation *access, uint64_t hash)
{
    if (access->piece_count != 1 || access->pieces->count != 1)
        return 0;
    uint64_t place = access->pieces->start * 0x9e3779b97f4a7c15u + access->pieces->length;
    hash = (hash ^ place ^ place >> 29) * 0xbf58476d1ce4e5b9u;
    return hash ? hash : 1;
}

/* A call of MPI-IO that is one write of the system, of the same bytes of the same file, has written
 * what that one wrote. */
static void share_contents(struct fth_gathering *gather, struct fth_access_thread *thread,
                           uint32_t depth, const struct fth_pending_operation *inner)
{
    const struct fth_opening *openings = gather->accesses->openings;
    for (uint32_t i = 0; i < depth; i++) {
        struct fth_pending_operation *outer = &thread->stack[i].access;
        struct fth_situation *situation = &outer->situation;
        if (thread->stack[i].is_access && situation->region == FTH_REGION_BYTES &&
            situation->writes && !situation->together && outer->piece_count == 1 &&
            outer->pieces->count == 1 && outer->pieces->start == inner->pieces->start &&
            outer->pieces->length == inner->pieces->length &&
            openings[situation->opening].name == openings[inner->situation.opening].name)
            situation->contents = inner->situation.contents;
    }
}

/* A write to the end of the file, of so many bytes. Of what stdio wrote it is known where that was,
 * this time. */
static bool is_append(const struct fth_gathering *gather, const struct fth_access *access,
                      int layer)
{
    const struct fth_call *call = &access->call;
    bool by_flag = layer != gather->wanted->together && call->handle->status_flags & FTH_APPEND &&
                   access->kind == FTH_ACCESS_BYTES;
    return call->writes && access->length > 0 && (access->appends || by_flag);
}

/* The other descriptor of a call that has two. */
static const struct fth_handle *second_handle(const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].handle && call->uses[i].handle != call->handle)
            return call->uses[i].handle;
    return NULL;
}

/* Did a copy end where its source ends? One that moves nothing does; and one to a file that moves
 * less than it may, as a file takes all. A pipe that is full has taken pages to their ends, those
 * of the file or of memory; a socket may be full at any byte. */
static bool copies_to_end(const struct fth_gathering *gather, const struct fth_access *access,
                          const struct fth_range *source)
{
    const struct fth_call *call = &access->call;
    const struct fth_handle *to = call->writes ? call->handle : second_handle(call);
    bool is_file = to && to->type && !strcmp(to->type, "file") &&
                   !fth_order_is_fifo(gather->builder, to->path);
    bool is_pipe = to && to->type && (!strcmp(to->type, "pipe") || !strcmp(to->type, "file"));
    if (!call->bytes)
        return true;
    if (call->bytes >= call->bytes_asked || call->bytes >= MOST_OF_A_CALL)
        return false;
    return is_file || (is_pipe && call->bytes % LEAST_PAGE &&
                       (!source || (source->offset + call->bytes) % LEAST_PAGE));
}

/* Has what the call is about, which it reads, no more bytes than it moved? Then it depends on what
 * is written there. */
static bool found_the_end(const struct fth_gathering *gather, const struct fth_access *access,
                          struct fth_accesses *accesses)
{
    const struct fth_call *call = &access->call;
    struct fth_range range;
    if (!call->reads || !call->bytes_known || call->bytes >= call->bytes_asked ||
        call->bytes >= MOST_OF_A_CALL)
        return false;
    if (!access->second.file)
        return true;
    bool known = access->kind == FTH_ACCESS_BYTES && fth_accesses_range(accesses, &range);
    fth_accesses_rewind(accesses);
    return copies_to_end(gather, access, known ? &range : NULL);
}

static void take_pieces(struct fth_pending_operation *pending, const struct fth_access *access,
                        struct fth_accesses *accesses, bool appends, bool at_end)
{
    struct fth_range range;
    if (appends) {
        bool known = access->kind == FTH_ACCESS_BYTES && fth_accesses_range(accesses, &range);
        pending->situation.observed = known && range.offset < FTH_ENDLESS ? range.offset + 1 : 0;
        fth_gather_piece(pending, 0, access->length);
    } else if (access->kind == FTH_ACCESS_UNKNOWN) {
        fth_gather_piece(pending, 0, FTH_ENDLESS);
    } else {
        if (at_end)
            fth_accesses_rewind_asked(accesses);
        fth_gather_pieces(pending, accesses);
    }
}

/* An access where a descriptor stands: of one that the process has from another one, where that is
 * is found out when all are known. */
static void stand(struct fth_gathering *gather, struct fth_pending_operation *pending,
                  const struct fth_access *access, bool at_end)
{
    struct fth_situation *situation = &pending->situation;
    bool known = access->kind == FTH_ACCESS_BYTES && pending->piece_count == 1;
    bool appends = situation->region == FTH_REGION_APPENDED;
    struct fth_moving moving = {.handle = access->call.handle,
                                .opening = situation->opening,
                                .length = access->length,
                                .recorded = known && !access->at_position,
                                .known = known && !appends,
                                .appends = appends,
                                .at = known ? (int64_t)pending->pieces->start : 0};
    uint32_t interval = fth_gather_interval(gather, access, &moving);
    if (appends || moving.at < 0)
        return;
    situation->interval = interval;
    situation->placed = moving.placed;
    if (!known) {
        pending->piece_count = 0;
        fth_gather_piece(pending, (uint64_t)moving.at,
                         at_end ? access->call.bytes_asked : access->length);
    }
}

void fth_gather_bytes(struct fth_gathering *gather, struct fth_access_thread *thread,
                      struct fth_entry *entry, const struct fth_access *access,
                      struct fth_accesses *accesses)
{
    const struct fth_call *call = &access->call;
    int layer = entry->semantics->layer;
    uint32_t opening = layer < 0 ? FTH_NO_OPENING : fth_gather_opening(gather, call->handle);
    if (opening == FTH_NO_OPENING || inside_another(thread, call->depth, layer))
        return;
    fth_gather_by_stream(gather, thread, call, opening);
    fth_gather_owner(gather, entry, access, opening);
    bool appends = is_append(gather, access, layer);
    bool at_end = !appends && found_the_end(gather, access, accesses);
    struct fth_pending_operation *pending = &entry->access;
    take_pieces(pending, access, accesses, appends, at_end);
    uint64_t observed = appends ? pending->situation.observed : 0;
    bool unsure = access->kind == FTH_ACCESS_UNKNOWN && !appends;
    pending->call = call->number;
    pending->length = access->length;
    pending->is_short = access->kind != FTH_ACCESS_UNKNOWN && at_end;
    pending->moved = access->length;
    struct fth_situation situation = fth_gather_situation(gather, thread, call, opening, layer);
    situation.together = layer == gather->wanted->together && call->function->collective;
    situation.carrier = carrier_of(gather, thread, call->depth);
    situation.region = appends ? FTH_REGION_APPENDED : FTH_REGION_BYTES;
    situation.observed = observed;
    situation.writes = call->writes;
    situation.unsure = unsure;
    situation.why_unsure = unsure ? access->why : NULL;
    situation.by_shared_pointer = access->by_shared_pointer;
    situation.inherited = gather->accesses->openings[opening].inherited;
    situation.atomic = call->handle->status_flags & FTH_ATOMIC;
    pending->situation = situation;
    if (gather->wanted->contents && call->contents && access->kind == FTH_ACCESS_BYTES &&
        !appends) {
        pending->situation.contents = contents_of(pending, call->contents);
        gather->accesses->contents += pending->situation.contents != 0;
    }
    if (pending->situation.contents)
        share_contents(gather, thread, call->depth, pending);
    if (access->moves && layer != gather->wanted->together)
        stand(gather, pending, access, at_end);
    fth_gather_extent(gather, thread, access, pending);
    /* Calls of the system have nothing inside that could order threads. */
    if (!entry->semantics->of_system)
        pending->situation.end =
            (struct fth_moment){fth_order_behind(gather->builder).number, FTH_BY_TICKET};
    if (call->function->starts)
        fth_gather_begin(gather, call, pending);
    else
        entry->is_access = true;
}

/* How many bytes the other side has read or written: of one that found the end of its file as many
 * as were asked for. */
static uint64_t second_length(const struct fth_gathering *gather, const struct fth_access *access)
{
    const struct fth_second_range *second = &access->second;
    bool at_end = access->call.writes && access->call.bytes_known &&
                  copies_to_end(gather, access, second->known ? &second->range : NULL);
    return at_end ? access->call.bytes_asked : second->range.length;
}

static void stand_second(struct fth_gathering *gather, struct fth_pending_operation *second,
                         const struct fth_access *access, const struct fth_handle *handle)
{
    bool appends = second->situation.writes && handle->status_flags & FTH_APPEND;
    struct fth_moving moving = {.handle = handle,
                                .opening = second->situation.opening,
                                .length = access->length,
                                .known = access->second.known,
                                .appends = appends,
                                .at = access->second.known ? (int64_t)second->pieces->start : 0};
    uint32_t interval = fth_gather_interval(gather, access, &moving);
    if (appends || moving.at < 0)
        return;
    second->situation.interval = interval;
    second->situation.placed = moving.placed;
    if (!access->second.known)
        *second->pieces =
            (struct fth_series){(uint64_t)moving.at, second_length(gather, access), 0, 1, false};
}

/* The other side of a call that moves bytes between two files: an access of its own, that is over
 * when the call is. */
void fth_gather_second(struct fth_gathering *gather, struct fth_access_thread *thread,
                       const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    int layer = thread->stack[call->depth].semantics->layer;
    bool known = access->second.known;
    uint64_t length = second_length(gather, access);
    if (layer < 0 || !access->second.file || length == 0)
        return;
    struct fth_series piece = {known ? access->second.range.offset : 0,
                               known ? length : FTH_ENDLESS, 0, 1, false};
    const struct fth_handle *handle = second_handle(call);
    uint32_t opening = handle ? fth_gather_opening(gather, handle) : FTH_NO_OPENING;
    if (opening == FTH_NO_OPENING) {
        handle = NULL;
        opening = fth_gather_opening_by_name(gather, access->second.file);
    }
    struct fth_pending_operation second = {
        .situation = fth_gather_situation(gather, thread, call, opening, layer),
        .call = call->number,
        .length = piece.length,
        .is_short = length > access->second.range.length,
        .moved = access->second.range.length,
        .piece_count = 1,
        .pieces = &piece,
    };
    second.situation.ended = thread->tick;
    second.situation.end_time = call->end;
    second.situation.writes = !call->writes;
    second.situation.unsure = !known;
    second.situation.inherited = gather->accesses->openings[opening].inherited;
    if (handle && access->second.at_position)
        stand_second(gather, &second, access, handle);
    fth_gather_operation(gather->accesses, thread, &second);
}
