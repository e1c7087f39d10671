/* Descriptors that processes have, made by themselves or by those that they come from. Inner header
 * of the order room. */
#ifndef FTH_ORDER_MATCH_MATCH_HOLDERS_H
#define FTH_ORDER_MATCH_MATCH_HOLDERS_H

#include "order/match/match.h"

struct fth_holder {
    uint32_t proc;
    uint32_t root_proc, root; /* who opened it, and its number among the descriptors of that one */
    int64_t value;
    const struct fth_order_descriptor *own; /* what this process did with it; NULL: nothing */
    bool writes, closes_on_exec;
    bool is_certain; /* else something unseen may have closed it before the process began */
};

struct fth_holders {
    struct fth_holder *all; /* by process */
    size_t count;
    size_t *firsts;     /* of each process; and all of them */
    bool shares_locked; /* of a file that is locked there were several descriptors */
};

/* After fth_match_processes. */
struct fth_holders fth_holders_of(const struct fth_matching *matching,
                                  const struct fth_trace *trace);
void fth_holders_free(struct fth_holders *holders);
const struct fth_order_descriptor *fth_holder_root(const struct fth_matching *matching,
                                                   const struct fth_holder *holder);
/* Is it the descriptor that was opened, not one that was copied or inherited? */
bool fth_holder_is_root(const struct fth_matching *matching, const struct fth_holder *holder);
/* Of the pipe, as the system calls it; NULL: not known. */
const char *fth_holder_name(const struct fth_matching *matching, const struct fth_holder *holder);
/* When it has it no longer: a close, or the end of the process. What comes before that comes before
 * whatever needs that nobody has it. */
struct fth_order_transfer fth_holder_end(const struct fth_matching *matching,
                                         const struct fth_trace *trace,
                                         const struct fth_holder *holder);

#endif
