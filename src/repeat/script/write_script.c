/* Writes scripts, process by process, and the plan: see the header. */
#include "repeat/script/script.h"

#include "base/memory.h"
#include "base/saturating.h"
#include "repeat/script/encode_children.h"
#include "repeat/script/encode_unseen.h"
#include "repeat/script/order_threads.h"
#include "repeat/script/pipe_wires.h"
#include "repeat/what/played.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 20 /* bytes of a script that are written at once */ };

static int write_all(int file, const void *bytes, size_t length)
{
    while (length) {
        ssize_t written = write(file, bytes, length);
        if (written < 0 && errno != EINTR)
            return -1;
        if (written > 0) {
            bytes = (const char *)bytes + written;
            length -= (size_t)written;
        }
    }
    return 0;
}

static int save(struct fth_encoder *encoder, const char *name, int how, const void *bytes,
                size_t length, struct fth_error **error)
{
    char *path = fth_text_format("%s/%s", encoder->request->folder, name);
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | how, 0600);
    int result = file < 0 ? -1 : write_all(file, bytes, length);
    if (result)
        fth_fail_errno(error, "cannot write the script '%s'", path);
    if (file >= 0)
        close(file);
    free(path);
    encoder->summary->script_bytes += length;
    return result;
}

/* ---- a process ---- */

static int save_part(struct fth_encoder *encoder, uint32_t thread, const char *ending,
                     struct fth_bytes *bytes, size_t least, struct fth_error **error)
{
    char name[64];
    if (bytes->length < least || !bytes->length)
        return 0;
    snprintf(name, sizeof name, "%zu.%u%s", encoder->proc, thread, ending);
    int result = save(encoder, name, O_APPEND, bytes->data, bytes->length, error);
    bytes->length = 0;
    return result;
}

static int save_streams(struct fth_encoder *encoder, size_t least, struct fth_error **error)
{
    for (uint32_t i = 0; i < encoder->thread_count; i++) {
        struct fth_script_stream *stream = &encoder->streams[i];
        if (stream->bytes && (save_part(encoder, i, "", stream->bytes, least, error) ||
                              save_part(encoder, i, ".times", &stream->times, least, error)))
            return -1;
    }
    return 0;
}

static void omit(struct fth_repeat_summary *summary, const struct fth_function *function,
                 const char *why)
{
    for (size_t i = 0; i < summary->omission_count; i++)
        if (summary->omissions[i].function == function && summary->omissions[i].why == why) {
            summary->omissions[i].calls++;
            return;
        }
    FTH_GROW(summary->omissions, summary->omission_count);
    summary->omissions[summary->omission_count++] = (struct fth_repeat_omission){function, why, 1};
}

static void note_missing(struct fth_encoder *encoder, const struct fth_call *call, const char *path,
                         const char *why)
{
    const struct fth_repeat_place *place = fth_repeat_place_of(encoder->places, path);
    if (!place || call->error_number)
        return;
    size_t number = (size_t)(place - fth_repeat_place_at(encoder->places, 0));
    if (!encoder->summary->missing[number].function)
        encoder->summary->missing[number] = (struct fth_repeat_missing){call->function, why};
}

static void leave_out(struct fth_encoder *encoder, const struct fth_call *call, const char *why)
{
    omit(encoder->summary, call->function, why);
    if (call->writes || !strcmp(call->function->kind, "truncate") ||
        !strcmp(call->function->kind, "open"))
        note_missing(encoder, call, call->file, why);
    if (call->copies)
        note_missing(encoder, call, call->other_file ? call->other_file : call->file, why);
}

static void count(struct fth_encoder *encoder, const struct fth_call *call,
                  const struct fth_recipe *recipe)
{
    struct fth_repeat_summary *summary = encoder->summary;
    struct fth_script_outcome *recorded = &summary->recorded[recipe->number];
    uint64_t bytes = call->bytes_known && !call->error_number ? call->bytes : 0;
    recorded->calls++;
    FTH_ADD_SATURATING(recorded->time, call->end - call->start);
    recorded->bytes_read += recipe->script.reads ? bytes : 0;
    recorded->bytes_written += recipe->script.writes ? bytes : 0;
    summary->calls++;
    if (call->end > summary->end)
        summary->end = call->end;
    if (!summary->ranks && (summary->begin < 0 || call->start < summary->begin))
        summary->begin = call->start;
    /* in MPI, times begin when the last rank is in it */
    if (recipe->script.is_init && call->end > summary->begin)
        summary->begin = call->end;
}

