/* Perfetto's own format (https://perfetto.dev): a track for each layer of each thread, slices for
 * calls, arrows from a call through the calls of other layers inside it, and counters.
 *
 * Slices begin and end in order of time within a thread, so each thread keeps its open calls on a
 * stack. Whether a call has calls inside it, where an arrow begins, is known when the next call of
 * the thread comes: the event of its begin is held until then. */
#include "export/shared/exporter.h"

#include "base/hash.h"
#include "base/memory.h"
#include "export/perfetto/byte_rates.h"
#include "export/shared/function_numbers.h"
#include "export/shared/message_flows.h"
#include "export/perfetto/perfetto_arguments.h"
#include "views/pages/samples_page.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    FIRST_TRACK = 1024, /* numbers below are Perfetto's own */
    FIRST_FREE_ID =
        1 << 30, /* for processes and threads whose pid another one has: above pid_max */
};

/* ---- what all parts know ---- */

struct shared {
    struct fth_function_numbers functions;
    struct fth_perfetto_names names;
    struct fth_intern layers;
    uint32_t *layer_of;       /* a function */
    uint64_t *first_track;    /* of a process: its own, then those of its threads */
    uint32_t *first_sequence; /* of a process: that of its first thread */
    int64_t *pid;             /* of a process, unique */
    uint64_t free_track;
    uint32_t free_sequence;
    struct fth_message_flows messages;
    struct fth_byte_rates rates; /* of all parts that have ended */
    pthread_mutex_t lock;
};

static uint64_t tracks_of_thread(const struct shared *shared)
{
    return 1 + (uint64_t)shared->layers.count; /* its own, and one for each layer */
}

static uint64_t thread_track(const struct shared *shared, size_t proc, uint32_t thread)
{
    return shared->first_track[proc] + 1 + thread * tracks_of_thread(shared);
}

static void find_layers(struct shared *shared, const struct fth_trace *trace)
{
    size_t count = fth_trace_function_count(trace);
    shared->layer_of = fth_new(count + 1, sizeof *shared->layer_of);
    for (size_t i = 0; i < count; i++) {
        const char *layer = fth_trace_function(trace, i)->layer;
        shared->layer_of[i] = fth_intern(&shared->layers, layer, strlen(layer) + 1);
    }
}

static const char *layer_name(const struct shared *shared, size_t layer)
{
    size_t length;
    return (const char *)fth_interned(&shared->layers, (uint32_t)layer, &length);
}

/* Numbers for all processes, so that parts do not depend on one another. */
static void give_numbers(struct shared *shared, const struct fth_trace *trace)
{
    size_t count = fth_trace_process_count(trace);
    struct fth_intern pids = {0};
    uint64_t track = FIRST_TRACK;
    uint32_t sequence = 1;
    shared->first_track = fth_new(count + 1, sizeof *shared->first_track);
    shared->first_sequence = fth_new(count + 1, sizeof *shared->first_sequence);
    shared->pid = fth_new(count + 1, sizeof *shared->pid);
    for (size_t proc = 0; proc < count; proc++) {
        const struct fth_process *process = fth_trace_process(trace, proc);
        bool is_first = !fth_interned_before(&pids, &process->pid, sizeof process->pid);
        fth_intern(&pids, &process->pid, sizeof process->pid);
        shared->pid[proc] = is_first && process->pid > 0 ? process->pid : FIRST_FREE_ID + sequence;
        shared->first_track[proc] = track;
        shared->first_sequence[proc] = sequence;
        track += 1 + process->thread_count * tracks_of_thread(shared);
        sequence += (uint32_t)process->thread_count + 1;
    }
    shared->free_track = track;
    shared->free_sequence = sequence;
    fth_intern_free(&pids);
}

