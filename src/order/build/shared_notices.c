/* What processes learn of each other without anything that they share: signals, stops, ends of
 * processes, notices about descriptors. */
#include "base/memory.h"
#include "model/reading/trace_functions.h"
#include "order/build/shared_finding.h"

#include <stdio.h>
#include <string.h>

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

static int64_t integer_named(const struct fth_call *call, const char *name)
{
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (is(call->function->parameters[i].name, name) &&
            call->arguments[i].type == FTH_VALUE_INTEGER)
            return call->arguments[i].integer;
    return -1;
}

static void release(struct fth_shared_finding *finding, const char *name, const char *text,
                    size_t proc, int64_t until)
{
    fth_shared_add(finding, name, text,
                   (struct fth_shared_thing){.proc = (uint32_t)proc,
                                             .releases_until = until,
                                             .acquires_from = INT64_MAX});
}

static void acquire(struct fth_shared_finding *finding, const char *name, const char *text,
                    size_t proc, int64_t from)
{
    fth_shared_add(finding, name, text,
                   (struct fth_shared_thing){
                       .proc = (uint32_t)proc, .releases_until = INT64_MIN, .acquires_from = from});
}

/* ---- stopped processes ---- */

enum { IS_CONT = 18, IS_STOP = 19, IS_TSTP = 20, IS_TTIN = 21, IS_TTOU = 22 };

static bool stops(int64_t number)
{
    return number == IS_STOP || number == IS_TSTP || number == IS_TTIN || number == IS_TTOU;
}

/* The pid of the process that made this one; or -1. */
static int64_t parent_of(const struct fth_trace *trace, size_t proc)
{
    int64_t pid = fth_trace_process(trace, proc)->pid;
    int64_t parent = fth_trace_process(trace, proc)->parent_proc;
    while (parent >= 0 && fth_trace_process(trace, (size_t)parent)->pid == pid) {
        int64_t before = fth_trace_process(trace, (size_t)parent)->parent_proc;
        parent = before < parent ? before : -1;
    }
    return parent < 0 ? -1 : fth_trace_process(trace, (size_t)parent)->pid;
}

/* Who waits for a process learns that it has stopped, or goes on. */
static void tell_parent(struct fth_shared_finding *finding, const char *name, const char *text,
                        size_t child, int64_t from)
{
    int64_t pid = parent_of(finding->trace, child);
    const char *host = fth_trace_process(finding->trace, child)->host;
    for (size_t i = 0; pid >= 0 && i < fth_trace_process_count(finding->trace); i++) {
        const struct fth_process *process = fth_trace_process(finding->trace, i);
        if (process->pid == pid && process->end >= from && strcmp(process->host, host) == 0)
            acquire(finding, name, text, i, from);
    }
}

static const char text_of_stop[] = "a process that is stopped, or goes on";

/* What it did until then is known to whoever finds it stopped. */
static void end_stop(struct fth_shared_finding *finding, size_t at, int64_t until)
{
    struct fth_stopped stopped = finding->stopped[at];
    char name[96];
    snprintf(name, sizeof name, "stop %zu %zu %lld", finding->proc, stopped.proc,
             (long long)stopped.from);
    release(finding, name, text_of_stop, stopped.proc, until);
    acquire(finding, name, text_of_stop, finding->proc, stopped.from);
    tell_parent(finding, name, text_of_stop, stopped.proc, stopped.from);
    finding->stopped[at] = finding->stopped[--finding->stopped_count];
}

void fth_shared_end_signals(struct fth_shared_finding *finding)
{
    while (finding->stopped_count)
        end_stop(finding, finding->stopped_count - 1, INT64_MAX);
    free(finding->stopped);
    finding->stopped = NULL;
}

void fth_shared_stop(struct fth_shared_finding *finding, const struct fth_call *call)
{
    char name[96];
    if (!stops(integer_named(call, "signal")))
        return;
    snprintf(name, sizeof name, "stop %zu %lld", finding->proc, (long long)call->start);
    release(finding, name, text_of_stop, finding->proc, call->start);
    tell_parent(finding, name, text_of_stop, finding->proc, call->start);
}

