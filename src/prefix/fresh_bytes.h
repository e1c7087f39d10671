/* What this process wrote to a file and has not attached: the range from its first to its last
 * byte, also for those who come when the process is dead (fs/protocol/unsaved.h). With the lock of
 * the client. */
#ifndef FTH_PREFIX_FRESH_BYTES_H
#define FTH_PREFIX_FRESH_BYTES_H

#include "prefix/prefix.h"

static inline bool fth_fresh_has(const struct fth_client_file *file)
{
    return file->fresh_begin < file->fresh_end;
}

/* `descriptor` is one of the file. */
void fth_fresh_put(struct fth_client_file *file, int descriptor, uint64_t begin, uint64_t end);
/* Nothing is behind `length` any more. */
void fth_fresh_cut(struct fth_client_file *file, uint64_t length);
/* All of it is attached. */
void fth_fresh_clear(struct fth_client_file *file);

#endif
