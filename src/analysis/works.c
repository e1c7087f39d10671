/* Kinds become numbers, roles become facts. Functions are found by their address, which is the same
 * in all calls of a trace. */
#include "analysis/works.h"

#include "base/memory.h"

#include <string.h>

struct fth_works_place {
    const struct fth_function *function;
    const struct fth_work *work;
};

static const char *const kind_words[FTH_WORK_OTHER] = {
    [FTH_WORK_OPEN] = "open",         [FTH_WORK_CLOSE] = "close",
    [FTH_WORK_DUP] = "dup",           [FTH_WORK_READ] = "read",
    [FTH_WORK_WRITE] = "write",       [FTH_WORK_SEEK] = "seek",
    [FTH_WORK_SYNC] = "sync",         [FTH_WORK_TRUNCATE] = "truncate",
    [FTH_WORK_MAP] = "map",           [FTH_WORK_LOCK] = "lock",
    [FTH_WORK_CONTROL] = "control",   [FTH_WORK_POLL] = "poll",
    [FTH_WORK_STAT] = "stat",         [FTH_WORK_NAME] = "name",
    [FTH_WORK_DELETE] = "delete",     [FTH_WORK_PERMISSION] = "permission",
    [FTH_WORK_LIST] = "list",         [FTH_WORK_VIEW] = "view",
    [FTH_WORK_SEND] = "send",         [FTH_WORK_RECV] = "recv",
    [FTH_WORK_EXCHANGE] = "exchange", [FTH_WORK_PROBE] = "probe",
    [FTH_WORK_START] = "start",       [FTH_WORK_WAIT] = "wait",
    [FTH_WORK_TEST] = "test",         [FTH_WORK_COLLECTIVE] = "collective",
    [FTH_WORK_RMA] = "rma",           [FTH_WORK_TYPE] = "type",
    [FTH_WORK_COMM] = "comm",
};

static enum fth_work_kind kind_of(const char *word)
{
    for (size_t kind = 0; kind < FTH_WORK_OTHER; kind++)
        if (strcmp(word, kind_words[kind]) == 0)
            return (enum fth_work_kind)kind;
    return FTH_WORK_OTHER;
}

/* Does a parameter have a role that begins so? */
static bool has_role(const struct fth_function *function, const char *role)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strncmp(function->parameters[i].role, role, strlen(role)) == 0)
            return true;
    return false;
}

static uint16_t layer_of(struct fth_works *works, const char *layer)
{
    for (size_t i = 0; i < works->layer_count; i++)
        if (strcmp(works->layers[i], layer) == 0)
            return (uint16_t)i;
    FTH_GROW(works->layers, works->layer_count);
    works->layers[works->layer_count] = layer;
    return (uint16_t)works->layer_count++;
}

static void find_paths(struct fth_work *work, const struct fth_function *function)
{
    size_t count = 0;
    work->paths[0] = work->paths[1] = -1;
    for (size_t i = 0; i < function->parameter_count && i < 127 && count < 2; i++)
        if (strncmp(function->parameters[i].role, "path", 4) == 0)
            work->paths[count++] = (int8_t)i;
}

static int8_t find_mapped(const struct fth_work *work, const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count && i < 127; i++)
        if (work->kind == FTH_WORK_SYNC && !has_role(function, "use") &&
            strcmp(function->parameters[i].role, "bytes") == 0)
            return (int8_t)i;
    return -1;
}

static bool sets_up(const struct fth_work *work, const struct fth_function *function)
{
    if (work->kind == FTH_WORK_OPEN)
        return function->inside_file;
    return (work->kind == FTH_WORK_TYPE || work->kind == FTH_WORK_COMM ||
            work->kind == FTH_WORK_RMA) &&
           has_role(function, "new ");
}

/* Messages are MPI's: in other layers a wait is for I/O that was started (aio_suspend, ncmpi_wait),
 * or for a device. */
static bool passes_messages(const struct fth_work *work, const struct fth_function *function)
{
    if (work->kind < FTH_WORK_SEND || work->kind >= FTH_WORK_MESSAGE_KINDS)
        return false;
    return (work->kind != FTH_WORK_START && work->kind != FTH_WORK_WAIT &&
            work->kind != FTH_WORK_TEST) ||
           strcmp(function->layer, "mpi") == 0;
}

/* For children, threads and their locks. Who gives a lock up, or tells others to go on, does not
 * wait. */
static bool waits_for_others(const struct fth_function *function)
{
    static const char *const words[] = {"reap",    "child",          "join",
                                        "acquire", "acquire_shared", "reacquire",
                                        "down",    "operate",        "meet"};
    bool starts_only = strchr(function->result_type, '*') != NULL; /* popen, not pclose */
    for (size_t i = 0; function->orders && i < sizeof words / sizeof *words; i++)
        if (strcmp(function->orders, words[i]) == 0 && !starts_only)
            return true;
    return false;
}

