/* Which programs of a run were not seen, as far as the others tell. */
#ifndef FTH_TRACE_UNSEEN_H
#define FTH_TRACE_UNSEEN_H

#include "trace/spill_files.h"

/* Sentences about programs that processes of the folder started and that left nothing behind: what was started and why it was not seen; and
 * what a process itself says that it could not see. Each is said once. The caller frees them and the array. */
char **fth_unseen_programs(const struct fth_spill_folder *folder, size_t *count);

#endif
