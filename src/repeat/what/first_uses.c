/* Reads the calls of all processes for what they say about their files: see the header. Processes
 * are read one after the other, so of each file the earliest event decides. */
#include "repeat/what/first_uses.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "fathom/access.h"
#include "model/reading/trace_functions.h"
#include "repeat/what/clean_path.h"
#include "repeat/what/final_lengths.h"
#include "repeat/what/whole_pipes.h"
#include "repeat/what/played.h"
#include "repeat/what/standard_streams.h"
#include "trace/record/builtin.h"

#include <errno.h>
#include <string.h>

struct gathering {
    struct fth_trace *trace;
    const struct fth_repeat_ways *ways;
    struct fth_keyed *places;
    struct fth_keyed decided; /* of int64_t: when what is known of a file was so, + 1 */
    struct fth_keyed written; /* of bool: by this process, so far */
    struct fth_keyed found;   /* of struct found, by number */
    struct fth_final_lengths lengths;
};

/* What the bytes of a file tell. Times are ns since the start of the run, + 1; 0: never. */
struct found {
    int64_t opened;               /* it decides: by a call that makes the file if it is not there */
    int64_t read;                 /* bytes first, by a process that had written none */
    int64_t written;              /* bytes first, by any process */
    uint64_t end;                 /* of the bytes that were read so */
    size_t deleter, late_deleter; /* a process that deleted it, and one that found it gone, + 1 */
};

static struct fth_repeat_place *place_of(struct gathering *gathering, const char *path,
                                         int64_t time)
{
    char *clean = path ? fth_repeat_clean_path(path) : NULL;
    if (!clean)
        return NULL;
    uint32_t before = fth_keyed_count(gathering->places);
    struct fth_repeat_place *place = fth_keyed_get(gathering->places, clean, strlen(clean));
    if (fth_keyed_count(gathering->places) > before || time < place->first)
        place->first = time;
    free(clean);
    return place;
}

static uint32_t number_of(const struct gathering *gathering, const struct fth_repeat_place *place)
{
    return (uint32_t)(place - (const struct fth_repeat_place *)(void *)gathering->places->items);
}

/* The earliest event wins. */
static bool decides(struct gathering *gathering, const struct fth_repeat_place *place, int64_t time)
{
    uint32_t number = number_of(gathering, place);
    int64_t *when = fth_keyed_get(&gathering->decided, &number, sizeof number);
    if (*when && *when <= time + 1)
        return false;
    *when = time + 1;
    return true;
}

static struct found *found_of(struct gathering *gathering, const struct fth_repeat_place *place)
{
    uint32_t number = number_of(gathering, place);
    return fth_keyed_get(&gathering->found, &number, sizeof number);
}

static void note_earliest(int64_t *when, int64_t time)
{
    if (!*when || time + 1 < *when)
        *when = time + 1;
}

static void decide(struct gathering *gathering, struct fth_repeat_place *place, int64_t time,
                   enum fth_repeat_before before)
{
    if (decides(gathering, place, time))
        place->before = before;
}

static bool is_kind(const struct fth_call *call, const char *kind)
{
    return !strcmp(call->function->kind, kind);
}

static bool is_of_library(const struct fth_call *call)
{
    return !fth_layer_is(call->function->layer,
                         FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS | FTH_LAYER_TOGETHER);
}

/* A call that failed tells whether the name was there. */
static void note_failed(struct gathering *gathering, struct fth_repeat_place *place,
                        const struct fth_call *call)
{
    if (call->error_number == ENOENT)
        decide(gathering, place, call->start, FTH_REPEAT_ABSENT);
    else if (call->error_number == EEXIST)
        decide(gathering, place, call->start, FTH_REPEAT_PRESENT);
}

static void note_deleted(struct gathering *gathering, struct fth_repeat_place *place,
                         const struct fth_call *call)
{
    struct found *found = found_of(gathering, place);
    if (!call->error_number)
        found->deleter = call->proc + 1;
    else if (call->error_number == ENOENT)
        found->late_deleter = call->proc + 1;
    place->is_delete_raced |=
        found->deleter && found->late_deleter && found->deleter != found->late_deleter;
}

static const struct fth_handle *opened(const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].kind == FTH_HANDLE_OPENED && call->uses[i].handle->path)
            return call->uses[i].handle;
    return NULL;
}

