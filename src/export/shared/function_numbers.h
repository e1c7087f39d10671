/* The number of a function in its trace (fth_trace_function), found by its address. */
#ifndef FTH_EXPORT_SHARED_FUNCTION_NUMBERS_H
#define FTH_EXPORT_SHARED_FUNCTION_NUMBERS_H

#include <fathom/trace.h>

struct fth_function_numbers {
    struct fth_function_place {
        const struct fth_function *function; /* NULL: nothing is here */
        uint32_t number;
    } * places;
    uint32_t mask; /* count of places, a power of two, less 1 */
};
void fth_function_numbers_begin(struct fth_function_numbers *numbers,
                                const struct fth_trace *trace);
void fth_function_numbers_end(struct fth_function_numbers *numbers);

static inline uint32_t fth_function_place(const struct fth_function_numbers *numbers,
                                          const struct fth_function *function)
{
    uint64_t hash = (uint64_t)(uintptr_t)function * 0x9e3779b97f4a7c15u;
    uint32_t place = (uint32_t)(hash >> 32) & numbers->mask;
    while (numbers->places[place].function && numbers->places[place].function != function)
        place = (place + 1) & numbers->mask;
    return place;
}

/* `function` is one of the trace. */
static inline uint32_t fth_function_number(const struct fth_function_numbers *numbers,
                                           const struct fth_function *function)
{
    return numbers->places[fth_function_place(numbers, function)].number;
}

#endif
