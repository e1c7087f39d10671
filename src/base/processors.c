/* How many processors there are to use. */
#include "base/processors.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

enum { FEWEST = 1024, MOST = 1 << 20 }; /* processors that a mask is made for */

/* 0: it cannot be asked. The kernel wants a mask with room for all processors that a node may
 * have. */
static unsigned allowed(void)
{
    unsigned count = 0;
    for (size_t room = FEWEST; room <= MOST && !count; room *= 2) {
        cpu_set_t *mask = CPU_ALLOC(room);
        size_t size = CPU_ALLOC_SIZE(room);
        bool asked = mask && sched_getaffinity(0, size, mask) == 0;
        if (asked)
            count = (unsigned)CPU_COUNT_S(size, mask);
        bool is_too_small = mask && !asked && errno == EINVAL;
        CPU_FREE(mask);
        if (!is_too_small)
            break;
    }
    return count;
}

unsigned fth_processors(void)
{
    unsigned count = allowed();
    long online = count ? 0 : sysconf(_SC_NPROCESSORS_ONLN);
    return count ? count : online > 1 ? (unsigned)online : 1;
}
