/* What this process wrote, and what of it others see. The caller has the lock of the client. */
#ifndef FTH_FS_PUBLISH_H
#define FTH_FS_PUBLISH_H

#include "fs/client/client.h"

/* Appends bytes to the buffer of this process, which must be there (fth_client_ready): they are at
 * `offset` of the file. false: errno is set, and some of them may be. */
bool fth_publish_write(struct fth_client_file *file, uint64_t offset, const void *bytes,
                       size_t size);
/* What is new of [begin, end) is attached, with one message; without one where nothing is. false:
 * errno is set; ENOLCK: a lock that some of it was written under is lost, and the server knows none
 * of it. */
bool fth_publish(struct fth_client_file *file, uint64_t begin, uint64_t end);
/* Forgets what of [begin, end) is not attached. */
void fth_publish_drop(struct fth_client_file *file, uint64_t begin, uint64_t end);

#endif
