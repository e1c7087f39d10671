/* Calls of a process in order of entry. A thread's calls come out of the trace in order of exit: calls inside a call come before it. They wait
 * until the call around them is known, and then go out behind it. Threads are merged by time of entry. */
#include "model/thread.h"

#include "base/memory.h"
#include "catalog/values.h"

#include <inttypes.h>

enum { NOT_YET = -2 };

/* A call that waits to go out; its values stand in the thread's `values`. */
struct waiting {
    struct fth_call call;
    size_t first_value;
    int64_t parent; /* place among the waiting calls; -1: none, NOT_YET: not known */
};

struct thread {
    struct fth_thread_reader reader;
    struct waiting *waiting; /* in order of entry */
    size_t waiting_count, waiting_limit;
    struct fth_value *values;
    size_t value_count, value_limit;
    size_t next_out, out_count; /* waiting[next_out .. out_count) are ready */
    uint64_t first_number;      /* of waiting[0] */
    bool ended;
};

struct fth_calls {
    struct fth_trace *trace;
    size_t proc;
    const struct fth_model_process *process;
    struct thread *threads;
    size_t thread_count;
    struct fth_intern paths; /* joined, terminated */
    char **path_texts;
    struct fth_bytes joined;
    int64_t **lists; /* by string: count, then integers */
    const char ***text_lists;
    size_t *text_counts;
};

/* ---- strings, lists, paths ---- */

static const char *text_of(const struct fth_calls *calls, int64_t string)
{
    return string > 0 && string < calls->trace->part.strings.count ? calls->trace->texts[string] : NULL;
}

/* Integers of a list: [0] is how many. */
static const int64_t *list_of(struct fth_calls *calls, int64_t string)
{
    if (string <= 0 || string >= calls->trace->part.strings.count)
        return NULL;
    if (calls->lists[string])
        return calls->lists[string];
    size_t length;
    const uint8_t *bytes = fth_interned(&calls->trace->part.strings, (uint32_t)string, &length);
    struct fth_view view = fth_view_of(bytes, length);
    int64_t *list = fth_new(length + 1, sizeof *list);
    while (view.at < view.end && !view.failed)
        list[++list[0]] = fth_view_signed(&view);
    if (view.failed)
        list[0]--;
    return calls->lists[string] = list;
}

static const char **texts_of(struct fth_calls *calls, int64_t string, size_t *count)
{
    if (string <= 0 || string >= calls->trace->part.strings.count)
        return NULL;
    if (!calls->text_lists[string]) {
        size_t length, used = 0;
        fth_interned(&calls->trace->part.strings, (uint32_t)string, &length);
        const char *text = calls->trace->texts[string];
        const char **list = NULL;
        for (size_t at = 0; at < length; at += strlen(text + at) + 1) {
            FTH_GROW(list, used);
            list[used++] = text + at;
        }
        calls->text_lists[string] = list ? list : fth_new(1, sizeof *list);
        calls->text_counts[string] = used;
    }
    *count = calls->text_counts[string];
    return calls->text_lists[string];
}

