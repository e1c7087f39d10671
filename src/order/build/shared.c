/* Things that processes share. They are found before calls are fed, because a process that
 * inherited one makes no call that shows it. Rows of the catalogue say which calls give a
 * process such a thing (`orders memory` and the like), or notify another process at any time
 * (`orders signal`, to the process `pid`). A thing has a name: a file its path, System V its
 * number; a thing without a name is known to the descendants of the process that has it. */
#include "order/build/shared.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/reading/trace_functions.h"
#include "model/reading/outermost.h"
#include "order/build/called.h"
#include "order/build/left_out.h"
#include "order/build/shared_finding.h"
#include "trace/program/hides.h"
#include "trace/record/builtin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SHARES = 1 << 20 };

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

/* What processes share, by the word for it in the catalogue; NULL: nothing. */
static const char *word_for(const struct fth_function *function)
{
    static const char *const words[][2] = {
        {"memory", "shared memory"},
        {"semaphore", "a semaphore"},
        {"queue", "a message queue"},
        {"counter", "an eventfd counter"},
        {"timer", "a timer that is read (timerfd)"},
        {"window", "memory of a shared window"},
        {"terminal", "a pseudo terminal"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is(function->orders, words[i][0]))
            return words[i][1];
    return NULL;
}

/* Calls that count are recorded, and followed: which process has what they are about is not all
 * that is known of it. */
static bool counts_are_recorded(const struct fth_trace *trace)
{
    if (!fth_order_leaves_out(trace)) /* nobody has made any of those that count */
        return true;
    for (size_t i = 0; i < fth_trace_function_count(trace); i++)
        if (fth_layer_is(fth_trace_function(trace, i)->layer, FTH_LAYER_COUNTERS))
            return true;
    return false;
}

/* Has the run a function of which the row has this word? */
static bool has_word(const struct fth_trace *trace, const char *word)
{
    for (size_t i = 0; i < fth_trace_function_count(trace); i++)
        if (is(fth_trace_function(trace, i)->orders, word))
            return true;
    return false;
}

static bool is_counted(const struct fth_shared_finding *finding, const struct fth_call *call)
{
    bool any = false;
    for (size_t i = 0; i < call->use_count; i++) {
        const struct fth_handle *handle = call->uses[i].handle;
        any |= handle->value >= 0 &&
               (is(handle->handle_class, "semaphore") || is(handle->handle_class, "counter"));
    }
    for (size_t i = 0; i < call->function->parameter_count; i++)
        any |= (is(call->function->orders, "semaphore") ||
                (is(call->function->orders, "queue") && !finding->notifies)) &&
               is(call->function->parameters[i].name, "made");
    return finding->counts && any;
}

static bool shares(const struct fth_function *function)
{
    static const char *const words[] = {"signal", "stop",  "ended", "parent",
                                        "notice", "bound", "visit"};
    bool any = word_for(function) != NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        any |= is(function->orders, words[i]);
    return any;
}

/* ---- one call ---- */

/* Does the value of this parameter have the flag with that name? */
static bool has_flag(const struct fth_shared_finding *finding, const struct fth_call *call,
                     size_t parameter, const char *flag)
{
    const char *role = call->function->parameters[parameter].role;
    const struct fth_value *value = &call->arguments[parameter];
    if (!fth_text_begins(role, "flags ") || value->type != FTH_VALUE_INTEGER)
        return false;
    const struct fth_flags *flags = fth_trace_flags(finding->trace, call->proc, role + 6);
    for (size_t i = 0; flags && i < flags->count; i++)
        if (strcmp(flags->entries[i].name, flag) == 0)
            return (value->integer & flags->entries[i].value) == flags->entries[i].value;
    return false;
}

/* Memory that is private, or that nobody writes, is no way to communicate. */
static bool can_communicate(const struct fth_shared_finding *finding, const struct fth_call *call)
{
    bool has_flags = false, shared = false, written = finding->unprotects;
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        has_flags |= is(call->function->parameters[i].role, "flags map");
        shared |= has_flag(finding, call, i, "MAP_SHARED");
        written |= has_flag(finding, call, i, "PROT_WRITE");
    }
    return !has_flags || (shared && written);
}

/* A mapping of a file that is only read. */
static bool is_view(const struct fth_shared_finding *finding, const struct fth_call *call)
{
    bool reads = false;
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        if (has_flag(finding, call, i, "PROT_WRITE") || has_flag(finding, call, i, "PROT_EXEC"))
            return false;
        reads |= has_flag(finding, call, i, "PROT_READ");
    }
    return reads;
}

/* The number that System V's calls know a thing by, or that a signal goes to. */
static int64_t number_of(const struct fth_call *call)
{
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (is(call->function->parameters[i].role, "value") &&
            call->arguments[i].type == FTH_VALUE_INTEGER)
            return call->arguments[i].integer;
    return -1;
}

