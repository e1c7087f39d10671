/* Reading a range piece by piece: from the clients that attached the pieces, else from this process
 * or the folder below. */
#ifndef PIECES_H
#define PIECES_H

#include <fathom/fs.h>

/* `owners`, `count`: as a query gave them, of at least this range. Returns the bytes read, or
 * -1. */
ssize_t pieces_read(struct fth_fs_file *file, const struct fth_fs_interval *owners, int count,
                    void *buffer, size_t size, int64_t offset);

#endif