static void encode_repeated(struct fth_encoder *encoder, struct fth_repeat_children *children,
                            const struct fth_access *access, const struct fth_repeat_way *way,
                            struct fth_recipe *recipe)
{
    const struct fth_call *call = &access->call;
    if (way->how == FTH_REPEAT_FORK) {
        fth_encode_children_made(encoder, children, call);
        return;
    }
    if (way->how == FTH_REPEAT_REAP) {
        fth_encode_children_reaped(encoder, children, call);
        return;
    }
    if (fth_encode_unseen(encoder, call))
        return;
    encoder->meets = false;
    const char *why = fth_encode_call(encoder, access, recipe);
    if (encoder->meets)
        omit(encoder->summary, call->function, "its data is not sent: a barrier is in its place");
    if (why)
        leave_out(encoder, call, why);
    else {
        recipe->script.is_called = true;
        count(encoder, call, recipe);
    }
}

static void encode_next(struct fth_encoder *encoder, struct fth_repeat_children *children,
                        const struct fth_access *access, const struct fth_repeat_way *way)
{
    const struct fth_call *call = &access->call;
    fth_encode_children_until(encoder, children, call->start);
    struct fth_recipe *recipe = fth_order_threads_recipe(encoder, call, way);
    if (!recipe)
        return;
    fth_order_threads_call(encoder, call, recipe);
    encode_repeated(encoder, children, access, way, recipe);
    fth_order_threads_done(encoder, call);
}

/* What a kept call closed inside (the descriptor of a stream) is gone, too; and an identifier that
 * was closed as often as it was opened. */
static void note_ended(struct fth_encoder *encoder, struct fth_calls *calls, bool is_inside)
{
    const struct fth_handle *ended;
    while ((ended = fth_calls_ended_handle(calls))) {
        const char *word = ended->handle_class ? ended->handle_class : "";
        unsigned handle_class = is_inside && !strcmp(word, "fd") ? encoder->recipes->fd
                                : !strcmp(word, "hid")           ? encoder->recipes->hid
                                                                 : 0;
        if (handle_class && fth_alive_has(&encoder->now, handle_class, ended->value))
            (void)fth_alive_set(encoder, handle_class, ended->value, false);
    }
}

static int encode_calls(struct fth_encoder *encoder, struct fth_repeat_children *children,
                        struct fth_calls *calls, struct fth_error **error)
{
    struct fth_repeat_outer outer = {0};
    struct fth_access access;
    int more;
    fth_repeat_children_start(children, encoder->proc);
    fth_pipe_wires_begin(encoder);
    while ((more = fth_accesses_next(encoder->accesses, &access, error)) > 0) {
        const struct fth_repeat_way *way =
            fth_repeat_outermost(&outer, encoder->ways, &access.call);
        encode_next(encoder, children, &access, way);
        note_ended(encoder, calls, !way);
        if (encoder->request->is_over && encoder->request->is_over()) {
            more = fth_fail(error, "interrupted");
            break;
        }
        if (save_streams(encoder, PIECE, error)) {
            more = -1;
            break;
        }
    }
    fth_encode_children_until(encoder, children, INT64_MAX);
    fth_repeat_outer_free(&outer);
    return more;
}

static void become(struct fth_encoder *encoder, size_t next)
{
    struct fth_alive *alive = &encoder->alive[next];
    fth_alive_copy(alive, &encoder->now);
    fth_alive_keep_descriptors(encoder, alive);
}

static int encode_process(struct fth_encoder *encoder, struct fth_repeat_children *children,
                          size_t proc, struct fth_script_process *process, struct fth_error **error)
{
    struct fth_calls *calls = fth_calls_with_handles(encoder->trace, proc, error);
    if (!calls)
        return -1;
    encoder->proc = proc;
    encoder->now = encoder->alive[proc];
    encoder->alive[proc] = (struct fth_alive){0};
    encoder->thread_count = 1;
    encoder->pending = (struct fth_keyed){.size = sizeof(int64_t)};
    encoder->least_block = 0;
    encoder->streams =
        fth_reach(encoder->streams, &encoder->stream_limit, 0, sizeof *encoder->streams);
    encoder->accesses = fth_accesses_open(encoder->trace, proc, calls);
    int result = fth_order_threads_open(encoder, error);
    if (!result)
        result = encode_calls(encoder, children, calls, error);
    fth_order_threads_close(encoder);
    fth_encoder_end_streams(encoder);
    if (!result)
        result = save_streams(encoder, 0, error);
    process->threads = encoder->thread_count;
    if (process->becomes >= 0)
        become(encoder, (size_t)process->becomes);
    fth_encoder_close_streams(encoder);
    fth_alive_free(&encoder->now);
    fth_keyed_free(&encoder->pending);
    fth_accesses_close(encoder->accesses);
    fth_calls_close(calls);
    return result;
}

