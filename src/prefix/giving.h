/* Giving files to the system (given_files.h), by who maps them shared, and by who notices it. */
#ifndef FTH_PREFIX_GIVING_H
#define FTH_PREFIX_GIVING_H

#include "prefix/given_files.h"

/* Gives the file of one of our descriptors to the system, also where another process has done it.
 * Without the lock of the client. false: errno is set, and it stays ours. */
bool fth_prefix_give(int descriptor);
/* The same of the file of this identity, which this process does not have open. With the lock. */
bool fth_prefix_give_again(struct fth_client_file *file);
/* The file of a descriptor that a call is about; NULL: the call is the system's. */
static inline struct fth_client_file *fth_prefix_ours(int descriptor)
{
    struct fth_client_file *file = fth_prefix_file(descriptor);
    if (FTH_LIKELY(!file) || !fth_prefix_may_be_given(file))
        return file;
    return fth_prefix_give(descriptor) ? NULL : file;
}

#endif
