/* Lengths of files at the end of a run: see the header. Processes are read one after the other, so
 * events of a file come in no order of time. */
#include "repeat/what/final_lengths.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "model/reading/trace_functions.h"
#include "repeat/what/clean_path.h"
#include "trace/record/builtin.h"

#include <string.h>

enum {
    MOST_ENDS = 64,     /* of a file, each further back in it and later than the one before */
    MOST_RANGES = 4096, /* of a call: the system writes few at once */
    KEEP_SIZE = 1,      /* FALLOC_FL_KEEP_SIZE */
};

struct end {
    int64_t time;
    uint64_t at;
};

/* Times are ns since the start of the run, + 1; 0: never. */
struct file {
    int64_t cut;      /* when it was last cut off, or its size was seen */
    uint64_t length;  /* then */
    struct end *ends; /* of what was written since; none is both earlier and further front */
    size_t end_count;
    uint64_t appended; /* at the end, wherever that was, since */
    int64_t first_append, last_append;
    int64_t last;      /* event */
    int64_t gone;      /* when its name was last taken away */
    uint32_t moved_to; /* place + 1: which name it has since; 0: none */
    const char *why;   /* it is not known; NULL: it is */
};

static const char of_order[] = "it was written at its end, and cut off or written elsewhere";
static const char of_names[] = "it has several names";

static struct file *file_at(struct fth_final_lengths *lengths, uint32_t place)
{
    return fth_keyed_get(&lengths->files, &place, sizeof place);
}

/* ---- events ---- */

static void drop_ends(struct file *file, int64_t before)
{
    size_t kept = 0;
    for (size_t i = 0; i < file->end_count; i++)
        if (file->ends[i].time > before)
            file->ends[kept++] = file->ends[i];
    file->end_count = kept;
}

static void note_event(struct fth_final_lengths *lengths, struct file *file, int64_t time)
{
    file->last = time > file->last ? time : file->last;
    if (file->moved_to && time < file->gone)
        file_at(lengths, file->moved_to - 1)->why =
            "it had another name while other processes wrote it";
}

/* From then on it is so long. */
static void cut(struct file *file, int64_t time, uint64_t length)
{
    if (time < file->cut)
        return;
    file->cut = time;
    file->length = length;
    drop_ends(file, time);
    if (file->last_append > time && file->first_append <= time)
        file->why = of_order;
    if (file->last_append <= time)
        file->appended = 0, file->first_append = file->last_append = 0;
}

static void extend(struct file *file, int64_t time, uint64_t at)
{
    if (time < file->cut)
        return;
    size_t kept = 0;
    for (size_t i = 0; i < file->end_count; i++)
        if (file->ends[i].time >= time && file->ends[i].at >= at)
            return;
    for (size_t i = 0; i < file->end_count; i++)
        if (file->ends[i].time > time || file->ends[i].at > at)
            file->ends[kept++] = file->ends[i];
    file->end_count = kept;
    if (kept == MOST_ENDS) {
        file->why = "it was written from its end to its beginning";
        return;
    }
    FTH_GROW(file->ends, file->end_count);
    file->ends[file->end_count++] = (struct end){time, at};
}

static void append(struct file *file, int64_t time, uint64_t bytes)
{
    if (time < file->cut)
        return;
    file->appended += bytes;
    if (!file->first_append || time < file->first_append)
        file->first_append = time;
    file->last_append = time > file->last_append ? time : file->last_append;
}

static uint64_t length_of(const struct file *file, const char **why)
{
    uint64_t length = file->length;
    *why = file->why;
    for (size_t i = 0; i < file->end_count; i++) {
        length = file->ends[i].at > length ? file->ends[i].at : length;
        if (file->appended && file->ends[i].time > file->first_append)
            *why = of_order;
    }
    return length + file->appended;
}

/* ---- calls ---- */

static bool is_kind(const struct fth_call *call, const char *kind)
{
    return !strcmp(call->function->kind, kind);
}

static void take_open(struct fth_final_lengths *lengths, struct file *file, uint32_t place,
                      const struct fth_call *call, int64_t time)
{
    for (size_t i = 0; i < call->use_count; i++) {
        const struct fth_handle *handle = call->uses[i].handle;
        const struct fth_identity *identity = &handle->identity;
        if (call->uses[i].kind != FTH_HANDLE_OPENED || !handle->path || handle->duplicate)
            continue;
        if (handle->creation_flags & FTH_TRUNCATE)
            cut(file, time, 0);
        else if (identity->size)
            cut(file, time, identity->size - 1);
        const uint64_t node[] = {identity->device, identity->inode};
        uint32_t *first =
            identity->inode ? fth_keyed_get(&lengths->nodes, node, sizeof node) : NULL;
        if (first && *first && *first != place + 1)
            file->why = file_at(lengths, *first - 1)->why = of_names;
        if (first)
            *first = place + 1;
        return;
    }
}

