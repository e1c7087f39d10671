/* Calls of a process in order of entry. A thread's calls come out of the trace in order of exit: calls inside a call come before it. They wait
 * until the call around them is known, and then go out behind it. Threads are merged by time of entry. */
#include "model/thread.h"

#include "base/arena.h"
#include "base/memory.h"
#include "catalog/values.h"

#include <inttypes.h>

enum {
    NOT_YET = -2,
    MOST_WAITING = 1 << 20, /* calls inside a call; when there are more, they go out without it */
};

/* A call that waits to go out; its values stand in the thread's `values`. */
struct waiting {
    struct fth_call call;
    size_t first_value;
    int64_t parent; /* place among the waiting calls; -1: none, NOT_YET: not known */
};

struct thread {
    const struct fth_stretch *stretches;
    size_t stretch_count;
    int64_t next_start; /* of its next call, or a time before that */
    bool open, ended;   /* being read; all read */
    struct fth_thread_reader reader;
    struct waiting *waiting; /* in order of entry */
    size_t waiting_count, waiting_limit, next_out;
    struct fth_value *values;
    size_t value_count, value_limit;
    struct fth_arena arena; /* what the values of the waiting calls point to */
    uint64_t first_number;  /* of waiting[0] */
};

struct fth_calls {
    struct fth_trace *trace;
    size_t proc;
    const struct fth_model_process *process;
    int descriptors; /* class */
    struct fth_stretch *stretches;
    struct thread *threads;
    size_t thread_count;
    uint32_t *queue; /* threads that have calls left: a heap, the one with the earliest call first */
    size_t queue_length;
};

/* ---- strings, lists, paths ---- */

static bool is_string(const struct fth_calls *calls, int64_t string)
{
    return string > 0 && string < calls->trace->part.strings.count;
}

static const char *text_of(const struct fth_calls *calls, int64_t string)
{
    return is_string(calls, string) ? calls->trace->texts[string] : NULL;
}

static const char *path_of_call(const struct fth_calls *calls, struct thread *thread, const struct fth_raw_call *raw)
{
    struct fth_path_parts parts;
    const struct fth_meaning *meaning = raw->meaning;
    if (!fth_call_path(&thread->reader.state, meaning, raw->values, calls->process->facts.directory, &parts))
        return NULL;
    if (meaning->handle >= 0)
        return text_of(calls, fth_state_binding(&thread->reader.state, meaning->handle_class,
                                                raw->values[meaning->handle])->path);
    char *path = fth_arena_take(&thread->arena, parts.base_length + parts.path_length + 2);
    fth_path_join_at(&parts, path);
    return path;
}

/* ---- values ---- */

static struct fth_value integer_value(int64_t integer)
{
    return integer == FTH_ABSENT ? (struct fth_value){.type = FTH_VALUE_NONE}
                                 : (struct fth_value){.type = FTH_VALUE_INTEGER, .integer = integer};
}

static struct fth_value text_value(const char *text)
{
    return text ? (struct fth_value){.type = FTH_VALUE_TEXT, .text = text} : (struct fth_value){.type = FTH_VALUE_NONE};
}

static struct fth_value handle_value(const struct fth_calls *calls, const struct thread *thread, int handle_class, int64_t slot)
{
    if (slot == FTH_SLOT_NONE)
        return (struct fth_value){.type = FTH_VALUE_NONE};
    struct fth_value value = {.type = FTH_VALUE_HANDLE, .integer = slot < 0 ? -1 : slot};
    const struct fth_binding *binding = fth_state_binding(&thread->reader.state, handle_class, slot);
    if (binding) {
        value.text = text_of(calls, binding->path);
        if (handle_class == calls->descriptors)
            value.integer = binding->number;
    }
    return value;
}

/* Sums that damaged traces may overflow. */
static int64_t add(int64_t one, int64_t other)
{
    return (int64_t)((uint64_t)one + (uint64_t)other);
}

