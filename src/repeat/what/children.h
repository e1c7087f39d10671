/* Children of a process in a repetition: each begins where the call that made it stands, and is
 * over before the call that waited for it, whatever the times are. */
#ifndef FTH_REPEAT_CHILDREN_H
#define FTH_REPEAT_CHILDREN_H

#include "base/keyed.h"
#include "fathom/trace.h"

struct fth_repeat_children {
    const struct fth_trace *trace;
    bool *begun, *ended; /* by process */
    /* of the process whose calls come */
    size_t proc;
    struct fth_keyed of_streams; /* of int64_t: child + 1, by slot of the stream (popen) */
    size_t next;                 /* no earlier one has yet to begin by its time alone */
    uint32_t thread;             /* that last made one */
};

/* What there is to do with a child; both: a call waits until it is over (system). */
struct fth_repeat_child {
    size_t proc;
    bool begins, ends;
};

void fth_repeat_children_open(struct fth_repeat_children *children, const struct fth_trace *trace);
void fth_repeat_children_close(struct fth_repeat_children *children);
/* The calls of this process come. */
void fth_repeat_children_start(struct fth_repeat_children *children, size_t proc);

/* The child that this call made (FTH_REPEAT_FORK), or whose end it waited for (pclose). False: none
 * that is repeated. */
bool fth_repeat_child_made(struct fth_repeat_children *children, const struct fth_call *call,
                           struct fth_repeat_child *child);
/* The next one that no known call made, and that had begun by then, ns; false: no more. It has what
 * there is. */
bool fth_repeat_child_until(struct fth_repeat_children *children, int64_t time,
                            struct fth_repeat_child *child);
/* The child whose end this call waited for (FTH_REPEAT_REAP). */
bool fth_repeat_child_reaped(struct fth_repeat_children *children, const struct fth_call *call,
                             struct fth_repeat_child *child);

/* Is a child another program than its parent from its start (vfork, posix_spawn)? What it does
 * before is not recorded. */
bool fth_repeat_is_other_program(const struct fth_process *parent, const struct fth_process *child);

#endif
