/* What the signatures of a process say of all of its calls, before any of them is decoded. Inner
 * header of the model room, and of `order`. */
#ifndef FTH_MODEL_CALLS_POSSIBLE_VALUES_H
#define FTH_MODEL_CALLS_POSSIBLE_VALUES_H

#include <fathom/trace.h>

/* What is asked for: a call of a function that is wanted, with an integer for a parameter that is
 * enough. NULL: that may be any integer. */
struct fth_asked_value {
    bool (*wanted)(const struct fth_function *function);
    bool (*is_enough)(const void *context, const struct fth_function *function, size_t parameter,
                      const int64_t *integer);
    const void *context;
};

/* May the process have made such a call? Takes as long as it has signatures, however many calls it
 * made. True if the trace is damaged. */
bool fth_process_may_have(struct fth_trace *trace, size_t proc,
                          const struct fth_asked_value *asked);

#endif
