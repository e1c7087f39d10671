/* Random delays. */
#include "prefix/chaos.h"

#include "prefix/prefix.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    SHORT = 3000000, /* ns at most */
    LONG = 40000000,
    FIRST = 64, /* accesses of a process, of which some wait long */
    SELDOM = 32 /* of those behind: one of so many waits */
};

static uint64_t state;
static unsigned accesses;
static pid_t owner; /* the child of a fork has the state of its parent */

/* xorshift (Marsaglia, 2003) */
static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void begin(pid_t process)
{
    owner = process;
    accesses = 0;
    state = (fth_client.instance.chaos * 2 + 1) *
            ((uint64_t)process * UINT64_C(0x9e3779b97f4a7c15) + 88172645463325252u);
    state = state ? state : 1;
}

void fth_prefix_wait_at_random(void)
{
    if (!fth_client.instance.chaos)
        return;
    pid_t process = (pid_t)syscall(SYS_getpid);
    if (process != owner)
        begin(process);
    uint64_t random = next();
    bool is_first = accesses++ < FIRST;
    if (is_first ? random & 1 : random % SELDOM != 0)
        return;
    long most = is_first && random >> 1 & 1 ? LONG : SHORT;
    const struct timespec pause = {.tv_nsec = (long)((random >> 8) % (uint64_t)most)};
    syscall(SYS_nanosleep, &pause, NULL);
}
