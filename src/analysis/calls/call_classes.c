/* Kinds become numbers, roles become facts. Functions are found by their address, which is the same
 * in all calls of a trace. */
#include "analysis/calls/call_classes.h"

#include "base/memory.h"
#include "catalog/consistency_meaning.h"
#include "model/calls/meets_others.h"
#include "model/reading/given_hints.h"
#include "model/reading/trace_functions.h"
#include "trace/record/builtin.h"

#include <string.h>

struct fth_call_classes_place {
    const struct fth_function *function;
    const struct fth_call_class *class;
};

static const char *const kind_words[FTH_CALLS_OTHER] = {
    [FTH_CALLS_OPEN] = "open",         [FTH_CALLS_CLOSE] = "close",
    [FTH_CALLS_DUP] = "dup",           [FTH_CALLS_READ] = "read",
    [FTH_CALLS_WRITE] = "write",       [FTH_CALLS_SEEK] = "seek",
    [FTH_CALLS_SYNC] = "sync",         [FTH_CALLS_TRUNCATE] = "truncate",
    [FTH_CALLS_MAP] = "map",           [FTH_CALLS_LOCK] = "lock",
    [FTH_CALLS_CONTROL] = "control",   [FTH_CALLS_POLL] = "poll",
    [FTH_CALLS_STAT] = "stat",         [FTH_CALLS_NAME] = "name",
    [FTH_CALLS_DELETE] = "delete",     [FTH_CALLS_PERMISSION] = "permission",
    [FTH_CALLS_LIST] = "list",         [FTH_CALLS_VIEW] = "view",
    [FTH_CALLS_SEND] = "send",         [FTH_CALLS_RECV] = "recv",
    [FTH_CALLS_EXCHANGE] = "exchange", [FTH_CALLS_PROBE] = "probe",
    [FTH_CALLS_START] = "start",       [FTH_CALLS_WAIT] = "wait",
    [FTH_CALLS_TEST] = "test",         [FTH_CALLS_COLLECTIVE] = "collective",
    [FTH_CALLS_RMA] = "rma",           [FTH_CALLS_TYPE] = "type",
    [FTH_CALLS_COMM] = "comm",
};

static enum fth_call_class_kind kind_of(const char *word)
{
    for (size_t kind = 0; kind < FTH_CALLS_OTHER; kind++)
        if (strcmp(word, kind_words[kind]) == 0)
            return (enum fth_call_class_kind)kind;
    return FTH_CALLS_OTHER;
}

/* Does a parameter have a role that begins so? */
static bool has_role(const struct fth_function *function, const char *role)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strncmp(function->parameters[i].role, role, strlen(role)) == 0)
            return true;
    return false;
}

static uint16_t layer_of(struct fth_call_classes *classes, const char *layer)
{
    for (size_t i = 0; i < classes->layer_count; i++)
        if (strcmp(classes->layers[i], layer) == 0)
            return (uint16_t)i;
    FTH_GROW(classes->layers, classes->layer_count);
    classes->layers[classes->layer_count] = layer;
    return (uint16_t)classes->layer_count++;
}

static size_t count_paths(const struct fth_function *function)
{
    size_t count = 0;
    for (size_t i = 0; i < function->parameter_count && count < 2; i++)
        count += strncmp(function->parameters[i].role, "path", 4) == 0;
    return count;
}

static int8_t find_mapped(const struct fth_call_class *class, const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count && i < 127; i++)
        if (class->kind == FTH_CALLS_SYNC && !has_role(function, "use") &&
            strcmp(function->parameters[i].role, "bytes") == 0)
            return (int8_t)i;
    return -1;
}

/* The parameter of this name, -1: there is none. */
static int8_t find_parameter(const struct fth_function *function, const char *name)
{
    for (size_t i = 0; i < function->parameter_count && i < 127; i++)
        if (strcmp(function->parameters[i].name, name) == 0)
            return (int8_t)i;
    return -1;
}

static bool sets_up(const struct fth_call_class *class, const struct fth_function *function)
{
    if (class->kind == FTH_CALLS_OPEN)
        return function->inside_file;
    return (class->kind == FTH_CALLS_TYPE || class->kind == FTH_CALLS_COMM ||
            class->kind == FTH_CALLS_RMA) &&
           has_role(function, "new ");
}

/* Messages are MPI's: in other layers a wait is for I/O that was started (aio_suspend, ncmpi_wait),
 * or for a device. */
