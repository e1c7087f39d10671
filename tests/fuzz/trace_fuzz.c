/* Any bytes are either a trace that can be read to its end or an error. For libFuzzer; the test
 * fuzz.trace builds and runs it.
 *
 * A trace is full of checksums and compressed, which random changes of its bytes never get past:
 * mutate.h. */
#include "base/memory.h"
#include "fathom/access.h"
#include "fathom/files.h"
#include "fathom/samples.h"
#include "fathom/trace.h"
#include "mutate.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_CALLS = 100000 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t length, size_t most);

/* ---- reading ---- */

static volatile uint64_t looked_at; /* so that nothing is optimised away, and every byte is read */

static void look_at_text(const char *text)
{
    for (; text && *text; text++)
        looked_at += (unsigned char)*text;
}

static void look_at_value(const struct fth_value *value)
{
    looked_at += (uint64_t)value->integer;
    look_at_text(value->text);
    for (size_t i = 0; i < value->count; i++)
        if (value->type == FTH_VALUE_INTEGERS)
            looked_at += (uint64_t)value->integers[i];
        else
            look_at_text(value->texts[i]);
}

static void look_at_call(const struct fth_call *call)
{
    look_at_text(call->file);
    look_at_value(&call->result);
    looked_at += (uint64_t)(call->end - call->start) + call->bytes;
    for (size_t i = 0; i < call->function->parameter_count; i++)
        look_at_value(&call->arguments[i]);
}

/* Times of functions may be those of the calls, which are read only now: they may be damaged. */
static void look_at_sums(struct fth_trace *trace, size_t proc)
{
    const struct fth_function_sum *functions;
    const struct fth_file_sum *files;
    struct fth_error *error = NULL;
    size_t count;
    if (!fth_trace_function_sums(trace, proc, &functions, &count, &error)) {
        if (!error)
            abort();
        fth_error_free(error);
        return;
    }
    for (size_t i = 0; i < count; i++)
        looked_at += functions[i].calls + (uint64_t)functions[i].time;
    if (!fth_trace_file_sums(trace, proc, &files, &count, NULL))
        abort();
    for (size_t i = 0; i < count; i++)
        look_at_text(files[i].path);
}

static void look_at_costs(struct fth_trace *trace)
{
    struct fth_function_cost *costs;
    struct fth_error *error = NULL;
    size_t count;
    if (!fth_trace_function_costs(trace, &costs, &count, &error) && !error)
        abort();
    for (size_t i = 0; i < count; i++)
        looked_at += costs[i].calls + costs[i].literal_bytes;
    free(costs);
    fth_error_free(error);
}

static void look_at_durations(struct fth_trace *trace, size_t proc)
{
    const struct fth_function_sum *rows;
    struct fth_durations durations;
    struct fth_error *error = NULL;
    size_t count;
    if (!fth_trace_function_sums(trace, proc, &rows, &count, NULL) || !count)
        return;
    if (fth_trace_durations(trace, proc, rows->function, &durations, &error) != !error)
        abort();
    looked_at += durations.calls[0] + (uint64_t)durations.edges[1];
    fth_error_free(error);
}

static void look_at_file_systems(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_file_system_count(trace); i++) {
        const struct fth_file_system *system = fth_trace_file_system(trace, i);
        struct fth_file file;
        look_at_text(system->host);
        look_at_text(system->type);
        look_at_text(system->source);
        if (i < 8 && fth_trace_process_count(trace) &&
            fth_trace_file(trace, 0, system->mount, &file))
            look_at_text(file.system->mount);
    }
}

static void look_at_samples(const struct fth_trace *trace)
{
    uint64_t left = MOST_CALLS;
    for (size_t i = 0; i < fth_trace_sampling_count(trace); i++) {
        const struct fth_sampling_info *sampling = fth_trace_sampling(trace, i);
        look_at_text(sampling->host);
        for (size_t k = 0; k < sampling->note_count; k++)
            look_at_text(sampling->notes[k]);
    }
    for (size_t i = 0; i < fth_trace_counter_count(trace) && left; i++) {
        const struct fth_counter *counter = fth_trace_counter(trace, i);
        struct fth_samples_reader *reader = fth_samples_open(trace, i);
        struct fth_sample sample;
        look_at_text(counter->name);
        look_at_text(counter->instance);
        for (; left && fth_samples_next(reader, &sample); left--)
            looked_at += (uint64_t)(sample.end - sample.start) + (sample.most > sample.mean);
        fth_samples_close(reader);
    }
}

/* From the middle on. */
static void look_from(struct fth_trace *trace, size_t proc, int64_t time, uint64_t *calls_left)
{
    struct fth_error *error = NULL;
    struct fth_calls *calls = fth_calls_from(trace, proc, time, &error);
    struct fth_call call;
    for (int i = 0; i < 1000 && *calls_left && fth_calls_next(calls, &call, &error) > 0; i++)
        look_at_call(&call);
    fth_error_free(error);
    fth_calls_close(calls);
}

/* A ring of parents would have no end. */
static void look_at_handles(struct fth_calls *calls, const struct fth_call *call)
{
    const struct fth_handle *ended;
    for (size_t i = 0; i < call->use_count; i++)
        for (const struct fth_handle *at = call->uses[i].handle; at; at = at->parent) {
            look_at_text(at->path);
            look_at_text(at->name);
            looked_at += at->number + (at->group ? at->group->number : 0);
        }
    while ((ended = fth_calls_ended_handle(calls)))
        looked_at += ended->calls;
}