static const char *path_of_call(struct fth_calls *calls, const struct thread *thread, const struct fth_raw_call *raw)
{
    struct fth_path_parts parts;
    const struct fth_meaning *meaning = raw->meaning;
    if (!fth_call_path(&thread->reader.state, meaning, raw->values, calls->process->facts.directory, &parts))
        return NULL;
    if (meaning->handle >= 0)
        return text_of(calls, fth_state_binding(&thread->reader.state, meaning->handle_class,
                                                raw->values[meaning->handle])->path);
    fth_path_join(&parts, &calls->joined);
    uint32_t before = calls->paths.count;
    uint32_t number = fth_intern(&calls->paths, calls->joined.data, calls->joined.length);
    if (number == before) {
        FTH_GROW(calls->path_texts, before);
        calls->path_texts[number] = strdup((const char *)calls->joined.data);
    }
    return calls->path_texts[number];
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

static bool is_descriptor_class(const struct fth_calls *calls, int handle_class)
{
    return handle_class >= 0 && strcmp(calls->trace->catalog.classes[handle_class].name, "fd") == 0;
}

static struct fth_value handle_value(const struct fth_calls *calls, const struct thread *thread, int handle_class, int64_t slot)
{
    if (slot == FTH_SLOT_NONE)
        return (struct fth_value){.type = FTH_VALUE_NONE};
    struct fth_value value = {.type = FTH_VALUE_HANDLE, .integer = slot < 0 ? -1 : slot};
    const struct fth_binding *binding = fth_state_binding(&thread->reader.state, handle_class, slot);
    if (binding) {
        value.text = text_of(calls, binding->path);
        if (is_descriptor_class(calls, handle_class))
            value.integer = binding->number;
    }
    return value;
}

static struct fth_value list_value(struct fth_calls *calls, int64_t string)
{
    const int64_t *list = list_of(calls, string);
    if (!list)
        return (struct fth_value){.type = FTH_VALUE_NONE};
    return (struct fth_value){.type = FTH_VALUE_INTEGERS, .count = (size_t)list[0], .integers = list + 1};
}

/* A list of its own, of two or three integers; kept with the lists of the iterator. */
static struct fth_value small_list(struct fth_calls *calls, const int64_t *integers, size_t count)
{
    uint8_t packed[3 * FTH_VARINT_MAX], *to = packed;
    for (size_t i = 0; i < count; i++)
        to = fth_put_varint(to, fth_zigzag(integers[i]));
    uint32_t before = calls->paths.count;
    /* path_texts holds anything that is made here and must last */
    uint32_t number = fth_intern(&calls->paths, packed, (size_t)(to - packed));
    if (number == before) {
        FTH_GROW(calls->path_texts, before);
        calls->path_texts[number] = fth_new(count, sizeof *integers);
        memcpy(calls->path_texts[number], integers, count * sizeof *integers);
    }
    return (struct fth_value){.type = FTH_VALUE_INTEGERS, .count = count,
                              .integers = (const int64_t *)(void *)calls->path_texts[number]};
}

/* The value of one plan entry as the parameter's; `next` looks at the entries behind it. */
static struct fth_value make_value(struct fth_calls *calls, const struct thread *thread, const struct fth_raw_call *raw, int i)
{
    const struct fth_value_plan *plan = &raw->meaning->plan[i];
    const struct fth_field *field = plan->field >= 0 ? &raw->meaning->row->fields[plan->field] : &raw->meaning->row->result;
    int64_t value = raw->values[i];
    if (FTH_IS_FAILURE(value))
        return integer_value(-1);
    switch (plan->part) {
    case FTH_PART_SLOT:
        if (field->role == FTH_ROLE_NEW) {
            bool numbered = i + 1 < raw->meaning->value_count && raw->meaning->plan[i + 1].part == FTH_PART_NUMBER;
            return (struct fth_value){.type = FTH_VALUE_HANDLE, .integer = numbered ? value + raw->values[i + 1] : value};
        }
        if (field->role == FTH_ROLE_AIO) {
            struct fth_value handle = handle_value(calls, thread, raw->meaning->handle_class, value);
            return small_list(calls, (int64_t[]){handle.integer, raw->values[i + 1], raw->values[i + 2]}, 3);
        }
        return handle_value(calls, thread, field->class_index, value);
    case FTH_PART_TEXT:
        return text_value(text_of(calls, value));
    case FTH_PART_TEXTS: {
        size_t count = 0;
        const char **texts = texts_of(calls, value, &count);
        return texts ? (struct fth_value){.type = FTH_VALUE_TEXTS, .count = count, .texts = texts}
                     : (struct fth_value){.type = FTH_VALUE_NONE};
    }
    case FTH_PART_LIST: {
        struct fth_value list = list_value(calls, value);
        if (field->role == FTH_ROLE_NEW && list.count == 4) /* slots and what their numbers are more */
            return small_list(calls, (int64_t[]){list.integers[0] + list.integers[1], list.integers[2] + list.integers[3]}, 2);
        return list;
    }
    case FTH_PART_SOURCE:
        if (value == FTH_ABSENT)
            return (struct fth_value){.type = FTH_VALUE_NONE};
        return small_list(calls, (int64_t[]){value, raw->values[i + 1]}, 2);
    default:
        return integer_value(value);
    }
}

static struct fth_value result_value(struct fth_calls *calls, const struct thread *thread, const struct fth_raw_call *raw)
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
        return integer_value(size ? value / size : 0);
    }
    return make_value(calls, thread, raw, meaning->result);
}

static bool belongs_to_one_before(enum fth_value_part part)
{
    return part == FTH_PART_NUMBER || part == FTH_PART_ELEMENT || part == FTH_PART_TAG;
}

