/* From a recorded call to what the player does: see encoder.h. */
#include "base/memory.h"
#include "catalog/values.h"
#include "repeat/script/encode_hdf5.h"
#include "repeat/script/encode_standard.h"
#include "repeat/script/pipe_wires.h"
#include "repeat/what/whole_pipes.h"
#include "trace/record/builtin.h"

#include <fcntl.h>
#include <string.h>

static const char of_left_out[] = "a call that is left out made what it works on";
static const char cut_off[] = "its descriptor leads to no file of the replay then";
static const char half_pipe[] =
    "what it works on is a pipe, and not all that came in and out of it is in the trace";
static const char not_known[] = "how many bytes it moved is not in the trace";

struct encoding {
    struct fth_encoder *encoder;
    const struct fth_call *call;
    const struct fth_recipe *recipe;
    struct fth_script_op op;
    bool is_whole;    /* of a pipe: as many bytes as in the run, in however many parts */
    const char *lost; /* why a handle of it is not there */
    int64_t arguments[FTH_SCRIPT_ARGUMENTS];
};

static const struct fth_field *field_at(const struct encoding *at, size_t number)
{
    return &at->recipe->row->fields[number];
}

static size_t field_count(const struct encoding *at)
{
    return at->recipe->row->field_count;
}

static int64_t slot_of_result(const struct encoding *at)
{
    const struct fth_value *result = &at->call->result;
    bool is_there = at->recipe->script.result_class && result->type == FTH_VALUE_HANDLE &&
                    result->integer >= 0 && !at->call->error_number;
    return is_there && fth_alive_set(at->encoder, at->recipe->script.result_class, result->integer,
                                     true)
               ? result->integer
               : -1;
}

/* Whether it deletes its file depends on which of several processes comes first. */
static bool is_race(const struct encoding *at)
{
    const struct fth_repeat_place *place =
        !strcmp(at->call->function->kind, "delete") && at->call->file
            ? fth_repeat_place_of(at->encoder->places, at->call->file)
            : NULL;
    return place && place->is_delete_raced;
}

static const struct fth_pipe_bytes *pipe_of(const struct encoding *at)
{
    const struct fth_call *call = at->call;
    const struct fth_pipes *pipes = fth_repeat_places_pipes(at->encoder->places);
    const struct fth_pipe_bytes *pipe = fth_pipes_find(pipes, call->file);
    return pipe || !call->copies ? pipe : fth_pipes_find(pipes, call->other_file);
}

static void put(struct encoding *at, enum fth_script_what what, size_t count)
{
    at->op.function = at->recipe->number;
    at->op.what = (uint8_t)what;
    at->op.count = (uint8_t)count;
    at->op.flags = at->call->error_number ? FTH_SCRIPT_FAILED : 0;
    if (is_race(at))
        at->op.flags |= FTH_SCRIPT_RACES;
    if (at->is_whole)
        at->op.flags |= FTH_SCRIPT_WHOLE;
    else if (pipe_of(at))
        at->op.flags |= FTH_SCRIPT_MAY_WAIT;
    if (what == FTH_SCRIPT_READ && at->recipe->refills)
        at->op.flags |= FTH_SCRIPT_USED_UP;
    if (what != FTH_SCRIPT_READ && what != FTH_SCRIPT_WRITE)
        at->op.expected = at->call->result.type == FTH_VALUE_INTEGER ? at->call->result.integer : 0;
    at->op.bytes = at->call->bytes_known && !at->call->error_number ? (int64_t)at->call->bytes : 0;
    fth_encoder_put(at->encoder, at->call->thread, at->call->start, &at->op, at->arguments,
                    at->recipe, slot_of_result(at));
}

/* ---- handles ---- */

static const struct fth_handle *handle_in(const struct fth_call *call, int parameter)
{
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].parameter == parameter)
            return call->uses[i].handle;
    return NULL;
}

