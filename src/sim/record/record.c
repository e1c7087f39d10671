/* Notes what a simulated run does, call by call: see the header. What of a call is kept:
 * record_values.c; from calls to a file: record_write.c. */
#include "sim/record/recorder_state.h"

#include "base/memory.h"
#include "trace/record/builtin.h"
#include "sim/program/program_files.h"

#include <stdio.h>
#include <string.h>

enum { UNDEFINED = -32766 }; /* the color of who is in no communicator */

/* ---- handles ---- */

static bool is_open(enum fth_sim_verb verb)
{
    return verb == FTH_SIM_FILE_OPEN || verb == FTH_SIM_FILE_OPEN_ALL;
}

static bool is_close(enum fth_sim_verb verb)
{
    return verb == FTH_SIM_FILE_CLOSE || verb == FTH_SIM_FILE_CLOSE_ALL;
}

/* Files that were opened together may be accessed by one alone. */
static struct open_file *find_file(struct track *track, const struct fth_sim_command *command)
{
    for (uint32_t i = 0; i < track->file_count; i++) {
        struct open_file *file = &track->files[i];
        if (file->is_open && file->file == command->file &&
            (!is_close(command->verb) || file->is_mpi == fth_sim_is_collective_file(command->verb)))
            return file;
    }
    return NULL;
}

/* What one process does with a file that was opened together. */
static const char *function_alone(enum fth_sim_verb verb)
{
    return verb == FTH_SIM_FILE_READ    ? "MPI_File_read_at"
           : verb == FTH_SIM_FILE_WRITE ? "MPI_File_write_at"
           : verb == FTH_SIM_FILE_SYNC  ? "MPI_File_sync"
                                        : NULL;
}

/* The smallest slot of its kind that is free. */
static struct open_file *open_file(struct track *track, const struct fth_sim_command *command)
{
    bool is_mpi = fth_sim_is_collective_file(command->verb);
    struct open_file *file = NULL;
    uint32_t slot = 0;
    for (uint32_t i = 0; i < track->file_count && !file; i++) {
        if (track->files[i].is_mpi != is_mpi)
            continue;
        if (!track->files[i].is_open)
            file = &track->files[i];
        else
            slot++;
    }
    if (!file) {
        FTH_GROW(track->files, track->file_count);
        file = &track->files[track->file_count++];
        file->slot = slot;
    }
    *file = (struct open_file){command->file, file->slot, true, is_mpi, 0};
    return file;
}

static uint32_t new_request(void *context, uint32_t rank)
{
    struct track *track = &((struct fth_sim_recorder *)context)->tracks[rank];
    uint32_t slot = 0;
    while (slot < track->request_count && track->requests[slot].is_used)
        slot++;
    if (slot == track->request_count) {
        FTH_GROW(track->requests, track->request_count);
        track->request_count++;
    }
    track->requests[slot] = (struct request){.is_used = true};
    return slot;
}

/* ---- what happens ---- */

static void note(struct fth_sim_recorder *recorder, uint32_t rank, struct call *call, int64_t begin,
                 int64_t end)
{
    struct track *track = &recorder->tracks[rank];
    call->rank = rank;
    uint32_t signature = fth_sim_make_signature(recorder, call);
    if (signature == UINT32_MAX)
        return;
    bool reads =
        call->command.verb == FTH_SIM_FILE_READ || call->command.verb == FTH_SIM_FILE_READ_ALL;
    bool writes =
        call->command.verb == FTH_SIM_FILE_WRITE || call->command.verb == FTH_SIM_FILE_WRITE_ALL;
    FTH_GROW(track->calls, track->call_count);
    track->calls[track->call_count++] = (struct noted){.signature = signature,
                                                       .reads = reads,
                                                       .writes = writes,
                                                       .path = call->path,
                                                       .bytes = call->bytes,
                                                       .begin = begin,
                                                       .end = end};
}

/* From here on calls on the handle are about this file. */
static void note_binding(struct fth_sim_recorder *recorder, uint32_t rank, const struct call *call,
                         int64_t now)
{
    const struct open_file *file = call->file;
    struct track *track = &recorder->tracks[rank];
    const char *class = file->is_mpi ? "mpi_file" : "fd";
    struct made_signature made = {.function = fth_sim_find_function(recorder, "fathom_bind"),
                                  .count = 4};
    made.values[0] = fth_part_module(&recorder->part, class, strlen(class));
    made.values[1] = file->slot;
    made.values[2] = file->is_mpi ? 0 : FTH_SIM_FIRST_DESCRIPTOR;
    made.values[3] = fth_part_module(&recorder->part, call->path, strlen(call->path));
    FTH_GROW(track->calls, track->call_count);
    track->calls[track->call_count++] =
        (struct noted){.signature = fth_intern(&recorder->signatures, &made,
                                               offsetof(struct made_signature, values) +
                                                   (size_t)made.count * sizeof *made.values),
                       .is_binding = true,
                       .begin = now,
                       .end = now};
    track->binding_count++;
}