static void stop_other(struct fth_shared_finding *finding, size_t proc, int64_t from)
{
    FTH_GROW(finding->stopped, finding->stopped_count);
    finding->stopped[finding->stopped_count++] = (struct fth_stopped){proc, from};
}

static void continue_other(struct fth_shared_finding *finding, size_t proc,
                           const struct fth_call *call)
{
    char name[96];
    for (size_t i = finding->stopped_count; i-- > 0;)
        if (finding->stopped[i].proc == proc)
            end_stop(finding, i, call->start);
    snprintf(name, sizeof name, "cont %zu %zu %lld", finding->proc, proc, (long long)call->start);
    release(finding, name, text_of_stop, finding->proc, call->end);
    tell_parent(finding, name, text_of_stop, proc, call->start);
}

/* ---- signals ---- */

/* Who gets the signal may do something then: it has a handler, or waits for it. */
void fth_shared_signal_to(struct fth_shared_finding *finding, const struct fth_call *call)
{
    const struct fth_process *from = fth_trace_process(finding->trace, finding->proc);
    int64_t pid = integer_named(call, "pid"), number = integer_named(call, "signal");
    bool one = false; /* to any, unless it says to whom */
    if (pid == from->pid)
        fth_shared_stop(finding, call);
    for (size_t i = 0; pid > 0 && i < fth_trace_process_count(finding->trace); i++)
        one |= fth_trace_process(finding->trace, i)->pid == pid;
    for (size_t i = 0; number > 0 && i < fth_trace_process_count(finding->trace); i++) {
        const struct fth_process *to = fth_trace_process(finding->trace, i);
        /* to a group, or a thread: to any of its host */
        if (i == finding->proc || strcmp(to->host, from->host) != 0 || (one && to->pid != pid) ||
            to->end < call->start)
            continue;
        char name[64];
        snprintf(name, sizeof name, "signal %zu %zu", finding->proc, i);
        release(finding, name, "a signal", finding->proc, call->end);
        acquire(finding, name, "a signal", i, call->start);
        if (stops(number))
            stop_other(finding, i, call->start);
        if (number == IS_CONT)
            continue_other(finding, i, call);
    }
}

/* Has a later process, or another program, the number of this one? */
static bool is_replaced(const struct fth_trace *trace, size_t proc)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    for (size_t i = proc + 1; i < fth_trace_process_count(trace); i++)
        if (fth_trace_process(trace, i)->pid == process->pid &&
            strcmp(fth_trace_process(trace, i)->host, process->host) == 0)
            return true;
    return false;
}

/* This process learns of the end of process number `other`, at that time. */
void fth_shared_end(struct fth_shared_finding *finding, size_t other, const char *text,
                    int64_t from)
{
    char name[64];
    snprintf(name, sizeof name, "%s %zu", text, other);
    fth_shared_add(finding, name, text,
                   (struct fth_shared_thing){.proc = (uint32_t)other,
                                             .releases_until = INT64_MAX,
                                             .acquires_from = INT64_MAX});
    fth_shared_add(finding, name, text,
                   (struct fth_shared_thing){.proc = (uint32_t)finding->proc,
                                             .releases_until = INT64_MIN,
                                             .acquires_from = from});
}

void fth_shared_looked_at(struct fth_shared_finding *finding, int64_t pid, bool is_memory)
{
    const struct fth_process *reader = fth_trace_process(finding->trace, finding->proc);
    for (size_t i = 0; pid != reader->pid && i < fth_trace_process_count(finding->trace); i++) {
        const struct fth_process *process = fth_trace_process(finding->trace, i);
        if (process->pid != pid || strcmp(process->host, reader->host) != 0)
            continue;
        if (is_memory)
            fth_shared_visit_to(finding, i, reader->start);
        else
            fth_shared_end(finding, i, "what /proc tells of a process", reader->start);
    }
}

/* Who has a descriptor of a process learns of its end by any call that waits for descriptors. It
 * may have ended already, as long as nobody has waited for it. */
void fth_shared_end_of(struct fth_shared_finding *finding, const struct fth_call *call)
{
    for (size_t i = 0; i < fth_trace_process_count(finding->trace); i++) {
        const struct fth_process *process = fth_trace_process(finding->trace, i);
        if (process->pid == integer_named(call, "pid") && i != finding->proc &&
            (process->end >= call->start || !is_replaced(finding->trace, i)))
            fth_shared_end(finding, i, "a pidfd", process->end);
    }
}

