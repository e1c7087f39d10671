/* Calls that query the size of a file, and calls that change it: truncation, allocation, and
 * writes beyond the end. A write extends a file if it goes further than what its process knows
 * of the file. */
#include "verify/gather/gather.h"

#include "base/memory.h"

#include <string.h>

static bool is_plain_file(const struct fth_gathering *gather, const struct fth_handle *handle)
{
    return handle && handle->path && handle->type && strcmp(handle->type, "file") == 0 &&
           !fth_order_is_fifo(gather->builder, handle->path);
}

static void know(struct fth_opened_size *size, uint64_t extent)
{
    size->known = true;
    size->extent = extent;
}

/* What is known of the file of an opening. */
static struct fth_opened_size *size_of(struct fth_gathering *gather, uint32_t opening,
                                       const struct fth_handle *handle)
{
    const struct fth_opening *opened = &gather->accesses->openings[opening];
    gather->sizes = fth_reach(gather->sizes, &gather->size_limit, opening, sizeof *gather->sizes);
    struct fth_opened_size *size = &gather->sizes[opening];
    if (!size->begun && handle)
        size->known = handle->creation_flags & (FTH_TRUNCATE | FTH_EXCLUSIVE);
    if (!size->begun && opened->size && !opened->size_is_hint)
        know(size, opened->size - 1);
    size->begun = true;
    return size;
}

/* Returns the number of the touch + 1; 0: it is left out. */
static uint32_t touch(struct fth_gathering *gather, struct fth_access_thread *thread,
                      const struct fth_call *call, struct fth_touch touch)
{
    touch.name = fth_gather_file(gather, call->file);
    if (fth_gather_is_left_out(gather, thread, call->depth, touch.name))
        return 0;
    return (uint32_t)fth_gather_touch(gather, thread, call, touch) + 1;
}

/* ---- truncations, and room ---- */

/* Room for bytes makes a file longer, if it says so; a length makes it that long. */
static void take_truncation(struct fth_gathering *gather, struct fth_access_thread *thread,
                            const struct fth_call *call)
{
    struct fth_touch change = {.kind = FTH_TOUCH_TRUNCATE, .by_name = !call->handle};
    uint64_t offset, count;
    uint32_t opening = call->handle ? fth_gather_opening(gather, call->handle) : FTH_NO_OPENING;
    struct fth_opened_size *size =
        opening == FTH_NO_OPENING ? NULL : size_of(gather, opening, call->handle);
    if (fth_gather_value(call, "length", &change.extent)) {
        change.is_there = change.by_name;
        if (size)
            know(size, change.extent);
    } else if (fth_gather_value(call, "offset", &offset) &&
               fth_gather_value(call, "count", &count)) {
        if (fth_gather_keeps_size(gather, call))
            return;
        change.kind = FTH_TOUCH_LENGTHEN;
        change.extent = offset + count;
        change.unsure = size && change.extent <= size->extent;
        if (size && size->extent < change.extent)
            size->extent = change.extent;
    }
    touch(gather, thread, call, change);
}

/* ---- what open files are asked ---- */

/* Where the end is, is asked by a seek from there; and of a stream that appends by where it
 * stands. */
static bool asks_for_end(const struct fth_call *call)
{
    bool appends = call->handle->status_flags & FTH_APPEND, has_distance = false;
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const char *role = call->function->parameters[i].role;
        has_distance |= strcmp(role, "distance") == 0;
        if (strcmp(role, "whence") == 0 && call->arguments[i].text)
            return strstr(call->arguments[i].text, "_END") != NULL;
    }
    return appends && !has_distance;
}

/* Opening a stream to append looks for the end, of which nobody else learns. */
static void take_question(struct fth_gathering *gather, struct fth_access_thread *thread,
                          const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    bool seeks = strcmp(call->function->kind, "seek") == 0;
    bool opening =
        call->depth && strcmp(thread->stack[call->depth - 1].function->kind, "open") == 0;
    uint32_t opened = seeks ? fth_gather_opening(gather, call->handle) : FTH_NO_OPENING;
    if (opened != FTH_NO_OPENING)
        size_of(gather, opened, call->handle)->stands = false;
    if (seeks ? opening || !asks_for_end(call) : strcmp(call->function->kind, "stat") != 0)
        return;
    uint32_t asked =
        touch(gather, thread, call, (struct fth_touch){.kind = FTH_TOUCH_SIZE, .asks_size = true});
    if (opened == FTH_NO_OPENING || access->position < 0)
        return;
    struct fth_opened_size *size = size_of(gather, opened, call->handle);
    know(size, (uint64_t)access->position);
    size->sought = asked;
    size->sought_at = (uint64_t)access->position;
    size->stands = true;
}

