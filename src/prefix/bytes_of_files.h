/* Reading and writing files of the file system. */
#ifndef FTH_PREFIX_BYTES_OF_FILES_H
#define FTH_PREFIX_BYTES_OF_FILES_H

#include "prefix/prefix.h"

#include <sys/uio.h>

/* A descriptor of the file comes into the process. With the lock of the client. false: errno is
 * set. */
bool fth_prefix_opens(struct fth_client_file *file, bool truncated);
enum { FTH_PREFIX_AT_POSITION = -1 };
/* As readv and writev, or at an offset. `flags`: of preadv2. The lock is not taken. */
ssize_t fth_prefix_read(int descriptor, const struct iovec *pieces, int count, int64_t offset);
ssize_t fth_prefix_write(int descriptor, const struct iovec *pieces, int count, int64_t offset,
                         int flags);
/* fsync. false: errno is set. */
bool fth_prefix_sync(int descriptor);
int64_t fth_prefix_seek(int descriptor, int64_t distance, int whence);

#endif
