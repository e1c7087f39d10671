/* One pass over the calls of a process: what it accessed, and what may synchronize it. */
#include "verify/deeds.h"

#include "base/memory.h"

#include <string.h>

/* Ranges in a row at equal distances are a series when there are so many; fewer are cheaper one by one. */
enum { SERIES_FROM = 8 };

/* An access on its way: of a call that has not returned, or an operation that has not completed. */
struct pending {
    struct fth_situation situation;
    uint64_t call;
    uint64_t length;
    size_t piece_count; /* series, in the order of access */
    size_t piece_room;
    struct fth_series *pieces;
};

/* A call of a thread that has not returned. */
struct entry {
    bool is_access, is_mark; /* it may be both */
    const struct fth_function *function;
    const char *source;
    uint32_t chain; /* FTH_NO_CHAIN: not asked for yet */
    uint32_t mark;
    int64_t end;
    struct pending access;
};

/* Ranges of one situation that come one after the other, and may turn out to be a series. */
struct builder {
    uint32_t situation;
    uint64_t first_call; /* of the situation */
    uint64_t call;       /* of the first range */
    uint64_t start, last, length;
    int64_t stride;
    uint64_t count; /* 0: empty */
};

/* Accesses to several files, or by several chains of calls, take turns: for each of so many the situation is remembered that came last. */
enum { BUILDERS = 64 };

struct thread {
    bool known;
    uint32_t tick;
    size_t depth, room; /* entries on the stack */
    struct entry *stack;
    /* An access that is over, and of which it is not known yet whether something inside it ordered threads: not so, if the next one begins where it began. */
    struct pending held;
    bool holds;
    struct builder builders[BUILDERS];
};

struct open_operation {
    uint32_t thread; /* of the call that started it */
    struct pending access;
};

struct gather {
    struct fth_deeds *deeds;
    struct fth_trace *trace;
    size_t proc;
    const struct fth_deeds_wanted *wanted;
    struct fth_order_feeder *feeder;
    struct thread *threads;
    uint32_t thread_limit;
    uint32_t *openings; /* by number of handle: opening + 1 */
    uint32_t opening_limit;
    struct open_operation *operations;
    size_t operation_count;
};

/* ---- names, chains, files ---- */

static uint32_t name_of(struct fth_deeds *deeds, const char *text)
{
    return fth_intern(&deeds->names, text, strlen(text) + 1);
}

static uint32_t chain_of(struct gather *gather, struct thread *thread, size_t depth)
{
    struct entry *entry = &thread->stack[depth];
    if (entry->chain != FTH_NO_CHAIN)
        return entry->chain;
    struct fth_chain chain = {
        .parent = depth ? chain_of(gather, thread, depth - 1) : FTH_NO_CHAIN,
        .depth = (uint32_t)depth,
        .function = entry->function,
        .source = entry->source ? name_of(gather->deeds, entry->source) : FTH_NO_CHAIN,
    };
    return entry->chain = fth_intern(&gather->deeds->chains, &chain, sizeof chain);
}

/* The handle whose opening says which file it is: a duplicate's is that of the original. */
static const struct fth_handle *opened_one(const struct fth_handle *handle)
{
    while (handle->duplicate && handle->parent)
        handle = handle->parent;
    return handle;
}

static uint32_t opening_of(struct gather *gather, const struct fth_handle *handle)
{
    if (!handle || !handle->path || !handle->type || strcmp(handle->type, "file") != 0)
        return FTH_NO_OPENING;
    handle = opened_one(handle);
    if (!handle->path || handle->number >= UINT32_MAX)
        return FTH_NO_OPENING;
    uint32_t number = (uint32_t)handle->number;
    gather->openings =
        fth_reach(gather->openings, &gather->opening_limit, number, sizeof *gather->openings);
    if (gather->openings[number])
        return gather->openings[number] - 1;
    struct fth_deeds *deeds = gather->deeds;
    FTH_GROW(deeds->openings, deeds->opening_count);
    deeds->openings[deeds->opening_count] = (struct fth_opening){
        .name = name_of(deeds, handle->path),
        .time = handle->made_at >= 0 ? handle->made_at
                                     : fth_trace_process(gather->trace, gather->proc)->start,
        /* Only one process's system call makes the file, also where a group opens it. */
        .exclusive = (handle->creation_flags & FTH_EXCLUSIVE) && !handle->collective,
    };
    gather->openings[number] = (uint32_t)++deeds->opening_count;
    return (uint32_t)deeds->opening_count - 1;
}