static int64_t integer_of(const struct fth_call *call, int field)
{
    const struct fth_value *value = field >= 0 ? &call->arguments[field] : NULL;
    return value && value->type == FTH_VALUE_INTEGER ? value->integer : -1;
}

static void take_truncate(struct file *file, const struct fth_row *row, const struct fth_call *call,
                          int64_t time)
{
    int offset_at = fth_field_with_role(row, FTH_ROLE_OFFSET),
        flags_at = fth_field_with_role(row, FTH_ROLE_FLAGS);
    int64_t offset = integer_of(call, offset_at),
            bytes = integer_of(call, fth_field_with_role(row, FTH_ROLE_BYTES)),
            mode = flags_at < 0 ? 0 : integer_of(call, flags_at);
    int64_t length = integer_of(call, (int)row->field_count - 1);
    if (offset_at < 0 && length >= 0)
        cut(file, time, (uint64_t)length);
    else if (offset_at >= 0 && mode == 0 && offset >= 0 && bytes >= 0)
        extend(file, time, (uint64_t)offset + (uint64_t)bytes);
    else if (offset_at < 0 || !(mode & KEEP_SIZE))
        file->why = "how it was cut off or filled is not in the trace";
}

static void take_write(struct file *file, const struct fth_access *access,
                       struct fth_accesses *accesses, int64_t time)
{
    const struct fth_call *call = &access->call;
    struct fth_range range;
    if (access->kind == FTH_ACCESS_UNKNOWN && access->appends && call->bytes_known)
        append(file, time, call->bytes);
    else if (access->kind == FTH_ACCESS_UNKNOWN)
        file->why = access->why ? access->why : "where it was written is not in the trace";
    fth_accesses_rewind(accesses);
    for (int i = 0; access->kind == FTH_ACCESS_BYTES && fth_accesses_range(accesses, &range); i++) {
        if (i == MOST_RANGES) {
            file->why = "a call wrote more ranges of it than are looked at";
            break;
        }
        if (range.length)
            extend(file, time, range.offset + range.length);
    }
    fth_accesses_rewind(accesses);
}

/* The place of a path of this process; UINT32_MAX: it is none. */
static uint32_t place_of(const struct fth_final_lengths *lengths, const char *path)
{
    char *clean = path ? fth_repeat_clean_path(path) : NULL;
    uint32_t number = UINT32_MAX;
    if (clean && !fth_keyed_number(lengths->places, clean, strlen(clean), &number))
        number = UINT32_MAX;
    free(clean);
    return number;
}

/* Bytes that the call reads from its file go to another one. */
static void take_copied(struct fth_final_lengths *lengths, const struct fth_access *access,
                        int64_t time)
{
    const struct fth_second_range *second = &access->second;
    const char *path = second->file        ? second->file
                       : access->call.file ? access->call.other_file
                                           : access->call.file;
    uint32_t place = place_of(lengths, path);
    if (place == UINT32_MAX)
        return;
    struct file *file = file_at(lengths, place);
    note_event(lengths, file, time);
    if (second->known && second->range.length)
        extend(file, time, second->range.offset + second->range.length);
    else if (!second->known)
        file->why = "where bytes of another file were copied to in it is not in the trace";
}

static void move(struct fth_final_lengths *lengths, uint32_t from, uint32_t to, int64_t time)
{
    const char *why;
    struct file old = *file_at(lengths, from);
    uint64_t length = length_of(&old, &why);
    struct file *file = file_at(lengths, to);
    note_event(lengths, file, time);
    cut(file, time, length);
    file->why = why ? why : old.last > time ? of_order : file->why;
    struct file *left = file_at(lengths, from);
    left->gone = time;
    left->moved_to = to + 1;
}

/* Of the file that the call is about, which is looked for once in each process. */
static uint32_t place_of_call(struct fth_final_lengths *lengths, const struct fth_call *call)
{
    if (!call->file || !call->file_number)
        return place_of(lengths, call->file);
    lengths->known =
        fth_reach(lengths->known, &lengths->known_limit, call->file_number, sizeof *lengths->known);
    uint32_t *known = &lengths->known[call->file_number];
    if (!*known) {
        uint32_t place = place_of(lengths, call->file);
        if (place == UINT32_MAX)
            return place;
        *known = place + 1;
    }
    return *known - 1;
}