static struct fth_script_process describe(const struct fth_trace *trace, size_t proc)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    bool is_root = fth_repeat_is_root(trace, proc);
    return (struct fth_script_process){
        .rank = is_root && fth_repeat_ranks(trace) ? process->rank : -1,
        .start = process->start,
        .becomes = fth_repeat_plays(trace, proc) ? fth_repeat_becomes(trace, proc) : -1,
        .is_root = is_root};
}

/* ---- the plan ---- */

static uint64_t put_part(struct fth_bytes *bytes, const void *part, size_t length)
{
    static const char zeros[8];
    fth_bytes_put(bytes, zeros, (8 - bytes->length % 8) % 8);
    uint64_t at = bytes->length;
    fth_bytes_put(bytes, part, length);
    return at;
}

static void put_functions(struct fth_encoder *encoder, struct fth_bytes *bytes,
                          struct fth_script_plan *plan)
{
    plan->function_count = (uint32_t)encoder->recipes->count + 1;
    struct fth_script_function *functions = fth_new(plan->function_count + 1, sizeof *functions);
    for (size_t i = 0; i < encoder->recipes->count; i++) {
        struct fth_recipe *recipe = &encoder->recipes->recipes[i];
        functions[recipe->number] = recipe->script;
        functions[recipe->number].name =
            (uint32_t)fth_encoder_text(encoder, recipe->function->name);
    }
    /* of operations that are of none */
    functions[encoder->recipes->count].name = (uint32_t)fth_encoder_text(encoder, "");
    plan->functions_at = put_part(bytes, functions, plan->function_count * sizeof *functions);
    free(functions);
}

static void put_blobs(const struct fth_encoder *encoder, struct fth_bytes *bytes,
                      struct fth_script_plan *plan)
{
    plan->blob_count = encoder->blobs.count;
    struct fth_script_blob *blobs = fth_new(plan->blob_count + 1, sizeof *blobs);
    struct fth_bytes all = {0};
    for (uint32_t i = 0; i < plan->blob_count; i++) {
        size_t length;
        const uint8_t *blob = fth_interned(&encoder->blobs, i, &length);
        blobs[i] = (struct fth_script_blob){put_part(&all, blob, length), length};
    }
    plan->blobs_at = put_part(bytes, blobs, plan->blob_count * sizeof *blobs);
    plan->bytes_at = put_part(bytes, all.data, all.length);
    fth_bytes_free(&all);
    free(blobs);
}

static bool calls_hdf5(const struct fth_recipes *recipes)
{
    for (size_t i = 0; i < recipes->count; i++)
        if (recipes->recipes[i].script.is_hdf5 && recipes->recipes[i].script.is_called)
            return true;
    return false;
}

/* Whoever writes into a pipe may take as long as the whole run before. */
static int64_t patience(const struct fth_encoder *encoder)
{
    enum { SECONDS = 10, NANOSECONDS = 1000000000 };
    const struct fth_repeat_summary *summary = encoder->summary;
    double run = (double)(summary->end - summary->begin);
    double scaled = run * (encoder->request->scale > 1 ? encoder->request->scale : 1);
    int64_t least = (int64_t)SECONDS * NANOSECONDS;
    return scaled > (double)INT64_MAX / 4 ? INT64_MAX / 4 : least + (int64_t)scaled;
}