/* A wait for several requests is one after the other, as they were over. */
static void note_waits(struct fth_sim_recorder *recorder, uint32_t rank, int64_t since)
{
    struct track *track = &recorder->tracks[rank];
    for (uint32_t i = 0; i < track->completed_count; i++) {
        const struct completed *completed = &track->completed[i];
        struct call call = {.function = "MPI_Wait",
                            .number = completed->slot,
                            .source = completed->source,
                            .tag = completed->tag};
        int64_t end = completed->time > since ? completed->time : since;
        note(recorder, rank, &call, since, end);
        since = end;
    }
    track->completed_count = 0;
}

static bool is_without_request(const struct call *call)
{
    enum fth_sim_verb verb = call->command.verb;
    if (!fth_sim_has_function(verb))
        return true;
    return fth_sim_works_with_file(verb) && !fth_sim_is_collective_file(verb) &&
           !(call->file && call->file->is_mpi);
}

/* Who begins to receive does not know yet how much: it is put in when it has come. */
static void completed(void *context, uint32_t rank, const struct fth_sim_watched *watched)
{
    struct fth_sim_recorder *recorder = context;
    struct track *track = &recorder->tracks[rank];
    struct request *request = &track->requests[watched->number];
    bool receives = watched->command->verb == FTH_SIM_RECV;
    if (receives && request->call.bytes == 0 && request->noted) {
        request->call.bytes = watched->received;
        track->calls[request->noted - 1].signature =
            fth_sim_make_signature(recorder, &request->call);
    }
    request->is_used = false;
    if (is_without_request(&request->call))
        return; /* nothing waits for it by a request of MPI */
    FTH_GROW(track->completed, track->completed_count);
    track->completed[track->completed_count++] = (struct completed){
        watched->number, watched->now, receives ? (int64_t)watched->source : FTH_ABSENT,
        receives ? (int64_t)watched->tag : FTH_ABSENT};
}

static void note_file(struct fth_sim_recorder *recorder, struct track *track, struct call *call)
{
    const struct fth_sim_command *command = &call->command;
    call->path = recorder->paths[command->file];
    call->bytes = fth_sim_ranges_total(&command->ranges);
    call->offset = fth_sim_range(&command->ranges, 0).offset;
    call->file = is_open(command->verb) ? open_file(track, command) : find_file(track, command);
    if (call->file && call->file->is_mpi)
        call->function = function_alone(command->verb);
    if (is_close(command->verb) && call->file)
        call->file->is_open = false;
}

/* Every rank has one window, of all processes, which is always open: a put is over when it is
 * flushed. */
static void note_one_sided(struct fth_sim_recorder *recorder, uint32_t rank, struct call *call,
                           const struct fth_sim_watched *watched)
{
    const struct fth_sim_command *command = &call->command;
    uint32_t peer = command->verb == FTH_SIM_PUT ? command->to : command->from;
    call->target = peer;
    if (command->communicator) {
        const struct fth_sim_communicator *group =
            &recorder->program->communicators[command->communicator - 1];
        call->target = group->members[group->first[rank] + peer];
    }
    recorder->has_window = true;
    note(recorder, rank, call, watched->since, command->request ? watched->now : watched->since);
    if (command->request)
        return;
    struct call flush = {.function = "MPI_Win_flush", .command = *command, .target = call->target};
    note(recorder, rank, &flush, watched->since, watched->now);
}

/* What comes from each rank, those from which nothing does among them. The largest part decides
 * which function there is for it. */
static void note_parts(struct fth_sim_recorder *recorder, uint32_t rank, struct call *call)
{
    const struct fth_sim_command *command = &call->command;
    const struct fth_sim_ranges *ranges = &command->ranges;
    uint32_t ranks = command->communicator
                         ? recorder->program->communicators[command->communicator - 1].size[rank]
                         : recorder->program->ranks;
    struct fth_bytes list = {0};
    uint64_t at = 0;
    call->bytes = 0;
    for (uint32_t i = 0; i < ranks; i++) {
        bool is_there = at < ranges->count && ranges->list[at].offset == i;
        uint64_t bytes = is_there ? ranges->list[at++].bytes : 0;
        call->bytes = bytes > call->bytes ? bytes : call->bytes;
        fth_bytes_signed(&list, (int64_t)bytes);
    }
    call->parts = (int64_t)fth_part_module(&recorder->part, list.data, list.length);
    fth_bytes_free(&list);
}

/* What one process does with many ranges is as many calls, which share the time evenly. */
static void note_ranges(struct fth_sim_recorder *recorder, uint32_t rank, struct call *call,
                        const struct fth_sim_watched *watched)
{
    const struct fth_sim_ranges *ranges = &call->command.ranges;
    int64_t time = watched->now - watched->since, begin = watched->since;
    for (uint64_t i = 0; i < ranges->count; i++) {
        struct fth_sim_extent range = fth_sim_range(ranges, i);
        int64_t end = watched->since + (int64_t)((__int128)time * (i + 1) / ranges->count);
        call->offset = range.offset;
        call->bytes = range.bytes;
        note(recorder, rank, call, begin, end);
        begin = end;
    }
}