static const char *name_given(const struct fth_call *call)
{
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (is(call->function->parameters[i].role, "string") &&
            call->arguments[i].type == FTH_VALUE_TEXT)
            return call->arguments[i].text;
    return call->handle && call->handle->path && *call->handle->path == '/' ? call->handle->path
                                                                            : call->file;
}

static void share(struct fth_shared_finding *finding, const struct fth_call *call)
{
    char name[5000], text[5000];
    const char *host = fth_trace_process(finding->trace, finding->proc)->host;
    const char *given = name_given(call), *word = word_for(call->function);
    int64_t number = number_of(call);
    if (is(call->function->orders, "window")) {
        /* which ones the other ranks of the host have is not asked for */
        snprintf(name, sizeof name, "%s window", host);
        snprintf(text, sizeof text, "%s", word);
    } else if (given) {
        if (is(call->function->orders, "memory"))
            fth_shared_name_memory(name, host, given);
        else
            snprintf(name, sizeof name, "%s %s %s", host, word, given);
        snprintf(text, sizeof text, "%s (%s)", word, given);
    } else if (number >= 0) {
        snprintf(name, sizeof name, "%s %s %lld", host, word, (long long)number);
        snprintf(text, sizeof text, "%s (number %lld)", word, (long long)number);
    } else {
        snprintf(name, sizeof name, "%zu %u %llu", finding->proc, call->thread,
                 (unsigned long long)call->number);
        snprintf(text, sizeof text, "%s", word);
    }
    fth_shared_add(
        finding, name, text,
        (struct fth_shared_thing){.proc = (uint32_t)finding->proc,
                                  .releases_until = INT64_MAX,
                                  .acquires_from = call->start,
                                  .outlives_exec = is(call->function->orders, "terminal")});
}

static const char text_of_address[] = "an address that only one can have (bind)";

/* Who gives back an address releases to the one who gets it then. Where nobody was refused one,
 * nobody waited for that. */
static void bound(struct fth_shared_finding *finding, const struct fth_call *call)
{
    enum { ADDRESS_IN_USE = 98 };
    const char *host = fth_trace_process(finding->trace, finding->proc)->host;
    char name[5000];
    finding->refused |= call->error_number == ADDRESS_IN_USE;
    if (call->error_number)
        return;
    snprintf(name, sizeof name, "bound %s", host);
    fth_shared_add(finding, name, text_of_address,
                   (struct fth_shared_thing){.proc = (uint32_t)finding->proc,
                                             .releases_until = INT64_MAX,
                                             .acquires_from = call->start});
}

static void take(struct fth_shared_finding *finding, const struct fth_call *call)
{
    const char *orders = call->function->orders;
    if (is(orders, "signal") && call->error_number == ESRCH)
        fth_shared_looked_for(finding, call);
    else if (is(orders, "bound"))
        bound(finding, call);
    else if (call->error_number)
        return;
    else if (is(orders, "signal"))
        fth_shared_signal_to(finding, call);
    else if (is(orders, "stop"))
        fth_shared_stop(finding, call);
    else if (is(orders, "ended"))
        fth_shared_end_of(finding, call);
    else if (is(orders, "parent"))
        fth_shared_end_of_parent(finding, call);
    else if (is(orders, "notice"))
        fth_shared_notice(finding, call);
    else if (is(orders, "visit"))
        fth_shared_visit(finding, call);
    else if (is(orders, "terminal") && fth_trace_process(finding->trace, finding->proc)->launcher)
        return; /* a launcher passes on what ranks write, and tells nobody else of it */
    else if (can_communicate(finding, call) && !is_counted(finding, call))
        share(finding, call);
    else if (is(orders, "memory") && is_view(finding, call))
        fth_shared_view(finding, name_given(call), call->start);
}

static bool is_memory(const char *name)
{
    size_t length = strlen(name);
    return length >= 4 && strcmp(name + length - 4, "/mem") == 0;
}

/* What a process reads of another one in /proc shows what that does, or that it is over; and what
 * it writes into its memory that one may read. */
static void read_of_others(struct fth_shared_finding *finding)
{
    const struct fth_file_sum *files;
    size_t count;
    struct fth_error *error = NULL;
    if (!fth_trace_file_sums(finding->trace, finding->proc, &files, &count, &error))
        count = 0;
    for (size_t i = 0; i < count; i++) {
        char *end;
        if (!fth_text_begins(files[i].path, "/proc/"))
            continue;
        long pid = strtol(files[i].path + 6, &end, 10);
        if (*end == '/')
            fth_shared_looked_at(finding, pid, is_memory(end));
    }
    fth_error_free(error);
}

/* The same where /proc was left out: who looked at whom is a sentence. */
static void look_at_others(struct fth_shared_finding *finding)
{
    const struct fth_trace_info *info = fth_trace_info(finding->trace);
    size_t count = fth_trace_process_count(finding->trace);
    for (size_t i = 0; i < info->blind_spot_count; i++) {
        long long pid, from;
        if (sscanf(info->blind_spots[i], FTH_LOOKED_AT, &pid, &from) != 2)
            continue;
        for (finding->proc = 0; finding->proc < count; finding->proc++)
            if (fth_trace_process(finding->trace, finding->proc)->pid == from)
                fth_shared_looked_at(finding, pid, false);
    }
}