static struct fth_value list_value(const struct fth_calls *calls, struct thread *thread, int64_t string)
{
    size_t length, count = 0;
    if (!is_string(calls, string))
        return (struct fth_value){.type = FTH_VALUE_NONE};
    const uint8_t *bytes = fth_interned(&calls->trace->part.strings, (uint32_t)string, &length);
    int64_t *integers = fth_arena_take(&thread->arena, length * sizeof *integers);
    for (struct fth_view view = fth_view_of(bytes, length); view.at < view.end; count++) {
        integers[count] = fth_view_signed(&view);
        if (view.failed)
            break;
    }
    return (struct fth_value){.type = FTH_VALUE_INTEGERS, .count = count, .integers = integers};
}

static struct fth_value texts_value(const struct fth_calls *calls, struct thread *thread, int64_t string)
{
    size_t length, count = 0;
    if (!is_string(calls, string))
        return (struct fth_value){.type = FTH_VALUE_NONE};
    fth_interned(&calls->trace->part.strings, (uint32_t)string, &length);
    const char *text = calls->trace->texts[string], **texts;
    for (size_t at = 0; at < length; at += strlen(text + at) + 1)
        count++;
    texts = fth_arena_take(&thread->arena, count * sizeof *texts);
    count = 0;
    for (size_t at = 0; at < length; at += strlen(text + at) + 1)
        texts[count++] = text + at;
    return (struct fth_value){.type = FTH_VALUE_TEXTS, .count = count, .texts = texts};
}

static struct fth_value list_of(struct thread *thread, const int64_t *integers, size_t count)
{
    int64_t *list = fth_arena_take(&thread->arena, count * sizeof *list);
    memcpy(list, integers, count * sizeof *list);
    return (struct fth_value){.type = FTH_VALUE_INTEGERS, .count = count, .integers = list};
}

/* Is it the number of a handle, a result or what stands for one? Other values may be any number. */
static bool can_fail(const struct fth_value_plan *plan)
{
    return plan->field < 0 || (plan->part != FTH_PART_INTEGER && plan->part != FTH_PART_OFFSET &&
                               plan->part != FTH_PART_VIEW && plan->part != FTH_PART_DISTANCE);
}

/* The value of one plan entry as the parameter's; `next` looks at the entries behind it. */
static struct fth_value make_value(const struct fth_calls *calls, struct thread *thread, const struct fth_raw_call *raw, int i)
{
    const struct fth_value_plan *plan = &raw->meaning->plan[i];
    const struct fth_field *field = plan->field >= 0 ? &raw->meaning->row->fields[plan->field] : &raw->meaning->row->result;
    int64_t value = raw->values[i];
    if (FTH_IS_FAILURE(value) && can_fail(plan))
        return integer_value(-1);
    switch (plan->part) {
    case FTH_PART_SLOT:
        if (field->role == FTH_ROLE_NEW) {
            bool numbered = i + 1 < raw->meaning->value_count && raw->meaning->plan[i + 1].part == FTH_PART_NUMBER;
            return (struct fth_value){.type = FTH_VALUE_HANDLE, .integer = numbered ? add(value, raw->values[i + 1]) : value};
        }
        if (field->role == FTH_ROLE_AIO) {
            struct fth_value handle = handle_value(calls, thread, raw->meaning->handle_class, value);
            return list_of(thread, (int64_t[]){handle.integer, raw->values[i + 1], raw->values[i + 2]}, 3);
        }
        return handle_value(calls, thread, field->class_index, value);
    case FTH_PART_TEXT:
        return text_value(text_of(calls, value));
    case FTH_PART_TEXTS:
        return texts_value(calls, thread, value);
    case FTH_PART_LIST: {
        struct fth_value list = list_value(calls, thread, value);
        const int64_t *made = list.integers;
        if (field->role == FTH_ROLE_NEW && list.count == 4) /* slots and what their numbers are more */
            return list_of(thread, (int64_t[]){add(made[0], made[1]), add(made[2], made[3])}, 2);
        return list;
    }
    case FTH_PART_SOURCE:
        if (value == FTH_ABSENT)
            return (struct fth_value){.type = FTH_VALUE_NONE};
        return list_of(thread, (int64_t[]){value, raw->values[i + 1]}, 2);
    default:
        return integer_value(value);
    }
}

