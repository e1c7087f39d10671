/* Texts that a user names: programs, clusters, models, catalogues, lists. They are regular files of
 * a bounded size, or come through a pipe; a device may have no end, and a pipe with a name no
 * beginning. */
#ifndef FTH_BASE_TEXT_FILE_H
#define FTH_BASE_TEXT_FILE_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

/* Opens it for reading from the beginning; NULL and *error, which names it: it cannot be opened, is
 * a folder, a device or a named pipe, or longer than `most` bytes. */
FILE *fth_text_file(const char *path, size_t most, struct fth_error **error);
enum { FTH_TEXT_MOST_BYTES = 64 << 20 };

#endif
