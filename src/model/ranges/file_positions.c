/* Which bytes a call accesses: from where descriptors and file pointers stand, and from views of
 * files. */
#include "model/ranges/file_positions.h"

#include "catalog/values.h"
#include "model/reading/moved_places.h"

#include <string.h>

static int64_t *pointer_of(const struct fth_range_semantics *semantics, struct fth_opened *opened)
{
    return semantics->row->flags & FTH_CALL_COMMON ? &opened->shared_position : &opened->position;
}

static void follow_seek(const struct fth_range_semantics *semantics, const struct fth_call *call,
                        int64_t *position)
{
    if (semantics->place.position == FTH_RESULT) {
        *position = fth_number_of(call, FTH_RESULT);
        return;
    }
    if (semantics->place.distance < 0) { /* MPI_File_get_position */
        if (semantics->request.out_count)
            *position = fth_number_of(call, semantics->request.outs[0]);
        return;
    }
    const struct fth_value *whence =
        fth_value_of(call, fth_field_with_role(semantics->row, FTH_ROLE_WHENCE));
    const char *from = whence && whence->text ? whence->text : "";
    int64_t distance = fth_number_of(call, semantics->place.distance);
    if (strstr(from, "_SET"))
        *position = distance;
    else if (strstr(from, "_CUR"))
        *position = fth_file_position_behind(*position, distance);
    else
        *position = FTH_NOWHERE;
}

/* ---- which bytes ---- */

static void access_unknown(struct fth_access *access, const char *why)
{
    access->kind = FTH_ACCESS_UNKNOWN;
    access->why = why;
}

static void access_at(struct fth_accesses *accesses, int64_t at)
{
    struct fth_access *access = accesses->access;
    int64_t end;
    if (at < 0 || access->length > INT64_MAX ||
        __builtin_add_overflow(at, (int64_t)access->length, &end)) {
        access_unknown(access, "its offset is not valid");
        return;
    }
    access->kind = FTH_ACCESS_BYTES;
    accesses->ranges.tile = NULL;
    accesses->ranges.at = at;
}

static bool is_pointed(const struct fth_value *value)
{
    return value && value->type == FTH_VALUE_INTEGERS && value->count == 1;
}

/* Was the call given a place that the trace does not have? An archive that was imported may not
 * tell it. */
static bool is_left_out(const struct fth_call *call, int field)
{
    const struct fth_value *value = fth_value_of(call, field);
    return value && value->type == FTH_VALUE_NONE;
}

/* A position that a call was given, or -1 where it says "at the descriptor's own". */
static int64_t given_place(const struct fth_range_semantics *semantics, const struct fth_call *call,
                           const struct fth_value **value)
{
    *value = fth_value_of(call, semantics->place.aio >= 0 ? semantics->place.aio
                                                          : semantics->place.offset);
    if (*value && (*value)->type == FTH_VALUE_INTEGERS && (*value)->count == 3)
        return (*value)->integers[1];
    if (*value && (*value)->type == FTH_VALUE_INTEGER)
        return (*value)->integer;
    *value = fth_value_of(call, semantics->handles.file_at);
    if (is_pointed(*value))
        return fth_place_before(call, (*value)->integers[0]);
    *value = NULL;
    return FTH_NOWHERE;
}

/* Where bytes go to, or come from, that a call moves between two descriptors. What is written to
 * the end of a file is nowhere that is known. */
static void move_other(struct fth_accesses *accesses, const struct fth_range_semantics *semantics,
                       const struct fth_call *call)
{
    struct fth_opened *other = fth_following_other(accesses, semantics);
    const struct fth_value *place = fth_value_of(call, semantics->handles.other_at);
    bool given = is_pointed(place);
    bool appends = other && other->appends && !call->writes;
    int64_t at = given ? fth_place_before(call, place->integers[0]) : other ? other->position : FTH_NOWHERE;
    struct fth_second_range *second = &accesses->access->second;
    second->file = fth_value_of(call, semantics->handles.other)->text;
    second->range = (struct fth_range){at < 0 ? 0 : (uint64_t)at, accesses->access->length};
    second->at_position = !given;
    second->known =
        !appends && fth_file_position_behind(at, (int64_t)accesses->access->length) >= 0;
    if (other && !given)
        other->position =
            appends ? FTH_NOWHERE
                    : fth_file_position_behind(other->position, (int64_t)accesses->access->length);
}