/* ---- ranges ---- */

static void put_range(struct fth_deeds *deeds, const struct builder *builder, uint64_t start,
                      uint64_t call)
{
    uint64_t since = call - builder->first_call;
    FTH_GROW(deeds->ranges, deeds->range_count);
    deeds->ranges[deeds->range_count++] =
        (struct fth_deed_range){.start = start,
                                .length = builder->length,
                                .situation = builder->situation,
                                .call = since < UINT32_MAX ? (uint32_t)since : UINT32_MAX};
}

static void put_series(struct fth_deeds *deeds, const struct fth_series *series, uint32_t situation,
                       uint64_t since)
{
    FTH_GROW(deeds->series, deeds->series_count);
    deeds->series[deeds->series_count++] =
        (struct fth_deed_series){.series = *series,
                                 .situation = situation,
                                 .call = since < UINT32_MAX ? (uint32_t)since : UINT32_MAX};
}

static void flush(struct fth_deeds *deeds, struct builder *builder)
{
    if (builder->count >= SERIES_FROM) {
        bool down = builder->stride < 0;
        struct fth_series series = {.start = down ? builder->last : builder->start,
                                    .length = builder->length,
                                    .stride = (uint64_t)(down ? -builder->stride : builder->stride),
                                    .count = builder->count};
        put_series(deeds, &series, builder->situation, builder->call - builder->first_call);
    } else {
        for (uint64_t i = 0; i < builder->count; i++)
            put_range(deeds, builder, builder->start + i * (uint64_t)builder->stride,
                      builder->call + i);
    }
    builder->count = 0;
}

/* One more range of the builder's situation. */
static void append(struct fth_deeds *deeds, struct builder *builder, uint64_t start,
                   uint64_t length, uint64_t call)
{
    int64_t stride = (int64_t)(start - builder->last);
    if (builder->count && builder->length != length)
        flush(deeds, builder);
    if (builder->count == 1)
        builder->stride = stride;
    if (builder->count > 1 && builder->stride != stride) {
        if (builder->count >= SERIES_FROM) {
            flush(deeds, builder);
        } else { /* what came last may begin a series with this one */
            uint64_t last_call = builder->call + builder->count - 1, last = builder->last;
            builder->count--;
            flush(deeds, builder);
            builder->start = last;
            builder->call = last_call;
            builder->count = 1;
            builder->stride = stride;
        }
    }
    if (builder->count == 0) {
        builder->start = start;
        builder->call = call;
        builder->length = length;
    }
    builder->last = start;
    builder->count++;
}

/* What a call accesses becomes pieces: as few series as its ranges allow, in the order in which they come. */
static void take_pieces(struct pending *access, struct fth_accesses *accesses)
{
    struct fth_range range;
    access->piece_count = 0;
    while (fth_accesses_range(accesses, &range)) {
        struct fth_series *last =
            access->piece_count ? &access->pieces[access->piece_count - 1] : NULL;
        if (range.length == 0)
            continue;
        if (last && last->length == range.length && range.offset > last->start &&
            (last->count == 1 || range.offset == last->start + last->stride * last->count)) {
            last->stride = last->count == 1 ? range.offset - last->start : last->stride;
            last->count++;
            continue;
        }
        if (access->piece_count == access->piece_room) {
            access->piece_room = access->piece_room * 2 + 1;
            access->pieces = fth_resize(access->pieces, access->piece_room, sizeof *access->pieces);
        }
        access->pieces[access->piece_count++] =
            (struct fth_series){range.offset, range.length, 0, 1, false};
    }
}

