/* A descriptor of a FIFO looks like one of a file: only whoever made the name said what it is. A
 * process that opens a file may never lock it, but its child does, and leaves the lock to it. So
 * names of FIFOs and of files that are locked are known before calls are fed. */
#include "order/build/known_files.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/calls/possible_values.h"
#include "model/reading/trace_functions.h"
#include "order/build/called.h"

#include <string.h>

/* Whoever locks what it has opened itself needs no such names: of long runs the begin must do. */
enum { MOST_NAMES = 4096, MOST_CALLS = 1 << 16, TYPE_OF_FILE = 0170000, IS_FIFO = 0010000 };

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

static void add(struct fth_file_names *names, const char *name)
{
    if (names->count == MOST_NAMES || fth_known_files_find(names, name))
        return;
    FTH_GROW(names->all, names->count);
    names->all[names->count++] = fth_text_copy(name);
}

/* ---- FIFOs ---- */

/* mkfifo always makes one, mknod when its mode says so. */
static bool names_fifo(const struct fth_function *function)
{
    return is(function->orders, "fifo") || is(function->orders, "node");
}

static bool makes_one(const struct fth_call *call)
{
    const struct fth_function *function = call->function;
    if (call->error_number || !call->file || !names_fifo(function))
        return false;
    bool says_so = is(function->orders, "fifo");
    for (size_t i = 0; i < function->parameter_count; i++)
        if (is(function->parameters[i].role, "mode"))
            says_so |= call->arguments[i].type == FTH_VALUE_INTEGER &&
                       (call->arguments[i].integer & TYPE_OF_FILE) == IS_FIFO;
    return says_so;
}

/* ---- locks of open file descriptions ---- */

static bool locks(const struct fth_function *function)
{
    bool any = false;
    for (size_t i = 0; i < function->parameter_count; i++)
        any |= is(function->parameters[i].role, "flags flock") ||
               is(function->parameters[i].role, "flags fcntl_cmd");
    return any;
}

struct process_of_trace {
    const struct fth_trace *trace;
    size_t proc;
};

/* Most calls with commands are no locks of open file descriptions. */
static bool may_be_of_description(const void *context, const struct fth_function *function,
                                  size_t parameter, const int64_t *integer)
{
    const struct process_of_trace *of = context;
    const char *role = function->parameters[parameter].role;
    if (is(role, "flags flock"))
        return true;
    if (!is(role, "flags fcntl_cmd"))
        return false;
    const struct fth_flags *words = fth_trace_flags(of->trace, of->proc, role + strlen("flags "));
    for (size_t i = 0; integer && words && i < words->count; i++)
        if (words->entries[i].value == *integer)
            return fth_text_begins(words->entries[i].name, "F_OFD_");
    return !integer;
}

static bool may_lock_description(struct fth_trace *trace, size_t proc)
{
    const struct process_of_trace of = {trace, proc};
    return fth_order_may_have_called(trace, proc, locks) &&
           fth_process_may_have(trace, proc,
                                &(struct fth_asked_value){locks, may_be_of_description, &of});
}

static void add_locked(struct fth_file_names *names, const struct fth_trace *trace,
                       const struct fth_call *call)
{
    const struct fth_handle *handle = call->handle;
    struct fth_lock_event lock;
    if (call->error_number || !handle || !handle->path || !locks(call->function) ||
        !fth_call_lock(trace, call, &lock) || !lock.of_description)
        return;
    add(names, handle->identity.path ? handle->identity.path : handle->path);
}

/* ---- both ---- */

static void find_fifos(struct fth_known_files *files, struct fth_trace *trace, size_t proc)
{
    struct fth_call call;
    struct fth_error *error = NULL;
    struct fth_calls *calls = fth_calls_open(trace, proc, &error);
    while (calls && fth_calls_next(calls, &call, &error) == 1)
        if (makes_one(&call))
            add(&files->fifos, call.file);
    fth_calls_close(calls);
    fth_error_free(error);
}

static bool has_children(const struct fth_trace *trace, size_t proc)
{
    for (size_t i = proc + 1; i < fth_trace_process_count(trace); i++)
        if (fth_trace_process(trace, i)->parent_proc == (int64_t)proc)
            return true;
    return false;
}

static void find_locked(struct fth_known_files *files, struct fth_trace *trace, size_t proc)
{
    struct fth_call call;
    struct fth_error *error = NULL;
    bool all = has_children(trace, proc);
    struct fth_calls *calls = fth_calls_with_handles(trace, proc, &error);
    for (size_t i = 0; calls && (all || i < MOST_CALLS); i++) {
        if (fth_calls_next(calls, &call, &error) != 1)
            break;
        add_locked(&files->locked, trace, &call);
    }
    fth_calls_close(calls);
    fth_error_free(error);
}

struct fth_known_files fth_known_files_of(struct fth_trace *trace)
{
    struct fth_known_files files = {0};
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++) {
        if (fth_order_may_have_called(trace, proc, names_fifo))
            find_fifos(&files, trace, proc);
        if (may_lock_description(trace, proc))
            find_locked(&files, trace, proc);
    }
    return files;
}

const char *fth_known_files_find(const struct fth_file_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->all[i], name) == 0)
            return names->all[i];
    return NULL;
}

void fth_known_files_free(struct fth_known_files *files)
{
    for (size_t i = 0; i < files->fifos.count; i++)
        free(files->fifos.all[i]);
    for (size_t i = 0; i < files->locked.count; i++)
        free(files->locked.all[i]);
    free(files->fifos.all);
    free(files->locked.all);
}
