/* What stands below the wrappers (interpose/own/below.h). */
#include "prefix/prefix_calls.h"

#include "interpose/own/below.h"
#include "prefix/descriptors.h"
#include "prefix/prefix_processes.h"
#include "prefix/prefix_queues.h"
#include "prefix/publishing.h"

#include <string.h>

static const struct fth_prefix_call *const lists[] = {
    fth_prefix_open_calls,    fth_prefix_data_calls, fth_prefix_descriptor_calls,
    fth_prefix_name_calls,    fth_prefix_fact_calls, fth_prefix_stream_calls,
    fth_prefix_process_calls, fth_prefix_aio_calls,  fth_prefix_map_calls,
    fth_prefix_queue_calls,   fth_prefix_move_calls};

static void *instead(const char *name, void *function)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const struct fth_prefix_call *call = lists[i]; call->name; call++)
            if (strcmp(call->name, name) == 0) {
                /* a name of libc that has others, and a call may be under way */
                if (!__atomic_load_n(call->real, __ATOMIC_RELAXED))
                    __atomic_store_n(call->real, function, __ATOMIC_RELAXED);
                return call->instead;
            }
    return function;
}

static void loads(const char *file)
{
    fth_prefix_loads(file);
    fth_prefix_expects_code(file);
}

__attribute__((visibility("default"))) const struct fth_below fth_below = {
    .instead = instead, .loads = loads, .loaded = fth_prefix_looks_again};

__attribute__((constructor)) static void begin(void)
{
    fth_prefix_start();
    if (!fth_prefix.is_on)
        return;
    fth_client.attach_early = fth_prefix_publish_early;
    fth_prefix_refuse_queues();
    fth_prefix_adopt_inherited();
}

__attribute__((destructor)) static void end(void)
{
    fth_prefix_ends();
}
