/* What this process wrote to a file and has not attached: the range from its first to its last
 * byte, also for those who come when the process is dead (fs/protocol/unsaved.h). With the lock of
 * the client. */
#ifndef FTH_PREFIX_FRESH_BYTES_H
#define FTH_PREFIX_FRESH_BYTES_H

#include "prefix/prefix.h"

static inline bool fth_prefix_fresh_has(const struct fth_client_file *file)
{
    return file->fresh_begin < file->fresh_end;
}

/* Does the model leave it to time, and is the first of it old enough? The same of what was seen of
 * others, which counts as seen anew then. */
bool fth_prefix_fresh_is_due(const struct fth_client_file *file);
bool fth_prefix_seen_is_due(struct fth_client_file *file);
/* `descriptor` is one of the file. */
void fth_prefix_fresh_put(struct fth_client_file *file, int descriptor, uint64_t begin, uint64_t end);
/* Nothing is behind `length` any more. */
void fth_prefix_fresh_cut(struct fth_client_file *file, uint64_t length);
/* All of it is attached. */
void fth_prefix_fresh_clear(struct fth_client_file *file);
/* A descriptor to write to the file with, that one if it can be; -1: there is none. */
int fth_prefix_writer_of(const struct fth_client_file *file, int descriptor);
/* The file below says when this process wrote it last. */
void fth_prefix_tell_times(struct fth_client_file *file, int descriptor);

#endif
