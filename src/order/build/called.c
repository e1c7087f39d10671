/* Read from the sums of a process, not counted: of most traces few processes have to be gone
 * through before they are fed. */
#include "order/build/called.h"
#include "base/error.h"

bool fth_order_may_have_called(struct fth_trace *trace, size_t proc,
                               bool (*wanted)(const struct fth_function *function))
{
    const struct fth_function_sum *sums;
    size_t count;
    struct fth_error *error = NULL;
    if (!fth_trace_function_sums(trace, proc, &sums, &count, &error)) {
        fth_error_free(error);
        return true;
    }
    for (size_t i = 0; i < count; i++)
        if (wanted(sums[i].function) && sums[i].calls > 0)
            return true;
    return false;
}