/* Puts the values of a call behind those of the others that wait; returns where they begin. The result is the last. */
static size_t put_values(struct fth_calls *calls, struct thread *thread, const struct fth_raw_call *raw)
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

static void make_call(struct fth_calls *calls, const struct thread *thread, const struct fth_raw_call *raw,
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
static void insert(struct fth_calls *calls, struct thread *thread, const struct fth_raw_call *raw)
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
static int fill(struct fth_calls *calls, struct thread *thread, struct fth_error **error)
{
    struct fth_raw_call raw;
    thread->first_number += thread->waiting_count;
    thread->waiting_count = thread->value_count = thread->next_out = thread->out_count = 0;
    while (!thread->ended) {
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
    thread->out_count = thread->waiting_count;
    for (size_t i = 0; i < thread->waiting_count; i++) {
        struct waiting *waiting = &thread->waiting[i];
        waiting->call.number = thread->first_number + i;
        waiting->call.parent = waiting->parent >= 0 ? thread->first_number + (uint64_t)waiting->parent : FTH_NO_CALL;
        waiting->call.arguments = thread->values + waiting->first_value;
        waiting->call.result = thread->values[waiting->first_value + waiting->call.function->parameter_count];
    }
    return 0;
}

/* ---- doors ---- */

struct fth_calls *fth_calls_open(struct fth_trace *trace, size_t proc, struct fth_error **error)
{
    if (proc >= trace->process_count) {
        fth_fail(error, "there is no process %zu: the trace has %zu", proc, trace->process_count);
        return NULL;
    }
    struct fth_calls *calls = fth_new(1, sizeof *calls);
    *calls = (struct fth_calls){.trace = trace, .proc = proc, .process = &trace->processes[proc]};
    calls->lists = fth_new(trace->part.strings.count, sizeof *calls->lists);
    calls->text_lists = fth_new(trace->part.strings.count, sizeof *calls->text_lists);
    calls->text_counts = fth_new(trace->part.strings.count, sizeof *calls->text_counts);
    for (size_t i = 0; i < calls->process->share_count; i++) {
        const struct fth_part_process *stored = &trace->part.processes[calls->process->shares[i].index];
        for (size_t k = 0; k < stored->track_count; k++) {
            size_t known = 0;
            while (known < calls->thread_count && calls->threads[known].reader.thread != stored->tracks[k].thread)
                known++;
            if (known < calls->thread_count)
                continue;
            FTH_GROW(calls->threads, calls->thread_count);
            struct thread *thread = &calls->threads[calls->thread_count++];
            *thread = (struct thread){0};
            fth_thread_reader_open(&thread->reader, trace, calls->process, stored->tracks[k].thread);
        }
    }
    return calls;
}

int fth_calls_next(struct fth_calls *calls, struct fth_call *call, struct fth_error **error)
{
    struct thread *first = NULL;
    for (size_t i = 0; i < calls->thread_count; i++) {
        struct thread *thread = &calls->threads[i];
        if (thread->next_out == thread->out_count && !thread->ended && fill(calls, thread, error)) {
            fth_fail_in(error, "process %zu of trace '%s'", calls->proc, calls->trace->path);
            return -1;
        }
        if (thread->next_out == thread->out_count)
            continue;
        if (!first || thread->waiting[thread->next_out].call.start < first->waiting[first->next_out].call.start)
            first = thread;
    }
    if (!first)
        return 0;
    *call = first->waiting[first->next_out++].call;
    return 1;
}

void fth_calls_close(struct fth_calls *calls)
{
    if (!calls)
        return;
    for (size_t i = 0; i < calls->thread_count; i++) {
        fth_thread_reader_close(&calls->threads[i].reader);
        free(calls->threads[i].waiting);
        free(calls->threads[i].values);
    }
    free(calls->threads);
    for (uint32_t i = 0; i < calls->trace->part.strings.count; i++) {
        free(calls->lists[i]);
        free(calls->text_lists[i]);
    }
    free(calls->lists);
    free(calls->text_lists);
    free(calls->text_counts);
    for (uint32_t i = 0; i < calls->paths.count; i++)
        free(calls->path_texts[i]);
    free(calls->path_texts);
    fth_intern_free(&calls->paths);
    fth_bytes_free(&calls->joined);
    free(calls);
}
