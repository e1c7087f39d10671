/* Compares a trace, call by call, with the reference that the tracer has kept of the same run (src/capture/reference.h).
 *
 *     reference_compare TRACE FOLDER
 *
 * Both are brought to one form: what <fathom/trace.h> shows of a call, as a line of text. The calls of the trace come from the public
 * reader, in order of entry. Those of the reference are put into that order here, and shown by the same functions of the model room:
 * these know nothing of grammars, columns, predictions and templates, which is what is being tested. Times may differ by one unit. */
#include "base/memory.h"
#include "model/present.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_KINDS = 1 << 16 };

static const char *trace_path;

static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("reference_compare: %s: ", trace_path);
    vprintf(format, arguments);
    printf("\n");
    exit(1);
}

/* ---- a call as a line of text ---- */

static void put_text(struct fth_bytes *to, const char *text)
{
    fth_bytes_put(to, text, strlen(text));
}

static void put_integer(struct fth_bytes *to, int64_t integer)
{
    char digits[24];
    fth_bytes_put(to, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, integer));
}

static void put_name(struct fth_bytes *to, const char *name)
{
    if (!name)
        return;
    put_text(to, "<");
    put_text(to, name);
    put_text(to, ">");
}

static void put_value(struct fth_bytes *to, const struct fth_value *value)
{
    switch (value->type) {
    case FTH_VALUE_NONE:
        put_text(to, "null");
        return;
    case FTH_VALUE_HANDLE:
        put_text(to, "#");
        __attribute__((fallthrough));
    case FTH_VALUE_INTEGER:
        put_integer(to, value->integer);
        put_name(to, value->text);
        return;
    case FTH_VALUE_TEXT:
        put_text(to, "\"");
        put_text(to, value->text);
        put_text(to, "\"");
        return;
    case FTH_VALUE_INTEGERS:
    case FTH_VALUE_HANDLES:
    case FTH_VALUE_TEXTS:
        put_text(to, value->type == FTH_VALUE_HANDLES ? "#[" : "[");
        for (size_t i = 0; i < value->count; i++) {
            if (value->type != FTH_VALUE_TEXTS)
                put_integer(to, value->integers[i]);
            if (value->texts)
                put_name(to, value->texts[i]);
            put_text(to, " ");
        }
        put_text(to, "]");
    }
}

/* All but its times, its number and its parent. */
static void put_call(struct fth_bytes *to, const struct fth_call *call)
{
    put_text(to, call->function->name);
    put_text(to, call->from_fortran ? " (Fortran) depth " : " depth ");
    put_integer(to, call->depth);
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        put_text(to, " ");
        put_text(to, call->function->parameters[i].name);
        put_text(to, "=");
        put_value(to, &call->arguments[i]);
    }
    put_text(to, " result=");
    put_value(to, &call->result);
    put_text(to, " errno=");
    put_integer(to, call->error_number);
    put_name(to, call->error_name);
    put_text(to, " file=");
    put_text(to, call->file ? call->file : "none");
    put_text(to, call->reads ? " reads" : "");
    put_text(to, call->writes ? " writes" : "");
    put_text(to, call->bytes_known ? " bytes=" : " unknown bytes=");
    put_integer(to, (int64_t)call->bytes);
    put_text(to, " tid=");
    put_integer(to, call->tid);
    fth_bytes_put(to, "", 1);
}

/* ---- the reference of a process ---- */

/* A call of the reference that waits to be compared. */
struct expected {
    size_t line; /* in the thread's `lines` */
    uint64_t entry, exit;
    uint32_t depth;
    size_t inside; /* calls inside it; in order of exit, they stand right before it */
    uint64_t number, parent;
};

struct thread {
    const char *at, *end;            /* its lines of the reference */
    struct fth_thread_reader reader; /* of which only the state is used */
    uint32_t *texts, text_limit;     /* by number: text of the process */
    struct fth_bytes lines;
    struct expected *
        expected; /* the last call that is in no other and those inside it, then in order of entry */
    size_t count, next, limit;
    uint64_t number;
    uint64_t calls;
};

struct process {
    struct fth_trace *trace;
    size_t proc;
    struct fth_process_names names;
    struct fth_presenter presenter;
    struct fth_intern kinds; /* what stands for signatures */
    struct fth_arena arena;
    struct thread *threads;
    uint32_t thread_limit;
};

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