static void take_name(struct fth_final_lengths *lengths, uint32_t place,
                      const struct fth_call *call, int64_t time)
{
    uint32_t other = place_of(lengths, call->other_file);
    struct file *file = file_at(lengths, place);
    if (is_kind(call, "delete")) {
        cut(file, time, 0);
        file->gone = time > file->gone ? time : file->gone;
        return;
    }
    if (other == UINT32_MAX || other == place)
        return;
    if (call->function->links_name) {
        file->why = of_names;
        file_at(lengths, other)->why = of_names;
    } else
        move(lengths, place, other, time);
}

/* What calls of a function do to lengths. */
enum effect { NOT_LOOKED_AT, NOTHING, WRITES, COPIES, OPENS, TRUNCATES, NAMES };

static enum effect effect_of(const struct fth_call *call)
{
    bool is_system = fth_layer_is(call->function->layer, FTH_LAYER_SYSTEM);
    if (!is_system && !fth_layer_is(call->function->layer, FTH_LAYER_STREAMS))
        return NOTHING;
    if (call->writes) /* streams hand their bytes to the system */
        return is_system ? WRITES : NOTHING;
    if (call->copies)
        return COPIES;
    if (is_kind(call, "open"))
        return OPENS;
    if (is_kind(call, "truncate"))
        return TRUNCATES;
    return is_kind(call, "delete") || is_kind(call, "name") ? NAMES : NOTHING;
}

static enum effect known_effect(struct fth_final_lengths *lengths, const struct fth_call *call)
{
    uint32_t number = (uint32_t)fth_trace_row(lengths->trace, call->function)->id;
    lengths->effects =
        fth_reach(lengths->effects, &lengths->effect_limit, number, sizeof *lengths->effects);
    if (lengths->effects[number] == NOT_LOOKED_AT)
        lengths->effects[number] = (uint8_t)effect_of(call);
    return lengths->effects[number];
}

void fth_final_lengths_take(struct fth_final_lengths *lengths, const struct fth_access *access,
                            struct fth_accesses *accesses)
{
    const struct fth_call *call = &access->call;
    enum effect effect = known_effect(lengths, call);
    if (effect == NOTHING || call->error_number)
        return;
    int64_t time = call->start + 1;
    if (effect == COPIES) {
        take_copied(lengths, access, time);
        return;
    }
    uint32_t place = place_of_call(lengths, call);
    if (place == UINT32_MAX)
        return;
    struct file *file = file_at(lengths, place);
    note_event(lengths, file, time);
    if (effect == WRITES)
        take_write(file, access, accesses, time);
    else if (effect == OPENS)
        take_open(lengths, file, place, call, time);
    else if (effect == TRUNCATES)
        take_truncate(file, fth_trace_row(lengths->trace, call->function), call, time);
    else
        take_name(lengths, place, call, time);
}

/* ---- all ---- */

void fth_final_lengths_open(struct fth_final_lengths *lengths, const struct fth_trace *trace,
                            struct fth_keyed *places)
{
    *lengths = (struct fth_final_lengths){.trace = trace,
                                          .places = places,
                                          .files.size = sizeof(struct file),
                                          .nodes.size = sizeof(uint32_t)};
}

void fth_final_lengths_next_process(struct fth_final_lengths *lengths)
{
    free(lengths->known);
    lengths->known = NULL;
    lengths->known_limit = 0;
}

/* Was a folder around it given another name? */
static bool is_moved_along(struct fth_final_lengths *lengths, uint32_t place)
{
    size_t length;
    const char *path = (const char *)fth_interned(&lengths->places->keys, place, &length);
    for (uint32_t number; length-- > 1;)
        if (path[length] == '/' && fth_keyed_number(lengths->places, path, length, &number) &&
            fth_keyed_has(&lengths->files, &number, sizeof number) &&
            file_at(lengths, number)->moved_to)
            return true;
    return false;
}

void fth_final_lengths_close(struct fth_final_lengths *lengths)
{
    for (uint32_t i = 0; i < fth_keyed_count(&lengths->files); i++) {
        struct file *file = fth_keyed_item(&lengths->files, i);
        uint32_t number;
        memcpy(&number, fth_keyed_key(&lengths->files, i), sizeof number);
        struct fth_repeat_place *place = fth_keyed_item(lengths->places, number);
        if (!file->cut && place->before == FTH_REPEAT_PRESENT)
            file->length = place->length;
        place->final.is_there = !file->gone || file->last > file->gone;
        place->final.was_deleted = file->gone != 0;
        place->final.length = length_of(file, &place->final.why);
        if (is_moved_along(lengths, number))
            place->final.why = "a folder around it got another name";
        place->final.is_known = !place->final.why;
        free(file->ends);
    }
    fth_keyed_free(&lengths->files);
    fth_keyed_free(&lengths->nodes);
    free(lengths->known);
    free(lengths->effects);
    *lengths = (struct fth_final_lengths){0};
}
