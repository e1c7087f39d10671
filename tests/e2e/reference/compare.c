/* Compares a trace, call by call, with the reference that the tracer has kept of the same run
 * (src/capture/record/reference.h).
 *
 *     reference_compare TRACE FOLDER
 *
 * Both are brought to one form: what <fathom/trace.h> shows of a call, as a line of text. The calls
 * of the trace come from the public reader, in order of entry. Those of the reference are put into
 * that order here, and shown by the same functions of the model room: these know nothing of
 * grammars, columns, predictions and templates, which is what is being tested. Times may differ by
 * one unit. */
#include "log.h"

#include "base/memory.h"
#include "model/calls/completed.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *trace_path;

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("reference_compare: %s: ", trace_path);
    vprintf(format, arguments);
    printf("\n");
    exit(1);
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
    const struct expected *wanted = log_next(process, call->thread);
    line.length = 0;
    put_call(&line, call);
    if (!wanted)
        fail("process %zu, thread %u: call %" PRIu64 " is not in the reference:\n  %s",
             process->proc, call->thread, call->number, line.data);
    const char *shown = log_shown(process, call->thread, wanted);
    if (strcmp((const char *)line.data, shown) != 0)
        fail("process %zu, thread %u, call %" PRIu64
             "\n  in the trace:     %s\n  in the reference: %s",
             process->proc, call->thread, call->number, line.data, shown);
    /* it knows one thread at a time */
    uint64_t parent = call->starter ? FTH_NO_CALL : call->parent;
    if (call->number != wanted->number || parent != wanted->parent)
        fail("process %zu, thread %u: number %" PRIu64 " and parent %" PRId64 " are %" PRIu64
             " and %" PRId64 " in the reference: %s",
             process->proc, call->thread, call->number, (int64_t)call->parent, wanted->number,
             (int64_t)wanted->parent, shown);
    compare_time(process, "start", call->start, wanted->entry, shown);
    compare_time(process, "end", call->end, wanted->exit, shown);
}

/* ---- files ---- */

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
        log_take_file(process, path);
    }
}

/* ---- a process ---- */

/* Every call of the trace is that of the reference, the reference has no more, and they come to the
 * same sums. */
static uint64_t compare_process(struct process *process)
{
    struct fth_error *error = NULL;
    struct fth_call call;
    /* what later calls tell of it is in the sums */
    struct fth_calls *calls = fth_calls_as_asked(process->trace, process->proc, &error);
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
        const struct expected *left = log_next(process, i);
        if (left)
            fail("process %zu, thread %u: call %" PRIu64 " is not in the trace:\n  %s",
                 process->proc, i, left->number, log_shown(process, i, left));
    }
    sums_compare(process);
    middle_compare(process);
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
        log_open(&process, trace, proc);
        take_files(&process, &files, argv[2], trace->processes[proc].image);
        log_close_gaps(&process);
        calls += compare_process(&process);
        for (uint32_t i = 0; i < process.thread_limit; i++)
            threads += process.threads[i].at != NULL;
        log_close(&process);
    }
    for (int i = 0; i < files.count; i++)
        if (!files.taken[i])
            fail("a process is missing: %s", files.entries[i]->d_name);
    printf("%" PRIu64 " calls of %" PRIu64 " threads in %zu processes are as in the reference\n",
           calls, threads, fth_trace_process_count(trace));
    fth_trace_close(trace);
    return calls ? 0 : 1;
}