static int save_plan(struct fth_encoder *encoder, const struct fth_script_process *processes,
                     struct fth_error **error)
{
    enum { LEAST_BUFFER = 1 << 17, MOST_ALIGNED = 4096 };
    struct fth_repeat_summary *summary = encoder->summary;
    const struct fth_recipes *recipes = encoder->recipes;
    struct fth_bytes bytes = {0};
    if (summary->begin < 0)
        summary->begin = 0;
    struct fth_script_plan plan = {
        .magic = FTH_SCRIPT_MAGIC,
        .fd_class = recipes->fd,
        .stream_class = recipes->stream,
        .dir_class = recipes->dir,
        .request_class = recipes->request,
        .comm_class = recipes->comm,
        .block_class = recipes->block,
        .process_count = (uint32_t)fth_trace_process_count(encoder->trace),
        .ranks = summary->ranks,
        .words_bytes = summary->words_bytes,
        .buffer_bytes = (summary->buffer_bytes + LEAST_BUFFER) & ~(uint64_t)(MOST_ALIGNED - 1),
        .scale = encoder->request->scale,
        .patience = patience(encoder),
        .begin = summary->begin,
        .directory = encoder->request->directory
                         ? fth_encoder_text(encoder, encoder->request->directory)
                         : FTH_SCRIPT_NO_BLOB,
        .uses_hdf5 = calls_hdf5(recipes)};
    for (size_t i = 0; i < fth_trace_process_count(encoder->trace); i++) {
        const char *abi = fth_trace_process(encoder->trace, i)->mpi_abi;
        if (abi)
            snprintf(plan.abi, sizeof plan.abi, "%s", abi);
    }
    memcpy(plan.class_sizes, encoder->class_sizes, sizeof plan.class_sizes);
    fth_bytes_put(&bytes, &plan, sizeof plan);
    plan.processes_at = put_part(&bytes, processes, plan.process_count * sizeof *processes);
    put_functions(encoder, &bytes, &plan);
    put_blobs(encoder, &bytes, &plan);
    memcpy(bytes.data, &plan, sizeof plan);
    int result = save(encoder, "plan", O_TRUNC, bytes.data, bytes.length, error);
    fth_bytes_free(&bytes);
    return result;
}

/* ---- all ---- */

static int encode_processes(struct fth_encoder *encoder, struct fth_repeat_children *children,
                            struct fth_script_process *processes, struct fth_error **error)
{
    for (size_t proc = 0; proc < fth_trace_process_count(encoder->trace); proc++) {
        if (!fth_repeat_plays(encoder->trace, proc))
            continue;
        encoder->summary->processes++;
        if (encode_process(encoder, children, proc, &processes[proc], error))
            return -1;
    }
    return 0;
}

static int encode_all(struct fth_encoder *encoder, struct fth_script_process *processes,
                      struct fth_error **error)
{
    struct fth_repeat_children children;
    size_t count_of_processes = fth_trace_process_count(encoder->trace);
    for (size_t proc = 0; proc < count_of_processes; proc++)
        processes[proc] = describe(encoder->trace, proc);
    fth_repeat_children_open(&children, encoder->trace);
    int result = encode_processes(encoder, &children, processes, error);
    fth_repeat_children_close(&children);
    return result ? -1 : save_plan(encoder, processes, error);
}

int fth_repeat_write_script(struct fth_trace *trace, const struct fth_repeat_ways *ways,
                            const struct fth_repeat_places *places,
                            const struct fth_repeat_request *request,
                            struct fth_repeat_summary *summary, struct fth_error **error)
{
    size_t count_of_processes = fth_trace_process_count(trace);
    *summary = (struct fth_repeat_summary){.function_count = fth_trace_function_count(trace),
                                           .ranks = fth_repeat_ranks(trace),
                                           .begin = -1};
    summary->missing = fth_new(fth_repeat_place_count(places) + 1, sizeof *summary->missing);
    summary->recorded = fth_new(summary->function_count + 1, sizeof *summary->recorded);
    struct fth_encoder encoder = {.trace = trace,
                                  .ways = ways,
                                  .places = places,
                                  .request = request,
                                  .summary = summary,
                                  .pipe_slots.size = 2 * sizeof(int64_t),
                                  .recipes = fth_recipes_make(trace, ways),
                                  .alive = fth_new(count_of_processes + 1, sizeof *encoder.alive)};
    struct fth_script_process *processes = fth_new(count_of_processes + 1, sizeof *processes);
    int result = encode_all(&encoder, processes, error);
    for (size_t i = 0; i < count_of_processes; i++)
        fth_alive_free(&encoder.alive[i]);
    free(encoder.alive);
    free(encoder.streams);
    free(processes);
    fth_pipe_wires_free(&encoder);
    fth_intern_free(&encoder.blobs);
    fth_recipes_free(encoder.recipes);
    return result;
}

void fth_repeat_summary_free(struct fth_repeat_summary *summary)
{
    free(summary->recorded);
    free(summary->omissions);
    free(summary->missing);
    *summary = (struct fth_repeat_summary){0};
}