static bool passes_messages(const struct fth_call_class *class, const struct fth_function *function)
{
    if (class->kind < FTH_CALLS_SEND || class->kind >= FTH_CALLS_MESSAGE_KINDS)
        return false;
    return (class->kind != FTH_CALLS_START && class->kind != FTH_CALLS_WAIT &&
            class->kind != FTH_CALLS_TEST) ||
           fth_layer_is(function->layer, FTH_LAYER_MESSAGES);
}

static enum fth_activity activity_of(const struct fth_call_class *class,
                                     const struct fth_function *function)
{
    if (class->messages)
        return FTH_ACTIVITY_MESSAGES;
    switch (class->kind) {
    case FTH_CALLS_READ:
        return FTH_ACTIVITY_READING;
    case FTH_CALLS_WRITE:
        return FTH_ACTIVITY_WRITING;
    case FTH_CALLS_SYNC: /* of a buffer: what it has kept is written, and may stay in memory */
        return class->buffered ? FTH_ACTIVITY_WRITING : FTH_ACTIVITY_SYNCING;
    case FTH_CALLS_POLL:
        return FTH_ACTIVITY_WAITING;
    case FTH_CALLS_START:
    case FTH_CALLS_WAIT:
    case FTH_CALLS_TEST:
        return fth_layer_is(function->layer, FTH_LAYER_DEVICES) ? FTH_ACTIVITY_WAITING
                                                                : FTH_ACTIVITY_ASYNC;
    default:
        break;
    }
    if (class->io)
        return FTH_ACTIVITY_METADATA;
    return fth_function_waits_for_others(function) ? FTH_ACTIVITY_WAITING : FTH_ACTIVITY_OTHER;
}

/* A buffer waits for nobody: the system calls that fill and empty it do. */
static bool may_wait(const struct fth_call_class *class, const struct fth_function *function)
{
    bool names = function->orders &&
                 (strcmp(function->orders, "bound") == 0 || strcmp(function->orders, "shut") == 0);
    bool accepts = class->kind == FTH_CALLS_OPEN && fth_function_accepts(function);
    return !class->buffered &&
           (class->data || accepts || (class->kind == FTH_CALLS_OTHER && !names));
}

static void describe(struct fth_call_classes *classes, const struct fth_trace *trace,
                     struct fth_call_class *class, const struct fth_function *function)
{
    const struct fth_layer *layer = fth_trace_layer(trace, function->layer);
    class->kind = kind_of(function->kind);
    class->io = class->kind < FTH_CALLS_FILE_KINDS;
    class->messages = passes_messages(class, function);
    class->data = class->kind == FTH_CALLS_READ || class->kind == FTH_CALLS_WRITE;
    /* dprintf is about a descriptor, too, and writes in a call of the system inside it */
    class->system = (has_role(function, "use fd") || has_role(function, "aio")) &&
                    !fth_layer_is(function->layer, FTH_LAYER_STREAMS);
    /* of calls that move the position, those of streams alone say where it was */
    class->empties = class->system && class->kind == FTH_CALLS_WRITE && function->orders &&
                     strcmp(function->orders, "give") == 0 && has_role(function, "offset");
    /* printf and puts have no parameter for theirs */
    class->stream = has_role(function, "use stream") || has_role(function, "close stream") ||
                    (class->data && fth_layer_is(function->layer, FTH_LAYER_STREAMS) &&
                     !has_role(function, "use fd"));
    class->refills = layer && fth_layer_refills(layer, function->name);
    class->buffered = function->buffered;
    class->activity = activity_of(class, function);
    class->region = fth_layer_is(function->layer, FTH_LAYER_REGIONS);
    class->layer = layer_of(classes, function->layer);
    class->sets_up = sets_up(class, function);
    class->gives_tuned_hint = fth_given_hint_by_tuner(function);
    class->path_count = (uint8_t)count_paths(function);
    class->reopens =
        class->kind == FTH_CALLS_OPEN && has_role(function, "use fd") && !class->path_count;
    class->mapped = find_mapped(class, function);
    bool probe = layer && layer->is & FTH_LAYER_PROBES;
    class->sends = probe ? find_parameter(function, "sends") : -1;
    class->serves = probe ? find_parameter(function, "serves") : -1;
    class->may_wait = may_wait(class, function);
}

