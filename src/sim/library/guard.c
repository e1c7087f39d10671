/* The rest of Fathom takes memory with functions that do not come back when there is none. In
 * `fathom` that ends the program; in a program of somebody else it must not, so they leave by a
 * jump to the function of <fathom/sim.h> that was called. */
#include "sim/library/sim_objects.h"

#include "base/memory.h"

static _Thread_local jmp_buf *current;

static void leave(void)
{
    longjmp(*current, 1);
}

/* The library has a copy of this variable for itself. */
__attribute__((constructor)) static void set(void)
{
    fth_out_of_memory = leave;
}

bool fth_sim_guard(jmp_buf *escape, int is_back, struct fth_error **error)
{
    current = is_back ? NULL : escape;
    if (is_back)
        fth_fail(error, "there is not enough memory");
    return is_back;
}

void fth_sim_unguard(void)
{
    current = NULL;
}
