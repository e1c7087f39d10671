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
    return FTH_UNLIKELY(fth_given_files_has(fth_prefix.known, file->bit));
}

/* Gives the file of one of our descriptors to the system, also where another process has done it.
 * Without the lock of the client. false: errno is set, and it stays ours. */
bool fth_prefix_give(int descriptor);
/* The same of the file of this identity, which this process does not have open. With the lock. */
bool fth_prefix_give_again(struct fth_client_file *file);
/* What was written and is not attached is written to the file below, as it is given. With the lock.
 * false: errno is set. */
bool fth_prefix_write_given(struct fth_client_file *file, int descriptor);

/* The file of a descriptor that a call is about; NULL: the call is the system's. */
static inline struct fth_client_file *fth_prefix_ours(int descriptor)
{
    struct fth_client_file *file = fth_prefix_file(descriptor);
    if (FTH_LIKELY(!file) || !fth_prefix_may_be_given(file))
        return file;
    return fth_prefix_give(descriptor) ? NULL : file;
}

#endif