static void look_at_datatype(const struct fth_datatype *datatype, int depth)
{
    if (!datatype || depth > 40)
        return;
    look_at_text(datatype->name);
    for (size_t i = 0; i < datatype->integer_count; i++)
        looked_at += (uint64_t)datatype->integers[i];
    for (size_t i = 0; i < datatype->part_count && i < 100; i++)
        look_at_datatype(datatype->parts[i], depth + 1);
}

static void look_at_elements(const struct fth_elements *elements)
{
    size_t each =
        elements->form == FTH_SELECTION_SLABS ? 4 * (size_t)elements->rank : elements->rank;
    look_at_text(elements->why);
    for (unsigned i = 0; elements->extent && i < elements->rank; i++)
        looked_at += (uint64_t)elements->extent[i];
    for (size_t i = 0; i < elements->count * each; i++)
        looked_at += (uint64_t)elements->numbers[i];
}

static void look_at_operation(const struct fth_operation *operation)
{
    look_at_text(operation->file);
    look_at_text(operation->function->name);
    looked_at += operation->bytes + operation->tests + operation->completion.number;
}

/* What calls access, and which operations are over with them. */
static void look_at_accesses(struct fth_trace *trace, size_t proc, uint64_t *calls_left)
{
    struct fth_error *error = NULL;
    struct fth_calls *calls = fth_calls_open(trace, proc, &error);
    struct fth_accesses *accesses = calls ? fth_accesses_open(trace, proc, calls) : NULL;
    struct fth_access access;
    struct fth_range range;
    while (accesses && *calls_left && fth_accesses_next(accesses, &access, &error) > 0) {
        for (int i = 0; i < 100 && fth_accesses_range(accesses, &range); i++)
            looked_at += range.offset + range.length;
        look_at_text(access.why);
        look_at_text(access.second.file);
        look_at_datatype(access.datatype, 0);
        for (size_t i = 0; i < access.operation_count; i++)
            look_at_operation(&access.operations[i]);
        for (size_t i = 0; i < access.selected_count; i++) {
            look_at_text(access.selected[i].object);
            look_at_elements(&access.selected[i].file);
            look_at_elements(&access.selected[i].memory);
        }
        --*calls_left;
    }
    size_t count = 0;
    const struct fth_operation *left = accesses ? fth_accesses_in_flight(accesses, &count) : NULL;
    for (size_t i = 0; i < count; i++)
        look_at_operation(&left[i]);
    fth_error_free(error);
    fth_accesses_close(accesses);
    fth_calls_close(calls);
}

static void look_at_process(struct fth_trace *trace, size_t proc, uint64_t *calls_left)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    struct fth_error *error = NULL;
    struct fth_calls *calls = fth_calls_with_handles(trace, proc, &error);
    struct fth_call call;
    int more = 1;
    look_at_text(process->host);
    look_at_text(process->executable);
    look_at_text(process->how_ended);
    for (size_t i = 0; i < process->argument_count; i++)
        look_at_text(process->arguments[i]);
    look_at_sums(trace, proc);
    int64_t last = 0;
    while (*calls_left && (more = fth_calls_next(calls, &call, &error)) > 0) {
        look_at_call(&call);
        look_at_handles(calls, &call);
        last = call.end;
        --*calls_left;
    }
    if (*calls_left) /* it may go through all of them */
        look_at_durations(trace, proc);
    look_at_accesses(trace, proc, calls_left);
    look_from(trace, proc, last / 2, calls_left);
    look_from(trace, proc, last, calls_left);
    if ((more < 0) != (error != NULL))
        abort();
    fth_error_free(error);
    fth_calls_close(calls);
}

static void look_at_trace(struct fth_trace *trace, const char *path)
{
    look_at_text(path);
    uint64_t calls_left = MOST_CALLS;
    const struct fth_trace_info *info = fth_trace_info(trace);
    look_at_text(info->meta_json);
    for (size_t i = 0; i < info->blind_spot_count; i++)
        look_at_text(info->blind_spots[i]);
    for (size_t i = 0; i < fth_trace_process_count(trace); i++)
        look_at_process(trace, i, &calls_left);
    look_at_costs(trace);
    look_at_samples(trace);
    look_at_file_systems(trace);
}

/* Opens the bytes as a trace, and looks at it if it is one. */
static void look_at_bytes(const uint8_t *bytes, size_t length,
                          void (*look)(struct fth_trace *trace, const char *path))
{
    static int file = -1;
    char path[64];
    if (file < 0)
        file = memfd_create("trace", 0);
    if (ftruncate(file, 0) != 0 || pwrite(file, bytes, length, 0) != (ssize_t)length)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    struct fth_error *error = NULL;
    struct fth_trace *trace = fth_trace_open(path, &error);
    if ((trace == NULL) != (error != NULL))
        abort();
    if (trace)
        look(trace, path);
    fth_error_free(error);
    fth_trace_close(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    look_at_bytes(bytes, length, look_at_trace);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed)
{
    struct mutated pieces;
    struct fth_bytes made = {0};
    mutate_seed(seed, LLVMFuzzerMutate);
    bool apart = mutate_take_apart(bytes, length, &pieces);
    if (!apart || mutate_draw(16) == 0) {
        mutate_free(&pieces);
        return LLVMFuzzerMutate(bytes, length, most);
    }
    for (uint64_t times = 1 + mutate_draw(3); times; times--)
        mutate_somehow(&pieces);
    mutate_put_together(&made, &pieces);
    mutate_free(&pieces);
    if (made.length <= most) {
        memcpy(bytes, made.data, made.length);
        length = made.length;
    }
    fth_bytes_free(&made);
    return length;
}