/* Of an operation that moved fewer bytes than it was asked to: the first ones. */
static void shorten(struct pending *access, uint64_t length)
{
    size_t kept = 0;
    for (; kept < access->piece_count && length; kept++) {
        struct fth_series *piece = &access->pieces[kept];
        if (piece->length > length)
            *piece = (struct fth_series){piece->start, length, 0, 1, false};
        else if (piece->count > length / piece->length)
            piece->count = length / piece->length; /* the last one, cut, is left out */
        length -= piece->length * piece->count;
    }
    access->piece_count = kept;
}

/* ---- situations ---- */

static bool same_situation(const struct fth_situation *a, const struct fth_situation *b)
{
    return a->opening == b->opening && a->chain == b->chain && a->writes == b->writes &&
           a->layer == b->layer && a->atomic == b->atomic && a->thread == b->thread &&
           a->begin.step == b->begin.step && a->end.step == b->end.step && a->began == b->began &&
           a->ended == b->ended && a->carrier == b->carrier;
}

static uint32_t new_situation(struct fth_deeds *deeds, const struct pending *access)
{
    FTH_GROW(deeds->situations, deeds->situation_count);
    deeds->situations[deeds->situation_count] = access->situation;
    deeds->situations[deeds->situation_count].first_call = access->call;
    return (uint32_t)deeds->situation_count++;
}

static struct builder *builder_of(struct thread *thread, const struct fth_situation *situation)
{
    uint32_t hash = situation->opening * 31 + situation->chain * 7 + situation->writes;
    return &thread->builders[hash % BUILDERS];
}

/* An access goes to the situation of the one before it, or to a new one. What ended at another moment than it began has one of its own. */
static void put_access(struct fth_deeds *deeds, struct thread *thread, struct pending *access)
{
    if (access->piece_count == 0)
        return;
    const struct fth_situation *situation = &access->situation;
    bool shares = situation->end.step == situation->begin.step && !situation->together;
    struct builder *builder = builder_of(thread, situation);
    deeds->accesses++;
    if (!shares || builder->situation == FTH_NO_CHAIN ||
        !same_situation(&deeds->situations[builder->situation], situation)) {
        flush(deeds, builder);
        builder->situation = new_situation(deeds, access);
        builder->first_call = access->call;
    }
    deeds->situations[builder->situation].end_time = situation->end_time;
    if (access->piece_count == 1 && access->pieces[0].count == 1) {
        append(deeds, builder, access->pieces[0].start, access->pieces[0].length, access->call);
        return;
    }
    for (size_t i = 0; i < access->piece_count; i++) {
        access->pieces[i].one_call = true;
        put_series(deeds, &access->pieces[i], builder->situation,
                   access->call - builder->first_call);
    }
}

/* What was held back is told: `next` began after it, or is NULL. */
static void release(struct fth_deeds *deeds, struct thread *thread,
                    const struct fth_situation *next)
{
    struct fth_situation *held = &thread->held.situation;
    if (!thread->holds)
        return;
    if (next && next->begin.step == held->begin.step)
        held->end = held->begin;
    put_access(deeds, thread, &thread->held);
    thread->holds = false;
}

static void end_access(struct fth_deeds *deeds, struct thread *thread, struct pending *access)
{
    if (access->situation.end.step != FTH_BY_TICKET) {
        put_access(deeds, thread, access);
        return;
    }
    release(deeds, thread, &access->situation);
    struct pending spare = thread->held;
    thread->held = *access;
    thread->holds = true;
    *access = spare; /* its pieces are used again */
}

/* ---- calls ---- */

static struct thread *thread_of(struct gather *gather, uint32_t number)
{
    gather->threads =
        fth_reach(gather->threads, &gather->thread_limit, number, sizeof *gather->threads);
    struct thread *thread = &gather->threads[number];
    for (size_t i = 0; i < BUILDERS && !thread->known; i++)
        thread->builders[i].situation = FTH_NO_CHAIN;
    thread->known = true;
    return thread;
}