/* Opens the file of a handle that the process had from the start. */
static bool open_inherited(struct encoding *at, const struct fth_handle *handle,
                           unsigned handle_class, int64_t slot)
{
    bool is_file = handle && handle->origin == FTH_HANDLE_THERE && handle->path && handle->type &&
                   !strcmp(handle->type, "file") && handle_class != at->encoder->recipes->dir;
    const char *why;
    int64_t path = is_file ? fth_encoder_path(at->encoder, handle->path, &why) : -1;
    if (path < 0 || !fth_alive_set(at->encoder, handle_class, slot, true))
        return false;
    bool is_unknown =
        !handle->access && handle->handle_class && !strcmp(handle->handle_class, "stream");
    int flags = is_unknown                             ? O_RDWR
                : !(handle->access & FTH_ACCESS_WRITE) ? O_RDONLY
                : handle->access & FTH_ACCESS_READ     ? O_RDWR
                                                       : O_WRONLY;
    if (handle->status_flags & FTH_APPEND)
        flags |= O_APPEND;
    const int64_t arguments[] = {handle_class, slot, path, flags, 0600};
    struct fth_script_op op = {.function = at->recipe->number,
                               .what = FTH_SCRIPT_OPEN,
                               .count = 5,
                               .flags = FTH_SCRIPT_SILENT};
    fth_encoder_put(at->encoder, at->call->thread, at->call->start, &op, arguments, at->recipe, -1);
    return true;
}

/* A descriptor or stream that the process had from the start, of a file: it is opened for it. A
 * standard stream stands on its descriptor, so that this is opened, if it is not there. */
static bool inherit(struct encoding *at, int parameter, unsigned handle_class, int64_t slot)
{
    const struct fth_recipes *recipes = at->encoder->recipes;
    const struct fth_handle *handle = handle_in(at->call, parameter);
    bool was_there = handle && handle->origin == FTH_HANDLE_THERE;
    int64_t descriptor =
        was_there && handle_class == recipes->stream
            ? fth_repeat_places_descriptor(at->encoder->places, at->encoder->proc, slot)
            : -1;
    if (descriptor < 0)
        return open_inherited(at, handle, handle_class, slot);
    bool is_open = fth_alive_has(&at->encoder->now, recipes->fd, descriptor);
    if (fth_encoder_is_cut_off(at->encoder, slot) ||
        (!is_open && !open_inherited(at, handle, recipes->fd, descriptor)))
        return false;
    return fth_encode_standard_stream(at->encoder, at->call, slot, descriptor);
}

/* Whether the replay has this handle, or gets it. */
static bool has_or_inherits(struct encoding *at, int parameter, unsigned handle_class, int64_t slot)
{
    bool is_there = handle_class == at->encoder->recipes->stream
                        ? fth_encoder_has_stream(at->encoder, slot)
                        : fth_alive_has(&at->encoder->now, handle_class, slot);
    return is_there || inherit(at, parameter, handle_class, slot);
}

/* Why the replay does not have the handle of this parameter. */
static const char *why_lost(struct encoding *at, int parameter)
{
    static const char *const kinds[][2] = {
        {"pipe", "what it works on is a pipe"},
        {"socket", "what it works on is a socket"},
        {"device", "what it works on is a device"},
        {"memory", "what it works on is an object of the system in memory"},
    };
    const struct fth_handle *handle = handle_in(at->call, parameter);
    for (size_t i = 0; handle && handle->type && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(handle->type, kinds[i][0]))
            return kinds[i][1];
    const struct fth_repeat_place *place =
        handle && handle->path ? fth_repeat_place_of(at->encoder->places, handle->path) : NULL;
    if (place && place->why)
        return place->why;
    bool is_stream = handle && handle->handle_class && !strcmp(handle->handle_class, "stream");
    return is_stream && fth_encoder_is_cut_off(at->encoder, handle->value) ? cut_off : of_left_out;
}

static bool is_checked(const struct fth_field *field, unsigned handle_class)
{
    return handle_class && !field->array &&
           (field->role == FTH_ROLE_USE || field->role == FTH_ROLE_CLOSE);
}

