/* From the calls of a simulated run to a trace, process by process. */
#include "sim/record/recorder_state.h"

#include "base/json.h"
#include "base/memory.h"
#include "sim/world/world.h"
#include "trace/columns/columns.h"
#include "trace/file/part_grammars.h"
#include "trace/grammar/grammar.h"
#include "trace/record/builtin.h"

#define XXH_INLINE_ALL
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { GRAMMAR_NODES = 4096, NOTES = 3 };

/* What is used again for each process. */
struct writing {
    struct fth_sim_recorder *recorder;
    struct fth_grammar *grammar;
    struct fth_columns columns;
    struct fth_bytes blocks, grammar_bytes;
    uint32_t *terminals; /* by signature of the recorder: number in the process + 1 */
    struct fth_signature notes[NOTES];
    int file;
    uint64_t at;
    const char *path, *name;
    bool *used;
};

static struct fth_signature make_note(struct fth_sim_recorder *recorder, const char *class,
                                      const char *name)
{
    struct fth_signature note = {.function = fth_sim_find_function(recorder, "fathom_bind"),
                                 .count = 4};
    note.values[0] = fth_part_module(&recorder->part, class, strlen(class));
    note.values[3] = fth_part_module(&recorder->part, name, strlen(name));
    return note;
}

/* The number of a signature in the process; NOTES come first. */
static uint32_t terminal_of(struct writing *writing, struct fth_part_process *process,
                            uint32_t signature)
{
    struct made_signature made;
    size_t length;
    if (writing->terminals[signature])
        return writing->terminals[signature] - 1;
    const uint8_t *bytes = fth_interned(&writing->recorder->signatures, signature, &length);
    memcpy(&made, bytes, length);
    FTH_GROW(process->signatures, process->signature_count);
    struct fth_signature *to = &process->signatures[process->signature_count];
    *to = (struct fth_signature){.function = made.function, .count = (unsigned)made.count};
    memcpy(to->values, made.values, (size_t)made.count * sizeof *made.values);
    writing->terminals[signature] = ++process->signature_count;
    return process->signature_count - 1;
}

static void forget_terminals(struct writing *writing, const struct track *track)
{
    for (uint32_t i = 0; i < track->call_count; i++)
        writing->terminals[track->calls[i].signature] = 0;
}

static void end_piece(struct writing *writing, struct fth_track *track)
{
    struct fth_grammar *grammar = writing->grammar;
    uint64_t calls = fth_grammar_length(grammar);
    if (!calls)
        return;
    fth_grammar_finish(grammar);
    writing->grammar_bytes.length = 0;
    uint8_t *bytes = fth_bytes_room(&writing->grammar_bytes, fth_grammar_write_bound(grammar));
    size_t length = (size_t)(fth_grammar_write(grammar, bytes) - bytes);
    FTH_GROW(track->pieces, track->piece_count);
    track->pieces[track->piece_count++] = (struct fth_piece){
        .grammar = fth_part_grammar(&writing->recorder->part, bytes, length), .calls = calls};
    fth_grammar_reset(grammar);
}

/* A call at `begin`, behind one that ended at `before`. */
static void put_call(struct writing *writing, const struct fth_part_process *process,
                     struct fth_track *track, uint32_t terminal, int64_t before, int64_t begin,
                     int64_t end)
{
    if (writing->columns.times.calls == 0) {
        FTH_GROW(track->blocks, track->block_count);
        track->blocks[track->block_count++] = (struct fth_block){.base = (uint64_t)before};
    }
    fth_grammar_append(writing->grammar, terminal);
    if (fth_grammar_full(writing->grammar))
        end_piece(writing, track);
    uint32_t function = process->signatures[terminal].function;
    fth_times_call(&writing->columns.times, (struct fth_time_keys){function, terminal},
                   (uint64_t)(begin - before), (uint64_t)(end - begin));
    struct fth_block *block = &track->blocks[track->block_count - 1];
    if (++block->calls == FTH_BLOCK_CALLS)
        fth_columns_pack(&writing->columns, &writing->blocks, block);
}

