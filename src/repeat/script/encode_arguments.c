/* The arguments of a call in a replay: names are those of its files, handles its own, buffers as
 * large as they were. */
#include "base/memory.h"
#include "catalog/values.h"
#include "model/reading/moved_places.h"
#include "repeat/script/encode_hdf5.h"
#include "repeat/what/asked_lock.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char unknown_path[] = "which file it is about is not known";
static const char unknown_target[] = "what its link leads to is no file of the run";
static const char unknown_datatype[] = "its datatype is not known";

int64_t fth_encoder_path(struct fth_encoder *encoder, const char *path, const char **why)
{
    const struct fth_repeat_place *place = fth_repeat_place_of(encoder->places, path);
    if (!place || !place->below) {
        *why = place ? place->why : unknown_path;
        return -1;
    }
    if (!encoder->request->into)
        return fth_encoder_text(encoder, place->path);
    if (fth_repeat_needs_contents(place)) {
        *why = "it was there before the run, and its contents are not in the trace";
        return -1;
    }
    char *full = fth_text_format("%s/%s", encoder->request->into, place->below);
    int64_t blob = fth_encoder_text(encoder, full);
    free(full);
    return blob;
}

static bool is_predefined(const struct fth_encoder *encoder, const struct fth_value *value,
                          unsigned handle_class)
{
    return fth_recipe_is_named(encoder->recipes, handle_class, value->text) &&
           !fth_alive_has(&encoder->now, handle_class, value->integer);
}

int64_t fth_encoder_handle(struct fth_encoder *encoder, const struct fth_value *value,
                           unsigned handle_class)
{
    if (value->type != FTH_VALUE_HANDLE)
        return FTH_SCRIPT_NO_HANDLE;
    if (is_predefined(encoder, value, handle_class))
        return FTH_SCRIPT_PREDEFINED(fth_encoder_text(encoder, value->text));
    return value->integer >= 0 && value->integer < FTH_MOST_SLOTS ? value->integer
                                                                  : FTH_SCRIPT_NO_HANDLE;
}

/* An array of handles: new ones get their slots. */
static int64_t encode_handles(struct fth_encoder *encoder, const struct fth_value *value,
                              unsigned handle_class)
{
    if (value->type != FTH_VALUE_HANDLES && value->type != FTH_VALUE_INTEGERS)
        return -1; /* descriptors are integers */
    int64_t *slots = fth_new(value->count + 1, sizeof *slots);
    for (size_t i = 0; i < value->count; i++) {
        const struct fth_value one = {.type = FTH_VALUE_HANDLE,
                                      .integer = value->integers[i],
                                      .text = value->texts ? value->texts[i] : NULL};
        slots[i] = fth_encoder_handle(encoder, &one, handle_class);
        if (slots[i] >= 0)
            (void)fth_alive_set(encoder, handle_class, slots[i],
                                fth_alive_has(&encoder->now, handle_class, slots[i]));
    }
    int64_t blob = fth_encoder_blob(encoder, slots, value->count * sizeof *slots);
    free(slots);
    return blob;
}

static int64_t encode_numbers(struct fth_encoder *encoder, const struct fth_value *value,
                              unsigned width)
{
    if (value->type != FTH_VALUE_INTEGERS)
        return -1;
    char *numbers = fth_new(value->count + 1, width);
    for (size_t i = 0; i < value->count; i++)
        memcpy(numbers + i * width, &value->integers[i], width);
    int64_t blob = fth_encoder_blob(encoder, numbers, value->count * width);
    free(numbers);
    return blob;
}

/* Of a vector the trace has the sum: the pieces are of one length, but for the last. */
static int64_t encode_vector(struct fth_encoder *encoder, const struct fth_call *call,
                             const struct fth_field *field, uint64_t bytes)
{
    int64_t pieces =
        field->length_field >= 0 ? call->arguments[field->length_field].integer : field->length;
    if (pieces < 1 || pieces > IOV_MAX)
        return -1;
    uint64_t *lengths = fth_new((size_t)pieces, sizeof *lengths);
    for (int64_t i = 0; i < pieces; i++)
        lengths[i] = bytes / (uint64_t)pieces;
    lengths[pieces - 1] += bytes % (uint64_t)pieces;
    int64_t blob = fth_encoder_blob(encoder, lengths, (size_t)pieces * sizeof *lengths);
    free(lengths);
    return blob;
}

/* ---- buffers ---- */

