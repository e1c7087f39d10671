/* What goes on after the call that began it has returned: operations that do not block, until a
 * call finds them over, and mappings, until the process is over. */
#include "verify/gather/gather.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "model/handles/node_processors.h"
#include "model/handles/opened.h"
#include "model/ranges/changed_operations.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct fth_open_operation *fth_gather_begin(struct fth_gathering *gather,
                                            const struct fth_call *call,
                                            struct fth_pending_operation *access)
{
    FTH_GROW(gather->operations, gather->operation_count);
    struct fth_open_operation *operation = &gather->operations[gather->operation_count++];
    *operation = (struct fth_open_operation){
        .thread = call->thread, .number = FTH_NO_CALL, .access = *access};
    access->pieces = NULL; /* they are the operation's now */
    access->piece_room = access->piece_count = 0;
    return operation;
}

/* Is the operation the one that has ended? Those of a list have the call in common that started
 * them. */
static bool is_same(const struct fth_open_operation *one, const struct fth_operation *ended)
{
    return !one->is_mapping && one->thread == ended->begin.thread &&
           one->access.call == ended->begin.number &&
           (one->number == FTH_NO_CALL || one->number == ended->number);
}

/* operation_count: there is none. It is mostly one of those that began last: nobody may ever ask
 * for the others. */
static size_t find_operation(const struct fth_gathering *gather, const struct fth_operation *ended)
{
    size_t behind = gather->operation_count;
    while (behind > 0 && !is_same(&gather->operations[behind - 1], ended))
        behind--;
    return behind > 0 ? behind - 1 : gather->operation_count;
}

/* By the call that returns. */
static void end_by(struct fth_gathering *gather, const struct fth_access_thread *thread,
                   const struct fth_call *call, struct fth_open_operation *operation)
{
    struct fth_situation *situation = &operation->access.situation;
    if (operation->is_over)
        return;
    operation->is_over = true;
    situation->end = (struct fth_moment){fth_order_behind(gather->builder).number, FTH_BY_TICKET};
    situation->end_time = call->end;
    situation->ended = thread->tick;
    situation->completed_by = call->function;
}

/* A sync that comes behind all operations that had begun is over: so are they. */
static void end_sync(struct fth_gathering *gather, struct fth_access_thread *thread,
                     const struct fth_call *call, const struct fth_operation *ended)
{
    const struct fth_open_sync *sync = fth_gather_sync_comes_last(gather, call, ended);
    for (size_t i = 0; sync && i < gather->operation_count; i++) {
        struct fth_open_operation *operation = &gather->operations[i];
        const struct fth_situation *situation = &operation->access.situation;
        if (!operation->is_mapping && operation->thread == call->thread &&
            situation->opening == sync->opening && situation->began < sync->tick)
            end_by(gather, thread, call, operation);
    }
    fth_gather_sync_ends(gather, thread, call, ended);
}

void fth_gather_ends(struct fth_gathering *gather, struct fth_access_thread *thread,
                     const struct fth_access *access)
{
    for (size_t i = 0; i < access->operation_count; i++) {
        const struct fth_operation *ended = &access->operations[i];
        end_sync(gather, thread, &access->call, ended);
        size_t at = find_operation(gather, ended);
        if (at == gather->operation_count)
            continue;
        end_by(gather, thread, &access->call, &gather->operations[at]);
        struct fth_open_operation operation = gather->operations[at];
        gather->operations[at] = gather->operations[--gather->operation_count];
        struct fth_pending_operation *pending = &operation.access;
        if (ended->bytes_known && ended->bytes < pending->length && pending->situation.writes &&
            !pending->situation.unsure)
            fth_gather_shorten(pending, ended->bytes);
        pending->is_short =
            ended->bytes_known && ended->bytes < pending->length && !pending->situation.writes;
        pending->moved = ended->bytes;
        if (ended->how != FTH_OPERATION_CANCELLED && ended->how != FTH_OPERATION_FAILED)
            fth_gather_operation(gather->accesses, fth_gather_thread(gather, operation.thread),
                                 pending);
        free(pending->pieces);
    }
}

/* ---- lists of control blocks: lio_listio ---- */

/* The parameter with control blocks; `several`: a list of them. NULL: there is none. */
static const struct fth_value *blocks_of(const struct fth_call *call, bool *several)
{
    const struct fth_function *function = call->function;
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strncmp(function->parameters[i].role, "aio", 3) == 0) {
            *several = function->parameters[i].role[3] == '[';
            return &call->arguments[i];
        }
    return NULL;
}

