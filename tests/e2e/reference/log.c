/* Reading the reference. Its calls come in order of exit, with slots and numbers of texts; here
 * they are shown by the functions of the model room that show calls of a trace, and put in order of
 * entry. */
#include "log.h"

#include "base/memory.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_KINDS = 1 << 14 };

/* ---- lines ---- */

static int64_t next_integer(const char **at)
{
    char *end;
    if (**at != ' ')
        fail("the reference is damaged at '%.60s'", *at);
    int64_t integer = strtoll(*at, &end, 10);
    *at = end;
    return integer;
}

static unsigned digit_of(char digit)
{
    return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

/* "t NUMBER HEX" */
static void take_text(struct process *process, struct thread *thread, const char *at)
{
    struct fth_bytes *bytes = &process->names.scratch;
    uint32_t number = (uint32_t)next_integer(&at);
    bytes->length = 0;
    for (at++; *at != '\n'; at += 2) {
        char byte = (char)(digit_of(at[0]) << 4 | digit_of(at[1]));
        fth_bytes_put(bytes, &byte, 1);
    }
    thread->texts = fth_reach(thread->texts, &thread->text_limit, number, sizeof *thread->texts);
    thread->texts[number] = fth_intern(&process->names.texts, bytes->data, bytes->length);
}

/* From what the tracer had in hand to what the program passed and got. */
static int64_t settle(const struct thread *thread, enum fth_value_part part, int64_t value,
                      int64_t asked)
{
    switch (part) {
    case FTH_PART_TEXT:
    case FTH_PART_TEXTS:
    case FTH_PART_LIST:
        if (value <= 0)
            return 0;
        if (value >= thread->text_limit || !thread->texts[value])
            fail("the reference lacks text %" PRId64, value);
        return thread->texts[value];
    case FTH_PART_MOVED:
        return FTH_IS_FAILURE(value) ? value : (int64_t)((uint64_t)value + (uint64_t)asked);
    case FTH_PART_POSITION:
        return FTH_IS_FAILURE(value) ? value : asked; /* reached, that is */
    default:
        return value;
    }
}

/* Calls that are shown alike share a number and a signature of which every value may differ. */
static void name_kind(struct process *process, struct fth_raw_call *raw,
                      struct fth_signature *signature)
{
    const uint32_t key[] = {signature->function, signature->depth, signature->flags};
    signature->mask = UINT32_MAX;
    raw->signature = signature;
    raw->number = fth_intern(&process->kinds, key, sizeof key);
    if (raw->number >= MOST_KINDS)
        fail("more than %d kinds of calls", MOST_KINDS);
}

/* The calls before it that are deeper and did not enter earlier, in units of time, are inside it.
 */
static size_t calls_inside(const struct process *process, const struct thread *thread,
                           const struct expected *call)
{
    size_t first = thread->count;
    uint64_t unit = process->trace->processes[process->proc].shares[0].quantum;
    while (first) {
        const struct expected *before = &thread->expected[first - 1];
        if (before->depth <= call->depth || before->entry / unit < call->entry / unit)
            break;
        first -= before->inside + 1;
    }
    return thread->count - first;
}

/* Calls are kept in order of exit. A signal handler that comes right behind a call, when its end
 * has been read already, makes calls that are recorded before it; then the call ends with the last
 * of them. */
static void keep_order(struct thread *thread, struct fth_raw_call *raw)
{
    if (thread->last_depth <= raw->depth && raw->entry < thread->last_exit)
        raw->entry = thread->last_exit;
    if (raw->exit < thread->last_exit)
        raw->exit = thread->last_exit;
    thread->last_exit = raw->exit;
    thread->last_depth = raw->depth;
}

/* "c THREAD TID ..." */
static void take_call(struct process *process, struct thread *thread, const char *at)
{
    next_integer(&at);
    thread->reader.tid = next_integer(&at);
    struct fth_signature signature = {.function = (uint32_t)next_integer(&at)};
    if (signature.function >= process->trace->catalog.row_count)
        fail("the reference has a call of a function that the trace does not know");
    signature.depth = (uint32_t)next_integer(&at);
    signature.flags = (uint32_t)next_integer(&at);
    const struct fth_meaning *meaning = &process->trace->meanings[signature.function];
    struct fth_raw_call raw = {
        .meaning = meaning, .depth = signature.depth, .flags = signature.flags};
    raw.entry = (uint64_t)next_integer(&at);
    raw.exit = (uint64_t)next_integer(&at);
    int64_t asked = next_integer(&at);
    for (int i = 0; i < meaning->value_count; i++)
        raw.values[i] = settle(thread, meaning->plan[i].part, next_integer(&at), asked);
    if (*at != '\n')
        fail("the reference has more values than %s keeps", meaning->row->name);
    if (fth_state_note(&thread->reader.state, meaning, raw.values))
        return;
    keep_order(thread, &raw);
    name_kind(process, &raw, &signature);
    struct fth_call call;
    fth_present(&process->presenter, &thread->reader, &process->arena, &raw, &call);
    struct expected made = {thread->lines.length, raw.entry, raw.exit, raw.depth, 0, 0, 0};
    made.inside = calls_inside(process, thread, &made);
    put_call(&thread->lines, &call);
    sums_add(process, &raw, &call);
    fth_arena_reset(&process->arena);
    if (thread->count == thread->limit) {
        thread->limit = thread->limit ? thread->limit * 2 : 16;
        thread->expected = fth_resize(thread->expected, thread->limit, sizeof made);
    }
    thread->expected[thread->count++] = made;
}

/* From order of exit to order of entry: [from, from + count) stand in `calls`, go to `to`. */
static void put_in_order(struct thread *thread, const struct expected *calls, size_t count,
                         uint64_t parent, struct expected **to)
{
    size_t roots = 0, *starts = fth_new(count + 1, sizeof *starts);
    for (size_t end = count; end; end -= calls[end - 1].inside + 1)
        starts[roots++] = end;
    while (roots) {
        const struct expected *call = &calls[starts[--roots] - 1];
        struct expected *placed = (*to)++;
        *placed = *call;
        placed->number = thread->number++;
        placed->parent = parent;
        put_in_order(thread, call - call->inside, call->inside, placed->number, to);
    }
    free(starts);
}

/* The calls of the reference up to one that is in no other. */
static void fill(struct process *process, struct thread *thread)
{
    thread->count = thread->next = 0;
    thread->lines.length = 0;
    while (thread->at < thread->end) {
        const char *line = thread->at;
        thread->at = (const char *)memchr(line, '\n', (size_t)(thread->end - line)) + 1;
        if (*line == 't') {
            take_text(process, thread, line + 1);
            continue;
        }
        take_call(process, thread, line + 1);
        if (thread->count && thread->expected[thread->count - 1].depth == 0)
            break;
    }
    struct expected *calls = fth_new(thread->count + 1, sizeof *calls), *to = thread->expected;
    memcpy(calls, thread->expected, thread->count * sizeof *calls);
    put_in_order(thread, calls, thread->count, FTH_NO_CALL, &to);
    free(calls);
}

const struct expected *log_next(struct process *process, uint32_t number)
{
    struct thread *thread = number < process->thread_limit ? &process->threads[number] : NULL;
    if (!thread || !thread->at)
        return NULL;
    if (thread->next == thread->count)
        fill(process, thread);
    return thread->next < thread->count ? &thread->expected[thread->next++] : NULL;
}

const char *log_shown(const struct process *process, uint32_t number,
                      const struct expected *expected)
{
    return (const char *)process->threads[number].lines.data + expected->line;
}

/* ---- files ---- */

/* Lines of one file belong to threads one after another; a text belongs to the call behind it. */
static void list_threads(struct process *process, const char *at, const char *end)
{
    const char *first = at;
    for (const char *next; at < end && *at; at = next) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            fail("the reference is cut off");
        next = stop + 1;
        if (*at != 'c')
            continue;
        uint32_t number = (uint32_t)strtoul(at + 1, NULL, 10);
        process->threads =
            fth_reach(process->threads, &process->thread_limit, number, sizeof *process->threads);
        struct thread *thread = &process->threads[number];
        if (!thread->at) {
            *thread = (struct thread){.at = first};
            fth_thread_state_init(&thread->reader.state, &process->trace->catalog, &process->names,
                                  process->trace->meanings);
            thread->reader.thread = number;
        } else if (thread->end != first) {
            fail("thread %u of the reference stands in two places", number);
        }
        thread->end = first = next;
    }
}