static struct fth_value result_value(const struct fth_calls *calls, struct thread *thread, const struct fth_raw_call *raw)
{
    const struct fth_meaning *meaning = raw->meaning;
    enum fth_role role = meaning->row->result.role;
    if (meaning->result < 0)
        return (struct fth_value){.type = FTH_VALUE_NONE};
    int64_t value = raw->values[meaning->result];
    bool failed = FTH_IS_FAILURE(value);
    if (role == FTH_ROLE_NEW && failed && strchr(meaning->row->result.type, '*'))
        return (struct fth_value){.type = FTH_VALUE_NONE};
    if ((role == FTH_ROLE_POINTER || role == FTH_ROLE_TEXT) && failed)
        return (struct fth_value){.type = FTH_VALUE_NONE};
    if (role == FTH_ROLE_RESULT_ITEMS && !failed) {
        int64_t size = meaning->size >= 0 ? raw->values[meaning->size] : 1;
        return integer_value(size > 0 ? value / size : 0);
    }
    return make_value(calls, thread, raw, meaning->result);
}

static bool belongs_to_one_before(enum fth_value_part part)
{
    return part == FTH_PART_NUMBER || part == FTH_PART_ELEMENT || part == FTH_PART_TAG;
}

/* Puts the values of a call behind those of the others that wait; returns where they begin. The result is the last. */
static size_t put_values(const struct fth_calls *calls, struct thread *thread, const struct fth_raw_call *raw)
{
    const struct fth_meaning *meaning = raw->meaning;
    size_t fields = meaning->row->field_count, first = thread->value_count;
    if (thread->value_limit < first + fields + 1) {
        thread->value_limit = (first + fields + 1) * 2;
        thread->values = fth_resize(thread->values, thread->value_limit, sizeof *thread->values);
    }
    struct fth_value *values = thread->values + first;
    memset(values, 0, (fields + 1) * sizeof *values);
    int last_field = FTH_RESULT;
    for (int i = 0; i < meaning->value_count; i++) {
        int field = meaning->plan[i].field;
        bool more_of_same = field == last_field && field >= 0;
        last_field = field;
        if (field >= 0 && !belongs_to_one_before(meaning->plan[i].part) && !more_of_same)
            values[field] = make_value(calls, thread, raw, i);
    }
    values[fields] = result_value(calls, thread, raw);
    thread->value_count += fields + 1;
    return first;
}

static int64_t error_number(const struct fth_meaning *meaning, const int64_t *values)
{
    if (meaning->result < 0 || !fth_call_failed(meaning, values))
        return 0;
    int64_t value = values[meaning->result];
    return FTH_IS_FAILURE(value) ? value - FTH_FAILED : value;
}

/* ---- from order of exit to order of entry ---- */

static void make_call(const struct fth_calls *calls, struct thread *thread, const struct fth_raw_call *raw,
                      struct fth_call *call)
{
    const struct fth_meaning *meaning = raw->meaning;
    *call = (struct fth_call){
        .proc = calls->proc, .thread = (uint32_t)thread->reader.thread, .tid = thread->reader.tid, .depth = raw->depth,
        .function = &calls->trace->functions[calls->trace->signatures[raw->signature].function],
        .start = fth_model_time(calls->process, raw->entry), .end = fth_model_time(calls->process, raw->exit),
        .error_number = error_number(meaning, raw->values), .file = path_of_call(calls, thread, raw),
        .reads = meaning->reads, .writes = meaning->writes, .bytes = fth_call_bytes(meaning, raw->values)};
}

