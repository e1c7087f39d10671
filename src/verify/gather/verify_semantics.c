/* Looks at the row of each function once. */
#include "verify/gather/verify_semantics.h"

#include "base/memory.h"
#include "trace/record/builtin.h"

#include <string.h>

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

static bool is_in_a_set(const struct fth_consistencies *models, const struct fth_function *function,
                        enum fth_mark_kind kind)
{
    for (size_t i = 0; i < models->count; i++)
        for (size_t j = 0; j < models->models[i].set_count; j++)
            if (fth_consistency_set_has(&models->models[i].sets[j], function, kind))
                return true;
    return false;
}

static bool opens_and_closes(const struct fth_function *function)
{
    bool closes = false;
    for (size_t i = 0; i < function->parameter_count; i++)
        closes |= strncmp(function->parameters[i].role, "close ", 6) == 0;
    return closes && is(function->kind, "open");
}

/* It has no handle: truncate of a path. */
static bool opens_for_itself(const struct fth_function *function)
{
    return function->opens && function->closes && !is(function->kind, "open");
}

static int8_t layer_called(const char *const *layers, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (is(layers[i], name))
            return (int8_t)i;
    return -1;
}

/* What opens a stream opens a file for those who look at what reaches the system. */
static int8_t removes(const char *const *layers, size_t count, const struct fth_function *function)
{
    if (!is(function->kind, "open") && !is(function->kind, "truncate"))
        return -1;
    return layer_called(layers, count,
                        fth_layer_is(function->layer, FTH_LAYER_STREAMS)
                            ? fth_layer_that_is(FTH_LAYER_SYSTEM)
                            : function->layer);
}

static bool has_role(const struct fth_function *function, const char *role)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (is(function->parameters[i].role, role))
            return true;
    return false;
}

static bool has_blocks(const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strncmp(function->parameters[i].role, "aio", 3) == 0)
            return true;
    return false;
}

static struct fth_verify_semantics semantics_of(const struct fth_consistencies *models,
                                                const char *const *layers, size_t count,
                                                const struct fth_function *function)
{
    bool of_stdio = fth_layer_is(function->layer, FTH_LAYER_STREAMS);
    bool of_system = fth_layer_is(function->layer, FTH_LAYER_SYSTEM);
    return (struct fth_verify_semantics){
        .layer = layer_called(layers, count, function->layer),
        .removes = removes(layers, count, function),
        .marked = is_in_a_set(models, function, FTH_MARK_CALL),
        .begins_sync = of_system && has_blocks(function) && is(function->kind, "sync") &&
                       is_in_a_set(models, function, FTH_MARK_OPERATION),
        .marked_close =
            opens_and_closes(function) && is_in_a_set(models, function, FTH_MARK_CLOSES),
        .marked_by_name =
            opens_for_itself(function) && (is_in_a_set(models, function, FTH_MARK_CALL) ||
                                           is_in_a_set(models, function, FTH_MARK_CLOSES)),
        .of_streams = of_stdio && (is(function->kind, "sync") || is(function->kind, "close")),
        .of_system = of_system,
        .of_stdio = of_stdio,
        .of_mpi = fth_layer_is(function->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER),
        .maps = is(function->kind, "map"),
        .opens_stream = of_stdio && is(function->kind, "open"),
        .unprotects = is(function->orders, "unprotect"),
        .forks = is(function->orders, "fork") &&
                 (function->parameter_count == 0 || has_role(function, "flags clone")),
        .mounts = is(function->orders, "mount"),
        .shares = has_role(function, "flags clone") || is(function->orders, "mount") ||
                  has_role(function, "flags close_range"),
        .seeks = of_system && is(function->kind, "seek"),
        .duplicates = is(function->kind, "dup"),
        .has_blocks = has_blocks(function),
        .has_offset = has_role(function, "offset"),
        .names = of_system || of_stdio,
    };
}

struct fth_verify_semantics_table
fth_verify_semantics_table_of(const struct fth_trace *trace, const struct fth_consistencies *models,
                              const char *const *layers, size_t layer_count)
{
    const struct fth_function *first = NULL, *last = NULL;
    size_t count = fth_trace_function_count(trace);
    for (size_t i = 0; i < count; i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        first = !first || function < first ? function : first;
        last = !last || function > last ? function : last;
    }
    struct fth_verify_semantics_table semantics_table = {
        .first = first, .count = count ? (size_t)(last - first) + 1 : 0};
    semantics_table.semantics_table =
        fth_new(semantics_table.count + 1, sizeof *semantics_table.semantics_table);
    for (size_t i = 0; i < semantics_table.count; i++)
        semantics_table.semantics_table[i].layer = semantics_table.semantics_table[i].removes = -1;
    for (size_t i = 0; i < count; i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        semantics_table.semantics_table[function - first] =
            semantics_of(models, layers, layer_count, function);
        semantics_table.unprotects |= semantics_table.semantics_table[function - first].unprotects;
    }
    return semantics_table;
}

void fth_verify_semantics_table_free(struct fth_verify_semantics_table *semantics_table)
{
    free(semantics_table->semantics_table);
    *semantics_table = (struct fth_verify_semantics_table){0};
}