static int begin(struct fth_exported *exported, struct fth_output *output, struct fth_error **error)
{
    struct shared *shared = exported->shared = fth_new(1, sizeof *shared);
    struct fth_perfetto_writer writer = {.output = output};
    const struct fth_trace_info *info = fth_trace_info(exported->trace);
    fth_function_numbers_begin(&shared->functions, exported->trace);
    fth_perfetto_names_begin(&shared->names, exported->trace);
    find_layers(shared, exported->trace);
    give_numbers(shared, exported->trace);
    fth_byte_rates_begin(&shared->rates, shared->layers.count, 0, info->end);
    pthread_mutex_init(&shared->lock, NULL);
    fth_perfetto_put_clock(&writer, info->start_realtime);
    fth_perfetto_free(&writer);
    return fth_message_flows_begin(&shared->messages, exported->trace, exported->threads, error);
}

/* ---- threads of a process ---- */

struct open_call {
    uint64_t number;
    int64_t end;
    uint32_t layer, depth;
    uint64_t flow; /* of the arrow through the calls inside it */
    bool has_data; /* its bytes count, and not those of calls of its layer inside it */
};

struct thread {
    bool begun;
    struct fth_perfetto_sequence sequence;
    struct fth_announced functions, names, files, layers;
    struct open_call *open;
    uint32_t open_limit, open_count;
    struct fth_bytes held; /* the begin of the call that is on top of the stack */
    int64_t held_start;
    bool is_held;
};

struct state {
    struct fth_perfetto_writer writer;
    struct fth_perfetto_arguments arguments;
    struct fth_byte_rates rates;
    struct thread *threads; /* of the process */
    size_t thread_count;
};

static void begin_part(struct fth_export_part *part)
{
    struct state *state = part->state = fth_new(1, sizeof *state);
    const struct shared *shared = part->of->shared;
    state->writer.output = part->output;
    state->arguments.names = &shared->names;
    state->arguments.trace = part->of->trace;
    fth_byte_rates_begin(&state->rates, shared->layers.count, 0,
                         fth_trace_info(part->of->trace)->end);
}

static void end_part(struct fth_export_part *part)
{
    struct state *state = part->state;
    struct shared *shared = part->of->shared;
    pthread_mutex_lock(&shared->lock);
    fth_byte_rates_join(&shared->rates, &state->rates);
    pthread_mutex_unlock(&shared->lock);
    fth_byte_rates_end(&state->rates);
    fth_perfetto_arguments_free(&state->arguments);
    fth_perfetto_free(&state->writer);
    free(state);
}

static void begin_process(struct fth_export_part *part, size_t proc)
{
    struct state *state = part->state;
    const struct shared *shared = part->of->shared;
    const struct fth_process *process = fth_exported_process(part->of, proc);
    const char *slash = process->executable ? strrchr(process->executable, '/') : NULL;
    const char *program = slash ? slash + 1 : process->executable ? process->executable : "?";
    char *name = process->rank >= 0
                     ? fth_text_format("rank %" PRId64 ": %s", process->rank, program)
                     : fth_text_format("process %zu: %s", proc, program);
    fth_perfetto_put_process(&state->writer, shared->first_track[proc], shared->pid[proc], name,
                             process);
    free(name);
    state->thread_count = process->thread_count;
    state->threads = fth_new(process->thread_count, sizeof *state->threads);
}

static void begin_thread(struct fth_export_part *part, struct thread *thread,
                         const struct fth_call *call)
{
    struct state *state = part->state;
    const struct shared *shared = part->of->shared;
    size_t proc = call->proc;
    bool is_first = call->thread == 0;
    bool is_renumbered = shared->pid[proc] != fth_trace_process(part->of->trace, proc)->pid;
    int64_t tid = is_first        ? shared->pid[proc]
                  : is_renumbered ? shared->pid[proc] + call->thread
                                  : call->tid;
    char name[32];
    snprintf(name, sizeof name, "thread %" PRIu32, call->thread);
    thread->begun = true;
    thread->sequence.number = shared->first_sequence[proc] + call->thread;
    fth_perfetto_put_thread(&state->writer, thread_track(shared, proc, call->thread),
                            shared->first_track[proc], shared->pid[proc], tid, name);
}

