/* Accesses of DXT become calls: see the header. DXT does not say which function was called. Of
 * POSIX it is shown as pread and pwrite, whose parameters are what DXT has. Of MPI-IO it is an
 * independent or a collective call where the counters of the file have only such ones; else it is
 * a region, because it is not known which. An access of POSIX that lies within one of MPI-IO, of
 * the same rank and file, was made in it. Accesses that overlap otherwise are those of threads, and
 * go to streams of their own. */
#include "import/darshan/darshan_calls.h"

#include "base/memory.h"
#include "trace/record/builtin.h"
#include "trace/record/spill.h"
#include "trace/state/state.h"

#include <string.h>

enum { MOST_THREADS = 1024 };

/* With what calls a file was read or written by MPI-IO, all ranks together. */
enum how { HOW_UNKNOWN, HOW_INDEPENDENT, HOW_COLLECTIVE };

/* A thread that the accesses of a rank need. */
struct lane {
    struct fth_imported_stream *stream;
    const struct fth_darshan_access *outer; /* of MPI-IO; it is put behind those in it */
    bool holds;
    int64_t end; /* of the last access at its depth */
    struct fth_intern bound;
};

struct making {
    struct fth_darshan_log *log;
    struct fth_imported_run *run;
    struct fth_imported *imported;
    struct fth_darshan_doubts *doubts;
    enum how *how; /* of each file: reads, writes */
    /* the rank at hand */
    struct fth_imported_process process;
    struct lane *lanes;
    size_t lane_count;
    int64_t *slots; /* of each file, plus 1, for both classes; 0: none yet */
    int64_t next_slot;
};

/* ---- how ---- */

static enum how how_of(const int64_t *counters, enum fth_darshan_counter independent,
                       enum fth_darshan_counter collective, enum fth_darshan_counter split,
                       enum fth_darshan_counter nonblocking)
{
    if (counters[split] > 0 || counters[nonblocking] > 0)
        return HOW_UNKNOWN;
    if (counters[independent] > 0)
        return counters[collective] > 0 ? HOW_UNKNOWN : HOW_INDEPENDENT;
    return counters[collective] > 0 ? HOW_COLLECTIVE : HOW_UNKNOWN;
}

/* Records of a file add up: of each rank, or of all. */
static void find_how(struct making *making)
{
    const struct fth_darshan_log *log = making->log;
    struct fth_darshan_record *sums = fth_new(log->file_count + 1, sizeof *sums);
    for (size_t i = 0; i < log->record_count; i++) {
        const struct fth_darshan_record *record = &log->records[i];
        for (int c = 0;
             record->module == FTH_DARSHAN_MPIIO && record->file >= 0 && c < FTH_DARSHAN_COUNTERS;
             c++)
            sums[record->file].counters[c] |= record->counters[c] > 0;
    }
    making->how = fth_new(2 * log->file_count + 1, sizeof *making->how);
    for (size_t i = 0; i < log->file_count; i++) {
        making->how[2 * i] =
            how_of(sums[i].counters, FTH_DARSHAN_READS, FTH_DARSHAN_COLLECTIVE_READS,
                   FTH_DARSHAN_SPLIT_READS, FTH_DARSHAN_NONBLOCKING_READS);
        making->how[2 * i + 1] =
            how_of(sums[i].counters, FTH_DARSHAN_WRITES, FTH_DARSHAN_COLLECTIVE_WRITES,
                   FTH_DARSHAN_SPLIT_WRITES, FTH_DARSHAN_NONBLOCKING_WRITES);
    }
    free(sums);
}

/* NULL: a region. */
static const char *name_of(const struct making *making, const struct fth_darshan_access *access)
{
    enum how how = access->file < 0 ? HOW_UNKNOWN : making->how[2 * access->file + access->writes];
    if (!access->is_mpi)
        return access->writes ? "pwrite" : "pread";
    if (how == HOW_COLLECTIVE)
        return access->writes ? "MPI_File_write_at_all" : "MPI_File_read_at_all";
    if (how == HOW_INDEPENDENT)
        return access->writes ? "MPI_File_write_at" : "MPI_File_read_at";
    return NULL;
}

/* ---- calls ---- */

