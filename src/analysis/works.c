/* Kinds become numbers, roles become facts. Functions are found by their address, which is the same in all calls of a trace. */
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

static void describe(struct fth_works *works, struct fth_work *work,
                     const struct fth_function *function)
{
    work->kind = kind_of(function->kind);
    work->io = work->kind < FTH_WORK_FILE_KINDS;
    work->messages = work->kind >= FTH_WORK_SEND && work->kind < FTH_WORK_MESSAGE_KINDS;
    work->data = work->kind == FTH_WORK_READ || work->kind == FTH_WORK_WRITE;
    work->system = has_role(function, "use fd") || has_role(function, "aio");
    work->stream = has_role(function, "use stream") || has_role(function, "close stream");
    work->buffered = function->buffered;
    work->region = strcmp(function->layer, "application") == 0;
    work->layer = layer_of(works, function->layer);
    find_paths(work, function);
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
    works->list[works->count] =
        (struct fth_work){.kind = FTH_WORK_OTHER, .region = true, .paths = {-1, -1}};
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

void fth_works_free(struct fth_works *works)
{
    if (!works)
        return;
    free(works->layers);
    free(works->places);
    free(works->list);
    free(works);
}