/* ---- slices ---- */

static void let_go(struct state *state, struct thread *thread)
{
    if (thread->is_held)
        fth_perfetto_put_event(&state->writer, &thread->sequence, thread->held_start,
                               &thread->held);
    thread->is_held = false;
}

static void end_call(struct fth_export_part *part, struct thread *thread, size_t proc,
                     uint32_t number)
{
    struct state *state = part->state;
    const struct shared *shared = part->of->shared;
    const struct open_call *call = &thread->open[--thread->open_count];
    struct fth_bytes *event = &thread->held;
    let_go(state, thread);
    event->length = 0;
    fth_field_varint(event, FTH_EVENT_TYPE, FTH_PERFETTO_END);
    fth_field_varint(event, FTH_EVENT_TRACK, thread_track(shared, proc, number) + 1 + call->layer);
    fth_perfetto_put_event(&state->writer, &thread->sequence, call->end, event);
}

/* Ends the calls that are over when this one begins. */
static void end_before(struct fth_export_part *part, struct thread *thread,
                       const struct fth_call *call)
{
    while (thread->open_count) {
        const struct open_call *top = &thread->open[thread->open_count - 1];
        bool is_parent = call->parent == top->number && call->parent_thread == call->thread;
        if (is_parent || (top->depth < call->depth && top->end > call->start))
            return;
        end_call(part, thread, call->proc, call->thread);
    }
}

/* The same in all parts. */
static uint64_t flow_of(size_t proc, uint32_t thread, uint64_t number)
{
    const uint64_t words[] = {proc, thread, number};
    return fth_hash_bytes(0, words, sizeof words) | 1;
}

static bool is_inside_data(const struct thread *thread, uint32_t layer)
{
    for (uint32_t i = 0; i < thread->open_count; i++)
        if (thread->open[i].layer == layer && thread->open[i].has_data)
            return true;
    return false;
}

static void count_bytes(struct state *state, const struct fth_call *call, uint32_t layer)
{
    if (call->reads || call->copies)
        fth_byte_rates_add(&state->rates, layer, FTH_RATE_READ, call->start, call->end,
                           call->bytes);
    if (call->writes || call->copies)
        fth_byte_rates_add(&state->rates, layer, FTH_RATE_WRITTEN, call->start, call->end,
                           call->bytes);
}

static void open_call(struct state *state, struct thread *thread, const struct fth_call *call,
                      uint32_t layer)
{
    bool has_data = (call->reads || call->writes || call->copies) && call->bytes_known;
    if (has_data && !is_inside_data(thread, layer))
        count_bytes(state, call, layer);
    thread->open =
        fth_reach(thread->open, &thread->open_limit, thread->open_count, sizeof *thread->open);
    thread->open[thread->open_count++] = (struct open_call){
        .number = call->number,
        .end = call->end,
        .layer = layer,
        .depth = call->depth,
        .has_data = has_data,
    };
}

/* The arrow of the call around this one, if that is open: it begins there with the first call
 * inside. 0: none. */
static uint64_t flow_from_parent(struct thread *thread, const struct fth_call *call, uint32_t layer)
{
    if (!thread->open_count)
        return 0;
    struct open_call *parent = &thread->open[thread->open_count - 1];
    if (parent->number != call->parent || call->parent_thread != call->thread)
        return 0;
    if (thread->is_held) {
        parent->flow = flow_of(call->proc, call->thread, parent->number);
        fth_field_fixed64(&thread->held, FTH_EVENT_FLOW, parent->flow);
    }
    return parent->layer != layer ? parent->flow : 0;
}

static void announce_layer(struct fth_export_part *part, struct thread *thread,
                           const struct fth_call *call, uint32_t layer)
{
    struct state *state = part->state;
    const struct shared *shared = part->of->shared;
    uint64_t of_thread = thread_track(shared, call->proc, call->thread);
    if (!fth_perfetto_announce(&thread->layers, layer))
        return;
    fth_perfetto_put_track(&state->writer, of_thread + 1 + layer, of_thread,
                           layer_name(shared, layer));
    fth_perfetto_intern(&thread->sequence, FTH_INTERNED_CATEGORY, (uint64_t)layer + 1,
                        layer_name(shared, layer));
}

