/* What wrappers call in place of functions of libc. Each file has some of them, and a list. */
#ifndef FTH_PREFIX_PREFIX_CALLS_H
#define FTH_PREFIX_PREFIX_CALLS_H

#include <stddef.h>

/* A function of libc, what is called in place of it, and where that finds the function. Several
 * names of one function have one place. */
struct fth_prefix_call {
    const char *name;
    void *instead;
    void **real;
};

/* `open` becomes in_place_of_open, which calls real_open. */
#define FTH_PREFIX_ROW(name, function)                                                             \
    {                                                                                              \
#name, (void *)in_place_of_##function, (void **)&real_##function                           \
    }

/* Ended by a NULL name. */
extern const struct fth_prefix_call fth_prefix_open_calls[], fth_prefix_data_calls[],
    fth_prefix_descriptor_calls[], fth_prefix_name_calls[], fth_prefix_fact_calls[],
    fth_prefix_stream_calls[], fth_prefix_process_calls[], fth_prefix_aio_calls[], fth_prefix_map_calls[],
    fth_prefix_queue_calls[], fth_prefix_move_calls[];

#endif