static int64_t slot_of(struct making *making, struct lane *lane, const char *class, int32_t file)
{
    const int64_t key[] = {*class, file};
    if (file < 0)
        return FTH_SLOT_UNKNOWN;
    if (!making->slots[file])
        making->slots[file] = ++making->next_slot;
    int64_t slot = making->slots[file] - 1;
    uint32_t known = lane->bound.count;
    if (slot >= FTH_SLOT_LIMIT)
        return FTH_SLOT_UNKNOWN;
    if (fth_intern(&lane->bound, key, sizeof key) == known)
        fth_imported_stream_bind(lane->stream, class, slot, 0, making->log->files[file],
                                 strlen(making->log->files[file]));
    return slot;
}

static int64_t value_of(struct making *making, struct lane *lane,
                        const struct fth_darshan_access *access, const struct fth_row *row,
                        const struct fth_value_plan *plan)
{
    const struct fth_field *field = &row->fields[plan->field];
    switch (field->role) {
    case FTH_ROLE_USE:
        if (field->class_index >= 0 &&
            fth_builtin_catalog()->classes[field->class_index].form == FTH_CLASS_FILE)
            return slot_of(making, lane, access->is_mpi ? "mpi_file" : "fd", access->file);
        return FTH_SLOT_UNKNOWN;
    case FTH_ROLE_BYTES:
        return access->bytes;
    case FTH_ROLE_COUNT:
        return plan->part == FTH_PART_ELEMENT ? 1 : access->bytes;
    case FTH_ROLE_STATUS:
        return plan->part == FTH_PART_MOVED ? access->bytes : FTH_ABSENT;
    case FTH_ROLE_OFFSET:
        return access->is_mpi ? FTH_ABSENT : access->offset;
    default:
        return FTH_ABSENT;
    }
}

static void put_function(struct making *making, struct lane *lane,
                         const struct fth_darshan_access *access, const char *name,
                         struct fth_imported_call *call)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    struct fth_value_plan plan[FTH_MOST_VALUES];
    int64_t values[FTH_MOST_VALUES];
    call->function = fth_imported_function(name, strlen(name));
    const struct fth_row *row = &catalog->rows[call->function];
    int count = fth_plan_values(catalog, row, plan);
    for (int i = 0; i < count; i++) {
        if (plan[i].field == FTH_RESULT)
            values[i] = access->is_mpi ? 0 : access->bytes;
        else
            values[i] = value_of(making, lane, access, row, &plan[i]);
    }
    fth_imported_stream_call(lane->stream, call, values);
}

static void put_region(struct lane *lane, const struct fth_darshan_access *access,
                       struct fth_imported_call *call)
{
    const char *name = access->writes ? "a write of MPI-IO" : "a read of MPI-IO";
    call->function = fth_imported_function("mark_region", strlen("mark_region"));
    int64_t values[FTH_MOST_VALUES] = {fth_imported_stream_text(lane->stream, name, strlen(name))};
    fth_imported_stream_call(lane->stream, call, values);
}

static uint64_t ticks(const struct making *making, int64_t time)
{
    return fth_imported_ticks(making->run, making->run->start + time);
}

static void put(struct making *making, struct lane *lane, const struct fth_darshan_access *access,
                bool holds)
{
    const char *name = name_of(making, access),
               *outer = lane->outer && lane->outer != access ? name_of(making, lane->outer) : NULL;
    bool is_inside = lane->outer && lane->outer != access;
    struct fth_imported_call call = {.depth = is_inside,
                                     .holds = holds,
                                     .entry = ticks(making, access->start),
                                     .exit = ticks(making, access->end)};
    if (outer)
        call.flags = FTH_INSIDE_FILE_CALL | FTH_INSIDE_UNBUFFERED_CALL;
    fth_imported_stream_begin(lane->stream);
    if (name)
        put_function(making, lane, access, name, &call);
    else
        put_region(lane, access, &call);
    making->doubts->regions += !name;
    making->imported->calls++;
}

/* ---- threads ---- */

static void end_outer(struct making *making, struct lane *lane)
{
    const struct fth_darshan_access *outer = lane->outer;
    if (!outer)
        return;
    put(making, lane, outer, lane->holds);
    lane->outer = NULL;
    lane->end = outer->end;
}

static bool lies_in(const struct fth_darshan_access *access, const struct lane *lane)
{
    const struct fth_darshan_access *outer = lane->outer;
    return outer && !access->is_mpi && access->file == outer->file && access->file >= 0 &&
           access->end <= outer->end && access->start >= lane->end;
}

