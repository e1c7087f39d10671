/* What a call becomes: a frame of numbers that outlives it. */
#include "analysis/survey/visit.h"

#include "analysis/survey/run_files.h"
#include "base/memory.h"
#include "base/path_text.h"
#include "model/calls/meets_others.h"
#include "model/reading/trace_functions.h"

#include <stdlib.h>
#include <string.h>

/* On a file system of the node the cache of the kernel lies between a call and the blocks. */
static void put_pieces(const struct fth_visit *visit, const char *path, struct fth_visit_file *to)
{
    struct fth_file file;
    if (!fth_trace_file(visit->survey->trace, visit->proc, path, &file))
        return;
    to->servers = file.stripe_size ? file.stripe_count : 0;
    to->block = file.stripe_size                         ? file.stripe_size
                : file.system->scope == FTH_SCOPE_SHARED ? file.system->block_size
                                                         : 0;
}

static uint32_t path_number(struct fth_visit *visit, const char *path)
{
    return path ? fth_intern(&visit->paths, path, strlen(path) + 1) : FTH_NO_FILE;
}

/* Paths are compared, and asked for their pieces, once for each file. NULL: the call is about
 * none. */
static const struct fth_visit_file *file_of(struct fth_visit *visit, const struct fth_call *call)
{
    uint32_t number = call->file_number;
    if (!number)
        return NULL;
    visit->files = fth_reach(visit->files, &visit->file_limit, number, sizeof *visit->files);
    struct fth_visit_file *file = &visit->files[number];
    if (!file->path) {
        file->path = path_number(visit, call->file) + 1;
        put_pieces(visit, call->file, file);
    }
    return file;
}

/* A file that never had a name (O_TMPFILE) is known by its folder only: each is a file of its own.
 * That of tmpfile has one, which the system made up. */
static bool is_unnamed(const struct fth_call *call)
{
    return call->handle && call->handle->path && call->handle->creation_flags & FTH_TEMPORARY &&
           !strstr(call->handle->path, " (deleted)");
}

static uint32_t unnamed_file(struct fth_visit *visit, const struct fth_handle *handle)
{
    char *path = fth_text_format("%s/(unnamed file %llu of process %zu)", handle->path,
                                 (unsigned long long)handle->number, visit->proc);
    uint32_t number = path_number(visit, path);
    free(path);
    return number;
}

/* The system's path of a descriptor that was passed on in /proc or /dev names no file, but it may
 * be the name of a pipe. */
static uint32_t behind_links(struct fth_visit *visit, const struct fth_handle *handle)
{
    const char *path = handle ? handle->identity.path : NULL;
    if (path && !strncmp(path, "pipe:[", 6))
        return path_number(visit, path);
    bool is_file = path && path[0] == '/' && strncmp(path, "/proc/", 6) != 0 &&
                   strncmp(path, "/dev/", 5) != 0 && !strstr(path, " (deleted)");
    return is_file ? path_number(visit, path) : FTH_NO_FILE;
}

/* Of a copy: the handle that is not the one that the call is about. */
static const struct fth_handle *other_handle(const struct fth_call *call)
{
    for (size_t i = 0; call->copies && i < call->use_count; i++)
        if (call->uses[i].handle != call->handle)
            return call->uses[i].handle;
    return NULL;
}

static uint32_t other_of(struct fth_visit *visit, const struct fth_call_class *class,
                         const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    if (access->second.file)
        return path_number(visit, access->second.file);
    return class->path_count > 1 ? path_number(visit, call->other_file) : FTH_NO_FILE;
}

/* What leads upwards in a name that a call has changed ("a/../b") is known by its text: the
 * recorder looks for links on the way there, and says so where it does not know what is behind
 * them. */
static uint32_t changed_name(struct fth_visit *visit, const struct fth_call *call, const char *name,
                             uint32_t number)
{
    if (!name || *name != '/' || call->error_number || !strstr(name, "/.."))
        return number;
    char *path = fth_text_copy(name);
    fth_path_settle(path);
    number = path_number(visit, path);
    free(path);
    return number;
}

static void settle_names(struct fth_visit *visit, struct fth_frame *frame,
                         const struct fth_call *call)
{
    if (frame->class->kind != FTH_CALLS_NAME && frame->class->kind != FTH_CALLS_DELETE)
        return;
    frame->file.number = changed_name(visit, call, call->file, frame->file.number);
    if (frame->file.other != FTH_NO_FILE)
        frame->file.other = changed_name(visit, call, call->other_file, frame->file.other);
}

