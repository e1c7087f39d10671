/* Marks: calls that matter to a model beside accesses, such as opens, closes and syncs, and what
 * they are about. */
#include "verify/gather/gather.h"

#include "base/memory.h"

#include <fathom/files.h>
#include <string.h>

/* What a call that makes a duplicate closes for it; NULL: nothing. */
static const struct fth_handle *closed_by(const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].kind == FTH_HANDLE_CLOSED)
            return call->uses[i].handle;
    return NULL;
}

/* It is about files, and does not say which: a range of descriptors, or of memory; or it only
 * looks up a path. */
static bool of_unknown_files(const struct fth_entry *entry, const struct fth_call *call,
                             const struct fth_handle *handle)
{
    return handle ? (handle->creation_flags & FTH_PATH_ONLY) != 0
                  : entry->semantics->of_system && call->function->parameter_count > 0;
}

static uint64_t collective_around(const struct fth_access_thread *thread,
                                  const struct fth_entry *entry)
{
    for (const struct fth_entry *around = thread->stack; around <= entry; around++)
        if (around->semantics->of_mpi && around->function->collective)
            return around->call;
    return FTH_NO_CALL;
}

/* Of a descriptor that can only read: that makes nothing visible that was written by others. */
static bool closes_reader(const struct fth_gathering *gather, const struct fth_entry *entry,
                          uint32_t opening, enum fth_mark_kind kind)
{
    return opening != FTH_NO_OPENING && gather->accesses->openings[opening].reads_only &&
           (kind == FTH_MARK_CLOSES || (entry->function->closes && !entry->function->opens));
}

static void put_mark(struct fth_gathering *gather, struct fth_access_thread *thread,
                     struct fth_entry *entry, const struct fth_call *call, uint32_t opening,
                     enum fth_mark_kind kind)
{
    struct fth_run_accesses *accesses = gather->accesses;
    if (closes_reader(gather, entry, opening, kind))
        return;
    if (!entry->mark_count) {
        entry->mark = (uint32_t)accesses->mark_count;
        thread->tick++;
    }
    FTH_GROW(accesses->marks, accesses->mark_count);
    accesses->marks[accesses->mark_count++] = (struct fth_sync_mark){
        .proc = (uint32_t)gather->proc,
        .thread = call->thread,
        .opening = opening,
        .began = thread->tick,
        .in = fth_order_here(gather->builder),
        .out = {fth_order_behind(gather->builder).number, FTH_BY_TICKET},
        .call = call->number,
        .time = call->start,
        .chain = fth_gather_chain(gather, thread, (size_t)(entry - thread->stack)),
        .kind = kind,
        .collective = collective_around(thread, entry),
        .function = entry->function,
    };
    entry->mark_count++;
}

/* What descriptors from `first` to `last` are of, as far as it was accessed; `streams`: only what
 * streams have accessed. */
static void put_marks_of_descriptors(struct fth_gathering *gather, struct fth_access_thread *thread,
                                     struct fth_entry *entry, const struct fth_call *call,
                                     uint64_t first, uint64_t last, bool streams)
{
    for (uint64_t i = first; i <= last && i < gather->descriptor_limit; i++) {
        uint32_t opening = gather->at_descriptor[i] - 1;
        if (gather->at_descriptor[i] &&
            (!streams || (opening < gather->by_stream_limit && gather->by_stream[opening])))
            put_mark(gather, thread, entry, call, opening, FTH_MARK_CALL);
    }
}

/* close_range, closefrom: what they leave open or mark to be closed by exec is not closed. */
static bool closes_descriptors(const struct fth_call *call, uint64_t *first, uint64_t *last)
{
    uint64_t flags = 0;
    if (!fth_gather_value(call, "first", first))
        return false;
    *last = fth_gather_value(call, "last", last) ? *last : UINT32_MAX;
    return !fth_gather_value(call, "flags", &flags) || !(flags & 4 /* CLOSE_RANGE_CLOEXEC */);
}

/* syncfs: its descriptor only says which file system is meant. */
static bool syncs_file_system(const struct fth_call *call)
{
    return call->handle && call->function->parameter_count &&
           strcmp(call->function->parameters[0].name, "file_system") == 0;
}

static const struct fth_file_system *system_of(const struct fth_gathering *gather, const char *path)
{
    struct fth_file file;
    return path && fth_trace_file(gather->trace, gather->proc, path, &file) ? file.system : NULL;
}

/* Of the files that are open, those of the same file system; what was closed is there already. If
 * nothing is known of mounts, only the file itself. */
static void put_marks_of_system(struct fth_gathering *gather, struct fth_access_thread *thread,
                                struct fth_entry *entry, const struct fth_call *call)
{
    const struct fth_run_accesses *accesses = gather->accesses;
    const struct fth_file_system *system = system_of(gather, call->handle->path);
    uint32_t itself = fth_gather_opening(gather, call->handle);
    for (uint32_t i = 0; i < gather->descriptor_limit; i++) {
        uint32_t opening = gather->at_descriptor[i] - 1;
        size_t length;
        if (!gather->at_descriptor[i])
            continue;
        const char *name =
            fth_run_accesses_name(accesses, accesses->openings[opening].name, &length);
        if (opening == itself || (system && system_of(gather, name) == system))
            put_mark(gather, thread, entry, call, opening, FTH_MARK_CALL);
    }
}

