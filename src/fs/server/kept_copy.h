/* The copy that a server has of what another node has: as the folder of an instance (FTH_INSTANCE_
 * COPY), with the journal of that one's server and the buffers of its clients, which have the same
 * bytes at the same places. So a server that is started there goes on where the other one was lost,
 * as one that is started again (take_over.h). Inner header of the fs room. */
#ifndef FTH_FS_KEPT_COPY_H
#define FTH_FS_KEPT_COPY_H

#include "fs/protocol/instance.h"

#include <stdbool.h>

struct fth_request;
struct fth_kept_copy;

/* Opens that of the instance, and makes it where there is none; *is_again: there was one. NULL:
 * *error is set. */
struct fth_kept_copy *fth_kept_copy_open(const struct fth_fs_instance *instance, bool *is_again,
                                         struct fth_error **error);
/* Nothing is put into it from now on. */
void fth_kept_copy_close(struct fth_kept_copy *kept);
void fth_kept_copy_free(struct fth_kept_copy *kept);
/* Its path. */
void fth_kept_copy_path(const struct fth_fs_instance *instance, char path[PATH_MAX]);

/* Requests of the server that it is of. */
void fth_request_copy_bytes(struct fth_request *request);
void fth_request_copy_records(struct fth_request *request);

#endif