static void add_sum(struct fth_part_process *process, uint32_t function, const struct noted *call)
{
    size_t i = 0;
    uint64_t time = (uint64_t)(call->end - call->begin);
    while (i < process->sum_count && process->sums[i].function != function)
        i++;
    if (i == process->sum_count) {
        FTH_GROW(process->sums, process->sum_count);
        process->sums[process->sum_count++] =
            (struct fth_sum){.function = function, .shortest = time};
    }
    struct fth_sum *sum = &process->sums[i];
    sum->calls++;
    sum->bytes_read += call->reads ? call->bytes : 0;
    sum->bytes_written += call->writes ? call->bytes : 0;
    sum->time += time;
    sum->shortest = time < sum->shortest ? time : sum->shortest;
    sum->longest = time > sum->longest ? time : sum->longest;
}

static void add_path_sum(const struct writing *writing, struct fth_part_process *process,
                         uint32_t function, const struct noted *call)
{
    const char *kind = writing->recorder->part.catalog->rows[function].kind;
    uint32_t path = fth_intern(&process->texts, call->path, strlen(call->path));
    size_t i = 0;
    while (i < process->path_count && process->paths[i].path != path)
        i++;
    if (i == process->path_count) {
        FTH_GROW(process->paths, process->path_count);
        process->paths[process->path_count++] = (struct fth_path_sum){.path = path};
    }
    struct fth_path_sum *sum = &process->paths[i];
    sum->opens += !strcmp(kind, "open");
    sum->calls++;
    sum->bytes_read += call->reads ? call->bytes : 0;
    sum->bytes_written += call->writes ? call->bytes : 0;
    sum->time += (uint64_t)(call->end - call->begin);
}

static void put_calls(struct writing *writing, uint32_t rank, struct fth_part_process *process)
{
    const struct track *noted = &writing->recorder->tracks[rank];
    struct fth_track *track = process->tracks;
    int64_t before = 0;
    for (uint32_t i = 0; i < NOTES; i++)
        put_call(writing, process, track, i, 0, 0, 0);
    for (uint32_t i = 0; i < noted->call_count; i++) {
        const struct noted *call = &noted->calls[i];
        uint32_t terminal = terminal_of(writing, process, call->signature);
        uint32_t function = process->signatures[terminal].function;
        put_call(writing, process, track, terminal, before, call->begin, call->end);
        if (!call->is_binding)
            add_sum(process, function, call);
        if (call->path)
            add_path_sum(writing, process, function, call);
        before = call->end;
    }
    end_piece(writing, track);
    if (writing->columns.times.calls)
        fth_columns_pack(&writing->columns, &writing->blocks,
                         &track->blocks[track->block_count - 1]);
    fth_times_forget(&writing->columns.times);
    forget_terminals(writing, noted);
}

static void describe(const struct writing *writing, uint32_t rank, struct fth_part_process *process)
{
    const struct fth_sim_world *world = writing->recorder->world;
    int64_t end = fth_sim_world_end(world, rank, NULL, 0);
    char host[32];
    snprintf(host, sizeof host, "node%u", fth_sim_world_node(world, rank));
    process->facts =
        (struct fth_facts){.image = rank + 1,
                           .world = 1,
                           .pid = (int64_t)rank + 1,
                           .rank = rank,
                           .size = writing->recorder->program->ranks,
                           .last_ticks = (uint64_t)(end < 0 ? fth_sim_world_time(world) : end),
                           .rate_ticks = 1,
                           .rate_ns = 1,
                           .quantum = 1,
                           .ended = end < 0 ? 0 : 1,
                           .host = fth_text_copy(host),
                           .exe = fth_text_copy(writing->name),
                           .directory = fth_text_copy("/"),
                           .mpi = fth_text_copy("openmpi Fathom's simulator")};
}

static int write_bytes(struct writing *writing, const struct fth_bytes *bytes,
                       struct fth_error **error)
{
    int result =
        fth_write_at(writing->file, bytes->data, bytes->length, writing->at, writing->path, error);
    writing->at += bytes->length;
    return result;
}

/* `facts`: how many bytes at the end are the facts of a process. */
static int write_section(struct writing *writing, enum fth_section_kind kind, uint32_t process,
                         const struct fth_bytes *bytes, size_t facts, struct fth_error **error)
{
    struct fth_section section = {
        .kind = kind, .process = process, .stored = bytes->length, .raw = bytes->length - facts};
    struct fth_bytes head = {0};
    fth_section_seal(&section, XXH64(bytes->data, bytes->length, kind));
    fth_bytes_put(&head, &section, sizeof section);
    int result = write_bytes(writing, &head, error) || write_bytes(writing, bytes, error) ? -1 : 0;
    fth_bytes_free(&head);
    return result;
}