static void note_opened(struct gathering *gathering, struct fth_repeat_place *place,
                        const struct fth_handle *handle, int64_t time)
{
    unsigned flags = handle->creation_flags;
    if ((handle->type && !strcmp(handle->type, "directory")) || flags & FTH_OPEN_DIRECTORY)
        place->folder = true;
    if (flags & FTH_TRUNCATE || handle->access & FTH_ACCESS_WRITE)
        place->is_written = true;
    bool has_bytes = handle->identity.size > 1;
    bool was_there = !(flags & FTH_CREATE) || (has_bytes && !(flags & FTH_EXCLUSIVE));
    if (!decides(gathering, place, time))
        return;
    place->before = was_there ? FTH_REPEAT_PRESENT : FTH_REPEAT_ABSENT;
    bool says_nothing = flags & FTH_CREATE && !(flags & (FTH_EXCLUSIVE | FTH_TRUNCATE));
    found_of(gathering, place)->opened = says_nothing && !handle->identity.size ? time + 1 : 0;
    if (was_there && handle->identity.size && !(flags & FTH_TRUNCATE))
        place->length = handle->identity.size - 1;
}

/* Opened by a library that keeps its own format in the file. */
static void note_opened_by_library(struct fth_repeat_place *place, const struct fth_handle *handle,
                                   const struct fth_call *call)
{
    bool makes = handle->creation_flags & (FTH_CREATE | FTH_TRUNCATE | FTH_EXCLUSIVE);
    if (is_of_library(call))
        note_earliest(makes ? &place->made_by_library : &place->opened_by_library, call->start);
}

/* Of a call about names: what must have been there, and what not. */
static void note_named(struct gathering *gathering, struct fth_repeat_place *place,
                       const struct fth_call *call, bool is_second)
{
    bool is_name = is_kind(call, "name"), has_two = call->other_file && !call->copies;
    if (is_name && (is_second || !has_two)) {
        place->is_written = true;
        decide(gathering, place, call->start, FTH_REPEAT_ABSENT);
        return;
    }
    if (is_kind(call, "list"))
        place->folder = true;
    if (is_name || is_kind(call, "delete") || is_kind(call, "truncate"))
        place->is_written = true;
    decide(gathering, place, call->start, FTH_REPEAT_PRESENT);
}

/* A descriptor that no call of the run has opened: its file was there. */
static void note_inherited(struct gathering *gathering, const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++) {
        const struct fth_handle *handle = call->uses[i].handle;
        bool is_file = handle->path && handle->type && !strcmp(handle->type, "file");
        if (handle->origin != FTH_HANDLE_THERE || !is_file)
            continue;
        struct fth_repeat_place *place = place_of(gathering, handle->path, call->start);
        if (!place)
            continue;
        decide(gathering, place, call->start, FTH_REPEAT_PRESENT);
        if (handle->identity.size > place->length)
            place->length = handle->identity.size - 1;
    }
}

/* Of a stream: as much as there is up to the end of a line (fgets, getline). */
static bool reads_line(const struct fth_row *row)
{
    bool asks = fth_field_with_role(row, FTH_ROLE_BYTES) >= 0 ||
                fth_field_with_role(row, FTH_ROLE_ITEMS) >= 0;
    return row->result.role == FTH_ROLE_TEXT || (row->result.role == FTH_ROLE_MOVED && !asks);
}

/* A line of text, which reads on where the last call stopped. */
static void note_line(const struct gathering *gathering, struct fth_repeat_place *place,
                      const struct fth_call *call)
{
    const struct fth_row *row = fth_trace_row(gathering->trace, call->function);
    if (!reads_line(row) || !call->bytes_known || !call->bytes)
        return;
    if (!place->line_count)
        place->reader = call->proc;
    if (place->reader != call->proc || place->line_count >= FTH_REPEAT_MOST_LINES)
        return;
    FTH_GROW(place->lines, place->line_count);
    place->lines[place->line_count++] = call->bytes;
}