static void leave(struct gather *gather, struct thread *thread)
{
    struct entry *entry = &thread->stack[--thread->depth];
    if (entry->is_access) {
        entry->access.situation.ended = thread->tick;
        entry->access.situation.end_time = entry->end;
        end_access(gather->deeds, thread, &entry->access);
    }
    if (entry->is_mark)
        gather->deeds->marks[entry->mark].ended = ++thread->tick;
}

static struct entry *enter(struct gather *gather, struct thread *thread,
                           const struct fth_call *call)
{
    while (thread->depth > call->depth)
        leave(gather, thread);
    while (thread->depth <= call->depth) { /* a trace may begin inside calls */
        if (thread->depth == thread->room) {
            size_t old = thread->room;
            thread->room = old * 2 + 8;
            thread->stack = fth_resize(thread->stack, thread->room, sizeof *thread->stack);
            memset(&thread->stack[old], 0, (thread->room - old) * sizeof *thread->stack);
        }
        struct entry *entry = &thread->stack[thread->depth++];
        entry->is_access = entry->is_mark = false;
        entry->function = call->function;
        entry->source = call->source;
        entry->chain = FTH_NO_CHAIN;
        entry->end = call->end;
    }
    return &thread->stack[call->depth];
}

static int layer_of(const struct gather *gather, const struct fth_function *function)
{
    for (size_t i = 0; i < gather->wanted->layer_count; i++)
        if (strcmp(gather->wanted->layers[i], function->layer) == 0)
            return (int)i;
    return -1;
}

/* Is the call part of another access of its layer, whose bytes have been counted? */
static bool inside_another(const struct thread *thread, uint32_t depth, int layer)
{
    for (uint32_t i = 0; i < depth; i++)
        if (thread->stack[i].is_access && thread->stack[i].access.situation.layer == layer)
            return true;
    return false;
}

/* The collective call of MPI-IO around a call, or FTH_NO_CALL. */
static uint64_t carrier_of(const struct gather *gather, const struct thread *thread, uint32_t depth)
{
    for (uint32_t i = 0; i < depth; i++) {
        const struct entry *entry = &thread->stack[i];
        if (entry->is_access && entry->access.situation.layer == gather->wanted->together &&
            entry->access.situation.together)
            return entry->access.call;
    }
    return FTH_NO_CALL;
}

static void note_unknown(struct fth_deeds *deeds, const char *why)
{
    deeds->unknown++;
    if (!deeds->why && why)
        deeds->why = strcpy(fth_new(strlen(why) + 1, 1), why);
}

static void begin_operation(struct gather *gather, const struct fth_call *call,
                            struct pending *access)
{
    FTH_GROW(gather->operations, gather->operation_count);
    struct open_operation *operation = &gather->operations[gather->operation_count++];
    *operation = (struct open_operation){.thread = call->thread, .access = *access};
    access->pieces = NULL; /* they are the operation's now */
    access->piece_room = access->piece_count = 0;
}

static void begin_access(struct gather *gather, struct thread *thread, struct entry *entry,
                         const struct fth_access *access, struct fth_accesses *accesses)
{
    const struct fth_call *call = &access->call;
    int layer = layer_of(gather, call->function);
    uint32_t opening = layer < 0 ? FTH_NO_OPENING : opening_of(gather, call->handle);
    if (opening == FTH_NO_OPENING || inside_another(thread, call->depth, layer))
        return;
    if (access->kind == FTH_ACCESS_UNKNOWN) {
        note_unknown(gather->deeds, access->why);
        return;
    }
    struct pending *pending = &entry->access;
    take_pieces(pending, accesses);
    pending->call = call->number;
    pending->length = access->length;
    pending->situation = (struct fth_situation){
        .proc = (uint32_t)gather->proc,
        .thread = call->thread,
        .opening = opening,
        .chain = chain_of(gather, thread, call->depth),
        .begin = fth_order_here(gather->feeder),
        .began = thread->tick,
        .layer = (uint8_t)layer,
        .together = layer == gather->wanted->together && call->function->collective,
        .carrier = carrier_of(gather, thread, call->depth),
        .writes = call->writes,
        .atomic = call->handle->status_flags & FTH_ATOMIC,
        .start = call->start,
    };
    pending->situation.end = pending->situation.begin;
    /* Calls of the system have nothing inside that could order threads. */
    if (strcmp(call->function->layer, "posix") != 0)
        pending->situation.end =
            (struct fth_moment){fth_order_behind(gather->feeder).number, FTH_BY_TICKET};
    if (call->function->starts)
        begin_operation(gather, call, pending);
    else
        entry->is_access = true;
}