static int write_process(struct writing *writing, uint32_t rank, struct fth_error **error)
{
    struct fth_part_process process = {0};
    describe(writing, rank, &process);
    process.tracks = fth_new(1, sizeof *process.tracks);
    process.track_count = 1;
    process.tracks[0].tid = (int64_t)rank + 1;
    for (uint32_t i = 0; i < NOTES; i++) {
        FTH_GROW(process.signatures, process.signature_count);
        process.signatures[process.signature_count++] = writing->notes[i];
    }
    writing->blocks.length = 0;
    put_calls(writing, rank, &process);
    process.frame_bytes = writing->blocks.length;
    const struct track *track = &writing->recorder->tracks[rank];
    process.calls = track->call_count - track->binding_count;
    fth_part_add(&writing->recorder->part, &process, &writing->blocks);
    int result = write_section(writing, FTH_SECTION_PROCESS, rank, &writing->blocks,
                               writing->blocks.length - process.frame_bytes, error);
    fth_part_process_free(&process);
    return result;
}

/* What `fathom info` says of the run. */
static void put_meta(struct fth_bytes *bytes, const struct writing *writing)
{
    struct fth_sink sink;
    struct fth_json json;
    fth_sink_open_memory(&sink);
    fth_json_open(&json, &sink, 0);
    fth_json_begin_object(&json);
    fth_json_key(&json, "command");
    fth_json_begin_array(&json);
    fth_json_text(&json, writing->name);
    fth_json_end_array(&json);
    fth_json_key(&json, "host");
    fth_json_text(&json, writing->recorder->world->cluster->name);
    fth_json_end_object(&json);
    fth_bytes_text(bytes, sink.bytes, sink.used);
    fth_sink_close_memory(&sink);
}

static int write_rest(struct writing *writing, struct fth_error **error)
{
    static const char sentence[] =
        "this run was simulated: it has no nested calls, and none of libraries";
    struct fth_part *part = &writing->recorder->part;
    struct fth_bytes bytes = {0}, meta = {0}, nothing = {0};
    fth_part_mark_used(part, writing->used);
    fth_part_append(&bytes, part, 0);
    fth_catalog_append(&bytes, part->catalog, writing->used);
    fth_bytes_varint(&meta, 0);
    fth_bytes_varint(&meta, (uint64_t)fth_sim_world_time(writing->recorder->world));
    fth_bytes_varint(&meta, 1);
    put_meta(&meta, writing);
    fth_bytes_varint(&meta, 1);
    fth_bytes_text(&meta, sentence, strlen(sentence));
    int result = write_bytes(writing, &bytes, error) ||
                         write_section(writing, FTH_SECTION_META, 0, &meta, 0, error) ||
                         write_section(writing, FTH_SECTION_END, 0, &nothing, 0, error)
                     ? -1
                     : 0;
    fth_bytes_free(&bytes);
    fth_bytes_free(&meta);
    return result;
}

static void append(struct fth_sim_recorder *recorder, struct track *track, const struct call *call,
                   int64_t now)
{
    uint32_t signature = fth_sim_make_signature(recorder, call);
    if (signature == UINT32_MAX)
        return;
    FTH_GROW(track->calls, track->call_count);
    track->calls[track->call_count++] =
        (struct noted){.signature = signature, .begin = now, .end = now};
}

/* What was appended last belongs behind MPI_Init. */
static void move_to_start(struct track *track)
{
    struct noted last = track->calls[track->call_count - 1];
    memmove(&track->calls[2], &track->calls[1], (track->call_count - 2) * sizeof *track->calls);
    track->calls[1] = last;
}

/* The window that puts and gets need. */
static void note_window(struct fth_sim_recorder *recorder, struct track *track)
{
    append(recorder, track, &(struct call){.function = "MPI_Win_lock_all"}, 0);
    move_to_start(track);
    append(recorder, track, &(struct call){.function = "MPI_Win_allocate"}, 0);
    move_to_start(track);
}