/* Are all its handles there? */
static bool has_handles(struct encoding *at)
{
    for (size_t i = 0; i < field_count(at); i++) {
        const struct fth_field *field = field_at(at, i);
        const struct fth_value *value = &at->call->arguments[i];
        unsigned handle_class = fth_recipe_class(at->encoder->recipes, field);
        bool is_target = at->recipe->way->how == FTH_REPEAT_DUPLICATE && i > 0;
        if (!is_checked(field, handle_class) || is_target)
            continue;
        if (value->type != FTH_VALUE_HANDLE || value->integer < 0) {
            /* a null handle, AT_FDCWD; of HDF5 0: H5P_DEFAULT, H5S_ALL */
            bool is_default =
                handle_class == at->encoder->recipes->hid && value->type == FTH_VALUE_NONE;
            if (value->text || is_default)
                continue;
            at->lost = why_lost(at, (int)i);
            return false;
        }
        if (!fth_recipe_is_named(at->encoder->recipes, handle_class, value->text) &&
            !has_or_inherits(at, (int)i, handle_class, value->integer)) {
            at->lost = why_lost(at, (int)i);
            return false;
        }
    }
    return true;
}

static void note_list(struct fth_encoder *encoder, unsigned handle_class,
                      const struct fth_value *list, bool is_there)
{
    bool is_list = list->type == FTH_VALUE_HANDLES || list->type == FTH_VALUE_INTEGERS;
    for (size_t i = 0; is_list && i < list->count; i++)
        (void)fth_alive_set(encoder, handle_class, list->integers[i], is_there);
}

/* What the call made is there from now on, or, where it is left out, is not; what it closed is
 * gone. */
static void note_handles(struct fth_encoder *encoder, const struct fth_call *call,
                         const struct fth_recipe *recipe, bool is_encoded)
{
    for (size_t i = 0; !call->error_number && i < recipe->row->field_count; i++) {
        const struct fth_field *field = &recipe->row->fields[i];
        const struct fth_value *value = &call->arguments[i];
        unsigned handle_class = fth_recipe_class(encoder->recipes, field);
        if (handle_class && field->role == FTH_ROLE_NEW)
            note_list(encoder, handle_class, value, is_encoded);
        if (!handle_class || value->type != FTH_VALUE_HANDLE || value->integer < 0)
            continue;
        if (field->role == FTH_ROLE_NEW)
            (void)fth_alive_set(encoder, handle_class, value->integer, is_encoded);
        else if (is_encoded && handle_class == recipe->script.result_class &&
                 value->integer == call->result.integer)
            continue; /* it leads elsewhere (freopen) */
        else if (field->role == FTH_ROLE_CLOSE && recipe->way->how != FTH_REPEAT_DUPLICATE &&
                 /* it may be persistent, or open more than once */
                 handle_class != encoder->recipes->request && handle_class != encoder->recipes->hid)
            (void)fth_alive_set(encoder, handle_class, value->integer, false);
    }
    unsigned made = recipe->script.result_class;
    if (made && !is_encoded && call->result.type == FTH_VALUE_HANDLE && call->result.integer >= 0)
        (void)fth_alive_set(encoder, made, call->result.integer, false);
}

/* Makes room for what the call makes, before its arguments point there. */
static void reserve(struct encoding *at)
{
    for (size_t i = 0; i < field_count(at); i++) {
        const struct fth_value *value = &at->call->arguments[i];
        unsigned handle_class = fth_recipe_class(at->encoder->recipes, field_at(at, i));
        if (handle_class && field_at(at, i)->role == FTH_ROLE_NEW &&
            value->type == FTH_VALUE_HANDLE && value->integer >= 0)
            (void)fth_alive_set(at->encoder, handle_class, value->integer, true);
    }
}

/* ---- the ways ---- */

static const char *encode_call(struct encoding *at, const struct fth_access *access,
                               enum fth_script_what what)
{
    bool is_hdf5 = at->recipe->script.is_hdf5;
    const char *why = is_hdf5 ? fth_encode_hdf5_check(at->encoder, at->call, at->recipe) : NULL;
    if (why)
        return why;
    reserve(at);
    why = fth_encode_arguments(at->encoder, access, at->recipe, at->arguments);
    if (why)
        return why;
    put(at, what, field_count(at));
    fth_pipe_wires_made(at->encoder, at->call);
    if (is_hdf5)
        fth_encode_hdf5_follow(at->encoder, at->call, at->recipe);
    return NULL;
}