static bool has_many_ranges(const struct fth_sim_command *command)
{
    enum { MOST = 1 << 20 };
    return (command->verb == FTH_SIM_FILE_READ || command->verb == FTH_SIM_FILE_WRITE) &&
           !command->request && command->ranges.count > 1 && command->ranges.count <= MOST;
}

static void over(void *context, uint32_t rank, const struct fth_sim_watched *watched)
{
    struct fth_sim_recorder *recorder = context;
    struct track *track = &recorder->tracks[rank];
    const struct fth_sim_command *command = watched->command;
    struct call call = {.command = *command,
                        .number = watched->number,
                        .bytes = command->bytes,
                        .received = watched->received,
                        .source = watched->source,
                        .tag = watched->tag};
    if (command->verb == FTH_SIM_WAIT || command->verb == FTH_SIM_WAITANY ||
        command->verb == FTH_SIM_TEST) {
        note_waits(recorder, rank, watched->since);
        return;
    }
    if (command->verb == FTH_SIM_RECV && !command->request)
        call.bytes = watched->received;
    if (command->verb >= FTH_SIM_FILE_OPEN)
        note_file(recorder, track, &call);
    if (command->verb == FTH_SIM_ALLTOALLV)
        note_parts(recorder, rank, &call);
    if (fth_sim_is_one_sided(command->verb))
        note_one_sided(recorder, rank, &call, watched);
    else if (has_many_ranges(command))
        note_ranges(recorder, rank, &call, watched);
    else
        note(recorder, rank, &call, watched->since, watched->now);
    if (command->request) {
        track->requests[watched->number].call = call;
        track->requests[watched->number].noted = track->call_count;
    }
    if (is_open(command->verb) && call.file)
        note_binding(recorder, rank, &call, watched->now);
}

/* Before everything else: MPI_Init, and the communicators, which cost nothing. */
static void note_start(struct fth_sim_recorder *recorder, uint32_t rank)
{
    struct call init = {.function = "MPI_Init"};
    note(recorder, rank, &init, 0, 0);
    for (uint32_t i = 0; i < recorder->program->communicator_count; i++) {
        const struct fth_sim_communicator *group = &recorder->program->communicators[i];
        bool is_in = group->size[rank] > 0;
        struct call split = {.function = "MPI_Comm_split",
                             .color = is_in ? (int64_t)group->first[rank] : UNDEFINED,
                             .key = group->rank[rank],
                             .new_communicator =
                                 is_in ? fth_sim_slot_of_communicator(recorder, rank, i + 1)
                                       : FTH_SLOT_NONE};
        note(recorder, rank, &split, 0, 0);
    }
}

/* Files of a program are in the root of the simulated file system. */
static char *path_of(const struct fth_sim_file *file)
{
    char *path;
    path = fth_text_format("%s%s", *file->name == '/' ? "" : "/", file->name);
    return path;
}

struct fth_sim_recorder *fth_sim_recorder_new(struct fth_sim_world *world,
                                              const struct fth_sim_program *program)
{
    struct fth_sim_recorder *recorder = fth_new(1, sizeof *recorder);
    recorder->world = world;
    recorder->program = program;
    recorder->tracks = fth_new(program->ranks, sizeof *recorder->tracks);
    recorder->paths = fth_new((size_t)program->file_count + 1, sizeof *recorder->paths);
    for (uint32_t i = 0; i < program->file_count; i++)
        recorder->paths[i] = path_of(&program->files[i]);
    fth_part_init(&recorder->part, fth_builtin_catalog());
    for (size_t i = 0; i < recorder->part.catalog->row_count; i++) {
        const char *name = recorder->part.catalog->rows[i].name;
        fth_intern(&recorder->names, name, strlen(name));
    }
    for (uint32_t rank = 0; rank < program->ranks; rank++)
        note_start(recorder, rank);
    fth_sim_world_watch(world, &(struct fth_sim_watch){recorder, new_request, completed, over});
    return recorder;
}

void fth_sim_recorder_free(struct fth_sim_recorder *recorder)
{
    if (!recorder)
        return;
    for (uint32_t rank = 0; rank < recorder->program->ranks; rank++) {
        free(recorder->tracks[rank].calls);
        free(recorder->tracks[rank].files);
        free(recorder->tracks[rank].requests);
        free(recorder->tracks[rank].completed);
    }
    for (uint32_t i = 0; i < recorder->program->file_count; i++)
        free(recorder->paths[i]);
    free(recorder->paths);
    free(recorder->tracks);
    fth_intern_free(&recorder->names);
    fth_intern_free(&recorder->signatures);
    fth_part_free(&recorder->part);
    free(recorder);
}