static void access_descriptor(struct fth_accesses *accesses,
                              const struct fth_range_semantics *semantics,
                              const struct fth_call *call, struct fth_opened *opened)
{
    struct fth_access *access = accesses->access;
    const struct fth_value *given;
    int64_t place = given_place(semantics, call, &given);
    bool advances = semantics->row->flags & FTH_CALL_ADVANCES;
    bool appends = call->writes && !advances &&
                   ((opened && opened->appends) ||
                    (fth_number_of(call, semantics->control.flags) > 0 &&
                     (fth_number_of(call, semantics->control.flags) & semantics->control.append)));
    if (semantics->handles.other >= 0)
        move_other(accesses, semantics, call);
    bool is_known = call->stood_is_reported && !given;
    if (is_known && opened) {
        opened->position = call->stood;
        opened->is_reported = true;
    }
    if (!advances && is_left_out(call, semantics->place.offset)) {
        access_unknown(access, "the imported trace does not say where");
        return;
    }
    access->at_position = !(given && place >= 0) && !(opened && opened->is_reported);
    access->moves = !(given && place >= 0) || advances;
    access->may_have_moved =
        opened && !opened->is_reported && opened->children != accesses->children;
    if (given && advances && opened)
        opened->position = fth_file_position_behind(place, (int64_t)access->length);
    if (given && (place >= 0 || advances) && !appends) {
        if (place < 0)
            access_unknown(access, "the descriptor has no position");
        else
            access_at(accesses, place);
        return;
    }
    access->appends = appends;
    if (appends && (given || !opened || !opened->is_reported || opened->position < 0))
        access_unknown(access, "it appends, and the size of the file is unknown");
    else if (!opened || opened->position < 0)
        access_unknown(access, "the file position is unknown");
    else
        access_at(accesses, opened->position);
    if (opened && !(given && place >= 0))
        opened->position =
            appends && access->kind != FTH_ACCESS_BYTES
                ? FTH_NOWHERE
                : fth_file_position_behind(opened->position, (int64_t)access->length);
}

/* ---- files of MPI ---- */

/* How far the call moves the file pointer, in etypes: what it asked for, whatever came of it (MPI
 * 4.1, 14.4.3). */
static int64_t etypes_asked(const struct fth_call *call, int64_t etype)
{
    return call->bytes_asked == FTH_NO_BYTES || call->bytes_asked > INT64_MAX
               ? FTH_NOWHERE
               : (int64_t)call->bytes_asked / etype;
}

static void access_view(struct fth_accesses *accesses, const struct fth_range_semantics *semantics,
                        const struct fth_call *call, struct fth_opened *opened)
{
    struct fth_access *access = accesses->access;
    bool shared = semantics->row->flags & FTH_CALL_COMMON;
    if (is_left_out(call, semantics->place.view)) {
        access_unknown(access, "the imported trace does not say where");
        return;
    }
    if (!opened) {
        access_unknown(access, "the file was opened before the trace begins");
        return;
    }
    access->view = &opened->view;
    int64_t etype = opened->etype ? opened->etype->tree.size : 0, skip;
    if (etype <= 0 || !opened->filetype) {
        *pointer_of(semantics, opened) = FTH_NOWHERE;
        access_unknown(access, "the file view has unknown datatypes");
        return;
    }
    int64_t *pointer = semantics->place.view >= 0 ? NULL : pointer_of(semantics, opened);
    int64_t place = pointer ? *pointer : fth_number_of(call, semantics->place.view);
    if (pointer) {
        int64_t asked = etypes_asked(call, etype);
        *pointer = asked < 0 ? FTH_NOWHERE : fth_file_position_behind(place, asked);
    }
    access->by_shared_pointer = shared ? opened->settings + 1 : 0;
    access->appends = pointer && !shared && opened->at_end && call->writes;
    if (shared && !opened->alone) {
        access_unknown(access, "other processes also move the shared file pointer");
        return;
    }
    if (place < 0 || __builtin_mul_overflow(place, etype, &skip)) {
        access_unknown(access, "the file pointer is unknown");
        return;
    }
    const struct fth_made_datatype *filetype = opened->filetype;
    accesses->ranges.tile = filetype->layout;
    accesses->ranges.at = opened->view.displacement;
    accesses->ranges.extent = filetype->tree.extent;
    accesses->ranges.skip = skip;
    access->kind = FTH_ACCESS_BYTES;
    if (access->length > INT64_MAX ||
        (access->length &&
         !fth_layout_walk(&accesses->walk, filetype->layout, opened->view.displacement,
                          filetype->tree.extent, skip, (int64_t)access->length)))
        access_unknown(access, "its offsets in the file view are not valid");
}

/* ---- a call ---- */

void fth_file_position_access(struct fth_accesses *accesses,
                              const struct fth_range_semantics *semantics,
                              struct fth_opened *opened)
{
    struct fth_access *access = accesses->access;
    const struct fth_call *call = &access->call;
    if (semantics->meaning->buffered || semantics->request.ends || call->error_number)
        return;
    access->length = call->bytes_known ? call->bytes : call->bytes_asked;
    if (access->length == FTH_NO_BYTES) {
        access->length = 0;
        if (opened)
            *pointer_of(semantics, opened) = FTH_NOWHERE;
        access_unknown(access, "the number of bytes that it moved is unknown");
        return;
    }
    if (semantics->is_mpi)
        access_view(accesses, semantics, call, opened);
    else if (semantics->handles.file >= 0)
        access_descriptor(accesses, semantics, call, opened);
}

/* Where a descriptor that was there stands is known as far as it is reported. */
static bool is_followed(const struct fth_opened *opened)
{
    return opened && (!opened->was_there || opened->is_reported);
}

void fth_file_position_seek(struct fth_accesses *accesses,
                            const struct fth_range_semantics *semantics, struct fth_opened *opened)
{
    struct fth_access *access = accesses->access;
    /* of a stream, which is not followed, it is known where a seek says it */
    int64_t nowhere = FTH_NOWHERE,
            *position = is_followed(opened) ? pointer_of(semantics, opened) : &nowhere;
    follow_seek(semantics, &access->call, position);
    access->position = *position;
    if (opened && semantics->place.distance >= 0) {
        bool shared = semantics->row->flags & FTH_CALL_COMMON;
        opened->at_end &= shared;
        opened->settings += shared;
    }
}