enum { ON_STREAM = -2 /* struct fth_handle_use */ };

/* The stream or descriptor that it moves bytes to or from; false: there is none. */
static bool find_moved(struct encoding *at)
{
    for (size_t i = 0; i < field_count(at); i++) {
        unsigned handle_class = fth_recipe_class(at->encoder->recipes, field_at(at, i));
        if (!handle_class || at->call->arguments[i].type != FTH_VALUE_HANDLE)
            continue;
        at->arguments[0] = handle_class;
        at->arguments[1] = at->call->arguments[i].integer;
        return true;
    }
    unsigned stream = at->encoder->recipes->stream;
    at->arguments[0] = stream;
    at->arguments[1] = at->call->stream;
    return at->call->stream >= 0 && has_or_inherits(at, ON_STREAM, stream, at->call->stream);
}

static const char *encode_move(struct encoding *at)
{
    bool reads = at->recipe->script.reads;
    if (!find_moved(at))
        return why_lost(at, ON_STREAM);
    if (!at->call->bytes_known && !at->call->error_number)
        return not_known;
    int64_t bytes = at->call->error_number ? 0 : (int64_t)at->call->bytes;
    if (bytes > FTH_LARGEST_BUFFER)
        return fth_buffer_too_large;
    /* at the end of the file it asked for more; one that failed moved the position nowhere */
    at->arguments[2] = bytes || !reads || at->call->error_number ? bytes : 1;
    at->op.expected = bytes;
    if ((uint64_t)bytes > at->encoder->summary->buffer_bytes)
        at->encoder->summary->buffer_bytes = (uint64_t)bytes;
    put(at, reads ? FTH_SCRIPT_READ : FTH_SCRIPT_WRITE, 3);
    return NULL;
}

static const char *encode_unique(struct encoding *at)
{
    const char *why = NULL;
    int64_t path = fth_encoder_path(at->encoder, at->call->file, &why);
    if (path < 0)
        return why;
    if (!at->recipe->script.result_class) {
        at->arguments[0] = path;
        put(at, FTH_SCRIPT_FOLDER, 1);
        return NULL;
    }
    at->arguments[0] = at->recipe->script.result_class;
    at->arguments[1] = at->call->result.integer;
    at->arguments[2] = path;
    at->arguments[3] = O_RDWR | O_CREAT | O_EXCL;
    at->arguments[4] = 0600;
    if (slot_of_result(at) < 0)
        return "it failed";
    put(at, FTH_SCRIPT_OPEN, 5);
    return NULL;
}

static const char *encode_duplicate(struct encoding *at, int64_t from)
{
    int64_t to = at->call->result.integer;
    bool is_open = fth_alive_has(&at->encoder->now, at->encoder->recipes->fd, to);
    if (at->call->error_number || from < 0 ||
        !fth_alive_set(at->encoder, at->encoder->recipes->fd, to, true))
        return "it failed";
    at->arguments[0] = from;
    at->arguments[1] = to;
    at->arguments[2] = is_open;
    put(at, FTH_SCRIPT_COPY, 3);
    fth_pipe_wires_copied(at->encoder, at->call, from, to);
    return NULL;
}

/* A control call that makes a descriptor (F_DUPFD). */
static bool makes_descriptor(const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].kind == FTH_HANDLE_OPENED && call->uses[i].parameter == -1)
            return !strcmp(call->function->kind, "control");
    return false;
}

static const char *encode_descriptor(struct encoding *at)
{
    int64_t number = at->call->result.integer;
    if (!fth_alive_set(at->encoder, at->encoder->recipes->fd, number, true))
        return "it failed";
    at->arguments[0] = fth_recipe_class(at->encoder->recipes, field_at(at, 0));
    at->arguments[1] = at->call->arguments[0].integer;
    at->arguments[2] = number;
    put(at, FTH_SCRIPT_NUMBER, 3);
    return NULL;
}

