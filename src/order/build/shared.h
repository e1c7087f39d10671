/* What processes share, so that one may communicate with another one without a call: memory that is
 * mapped, semaphores in it, counters of events, signals. Inner header of the order room. */
#ifndef FTH_ORDER_BUILD_SHARED_H
#define FTH_ORDER_BUILD_SHARED_H

#include <fathom/trace.h>

#include <stdbool.h>
#include <stdint.h>

/* Through a thing a process may release what it did until one time, and acquire what others did
 * from another time on. */
struct fth_shared_thing {
    uint32_t thing, proc;
    int64_t releases_until, acquires_from; /* ns */
    bool outlives_exec;                    /* the next program of the process has it, too */
};

struct fth_shared {
    char **things; /* for people: "memory that is mapped (/dev/shm/x)" */
    uint32_t thing_count;
    /* by thing and process; only of things that several processes have */
    struct fth_shared_thing *shares;
    size_t count;
    bool *has_any; /* by process */
};

/* Found in one go through the calls of those processes that have made such calls. */
struct fth_shared fth_shared_of(struct fth_trace *trace);
void fth_shared_free(struct fth_shared *shared);

#endif