/* What the call does to the file: false: it reads none that this process has not written. */
static bool note_moved(struct gathering *gathering, struct fth_repeat_place *place,
                       const struct fth_call *call, bool reads, bool writes)
{
    uint32_t number = number_of(gathering, place);
    bool *written = fth_keyed_get(&gathering->written, &number, sizeof number);
    place->is_written |= writes;
    place->is_read |= reads;
    *written |= writes;
    bool moves = call->bytes_known && call->bytes && !call->error_number;
    struct found *found = found_of(gathering, place);
    if (moves && writes)
        note_earliest(&found->written, call->start);
    if (moves && reads && !*written)
        note_earliest(&found->read, call->start);
    return reads && !*written;
}

static void note_range(struct gathering *gathering, struct fth_repeat_place *place,
                       struct fth_range range)
{
    struct found *found = found_of(gathering, place);
    uint64_t end = range.length ? range.offset + range.length : 0;
    if (end > place->length && place->before == FTH_REPEAT_PRESENT)
        place->length = end;
    if (end > found->end)
        found->end = end;
}

static void note_data(struct gathering *gathering, struct fth_repeat_place *place,
                      const struct fth_access *access, struct fth_accesses *accesses)
{
    const struct fth_call *call = &access->call;
    if (!note_moved(gathering, place, call, call->reads, call->writes))
        return;
    if (call->function->buffered)
        note_line(gathering, place, call);
    struct fth_range range;
    while (access->kind == FTH_ACCESS_BYTES && fth_accesses_range(accesses, &range))
        note_range(gathering, place, range);
}

/* The other file of a call that copies: it reads there if it writes to the first one. */
static void note_copied(struct gathering *gathering, const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    const struct fth_second_range *second = &access->second;
    struct fth_repeat_place *place = place_of(gathering, call->other_file, call->start);
    if (place && note_moved(gathering, place, call, call->writes, call->reads) && second->known)
        note_range(gathering, place, second->range);
}

/* Whoever reads bytes that nobody has written has found them there, even if the call that opened
 * the file would have made it. */
static void decide_by_bytes(struct gathering *gathering)
{
    for (uint32_t i = 0; i < fth_keyed_count(gathering->places); i++) {
        struct fth_repeat_place *place = fth_keyed_item(gathering->places, i);
        const struct found *found = found_of(gathering, place);
        bool is_found = found->read && (!found->written || found->read < found->written);
        if (place->before != FTH_REPEAT_ABSENT || !found->opened || !is_found)
            continue;
        place->before = FTH_REPEAT_PRESENT;
        place->length = found->end > place->length ? found->end : place->length;
    }
}

/* What a stream or MPI-IO did inside of a call: bytes of a file that is known. */
static void note_inner(struct gathering *gathering, const struct fth_access *access,
                       struct fth_accesses *accesses)
{
    const struct fth_call *call = &access->call;
    char *clean =
        (call->reads || call->writes) && call->file ? fth_repeat_clean_path(call->file) : NULL;
    uint32_t number;
    if (clean && fth_keyed_number(gathering->places, clean, strlen(clean), &number))
        note_data(gathering, fth_keyed_item(gathering->places, number), access, accesses);
    free(clean);
}

/* Does it ask whether the file can be executed (access)? */
static bool asks_to_execute(const struct gathering *gathering, const struct fth_call *call)
{
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        if (strcmp(call->function->parameters[i].role, "flags access") != 0 ||
            call->arguments[i].type != FTH_VALUE_INTEGER)
            continue;
        const struct fth_flags *flags = fth_trace_flags(gathering->trace, call->proc, "access");
        for (size_t k = 0; flags && k < flags->count; k++)
            if (!strcmp(flags->entries[k].name, "X_OK") &&
                call->arguments[i].integer & flags->entries[k].value)
                return true;
    }
    return false;
}