/* Where it reads something, the other one may have left a message, and the other way round. */
void fth_shared_visit_to(struct fth_shared_finding *finding, size_t other, int64_t from)
{
    char name[64];
    snprintf(name, sizeof name, "visit %zu %zu", finding->proc, other);
    for (int i = 0; i < 2; i++)
        fth_shared_add(finding, name, "memory of another process (process_vm_readv, ptrace, /proc)",
                       (struct fth_shared_thing){.proc = (uint32_t)(i ? other : finding->proc),
                                                 .releases_until = INT64_MAX,
                                                 .acquires_from = from});
}

void fth_shared_visit(struct fth_shared_finding *finding, const struct fth_call *call)
{
    const char *host = fth_trace_process(finding->trace, finding->proc)->host;
    for (size_t i = 0; i < fth_trace_process_count(finding->trace); i++) {
        const struct fth_process *process = fth_trace_process(finding->trace, i);
        if (process->pid == integer_named(call, "pid") && i != finding->proc &&
            strcmp(process->host, host) == 0)
            fth_shared_visit_to(finding, i, call->start);
    }
}

/* Signal 0 is none: the call fails if there is no such process any more. */
void fth_shared_looked_for(struct fth_shared_finding *finding, const struct fth_call *call)
{
    const struct fth_process *from = fth_trace_process(finding->trace, finding->proc);
    for (size_t i = 0; i < fth_trace_process_count(finding->trace); i++) {
        const struct fth_process *process = fth_trace_process(finding->trace, i);
        if (process->pid == integer_named(call, "pid") && i != finding->proc &&
            strcmp(process->host, from->host) == 0 && process->start <= call->start)
            fth_shared_end(finding, i, "kill without a signal", call->start);
    }
}

/* Who asks for its parent when that is over gets another one; or it asks for a signal then. */
void fth_shared_end_of_parent(struct fth_shared_finding *finding, const struct fth_call *call)
{
    const struct fth_process *process = fth_trace_process(finding->trace, finding->proc);
    if (process->parent_proc < 0 ||
        (size_t)process->parent_proc >= fth_trace_process_count(finding->trace) ||
        (size_t)process->parent_proc == finding->proc)
        return;
    size_t number = (size_t)process->parent_proc;
    const struct fth_process *parent = fth_trace_process(finding->trace, number);
    bool asks_for_signal = integer_named(call, "signal") > 0;
    if (asks_for_signal || call->end >= parent->end)
        fth_shared_end(finding, number, "the end of the parent",
                       asks_for_signal ? parent->end : call->start);
}

/* Is the command of the call one of these? */
static bool is_command(const struct fth_shared_finding *finding, const struct fth_call *call,
                       const char *const *words)
{
    const char *name = fth_command_of(finding->trace, call);
    for (; name && *words; words++)
        if (strcmp(name, *words) == 0)
            return true;
    return false;
}

/* Signals about a descriptor: anybody may cause them. Who wants a file that is leased waits for the
 * one who has the lease. */
void fth_shared_notice(struct fth_shared_finding *finding, const struct fth_call *call)
{
    static const char *const signals[] = {"F_SETOWN", "F_SETOWN_EX", "F_SETSIG", NULL};
    static const char *const leases[] = {"F_SETLEASE", NULL};
    bool leased = is_command(finding, call, leases);
    const struct fth_process *from = fth_trace_process(finding->trace, finding->proc);
    const char *text = leased ? "a lease of a file" : "a signal about a descriptor";
    if (!leased && !is_command(finding, call, signals))
        return;
    char name[64];
    snprintf(name, sizeof name, "%s %zu", text, finding->proc);
    for (size_t i = 0; i < fth_trace_process_count(finding->trace); i++) {
        bool own = i == finding->proc;
        if (strcmp(fth_trace_process(finding->trace, i)->host, from->host) == 0)
            fth_shared_add(finding, name, text,
                           (struct fth_shared_thing){.proc = (uint32_t)i,
                                                     .releases_until = INT64_MAX,
                                                     .acquires_from =
                                                         own || leased ? call->start : INT64_MAX});
    }
}
