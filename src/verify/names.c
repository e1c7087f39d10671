/* Calls that change names of files, and calls whose result depends on names. */
#include "verify/gather.h"

#include "base/memory.h"
#include "model/second_path.h"

#include <string.h>

static void note_event(struct fth_deeds *deeds, enum fth_name_deed deed, uint32_t from, uint32_t to,
                       int64_t time)
{
    FTH_GROW(deeds->name_events, deeds->name_event_count);
    deeds->name_events[deeds->name_event_count++] =
        (struct fth_name_event){.deed = deed, .from = from, .to = to, .time = time};
}

/* ---- touches ---- */

bool fth_gather_is_of_library(const struct fth_deed_thread *thread, uint32_t depth, uint32_t name)
{
    for (uint32_t i = depth; i-- > 0;)
        if (strncmp(thread->stack[i].function->layer, "mpi", 3) == 0)
            return thread->stack[i].file != name + 1;
    return false;
}

static bool is_together(const struct fth_deed_thread *thread, uint32_t depth)
{
    for (uint32_t i = depth; i-- > 0;)
        if (thread->stack[i].file)
            return thread->stack[i].function->collective;
    return false;
}

static void touch(struct fth_gather *gather, struct fth_deed_thread *thread,
                  const struct fth_call *call, enum fth_touch_kind kind, uint32_t name)
{
    struct fth_deeds *deeds = gather->deeds;
    if (fth_gather_is_of_library(thread, call->depth, name) ||
        fth_trace_process(gather->trace, gather->proc)->launcher)
        return;
    struct fth_touch touch = {
        .proc = (uint32_t)gather->proc,
        .thread = call->thread,
        .name = name,
        .chain = fth_gather_chain(gather, thread, call->depth),
        .kind = kind,
        .together = is_together(thread, call->depth),
        .moment = fth_order_here(gather->feeder),
        .times = 1,
        .call = call->number,
        .start = call->start,
        .end = call->end,
    };
    struct fth_touch *last = deeds->touch_count ? &deeds->touches[deeds->touch_count - 1] : NULL;
    if (last && last->name == touch.name && last->kind == touch.kind &&
        last->chain == touch.chain && last->thread == touch.thread &&
        last->moment.step == touch.moment.step) {
        last->times++;
        return;
    }
    FTH_GROW(deeds->touches, deeds->touch_count);
    deeds->touches[deeds->touch_count++] = touch;
}

static enum fth_touch_kind opening_as(const struct fth_call *call)
{
    uint32_t flags = call->handle ? call->handle->creation_flags : 0;
    if (call->error_number > 0)
        return FTH_TOUCH_OPEN;
    if (call->handle && call->handle->type && strcmp(call->handle->type, "directory") == 0)
        return FTH_TOUCH_LIST;
    if (flags & FTH_CREATE)
        return flags & FTH_EXCLUSIVE ? FTH_TOUCH_MAKE_NEW : FTH_TOUCH_MAKE;
    return FTH_TOUCH_OPEN;
}

static size_t paths_of(const struct fth_call *call, const char **paths)
{
    const struct fth_function *function = call->function;
    size_t count = 0;
    for (size_t i = 0; i < function->parameter_count && count < 2; i++)
        if (strncmp(function->parameters[i].role, "path", 4) == 0 &&
            call->arguments[i].type == FTH_VALUE_TEXT)
            paths[count++] = call->arguments[i].text;
    return count;
}

/* What a symbolic link stands for, absolute: it is relative to the folder of the link. NULL: it is not known. To be freed. */
static char *target_of(const struct fth_call *call)
{
    const char *target = NULL, *slash = strrchr(call->file, '/');
    for (size_t i = 0; i < call->function->parameter_count && !target; i++)
        if (strcmp(call->function->parameters[i].role, "string") == 0 &&
            call->arguments[i].type == FTH_VALUE_TEXT)
            target = call->arguments[i].text;
    if (!target || !slash)
        return NULL;
    return fth_second_path(call->file, slash + 1, target);
}