static void measure_ranges(struct fth_frame *frame, struct fth_accesses *accesses)
{
    struct fth_range range;
    uint64_t last = 0, looked_at = 0;
    while (frame->data.ranges < FTH_MANY_RANGES && fth_accesses_range(accesses, &range)) {
        uint64_t behind = range.offset + range.length;
        if (!frame->data.ranges)
            frame->data.length = range.length;
        else if (frame->data.ranges == 1)
            frame->data.stride = range.offset - last;
        if (frame->data.ranges && (range.length != frame->data.length || range.offset <= last ||
                                   range.offset - last != frame->data.stride))
            frame->data.length = 0;
        last = range.offset;
        frame->data.first = !frame->data.ranges || range.offset < frame->data.first
                                ? range.offset
                                : frame->data.first;
        frame->data.behind = behind > frame->data.behind ? behind : frame->data.behind;
        frame->data.ranges++;
        looked_at += range.length;
    }
    if (frame->data.ranges < FTH_MANY_RANGES)
        return;
    frame->data.first = frame->data.behind = frame->data.length = 0;
    if (looked_at && frame->data.bytes > looked_at)
        frame->data.ranges =
            (uint64_t)((unsigned __int128)FTH_MANY_RANGES * frame->data.bytes / looked_at);
}

static void look_for_lock(const struct fth_visit *visit, struct fth_frame *frame,
                          const struct fth_call *call)
{
    struct fth_lock_event lock;
    if ((frame->class->kind != FTH_CALLS_LOCK && frame->class->kind != FTH_CALLS_CONTROL) ||
        !fth_call_lock(visit->survey->trace, call, &lock))
        return;
    frame->locks = lock.operation != FTH_LOCK_RELEASED;
    frame->unlocks = !frame->locks;
}

static bool has_holes(const struct fth_datatype *type)
{
    return type && type->size != type->true_upper_bound - type->true_lower_bound;
}

/* Is the outermost call around it, but for regions, about something else than I/O? */
static bool is_of_library(const struct fth_frame *frame)
{
    const struct fth_frame *outermost = NULL;
    for (const struct fth_frame *around = frame->around; around; around = around->around)
        if (!around->class->region)
            outermost = around;
    return outermost && !outermost->class->io && outermost->class->kind != FTH_CALLS_WAIT &&
           outermost->class->kind != FTH_CALLS_TEST && outermost->class->kind != FTH_CALLS_START;
}

/* What differs between calls that are alike. */
void fth_visit_fill_again(struct fth_frame *frame, const struct fth_access *access,
                          struct fth_accesses *accesses)
{
    const struct fth_call *call = &access->call;
    frame->number = call->number;
    frame->times.start = call->start;
    frame->times.end = call->end;
    frame->failed = call->error_number != 0;
    frame->error_number = call->error_number;
    frame->error_name = call->error_name;
    if (!frame->class->io)
        return;
    frame->file.other_first = access->second.known ? (int64_t)access->second.range.offset : -1;
    if (frame->class->mapped >= 0 && !call->error_number &&
        call->arguments[frame->class->mapped].type == FTH_VALUE_INTEGER)
        frame->data.mapped = (uint64_t)call->arguments[frame->class->mapped].integer;
    frame->data.asked = call->bytes_asked == FTH_NO_BYTES ? 0 : call->bytes_asked;
    if (call->reads || call->writes)
        frame->data.bytes = call->bytes_known ? call->bytes
                            : call->bytes_asked == FTH_NO_BYTES || call->error_number
                                ? 0
                                : call->bytes_asked;
    frame->data.unplaced = access->kind == FTH_ACCESS_UNKNOWN;
    frame->data.appends = access->appends;
    if (access->kind != FTH_ACCESS_BYTES)
        return;
    frame->data.through_view = access->view && has_holes(access->view->filetype);
    measure_ranges(frame, accesses);
}

void fth_visit_expect(struct fth_visit *visit, const struct fth_call *call)
{
    uint32_t number = call->file_number;
    if (visit->listener && visit->listener->expect)
        visit->listener->expect(visit->listening, call);
    if (!number || number == visit->expected || number >= visit->file_limit ||
        !visit->files[number].path)
        return;
    visit->expected = number;
    for (uint32_t i = 0; i < visit->by_file_count; i++)
        fth_indexed_expect(visit->by_file[i], visit->files[number].path - 1);
}

static void give_part(struct fth_visit *visit, const struct fth_frame *frame,
                      const struct fth_control_block *block)
{
    const struct fth_handle *handle = block->handle;
    struct fth_frame part = *frame;
    part.class = &visit->survey->classes->parts[block->writes][frame->class->index];
    part.activity = part.class->activity;
    part.reads = !block->writes;
    part.writes = block->writes;
    part.file.number = handle ? path_number(visit, handle->path) : FTH_NO_FILE;
    part.file.behind_links = behind_links(visit, handle);
    part.file.other_behind = FTH_NO_FILE;
    part.file.handle = handle ? handle->number : FTH_NO_CALL;
    part.file.access = handle ? handle->access : 0;
    part.file.creation = handle ? handle->creation_flags : 0;
    part.file.synced = handle && handle->status_flags & (FTH_SYNC | FTH_DATA_SYNC);
    part.file.direct = handle && handle->status_flags & FTH_AVOID_CACHING;
    part.file.block = part.file.servers = 0;
    /* what appends is where the file ends, which is not known */
    bool placed = !(block->writes && handle && handle->status_flags & FTH_APPEND) && block->bytes;
    part.data.bytes = block->bytes;
    part.data.asked = block->bytes_asked;
    part.data.ranges = placed;
    part.data.unplaced = !placed && block->bytes;
    part.data.appends = part.data.unplaced;
    part.data.length = placed ? block->bytes : 0;
    part.data.first = placed ? block->offset : 0;
    part.data.behind = placed ? block->offset + block->bytes : 0;
    fth_frame_close(&part);
    part.times.all = part.times.own = part.times.first = 0;
    part.data.best = (struct fth_speed){0};
    fth_visit_give_each(visit, &part);
    part.is_part = true;
    part.calls = 0;
    fth_visit_give_call(visit, &part);
}