/* A write goes there also where it names the place, as long as that is not the begin of the file,
 * where programs write whatever they have asked for. */
uint32_t fth_gather_sought(const struct fth_gathering *gather, const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    uint64_t offset;
    if (!is_plain_file(gather, call->handle) || call->function->buffered ||
        (call->writes && call->handle->status_flags & FTH_APPEND))
        return 0;
    uint32_t opening = fth_gather_known_opening(gather, call->handle);
    if (opening >= gather->size_limit)
        return 0;
    const struct fth_opened_size *size = &gather->sizes[opening];
    bool is_named = call->writes && size->sought_at && fth_gather_value(call, "offset", &offset) &&
                    offset == size->sought_at;
    return is_named || (access->at_position && size->stands) ? size->sought : 0;
}

static void take_place(struct fth_gathering *gather, const struct fth_access *access)
{
    uint32_t sought = fth_gather_sought(gather, access);
    if (sought)
        gather->accesses->touches[sought - 1].places = true;
}

void fth_gather_size(struct fth_gathering *gather, struct fth_access_thread *thread,
                     const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    if (call->error_number > 0 || call->function->buffered)
        return;
    if (strcmp(call->function->kind, "truncate") == 0)
        take_truncation(gather, thread, call);
    else if (!is_plain_file(gather, call->handle))
        return;
    else if (!call->writes && !call->reads)
        take_question(gather, thread, access);
    else if (call->writes && call->handle->status_flags & FTH_APPEND)
        touch(gather, thread, call, (struct fth_touch){.kind = FTH_TOUCH_APPEND});
    else
        take_place(gather, access);
}

/* ---- writes behind the end ---- */

static void note_read(struct fth_opened_size *size, const struct fth_call *call, uint64_t start)
{
    uint64_t end = start + call->bytes;
    if (!call->bytes_known || !call->bytes)
        return;
    if (call->bytes < call->bytes_asked)
        know(size, end);
    else if (end > size->extent)
        size->extent = end;
}

static void note_longer(struct fth_gathering *gather, struct fth_access_thread *thread,
                        const struct fth_call *call, const struct fth_situation *situation,
                        struct fth_opened_size *size)
{
    struct fth_run_accesses *accesses = gather->accesses;
    struct fth_touch *last = size->touch ? &accesses->touches[size->touch - 1] : NULL;
    if (last && last->chain == situation->chain && last->thread == situation->thread &&
        last->moment.step == situation->begin.step && last->unsure == !size->known) {
        last->extent = size->extent;
        last->times++;
        return;
    }
    uint32_t name = accesses->openings[situation->opening].name;
    if (fth_gather_is_left_out(gather, thread, call->depth, name))
        return;
    struct fth_touch touch = {
        .kind = FTH_TOUCH_LENGTHEN, .name = name, .extent = size->extent, .unsure = !size->known};
    size->touch = (uint32_t)fth_gather_touch(gather, thread, call, touch) + 1;
}

void fth_gather_extent(struct fth_gathering *gather, struct fth_access_thread *thread,
                       const struct fth_access *access, const struct fth_pending_operation *pending)
{
    const struct fth_call *call = &access->call;
    const struct fth_situation *situation = &pending->situation;
    if (access->kind != FTH_ACCESS_BYTES || situation->region != FTH_REGION_BYTES ||
        !thread->stack[call->depth].semantics->of_system || !pending->piece_count)
        return;
    struct fth_opened_size *size = size_of(gather, situation->opening, call->handle);
    uint64_t end = fth_gather_end(pending, UINT64_MAX);
    if (call->reads && !call->writes)
        note_read(size, call, pending->pieces->start);
    if (!call->writes || end <= size->extent)
        return;
    size->extent = end;
    note_longer(gather, thread, call, situation, size);
}
