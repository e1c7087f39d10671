/* Regions become calls: see the header. A function of the catalogue is one only if the archive says
 * which file it worked on and what it moved; everything else is a region of the application, with
 * its name and time, because numbers that nobody wrote are not to be shown as known. */
#ifdef FATHOM_OTF2
#include "import/otf2/archive_calls.h"

#include "base/memory.h"
#include "trace/record/builtin.h"
#include "trace/record/spill.h"
#include "trace/state/state.h"

#include <fcntl.h>
#include <string.h>

enum { NOTHING = UINT32_MAX, MOST_DEPTH = 200 };

struct fth_archive_frame *fth_archive_frame(struct fth_archive_reading *reading)
{
    return reading->depth && reading->depth <= MOST_DEPTH ? &reading->frames[reading->depth - 1]
                                                          : NULL;
}

/* ---- slots ---- */

static int64_t slot_of(struct fth_archive_reading *reading, int class_index, uint32_t number)
{
    struct fth_archive_process *process = reading->process;
    const uint32_t key[] = {(uint32_t)class_index, number};
    uint32_t known = process->slots.count;
    uint32_t at = fth_intern(&process->slots, key, sizeof key);
    if (at == known) {
        FTH_GROW(process->slot, known);
        process->slot[at] = process->class_slots[class_index]++;
    }
    return process->slot[at] < FTH_SLOT_LIMIT ? (int64_t)process->slot[at] : FTH_SLOT_UNKNOWN;
}

/* True: the stream does not know it yet. */
static bool is_new(struct fth_archive_reading *reading, int class_index, int64_t slot)
{
    const int64_t key[] = {class_index, slot};
    uint32_t known = reading->bound.count;
    return slot >= 0 && fth_intern(&reading->bound, key, sizeof key) == known;
}

static const char *path_of(const struct fth_archive *archive, uint32_t handle)
{
    const struct fth_archive_handle *of = fth_archive_find(&archive->handles, handle);
    const struct fth_archive_file *file = of ? fth_archive_find(&archive->files, of->file) : NULL;
    return file ? fth_archive_text(archive, file->name) : "";
}

static int64_t slot_of_file(struct fth_archive_reading *reading, int class_index, uint32_t handle,
                            bool is_made)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    if (handle == NOTHING)
        return FTH_SLOT_UNKNOWN;
    int64_t slot = slot_of(reading, class_index, handle);
    const char *path = path_of(&reading->archive, handle);
    const struct fth_archive_handle *of = fth_archive_find(&reading->archive.handles, handle);
    const char *class = catalog->classes[class_index].name;
    /* what a call makes is bound when it is used */
    if (is_made || !is_new(reading, class_index, slot))
        return slot;
    fth_imported_stream_bind(reading->stream, class, slot, 0, path, strlen(path));
    if (of && of->flags >= 0 && strcmp(class, "fd") == 0)
        fth_imported_stream_bind(reading->stream, FTH_FLAGS_CLASS, slot, of->flags, "", 0);
    return slot;
}

static int64_t slot_of_object(struct fth_archive_reading *reading, int class_index,
                              const struct fth_archive_frame *frame)
{
    const char *class = fth_builtin_catalog()->classes[class_index].name, *name = "";
    uint32_t number = 0;
    if (strcmp(class, "comm") == 0) {
        const struct fth_archive_comm *comm =
            fth_archive_find(&reading->archive.comms, frame->comm);
        if (!comm)
            return FTH_SLOT_UNKNOWN;
        number = frame->comm;
        name = fth_archive_text(&reading->archive, comm->name);
    } else if (strcmp(class, "datatype") == 0) {
        name = "MPI_BYTE";
    } else {
        return FTH_SLOT_UNKNOWN;
    }
    int64_t slot = slot_of(reading, class_index, number);
    if (is_new(reading, class_index, slot))
        fth_imported_stream_bind(reading->stream, class, slot, 0, name, strlen(name));
    return slot;
}

/* ---- values ---- */

static int64_t known_or_absent(bool is_known, int64_t value)
{
    return is_known ? value : FTH_ABSENT;
}

static int64_t bytes(uint64_t count)
{
    return count == OTF2_UNDEFINED_UINT64 || count > INT64_MAX ? FTH_ABSENT : (int64_t)count;
}