static void put_messages(const struct fth_message_flows *messages, const struct fth_call *call,
                         struct fth_bytes *event)
{
    size_t count;
    if (!messages->count)
        return;
    const struct fth_flow_end *ends = fth_message_flows_of(messages, call, &count);
    for (size_t i = 0; i < count; i++)
        fth_field_fixed64(event, FTH_EVENT_FLOW, ends[i].flow);
}

static void put_call(struct fth_export_part *part, const struct fth_call *call)
{
    struct state *state = part->state;
    const struct shared *shared = part->of->shared;
    struct thread *thread = &state->threads[call->thread];
    uint32_t function = fth_function_number(&shared->functions, call->function);
    uint32_t layer = shared->layer_of[function];
    if (!thread->begun)
        begin_thread(part, thread, call);
    end_before(part, thread, call);
    uint64_t flow = flow_from_parent(thread, call, layer);
    let_go(state, thread);
    announce_layer(part, thread, call, layer);
    if (fth_perfetto_announce(&thread->functions, function))
        fth_perfetto_intern(&thread->sequence, FTH_INTERNED_NAME, (uint64_t)function + 1,
                            call->function->name);
    struct fth_bytes *event = &thread->held;
    event->length = 0;
    fth_field_varint(event, FTH_EVENT_TYPE, FTH_PERFETTO_BEGIN);
    fth_field_varint(event, FTH_EVENT_TRACK,
                     thread_track(shared, call->proc, call->thread) + 1 + layer);
    fth_field_varint(event, FTH_EVENT_CATEGORY_ID, (uint64_t)layer + 1);
    fth_field_varint(event, FTH_EVENT_NAME_ID, (uint64_t)function + 1);
    fth_perfetto_put_arguments(&state->arguments, &thread->sequence, &thread->names, &thread->files,
                               call, function, event);
    if (flow)
        fth_field_fixed64(event, FTH_EVENT_FLOW, flow);
    put_messages(&shared->messages, call, event);
    thread->is_held = true;
    thread->held_start = call->start;
    open_call(state, thread, call, layer);
}

static void end_process(struct fth_export_part *part, size_t proc)
{
    struct state *state = part->state;
    for (size_t i = 0; i < state->thread_count; i++) {
        struct thread *thread = &state->threads[i];
        while (thread->open_count)
            end_call(part, thread, proc, (uint32_t)i);
        free(thread->functions.bits);
        free(thread->names.bits);
        free(thread->files.bits);
        free(thread->layers.bits);
        free(thread->open);
        fth_bytes_free(&thread->held);
        fth_bytes_free(&thread->sequence.interned);
    }
    free(state->threads);
    state->threads = NULL;
}

/* ---- counters ---- */

static bool is_used(const double bins[FTH_RATE_BINS])
{
    for (int bin = 0; bin < FTH_RATE_BINS; bin++)
        if (bins[bin] > 0)
            return true;
    return false;
}

static void put_rate(struct fth_perfetto_writer *writer, struct shared *shared, size_t layer,
                     int kind)
{
    static const char *const words[] = {[FTH_RATE_READ] = "read", [FTH_RATE_WRITTEN] = "written"};
    const struct fth_byte_rates *rates = &shared->rates;
    const double *bins = rates->bytes[layer][kind];
    uint64_t track = shared->free_track++;
    double last = -1;
    char *name = fth_text_format("%s: %s", layer_name(shared, layer), words[kind]);
    fth_perfetto_put_counter(writer, track, 0, name, "B/s");
    free(name);
    for (int bin = 0; bin < FTH_RATE_BINS; bin++) {
        double rate = bins[bin] * 1e9 / (double)rates->width;
        if (rate != last)
            fth_perfetto_put_value(writer, shared->free_sequence, track,
                                   rates->begin + bin * rates->width, rate);
        last = rate;
    }
    fth_perfetto_put_value(writer, shared->free_sequence, track,
                           rates->begin + FTH_RATE_BINS * rates->width, 0);
}