void log_take_file(struct process *process, const char *path)
{
    struct stat facts;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &facts) != 0)
        fail("cannot open the reference '%s'", path);
    const char *bytes = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (bytes == MAP_FAILED)
        fail("cannot map the reference '%s'", path);
    list_threads(process, bytes, bytes + facts.st_size); /* stays mapped */
}

void log_close_gaps(struct process *process)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < process->thread_limit; i++) {
        struct thread *thread = &process->threads[i];
        if (!thread->at)
            continue;
        thread->reader.thread = count;
        if (i != count)
            process->threads[count] = *thread;
        count++;
    }
    process->thread_limit = count;
}

/* ---- a process ---- */

void log_open(struct process *process, struct fth_trace *trace, size_t proc)
{
    *process = (struct process){.trace = trace, .proc = proc};
    fth_process_names_init(&process->names);
    fth_presenter_open(&process->presenter, trace, proc, MOST_KINDS, 0, &process->names);
}

void log_close(struct process *process)
{
    for (uint32_t i = 0; i < process->thread_limit; i++) {
        struct thread *thread = &process->threads[i];
        if (!thread->at)
            continue;
        fth_thread_state_free(&thread->reader.state);
        free(thread->texts);
        free(thread->expected);
        fth_bytes_free(&thread->lines);
    }
    free(process->threads);
    sums_free(&process->functions);
    sums_free(&process->files);
    fth_aio_free(&process->aio);
    fth_intern_free(&process->kinds);
    fth_presenter_close(&process->presenter);
    fth_process_names_free(&process->names);
    fth_arena_free(&process->arena);
}