static void read_process(struct fth_shared_finding *finding)
{
    struct fth_call call;
    struct fth_error *error = NULL;
    struct fth_calls *calls = fth_calls_with_handles(finding->trace, finding->proc, &error);
    while (calls && fth_calls_next(calls, &call, &error) == 1) {
        /* inside of a call it is the library's own */
        if (!call.depth && shares(call.function))
            take(finding, &call);
    }
    fth_shared_end_signals(finding);
    fth_calls_close(calls);
    fth_error_free(error);
}

/* ---- all of them ---- */

/* A child has what its parent had, unless it has become another program. Processes come in order of
 * start. */
static void inherit(struct fth_shared_finding *finding)
{
    struct fth_trace *trace = finding->trace;
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++) {
        const struct fth_process *child = fth_trace_process(trace, proc);
        if (child->parent_proc < 0 || (size_t)child->parent_proc >= proc)
            continue;
        bool is_exec = fth_trace_process(trace, (size_t)child->parent_proc)->pid == child->pid;
        size_t count = finding->shared->count;
        for (size_t i = 0; i < count && finding->shared->count < MOST_SHARES; i++) {
            struct fth_shared_thing share = finding->shared->shares[i];
            if (share.proc != (uint32_t)child->parent_proc || share.acquires_from > child->start ||
                (is_exec && !share.outlives_exec) || share.releases_until < INT64_MAX)
                continue;
            uint32_t pair[] = {share.thing, (uint32_t)proc}, known = finding->pairs.count;
            if (fth_intern(&finding->pairs, pair, sizeof pair) < known)
                continue;
            share.proc = (uint32_t)proc;
            share.acquires_from = child->start;
            FTH_GROW(finding->shared->shares, finding->shared->count);
            finding->shared->shares[finding->shared->count++] = share;
        }
    }
}

/* An imported trace may not say how processes wait for each other, but of what it says. */
static void share_order(struct fth_shared_finding *finding)
{
    const struct fth_trace_info *info = fth_trace_info(finding->trace);
    bool is_hidden = fth_blind_spots_hide_order(info->blind_spots, info->blind_spot_count);
    for (size_t proc = 0; is_hidden && proc < fth_trace_process_count(finding->trace); proc++)
        fth_shared_add(finding, "order", "waits that the imported trace does not tell",
                       (struct fth_shared_thing){.proc = (uint32_t)proc,
                                                 .releases_until = INT64_MAX,
                                                 .acquires_from = INT64_MIN});
}

static int by_thing(const void *one, const void *other)
{
    const struct fth_shared_thing *a = one, *b = other;
    if (a->thing != b->thing)
        return a->thing < b->thing ? -1 : 1;
    return (a->proc > b->proc) - (a->proc < b->proc);
}

/* Only what several have. */
static void keep_shared(struct fth_shared *shared, bool refused)
{
    size_t kept = 0;
    if (shared->count)
        qsort(shared->shares, shared->count, sizeof *shared->shares, by_thing);
    for (size_t from = 0, to = 0; from < shared->count; from = to) {
        size_t first = kept;
        for (; to < shared->count && shared->shares[to].thing == shared->shares[from].thing; to++)
            shared->shares[kept++] = shared->shares[to];
        bool of_address = strcmp(shared->things[shared->shares[from].thing], text_of_address) == 0;
        if (kept - first < 2 || (of_address && !refused))
            kept = first;
    }
    shared->count = kept;
    for (size_t i = 0; i < kept; i++)
        shared->has_any[shared->shares[i].proc] = true;
}

struct fth_shared fth_shared_of(struct fth_trace *trace)
{
    struct fth_shared shared = {.has_any = fth_new(fth_trace_process_count(trace) + 1, 1)};
    struct fth_shared_finding finding = {.trace = trace,
                                         .shared = &shared,
                                         .counts = counts_are_recorded(trace),
                                         .notifies = has_word(trace, "notify"),
                                         .unprotects = has_word(trace, "unprotect")};
    for (; finding.proc < fth_trace_process_count(trace); finding.proc++) {
        read_of_others(&finding);
        if (fth_order_may_have_called(trace, finding.proc, shares) &&
            fth_outermost_may_be_called(trace, finding.proc, shares))
            read_process(&finding);
    }
    look_at_others(&finding);
    fth_shared_find_writers(&finding);
    inherit(&finding);
    share_order(&finding);
    keep_shared(&shared, finding.refused);
    fth_intern_free(&finding.names);
    fth_intern_free(&finding.pairs);
    return shared;
}

void fth_shared_free(struct fth_shared *shared)
{
    for (uint32_t i = 0; i < shared->thing_count; i++)
        free(shared->things[i]);
    free(shared->things);
    free(shared->shares);
    free(shared->has_any);
}