/* ---- asynchronous operations of the system ---- */

enum { READS, WRITES, SYNCS };

/* Its descriptor, offset and bytes: they are what its end is known by, too. */
static const int64_t *operation_of(const struct encoding *at)
{
    for (size_t i = 0; i < field_count(at); i++)
        if (field_at(at, i)->role == FTH_ROLE_AIO &&
            at->call->arguments[i].type == FTH_VALUE_INTEGERS && at->call->arguments[i].count >= 3)
            return at->call->arguments[i].integers;
    return NULL;
}

/* The smallest block that none of those has that are on their way. */
static int64_t free_block(struct encoding *at)
{
    int64_t block = at->encoder->least_block;
    while (fth_alive_has(&at->encoder->now, at->encoder->recipes->block, block))
        block++;
    at->encoder->least_block = block;
    return fth_alive_set(at->encoder, at->encoder->recipes->block, block, true) ? block : -1;
}

static const char *encode_begin(struct encoding *at)
{
    const int64_t *operation = operation_of(at);
    if (!operation || at->call->error_number)
        return "it failed";
    if (!fth_alive_has(&at->encoder->now, at->encoder->recipes->fd, operation[0]))
        return why_lost(at, 0);
    if (operation[2] < 0 || operation[2] > FTH_LARGEST_BUFFER)
        return fth_buffer_too_large;
    int64_t *pending = fth_keyed_get(&at->encoder->pending, operation, 3 * sizeof *operation),
            block;
    block = free_block(at);
    if (block < 0)
        return "too many are on their way";
    *pending = block + 1;
    if ((uint64_t)operation[2] > at->encoder->summary->buffer_bytes)
        at->encoder->summary->buffer_bytes = (uint64_t)operation[2];
    at->arguments[0] = block;
    memcpy(&at->arguments[1], operation, 3 * sizeof *operation);
    at->arguments[4] = at->recipe->script.reads    ? READS
                       : at->recipe->script.writes ? WRITES
                                                   : SYNCS;
    put(at, FTH_SCRIPT_BEGIN, 5);
    return NULL;
}

static const char *encode_end(struct encoding *at)
{
    const int64_t *operation = operation_of(at);
    int64_t *pending =
        operation ? fth_keyed_get(&at->encoder->pending, operation, 3 * sizeof *operation) : NULL;
    if (!pending || !*pending)
        return "which operation it ends is not known";
    at->arguments[0] = *pending - 1;
    if (*pending - 1 < at->encoder->least_block)
        at->encoder->least_block = *pending - 1;
    (void)fth_alive_set(at->encoder, at->encoder->recipes->block, *pending - 1, false);
    *pending = 0;
    put(at, FTH_SCRIPT_END, 1);
    return NULL;
}

/* ---- requests ---- */

/* What a call that ends requests says in its `out` parameters. */
struct ended {
    int64_t scalars[4];
    size_t scalar_count;
    const struct fth_value *indices;
};

static struct ended ended_by(const struct encoding *at)
{
    struct ended ended = {0};
    for (size_t i = 0; i < field_count(at); i++) {
        const struct fth_value *value = &at->call->arguments[i];
        if (field_at(at, i)->role != FTH_ROLE_OUT)
            continue;
        if (value->type == FTH_VALUE_INTEGERS)
            ended.indices = value;
        else if (ended.scalar_count < 4)
            ended.scalars[ended.scalar_count++] = value->integer;
    }
    return ended;
}

static bool is_test(const struct encoding *at)
{
    return !strcmp(at->recipe->row->kind, "test");
}

