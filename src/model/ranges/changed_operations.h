/* A door for who follows asynchronous I/O of POSIX call by call: what one call changes, not all
 * that is in flight, which may be much where nobody asks what became of it. */
#ifndef FTH_MODEL_RANGES_CHANGED_OPERATIONS_H
#define FTH_MODEL_RANGES_CHANGED_OPERATIONS_H

#include <fathom/access.h>

/* Operations in flight, in order of begin, that the last call began as one of a list of control
 * blocks, or found over without ending them: a later one returns how many bytes were moved. They
 * are valid until the next access is taken. */
const struct fth_operation *fth_accesses_changed(struct fth_accesses *accesses, size_t *count);

#endif
