/* Which call made which child, and which one waited for it: see the header. */
#include "repeat/what/children.h"

#include "base/memory.h"
#include "repeat/what/played.h"

#include <string.h>

void fth_repeat_children_open(struct fth_repeat_children *children, const struct fth_trace *trace)
{
    size_t processes = fth_trace_process_count(trace);
    *children = (struct fth_repeat_children){
        .trace = trace,
        .begun = fth_new(processes + 1, 1),
        .ended = fth_new(processes + 1, 1),
        .of_streams.size = sizeof(int64_t),
    };
}

void fth_repeat_children_close(struct fth_repeat_children *children)
{
    free(children->begun);
    free(children->ended);
    fth_keyed_free(&children->of_streams);
}

void fth_repeat_children_start(struct fth_repeat_children *children, size_t proc)
{
    fth_keyed_free(&children->of_streams);
    children->of_streams = (struct fth_keyed){.size = sizeof(int64_t)};
    children->proc = proc;
    children->next = proc + 1;
    children->thread = 0;
}

bool fth_repeat_is_other_program(const struct fth_process *parent, const struct fth_process *child)
{
    if (parent->argument_count != child->argument_count)
        return true;
    for (size_t i = 0; i < child->argument_count; i++)
        if (strcmp(parent->arguments[i], child->arguments[i]) != 0)
            return true;
    return false;
}

/* ---- what becomes of it ---- */

static bool found(struct fth_repeat_children *children, size_t proc, bool begins, bool ends,
                  struct fth_repeat_child *child)
{
    if (proc == fth_trace_process_count(children->trace))
        return false;
    children->begun[proc] |= begins;
    children->ended[proc] |= ends;
    *child = (struct fth_repeat_child){proc, begins, ends};
    return true;
}

/* ---- which child ---- */

static bool is_child(const struct fth_repeat_children *children, size_t proc)
{
    const struct fth_trace *trace = children->trace;
    return fth_trace_process(trace, proc)->parent_proc == (int64_t)children->proc &&
           !fth_repeat_is_image_of(trace, proc, children->proc) && fth_repeat_plays(trace, proc) &&
           !fth_repeat_is_root(trace, proc);
}

static int place_named(const struct fth_function *function, const char *name)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (!strcmp(function->parameters[i].name, name))
            return (int)i;
    return -1;
}

/* An integer that the call returned through this parameter. */
static int64_t returned(const struct fth_call *call, int place)
{
    const struct fth_value *value = place >= 0 ? &call->arguments[place] : NULL;
    return value && value->type == FTH_VALUE_INTEGER ? value->integer : 0;
}

static int64_t result_of(const struct fth_call *call)
{
    return call->result.type == FTH_VALUE_INTEGER && !call->error_number ? call->result.integer
                                                                         : -1;
}

/* Its pid; below 1: it is not known, or there is none. */
static int64_t made_by(const struct fth_call *call)
{
    int pid_at = place_named(call->function, "pid");
    bool is_returned = pid_at >= 0 && !strcmp(call->function->parameters[pid_at].role, "out");
    return is_returned && !call->error_number ? returned(call, pid_at) : result_of(call);
}

/* The first with this pid that has not begun: a pid is given out again when its child is gone. */
static size_t child_with(const struct fth_repeat_children *children, int64_t pid, bool has_begun)
{
    size_t count = fth_trace_process_count(children->trace);
    for (size_t i = children->proc + 1; pid > 0 && i < count; i++)
        if (children->begun[i] == has_begun && !children->ended[i] &&
            fth_trace_process(children->trace, i)->pid == pid && is_child(children, i))
            return i;
    return count;
}

/* The shell that has the command of this call as its last argument. */
static bool is_shell_of(const struct fth_process *process, const struct fth_call *call)
{
    const char *command = NULL;
    for (size_t i = 0; i < call->function->parameter_count && !command; i++)
        if (call->arguments[i].type == FTH_VALUE_TEXT)
            command = call->arguments[i].text;
    return process->start >= call->start && command && process->argument_count > 2 &&
           !strcmp(process->arguments[process->argument_count - 1], command);
}

static size_t shell_of(const struct fth_repeat_children *children, const struct fth_call *call)
{
    size_t count = fth_trace_process_count(children->trace);
    for (size_t i = children->proc + 1; i < count; i++)
        if (!children->begun[i] && is_child(children, i) &&
            is_shell_of(fth_trace_process(children->trace, i), call))
            return i;
    return count;
}

/* ---- calls ---- */

static const struct fth_value *stream_of(const struct fth_call *call)
{
    if (call->result.type == FTH_VALUE_HANDLE)
        return &call->result;
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (call->arguments[i].type == FTH_VALUE_HANDLE)
            return &call->arguments[i];
    return NULL;
}

/* A call that runs a command in a shell: until it returns, or until its stream is closed. */
static bool run_shell(struct fth_repeat_children *children, const struct fth_call *call,
                      struct fth_repeat_child *child)
{
    const struct fth_value *stream = stream_of(call);
    int64_t *known =
        stream ? fth_keyed_get(&children->of_streams, &stream->integer, sizeof stream->integer)
               : NULL;
    if (known && stream != &call->result) {
        int64_t ended = *known;
        *known = 0;
        return ended && found(children, (size_t)(ended - 1), false, true, child);
    }
    size_t proc = shell_of(children, call);
    if (known && proc < fth_trace_process_count(children->trace))
        *known = (int64_t)proc + 1;
    return found(children, proc, true, !known, child);
}

bool fth_repeat_child_made(struct fth_repeat_children *children, const struct fth_call *call,
                           struct fth_repeat_child *child)
{
    children->thread = call->thread;
    if (!strcmp(call->function->orders, "child"))
        return run_shell(children, call, child);
    return found(children, child_with(children, made_by(call), false), true, false, child);
}

bool fth_repeat_child_until(struct fth_repeat_children *children, int64_t time,
                            struct fth_repeat_child *child)
{
    size_t count = fth_trace_process_count(children->trace);
    for (; children->next < count; children->next++) {
        size_t next = children->next;
        const struct fth_process *process = fth_trace_process(children->trace, next);
        if (children->begun[next] || process->parent_proc != (int64_t)children->proc)
            continue;
        if (process->start > time)
            break;
        if (is_child(children, next))
            return found(children, next, true, false, child);
    }
    return false;
}

/* Of wait and its kin: the status says that it was stopped or goes on, not that it ended. */
static bool goes_on(int64_t status)
{
    enum { HAS_STOPPED = 0x7f, HAS_CONTINUED = 0xffff };
    return status == HAS_CONTINUED || (status & 0xff) == HAS_STOPPED;
}

/* The pid of the child that had ended when the call returned. */
static int64_t ended_by(const struct fth_call *call)
{
    enum { LAST_END = 3 /* CLD_EXITED, CLD_KILLED, CLD_DUMPED */ };
    int child_at = place_named(call->function, "child");
    if (child_at < 0)
        return goes_on(returned(call, place_named(call->function, "wstatus"))) ? 0
                                                                               : result_of(call);
    int64_t code = returned(call, place_named(call->function, "code"));
    return code >= 1 && code <= LAST_END ? returned(call, child_at) : 0;
}

bool fth_repeat_child_reaped(struct fth_repeat_children *children, const struct fth_call *call,
                             struct fth_repeat_child *child)
{
    return found(children, child_with(children, ended_by(call), true), false, true, child);
}