/* Did it end the request at this place of its array? */
static bool has_ended(const struct encoding *at, const struct ended *ended, size_t place)
{
    if (ended->indices) {
        for (size_t i = 0; i < ended->indices->count && (int64_t)i < ended->scalars[0]; i++)
            if (ended->indices->integers[i] == (int64_t)place)
                return true;
        return false;
    }
    if (is_test(at) && !ended->scalars[ended->scalar_count ? ended->scalar_count - 1 : 0])
        return false;
    bool names_one = ended->scalar_count > (is_test(at) ? 1U : 0U);
    return !names_one || ended->scalars[0] == (int64_t)place;
}

static const char *encode_complete(struct encoding *at)
{
    struct ended ended = ended_by(at);
    int64_t *slots = NULL;
    size_t count = 0;
    for (size_t i = 0; i < field_count(at); i++) {
        const struct fth_field *field = field_at(at, i);
        const struct fth_value *value = &at->call->arguments[i];
        if (field->role != FTH_ROLE_CLOSE)
            continue;
        bool is_list = value->type == FTH_VALUE_HANDLES;
        size_t limit = is_list ? value->count : value->type == FTH_VALUE_HANDLE;
        for (size_t k = 0; k < limit; k++) {
            int64_t slot = is_list ? value->integers[k] : value->integer;
            /* one of a call that is left out is none here */
            if (!fth_alive_has(&at->encoder->now, at->encoder->recipes->request, slot) ||
                !has_ended(at, &ended, k))
                continue;
            FTH_GROW(slots, count);
            slots[count++] = slot;
        }
    }
    if (count) {
        at->arguments[0] = fth_encoder_blob(at->encoder, slots, count * sizeof *slots);
        put(at, FTH_SCRIPT_COMPLETE, 1);
    }
    free(slots);
    return NULL;
}

static const char *encode_probe(struct encoding *at, const struct fth_access *access)
{
    struct ended ended = ended_by(at);
    if (!ended.scalar_count)
        return encode_call(at, access, FTH_SCRIPT_CALL);
    return ended.scalars[0] ? encode_call(at, access, FTH_SCRIPT_UNTIL) : NULL;
}

/* The handle of this class that the call uses, or makes; -1: it has none. */
static int field_of_class(const struct encoding *at, unsigned handle_class)
{
    for (size_t i = 0; i < field_count(at); i++)
        if (fth_recipe_class(at->encoder->recipes, field_at(at, i)) == handle_class)
            return (int)i;
    return -1;
}

static const char *encode_meeting(struct encoding *at)
{
    const struct fth_recipes *recipes = at->encoder->recipes;
    int comm_at = field_of_class(at, recipes->comm), request_at;
    if (comm_at < 0)
        return of_left_out;
    int64_t comm = fth_encoder_handle(at->encoder, &at->call->arguments[comm_at], recipes->comm);
    if (comm == FTH_SCRIPT_NO_HANDLE ||
        (comm >= 0 && !fth_alive_has(&at->encoder->now, recipes->comm, comm)))
        return of_left_out;
    request_at = field_of_class(at, recipes->request);
    reserve(at);
    at->arguments[0] = comm;
    at->arguments[1] = request_at < 0 ? -1 : at->call->arguments[request_at].integer;
    at->arguments[2] = request_at < 0                    ? FTH_SCRIPT_BLOCKING
                       : at->call->function->nonblocking ? FTH_SCRIPT_NONBLOCKING
                                                         : FTH_SCRIPT_PERSISTENT;
    put(at, FTH_SCRIPT_MEET, 3);
    at->encoder->meets = true;
    return NULL;
}

/* Counts of so many members that the trace does not have all: in no process. Those that only the
 * root has are missing elsewhere, so that the number of ranks decides, which all know. */
static bool has_cut_counts(const struct encoding *at)
{
    bool is_rooted = fth_field_with_role(at->recipe->row, FTH_ROLE_ROOT) >= 0;
    for (size_t i = 0; i < field_count(at); i++) {
        const struct fth_value *value = &at->call->arguments[i];
        if (!fth_recipe_is_counts(at->recipe->row, i))
            continue;
        if (is_rooted ? at->encoder->summary->ranks >= FTH_MOST_INTEGERS
                      : value->type != FTH_VALUE_INTEGERS || value->count >= FTH_MOST_INTEGERS)
            return true;
    }
    return false;
}