static char *counter_name(const struct fth_exported *exported, const struct fth_counter *counter)
{
    const char *gap = *counter->instance ? " " : "";
    char *host = fth_pseudonym(exported->names,
                               fth_trace_sampling(exported->trace, counter->sampling)->host);
    char *instance = fth_pseudonym(exported->names, counter->instance);
    char *name = counter->proc != FTH_NO_PROCESS
                     ? fth_text_format("%s%s%s", counter->name, gap, instance)
                     : fth_text_format("%s: %s%s%s", host, counter->name, gap, instance);
    free(instance);
    free(host);
    return name;
}

static void put_samples(struct fth_perfetto_writer *writer, const struct fth_exported *exported,
                        struct shared *shared, size_t number)
{
    const struct fth_counter *counter = fth_trace_counter(exported->trace, number);
    uint64_t track = shared->free_track++;
    uint64_t parent = counter->proc == FTH_NO_PROCESS ? 0 : shared->first_track[counter->proc];
    struct fth_sample sample;
    struct fth_samples_reader *reader = fth_samples_open(exported->trace, number);
    char *name = counter_name(exported, counter);
    char *unit = fth_text_format("%s%s", fth_views_counter_unit(counter),
                                 counter->kind == FTH_RATE ? "/s" : "");
    fth_perfetto_put_counter(writer, track, parent, name, unit);
    free(unit);
    free(name);
    while (fth_samples_next(reader, &sample))
        fth_perfetto_put_value(writer, shared->free_sequence, track, sample.start, sample.mean);
    fth_samples_close(reader);
}

static bool is_exported(const struct fth_exported *exported, int64_t proc)
{
    for (size_t i = 0; i < exported->process_count && proc != FTH_NO_PROCESS; i++)
        if ((int64_t)exported->processes[i] == proc)
            return true;
    return proc == FTH_NO_PROCESS;
}

static void put_counters(const struct fth_exported *exported, struct shared *shared,
                         struct fth_output *output)
{
    struct fth_perfetto_writer writer = {.output = output};
    for (size_t layer = 0; layer < shared->layers.count; layer++)
        for (int kind = 0; kind < FTH_RATE_KINDS; kind++)
            if (is_used(shared->rates.bytes[layer][kind]))
                put_rate(&writer, shared, layer, kind);
    for (size_t i = 0; i < fth_trace_counter_count(exported->trace); i++)
        if (is_exported(exported, fth_trace_counter(exported->trace, i)->proc))
            put_samples(&writer, exported, shared, i);
    fth_perfetto_free(&writer);
}

static int end(struct fth_exported *exported, struct fth_output *output, struct fth_error **error)
{
    struct shared *shared = exported->shared;
    if (!*error)
        put_counters(exported, shared, output);
    fth_byte_rates_end(&shared->rates);
    fth_message_flows_end(&shared->messages);
    fth_function_numbers_end(&shared->functions);
    fth_perfetto_names_end(&shared->names, exported->trace);
    fth_intern_free(&shared->layers);
    free(shared->layer_of);
    free(shared->first_track);
    free(shared->first_sequence);
    free(shared->pid);
    pthread_mutex_destroy(&shared->lock);
    free(shared);
    return *error ? -1 : 0;
}

const struct fth_exporter fth_exporter_perfetto = {
    .name = "perfetto",
    .extension = ".pftrace",
    .help = "ui.perfetto.dev, trace_processor: slices, arrows and counters",
    .begin = begin,
    .begin_part = begin_part,
    .begin_process = begin_process,
    .call = put_call,
    .end_process = end_process,
    .end_part = end_part,
    .end = end,
};
