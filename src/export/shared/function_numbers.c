/* A table of addresses with free places, so that a search ends soon. */
#include "export/shared/function_numbers.h"

#include "base/memory.h"

void fth_function_numbers_begin(struct fth_function_numbers *numbers, const struct fth_trace *trace)
{
    size_t count = fth_trace_function_count(trace), size = 16;
    while (size < 2 * count)
        size *= 2;
    numbers->mask = (uint32_t)size - 1;
    numbers->places = fth_new(size, sizeof *numbers->places);
    for (size_t i = 0; i < count; i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        numbers->places[fth_function_place(numbers, function)] =
            (struct fth_function_place){function, (uint32_t)i};
    }
}

void fth_function_numbers_end(struct fth_function_numbers *numbers)
{
    free(numbers->places);
}
