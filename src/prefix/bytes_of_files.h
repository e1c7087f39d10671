/* Reading and writing files of the file system, and when others see it. All functions but the last
 * four are called with the lock of the client. */
#ifndef FTH_PREFIX_BYTES_OF_FILES_H
#define FTH_PREFIX_BYTES_OF_FILES_H

#include "prefix/prefix.h"

#include <sys/uio.h>

/* A descriptor of the file comes into the process. false: errno is set. */
bool fth_prefix_opens(struct fth_client_file *file, bool truncated);
/* What the process wrote is attached. false: errno is set. */
bool fth_prefix_publish(struct fth_client_file *file, int descriptor);
/* The same of all files. */
bool fth_prefix_publish_all(void);
/* The same, as there is no room for more in the buffer. */
bool fth_prefix_publish_early(void);
/* What others attached is asked for before it is read the next time. */
void fth_prefix_fetch(struct fth_client_file *file);
void fth_prefix_fetch_all(void);
/* What is attached of the file, NULL: of all files, is written to the folder below, and forgotten:
 * that is the truth until somebody writes again. false: errno is set. */
bool fth_prefix_settle(struct fth_client_file *file);

enum { FTH_PREFIX_AT_POSITION = -1 };
/* As readv and writev, or at an offset. `flags`: of preadv2. The lock is not taken. */
ssize_t fth_prefix_read(int descriptor, const struct iovec *pieces, int count, int64_t offset);
ssize_t fth_prefix_write(int descriptor, const struct iovec *pieces, int count, int64_t offset,
                         int flags);
/* fsync. false: errno is set. */
bool fth_prefix_sync(int descriptor);
int64_t fth_prefix_seek(int descriptor, int64_t distance, int whence);

#endif