/* Puts a call among those that wait: before the calls inside it. */
static void insert(const struct fth_calls *calls, struct thread *thread, const struct fth_raw_call *raw)
{
    if (thread->waiting_count == thread->waiting_limit) {
        thread->waiting_limit = thread->waiting_limit ? thread->waiting_limit * 2 : 16;
        thread->waiting = fth_resize(thread->waiting, thread->waiting_limit, sizeof *thread->waiting);
    }
    struct waiting made = {.parent = NOT_YET};
    make_call(calls, thread, raw, &made.call);
    made.first_value = put_values(calls, thread, raw);
    size_t place = thread->waiting_count;
    while (place && thread->waiting[place - 1].call.depth > raw->depth &&
           thread->waiting[place - 1].call.start >= made.call.start)
        place--;
    memmove(&thread->waiting[place + 1], &thread->waiting[place],
            (thread->waiting_count - place) * sizeof *thread->waiting);
    thread->waiting[place] = made;
    thread->waiting_count++;
    for (size_t i = place + 1; i < thread->waiting_count; i++) {
        struct waiting *inside = &thread->waiting[i];
        if (inside->parent >= (int64_t)place)
            inside->parent++;
        else if (inside->parent == NOT_YET)
            inside->parent = (int64_t)place;
    }
}

/* Decodes until calls are ready to go out: a call that is in no other has come, or the thread's calls are over. */
static int fill(const struct fth_calls *calls, struct thread *thread, struct fth_error **error)
{
    struct fth_raw_call raw;
    thread->first_number += thread->waiting_count;
    thread->waiting_count = thread->value_count = thread->next_out = 0;
    fth_arena_reset(&thread->arena);
    while (thread->waiting_count < MOST_WAITING) {
        int status = fth_thread_reader_next(&thread->reader, &raw, error);
        if (status < 0)
            return -1;
        if (status == 0) {
            thread->ended = true;
            break;
        }
        insert(calls, thread, &raw);
        if (raw.depth == 0)
            break;
    }
    for (size_t i = 0; i < thread->waiting_count; i++) {
        struct waiting *waiting = &thread->waiting[i];
        waiting->call.number = thread->first_number + i;
        waiting->call.parent = waiting->parent >= 0 ? thread->first_number + (uint64_t)waiting->parent : FTH_NO_CALL;
        waiting->call.arguments = thread->values + waiting->first_value;
        waiting->call.result = thread->values[waiting->first_value + waiting->call.function->parameter_count];
    }
    return 0;
}

/* ---- threads by time ---- */

static bool is_before(const struct fth_calls *calls, uint32_t one, uint32_t other)
{
    int64_t left = calls->threads[one].next_start, right = calls->threads[other].next_start;
    return left != right ? left < right : one < other;
}

/* The first thread's next call has become later: it sinks to where it belongs. */
static void sink_first(struct fth_calls *calls)
{
    uint32_t *queue = calls->queue, sinking = queue[0];
    size_t at = 0;
    for (size_t below; (below = 2 * at + 1) < calls->queue_length; at = below) {
        if (below + 1 < calls->queue_length && is_before(calls, queue[below + 1], queue[below]))
            below++;
        if (!is_before(calls, queue[below], sinking))
            break;
        queue[at] = queue[below];
    }
    queue[at] = sinking;
}

static void close_thread(struct thread *thread)
{
    if (thread->open)
        fth_thread_reader_close(&thread->reader);
    free(thread->waiting);
    free(thread->values);
    fth_arena_free(&thread->arena);
    thread->waiting = NULL;
    thread->values = NULL;
    thread->open = false;
}

static void leave_queue(struct fth_calls *calls)
{
    close_thread(&calls->threads[calls->queue[0]]);
    calls->queue[0] = calls->queue[--calls->queue_length];
    if (calls->queue_length)
        sink_first(calls);
}

/* ---- doors ---- */

static int find_descriptors(const struct fth_catalog *catalog)
{
    for (size_t i = 0; i < catalog->class_count; i++)
        if (strcmp(catalog->classes[i].name, "fd") == 0)
            return (int)i;
    return -1;
}

/* Tracks are in order within their thread already: in that of the shares and of their place. */
static int by_thread(const void *one, const void *other)
{
    const struct fth_stretch *a = one, *b = other;
    if (a->track->thread != b->track->thread)
        return a->track->thread < b->track->thread ? -1 : 1;
    return a->share != b->share ? (a->share < b->share ? -1 : 1) : a->track < b->track ? -1 : a->track > b->track;
}

