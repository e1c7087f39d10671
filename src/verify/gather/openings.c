/* Which file a call was about, as far as one process knows: the name that was opened, and what the
 * tracer has recorded of the file. */
#include "verify/gather/gather.h"

#include "base/memory.h"
#include "base/path_text.h"
#include "order/build/left_out.h"

#include <fathom/files.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 65536 };

/* ---- names ---- */

/* Only what is certain to be a disk, or memory, of one node: of other kinds somebody may know
 * better. */
static bool is_of_node(const struct fth_file_system *system)
{
    static const char *const kinds[] = {"ext2", "ext3",    "ext4", "xfs",   "btrfs", "zfs",
                                        "f2fs", "overlay", "jfs",  "tmpfs", "ramfs", NULL};
    for (const char *const *kind = kinds; system->scope == FTH_SCOPE_NODE && *kind; kind++)
        if (strcmp(system->type, *kind) == 0)
            return true;
    return false;
}

uint32_t fth_gather_file(struct fth_gathering *gather, const char *path)
{
    struct fth_file file;
    const char *host = fth_trace_process(gather->trace, gather->proc)->host;
    bool settles = *path == '/' && (strstr(path, "/.") || strstr(path, "//"));
    bool names_node = *path == '/' && gather->wanted->several_nodes && host &&
                      fth_trace_file(gather->trace, gather->proc, path, &file) &&
                      is_of_node(file.system);
    if (!settles && !names_node)
        return fth_gather_name(gather->accesses, path);
    size_t before = names_node ? strlen(host) + 1 : 0;
    char *text = fth_new(before + strlen(path) + 1, 1);
    strcpy(text + before, path);
    fth_path_settle(text + before);
    if (names_node) {
        memcpy(text, host, before - 1);
        text[before - 1] = ':';
    }
    uint32_t name = fth_gather_name(gather->accesses, text);
    free(text);
    return name;
}

/* ---- openings ---- */

/* The handle whose opening says which file it is: a duplicate's is that of the original. */
static const struct fth_handle *opened_one(const struct fth_handle *handle)
{
    while (handle->duplicate && handle->parent)
        handle = handle->parent;
    return handle;
}

static uint32_t host_of(const struct fth_gathering *gather)
{
    const char *host = fth_trace_process(gather->trace, gather->proc)->host;
    return fth_gather_name(gather->accesses, host ? host : "");
}

/* "/cwd/ufs:/data/f" is "/data/f", and "/cwd/ufs:f" is "/cwd/f": what ROMIO takes for the kind of a
 * file system is no part of the name. */
static const char *without_kind(const char *path, char *room)
{
    static const char *const kinds[] = {
        "ufs:",   "nfs:",    "xfs:",  "lustre:", "gpfs:",      "panfs:",
        "pvfs2:", "testfs:", "daos:", "ime:",    "quobytefs:", NULL};
    for (const char *const *kind = kinds; *kind; kind++) {
        const char *at = strstr(path, *kind);
        if (!at || at == path || at[-1] != '/')
            continue;
        const char *rest = at + strlen(*kind);
        if (*rest == '/')
            return rest;
        memcpy(room, path, (size_t)(at - path));
        strcpy(room + (at - path), rest);
        return room;
    }
    return path;
}

/* "/proc/self/fd/3", "/dev/fd/3" ... */
static bool is_of_descriptor(const char *path)
{
    return strncmp(path, "/dev/fd/", 8) == 0 || strcmp(path, "/dev/stdin") == 0 ||
           strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0 ||
           (strncmp(path, "/proc/", 6) == 0 && strstr(path, "/fd/"));
}

/* A descriptor that the path led to, of a file that had no name any more; else NULL. */
static const char *descriptor_behind(const struct fth_handle *handle)
{
    const char *path = handle->identity.path;
    return path && is_of_descriptor(path) ? path : NULL;
}

static bool has_real_path(const struct fth_handle *handle)
{
    return handle->identity.path && !descriptor_behind(handle);
}

static uint32_t asked_name(struct fth_gathering *gather, const struct fth_handle *handle)
{
    if (strcmp(handle->handle_class, "mpi_file") != 0)
        return fth_gather_file(gather, handle->path);
    char *room = fth_new(strlen(handle->path) + 1, 1);
    uint32_t name = fth_gather_file(gather, without_kind(handle->path, room));
    free(room);
    return name;
}

static uint32_t name_of(struct fth_gathering *gather, const struct fth_handle *handle)
{
    return handle->identity.path ? fth_gather_file(gather, handle->identity.path)
                                 : asked_name(gather, handle);
}

static bool is_on_node(const struct fth_gathering *gather, const char *path)
{
    struct fth_file file;
    return fth_trace_file(gather->trace, gather->proc, path, &file) && is_of_node(file.system);
}

/* The note comes behind the opening, before what the process does with it first. */
static void set_size(const struct fth_gathering *gather, struct fth_opening *opening,
                     const struct fth_handle *handle)
{
    if (opening->size || !handle->identity.size || handle->origin == FTH_HANDLE_THERE ||
        !opening->was_seen)
        return;
    opening->size = handle->identity.size;
    opening->sized = gather->now;
    opening->size_is_hint = !is_on_node(gather, handle->path);
}