/* NULL: too many. */
static struct lane *lane_for(struct making *making, const struct fth_darshan_access *access)
{
    for (size_t i = 0; i < making->lane_count; i++)
        if (lies_in(access, &making->lanes[i]))
            return &making->lanes[i];
    for (size_t i = 0; i < making->lane_count; i++) {
        struct lane *lane = &making->lanes[i];
        if (lane->outer && lane->outer->end <= access->start)
            end_outer(making, lane);
        if (!lane->outer && lane->end <= access->start)
            return lane;
    }
    if (making->lane_count == MOST_THREADS)
        return NULL;
    FTH_GROW(making->lanes, making->lane_count);
    struct lane *lane = &making->lanes[making->lane_count++];
    *lane = (struct lane){.stream = fth_imported_thread(making->run, &making->process,
                                                        making->process.pid, making->run->start)};
    return lane;
}

static bool place(struct making *making, const struct fth_darshan_access *access)
{
    struct lane *lane = lane_for(making, access);
    if (!lane)
        return false;
    if (access->is_mpi) {
        lane->outer = access;
        lane->holds = false;
        lane->end = access->start;
        return true;
    }
    put(making, lane, access, false);
    lane->holds = lane->outer;
    lane->end = access->end;
    return true;
}

/* ---- ranks ---- */

static void begin_rank(struct making *making, int64_t rank)
{
    const struct fth_darshan_log *log = making->log;
    int64_t pid = rank + 1;
    bool is_parallel = log->processes > 1 || log->has[FTH_DARSHAN_MPIIO];
    making->process = (struct fth_imported_process){
        .image = fth_imported_image(making->run, pid),
        .pid = pid,
        .start = making->run->start,
        .last = making->run->end,
        .ended = FTH_END_NOT_KNOWN,
        .rank = is_parallel ? rank : -1,
        .size = is_parallel ? log->processes : -1,
        .world = is_parallel,
        .host = fth_text_copy(log->hosts[rank] ? log->hosts[rank] : "unknown"),
        .exe = fth_text_copy(making->imported->command.length
                                 ? (const char *)making->imported->command.data
                                 : "unknown")};
    fth_bytes_put(&making->process.arguments, making->imported->command.data,
                  making->imported->command.length);
}

/* `accesses`: those of the rank. */
static void end_rank(struct making *making, const struct fth_darshan_access *accesses, size_t count)
{
    for (size_t i = 0; i < making->lane_count; i++) {
        end_outer(making, &making->lanes[i]);
        fth_imported_stream_close(making->lanes[i].stream);
        fth_intern_free(&making->lanes[i].bound);
    }
    making->doubts->overlaps += making->lane_count > 1;
    free(making->lanes);
    making->lanes = NULL;
    making->lane_count = 0;
    for (size_t i = 0; i < count; i++)
        if (accesses[i].file >= 0)
            making->slots[accesses[i].file] = 0;
    making->next_slot = 0;
    fth_imported_process_close(making->run, &making->process);
}

/* An access before what may lie within it. */
static int by_time(const void *one, const void *other)
{
    const struct fth_darshan_access *a = one, *b = other;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->is_mpi != b->is_mpi)
        return a->is_mpi ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return (a->file > b->file) - (a->file < b->file);
}

int fth_darshan_make_calls(const char *path, struct fth_darshan_log *log,
                           struct fth_imported_run *run, struct fth_imported *imported,
                           struct fth_darshan_doubts *doubts, struct fth_error **error)
{
    struct making making = {.log = log, .run = run, .imported = imported, .doubts = doubts};
    size_t at = 0;
    int result = 0;
    if (log->access_count)
        qsort(log->accesses, log->access_count, sizeof *log->accesses, by_time);
    find_how(&making);
    making.slots = fth_new(log->file_count + 1, sizeof *making.slots);
    for (int64_t rank = 0; !result && !run->folder.failed && rank < log->processes; rank++) {
        size_t first = at;
        begin_rank(&making, rank);
        for (; !result && at < log->access_count && log->accesses[at].rank == rank; at++)
            if (!place(&making, &log->accesses[at]))
                result = fth_fail(error,
                                  "cannot read '%s': more than %d accesses of rank %lld were made "
                                  "at a time",
                                  path, MOST_THREADS, (long long)rank);
        end_rank(&making, &log->accesses[first], at - first);
    }
    free(making.how);
    free(making.slots);
    return result || run->folder.failed ? -1 : 0;
}
