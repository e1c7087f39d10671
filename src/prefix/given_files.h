/* Files that are given to the system, as somebody maps them shared: all of their bytes are in the
 * folder below, and what is done to them there is seen by everybody on the node at once. A process
 * that has one open notices it at its next call, and then the descriptors are plain ones of the
 * system's: they are not in the table any more.
 *
 * Memory that processes share tells them more than the file system sees. So whoever has to do with
 * such a file publishes and fetches at each access from then on, whatever the model is. */
#ifndef FTH_PREFIX_GIVEN_FILES_H
#define FTH_PREFIX_GIVEN_FILES_H

#include "fs/protocol/held_files.h"
#include "prefix/descriptor_table.h"
#include "prefix/prefix.h"

/* Somebody may have given it. */
static inline bool fth_prefix_may_be_given(const struct fth_client_file *file)
{
    return FTH_UNLIKELY(fth_known_files_is_given(fth_prefix.known, file->bit));
}

/* What was written and is not attached is written to the file below, as it is given. With the lock.
 * false: errno is set. */
bool fth_prefix_write_given(struct fth_client_file *file, int descriptor);

#endif