static struct fth_call_classes_place *place_of(const struct fth_call_classes *classes,
                                               const struct fth_function *function)
{
    size_t at = ((uintptr_t)function >> 4) * 0x9E3779B1u & classes->place_mask;
    while (classes->places[at].function && classes->places[at].function != function)
        at = (at + 1) & classes->place_mask;
    return &classes->places[at];
}

struct fth_call_classes *fth_call_classes_new(const struct fth_trace *trace)
{
    struct fth_call_classes *classes = fth_new(1, sizeof *classes);
    classes->count = fth_trace_function_count(trace);
    classes->list = fth_new(classes->count + 1, sizeof *classes->list);
    classes->fileless = fth_new(classes->count + 1, sizeof *classes->fileless);
    for (int writes = 0; writes < 2; writes++)
        classes->parts[writes] = fth_new(classes->count + 1, sizeof *classes->parts[writes]);
    size_t places = 16;
    while (places < 2 * classes->count)
        places *= 2;
    classes->places = fth_new(places, sizeof *classes->places);
    classes->place_mask = places - 1;
    for (size_t i = 0; i < classes->count; i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        classes->list[i].index = (uint32_t)i;
        describe(classes, trace, &classes->list[i], function);
        classes->fileless[i] = classes->list[i];
        classes->fileless[i].kind = FTH_CALLS_OTHER;
        classes->fileless[i].activity = FTH_ACTIVITY_OTHER;
        classes->fileless[i].io = false;
        for (int writes = 0; writes < 2; writes++) {
            struct fth_call_class *part = &classes->parts[writes][i];
            *part = classes->list[i];
            part->kind = writes ? FTH_CALLS_WRITE : FTH_CALLS_READ;
            part->activity = writes ? FTH_ACTIVITY_WRITING : FTH_ACTIVITY_READING;
            part->io = part->data = true;
        }
        *place_of(classes, function) = (struct fth_call_classes_place){function, &classes->list[i]};
    }
    /* What a damaged trace calls and does not name is nobody's: like a region. */
    classes->list[classes->count] = (struct fth_call_class){
        .kind = FTH_CALLS_OTHER, .activity = FTH_ACTIVITY_OTHER, .region = true, .mapped = -1};
    if (!classes->layer_count)
        layer_of(classes, fth_layer_that_is(FTH_LAYER_REGIONS));
    return classes;
}

const struct fth_call_class *fth_call_class_of(const struct fth_call_classes *classes,
                                               const struct fth_function *function)
{
    const struct fth_call_class *class = place_of(classes, function)->class;
    return class ? class : &classes->list[classes->count];
}

const struct fth_call_class *fth_call_class_for(const struct fth_call_classes *classes,
                                                const struct fth_call *call)
{
    const struct fth_call_class *class = fth_call_class_of(classes, call->function);
    bool any = class->kind == FTH_CALLS_CLOSE || class->kind == FTH_CALLS_DUP;
    if (!any || !call->handle || call->handle->path || class->index >= classes->count ||
        fth_layer_is(call->function->layer, FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS))
        return class;
    return &classes->fileless[class->index];
}

/* Who takes a lock if it is free, and gives it up, waits for nobody. */
static bool waits_for_lock(const struct fth_trace *trace, const struct fth_call_class *class,
                           const struct fth_call *call)
{
    struct fth_lock_event lock;
    return (class->kind == FTH_CALLS_LOCK || class->kind == FTH_CALLS_CONTROL) &&
           fth_call_lock(trace, call, &lock) && lock.waits;
}

enum fth_activity fth_activity_of(const struct fth_trace *trace, const struct fth_call_class *class,
                                  const struct fth_call *call)
{
    bool waits = (class->may_wait && fth_handle_meets_others(call->handle)) ||
                 waits_for_lock(trace, class, call);
    return waits ? FTH_ACTIVITY_WAITING : class->activity;
}

bool fth_activity_is_work(const struct fth_call_class *class, enum fth_activity activity,
                          bool to_others)
{
    return class->region ||
           (activity <= FTH_ACTIVITY_MESSAGES && activity != FTH_ACTIVITY_METADATA && !to_others);
}

void fth_call_classes_free(struct fth_call_classes *classes)
{
    if (!classes)
        return;
    free(classes->layers);
    free(classes->places);
    free(classes->list);
    free(classes->fileless);
    free(classes->parts[0]);
    free(classes->parts[1]);
    free(classes);
}