static void begin_mark(struct gather *gather, struct thread *thread, struct entry *entry,
                       const struct fth_call *call)
{
    struct fth_deeds *deeds = gather->deeds;
    if (call->error_number != 0 && call->error_number != -1)
        return;
    FTH_GROW(deeds->marks, deeds->mark_count);
    struct fth_mark *mark = &deeds->marks[deeds->mark_count];
    *mark = (struct fth_mark){
        .proc = (uint32_t)gather->proc,
        .thread = call->thread,
        .opening = opening_of(gather, call->handle),
        .began = ++thread->tick,
        .in = fth_order_here(gather->feeder),
        .out = {fth_order_behind(gather->feeder).number, FTH_BY_TICKET},
        .call = call->number,
        .time = call->start,
        .function = call->function,
    };
    if (mark->opening == FTH_NO_OPENING && call->handle)
        return; /* about something that is no file */
    entry->is_mark = true;
    entry->mark = (uint32_t)deeds->mark_count++;
}

static void end_operations(struct gather *gather, struct thread *thread,
                           const struct fth_access *access)
{
    for (size_t i = 0; i < access->operation_count; i++) {
        const struct fth_operation *ended = &access->operations[i];
        size_t at = 0;
        while (at < gather->operation_count &&
               (gather->operations[at].thread != ended->begin.thread ||
                gather->operations[at].access.call != ended->begin.number))
            at++;
        if (at == gather->operation_count)
            continue;
        struct open_operation operation = gather->operations[at];
        gather->operations[at] = gather->operations[--gather->operation_count];
        struct pending *pending = &operation.access;
        if (ended->bytes_known && ended->bytes < pending->length)
            shorten(pending, ended->bytes);
        pending->situation.end =
            (struct fth_moment){fth_order_behind(gather->feeder).number, FTH_BY_TICKET};
        pending->situation.end_time = access->call.end;
        pending->situation.ended = thread->tick;
        if (ended->how != FTH_OPERATION_CANCELLED && ended->how != FTH_OPERATION_FAILED)
            put_access(gather->deeds, thread_of(gather, operation.thread), pending);
        free(pending->pieces);
    }
}

/* The second path of a call, absolute as the first one is known to be: `whole` ends in `given`. NULL: it cannot be told. To be freed. */
static char *absolute(const char *whole, const char *given, const char *other)
{
    size_t length = strlen(whole), given_length = strlen(given), before;
    if (*other == '/')
        return strdup(other);
    if (*given == '/' || given_length > length || strcmp(whole + length - given_length, given) != 0)
        return NULL;
    before = length - given_length;
    char *path = fth_new(before + strlen(other) + 1, 1);
    memcpy(path, whole, before);
    strcpy(path + before, other);
    return path;
}

static void note_name(struct gather *gather, const struct fth_call *call)
{
    struct fth_deeds *deeds = gather->deeds;
    const struct fth_function *function = call->function;
    struct fth_name_event event = {.deed = FTH_NAME_DELETED, .time = call->start};
    const char *paths[2] = {NULL, NULL};
    size_t count = 0;
    if (call->error_number > 0 || !call->file)
        return;
    for (size_t i = 0; i < function->parameter_count && count < 2; i++)
        if (strncmp(function->parameters[i].role, "path", 4) == 0 &&
            call->arguments[i].type == FTH_VALUE_TEXT)
            paths[count++] = call->arguments[i].text;
    if (strcmp(function->kind, "delete") != 0) {
        char *to = count == 2 ? absolute(call->file, paths[0], paths[1]) : NULL;
        if (!to)
            return; /* mkdir and the like make names that nothing had */
        event.deed = function->links_name ? FTH_NAME_LINKED : FTH_NAME_MOVED;
        event.to = name_of(deeds, to);
        free(to);
    }
    event.from = name_of(deeds, call->file);
    FTH_GROW(deeds->name_events, deeds->name_event_count);
    deeds->name_events[deeds->name_event_count++] = event;
}