static void begin_block(struct fth_gathering *gather, struct fth_access_thread *thread,
                        const struct fth_call *call, const struct fth_control_block *block,
                        uint64_t number)
{
    int layer = thread->stack[call->depth].semantics->layer;
    const struct fth_handle *handle = block->handle;
    uint32_t opening = layer < 0 ? FTH_NO_OPENING : fth_gather_opening(gather, handle);
    if (opening == FTH_NO_OPENING)
        return;
    bool appends = block->writes && handle->status_flags & FTH_APPEND;
    struct fth_pending_operation pending = {.call = call->number, .length = block->bytes_asked};
    fth_gather_piece(&pending, appends ? 0 : block->offset, block->bytes_asked);
    pending.situation = fth_gather_situation(gather, thread, call, opening, layer);
    pending.situation.region = appends ? FTH_REGION_APPENDED : FTH_REGION_BYTES;
    pending.situation.writes = block->writes;
    pending.situation.inherited = gather->accesses->openings[opening].inherited;
    fth_gather_begin(gather, call, &pending)->number = number;
}

static void begin_list(struct fth_gathering *gather, struct fth_access_thread *thread,
                       const struct fth_call *call, struct fth_accesses *accesses)
{
    size_t count, at = 0;
    const struct fth_operation *begun = fth_accesses_changed(accesses, &count);
    for (size_t i = 0; i < call->block_count; i++) {
        while (at < count &&
               (begun[at].begin.thread != call->thread || begun[at].begin.number != call->number))
            at++;
        if (at == count)
            return;
        begin_block(gather, thread, call, &call->blocks[i], begun[at++].number);
    }
}

/* More blocks than a trace keeps: any descriptor may be in there. */
static void begin_unknown(struct fth_gathering *gather, struct fth_access_thread *thread,
                          const struct fth_call *call)
{
    int layer = thread->stack[call->depth].semantics->layer;
    for (uint32_t i = 0; layer >= 0 && i < gather->descriptor_limit; i++) {
        if (!gather->at_descriptor[i])
            continue;
        struct fth_pending_operation pending = {.call = call->number, .length = FTH_ENDLESS};
        fth_gather_piece(&pending, 0, FTH_ENDLESS);
        pending.situation =
            fth_gather_situation(gather, thread, call, gather->at_descriptor[i] - 1, layer);
        pending.situation.writes = pending.situation.unsure = true;
        pending.situation.why_unsure = "the list has more control blocks than a trace keeps";
        fth_gather_begin(gather, call, &pending);
    }
}

/* Those that the call has found over, also where a later one returns how many bytes were moved. */
static void end_found(struct fth_gathering *gather, struct fth_access_thread *thread,
                      const struct fth_call *call, struct fth_accesses *accesses)
{
    size_t count;
    const struct fth_operation *found = fth_accesses_changed(accesses, &count);
    for (size_t i = 0; i < count; i++) {
        if (found[i].completion.thread != call->thread ||
            found[i].completion.number != call->number)
            continue;
        end_sync(gather, thread, call, &found[i]);
        size_t at = find_operation(gather, &found[i]);
        if (at < gather->operation_count)
            end_by(gather, thread, call, &gather->operations[at]);
    }
}

void fth_gather_blocks(struct fth_gathering *gather, struct fth_access_thread *thread,
                       const struct fth_access *access, struct fth_accesses *accesses)
{
    const struct fth_call *call = &access->call;
    bool several = false;
    const struct fth_value *blocks = blocks_of(call, &several);
    if (!blocks || call->error_number > 0)
        return;
    if (call->block_count)
        begin_list(gather, thread, call, accesses);
    else if (several && call->function->starts && blocks->type == FTH_VALUE_NONE)
        begin_unknown(gather, thread, call);
    end_found(gather, thread, call, accesses);
}

/* ---- mappings ---- */

/* The value of a parameter with these words as its role, or 0. */
static int64_t value_with_role(const struct fth_call *call, const char *role)
{
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (strcmp(call->function->parameters[i].role, role) == 0)
            return call->arguments[i].integer;
    return 0;
}

/* Is a file mapped so that what is stored to memory becomes part of it? Neither what is private
 * does, nor what may only be read. */
static bool maps_to_write(const struct fth_call *call)
{
    return (value_with_role(call, "flags map") & MAP_SHARED) &&
           (value_with_role(call, "flags prot") & PROT_WRITE);
}

/* A page is mapped as a whole, also where less was asked for. */
static uint64_t whole_pages(const struct fth_gathering *gather, uint64_t length)
{
    uint64_t page = fth_node_page(gather->trace), more = page - 1;
    return length < FTH_ENDLESS - more ? (length + more) / page * page : FTH_ENDLESS;
}

/* What is stored to these bytes, or taken from them, and when, is not seen: until the process is
 * over, as far as is known. */
static void begin_mapping(struct fth_gathering *gather, struct fth_access_thread *thread,
                          const struct fth_call *call, uint32_t opening)
{
    bool writes = maps_to_write(call);
    int layer = thread->stack[call->depth].semantics->layer;
    uint64_t start = (uint64_t)value_with_role(call, "offset");
    uint64_t length = (uint64_t)value_with_role(call, "bytes");
    struct fth_pending_operation mapping = {.call = call->number};
    if (layer < 0 || start >= FTH_ENDLESS || length == 0)
        return;
    length = whole_pages(gather, length);
    fth_gather_piece(&mapping, start, length < FTH_ENDLESS - start ? length : FTH_ENDLESS - start);
    mapping.situation = fth_gather_situation(gather, thread, call, opening, layer);
    mapping.situation.writes = writes;
    mapping.situation.unsure = mapping.situation.is_mapping = true;
    struct fth_open_operation *begun = fth_gather_begin(gather, call, &mapping);
    begun->is_mapping = true;
    begun->is_shared = (value_with_role(call, "flags map") & MAP_SHARED) != 0;
}