static int64_t flags_of(const struct fth_archive_frame *frame, const struct fth_field *field)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    const char *set = field->flags_index < 0 ? "" : catalog->flags[field->flags_index].name;
    if (frame->made == NOTHING)
        return FTH_ABSENT;
    bool reads = frame->open_mode == OTF2_IO_ACCESS_MODE_READ_ONLY,
         writes = frame->open_mode == OTF2_IO_ACCESS_MODE_WRITE_ONLY;
    unsigned creation = frame->open_creation, status = frame->open_status;
    if (strcmp(set, "open") == 0)
        return (reads    ? O_RDONLY
                : writes ? O_WRONLY
                         : O_RDWR) |
               (creation & OTF2_IO_CREATION_FLAG_CREATE ? O_CREAT : 0) |
               (creation & OTF2_IO_CREATION_FLAG_TRUNCATE ? O_TRUNC : 0) |
               (creation & OTF2_IO_CREATION_FLAG_EXCLUSIVE ? O_EXCL : 0) |
               (creation & OTF2_IO_CREATION_FLAG_DIRECTORY ? O_DIRECTORY : 0) |
               (status & OTF2_IO_STATUS_FLAG_APPEND ? O_APPEND : 0);
    if (strcmp(set, "amode") == 0)
        return (reads    ? 2
                : writes ? 4
                         : 8) |
               (creation & OTF2_IO_CREATION_FLAG_CREATE ? 1 : 0) |
               (creation & OTF2_IO_CREATION_FLAG_EXCLUSIVE ? 64 : 0) |
               (status & OTF2_IO_STATUS_FLAG_APPEND ? 128 : 0);
    return FTH_ABSENT;
}

/* "r+" and its like, of fopen. */
static const char *mode_of(const struct fth_archive_frame *frame)
{
    bool appends = frame->open_status & OTF2_IO_STATUS_FLAG_APPEND,
         both = frame->open_mode == OTF2_IO_ACCESS_MODE_READ_WRITE;
    if (appends)
        return both ? "a+" : "a";
    if (frame->open_creation & OTF2_IO_CREATION_FLAG_TRUNCATE)
        return both ? "w+" : "w";
    return both ? "r+" : frame->open_mode == OTF2_IO_ACCESS_MODE_WRITE_ONLY ? "w" : "r";
}

static int64_t text(struct fth_archive_reading *reading, const char *value)
{
    return *value ? fth_imported_stream_text(reading->stream, value, strlen(value)) : 0;
}

static const char *path_of_call(struct fth_archive_reading *reading,
                                const struct fth_archive_frame *frame)
{
    const struct fth_archive_file *deleted =
        fth_archive_find(&reading->archive.files, frame->deleted);
    if (frame->deleted != NOTHING && deleted)
        return fth_archive_text(&reading->archive, deleted->name);
    return frame->made == NOTHING ? "" : path_of(&reading->archive, frame->made);
}

static bool is_file(int class_index)
{
    return class_index >= 0 && fth_builtin_catalog()->classes[class_index].form == FTH_CLASS_FILE;
}

/* What a call closes is not what it works on: dup2 may close nothing. */
static uint32_t handle_for(const struct fth_archive_frame *frame, const struct fth_field *field)
{
    if (field->role == FTH_ROLE_CLOSE)
        return frame->closed;
    return frame->used != NOTHING ? frame->used : frame->closed;
}

static int64_t slot_value(struct fth_archive_reading *reading,
                          const struct fth_archive_frame *frame, const struct fth_row *row,
                          const struct fth_field *field)
{
    bool is_folder = fth_field_is_descriptor(fth_builtin_catalog(), field) &&
                     fth_field_with_role(row, FTH_ROLE_PATH) >= 0;
    if (!is_file(field->class_index))
        return slot_of_object(reading, field->class_index, frame);
    if (is_folder) /* paths are absolute */
        return FTH_SLOT_NONE;
    return slot_of_file(reading, field->class_index, handle_for(frame, field), false);
}

static int64_t message_value(const struct fth_archive_frame *frame, const struct fth_field *field)
{
    bool is_source = strcmp(field->name, "source") == 0;
    switch (field->role) {
    case FTH_ROLE_PEER:
        return known_or_absent(frame->has_message, is_source ? frame->from : frame->to);
    case FTH_ROLE_TAG:
        return known_or_absent(frame->has_message, frame->tag);
    case FTH_ROLE_ROOT:
        return known_or_absent(frame->has_collective, (int32_t)frame->root);
    default:
        return FTH_ABSENT;
    }
}

static int64_t count_value(const struct fth_archive_frame *frame)
{
    if (frame->has_moved)
        return bytes(frame->asked);
    if (frame->has_message)
        return bytes(frame->to >= 0 ? frame->sent : frame->received);
    if (frame->has_collective)
        return bytes(frame->sent > frame->received || frame->received == OTF2_UNDEFINED_UINT64
                         ? frame->sent
                         : frame->received);
    return FTH_ABSENT;
}

