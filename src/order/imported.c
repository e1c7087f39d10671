/* The facts of a trace name the format that it was imported from. */
#include "order/imported.h"

#include "trace/record/builtin.h"

#include <jansson.h>

#include <string.h>

struct format {
    const char *name, *words, *lacks_threads;
};

static const struct format formats[] = {
    {"strace", "a log of strace", "not part of a log of strace"},
    {"otf2", "an archive of OTF2", "not part of an archive of OTF2"},
};
static const struct format other = {NULL, "another tool", "not part of what was imported"};

/* NULL: recorded. */
static const struct format *format_of(const struct fth_trace *trace)
{
    const char *facts = fth_trace_info(trace)->meta_json;
    json_t *meta = facts ? json_loads(facts, 0, NULL) : NULL,
           *name = json_object_get(json_object_get(meta, "imported"), "format");
    const struct format *found = name ? &other : NULL;
    for (size_t i = 0; name && i < sizeof formats / sizeof *formats; i++)
        if (json_is_string(name) && strcmp(json_string_value(name), formats[i].name) == 0)
            found = &formats[i];
    json_decref(meta);
    return found;
}

const char *fth_order_imported(const struct fth_trace *trace)
{
    const struct format *format = format_of(trace);
    return format ? format->words : NULL;
}

bool fth_order_has_threads(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_function_count(trace); i++)
        if (fth_layer_is(fth_trace_function(trace, i)->layer, FTH_LAYER_THREADS))
            return true;
    return false;
}

const char *fth_order_lacks_threads(const struct fth_trace *trace)
{
    if (fth_order_has_threads(trace))
        return NULL;
    const struct format *format = format_of(trace);
    return format ? format->lacks_threads : FTH_LAYERS_OF_THREADS;
}