static void note_call(struct gathering *gathering, const struct fth_access *access,
                      struct fth_accesses *accesses)
{
    const struct fth_call *call = &access->call;
    note_inherited(gathering, call);
    struct fth_repeat_place *place = place_of(gathering, call->file, call->start);
    if (!place)
        return;
    place->is_used |= !call->error_number;
    place->is_executable |= !call->error_number && asks_to_execute(gathering, call);
    place->by_library |= is_of_library(call);
    if (call->reads || call->writes) {
        note_data(gathering, place, access, accesses);
        if (call->copies)
            note_copied(gathering, access);
        return;
    }
    if (is_kind(call, "delete"))
        note_deleted(gathering, place, call);
    const struct fth_handle *handle = opened(call);
    bool has_path = false;
    for (size_t i = 0; i < call->function->parameter_count; i++)
        has_path |= !strncmp(call->function->parameters[i].role, "path", 4);
    if (call->error_number)
        note_failed(gathering, place, call);
    else if (handle && has_path) {
        note_opened(gathering, place, handle, call->start);
        note_opened_by_library(place, handle, call);
    } else if (has_path)
        note_named(gathering, place, call, false);
    if (call->other_file && !call->error_number) {
        struct fth_repeat_place *other = place_of(gathering, call->other_file, call->start);
        int64_t made = place_of(gathering, call->file, call->start)->made_by_library;
        if (other)
            note_named(gathering, other, call, true);
        if (other && made) /* what it is called now */
            note_earliest(&other->made_by_library, made - 1);
    }
}

static bool says_nothing(const struct fth_repeat_way *way)
{
    return !way || way->how == FTH_REPEAT_NOTHING || way->how == FTH_REPEAT_LEFT_OUT ||
           way->how == FTH_REPEAT_FORK || way->how == FTH_REPEAT_REAP;
}

static int gather_process(struct gathering *gathering, size_t proc, struct fth_first_uses *found,
                          struct fth_error **error)
{
    struct fth_calls *calls = fth_calls_with_handles(gathering->trace, proc, error);
    if (!calls)
        return -1;
    struct fth_accesses *accesses = fth_accesses_open(gathering->trace, proc, calls);
    struct fth_repeat_outer outer = {0};
    struct fth_stream_bytes streams;
    struct fth_standard_streams standard;
    struct fth_access access;
    int more;
    fth_stream_bytes_open(&streams, gathering->trace);
    fth_standard_streams_open(&standard, gathering->trace);
    fth_final_lengths_next_process(&gathering->lengths);
    gathering->written = (struct fth_keyed){.size = sizeof(bool)};
    while ((more = fth_accesses_next(accesses, &access, error)) > 0) {
        const struct fth_repeat_way *way =
            fth_repeat_outermost(&outer, gathering->ways, &access.call);
        if (!way)
            note_inner(gathering, &access, accesses);
        else if (!says_nothing(way))
            note_call(gathering, &access, accesses);
        fth_stream_bytes_take(&streams, &access.call, way);
        fth_standard_streams_take(&standard, &access.call);
        fth_pipes_take(found->pipes, &access.call);
        fth_final_lengths_take(&gathering->lengths, &access, accesses);
        while (fth_calls_ended_handle(calls))
            ;
    }
    found->unseen[proc] = fth_stream_bytes_close(&streams);
    found->standard[proc] = fth_standard_streams_close(&standard);
    fth_repeat_outer_free(&outer);
    fth_keyed_free(&gathering->written);
    fth_accesses_close(accesses);
    fth_calls_close(calls);
    return more;
}

/* The folder in which the first rank, or the first process, began. */
static char *base_of(const struct fth_trace *trace)
{
    const struct fth_process *first = NULL;
    for (size_t i = 0; i < fth_trace_process_count(trace); i++) {
        const struct fth_process *process = fth_trace_process(trace, i);
        if (!fth_repeat_plays(trace, i))
            continue;
        if (!first || (process->rank == 0 && first->rank != 0))
            first = process;
    }
    return first && first->directory ? fth_repeat_clean_path(first->directory) : NULL;
}

int fth_repeat_first_uses(struct fth_trace *trace, const struct fth_repeat_ways *ways,
                          const bool *only, struct fth_first_uses *found, struct fth_error **error)
{
    struct gathering gathering = {.trace = trace,
                                  .ways = ways,
                                  .places = found->places,
                                  .decided.size = sizeof(int64_t),
                                  .found.size = sizeof(struct found)};
    int result = 0;
    fth_final_lengths_open(&gathering.lengths, trace, found->places);
    for (size_t proc = 0; !result && proc < fth_trace_process_count(trace); proc++)
        if (only ? only[proc] : fth_repeat_plays(trace, proc))
            result = gather_process(&gathering, proc, found, error);
    if (!result)
        decide_by_bytes(&gathering);
    fth_final_lengths_close(&gathering.lengths);
    fth_keyed_free(&gathering.decided);
    fth_keyed_free(&gathering.found);
    if (!result)
        found->base = base_of(trace);
    return result;
}