static enum fth_activity activity_of(const struct fth_work *work,
                                     const struct fth_function *function)
{
    if (work->messages)
        return FTH_ACTIVITY_MESSAGES;
    switch (work->kind) {
    case FTH_WORK_READ:
        return FTH_ACTIVITY_READING;
    case FTH_WORK_WRITE:
        return FTH_ACTIVITY_WRITING;
    case FTH_WORK_SYNC:
        return FTH_ACTIVITY_SYNCING;
    case FTH_WORK_POLL:
        return FTH_ACTIVITY_WAITING;
    case FTH_WORK_START:
    case FTH_WORK_WAIT:
    case FTH_WORK_TEST:
        return strcmp(function->layer, "cuda") == 0 ? FTH_ACTIVITY_WAITING : FTH_ACTIVITY_ASYNC;
    default:
        break;
    }
    if (work->io)
        return FTH_ACTIVITY_METADATA;
    return waits_for_others(function) ? FTH_ACTIVITY_WAITING : FTH_ACTIVITY_OTHER;
}

/* getc_unlocked and putc_unlocked are macros: they call these where the buffer is at its end. */
static bool refills(const struct fth_function *function)
{
    static const char *const names[] = {"__uflow", "__wuflow", "__overflow", "__woverflow"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(function->name, names[i]) == 0)
            return true;
    return false;
}

static void describe(struct fth_works *works, struct fth_work *work,
                     const struct fth_function *function)
{
    work->kind = kind_of(function->kind);
    work->io = work->kind < FTH_WORK_FILE_KINDS;
    work->messages = passes_messages(work, function);
    work->activity = activity_of(work, function);
    work->data = work->kind == FTH_WORK_READ || work->kind == FTH_WORK_WRITE;
    work->system = has_role(function, "use fd") || has_role(function, "aio");
    work->stream = has_role(function, "use stream") || has_role(function, "close stream");
    work->refills = refills(function);
    work->buffered = function->buffered;
    work->region = strcmp(function->layer, "application") == 0;
    work->layer = layer_of(works, function->layer);
    work->sets_up = sets_up(work, function);
    find_paths(work, function);
    work->mapped = find_mapped(work, function);
}

static struct fth_works_place *place_of(const struct fth_works *works,
                                        const struct fth_function *function)
{
    size_t at = ((uintptr_t)function >> 4) * 0x9E3779B1u & works->place_mask;
    while (works->places[at].function && works->places[at].function != function)
        at = (at + 1) & works->place_mask;
    return &works->places[at];
}

struct fth_works *fth_works_new(const struct fth_trace *trace)
{
    struct fth_works *works = fth_new(1, sizeof *works);
    works->count = fth_trace_function_count(trace);
    works->list = fth_new(works->count + 1, sizeof *works->list);
    size_t places = 16;
    while (places < 2 * works->count)
        places *= 2;
    works->places = fth_new(places, sizeof *works->places);
    works->place_mask = places - 1;
    for (size_t i = 0; i < works->count; i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        works->list[i].index = (uint32_t)i;
        describe(works, &works->list[i], function);
        *place_of(works, function) = (struct fth_works_place){function, &works->list[i]};
    }
    /* What a damaged trace calls and does not name is nobody's: like a region. */
    works->list[works->count] = (struct fth_work){.kind = FTH_WORK_OTHER,
                                                  .activity = FTH_ACTIVITY_OTHER,
                                                  .region = true,
                                                  .paths = {-1, -1},
                                                  .mapped = -1};
    if (!works->layer_count)
        layer_of(works, "application");
    return works;
}

const struct fth_work *fth_work_of(const struct fth_works *works,
                                   const struct fth_function *function)
{
    const struct fth_work *work = place_of(works, function)->work;
    return work ? work : &works->list[works->count];
}

/* Somebody else has to do something before a call on it returns: write to the pipe, type a line. */
static bool leads_to_others(const struct fth_handle *handle)
{
    static const char *const beginnings[] = {
        "pipe:[", "socket:[", "anon_inode:", "/dev/pts/", "/dev/tty", "/dev/console"};
    for (size_t i = 0; handle->path && i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(handle->path, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

enum fth_activity fth_activity_of(const struct fth_work *work, const struct fth_handle *handle)
{
    bool may_be_on_a_file = work->activity < FTH_ACTIVITY_IO_KINDS || work->kind == FTH_WORK_OTHER;
    return handle && may_be_on_a_file && leads_to_others(handle) ? FTH_ACTIVITY_WAITING
                                                                 : work->activity;
}

void fth_works_free(struct fth_works *works)
{
    if (!works)
        return;
    free(works->layers);
    free(works->places);
    free(works->list);
    free(works);
}