/* mremap makes a mapping longer, or maps a part of it once more. Addresses are not recorded: it may
 * be any that is as long as the part, and the part may be its end. */
static void grow_mappings(struct fth_gathering *gather, uint64_t old, uint64_t length)
{
    for (size_t i = 0; i < gather->operation_count; i++) {
        struct fth_open_operation *operation = &gather->operations[i];
        struct fth_series *piece = operation->access.pieces;
        if (!operation->is_mapping || piece->length < old)
            continue;
        uint64_t before = piece->length - old, left = FTH_ENDLESS - piece->start - before;
        piece->length = before + (length < left ? length : left);
    }
}

/* remap_file_pages maps other pages of a file: of which mapping is not known, either. */
static void shuffle_mappings(struct fth_gathering *gather)
{
    for (size_t i = 0; i < gather->operation_count; i++)
        if (gather->operations[i].is_mapping && gather->operations[i].is_shared)
            *gather->operations[i].access.pieces = (struct fth_series){0, FTH_ENDLESS, 0, 1, false};
}

static void count_mapped(struct fth_gathering *gather, uint32_t opening)
{
    gather->accesses->mapped++;
    fth_name_count(&gather->accesses->mapped_names, gather->accesses->openings[opening].name, 1);
}

void fth_gather_unprotect(struct fth_gathering *gather)
{
    for (size_t i = 0; i < gather->operation_count; i++) {
        struct fth_open_operation *operation = &gather->operations[i];
        if (!operation->is_mapping || !operation->is_shared || operation->access.situation.writes)
            continue;
        operation->access.situation.writes = true;
        count_mapped(gather, operation->access.situation.opening);
    }
}

static const char *mode_of(const struct fth_call *call)
{
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (strcmp(call->function->parameters[i].name, "mode") == 0 &&
            call->arguments[i].type == FTH_VALUE_TEXT)
            return call->arguments[i].text;
    return "";
}

void fth_gather_mapped_stream(struct fth_gathering *gather, struct fth_access_thread *thread,
                              const struct fth_call *call)
{
    uint32_t opening = fth_opened_mode_maps(mode_of(call))
                           ? fth_gather_opening(gather, call->handle)
                           : FTH_NO_OPENING;
    int layer = thread->stack[call->depth].semantics->removes;
    if (opening == FTH_NO_OPENING || layer < 0 ||
        fth_trace_process(gather->trace, gather->proc)->launcher)
        return;
    struct fth_pending_operation mapping = {.call = call->number};
    fth_gather_piece(&mapping, 0, FTH_ENDLESS);
    mapping.situation = fth_gather_situation(gather, thread, call, opening, layer);
    mapping.situation.unsure = mapping.situation.is_mapping = true;
    fth_gather_begin(gather, call, &mapping)->is_mapping = true;
}

/* What launchers map, and MPI for itself, is left out. */
void fth_gather_mapping(struct fth_gathering *gather, struct fth_access_thread *thread,
                        const struct fth_call *call)
{
    uint32_t opening = call->file ? fth_gather_opening(gather, call->handle) : FTH_NO_OPENING;
    uint64_t old, length, page;
    if (fth_gather_value(call, "old_length", &old) && fth_gather_value(call, "length", &length) &&
        length > old)
        grow_mappings(gather, whole_pages(gather, old), whole_pages(gather, length));
    else if (fth_gather_value(call, "page", &page))
        shuffle_mappings(gather);
    if (opening == FTH_NO_OPENING || fth_trace_process(gather->trace, gather->proc)->launcher ||
        fth_gather_is_of_library(thread, call->depth, fth_gather_file(gather, call->file)))
        return;
    if (maps_to_write(call))
        count_mapped(gather, opening);
    begin_mapping(gather, thread, call, opening);
}

/* ---- the end ---- */

void fth_gather_last_operations(struct fth_gathering *gather)
{
    for (size_t i = 0; i < gather->operation_count; i++) {
        struct fth_open_operation *operation = &gather->operations[i];
        struct fth_pending_operation *pending = &operation->access;
        if (!operation->is_over) {
            pending->situation.end.step = FTH_NEVER;
            pending->situation.ended = UINT32_MAX;
            pending->situation.end_time = fth_trace_process(gather->trace, gather->proc)->end;
        }
        if (operation->is_mapping && operation->thread == gather->last_thread)
            pending->situation.end =
                (struct fth_moment){fth_order_behind(gather->builder).number, FTH_BY_TICKET};
        fth_gather_operation(gather->accesses, fth_gather_thread(gather, operation->thread),
                             pending);
        free(pending->pieces);
    }
}