/* Later calls may show more: a descriptor is handed to another process. */
static void set_identity(struct fth_gathering *gather, struct fth_opening *opening,
                         const struct fth_handle *handle)
{
    const struct fth_identity *identity = &handle->identity;
    if (opening->inode || (!identity->inode && (!identity->path || opening->is_real)))
        return;
    opening->name = name_of(gather, handle);
    opening->is_real = has_real_path(handle);
    if (descriptor_behind(handle)) {
        opening->asked = opening->name;
        opening->was_there = true;
    }
    opening->device = identity->device;
    opening->inode = identity->inode;
    opening->links = identity->links;
    /* Since the process began others may have made it. */
    if (handle->origin == FTH_HANDLE_THERE && identity->inode)
        opening->time = gather->now;
}

/* When the call returned that opened it; -1: it was not seen. A stream's descriptor was opened when
 * the stream was. */
static int64_t opened_at(const struct fth_handle *handle)
{
    while (handle->made_at < 0 && handle->origin == FTH_HANDLE_INSIDE && handle->parent)
        handle = handle->parent;
    return handle->made_at;
}

/* Until a call of the program is seen to use it. Where calls of the program are left out, its own
 * streams look as those of libc do. */
static bool may_be_of_libc(struct fth_gathering *gather, const struct fth_handle *handle)
{
    if (handle->origin != FTH_HANDLE_THERE || strcmp(handle->handle_class, "fd") != 0 ||
        handle->value <= STDERR_FILENO)
        return false;
    if (gather->left_out == FTH_LEFT_OUT_UNKNOWN)
        gather->left_out =
            fth_order_leaves_out(gather->trace) ? FTH_LEFT_OUT_SOME : FTH_LEFT_OUT_NONE;
    return gather->left_out == FTH_LEFT_OUT_NONE;
}

/* A call of the program moves the position, or is given an offset; only what streams do underneath
 * is both. */
void fth_gather_owner(struct fth_gathering *gather, const struct fth_entry *entry,
                      const struct fth_access *access, uint32_t opening)
{
    bool is_underneath = access->moves && entry->semantics->has_offset;
    if (!is_underneath)
        gather->accesses->openings[opening].is_of_libc = false;
}

void fth_gather_stream_opened(struct fth_gathering *gather, const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++) {
        uint32_t opening = call->uses[i].kind == FTH_HANDLE_OPENED
                               ? FTH_NO_OPENING
                               : fth_gather_opening(gather, call->uses[i].handle);
        if (opening != FTH_NO_OPENING)
            gather->accesses->openings[opening].is_of_libc = false;
    }
}

static struct fth_opening opening_of(struct fth_gathering *gather, const struct fth_handle *handle)
{
    bool made = handle->origin == FTH_HANDLE_MADE;
    return (struct fth_opening){
        .proc = (uint32_t)gather->proc,
        .number = handle->number,
        .name = name_of(gather, handle),
        .asked = asked_name(gather, handle),
        .is_real = has_real_path(handle),
        .host = host_of(gather),
        .time = opened_at(handle) >= 0 ? opened_at(handle)
                                       : fth_trace_process(gather->trace, gather->proc)->start,
        /* Only one process's system call makes the file, also where a group opens it. */
        .exclusive = (handle->creation_flags & FTH_EXCLUSIVE) && !handle->collective,
        .was_seen = opened_at(handle) >= 0,
        .thread = handle->made_thread,
        .call = handle->made_by,
        .creates = made && handle->creation_flags & FTH_CREATE,
        .is_nameless = made && ((handle->creation_flags & FTH_TEMPORARY) ||
                                strncmp(handle->path, "/memfd:", 7) == 0),
        .was_there = handle->origin == FTH_HANDLE_THERE || is_of_descriptor(handle->path),
        .inherited = handle->origin == FTH_HANDLE_THERE,
        .is_of_libc = may_be_of_libc(gather, handle),
        .is_descriptor = strcmp(handle->handle_class, "fd") == 0,
        .by_mpi = strcmp(handle->handle_class, "mpi_file") == 0,
        .reads_only = handle->access == FTH_ACCESS_READ,
        .closed = INT64_MAX,
    };
}

static bool is_file(const struct fth_handle *handle)
{
    return handle->path && handle->type && strcmp(handle->type, "socket") != 0 &&
           (strcmp(handle->type, "file") == 0 || handle->identity.inode || handle->identity.path);
}

static void end_holding(struct fth_gathering *gather, uint32_t descriptor)
{
    gather->held = fth_reach(gather->held, &gather->held_limit, descriptor, sizeof *gather->held);
    uint32_t held = gather->held[descriptor];
    if (held && gather->accesses->holdings[held - 1].to == INT64_MAX)
        gather->accesses->holdings[held - 1].to = gather->now;
}