static size_t list_stretches(struct fth_calls *calls)
{
    size_t count = 0;
    for (size_t i = 0; i < calls->process->share_count; i++) {
        const struct fth_model_share *share = &calls->process->shares[i];
        const struct fth_part_process *stored = &calls->trace->part.processes[share->index];
        const uint8_t *frames = share->blocks;
        for (size_t k = 0; k < stored->track_count; k++) {
            const struct fth_track *track = &stored->tracks[k];
            if (!track->block_count)
                continue;
            FTH_GROW(calls->stretches, count);
            calls->stretches[count++] = (struct fth_stretch){i, stored->facts.quantum, track, frames};
            for (size_t j = 0; j < track->block_count; j++)
                frames += track->blocks[j].time_stored + track->blocks[j].literal_stored;
        }
    }
    if (count)
        qsort(calls->stretches, count, sizeof *calls->stretches, by_thread);
    return count;
}

static int by_start(const void *one, const void *other, void *context)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return is_before(context, a, b) ? -1 : a != b;
}

/* A thread is opened when its first call may be due: one process may have had any number of them, one after the other. */
static void list_threads(struct fth_calls *calls, size_t stretch_count)
{
    for (size_t i = 0; i < stretch_count; i++) {
        const struct fth_stretch *stretch = &calls->stretches[i];
        if (i && stretch[-1].track->thread == stretch->track->thread) {
            calls->threads[calls->thread_count - 1].stretch_count++;
            continue;
        }
        FTH_GROW(calls->threads, calls->thread_count);
        calls->threads[calls->thread_count++] =
            (struct thread){.stretches = stretch, .stretch_count = 1,
                            .next_start = fth_model_time(calls->process, stretch->track->blocks->base * stretch->quantum)};
    }
    calls->queue = fth_new(calls->thread_count, sizeof *calls->queue);
    for (uint32_t i = 0; i < calls->thread_count; i++)
        calls->queue[i] = i;
    calls->queue_length = calls->thread_count;
    if (calls->queue_length) /* what is sorted is a heap */
        qsort_r(calls->queue, calls->queue_length, sizeof *calls->queue, by_start, calls);
}

struct fth_calls *fth_calls_open(struct fth_trace *trace, size_t proc, struct fth_error **error)
{
    if (proc >= trace->process_count) {
        fth_fail(error, "there is no process %zu: the trace has %zu", proc, trace->process_count);
        return NULL;
    }
    struct fth_calls *calls = fth_new(1, sizeof *calls);
    *calls = (struct fth_calls){.trace = trace, .proc = proc, .process = &trace->processes[proc],
                                .descriptors = find_descriptors(&trace->catalog)};
    list_threads(calls, list_stretches(calls));
    return calls;
}

/* More calls of a thread whose last ones are out. */
static int refill(const struct fth_calls *calls, struct thread *thread, struct fth_error **error)
{
    if (!thread->open)
        fth_thread_reader_open(&thread->reader, calls->trace, thread->stretches, thread->stretch_count);
    thread->open = true;
    if (fill(calls, thread, error))
        return fth_fail_in(error, "process %zu of trace '%s'", calls->proc, calls->trace->path);
    if (thread->waiting_count)
        thread->next_start = thread->waiting[0].call.start;
    return 0;
}

int fth_calls_next(struct fth_calls *calls, struct fth_call *call, struct fth_error **error)
{
    while (calls->queue_length) {
        struct thread *first = &calls->threads[calls->queue[0]];
        bool is_out = first->next_out == first->waiting_count;
        if (is_out && first->ended) {
            leave_queue(calls);
            continue;
        }
        if (is_out && refill(calls, first, error))
            return -1;
        if (!is_out) {
            *call = first->waiting[first->next_out++].call;
            /* After its last one it stays where it is, with a time before its next call. */
            if (first->next_out < first->waiting_count)
                first->next_start = first->waiting[first->next_out].call.start;
        }
        sink_first(calls);
        if (!is_out)
            return 1;
    }
    return 0;
}

void fth_calls_close(struct fth_calls *calls)
{
    if (!calls)
        return;
    for (size_t i = 0; i < calls->thread_count; i++)
        close_thread(&calls->threads[i]);
    free(calls->threads);
    free(calls->queue);
    free(calls->stretches);
    free(calls);
}