static void put_closing_marks(struct fth_gathering *gather, struct fth_access_thread *thread,
                              struct fth_entry *entry, const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++) {
        uint32_t opening = call->uses[i].kind == FTH_HANDLE_CLOSED
                               ? fth_gather_opening(gather, call->uses[i].handle)
                               : FTH_NO_OPENING;
        if (opening != FTH_NO_OPENING)
            put_mark(gather, thread, entry, call, opening, FTH_MARK_CLOSES);
    }
}

/* The file is open for this call only: what the call does to it is behind the first mark, and
 * before the last one. */
static void put_marks_by_name(struct fth_gathering *gather, struct fth_access_thread *thread,
                              struct fth_entry *entry, const struct fth_call *call)
{
    if (!call->file)
        return;
    uint32_t opening = fth_gather_opening_by_name(gather, call->file);
    put_mark(gather, thread, entry, call, opening, FTH_MARK_CALL);
    put_mark(gather, thread, entry, call, opening, FTH_MARK_CLOSES);
}

void fth_gather_marks(struct fth_gathering *gather, struct fth_access_thread *thread,
                      struct fth_entry *entry, const struct fth_call *call)
{
    bool duplicates = entry->semantics->duplicates;
    const struct fth_handle *handle = duplicates ? closed_by(call) : call->handle;
    uint64_t first, last;
    if (call->error_number != 0 && call->error_number != -1)
        return;
    if (entry->semantics->marked_by_name) {
        put_marks_by_name(gather, thread, entry, call);
        return;
    }
    if (entry->semantics->marked_close)
        put_closing_marks(gather, thread, entry, call);
    if (!entry->semantics->marked || (duplicates && !handle))
        return;
    if (!handle && entry->semantics->of_streams) {
        entry->is_of_all_streams = true;
        put_marks_of_descriptors(gather, thread, entry, call, 0, UINT32_MAX, true);
        return;
    }
    if (!handle && entry->semantics->of_system && closes_descriptors(call, &first, &last))
        put_marks_of_descriptors(gather, thread, entry, call, first, last, false);
    if (of_unknown_files(entry, call, handle))
        return;
    if (syncs_file_system(call)) {
        put_marks_of_system(gather, thread, entry, call);
        return;
    }
    bool of_handle =
        handle && (handle->path || entry->semantics->of_system || entry->semantics->of_stdio);
    uint32_t opening = fth_gather_opening(gather, handle);
    if (opening == FTH_NO_OPENING && of_handle)
        /* about a pipe or a device: other handles (MPI_Barrier's communicator) are no files at
         * all */
        return;
    put_mark(gather, thread, entry, call, opening, FTH_MARK_CALL);
}

void fth_gather_sync_begins(struct fth_gathering *gather, struct fth_access_thread *thread,
                            const struct fth_call *call)
{
    uint32_t opening = fth_gather_opening(gather, call->handle);
    if (call->error_number > 0 || opening == FTH_NO_OPENING)
        return;
    FTH_GROW(gather->syncs, gather->sync_count);
    gather->syncs[gather->sync_count++] =
        (struct fth_open_sync){call->thread, opening, ++thread->tick, call->number, call->function};
}

static bool has_parameter(const struct fth_function *function, const char *name)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strcmp(function->parameters[i].name, name) == 0)
            return true;
    return false;
}

static struct fth_open_sync *sync_of(struct fth_gathering *gather,
                                     const struct fth_operation *operation)
{
    for (size_t i = 0; i < gather->sync_count; i++)
        if (gather->syncs[i].thread == operation->begin.thread &&
            gather->syncs[i].call == operation->begin.number)
            return &gather->syncs[i];
    return NULL;
}

const struct fth_open_sync *fth_gather_sync_comes_last(struct fth_gathering *gather,
                                                       const struct fth_call *call,
                                                       const struct fth_operation *operation)
{
    const struct fth_open_sync *sync = sync_of(gather, operation);
    bool comes_last = sync && operation->how == FTH_OPERATION_COMPLETE &&
                      sync->thread == call->thread && has_parameter(sync->function, "last");
    return comes_last ? sync : NULL;
}

void fth_gather_sync_ends(struct fth_gathering *gather, struct fth_access_thread *thread,
                          const struct fth_call *call, const struct fth_operation *operation)
{
    struct fth_open_sync *found = sync_of(gather, operation);
    if (!found)
        return;
    bool comes_last = fth_gather_sync_comes_last(gather, call, operation) != NULL;
    struct fth_open_sync sync = *found;
    *found = gather->syncs[--gather->sync_count];
    if (operation->how != FTH_OPERATION_COMPLETE)
        return;
    put_mark(gather, thread, &thread->stack[call->depth], call, sync.opening, FTH_MARK_OPERATION);
    struct fth_sync_mark *mark = &gather->accesses->marks[gather->accesses->mark_count - 1];
    mark->function = sync.function;
    mark->comes_last = comes_last;
    mark->since = sync.thread == call->thread ? sync.tick : 0;
}

/* fflush(NULL) writes what a stream has, which has not accessed its file before. */
void fth_gather_by_stream(struct fth_gathering *gather, struct fth_access_thread *thread,
                          const struct fth_call *call, uint32_t opening)
{
    struct fth_entry *around = call->depth ? &thread->stack[call->depth - 1] : NULL;
    if (!around || !around->semantics->of_stdio)
        return;
    gather->by_stream =
        fth_reach(gather->by_stream, &gather->by_stream_limit, opening, sizeof *gather->by_stream);
    bool is_last =
        !around->mark_count || around->mark + around->mark_count == gather->accesses->mark_count;
    if (!gather->by_stream[opening] && around->is_of_all_streams && is_last)
        put_mark(gather, thread, around, call, opening, FTH_MARK_CALL);
    gather->by_stream[opening] = true;
}
