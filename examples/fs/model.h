/* A consistency model made of the primitives of <fathom/fs.h>: where a file is attached, and where
 * it is queried. posix.c, posix_locks.c, commit.c and session.c each define these functions; a
 * program is linked with one of them. */
#ifndef MODEL_H
#define MODEL_H

#include <fathom/fs.h>

struct model_file;

/* All return what their POSIX namesakes return. */
struct model_file *model_open(const char *path);
ssize_t model_write(struct model_file *file, const void *buffer, size_t size, int64_t offset);
ssize_t model_read(struct model_file *file, void *buffer, size_t size, int64_t offset);
int model_sync(struct model_file *file);
int model_close(struct model_file *file);

#endif