static void take_names(struct fth_gather *gather, struct fth_deed_thread *thread,
                       const struct fth_call *call, uint32_t name)
{
    struct fth_deeds *deeds = gather->deeds;
    const char *paths[2];
    size_t count = paths_of(call, paths);
    char *other = count == 2 ? fth_second_path(call->file, paths[0], paths[1]) : NULL;
    if (count == 1 && call->function->links_name) {
        char *target = target_of(call);
        if (target)
            note_event(deeds, FTH_NAME_LINKED, fth_gather_file(deeds, target), name, call->start);
        touch(gather, thread, call, FTH_TOUCH_MAKE_NEW, name);
        free(target);
    } else if (count < 2) { /* mkdir and the like make names that nothing had */
        touch(gather, thread, call, FTH_TOUCH_MAKE_NEW, name);
    } else if (other && call->function->links_name) {
        uint32_t to = fth_gather_file(deeds, other);
        note_event(deeds, FTH_NAME_LINKED, name, to, call->start);
        touch(gather, thread, call, FTH_TOUCH_MAKE_NEW, to);
    } else if (other) {
        uint32_t to = fth_gather_file(deeds, other);
        note_event(deeds, FTH_NAME_MOVED, name, to, call->start);
        touch(gather, thread, call, FTH_TOUCH_REMOVE, name);
        touch(gather, thread, call, FTH_TOUCH_REMOVE, to);
    }
    free(other);
}

/* statfs and its kin ask for the file system, whatever the name. */
static bool asks_for_file_system(const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strncmp(function->parameters[i].type, "struct statfs", 13) == 0 ||
            strncmp(function->parameters[i].type, "struct statvfs", 14) == 0)
            return true;
    return false;
}

/* Where the end is, is asked by a seek from there; and of a stream that appends by where it stands. */
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

/* What a call on an open file asks of its size, or adds to it. Opening a stream to append looks for the end, of which nobody else learns. */
static void take_size(struct fth_gather *gather, struct fth_deed_thread *thread,
                      const struct fth_call *call)
{
    const char *kind = call->function->kind;
    const struct fth_handle *handle = call->handle;
    bool is_file = handle && handle->type && strcmp(handle->type, "file") == 0;
    bool opening =
        call->depth && strcmp(thread->stack[call->depth - 1].function->kind, "open") == 0;
    if (!is_file || call->error_number > 0)
        return;
    if (call->writes && handle->status_flags & FTH_APPEND)
        touch(gather, thread, call, FTH_TOUCH_APPEND, fth_gather_file(gather->deeds, call->file));
    else if (strcmp(kind, "stat") == 0 ||
             (!opening && strcmp(kind, "seek") == 0 && asks_for_end(call)))
        touch(gather, thread, call, FTH_TOUCH_SIZE, fth_gather_file(gather->deeds, call->file));
}

void fth_gather_names(struct fth_gather *gather, struct fth_deed_thread *thread,
                      const struct fth_call *call)
{
    const char *kind = call->function->kind, *paths[2];
    bool failed = call->error_number > 0;
    if (!call->file || (strcmp(call->function->layer, "posix") != 0 &&
                        strcmp(call->function->layer, "stdio") != 0))
        return;
    if (call->writes || call->reads) {
        if (call->writes && !call->function->buffered)
            take_size(gather, thread, call);
    } else if (strcmp(kind, "delete") == 0 && !failed) {
        uint32_t name = fth_gather_file(gather->deeds, call->file);
        note_event(gather->deeds, FTH_NAME_DELETED, name, 0, call->start);
        touch(gather, thread, call, FTH_TOUCH_REMOVE, name);
    } else if (strcmp(kind, "name") == 0 && !failed) {
        take_names(gather, thread, call, fth_gather_file(gather->deeds, call->file));
    } else if (strcmp(kind, "open") == 0 && paths_of(call, paths)) {
        enum fth_touch_kind as = opening_as(call);
        touch(gather, thread, call, as, fth_gather_file(gather->deeds, call->file));
    } else if (strcmp(kind, "list") == 0 && !failed) {
        touch(gather, thread, call, FTH_TOUCH_LIST, fth_gather_file(gather->deeds, call->file));
    } else if (strcmp(kind, "truncate") == 0 && !failed) {
        touch(gather, thread, call, FTH_TOUCH_TRUNCATE, fth_gather_file(gather->deeds, call->file));
    } else if ((strcmp(kind, "stat") == 0 || failed) && paths_of(call, paths) &&
               !asks_for_file_system(call->function)) {
        touch(gather, thread, call, FTH_TOUCH_LOOK, fth_gather_file(gather->deeds, call->file));
    } else {
        take_size(gather, thread, call);
    }
}
