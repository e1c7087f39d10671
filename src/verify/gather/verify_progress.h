/* How far a verification is, for who looks from another thread, and gives it up. */
#ifndef FTH_VERIFY_GATHER_VERIFY_PROGRESS_H
#define FTH_VERIFY_GATHER_VERIFY_PROGRESS_H

#include <stdatomic.h>
#include <stdint.h>

/* Calls that are read, of `total` (0: it has not begun). When that is all, the accesses are
 * compared. */
struct fth_verify_progress {
    _Atomic uint64_t read, total;
    atomic_bool given_up; /* nobody wants the verdict any more: it ends soon, as after an error */
};

#endif