/* Of a process that comes to its end: what it has is given back. */
static void note_end(struct fth_sim_recorder *recorder, uint32_t rank, int64_t end)
{
    struct track *track = &recorder->tracks[rank];
    const struct fth_sim_program *program = recorder->program;
    if (recorder->has_window) {
        append(recorder, track, &(struct call){.function = "MPI_Win_unlock_all"}, end);
        append(recorder, track, &(struct call){.function = "MPI_Win_free"}, end);
    }
    for (uint32_t i = 0; i < program->communicator_count; i++)
        if (program->communicators[i].size[rank])
            append(recorder, track,
                   &(struct call){
                       .function = "MPI_Comm_free", .rank = rank, .command.communicator = i + 1},
                   end);
    append(recorder, track, &(struct call){.function = "MPI_Finalize"}, end);
}

static void note_ends(struct fth_sim_recorder *recorder)
{
    for (uint32_t rank = 0; rank < recorder->program->ranks; rank++) {
        int64_t end = fth_sim_world_end(recorder->world, rank, NULL, 0);
        if (recorder->has_window)
            note_window(recorder, &recorder->tracks[rank]);
        if (end >= 0)
            note_end(recorder, rank, end);
    }
}

static int write_mounts(struct writing *writing, struct fth_error **error)
{
    const struct fth_sim_world *world = writing->recorder->world;
    struct fth_bytes raw = {0};
    int result = 0;
    for (uint32_t node = 0; world->storage && !result && node < world->node_count; node++) {
        raw.length = 0;
        fth_sim_recorder_mounts(writing->recorder, node, &raw);
        result = write_section(writing, FTH_SECTION_MOUNTS, 0, &raw, 0, error);
    }
    fth_bytes_free(&raw);
    return result;
}

static int write_all(struct writing *writing, struct fth_error **error)
{
    struct fth_sim_recorder *recorder = writing->recorder;
    struct fth_bytes head = {0};
    struct fth_header header;
    fth_header_make(&header);
    fth_bytes_put(&head, &header, sizeof header);
    int result = write_bytes(writing, &head, error);
    fth_bytes_free(&head);
    for (uint32_t rank = 0; !result && rank < recorder->program->ranks; rank++)
        result = write_process(writing, rank, error);
    if (!result)
        result = write_mounts(writing, error);
    return result ? result : write_rest(writing, error);
}

int fth_sim_recorder_write(struct fth_sim_recorder *recorder, const char *path, const char *name,
                           struct fth_error **error)
{
    size_t size = (fth_grammar_bytes(GRAMMAR_NODES, 0) + 63) / 64 * 64;
    char *temporary;
    temporary = fth_text_format("%s.%ld.tmp", path, (long)getpid());
    struct writing writing = {.recorder = recorder, .path = path, .name = name};
    writing.file = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (writing.file < 0) {
        free(temporary);
        return fth_fail_errno(error, "cannot create '%s'", path);
    }
    note_ends(recorder);
    void *memory = aligned_alloc(64, size);
    if (!memory)
        fth_out_of_memory();
    memset(memory, 0, size);
    writing.grammar = fth_grammar_place(memory, GRAMMAR_NODES, 0);
    writing.terminals = fth_new((size_t)recorder->signatures.count + 1, sizeof *writing.terminals);
    writing.used = fth_new(recorder->part.catalog->row_count, sizeof *writing.used);
    writing.notes[0] = make_note(recorder, "comm", "MPI_COMM_WORLD");
    writing.notes[1] = make_note(recorder, "datatype", "MPI_BYTE");
    writing.notes[2] = make_note(recorder, "op", "MPI_SUM");
    int result = write_all(&writing, error);
    if (close(writing.file) && !result)
        result = fth_fail_errno(error, "cannot write '%s'", path);
    if (!result && rename(temporary, path))
        result = fth_fail_errno(error, "cannot rename '%s' to '%s'", temporary, path);
    if (result)
        unlink(temporary);
    fth_columns_free(&writing.columns);
    fth_bytes_free(&writing.blocks);
    fth_bytes_free(&writing.grammar_bytes);
    free(writing.terminals);
    free(writing.used);
    free(memory);
    free(temporary);
    return result;
}