static void begin_holding(struct fth_gathering *gather, const struct fth_handle *handle,
                          uint32_t opening)
{
    struct fth_run_accesses *accesses = gather->accesses;
    uint32_t descriptor = (uint32_t)handle->value;
    bool was_there = handle->origin == FTH_HANDLE_THERE;
    end_holding(gather, descriptor);
    FTH_GROW(accesses->holdings, accesses->holding_count);
    accesses->holdings[accesses->holding_count++] =
        (struct fth_holding){.proc = (uint32_t)gather->proc,
                             .descriptor = descriptor,
                             .opening = opening,
                             .from = was_there ? INT64_MIN : gather->now,
                             .to = INT64_MAX};
    gather->held[descriptor] = (uint32_t)accesses->holding_count;
}

/* Of descriptors it is noted which one is where. */
static void put_at_descriptor(struct fth_gathering *gather, const struct fth_handle *handle,
                              uint32_t opening)
{
    if (strcmp(handle->handle_class, "fd") != 0 || handle->value < 0 ||
        handle->value >= MOST_DESCRIPTORS)
        return;
    uint32_t descriptor = (uint32_t)handle->value;
    gather->at_descriptor = fth_reach(gather->at_descriptor, &gather->descriptor_limit, descriptor,
                                      sizeof *gather->at_descriptor);
    if (gather->at_descriptor[descriptor] == opening + 1)
        return;
    gather->at_descriptor[descriptor] = opening + 1;
    begin_holding(gather, handle, opening);
}

uint32_t fth_gather_opening(struct fth_gathering *gather, const struct fth_handle *handle)
{
    const struct fth_handle *used = handle;
    if (!handle)
        return FTH_NO_OPENING;
    handle = opened_one(handle); /* which knows what a path of a descriptor leads to */
    if ((!is_file(used) && !is_file(handle)) || !handle->path || handle->number >= UINT32_MAX)
        return FTH_NO_OPENING;
    uint32_t number = (uint32_t)handle->number;
    gather->openings =
        fth_reach(gather->openings, &gather->opening_limit, number, sizeof *gather->openings);
    struct fth_run_accesses *accesses = gather->accesses;
    if (!gather->openings[number]) {
        if (fth_order_is_fifo(gather->builder, handle->path))
            return FTH_NO_OPENING;
        FTH_GROW(accesses->openings, accesses->opening_count);
        accesses->openings[accesses->opening_count] = opening_of(gather, handle);
        gather->openings[number] = (uint32_t)++accesses->opening_count;
    }
    uint32_t opening = gather->openings[number] - 1;
    set_size(gather, &accesses->openings[opening], handle);
    set_identity(gather, &accesses->openings[opening], handle);
    put_at_descriptor(gather, used, opening);
    return opening;
}

uint32_t fth_gather_known_opening(const struct fth_gathering *gather,
                                  const struct fth_handle *handle)
{
    handle = opened_one(handle);
    return handle->number < gather->opening_limit && gather->openings[handle->number]
               ? gather->openings[handle->number] - 1
               : FTH_NO_OPENING;
}

/* dup2 puts another one where it has closed one. */
static bool opens_at(const struct fth_call *call, int64_t descriptor)
{
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].kind == FTH_HANDLE_OPENED && call->uses[i].handle->value == descriptor)
            return true;
    return false;
}

void fth_gather_closed(struct fth_gathering *gather, const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++) {
        const struct fth_handle *handle = call->uses[i].handle;
        if (call->uses[i].kind == FTH_HANDLE_CLOSED && strcmp(handle->handle_class, "fd") == 0 &&
            handle->value >= 0 && handle->value < gather->descriptor_limit &&
            !opens_at(call, handle->value)) {
            gather->at_descriptor[handle->value] = 0;
            end_holding(gather, (uint32_t)handle->value);
        }
    }
}

uint32_t fth_gather_opening_at(const struct fth_gathering *gather, const char *path)
{
    const char *number = is_of_descriptor(path) ? strrchr(path, '/') + 1 : "";
    char *end;
    unsigned long descriptor = strtoul(number, &end, 10);
    if (end == number || *end || descriptor >= gather->descriptor_limit ||
        !gather->at_descriptor[descriptor])
        return FTH_NO_OPENING;
    return gather->at_descriptor[descriptor] - 1;
}

uint32_t fth_gather_opening_by_name(struct fth_gathering *gather, const char *path)
{
    struct fth_run_accesses *accesses = gather->accesses;
    uint32_t known = fth_gather_opening_at(gather, path);
    if (known != FTH_NO_OPENING)
        return known;
    uint32_t name = fth_gather_file(gather, path), count = (uint32_t)accesses->opening_count;
    const struct fth_opening *last = count ? &accesses->openings[count - 1] : NULL;
    if (last && last->name == name && last->time == gather->now && last->closed == gather->now)
        return count - 1; /* it is of this call, too */
    FTH_GROW(accesses->openings, accesses->opening_count);
    accesses->openings[accesses->opening_count] = (struct fth_opening){
        .proc = (uint32_t)gather->proc,
        .number = FTH_NO_HANDLE,
        .name = name,
        .asked = name,
        .was_seen = true,
        .host = host_of(gather),
        .time = gather->now,
        .closed = gather->now,
    };
    return (uint32_t)accesses->opening_count++;
}
