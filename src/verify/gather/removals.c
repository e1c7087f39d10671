/* Calls that remove bytes of a file: truncation (ftruncate, O_TRUNC), and fallocate that
 * punches holes or moves the rest. For other accesses they are writes. Calls that only give room
 * access no bytes, but appends come behind that. */
#include "verify/gather/gather.h"

#include "model/reading/trace_functions.h"

#include <string.h>

bool fth_gather_value(const struct fth_call *call, const char *name, uint64_t *value)
{
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (strcmp(call->function->parameters[i].name, name) == 0 &&
            call->arguments[i].type == FTH_VALUE_INTEGER && call->arguments[i].integer >= 0) {
            *value = (uint64_t)call->arguments[i].integer;
            return true;
        }
    return false;
}

/* Room for so many bytes takes none away: MPI_File_preallocate. */
static bool only_gives_room(const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strcmp(function->parameters[i].role, "offset") == 0)
            return false;
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strcmp(function->parameters[i].role, "bytes") == 0)
            return true;
    return false;
}

static bool has_path(const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strncmp(function->parameters[i].role, "path", 4) == 0)
            return true;
    return false;
}

bool fth_gather_has_flag(const struct fth_gathering *gather, const struct fth_call *call,
                         const char *parameter, const char *flags_name, const char *const *words)
{
    uint64_t value;
    const struct fth_flags *flags = fth_trace_flags(gather->trace, gather->proc, flags_name);
    if (!flags || !fth_gather_value(call, parameter, &value))
        return false;
    for (size_t i = 0; i < flags->count; i++)
        for (const char *const *word = words; *word; word++)
            if (value & (uint64_t)flags->entries[i].value && strstr(flags->entries[i].name, *word))
                return true;
    return false;
}

static bool has_mode(const struct fth_gathering *gather, const struct fth_call *call,
                     const char *const *words)
{
    return fth_gather_has_flag(gather, call, "mode", "fallocate", words);
}

bool fth_gather_keeps_size(const struct fth_gathering *gather, const struct fth_call *call)
{
    static const char *const keeps[] = {"KEEP", "PUNCH", NULL};
    return has_mode(gather, call, keeps);
}

/* *moves_rest: how long the file is then is not known, nor what stands where. */
static bool removed_by(const struct fth_gathering *gather, const struct fth_call *call,
                       struct fth_series *removed, bool *moves_rest)
{
    static const char *const holes[] = {"PUNCH", "ZERO", NULL};
    static const char *const moves[] = {"COLLAPSE", "INSERT", NULL};
    const char *kind = call->function->kind;
    uint64_t start = 0, length = FTH_ENDLESS;
    if (strcmp(kind, "open") == 0) {
        /* fdopen says "w", too, and cuts nothing off */
        if (!call->handle || !(call->handle->creation_flags & FTH_TRUNCATE) ||
            !has_path(call->function))
            return false;
    } else if (strcmp(kind, "truncate") != 0 || only_gives_room(call->function)) {
        return false;
    } else if (fth_gather_value(call, "offset", &start)) {
        bool is_hole = has_mode(gather, call, holes);
        *moves_rest = !is_hole && has_mode(gather, call, moves);
        if (!is_hole && !*moves_rest)
            return false;
        if (is_hole && !fth_gather_value(call, "count", &length))
            return false;
    } else if (!(fth_gather_value(call, "length", &start) ||
                 fth_gather_value(call, "size", &start))) {
        return false;
    }
    if (start >= FTH_ENDLESS || length == 0)
        return false;
    if (length > FTH_ENDLESS - start)
        length = FTH_ENDLESS - start;
    *removed = (struct fth_series){start, length, 0, 1, false};
    return true;
}

/* How long the file is at least when the call has given room; 0: it gives none. */
static uint64_t room_by(const struct fth_gathering *gather, const struct fth_call *call)
{
    static const char *const others[] = {"KEEP", "PUNCH", "COLLAPSE", "INSERT", NULL};
    uint64_t start, length;
    if (strcmp(call->function->kind, "truncate") != 0 || has_mode(gather, call, others) ||
        !fth_gather_value(call, "offset", &start) || !fth_gather_value(call, "count", &length) ||
        start >= FTH_ENDLESS || length >= FTH_ENDLESS - start)
        return 0;
    return start + length;
}

void fth_gather_removal(struct fth_gathering *gather, struct fth_access_thread *thread,
                        struct fth_entry *entry, const struct fth_call *call)
{
    bool moves_rest = false;
    int layer = entry->semantics->removes;
    if (layer < 0 || call->error_number > 0)
        return;
    uint64_t room = room_by(gather, call);
    bool removes = removed_by(gather, call, &entry->removed, &moves_rest);
    if (!removes && !room)
        return;
    if (!removes)
        entry->removed = (struct fth_series){.count = 1};
    uint32_t opening = call->handle ? fth_gather_opening(gather, call->handle) : FTH_NO_OPENING;
    if (!call->handle && call->file)
        opening = fth_gather_opening_by_name(gather, call->file);
    if (opening == FTH_NO_OPENING)
        return;
    bool cuts = removes && !moves_rest && fth_series_end(&entry->removed) == FTH_ENDLESS;
    bool opens = strcmp(call->function->kind, "open") == 0;
    entry->removes = true;
    struct fth_situation removal = fth_gather_situation(gather, thread, call, opening, layer);
    removal.writes = removal.removes = removes;
    removal.by_name = !call->handle;
    removal.room = room;
    removal.cuts = cuts;
    removal.cut_at = cuts ? entry->removed.start : 0;
    removal.empties = cuts && entry->removed.start == 0 && layer != gather->wanted->together;
    removal.moves = moves_rest;
    removal.may_make = opens && call->handle->creation_flags & FTH_CREATE;
    removal.makes_new = opens && call->handle->creation_flags & FTH_EXCLUSIVE;
    removal.atomic = call->handle && call->handle->status_flags & FTH_ATOMIC;
    removal.first_call = call->number;
    removal.end_time = call->end;
    entry->removal = removal;
    if (layer == gather->wanted->together)
        entry->removal.end =
            (struct fth_moment){fth_order_behind(gather->builder).number, FTH_BY_TICKET};
}