/* The calls before it that are deeper and did not enter earlier are inside it. */
static size_t calls_inside(const struct thread *thread, const struct expected *call)
{
    size_t first = thread->count;
    while (first) {
        const struct expected *before = &thread->expected[first - 1];
        if (before->depth <= call->depth || before->entry < call->entry)
            break;
        first -= before->inside + 1;
    }
    return thread->count - first;
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
    name_kind(process, &raw, &signature);
    struct fth_call call;
    fth_present(&process->presenter, &thread->reader, &process->arena, &raw, &call);
    struct expected made = {thread->lines.length, raw.entry, raw.exit, raw.depth, 0, 0, 0};
    made.inside = calls_inside(thread, &made);
    put_call(&thread->lines, &call);
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

/* ---- comparing ---- */

static void compare_time(const struct process *process, const char *what, int64_t found,
                         uint64_t ticks, const char *line)
{
    int64_t wanted = fth_model_time(process->presenter.process, ticks),
            unit = fth_trace_info(process->trace)->resolution + 1;
    if (found < wanted - unit || found > wanted + unit)
        fail("the %s of a call is %" PRId64 " ns, but %" PRId64 " ns in the reference: %s", what,
             found, wanted, line);
}

static void compare_call(struct process *process, const struct fth_call *call)
{
    static struct fth_bytes line;
    struct thread *thread =
        call->thread < process->thread_limit ? &process->threads[call->thread] : NULL;
    line.length = 0;
    put_call(&line, call);
    if (thread && thread->next == thread->count)
        fill(process, thread);
    if (!thread || thread->next == thread->count)
        fail("process %zu, thread %u: call %" PRIu64 " is not in the reference:\n  %s",
             process->proc, call->thread, call->number, line.data);
    const struct expected *wanted = &thread->expected[thread->next++];
    const char *said = (const char *)thread->lines.data + wanted->line;
    if (strcmp((const char *)line.data, said) != 0)
        fail("process %zu, thread %u, call %" PRIu64
             "\n  in the trace:     %s\n  in the reference: %s",
             process->proc, call->thread, call->number, line.data, said);
    if (call->number != wanted->number || call->parent != wanted->parent)
        fail("process %zu, thread %u: number %" PRIu64 " and parent %" PRId64 " are %" PRIu64
             " and %" PRId64 " in the reference: %s",
             process->proc, call->thread, call->number, (int64_t)call->parent, wanted->number,
             (int64_t)wanted->parent, said);
    compare_time(process, "start", call->start, wanted->entry, said);
    compare_time(process, "end", call->end, wanted->exit, said);
    thread->calls++;
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

static void map_file(struct process *process, const char *path)
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

struct files {
    struct dirent **entries;
    int count;
    bool *taken;
};

static int is_of_reference(const struct dirent *entry)
{
    return strstr(entry->d_name, ".reference") != NULL;
}

static void take_files(struct process *process, struct files *files, const char *folder,
                       uint64_t image)
{
    char start[24], path[4096];
    int length = snprintf(start, sizeof start, "%016" PRIx64 ".", image);
    for (int i = 0; i < files->count; i++) {
        if (strncmp(files->entries[i]->d_name, start, (size_t)length) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, files->entries[i]->d_name);
        files->taken[i] = true;
        map_file(process, path);
    }
}

/* ---- a process ---- */

static void open_process(struct process *process, struct fth_trace *trace, size_t proc)
{
    *process = (struct process){.trace = trace, .proc = proc};
    fth_process_names_init(&process->names);
    fth_presenter_open(&process->presenter, trace, proc, MOST_KINDS, &process->names);
}

static void close_process(struct process *process)
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
    fth_intern_free(&process->kinds);
    fth_presenter_close(&process->presenter);
    fth_process_names_free(&process->names);
    fth_arena_free(&process->arena);
}

/* Every call of the trace is that of the reference, and the reference has no more. */
static uint64_t compare_process(struct process *process)
{
    struct fth_error *error = NULL;
    struct fth_call call;
    struct fth_calls *calls = fth_calls_open(process->trace, process->proc, &error);
    uint64_t count = 0;
    int status = -1;
    while (calls && (status = fth_calls_next(calls, &call, &error)) > 0) {
        compare_call(process, &call);
        count++;
    }
    if (status < 0)
        fail("%s", fth_error_text(error));
    fth_calls_close(calls);
    for (uint32_t i = 0; i < process->thread_limit; i++) {
        struct thread *thread = &process->threads[i];
        if (thread->next == thread->count && thread->at)
            fill(process, thread);
        if (thread->next < thread->count)
            fail("process %zu, thread %u: call %" PRIu64 " is not in the trace:\n  %s",
                 process->proc, i, thread->calls,
                 (char *)thread->lines.data + thread->expected[thread->next].line);
    }
    return count;
}

int main(int argc, char **argv)
{
    struct fth_error *error = NULL;
    struct files files = {0};
    if (argc != 3)
        return 2;
    trace_path = argv[1];
    struct fth_trace *trace = fth_trace_open(argv[1], &error);
    if (!trace)
        fail("%s", fth_error_text(error));
    files.count = scandir(argv[2], &files.entries, is_of_reference, alphasort);
    if (files.count < 0)
        fail("cannot read the folder '%s'", argv[2]);
    files.taken = fth_new((size_t)files.count + 1, 1);
    uint64_t calls = 0, threads = 0;
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++) {
        struct process process;
        open_process(&process, trace, proc);
        take_files(&process, &files, argv[2], trace->processes[proc].image);
        calls += compare_process(&process);
        for (uint32_t i = 0; i < process.thread_limit; i++)
            threads += process.threads[i].at != NULL;
        close_process(&process);
    }
    for (int i = 0; i < files.count; i++)
        if (!files.taken[i])
            fail("a process is missing: %s", files.entries[i]->d_name);
    printf("%" PRIu64 " calls of %" PRIu64 " threads in %zu processes are as in the reference\n",
           calls, threads, fth_trace_process_count(trace));
    fth_trace_close(trace);
    return calls ? 0 : 1;
}
