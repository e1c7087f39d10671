/* The facts of a trace have the options that it was recorded with. */
#include "order/build/left_out.h"

#include <jansson.h>

bool fth_order_leaves_out(const struct fth_trace *trace)
{
    static const char *const options[] = {"layers",  "functions", "include",
                                          "exclude", "min_bytes", "min_duration_ns"};
    const char *facts = fth_trace_info(trace)->meta_json;
    json_t *meta = facts ? json_loads(facts, 0, NULL) : NULL;
    bool leaves_out =
        !json_object_get(meta, "command") || json_is_true(json_object_get(meta, "attached"));
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        leaves_out |= json_object_get(meta, options[i]) != NULL;
    json_decref(meta);
    return leaves_out;
}