/* MPI has its own numbers (docs/format.md, Constants of MPI). */
static int64_t whence_of(const struct fth_archive_frame *frame, const struct fth_row *row)
{
    return fth_layer_is(row->layer, FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS) ? frame->whence
                                                                          : 600 + 2 * frame->whence;
}

static int64_t value_of(struct fth_archive_reading *reading, const struct fth_archive_frame *frame,
                        const struct fth_row *row, const struct fth_value_plan *plan)
{
    const struct fth_field *field = &row->fields[plan->field];
    switch (field->role) {
    case FTH_ROLE_USE:
    case FTH_ROLE_CLOSE:
        return plan->part == FTH_PART_SLOT ? slot_value(reading, frame, row, field) : 0;
    case FTH_ROLE_NEW:
        return plan->part == FTH_PART_SLOT && is_file(field->class_index)
                   ? slot_of_file(reading, field->class_index, frame->made, true)
               : plan->part == FTH_PART_SLOT ? FTH_SLOT_UNKNOWN
                                             : 0;
    case FTH_ROLE_PATH:
        return text(reading, path_of_call(reading, frame));
    case FTH_ROLE_STRING:
        return frame->made != NOTHING && strcmp(field->name, "mode") == 0
                   ? text(reading, mode_of(frame))
                   : 0;
    case FTH_ROLE_BYTES:
    case FTH_ROLE_IOV:
    case FTH_ROLE_ITEMS:
        return known_or_absent(frame->has_moved, bytes(frame->asked));
    case FTH_ROLE_SIZE:
        return known_or_absent(frame->has_moved, 1);
    case FTH_ROLE_COUNT:
        return plan->part == FTH_PART_ELEMENT ? 1 : count_value(frame);
    case FTH_ROLE_FLAGS:
        return flags_of(frame, field);
    case FTH_ROLE_DISTANCE:
        return known_or_absent(frame->has_sought, frame->distance);
    case FTH_ROLE_WHENCE:
        return known_or_absent(frame->has_sought, whence_of(frame, row));
    case FTH_ROLE_STATUS:
        if (plan->part == FTH_PART_MOVED)
            return known_or_absent(frame->has_moved, bytes(frame->moved));
        return known_or_absent(frame->has_message && frame->from >= 0,
                               plan->part == FTH_PART_SOURCE ? frame->from : frame->tag);
    case FTH_ROLE_PEER:
    case FTH_ROLE_TAG:
    case FTH_ROLE_ROOT:
        return message_value(frame, field);
    case FTH_ROLE_STRINGS:
    case FTH_ROLE_IN:
    case FTH_ROLE_ARGUMENT:
    case FTH_ROLE_AIO_LIST:
        return 0;
    default:
        return plan->part == FTH_PART_LIST ? 0 : FTH_ABSENT;
    }
}

static int64_t result_of(struct fth_archive_reading *reading, const struct fth_archive_frame *frame,
                         const struct fth_row *row, const struct fth_value_plan *plan)
{
    switch (row->result.role) {
    case FTH_ROLE_NEW:
        return plan->part == FTH_PART_NUMBER ? 0
               : is_file(row->result.class_index)
                   ? slot_of_file(reading, row->result.class_index, frame->made, true)
                   : FTH_SLOT_UNKNOWN;
    case FTH_ROLE_POSITION:
        return known_or_absent(frame->has_sought, frame->position);
    case FTH_ROLE_MOVED:
    case FTH_ROLE_RESULT_ITEMS:
    case FTH_ROLE_BYTE:
    case FTH_ROLE_TEXT:
    case FTH_ROLE_LINE:
        return known_or_absent(frame->has_moved, bytes(frame->moved));
    case FTH_ROLE_CODE: /* failed calls have no records */
        return 0;
    default:
        return FTH_ABSENT;
    }
}

/* ---- calls ---- */

/* Which lock or thread a call is about is unknown: threads count as not recorded. */
static bool can_be_known(const struct fth_row *row)
{
    return !fth_layer_is(row->layer, FTH_LAYER_NOTES) &&
           !fth_layer_is(row->layer, FTH_LAYER_THREADS) && !(row->flags & FTH_CALL_NONBLOCKING);
}

/* Does a parameter say how much the call is to move? Not of fputs or fgets. */
static bool says_how_much(const struct fth_row *row)
{
    static const int roles[] = {FTH_ROLE_BYTES, FTH_ROLE_IOV, FTH_ROLE_ITEMS, FTH_ROLE_SIZE,
                                FTH_ROLE_COUNT};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (fth_field_with_role(row, roles[i]) >= 0)
            return true;
    return false;
}