/* Attributes of files that the system keeps for itself have values that it checks (system.*). */
static bool has_checked_value(const struct encoding *at)
{
    bool has_value = false, is_own = true;
    for (size_t i = 0; i < field_count(at); i++) {
        const struct fth_value *value = &at->call->arguments[i];
        has_value |= !strcmp(field_at(at, i)->type, "const void *");
        if (field_at(at, i)->role == FTH_ROLE_STRING && value->text)
            is_own = !strncmp(value->text, "user.", 5);
    }
    return !strcmp(at->recipe->row->kind, "permission") && has_value && !is_own;
}

/* ---- pipes ---- */

static bool moves_bytes(const struct fth_call *call)
{
    return call->reads || call->writes;
}

/* How many bytes a call on a pipe gets depends on who is faster; how many it got is as recorded. A
 * stream asks again by itself. */
static bool is_whole_move(const struct encoding *at)
{
    return moves_bytes(at->call) && !at->call->copies && pipe_of(at) &&
           fth_layer_is(at->call->function->layer, FTH_LAYER_SYSTEM);
}

/* ---- all ---- */

static const char *encode(struct encoding *at, const struct fth_access *access)
{
    enum fth_repeat_how how = at->recipe->way->how;
    const struct fth_pipe_bytes *pipe = moves_bytes(at->call) ? pipe_of(at) : NULL;
    if (pipe && !pipe->is_fifo && !fth_pipe_bytes_is_whole(pipe))
        return half_pipe;
    if (pipe && at->call->error_number)
        return "it failed";
    if (how != FTH_REPEAT_COMPLETE && how != FTH_REPEAT_UNIQUE && !has_handles(at))
        return !strcmp(at->recipe->row->kind, "collective") ? encode_meeting(at) : at->lost;
    if (at->recipe->is_step && at->call->error_number)
        return "it failed";
    if (at->recipe->is_step && how != FTH_REPEAT_BEGIN && how != FTH_REPEAT_END)
        return at->recipe->script.reads || at->recipe->script.writes ? encode_move(at)
                                                                     : "a step inside of libc";
    if (has_checked_value(at))
        return "its value is not in the trace, and the system would check it";
    if (how == FTH_REPEAT_CALL && has_cut_counts(at))
        how = FTH_REPEAT_MEET;
    at->is_whole = is_whole_move(at);
    if (at->is_whole)
        how = FTH_REPEAT_MOVE;
    switch (how) {
    case FTH_REPEAT_CALL:
        return makes_descriptor(at->call) ? encode_duplicate(at, at->call->arguments[0].integer)
                                          : encode_call(at, access, FTH_SCRIPT_CALL);
    case FTH_REPEAT_MOVE:
        return encode_move(at);
    case FTH_REPEAT_UNIQUE:
        return encode_unique(at);
    case FTH_REPEAT_DUPLICATE:
        return encode_duplicate(at, at->call->arguments[0].integer);
    case FTH_REPEAT_DESCRIPTOR:
        return encode_descriptor(at);
    case FTH_REPEAT_BEGIN:
        return encode_begin(at);
    case FTH_REPEAT_END:
        return encode_end(at);
    case FTH_REPEAT_COMPLETE:
        return encode_complete(at);
    case FTH_REPEAT_PROBE:
        return encode_probe(at, access);
    case FTH_REPEAT_MEET:
        return encode_meeting(at);
    default:
        return NULL;
    }
}

const char *fth_encode_call(struct fth_encoder *encoder, const struct fth_access *access,
                            struct fth_recipe *recipe)
{
    struct encoding at = {.encoder = encoder, .call = &access->call, .recipe = recipe};
    if (!recipe->row)
        return "this version of the catalogue describes it otherwise";
    const char *why =
        recipe->way->how == FTH_REPEAT_LEFT_OUT ? recipe->way->why : encode(&at, access);
    fth_encode_standard_cut_off(encoder, &access->call, recipe, !why);
    note_handles(encoder, &access->call, recipe, !why);
    return why;
}