static uint64_t asked(const struct fth_call *call)
{
    return call->bytes_asked == FTH_NO_BYTES ? 0 : call->bytes_asked;
}

/* Collective calls that have a part of their buffers for each member. */
static bool has_parts(const struct fth_recipe *recipe)
{
    unsigned counts = 0;
    bool receives_part = false;
    for (size_t i = 0; i < recipe->row->field_count; i++) {
        counts += recipe->row->fields[i].role == FTH_ROLE_COUNT;
        receives_part |= !strcmp(recipe->row->fields[i].name, "recvcount");
    }
    return !strcmp(recipe->row->kind, "collective") && (counts > 1 || receives_part);
}

static int next_with(const struct fth_recipe *recipe, size_t from, enum fth_role role)
{
    for (size_t i = from; i < recipe->row->field_count; i++)
        if (recipe->row->fields[i].role == role)
            return (int)i;
    return -1;
}

static int64_t sum_of(const struct fth_value *list)
{
    int64_t sum = 0;
    for (size_t i = 0; list->type == FTH_VALUE_INTEGERS && i < list->count; i++)
        if (list->integers[i] > 0 && __builtin_add_overflow(sum, list->integers[i], &sum))
            return INT64_MAX;
    return sum;
}

/* Parts lie one behind another. */
static int64_t encode_displacements(struct fth_encoder *encoder, const struct fth_value *counts,
                                    unsigned width)
{
    if (counts->type != FTH_VALUE_INTEGERS)
        return -1;
    int64_t *places = fth_new(counts->count + 1, sizeof *places), at = 0;
    for (size_t i = 0; i < counts->count; i++) {
        places[i] = at;
        if (counts->integers[i] > 0 && __builtin_add_overflow(at, counts->integers[i], &at))
            at = INT64_MAX;
    }
    const struct fth_value value = {
        .type = FTH_VALUE_INTEGERS, .count = counts->count, .integers = places};
    int64_t blob = encode_numbers(encoder, &value, width);
    free(places);
    return blob;
}

/* How many elements the buffer has, and the parameter that says so; -1: none does. */
static int count_of(const struct fth_call *call, const struct fth_recipe *recipe, size_t number,
                    int64_t *count)
{
    for (size_t i = number; i < recipe->row->field_count; i++) {
        bool is_list = fth_recipe_is_counts(recipe->row, i);
        if (!is_list && recipe->row->fields[i].role != FTH_ROLE_COUNT)
            continue;
        *count = is_list ? sum_of(&call->arguments[i]) : call->arguments[i].integer;
        return (int)i;
    }
    return -1;
}

/* Of a call that makes a window, its memory, bytes; else 0. The standard gives its size first. */
static uint64_t window_bytes(const struct fth_call *call, const struct fth_recipe *recipe)
{
    const struct fth_row *row = recipe->row;
    bool makes_window = !strcmp(row->kind, "rma") && fth_field_with_role(row, FTH_ROLE_NEW) >= 0;
    for (size_t i = 0; makes_window && i < row->field_count; i++)
        if (!strcmp(row->fields[i].type, "MPI_Aint") &&
            call->arguments[i].type == FTH_VALUE_INTEGER)
            return call->arguments[i].integer > 0 ? (uint64_t)call->arguments[i].integer : 0;
    return 0;
}

/* The datatype of the buffer in front of it: its span decides where in the player's buffer it
 * is. */
static const char *encode_typed(struct fth_encoder *encoder, const struct fth_access *access,
                                const struct fth_recipe *recipe, size_t number, int64_t *arguments)
{
    int64_t count = 0;
    int count_at = count_of(&access->call, recipe, number, &count);
    int type_at = count_at < 0 ? -1 : next_with(recipe, (size_t)count_at, FTH_ROLE_USE);
    arguments[number] = 0;
    if (type_at < 0)
        return fth_encoder_needs(encoder, window_bytes(&access->call, recipe));
    const struct fth_value *value = &access->call.arguments[type_at];
    if (value->text && !strcmp(value->text, "MPI_DATATYPE_NULL")) {
        arguments[number] = FTH_SCRIPT_IN_PLACE;
        return NULL;
    }
    const struct fth_datatype *type = fth_accesses_datatype(encoder->accesses, type_at);
    if (count <= 0)
        return NULL;
    if (!type)
        return unknown_datatype;
    int64_t members = has_parts(recipe) ? encoder->summary->ranks : 1;
    __int128 span = (__int128)type->true_upper_bound - type->true_lower_bound +
                    (__int128)(count * members - 1) * (type->extent < 0 ? 0 : type->extent);
    if (span < 0 || span > INT64_MAX || type->extent < 0)
        return fth_buffer_too_large;
    arguments[number] = -type->true_lower_bound;
    return fth_encoder_needs(encoder, (uint64_t)span);
}