/* Does the archive have what makes the region a call of this function? */
static bool is_known(const struct fth_archive_frame *frame, const struct fth_row *row)
{
    bool moves = strcmp(row->kind, "read") == 0 || strcmp(row->kind, "write") == 0;
    int path = fth_field_with_role(row, FTH_ROLE_PATH);
    bool is_about_file = path < 0 && fth_field_with_file(fth_builtin_catalog(), row) >= 0;
    if (!can_be_known(row))
        return false;
    if (moves)
        return frame->has_moved && frame->moved != OTF2_UNDEFINED_UINT64 &&
               (frame->asked != OTF2_UNDEFINED_UINT64 || !says_how_much(row));
    if (strcmp(row->kind, "open") == 0 || strcmp(row->kind, "dup") == 0)
        return frame->made != NOTHING;
    if (strcmp(row->kind, "close") == 0)
        return frame->closed != NOTHING;
    if (strcmp(row->kind, "seek") == 0)
        return frame->has_sought;
    return !is_about_file || frame->used != NOTHING;
}

static void put_region(struct fth_archive_reading *reading, const char *name,
                       struct fth_imported_call *call)
{
    call->function = fth_imported_function("mark_region", strlen("mark_region"));
    int64_t values[FTH_MOST_VALUES] = {
        fth_imported_stream_text(reading->stream, name, strlen(name))};
    fth_imported_stream_call(reading->stream, call, values);
}

static void put_function(struct fth_archive_reading *reading, const struct fth_archive_frame *frame,
                         struct fth_imported_call *call)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    const struct fth_row *row = &catalog->rows[frame->region->function];
    struct fth_value_plan plan[FTH_MOST_VALUES];
    int64_t values[FTH_MOST_VALUES + 1];
    int count = fth_plan_values(catalog, row, plan);
    for (int i = 0; i < count; i++) {
        if (plan[i].field == FTH_ON_STREAM)
            values[i] = FTH_SLOT_UNKNOWN;
        else if (plan[i].field == FTH_RESULT)
            values[i] = result_of(reading, frame, row, &plan[i]);
        else
            values[i] = value_of(reading, frame, row, &plan[i]);
    }
    call->function = frame->region->function;
    fth_imported_stream_call(reading->stream, call, values);
}

static const struct fth_row *row_of(const struct fth_archive_frame *frame)
{
    bool is_function = frame->region && frame->region->function != UINT32_MAX;
    return is_function ? &fth_builtin_catalog()->rows[frame->region->function] : NULL;
}

void fth_archive_enter(struct fth_archive_reading *reading, int64_t time, uint32_t region)
{
    if (++reading->depth > MOST_DEPTH)
        return;
    reading->frames =
        fth_reach(reading->frames, &reading->frame_limit, reading->depth, sizeof *reading->frames);
    struct fth_archive_frame *frame = &reading->frames[reading->depth - 1];
    *frame =
        (struct fth_archive_frame){.region = fth_archive_find(&reading->archive.regions, region),
                                   .entered = time,
                                   .used = NOTHING,
                                   .made = NOTHING,
                                   .closed = NOTHING,
                                   .deleted = NOTHING,
                                   .comm = NOTHING,
                                   .to = -1,
                                   .from = -1};
}

/* Flags of a call inside the frames below it: of a layer, and of files. */
static uint32_t flags_below(const struct fth_archive_reading *reading, const struct fth_row *row)
{
    uint32_t flags = 0;
    for (uint32_t i = 0; i + 1 < reading->depth; i++) {
        const struct fth_row *outer = row_of(&reading->frames[i]);
        if (outer && !can_be_known(outer))
            outer = NULL;
        flags |= fth_imported_flags_inside(row, outer);
    }
    return flags;
}

void fth_archive_leave(struct fth_archive_reading *reading, int64_t time)
{
    if (!reading->depth)
        return;
    if (reading->depth > MOST_DEPTH) {
        reading->depth--;
        return;
    }
    const struct fth_archive_frame *frame = &reading->frames[reading->depth - 1];
    const struct fth_row *row = row_of(frame);
    bool is_function = row && is_known(frame, row);
    struct fth_imported_call call = {.depth = reading->depth - 1,
                                     .flags = flags_below(reading, is_function ? row : NULL),
                                     .holds = frame->holds,
                                     .entry = fth_imported_ticks(reading->run, frame->entered),
                                     .exit = fth_imported_ticks(reading->run, time)};
    fth_imported_stream_begin(reading->stream);
    if (is_function)
        put_function(reading, frame, &call);
    else
        put_region(reading, frame->region ? frame->region->name : "a region without a name", &call);
    reading->without_record += row && !is_function;
    reading->imported->calls++;
    reading->depth--;
    if (reading->depth)
        reading->frames[reading->depth - 1].holds = true;
}
#endif