static bool take_call(struct gather *gather, const struct fth_access *access,
                      struct fth_accesses *accesses, struct fth_error **error)
{
    const struct fth_call *call = &access->call;
    struct thread *thread = thread_of(gather, call->thread);
    struct entry *entry = enter(gather, thread, call);
    if (!fth_order_call(gather->feeder, call, error))
        return false;
    if (gather->wanted->marked[call->function - gather->wanted->first_function])
        begin_mark(gather, thread, entry, call);
    if (access->kind != FTH_ACCESS_NONE)
        begin_access(gather, thread, entry, access, accesses);
    if (access->operation_count)
        end_operations(gather, thread, access);
    if (strcmp(call->function->kind, "name") == 0 || strcmp(call->function->kind, "delete") == 0)
        note_name(gather, call);
    return true;
}

static bool take_calls(struct gather *gather, struct fth_progress *progress,
                       struct fth_error **error)
{
    struct fth_access access;
    struct fth_calls *calls = fth_calls_with_handles(gather->trace, gather->proc, error);
    if (!calls)
        return false;
    struct fth_accesses *accesses = fth_accesses_open(gather->trace, gather->proc, calls);
    int got;
    while ((got = fth_accesses_next(accesses, &access, error)) == 1) {
        fth_progress_add(progress, 1);
        if (!take_call(gather, &access, accesses, error)) {
            got = -1;
            break;
        }
    }
    fth_accesses_close(accesses);
    fth_calls_close(calls);
    return got == 0;
}

static void end_threads(struct gather *gather)
{
    for (uint32_t i = 0; i < gather->thread_limit; i++) {
        struct thread *thread = &gather->threads[i];
        while (thread->depth)
            leave(gather, thread);
        if (thread->known)
            release(gather->deeds, thread, NULL);
    }
    for (size_t i = 0; i < gather->operation_count; i++) {
        struct open_operation *operation = &gather->operations[i];
        struct pending *pending = &operation->access;
        pending->situation.end.step = FTH_NEVER;
        pending->situation.ended = UINT32_MAX;
        pending->situation.end_time = fth_trace_process(gather->trace, gather->proc)->end;
        put_access(gather->deeds, thread_of(gather, operation->thread), pending);
        free(pending->pieces);
    }
    for (uint32_t i = 0; i < gather->thread_limit; i++)
        for (size_t j = 0; j < BUILDERS && gather->threads[i].known; j++)
            flush(gather->deeds, &gather->threads[i].builders[j]);
}

static void free_threads(struct gather *gather)
{
    for (uint32_t i = 0; i < gather->thread_limit; i++) {
        for (size_t j = 0; j < gather->threads[i].room; j++)
            free(gather->threads[i].stack[j].access.pieces);
        free(gather->threads[i].stack);
        free(gather->threads[i].held.pieces);
    }
    free(gather->threads);
    free(gather->openings);
    free(gather->operations);
}

bool fth_deeds_gather(struct fth_deeds *deeds, struct fth_trace *trace, size_t proc,
                      const struct fth_deeds_wanted *wanted, struct fth_order *order,
                      struct fth_progress *progress, struct fth_error **error)
{
    struct gather gather = {.deeds = deeds, .trace = trace, .proc = proc, .wanted = wanted};
    gather.feeder = fth_order_feed(order, proc);
    bool done = take_calls(&gather, progress, error);
    end_threads(&gather);
    fth_order_feed_end(gather.feeder);
    free_threads(&gather);
    return done;
}