/* ---- all ---- */

/* What fcntl got behind its command. */
static int64_t encode_command_argument(struct fth_encoder *encoder, const struct fth_call *call,
                                       const struct fth_value *value)
{
    if (value->type != FTH_VALUE_INTEGERS || !value->count)
        return value->type == FTH_VALUE_INTEGER ? value->integer : 0;
    if (value->count < 4)
        return value->integers[0];
    struct flock lock = {.l_type =
                             (short)fth_repeat_asked_lock(encoder->trace, call, value->integers[0]),
                         .l_whence = (short)value->integers[1],
                         .l_start = value->integers[2],
                         .l_len = value->integers[3]};
    return FTH_SCRIPT_PREDEFINED(fth_encoder_blob(encoder, &lock, sizeof lock));
}

/* The source and the tag that a receive got, where it asked for any: so the same message comes. */
static int64_t encode_peer(const struct fth_call *call, const struct fth_recipe *recipe,
                           const struct fth_field *field, const struct fth_value *value)
{
    int status_at = next_with(recipe, 0, FTH_ROLE_STATUS);
    bool is_any = value->text && strstr(value->text, "_ANY_");
    if (!is_any || status_at < 0)
        return value->integer;
    const struct fth_value *status = &call->arguments[status_at];
    size_t place = field->role == FTH_ROLE_TAG;
    return status->type == FTH_VALUE_INTEGERS && status->count > place ? status->integers[place]
                                                                       : value->integer;
}

/* An integer behind a pointer, as it was before the call. */
static int64_t encode_place(const struct fth_access *access, const struct fth_field *field,
                            const struct fth_value *value)
{
    if (field->role == FTH_ROLE_OUT)
        return 0;
    if (value->type == FTH_VALUE_NONE)
        return FTH_SCRIPT_NOWHERE;
    if (fth_is_moved_place(&access->call, value))
        return fth_place_before(&access->call, value->integers[0]);
    return value->type == FTH_VALUE_INTEGERS && value->count ? value->integers[0] : value->integer;
}

struct argument {
    struct fth_encoder *encoder;
    const struct fth_access *access;
    const struct fth_recipe *recipe;
    size_t number;
    unsigned paths; /* so far */
    const char *why;
};

/* Does it lead down from where the link is, whatever is there? */
static bool leads_down(const char *target)
{
    for (const char *at = target; *at; at += strspn(at, "/")) {
        size_t length = strcspn(at, "/");
        if (length == 2 && !strncmp(at, "..", 2))
            return false;
        at += length;
    }
    return *target && *target != '/';
}

/* Is the link among the files of the working folder, which keep their places? */
static bool is_in_run(const struct fth_encoder *encoder, const char *link)
{
    const struct fth_repeat_place *place = link ? fth_repeat_place_of(encoder->places, link) : NULL;
    return place && place->below && !strncmp(place->below, "run/", 4);
}

/* What a symbolic link leads to: a file of the replay, or it would lead out of its folder. */
static int64_t encode_target(struct argument *at, const char *target)
{
    const char *link = at->access->call.file, *slash = link ? strrchr(link, '/') : NULL;
    if (!at->encoder->request->into || (leads_down(target) && is_in_run(at->encoder, link)))
        return fth_encoder_text(at->encoder, target);
    char *path = *target == '/' || !slash
                     ? fth_text_copy(target)
                     : fth_text_format("%.*s/%s", (int)(slash - link), link, target);
    int64_t blob = fth_encoder_path(at->encoder, path, &at->why);
    if (at->why == unknown_path)
        at->why = unknown_target;
    free(path);
    return blob;
}

static int64_t encode_text(struct argument *at, const struct fth_value *value)
{
    const struct fth_field *field = &at->recipe->row->fields[at->number];
    const struct fth_call *call = &at->access->call;
    if (value->type != FTH_VALUE_TEXT)
        return -1;
    if (field->role != FTH_ROLE_PATH && at->recipe->function->links_name)
        return encode_target(at, value->text);
    if (field->role != FTH_ROLE_PATH)
        return fth_encoder_text(at->encoder, value->text);
    const char *path = at->paths++ ? call->other_file : call->file;
    if (!*value->text && field->at_field >= 0)
        return fth_encoder_text(at->encoder, "");
    return fth_encoder_path(at->encoder, path, &at->why);
}