void fth_visit_give_parts(struct fth_visit *visit, const struct fth_frame *frame,
                          const struct fth_call *call)
{
    for (size_t i = 0; !frame->left_out && i < call->block_count; i++)
        give_part(visit, frame, &call->blocks[i]);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    return text ? mix(hash, fth_hash_text(text)) : hash;
}

/* Slots are used again: a handle that some call made is distinguished from others by its number, or
 * by the file and the object that it is of. */
static uint64_t mix_handle(uint64_t hash, const struct fth_handle *handle)
{
    if (handle->path || handle->name)
        return mix_text(mix_text(hash, handle->path), handle->name);
    return mix(hash, handle->number);
}

static bool is_new(const struct fth_call *call, size_t parameter)
{
    return strncmp(call->function->parameters[parameter].role, "new ", 4) == 0;
}

/* What the call is given, without what it makes. */
static uint64_t hash_given(const struct fth_call *call)
{
    uint64_t hash = 1;
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const struct fth_value *value = &call->arguments[i];
        if (is_new(call, i))
            continue;
        hash = mix_text(mix(hash, i), value->text);
        if (value->type == FTH_VALUE_INTEGER)
            hash = mix(hash, (uint64_t)value->integer);
        for (size_t k = 0; k < value->count && value->type == FTH_VALUE_INTEGERS; k++)
            hash = mix(hash, (uint64_t)value->integers[k]);
    }
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].kind == FTH_HANDLE_USED)
            hash = mix_handle(hash, call->uses[i].handle);
    return hash;
}

/* The root group of a file of NetCDF has the number of the file: who closes it closes the file. */
static bool is_file_itself(const struct fth_call *call)
{
    return call->handle && strcmp(call->handle->handle_class, "ncid") == 0 &&
           strcmp(call->object, "/") == 0;
}

void fth_visit_fill(struct fth_visit *visit, struct fth_frame *frame,
                    const struct fth_access *access, struct fth_accesses *accesses)
{
    const struct fth_call *call = &access->call;
    frame->function = call->function;
    frame->class = fth_call_class_for(visit->survey->classes, call);
    frame->activity = fth_activity_of(visit->survey->trace, frame->class, call);
    frame->device = call->tid < 0;
    frame->proc = call->proc;
    frame->thread = call->thread;
    frame->depth = call->depth;
    frame->file.number = FTH_NO_FILE;
    frame->file.other = FTH_NO_FILE;
    frame->file.about = FTH_NO_FILE;
    frame->file.behind_links = FTH_NO_FILE;
    frame->file.other_behind = FTH_NO_FILE;
    frame->file.other_first = -1;
    frame->file.to_others = fth_handle_meets_others(call->handle);
    frame->file.object = (call->object && !is_file_itself(call)) || call->function->inside_file;
    frame->collective = call->collective;
    frame->reads = call->reads;
    frame->writes = call->writes;
    frame->copies = call->copies;
    frame->group_size = call->group ? call->group->group_size : 0;
    frame->made_of = frame->class->sets_up ? hash_given(call) : 0;
    frame->file.handle = call->handle ? call->handle->number : FTH_NO_CALL;
    frame->file.access = call->handle ? call->handle->access : 0;
    frame->file.creation = call->handle ? call->handle->creation_flags : 0;
    frame->file.synced = call->handle && call->handle->status_flags & (FTH_SYNC | FTH_DATA_SYNC);
    frame->file.direct = call->handle && call->handle->status_flags & FTH_AVOID_CACHING;
    if (frame->class->io) {
        const struct fth_visit_file *file = file_of(visit, call);
        if (is_unnamed(call)) {
            frame->file.number = unnamed_file(visit, call->handle);
        } else if (file) {
            frame->file.number = file->path - 1;
            frame->file.block = file->block;
            frame->file.servers = file->servers;
        }
        frame->file.behind_links = behind_links(visit, call->handle);
        frame->of_library = is_of_library(frame);
        look_for_lock(visit, frame, call);
        frame->only_starts = frame->class->kind == FTH_CALLS_SYNC &&
                             fth_sync_only_starts(visit->survey->trace, call);
        frame->file.other = other_of(visit, frame->class, access);
        frame->file.other_behind = behind_links(visit, other_handle(call));
        settle_names(visit, frame, call);
    } else if (call->file_number && frame->class->kind == FTH_CALLS_TEST) {
        frame->file.about = file_of(visit, call)->path - 1;
    }
    fth_visit_fill_again(frame, access, accesses);
}