/* Traces of older versions have the text itself. */
static int64_t encode_words(struct argument *at, const struct fth_value *value)
{
    int64_t length = value->type == FTH_VALUE_INTEGER ? value->integer
                     : value->type == FTH_VALUE_TEXT  ? (int64_t)strlen(value->text)
                                                      : -1;
    struct fth_repeat_summary *summary = at->encoder->summary;
    if (length > FTH_LARGEST_BUFFER)
        at->why = fth_buffer_too_large;
    else if (length > 0 && (uint64_t)length > summary->words_bytes)
        summary->words_bytes = (uint64_t)length;
    return length;
}

static int64_t encode_buffer(struct argument *at, int64_t *arguments)
{
    const struct fth_recipe *recipe = at->recipe;
    const struct fth_call *call = &at->access->call;
    if (recipe->row->fields[at->number].role == FTH_ROLE_STATUS)
        return FTH_SCRIPT_ASIDE;
    if (recipe->script.is_hdf5) /* a list that the call fills is as long as one that it is given */
        return 0;
    if (!recipe->script.is_mpi) {
        at->why = fth_encoder_needs(at->encoder, asked(call));
        return 0;
    }
    at->why = encode_typed(at->encoder, at->access, recipe, at->number, arguments);
    return arguments[at->number];
}

static int64_t encode_one(struct argument *at, int64_t *arguments)
{
    const struct fth_script_parameter *parameter = &at->recipe->script.parameters[at->number];
    const struct fth_field *field = &at->recipe->row->fields[at->number];
    const struct fth_call *call = &at->access->call;
    const struct fth_value *value = &call->arguments[at->number];
    if (at->recipe->script.is_hdf5 && field->role == FTH_ROLE_NONE)
        return fth_encode_hdf5_unkept(at->encoder, at->access, at->recipe, at->number, &at->why);
    switch ((enum fth_script_form)parameter->form) {
    case FTH_SCRIPT_HANDLE:
    case FTH_SCRIPT_CELL:
        return fth_encoder_handle(at->encoder, value, parameter->handle_class);
    case FTH_SCRIPT_CELLS:
        return encode_handles(at->encoder, value, parameter->handle_class);
    case FTH_SCRIPT_TEXT:
        return encode_text(at, value);
    case FTH_SCRIPT_WORDS:
        return encode_words(at, value);
    case FTH_SCRIPT_NUMBERS:
        if (value->type == FTH_VALUE_INTEGERS && value->count >= FTH_MOST_INTEGERS)
            at->why = "its list is too long to be in the trace";
        if (fth_recipe_is_displacements(at->recipe->row, at->number))
            return encode_displacements(at->encoder, value - 1, parameter->width);
        return encode_numbers(at->encoder, value, parameter->width);
    case FTH_SCRIPT_VECTOR:
        at->why = fth_encoder_needs(at->encoder, asked(call));
        return encode_vector(at->encoder, call, field, asked(call));
    case FTH_SCRIPT_GIVEN:
    case FTH_SCRIPT_TAKEN:
        return encode_buffer(at, arguments);
    case FTH_SCRIPT_PLACE:
        return encode_place(at->access, field, value);
    case FTH_SCRIPT_NULL:
        return 0;
    case FTH_SCRIPT_EITHER:
        return encode_command_argument(at->encoder, call, value);
    case FTH_SCRIPT_INTEGER:
    case FTH_SCRIPT_REAL:
    case FTH_SCRIPT_CALLBACK:
        break;
    }
    if (field->role == FTH_ROLE_DATA)
        return 'x';
    if (field->role == FTH_ROLE_PEER || field->role == FTH_ROLE_TAG)
        return encode_peer(call, at->recipe, field, value);
    /* the room of a buffer, which fortified functions check */
    return value->type == FTH_VALUE_INTEGER ? value->integer
           : strstr(field->type, "size_t")  ? LONG_MAX
                                            : 0;
}

const char *fth_encode_arguments(struct fth_encoder *encoder, const struct fth_access *access,
                                 const struct fth_recipe *recipe, int64_t *arguments)
{
    struct argument at = {.encoder = encoder, .access = access, .recipe = recipe};
    for (at.number = 0; at.number < recipe->row->field_count && !at.why; at.number++)
        arguments[at.number] = encode_one(&at, arguments);
    return at.why;
}
